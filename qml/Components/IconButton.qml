// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// 28x28, icon only. `text` is the accessible name and the tooltip and must say what pressing does now ("Disable" or "Enable").
T.AbstractButton {
    id: root

    property string iconName
    property string shortcut: ""
    property int badge: 0
    property bool on: false ///< a toggle that is on
    property color ink: !root.enabled ? Theme.text3 : root.on ? Theme.accent : Theme.text2

    implicitWidth: Math.round(28 * Theme.scale)
    implicitHeight: Math.round(28 * Theme.scale)
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.Button
    Accessible.name: root.text

    Keys.onReturnPressed: root.click()
    Keys.onEnterPressed: root.click()

    background: Rectangle {
        radius: 5
        color: root.pressed ? Theme.pressed : root.hovered && root.enabled ? Theme.hover : "transparent"

        FocusRing {
            control: root
            shown: root.visualFocus
        }
    }
    contentItem: Item {
        Icon {
            anchors.centerIn: parent
            name: root.iconName
            color: root.ink
            size: 15
        }
        Rectangle {
            visible: root.badge > 0
            anchors.horizontalCenter: parent.horizontalCenter
            anchors.horizontalCenterOffset: 7
            anchors.verticalCenter: parent.verticalCenter
            anchors.verticalCenterOffset: -7
            width: Math.max(14, badgeText.implicitWidth + 6)
            height: 14
            radius: 7
            color: Theme.accent

            Text {
                id: badgeText

                anchors.centerIn: parent
                text: root.badge > 99 ? "99+" : String(root.badge)
                color: Theme.onAccent
                font.family: Theme.sans
                font.pixelSize: 9
                font.weight: Font.DemiBold
                textFormat: Text.PlainText
            }
        }
    }

    Tip {
        shown: root.hovered
        text: root.text
        shortcut: root.shortcut
    }
}
