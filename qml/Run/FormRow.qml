// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// A line of a form: words at the left, a letter or a note, the control at the right.
Item {
    id: root

    property string text
    property string letter: ""
    default property alias control: holder.data

    width: parent ? parent.width : 300
    height: Math.round(36 * Theme.scale)

    Label {
        height: parent.height
        width: parent.width - holder.width - letterLabel.width - 12
        text: root.text
        size: Theme.bodySize
    }
    Label {
        id: letterLabel

        anchors.right: holder.left
        anchors.rightMargin: 10
        height: parent.height
        text: root.letter
        level: 3
    }
    Row {
        id: holder

        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        spacing: 8
    }
}
