// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// A check box; the whole label is the target. `checkState` PartiallyChecked shows a bar.
T.CheckBox {
    id: root

    implicitHeight: Math.max(Math.round(24 * Theme.scale), contentItem.implicitHeight)
    implicitWidth: box.width + (root.text === "" ? 0 : 8 + contentItem.implicitWidth)
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    Accessible.name: root.text

    indicator: Rectangle {
        id: box

        width: Math.round(15 * Theme.scale)
        height: width
        y: (root.height - height) / 2
        radius: 3
        color: root.checkState !== Qt.Unchecked && root.enabled ? Theme.accent : root.hovered ? Theme.hover : "transparent"
        border.width: root.checkState !== Qt.Unchecked && root.enabled ? 0 : 1
        border.color: root.enabled ? Theme.lineStrong : Theme.line

        Icon {
            anchors.centerIn: parent
            size: 11
            name: root.checkState === Qt.PartiallyChecked ? "minus" : "check"
            visible: root.checkState !== Qt.Unchecked
            color: root.enabled ? Theme.onAccent : Theme.text3
        }
        FocusRing {
            control: root
            shown: root.visualFocus
            corner: 3
        }
    }
    contentItem: Label {
        text: root.text
        leftPadding: box.width + 8
        color: root.enabled ? Theme.text : Theme.text3
        visible: root.text !== ""
    }
}
