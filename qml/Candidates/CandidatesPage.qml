// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Every attempt of the run: table, lineage, details.
FocusScope {
    id: root

    readonly property bool narrow: root.width < 1010 * Theme.scale ///< details lie over the table, lineage is a tab
    property bool detailShown: false ///< narrow only
    property bool lineageTab: false ///< narrow only
    /// Nothing was tried yet: the table alone says what will be here.
    readonly property bool empty: Session.loaded && (!Session.hasRun || (!candidates.loading && candidates.total === 0))
    property list<double> tickedIds ///< rows move under the ticks, attempts do not
    readonly property real paneWidth: Math.round(Math.min(452, Math.max(392, root.width * 0.36)) * Theme.scale)
    readonly property list<string> verdicts: ["", "correct", "failed", "same", "quarantined"]

    function follow() {
        table.tickedRows = root.tickedIds.map((id) => candidates.rowOf(id)).filter((at) => at >= 0);
        const row = candidates.rowOf(Session.attempt);
        if (row >= 0) {
            if (row !== table.currentRow)
                table.select(row);
        } else if (candidates.count > 0 && Session.attempt === 0) {
            table.select(0);
            Session.selectAttempt(candidates.attemptAt(0));
        } else {
            table.clearCurrent();
        }
    }
    function compareTicked() {
        const rows = Array.from(table.tickedRows).sort((a, b) => a - b);
        if (rows.length === 2)
            Session.compare(candidates.attemptAt(rows[1]), candidates.attemptAt(rows[0]));
        else if (table.currentRow >= 0)
            Session.compareBestWithBaseline(candidates.problemAt(table.currentRow));
    }
    function show(attempt: double) {
        if (attempt === 0)
            return;
        Session.selectAttempt(attempt);
        root.follow();
    }

    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Candidates")

    CandidateModel {
        id: candidates

        active: Session.page === "candidates"
        onCountChanged: Qt.callLater(root.follow) // once the view has its rows
    }
    Connections {
        target: Session

        function onPlaceChanged() {
            if (Session.page !== "candidates")
                return;
            if (Session.problem !== candidates.problem && Session.attempt === 0)
                candidates.problem = Session.problem;
            root.follow();
        }
    }
    Component.onCompleted: {
        const column = Session.viewState("candidates", "sort", CandidateModel.BaselineColumn);
        candidates.sortBy(column, Session.viewState("candidates", "descending", true), false);
        candidates.problem = Session.problem;
        root.follow();
    }

    Command {
        id: compareCommand

        commandId: "candidates.compare"
        text: qsTr("Compare selected candidates")
        icon: "compare"
        shortcut: "C"
        page: "candidates"
        onTriggered: root.compareTicked()
    }
    Command {
        commandId: "candidates.find"
        text: qsTr("Find in candidates")
        icon: "search"
        shortcut: "Ctrl+F"
        alternative: "/"
        page: "candidates"
        inPalette: false
        onTriggered: search.forceActiveFocus(Qt.ShortcutFocusReason)
    }
    Command {
        commandId: "candidates.parent"
        text: qsTr("Go to the parent")
        icon: "cup"
        shortcut: "P"
        page: "candidates"
        onTriggered: root.show(candidates.parentOf(table.currentRow))
    }
    Command {
        commandId: "candidates.child"
        text: qsTr("Go to the best child")
        icon: "cdown"
        shortcut: "H"
        page: "candidates"
        onTriggered: root.show(candidates.bestChildOf(table.currentRow))
    }
    Command {
        commandId: "candidates.copy"
        text: qsTr("Copy the attempt's id")
        icon: "copy"
        shortcut: "Y"
        page: "candidates"
        onTriggered: Session.copyToClipboard(candidates.nameAt(table.currentRow), qsTr("Attempt id"))
    }
    Command {
        commandId: "candidates.failed"
        text: qsTr("Only failed attempts")
        icon: "x"
        shortcut: "Shift+F"
        page: "candidates"
        onTriggered: candidates.verdict = candidates.verdict === "failed" ? "" : "failed"
    }
    Command {
        commandId: "candidates.quarantine"
        text: qsTr("Review quarantine")
        icon: "shield"
        shortcut: "Q"
        page: "candidates"
        onTriggered: candidates.verdict = candidates.verdict === "quarantined" ? "" : "quarantined"
    }
    Repeater {
        model: detail.tabNames.length

        Item {
            id: tabKey

            required property int index

            visible: false

            Command {
                commandId: "candidates.tab" + (tabKey.index + 1)
                text: qsTr("Show %1").arg(detail.tabNames[tabKey.index])
                shortcut: String(tabKey.index + 1)
                page: "candidates"
                inPalette: false
                onTriggered: detail.currentTab = tabKey.index
            }
        }
    }

    Item {
        id: page

        x: 16
        width: parent.width - 32
        height: parent.height - 12

        PageHead {
            id: head

            title: qsTr("Candidates")
            note: root.empty ? qsTr("no attempt yet") : candidates.loading ? qsTr("loading") : candidates.filtered ? qsTr("%1 of %2 attempts").arg(Format.count(candidates.count)).arg(Format.count(candidates.total)) : qsTr("%1 attempts").arg(Format.count(candidates.total))

            IconButton {
                id: columnsButton

                visible: !root.empty
                iconName: "columns"
                text: qsTr("Columns")
                onClicked: columnMenu.open()

                ColumnMenu {
                    id: columnMenu

                    table: table
                    y: columnsButton.height + 2
                    x: columnsButton.width - width
                }
            }
            Button {
                visible: root.narrow && !root.empty
                text: root.lineageTab ? qsTr("Table") : qsTr("Lineage")
                iconName: root.lineageTab ? "candidates" : "tree"
                onClicked: root.lineageTab = !root.lineageTab
            }
            Button {
                visible: !root.empty
                text: table.tickedRows.length === 2 ? qsTr("Compare 2") : qsTr("Compare with baseline")
                iconName: "compare"
                kind: table.tickedRows.length === 2 ? Button.Primary : Button.Secondary
                shortcut: compareCommand.sequence
                enabled: table.tickedRows.length === 2 || table.currentRow >= 0
                tip: qsTr("Tick two attempts with Space to compare them")
                onClicked: root.compareTicked()
            }
        }
        Row {
            id: filters

            y: Theme.pageHeadHeight
            spacing: 8
            enabled: !root.empty

            Field {
                id: search

                width: Math.round((root.narrow ? 170 : 216) * Theme.scale)
                iconName: "search"
                clearable: true
                placeholderText: qsTr("Search plan, author, verdict")
                text: candidates.text
                onTextEdited: candidates.text = search.text
                Keys.onEscapePressed: {
                    candidates.text = "";
                    table.forceActiveFocus(Qt.ShortcutFocusReason);
                }
                Keys.onDownPressed: table.forceActiveFocus(Qt.TabFocusReason)
            }
            Select {
                width: Math.round((root.narrow ? 150 : 190) * Theme.scale)
                label: qsTr("Problem")
                options: [qsTr("all")].concat(candidates.problems)
                currentIndex: candidates.problems.indexOf(candidates.problem) + 1
                onChosen: (index) => {
                    candidates.problem = index === 0 ? "" : candidates.problems[index - 1];
                    Session.selectProblem(candidates.problem);
                }
            }
            Select {
                width: Math.round(124 * Theme.scale)
                label: qsTr("Iteration")
                options: [qsTr("all"), qsTr("baseline")].concat(Array.from({ length: candidates.iterations }, (_, i) => String(i + 1)))
                currentIndex: candidates.iteration + 1
                onChosen: (index) => candidates.iteration = index - 1
            }
            Segmented {
                name: qsTr("Verdict")
                visible: !root.narrow && !root.empty
                options: [qsTr("All %1").arg(Format.count(candidates.allCount)), qsTr("Correct %1").arg(Format.count(candidates.correctCount)), qsTr("Failed %1").arg(Format.count(candidates.failedCount)), qsTr("Same %1").arg(Format.count(candidates.sameCount)), qsTr("Quarantined %1").arg(Format.count(candidates.quarantinedCount))]
                currentIndex: root.verdicts.indexOf(candidates.verdict)
                onChosen: (index) => candidates.verdict = root.verdicts[index]
            }
            Select {
                visible: root.narrow && !root.empty
                width: Math.round(150 * Theme.scale)
                label: qsTr("Verdict")
                options: [qsTr("all"), qsTr("correct"), qsTr("failed"), qsTr("same"), qsTr("quarantined")]
                currentIndex: root.verdicts.indexOf(candidates.verdict)
                onChosen: (index) => candidates.verdict = root.verdicts[index]
            }
            Select {
                visible: root.width > 1180 && !root.empty
                width: Math.round(130 * Theme.scale)
                label: qsTr("Speedup")
                options: [qsTr("any"), qsTr("faster")]
                currentIndex: candidates.fasterOnly ? 1 : 0
                onChosen: (index) => candidates.fasterOnly = index === 1
            }
            Button {
                visible: candidates.filtered
                kind: Button.Ghost
                iconName: "x"
                text: qsTr("Clear")
                onClicked: candidates.clearFilters()
            }
        }
        Item {
            id: content

            y: Theme.pageHeadHeight + Theme.controlHeight + 12
            width: parent.width
            height: parent.height - y
            readonly property real leftWidth: root.narrow || root.empty ? width : width - root.paneWidth - 12
            readonly property real lineageHeight: root.empty ? 0 : root.narrow ? (root.lineageTab ? height : 0) : Math.round(Math.min(height * 0.38, 268 * Theme.scale))

            Card {
                id: tableCard

                focus: true
                width: content.leftWidth
                height: content.height - (root.narrow || root.empty ? 0 : content.lineageHeight + 12)
                visible: !root.narrow || !root.lineageTab
                padding: 0
                error: candidates.error
                onRetry: Session.refresh()

                Table {
                    id: table

                    anchors.fill: parent
                    focus: true
                    name: qsTr("Attempts")
                    model: candidates
                    tickable: true
                    filtered: candidates.filtered
                    filteredText: qsTr("No attempt matches.")
                    loading: candidates.loading
                    sortColumn: candidates.sortColumn
                    sortDescending: candidates.sortDescending
                    onSortRequested: (column, descending, extend) => {
                        candidates.sortBy(column, descending, extend);
                        Session.setViewState("candidates", "sort", candidates.sortColumn);
                        Session.setViewState("candidates", "descending", candidates.sortDescending);
                    }
                    onClearFilters: candidates.clearFilters()
                    onRowsChanged: Qt.callLater(root.follow)
                    onTicked: (rows) => root.tickedIds = rows.map((at) => candidates.attemptAt(at))
                    onCurrentChanged: (row) => Session.selectAttempt(candidates.attemptAt(row))
                    onActivated: (row) => {
                        Session.selectAttempt(candidates.attemptAt(row));
                        if (root.narrow)
                            root.detailShown = true;
                        else
                            detail.forceActiveFocus(Qt.TabFocusReason);
                    }
                    emptyItem: EmptyState {
                        anchors.centerIn: parent
                        iconName: "candidates"
                        title: qsTr("Attempts appear here while a run works")
                        text: qsTr("Each kernel a model writes is one row, whether it won, lost or did not compile. Each is a git commit, so nothing that was tried is lost.")
                        actionText: Session.hasRun ? "" : qsTr("New run")
                        actionIcon: "playfill"
                        actionShortcut: Commands.shortcutOf("run.new")
                        checklist: Session.hasRun ? [] : [RunFigures.problems > 0 ? "+" + qsTr("%n problem(s) with reference and baseline", "", RunFigures.problems) : "!" + qsTr("no problem yet: add one with accelopt problem add")]
                        onAction: Commands.trigger("run.new")
                    }

                    columns: [
                        TableColumn {
                            index: CandidateModel.TickColumn
                            width: 34
                            minimumWidth: 34
                            sortable: false
                            hideable: false
                        },
                        TableColumn {
                            index: CandidateModel.NameColumn
                            title: qsTr("Attempt")
                            width: 116
                            hideable: false
                        },
                        TableColumn {
                            index: CandidateModel.ProblemColumn
                            title: qsTr("Problem")
                            width: 120
                            shown: candidates.problem === "" && candidates.problems.length > 1 && content.leftWidth > 640 * Theme.scale
                        },
                        TableColumn {
                            index: CandidateModel.PlanColumn
                            title: qsTr("Plan")
                            width: 120
                            fill: true
                        },
                        TableColumn {
                            index: CandidateModel.LatencyColumn
                            title: qsTr("Latency, ms")
                            width: 92
                            right: true
                        },
                        TableColumn {
                            index: CandidateModel.PeakColumn
                            title: qsTr("Peak")
                            width: 66
                            right: true
                        },
                        TableColumn {
                            index: CandidateModel.ParentColumn
                            title: qsTr("vs parent")
                            width: 82
                            right: true
                            shown: content.leftWidth > (candidates.problem === "" ? 900 : 640) * Theme.scale
                        },
                        TableColumn {
                            index: CandidateModel.BaselineColumn
                            title: qsTr("vs base")
                            width: 82
                            right: true
                        },
                        TableColumn {
                            index: CandidateModel.VerdictColumn
                            title: qsTr("Verdict")
                            width: 118
                        },
                        TableColumn {
                            index: CandidateModel.AuthorColumn
                            title: qsTr("Author")
                            width: 90
                            shown: content.leftWidth > 1100 * Theme.scale
                        }
                    ]

                    delegate: CandidateCells {
                        table: table
                    }
                }
            }
            Card {
                id: lineageCard

                visible: !root.empty && (!root.narrow || root.lineageTab)
                y: root.narrow ? 0 : tableCard.height + 12
                width: content.leftWidth
                height: root.narrow ? content.height : content.lineageHeight
                padding: 0
                title: qsTr("Lineage")
                note: lineage.hoverText !== "" ? lineage.hoverText : lineage.columns === 0 ? "" : qsTr("of %1; one column per iteration").arg(detail.detail.ready ? detail.detail.name : qsTr("the problem"))
                actions: [
                    Check {
                        id: showFailed

                        text: qsTr("Show failed")
                        checked: true
                    }
                ]

                LineageView {
                    id: lineage

                    anchors.fill: parent
                    anchors.margins: 4
                    problem: detail.detail.problem !== "" ? detail.detail.problem : candidates.problem
                    selected: Session.attempt
                    showFailed: showFailed.checked
                    onChosen: (attempt) => root.show(attempt)
                    Accessible.role: Accessible.Graphic
                    Accessible.name: lineage.summary
                }
                Label {
                    visible: lineage.columns === 0
                    anchors.centerIn: parent
                    text: qsTr("The tree of attempts grows here as the run works.")
                    level: 3
                }
            }
            Rectangle {
                visible: root.narrow && root.detailShown
                anchors.fill: parent
                color: Theme.window
            }
            DetailPane {
                id: detail

                visible: !root.empty && (!root.narrow || root.detailShown)
                x: root.narrow ? 0 : content.leftWidth + 12
                width: root.narrow ? content.width : root.paneWidth
                height: content.height
                attempt: Session.attempt
                closable: root.narrow
                onCloseRequested: {
                    root.detailShown = false;
                    table.forceActiveFocus(Qt.OtherFocusReason);
                }
                onAttemptRequested: (attempt) => root.show(attempt)
            }
        }
    }
}
