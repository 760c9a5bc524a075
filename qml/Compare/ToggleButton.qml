// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// A quiet button that is on or off: ground and check mark while it is on.
T.AbstractButton {
    id: root

    property string iconName
    property string shortcut
    property bool on: false

    implicitHeight: Math.round(28 * Theme.scale)
    implicitWidth: Math.ceil(row.implicitWidth) + 16
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.CheckBox
    Accessible.checkable: true
    Accessible.checked: root.on
    Accessible.name: root.text

    Keys.onReturnPressed: root.click()
    Keys.onEnterPressed: root.click()

    background: Rectangle {
        radius: 5
        color: root.pressed ? Theme.pressed : root.on ? Theme.segment : root.hovered ? Theme.hover : "transparent"
        border.width: root.on ? 1 : 0
        border.color: Theme.line

        FocusRing {
            control: root
            shown: root.visualFocus
        }
    }
    contentItem: Item {
        Row {
            id: row

            anchors.centerIn: parent
            spacing: 6

            Icon {
                name: root.on ? "check" : root.iconName
                color: root.enabled ? (root.on ? Theme.accent : Theme.text2) : Theme.text3
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: root.text
                color: root.enabled ? Theme.text : Theme.text3
                weight: Font.Medium
                anchors.verticalCenter: parent.verticalCenter
            }
            KeyCap {
                sequence: root.shortcut
                anchors.verticalCenter: parent.verticalCenter
            }
        }
    }
}
