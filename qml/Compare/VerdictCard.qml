// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// B against A in words, then both latencies on one axis.
Card {
    id: root

    required property CompareController pair
    readonly property color ink: root.pair.verdict === "better" ? Theme.better : root.pair.verdict === "worse" ? Theme.worse : Theme.text2

    padding: 0
    implicitHeight: column.height + 22
    Accessible.name: root.pair.comparable ? root.pair.headline + " " + root.pair.detail : qsTr("Not compared")

    Column {
        id: column

        x: 12
        y: 11
        width: parent.width - 24
        spacing: 6

        Row {
            visible: root.pair.comparable
            spacing: 8
            width: parent.width

            Icon {
                name: root.pair.verdict === "better" ? "up" : root.pair.verdict === "worse" ? "down" : "same"
                size: 11
                color: root.ink
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: root.pair.headline
                size: Theme.titleSize
                weight: Font.DemiBold
                width: parent.width - 24
                wrapMode: Text.Wrap
                Accessible.role: Accessible.Heading
            }
        }
        Label {
            visible: root.pair.comparable
            text: root.pair.detail
            level: 2
            width: parent.width
            wrapMode: Text.Wrap
            lineHeight: 1.2
        }
        Notice {
            visible: !root.pair.comparable
            width: parent.width
            meaning: "worse"
            title: qsTr("Not compared")
            text: root.pair.detail
        }
        Item {
            width: parent.width
            height: Math.round(92 * Theme.scale)
            visible: root.pair.samplesA.length > 0 || root.pair.samplesB.length > 0

            LatencyPlot {
                id: plot

                width: parent.width - values.width - 8
                height: parent.height
                a: root.pair.samplesA
                b: root.pair.samplesB
                estimateA: root.pair.estimateA
                estimateB: root.pair.estimate
                Accessible.role: Accessible.Graphic
                Accessible.name: qsTr("Latency of A %1, of B %2").arg(root.pair.latencyA).arg(root.pair.latencyB)
            }
            Item {
                id: values

                anchors.right: parent.right
                width: Math.round(96 * Theme.scale)
                height: parent.height

                Repeater {
                    model: 2

                    Column {
                        id: value

                        required property int index
                        readonly property bool estimate: value.index === 0 ? root.pair.estimateA : root.pair.estimate

                        width: values.width
                        y: (plot.height > 0 ? plot.rowCenter(value.index) : 0) - height / 2

                        Label {
                            width: parent.width
                            horizontalAlignment: Text.AlignRight
                            text: value.index === 0 ? root.pair.latencyA : root.pair.latencyB
                            weight: Font.DemiBold
                            font.italic: value.estimate
                            color: value.estimate ? Theme.estimate : Theme.text
                        }
                        Label {
                            width: parent.width
                            horizontalAlignment: Text.AlignRight
                            text: value.index === 0 ? root.pair.spreadA : root.pair.spreadB
                            size: Theme.smallSize
                            level: 2
                            visible: text !== ""
                        }
                    }
                }
            }
        }
    }
}
