// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// The plan's text, where the attempt comes from, and how long its stages took.
Flickable {
    id: root

    required property AttemptDetail detail

    contentHeight: column.height + 24
    clip: true
    boundsBehavior: Flickable.StopAtBounds
    T.ScrollBar.vertical: ScrollMark {}

    Column {
        id: column

        x: 14
        y: 12
        width: root.width - 28
        spacing: 12

        Label {
            width: parent.width
            visible: text !== ""
            text: root.detail.planTitle
            size: Theme.bodySize
            weight: Font.DemiBold
            wrapMode: Text.Wrap
            Accessible.role: Accessible.Heading
        }
        Text {
            width: parent.width
            text: root.detail.planText !== "" ? root.detail.planText : root.detail.name === "baseline" ? qsTr("The baseline kernel of the problem, as it was added.") : qsTr("No plan is kept for this attempt.")
            color: Theme.text2
            font.family: Theme.sans
            font.pixelSize: Theme.bodySize
            lineHeight: 1.3
            wrapMode: Text.Wrap
            textFormat: Text.PlainText
            Accessible.role: Accessible.StaticText
            Accessible.name: text
        }
        HLine {
            width: parent.width
        }
        Repeater {
            model: Math.floor(root.detail.facts.length / 2)

            Row {
                id: fact

                required property int index

                width: column.width
                spacing: 8

                Label {
                    text: root.detail.facts[2 * fact.index] ?? ""
                    level: 2
                    width: Math.round(160 * Theme.scale)
                }
                Label {
                    text: root.detail.facts[2 * fact.index + 1] ?? ""
                    width: column.width - Math.round(168 * Theme.scale)
                    wrapMode: Text.Wrap
                    maximumLineCount: 3
                }
            }
        }
        HLine {
            width: parent.width
            visible: stages.visible
        }
        Label {
            visible: stages.visible
            text: qsTr("Stages")
            weight: Font.DemiBold
        }
        Column {
            id: stages

            visible: root.detail.stageShares.length > 0
            width: parent.width
            spacing: 4

            Row {
                id: strip

                width: parent.width
                height: 10
                spacing: 1

                Repeater {
                    model: root.detail.stageShares

                    Rectangle {
                        required property double modelData
                        required property int index

                        width: Math.max(2, (strip.width - root.detail.stageShares.length) * modelData)
                        height: strip.height
                        color: (root.detail.stages[2 * index] ?? "") === "timing" ? Theme.accent : Theme.barBase
                    }
                }
            }
            Flow {
                width: parent.width
                spacing: 14

                Repeater {
                    model: Math.floor(root.detail.stages.length / 2)

                    Column {
                        id: stage

                        required property int index

                        Label {
                            text: root.detail.stages[2 * stage.index] ?? ""
                            level: 2
                            size: Theme.smallSize
                        }
                        Label {
                            text: root.detail.stages[2 * stage.index + 1] ?? ""
                            size: Theme.smallSize
                        }
                    }
                }
            }
        }
    }
}
