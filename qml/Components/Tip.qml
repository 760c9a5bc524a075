// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Controls as QQC
import AccelOpt.Studio

/// The tooltip of a control, with its shortcut. `control` must have `hovered` or set `shown`.
QQC.ToolTip {
    id: root

    property string shortcut: ""
    property bool shown: false

    visible: root.shown && root.text !== ""
    delay: 500
    padding: 6
    leftPadding: 8
    rightPadding: 8

    background: Rectangle {
        radius: 5
        color: Theme.raised
        border.color: Theme.lineStrong
    }
    contentItem: Row {
        spacing: 8

        Label {
            text: root.text
            width: Math.min(implicitWidth, 420)
            wrapMode: Text.Wrap
        }
        KeyCap {
            sequence: root.shortcut
            anchors.verticalCenter: parent.verticalCenter
        }
    }
}
