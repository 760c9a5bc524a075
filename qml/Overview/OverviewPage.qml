// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Problems with fraction of peak before and after, the geomean, the live chart and what changed.
FocusScope {
    id: root

    readonly property bool smallWidth: root.width < 1010 * Theme.scale
    readonly property bool low: root.height < 690 * Theme.scale
    readonly property bool large: root.width > 1700

    signal exportRequested

    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Overview")

    Command {
        commandId: "overview.candidates"
        text: qsTr("Show the candidates of the problem")
        icon: "candidates"
        page: "overview"
        inPalette: false
        enabled: Session.problem !== ""
        onTriggered: Session.showProblem(Session.problem)
    }
    Command {
        commandId: "overview.compare"
        text: qsTr("Compare best with baseline")
        icon: "compare"
        shortcut: "D"
        page: "overview"
        inPalette: false
        onTriggered: Session.compareBestWithBaseline("")
    }
    Command {
        commandId: "overview.measure"
        text: chartModel.showSpeedup ? qsTr("Show fraction of peak") : qsTr("Show speedup")
        icon: "profile"
        shortcut: "S"
        page: "overview"
        onTriggered: chartModel.showSpeedup = !chartModel.showSpeedup
    }

    OverviewChart {
        id: chartModel
    }

    Item {
        id: page

        x: 16
        width: parent.width - 32
        height: parent.height

        PageHead {
            id: head

            title: qsTr("Overview")
            note: !Session.loaded ? qsTr("loading") : Session.hasRun ? qsTr("%n problem(s) on %1, best so far against baseline", "", RunFigures.problems).arg(RunFigures.target) : qsTr("%n problem(s) on %1, no run yet", "", RunFigures.problems).arg(RunFigures.target)

            Tag {
                visible: RunFigures.estimate
                meaning: "estimate"
                iconName: "estimate"
                text: root.smallWidth ? qsTr("estimates") : qsTr("simulator: estimates")
                anchors.verticalCenter: parent?.verticalCenter
            }
            Button {
                text: qsTr("Compare")
                iconName: "compare"
                shortcut: Commands.shortcutOf("overview.compare")
                enabled: Session.hasRun
                visible: !root.smallWidth
                tip: qsTr("Compare the best of the chosen problem with its baseline")
                onClicked: Session.compareBestWithBaseline("")
            }
            Button {
                visible: Session.hasRun
                text: qsTr("Export report")
                iconName: "download"
                shortcut: Commands.shortcutOf("report.export")
                onClicked: Commands.trigger("report.export")
            }
            Button {
                visible: Session.loaded && !Session.hasRun
                text: qsTr("New run")
                iconName: "playfill"
                kind: Button.Primary
                shortcut: Commands.shortcutOf("run.new")
                onClicked: Commands.trigger("run.new")
            }
        }
        Figures {
            id: figures

            visible: Session.hasRun
            y: head.height
            width: parent.width
            height: visible ? implicitHeight : 0
            flat: root.low
        }
        Item {
            id: rest

            y: figures.visible ? figures.y + figures.height + 12 : head.height
            width: parent.width
            height: parent.height - y - 16

            ProblemTable {
                id: table

                width: Math.floor((parent.width - 12) * (root.smallWidth ? 0.61 : root.large ? 0.6 : 0.664))
                height: parent.height
                level: root.smallWidth ? 0 : root.large ? 2 : 1
                focus: true
            }
            ChartCard {
                id: chartCard

                anchors.left: table.right
                anchors.leftMargin: 12
                anchors.right: parent.right
                height: events.visible ? Math.min(560, parent.height - events.height - 12) : parent.height
                title: root.smallWidth ? qsTr("Over iterations") : chartModel.showSpeedup ? qsTr("Best speedup") : qsTr("Best fraction of peak")
                note: Session.runActive ? qsTr("live") : ""
                chartData: chartModel.data
                chart.visible: !chartCard.asTable && Session.hasRun
                chart.peak: chartModel.showSpeedup ? 0 : 1
                chart.peakText: qsTr("peak (roofline)")
                chart.now: Session.runActive || Session.runState === "running" ? chartModel.now : -1
                chart.xMaximum: chartModel.iterations
                chart.xTitle: qsTr("iteration")
                chart.yMaximum: chartModel.showSpeedup ? Math.max(1.1, chartModel.highest * 1.08) : 1.05
                chart.yMinimum: chartModel.showSpeedup ? 0.9 : 0
                chart.yFactor: chartModel.showSpeedup ? 1 : 100
                chart.yUnit: chartModel.showSpeedup ? "×" : "%"
                chart.decimals: chartModel.showSpeedup ? 2 : chartModel.highest < 0.05 ? 1 : 0
                chart.source: Session.projectName + ", " + RunFigures.runName + ", " + RunFigures.savedText
                onSeriesClicked: (name) => {
                    if (RunFigures.problemNames.includes(name))
                        Session.selectProblem(name === Session.problem ? "" : name);
                }

                extra: Segmented {
                    name: qsTr("What the chart shows")
                    options: [qsTr("% of peak"), qsTr("speedup")]
                    currentIndex: chartModel.showSpeedup ? 1 : 0
                    onChosen: (index) => chartModel.showSpeedup = index === 1
                }
                legend: [
                    LegendEntry {
                        visible: RunFigures.problems > 1
                        text: qsTr("geomean")
                        thickness: 2.6
                    },
                    LegendEntry {
                        visible: Session.problem !== ""
                        text: root.smallWidth ? qsTr("selected") : qsTr("selected problem")
                        color: Theme.accent
                        dashed: true
                        thickness: 1.8
                    },
                    LegendEntry {
                        visible: chartModel.others > 0
                        text: root.smallWidth ? qsTr("others") : qsTr("%n other problem(s)", "", chartModel.others)
                        color: Theme.seriesMuted
                    },
                    Repeater {
                        model: chartModel.others > 0 || Session.problem !== "" ? [] : chartModel.names

                        LegendEntry {
                            required property string modelData
                            required property int index

                            visible: modelData !== qsTr("geomean")
                            text: modelData
                            color: Theme.series[index % 8]
                        }
                    }
                ]

                EmptyState {
                    visible: Session.loaded && !Session.hasRun
                    anchors.centerIn: parent
                    iconName: "profile"
                    title: qsTr("The best of each iteration appears here")
                    text: qsTr("Start a run: the baselines are evaluated first, then each iteration adds a point.")
                }
            }
            EventCard {
                id: events

                visible: !root.smallWidth && Session.hasRun
                anchors.left: table.right
                anchors.leftMargin: 12
                anchors.right: parent.right
                anchors.top: chartCard.bottom
                anchors.topMargin: 12
                anchors.bottom: parent.height - chartCard.height > 400 ? parent.bottom : undefined
                height: Math.round(168 * Theme.scale)
            }
        }
    }
}
