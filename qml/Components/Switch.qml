// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// On or off, at once. The whole label is the target.
T.Switch {
    id: root

    implicitHeight: Math.round(24 * Theme.scale)
    implicitWidth: track.width + (root.text === "" ? 0 : 8 + contentItem.implicitWidth)
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    Accessible.name: root.text

    indicator: Rectangle {
        id: track

        width: Math.round(28 * Theme.scale)
        height: Math.round(15 * Theme.scale)
        y: (root.height - height) / 2
        radius: height / 2
        color: root.checked && root.enabled ? Theme.accent : "transparent"
        border.color: root.checked && root.enabled ? Theme.accent : Theme.lineStrong

        Rectangle {
            width: parent.height - 6
            height: width
            radius: width / 2
            y: 3
            x: root.checked ? parent.width - width - 3 : 3
            color: root.checked && root.enabled ? Theme.onAccent : Theme.lineStrong

            Behavior on x {
                NumberAnimation {
                    duration: Theme.quick
                }
            }
        }
        FocusRing {
            control: root
            shown: root.visualFocus
            corner: 8
        }
    }
    contentItem: Label {
        text: root.text
        leftPadding: track.width + 8
        color: root.enabled ? Theme.text : Theme.text3
        visible: root.text !== ""
    }
}
