// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import Qt.labs.qmlmodels
import AccelOpt.Studio
import AccelOpt.Components

/// The problems of the run: bar, before, best, speedup, state, trend.
Card {
    id: root

    property int level: 1 ///< 0: least columns, 1: as drawn, 2: more

    signal columnsRequested

    title: qsTr("Problems")
    note: problems.sortColumn === ProblemModel.NameColumn ? qsTr("sorted by name") : qsTr("sorted by %1").arg(TableTools.head(problems, problems.sortColumn).toLowerCase())
    padding: 0
    error: Session.readError
    onRetry: Session.refresh()

    actions: [
        Button {
            small: true
            kind: Button.Ghost
            iconName: "sort"
            text: qsTr("Headroom")
            visible: root.level > 0
            tip: qsTr("Most room to the peak first")
            onClicked: {
                grid.sortColumn = ProblemModel.BestColumn;
                grid.sortDescending = false;
                problems.sortBy(ProblemModel.BestColumn, false);
            }
        },
        IconButton {
            id: columnsButton

            iconName: "columns"
            text: qsTr("Columns")
            onClicked: columnMenu.open()

            ColumnMenu {
                id: columnMenu

                table: grid
                y: columnsButton.height + 2
                x: columnsButton.width - width
            }
        }
    ]

    ProblemModel {
        id: problems

        holdOrder: grid.activeFocus || hover.hovered
        onCountChanged: root.follow()
    }

    function follow() {
        const row = problems.rowOf(Session.problem);
        if (row >= 0 && row !== grid.currentRow)
            grid.select(row);
        else if (row < 0)
            grid.clearCurrent();
    }

    Connections {
        target: Session

        function onPlaceChanged() {
            root.follow();
        }
    }
    Component.onCompleted: root.follow()

    HoverHandler {
        id: hover
    }

    Table {
        id: grid

        anchors.fill: parent
        focus: true
        name: root.title
        model: problems
        growRows: true
        loading: !Session.loaded
        sortColumn: problems.sortColumn
        sortDescending: problems.sortDescending
        onSortRequested: (column, descending) => problems.sortBy(column, descending)
        onCurrentChanged: (row) => Session.selectProblem(problems.nameAt(row))
        onActivated: (row) => Session.showProblem(problems.nameAt(row))
        emptyItem: EmptyState {
            anchors.centerIn: parent
            iconName: "kernel"
            title: qsTr("This project has no problem yet")
            text: qsTr("A problem is a reference, a baseline kernel and its shapes. Add one with: accelopt problem add")
        }

        columns: [
            TableColumn {
                index: ProblemModel.NameColumn
                title: qsTr("Problem")
                width: 172
                fill: root.level === 0
                hideable: false
            },
            TableColumn {
                index: ProblemModel.BoundColumn
                title: qsTr("Bound")
                width: 64
                shown: root.level > 0
            },
            TableColumn {
                index: ProblemModel.BarColumn
                title: qsTr("Fraction of peak")
                endTitle: qsTr("peak")
                width: 160
                minimumWidth: 110
                fill: root.level > 0
            },
            TableColumn {
                index: ProblemModel.BeforeColumn
                title: qsTr("Before")
                width: 66
                right: true
                shown: root.level > 0
            },
            TableColumn {
                index: ProblemModel.BestColumn
                title: qsTr("Best")
                width: 66
                right: true
            },
            TableColumn {
                index: ProblemModel.BaselineMsColumn
                title: qsTr("Baseline, ms")
                width: 92
                right: true
                shown: root.level > 1
            },
            TableColumn {
                index: ProblemModel.BestMsColumn
                title: qsTr("Best, ms")
                width: 74
                right: true
                shown: root.level > 0
            },
            TableColumn {
                index: ProblemModel.SpeedupColumn
                title: qsTr("Speedup")
                width: 80
                right: true
            },
            TableColumn {
                index: ProblemModel.StateColumn
                title: qsTr("State")
                width: 90
            },
            TableColumn {
                index: ProblemModel.TrendColumn
                title: qsTr("Trend")
                width: 66
                sortable: false
                shown: root.level > 0
            },
            TableColumn {
                index: ProblemModel.AttemptsColumn
                title: qsTr("Attempts")
                width: 76
                right: true
                shown: root.level > 1
            }
        ]

        delegate: DelegateChooser {
            DelegateChoice {
                column: ProblemModel.NameColumn

                TableCell {
                    required property string display

                    table: grid
                    text: display
                    weight: Font.Medium
                }
            }
            DelegateChoice {
                column: ProblemModel.BarColumn

                TableCell {
                    id: barCell

                    required property string display
                    required property double before
                    required property double best
                    required property bool estimate

                    table: grid
                    Accessible.name: barCell.display

                    PeakBar {
                        x: 12
                        width: parent.width - 20
                        height: 18
                        anchors.verticalCenter: parent.verticalCenter
                        before: barCell.before
                        best: barCell.best
                        estimate: barCell.estimate
                    }
                }
            }
            DelegateChoice {
                column: ProblemModel.BestColumn

                TableCell {
                    required property string display
                    required property bool estimate

                    table: grid
                    text: display
                    weight: Font.DemiBold
                    level: 1
                    italic: estimate
                }
            }
            DelegateChoice {
                column: ProblemModel.SpeedupColumn

                TableCell {
                    id: speedupCell

                    required property string display
                    required property double speedup
                    required property bool estimate

                    table: grid
                    Accessible.name: speedupCell.display

                    Delta {
                        anchors.right: parent.right
                        anchors.rightMargin: 8
                        anchors.verticalCenter: parent.verticalCenter
                        factor: speedupCell.speedup
                        estimate: speedupCell.estimate
                    }
                }
            }
            DelegateChoice {
                column: ProblemModel.StateColumn

                TableCell {
                    id: stateCell

                    required property string state

                    table: grid
                    Accessible.name: Format.stateText(stateCell.state)

                    Tag {
                        x: 12
                        anchors.verticalCenter: parent.verticalCenter
                        bare: true
                        quiet: true
                        iconName: Format.stateIcon(stateCell.state)
                        meaning: Format.stateMeaning(stateCell.state)
                        text: Format.stateText(stateCell.state)
                    }
                }
            }
            DelegateChoice {
                column: ProblemModel.TrendColumn

                TableCell {
                    id: trendCell

                    required property string display
                    required property list<double> trend
                    required property int iterations
                    required property bool estimate

                    table: grid
                    Accessible.name: trendCell.display

                    Spark {
                        x: 8
                        width: parent.width - 12
                        height: 22
                        anchors.verticalCenter: parent.verticalCenter
                        values: trendCell.trend
                        iterations: trendCell.iterations
                        estimate: trendCell.estimate
                    }
                }
            }
            DelegateChoice {
                TableCell {
                    required property string display
                    required property bool estimate

                    table: grid
                    text: display
                    italic: estimate && alignRight
                }
            }
        }
    }
}
