// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// A candidate of the beam: rank, attempt, latency, peak bar, plan cells, parent, age.
Item {
    id: root

    required property int rank
    required property string key
    required property double attempt
    required property string latency
    required property double fraction
    required property string fractionText
    required property bool estimate
    required property list<string> cells
    required property int done
    required property int plans
    required property string parentKey
    required property string age
    required property bool newBest
    required property string origin
    property bool compact: false
    property bool focused: false

    height: Math.round((root.compact ? 74 : 92) * Theme.scale)
    Accessible.role: Accessible.ListItem
    Accessible.name: qsTr("%1. %2, %3, %4 of peak, %5 of %6 plans done").arg(root.rank).arg(root.key).arg(root.latency).arg(root.fractionText).arg(root.done).arg(root.plans)

    Rectangle {
        anchors.fill: parent
        radius: 5
        color: root.newBest ? Theme.betterGround : hover.hovered ? Theme.hover : Theme.sunken
        border.color: root.focused ? Theme.focus : root.newBest ? Theme.better : Theme.line
        border.width: root.focused ? 2 : 1
    }
    Label {
        x: 10
        y: 6
        height: 18
        text: root.rank
        level: 3
    }
    Label {
        id: keyLabel

        x: 26
        y: 6
        height: 18
        width: Math.min(implicitWidth, parent.width - x - latencyLabel.width - 16)
        text: root.key
        weight: Font.DemiBold
    }
    Tag {
        visible: root.newBest && root.width > 270
        x: keyLabel.x + keyLabel.width + 8
        y: 5
        bare: true
        meaning: "better"
        iconName: "up"
        text: qsTr("new")
    }
    Label {
        id: latencyLabel

        anchors.right: parent.right
        anchors.rightMargin: 10
        y: 6
        height: 18
        text: root.latency
        font.italic: root.estimate
        weight: Font.DemiBold
    }
    PeakBar {
        x: 10
        y: 26
        width: parent.width - 20 - 56
        height: 16
        barHeight: 6
        mono: true
        best: root.fraction
        estimate: root.estimate
    }
    Label {
        anchors.right: parent.right
        anchors.rightMargin: 10
        y: 25
        height: 18
        text: root.fractionText
        font.italic: root.estimate
    }
    Row {
        id: cellRow

        x: 10
        y: 46
        spacing: 2

        Repeater {
            model: root.cells.slice(0, Math.floor((root.width - 90) / 17))

            Rectangle {
                id: cell

                required property string modelData
                readonly property color ink: cell.modelData === "better" ? Theme.better : cell.modelData === "failed" ? Theme.failed : cell.modelData === "working" ? Theme.accent : Theme.text3

                width: 15
                height: 15
                radius: 3
                color: cell.modelData === "better" ? Theme.betterGround : cell.modelData === "failed" ? Theme.failedGround : cell.modelData === "working" ? Theme.selected : "transparent"
                border.color: cell.modelData === "empty" || cell.modelData === "not-better" ? Theme.line : cell.ink

                Icon {
                    anchors.centerIn: parent
                    visible: cell.modelData !== "empty"
                    name: cell.modelData === "better" ? "up" : cell.modelData === "failed" ? "x" : cell.modelData === "working" ? "playfill" : "down"
                    size: 8
                    color: cell.ink
                }
            }
        }
    }
    Label {
        anchors.right: parent.right
        anchors.rightMargin: 10
        y: 45
        height: 18
        text: qsTr("%1 of %2").arg(root.done).arg(root.plans)
        level: 2
    }
    Label {
        visible: !root.compact
        x: 10
        y: 67
        height: 18
        width: parent.width * 0.55
        text: root.parentKey === "" ? root.origin : qsTr("from %1").arg(root.parentKey)
        level: 3
        size: Theme.smallSize
    }
    Label {
        visible: !root.compact
        anchors.right: parent.right
        anchors.rightMargin: 10
        y: 67
        height: 18
        text: root.age
        level: 3
        size: Theme.smallSize
    }
    HoverHandler {
        id: hover
    }
    TapHandler {
        onTapped: Session.showAttempt(root.attempt)
    }
}
