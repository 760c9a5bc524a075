// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// A line of the log in the Overview.
Item {
    id: root

    required property string kind
    required property string problem
    required property string text
    required property string shortTime
    required property string icon
    required property string meaning
    required property double attempt

    height: Math.round(30 * Theme.scale)
    Accessible.role: Accessible.ListItem
    Accessible.name: root.problem === "" ? root.text : root.problem + ": " + root.text

    Rectangle {
        anchors.fill: parent
        color: hover.hovered && root.attempt > 0 ? Theme.hover : "transparent"
    }
    Icon {
        x: 12
        name: root.icon
        size: root.icon === "up" ? 9 : 12
        color: root.meaning === "better" ? Theme.better : root.meaning === "worse" ? Theme.worse : root.meaning === "failed" ? Theme.failed : root.meaning === "quarantined" ? Theme.quarantined : root.meaning === "working" ? Theme.accent : Theme.text2
        anchors.verticalCenter: parent.verticalCenter
    }
    Label {
        id: problemLabel

        x: 34
        height: parent.height
        text: root.problem
        weight: Font.Medium
        width: text === "" ? 0 : Math.min(implicitWidth, root.width * 0.4)
    }
    Label {
        x: problemLabel.x + problemLabel.width + (problemLabel.width > 0 ? 10 : 0)
        width: root.width - x - timeLabel.width - 24
        height: parent.height
        text: root.text
        level: 2
    }
    Label {
        id: timeLabel

        anchors.right: parent.right
        anchors.rightMargin: 12
        height: parent.height
        text: root.shortTime
        level: 3
    }
    HoverHandler {
        id: hover
    }
    TapHandler {
        enabled: root.attempt > 0
        onTapped: Session.showAttempt(root.attempt)
    }
}
