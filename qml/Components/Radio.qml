// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// A radio button; the whole label is the target.
T.RadioButton {
    id: root

    implicitHeight: Math.round(24 * Theme.scale)
    implicitWidth: ring.width + (root.text === "" ? 0 : 8 + contentItem.implicitWidth)
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    Accessible.name: root.text

    indicator: Rectangle {
        id: ring

        width: Math.round(15 * Theme.scale)
        height: width
        y: (root.height - height) / 2
        radius: width / 2
        color: root.checked ? Theme.accent : "transparent"
        border.color: root.checked ? Theme.accent : Theme.lineStrong

        Rectangle {
            anchors.centerIn: parent
            width: 5
            height: 5
            radius: 2.5
            color: Theme.onAccent
            visible: root.checked
        }
        FocusRing {
            control: root
            shown: root.visualFocus
            corner: 8
        }
    }
    contentItem: Label {
        text: root.text
        leftPadding: ring.width + 8
        visible: root.text !== ""
    }
}
