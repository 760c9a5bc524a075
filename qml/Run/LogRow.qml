// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// A line of the log.
Item {
    id: root

    required property string kind
    required property string problem
    required property string text
    required property string time
    required property string icon
    required property string meaning
    required property double attempt
    property bool current: false

    height: Theme.rowHeight
    Accessible.role: Accessible.ListItem
    Accessible.name: root.time + " " + root.problem + " " + root.text

    Rectangle {
        anchors.fill: parent
        color: root.current ? Theme.selected : hover.hovered && root.attempt > 0 ? Theme.hover : "transparent"
    }
    Label {
        x: 12
        width: 62
        height: parent.height
        text: root.time
        level: 2
    }
    Icon {
        x: 78
        name: root.icon
        size: root.icon === "up" ? 9 : 12
        color: root.meaning === "better" ? Theme.better : root.meaning === "worse" ? Theme.worse : root.meaning === "failed" ? Theme.failed : root.meaning === "quarantined" ? Theme.quarantined : root.meaning === "working" ? Theme.accent : Theme.text2
        anchors.verticalCenter: parent.verticalCenter
    }
    Label {
        x: 100
        width: 160
        height: parent.height
        text: root.problem === "" ? root.kind : root.problem
        weight: Font.Medium
    }
    Label {
        id: words

        x: 270
        width: root.width - x - 16
        height: parent.height
        text: root.text

        HoverHandler {
            id: textHover
        }
        Tip {
            shown: textHover.hovered && words.truncated
            text: root.text
        }
    }
    HLine {
        anchors.bottom: parent.bottom
        width: parent.width
        opacity: 0.5
    }
    HoverHandler {
        id: hover
    }
    TapHandler {
        enabled: root.attempt > 0
        onDoubleTapped: Session.showAttempt(root.attempt)
    }
}
