// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// One cell an iteration: done, under way with its progress, to come; below it the geomean and the gain.
Card {
    id: root

    property bool low: false
    readonly property list<double> means: RunFigures.geomeans
    readonly property real cell: Math.max(56, (root.width - 24) / Math.max(1, RunFigures.iterations))

    padding: 12
    Accessible.name: qsTr("Iteration %1 of %2").arg(RunFigures.iteration).arg(RunFigures.iterations)

    ListView {
        id: list

        anchors.fill: parent
        orientation: ListView.Horizontal
        clip: true
        interactive: contentWidth > width
        boundsBehavior: Flickable.StopAtBounds
        model: RunFigures.iterations
        currentIndex: RunFigures.iteration - 1
        T.ScrollBar.horizontal: ScrollMark {}

        delegate: Item {
            id: item

            required property int index
            readonly property int number: item.index + 1
            readonly property bool over: Session.runState === "finished" || item.number < RunFigures.iteration
            readonly property bool now: !item.over && item.number === RunFigures.iteration
            readonly property real mean: root.means.length > item.number ? root.means[item.number] : 0
            readonly property real before: root.means.length > item.index ? root.means[item.index] : 0

            width: root.cell
            height: list.height

            Rectangle {
                id: box

                x: 2
                width: parent.width - 4
                height: Math.round(20 * Theme.scale)
                radius: 3
                color: item.over ? Theme.neutralGround : "transparent"
                border.color: item.now ? Theme.accent : Theme.line

                Rectangle {
                    visible: item.now
                    x: 1
                    y: 1
                    height: parent.height - 2
                    width: Math.max(0, (parent.width - 2) * Math.min(1, RunFigures.iterationProgress))
                    color: Theme.selected
                    radius: 2
                }
                Row {
                    anchors.centerIn: parent
                    spacing: 5

                    Icon {
                        visible: item.over
                        name: "check"
                        size: 11
                        anchors.verticalCenter: parent.verticalCenter
                    }
                    Label {
                        text: item.number
                        weight: item.now ? Font.DemiBold : Font.Normal
                        level: item.over || item.now ? 1 : 3
                    }
                    Label {
                        visible: item.now && root.cell > 64
                        text: Format.percent(RunFigures.iterationProgress)
                        weight: Font.DemiBold
                    }
                }
            }
            Label {
                y: box.height + 2
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: item.mean > 0 ? Format.fraction(item.mean, RunFigures.estimate) : ""
                font.italic: RunFigures.estimate
                weight: Font.Medium
                size: Theme.smallSize
            }
            Label {
                y: box.height + 17
                visible: !root.low && item.mean > 0
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: item.mean - item.before > 0.0005 ? Format.points(item.mean - item.before).replace("points", "pts") : qsTr("no gain")
                level: 3
                size: Theme.smallSize
            }
        }
    }
}
