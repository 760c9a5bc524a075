// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// An entry of a PopMenu, with icon and shortcut cap.
T.MenuItem {
    id: root

    property string iconName: ""
    property string shortcutText: ""

    implicitWidth: 200
    implicitHeight: visible ? Math.round(28 * Theme.scale) : 0
    hoverEnabled: true
    Accessible.name: root.text

    background: Rectangle {
        radius: 4
        color: root.highlighted || root.hovered ? Theme.selected : "transparent"
    }
    contentItem: Item {
        Icon {
            x: 8
            visible: root.iconName !== ""
            name: root.iconName
            size: 13
            color: root.enabled ? Theme.text2 : Theme.text3
            anchors.verticalCenter: parent.verticalCenter
        }
        Label {
            x: 30
            width: parent.width - x - 8 - cap.width
            height: parent.height
            text: root.text
            color: root.enabled ? Theme.text : Theme.text3
        }
        KeyCap {
            id: cap

            sequence: root.shortcutText
            anchors.right: parent.right
            anchors.rightMargin: 8
            anchors.verticalCenter: parent.verticalCenter
        }
    }
}
