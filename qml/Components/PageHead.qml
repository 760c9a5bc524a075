// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// The head of a page, 48 high: title, one line of context, actions at the right with the main one last.
Item {
    id: root

    property string title
    property string note: ""
    default property alias actions: actionRow.data

    width: parent ? parent.width : 600
    height: Theme.pageHeadHeight

    Row {
        spacing: 12
        height: parent.height
        width: Math.max(0, parent.width - actionRow.width - 12)

        Label {
            id: titleLabel

            text: root.title
            size: Theme.titleSize
            weight: Font.DemiBold
            height: parent.height
            Accessible.role: Accessible.Heading
        }
        Label {
            text: root.note
            size: Theme.bodySize
            level: 2
            height: parent.height
            width: Math.max(0, Math.min(implicitWidth, parent.width - titleLabel.width - 12))
        }
    }
    Row {
        id: actionRow

        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        spacing: 8
    }
}
