// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// Settings of a run before it starts: presets, search, problems, models by role, target and budgets, and the estimate.
FocusScope {
    id: root

    readonly property bool narrow: root.width < 1100 * Theme.scale

    Command {
        commandId: "run.start"
        text: qsTr("Start run")
        icon: "playfill"
        shortcut: "Ctrl+Return"
        page: "run"
        enabled: root.visible && RunEditor.problem === "" && !Session.runActive
        onTriggered: RunEditor.start()
    }
    Command {
        commandId: "run.preset.quick"
        text: qsTr("Preset: quick")
        icon: "zap"
        shortcut: "1"
        page: "run"
        onTriggered: RunEditor.choosePreset(0)
    }
    Command {
        commandId: "run.preset.paper"
        text: qsTr("Preset: standard")
        icon: "reference"
        shortcut: "2"
        page: "run"
        onTriggered: RunEditor.choosePreset(1)
    }
    Command {
        commandId: "run.preset.smoke"
        text: qsTr("Preset: smoke")
        icon: "check"
        shortcut: "3"
        page: "run"
        onTriggered: RunEditor.choosePreset(2)
    }

    PageHead {
        id: head

        x: 16
        width: parent.width - 32
        title: qsTr("New run")
        note: qsTr("settings are frozen into the run when it starts")

        Button {
            visible: Session.hasRun
            text: qsTr("Copy from %1").arg(RunFigures.runName)
            iconName: "clock"
            kind: Button.Ghost
            onClicked: RunEditor.copyFrom(Session.run)
        }
        Button {
            visible: Session.hasRun
            text: qsTr("Back to the run")
            iconName: "cleft"
            kind: Button.Ghost
            onClicked: RunEditor.editing = false
        }
    }

    Flickable {
        id: flick

        x: 16
        y: head.height
        width: parent.width - 32 - (root.narrow ? 0 : estimate.width + 12)
        height: parent.height - y - (root.narrow ? foot.height + 8 : 16)
        contentHeight: form.height
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollMark {}

        Column {
            id: form

            width: flick.width
            spacing: 12

            Row {
                id: presets

                readonly property real part: (width - 36) / 4

                width: parent.width
                spacing: 12

                PresetCard {
                    preset: 0
                    width: presets.part
                    title: qsTr("Quick")
                    numbers: RunEditor.presetText(0)
                    volume: qsTr("%1 attempts").arg(Format.count(RunEditor.tickedProblems >= 0 ? RunEditor.presetAttempts(0) : 0))
                    chosen: RunEditor.preset === 0
                    focus: true
                    onClicked: RunEditor.choosePreset(0)
                }
                PresetCard {
                    preset: 1
                    width: presets.part
                    title: qsTr("Standard")
                    note: qsTr("paper")
                    numbers: RunEditor.presetText(1)
                    volume: qsTr("%1 attempts").arg(Format.count(RunEditor.tickedProblems >= 0 ? RunEditor.presetAttempts(1) : 0))
                    chosen: RunEditor.preset === 1
                    onClicked: RunEditor.choosePreset(1)
                }
                PresetCard {
                    preset: 2
                    width: presets.part
                    title: qsTr("Smoke")
                    numbers: RunEditor.presetText(2)
                    volume: qsTr("%1 attempts").arg(Format.count(RunEditor.tickedProblems >= 0 ? RunEditor.presetAttempts(2) : 0))
                    chosen: RunEditor.preset === 2
                    onClicked: RunEditor.choosePreset(2)
                }
                PresetCard {
                    preset: 3
                    width: presets.part
                    title: qsTr("Custom")
                    numbers: RunEditor.preset === 3 ? qsTr("your own numbers") : qsTr("change any number below")
                    volume: RunEditor.preset === 3 ? qsTr("%1 attempts").arg(Format.count(RunEditor.executorCalls)) : ""
                    chosen: RunEditor.preset === 3
                    onClicked: iterationsField.forceActiveFocus(Qt.TabFocusReason)
                }
            }

            Flow {
                id: cards

                readonly property real part: root.narrow && width < 700 ? width : (width - 12) / 2

                width: parent.width
                spacing: 12

                Card {
                    id: search

                    width: cards.part
                    height: Math.max(headHeight + searchForm.height + 16, problemCard.wanted)
                    title: qsTr("Search")

                    Column {
                        id: searchForm

                        width: parent.width

                        FormRow {
                            text: qsTr("Iterations")
                            letter: "T"

                            NumberField {
                                id: iterationsField

                                name: qsTr("Iterations")
                                from: 1
                                to: 1000
                                value: RunEditor.iterations
                                onEdited: (value) => RunEditor.iterations = value
                            }
                        }
                        FormRow {
                            text: qsTr("Beam")
                            letter: "B"

                            NumberField {
                                name: qsTr("Beam")
                                from: 1
                                to: 64
                                value: RunEditor.beam
                                onEdited: (value) => RunEditor.beam = value
                            }
                        }
                        FormRow {
                            text: qsTr("Plans per candidate")
                            letter: "N"

                            NumberField {
                                name: qsTr("Plans per candidate")
                                from: 1
                                to: 200
                                value: RunEditor.plans
                                onEdited: (value) => RunEditor.plans = value
                            }
                        }
                        FormRow {
                            text: qsTr("Attempts per plan")
                            letter: "K"

                            NumberField {
                                name: qsTr("Attempts per plan")
                                from: 1
                                to: 50
                                value: RunEditor.attempts
                                onEdited: (value) => RunEditor.attempts = value
                            }
                        }
                        FormRow {
                            text: qsTr("Fixer rounds")
                            letter: "F"

                            NumberField {
                                name: qsTr("Fixer rounds")
                                from: 0
                                to: 8
                                value: RunEditor.fixerRounds
                                onEdited: (value) => RunEditor.fixerRounds = value
                            }
                        }
                        HLine {}
                        FormRow {
                            text: qsTr("Selection")

                            Segmented {
                                name: qsTr("Selection policy")
                                options: [qsTr("Elitist"), qsTr("Paper"), qsTr("Upstream")]
                                currentIndex: RunEditor.selection
                                onChosen: (index) => RunEditor.selection = index
                            }
                        }
                        Label {
                            width: parent.width
                            height: Math.round(24 * Theme.scale)
                            text: RunEditor.selectionText
                            level: 3
                        }
                        Check {
                            text: qsTr("Prompts as in the paper, without the additions")
                            checked: RunEditor.paperPrompts
                            onToggled: RunEditor.paperPrompts = checked
                        }
                    }
                }
                Card {
                    id: problemCard

                    readonly property real wanted: headHeight + problemList.contentHeight + 16

                    width: cards.part
                    height: search.height
                    title: qsTr("Problems")
                    note: qsTr("%1 of %2").arg(RunEditor.tickedProblems).arg(problemList.count)
                    actions: [
                        Button {
                            small: true
                            kind: Button.Ghost
                            text: RunEditor.tickedProblems === problemList.count ? qsTr("None") : qsTr("All")
                            onClicked: RunEditor.problems.tickAll(RunEditor.tickedProblems !== problemList.count)
                        },
                        Button {
                            small: true
                            kind: Button.Ghost
                            iconName: "sort"
                            text: qsTr("Headroom")
                            onClicked: RunEditor.problems.sortByHeadroom()
                        }
                    ]

                    ListView {
                        id: problemList

                        anchors.fill: parent
                        clip: true
                        interactive: contentHeight > height
                        boundsBehavior: Flickable.StopAtBounds
                        model: RunEditor.problems
                        T.ScrollBar.vertical: ScrollMark {}
                        Accessible.role: Accessible.List
                        Accessible.name: qsTr("Problems of the run")

                        delegate: Item {
                            id: problemRow

                            required property int index
                            required property string name
                            required property double fraction
                            required property bool estimate
                            required property bool ticked

                            width: problemList.width
                            height: Math.round(25 * Theme.scale)

                            Check {
                                width: Math.round(parent.width * 0.44)
                                height: parent.height
                                text: problemRow.name
                                checked: problemRow.ticked
                                onToggled: RunEditor.problems.tick(problemRow.index, checked)
                            }
                            PeakBar {
                                visible: problemRow.fraction > 0
                                x: Math.round(parent.width * 0.46)
                                width: Math.round(parent.width * 0.36)
                                height: 16
                                anchors.verticalCenter: parent.verticalCenter
                                before: problemRow.fraction
                                best: problemRow.fraction
                            }
                            Label {
                                anchors.right: parent.right
                                height: parent.height
                                level: problemRow.fraction > 0 ? 2 : 3
                                font.italic: problemRow.estimate
                                text: problemRow.fraction > 0 ? Format.fraction(problemRow.fraction, problemRow.estimate) : qsTr("not evaluated yet")
                            }
                        }
                    }
                }
                Card {
                    id: modelCard

                    width: cards.part
                    height: Math.max(headHeight + modelForm.height + 16, budgetCard.wanted)
                    title: qsTr("Models by role")
                    note: qsTr("in / out, per million tokens")

                    Column {
                        id: modelForm

                        width: parent.width

                        Repeater {
                            model: [qsTr("Planner"), qsTr("Executor"), qsTr("Fixer"), qsTr("Summarizer")]

                            ModelRow {
                                required property string modelData
                                required property int index

                                text: modelData
                                role: index
                            }
                        }
                        HLine {}
                        FormRow {
                            text: qsTr("Memory")
                            letter: RunEditor.useMemory ? qsTr("keep %1, add up to %2 per iteration").arg(RunEditor.memoryCapacity).arg(RunEditor.topK) : ""

                            Select {
                                width: 132
                                name: qsTr("Memory")
                                options: [qsTr("per problem"), qsTr("shared"), qsTr("off")]
                                currentIndex: !RunEditor.useMemory ? 2 : RunEditor.memoryScope
                                onChosen: (index) => {
                                    RunEditor.useMemory = index < 2;
                                    if (index < 2)
                                        RunEditor.memoryScope = index;
                                }
                            }
                        }
                        FormRow {
                            text: qsTr("Notable from")
                            letter: qsTr("faster, slower")

                            NumberField {
                                width: 72
                                name: qsTr("Faster by")
                                unit: "×"
                                decimals: 2
                                step: 0.01
                                from: 1
                                to: 10
                                value: RunEditor.positiveThreshold
                                onEdited: (value) => RunEditor.positiveThreshold = value
                            }
                            NumberField {
                                width: 72
                                name: qsTr("Slower by")
                                unit: "×"
                                decimals: 2
                                step: 0.01
                                from: 1
                                to: 10
                                value: RunEditor.negativeThreshold
                                onEdited: (value) => RunEditor.negativeThreshold = value
                            }
                        }
                    }
                }
                Card {
                    id: budgetCard

                    readonly property real wanted: headHeight + budgetForm.height + 16

                    width: cards.part
                    height: modelCard.height
                    title: qsTr("Host, target and budgets")

                    Column {
                        id: budgetForm

                        width: parent.width

                        FormRow {
                            text: qsTr("Host")

                            Tag {
                                meaning: "estimate"
                                iconName: "estimate"
                                text: qsTr("desk simulator, estimates")
                            }
                        }
                        FormRow {
                            text: qsTr("Target")

                            Segmented {
                                name: qsTr("Target")
                                options: RunEditor.targets
                                currentIndex: Math.max(0, RunEditor.targets.indexOf(RunEditor.target))
                                onChosen: (index) => RunEditor.target = RunEditor.targets[index]
                            }
                        }
                        HLine {}
                        Grid {
                            id: budgets

                            readonly property real half: (width - 16) / 2

                            width: parent.width
                            columns: 2
                            columnSpacing: 16

                            FormRow {
                                width: budgets.half
                                text: qsTr("Money")

                                NumberField {
                                    width: 92
                                    name: qsTr("Budget in dollars")
                                    unit: "$"
                                    decimals: 2
                                    zeroIsNoLimit: true
                                    value: RunEditor.budgetUsd
                                    onEdited: (value) => RunEditor.budgetUsd = value
                                }
                            }
                            FormRow {
                                width: budgets.half
                                text: qsTr("Tokens")

                                NumberField {
                                    width: 92
                                    name: qsTr("Budget in millions of tokens")
                                    unit: "M"
                                    decimals: 1
                                    zeroIsNoLimit: true
                                    value: RunEditor.budgetTokens
                                    onEdited: (value) => RunEditor.budgetTokens = value
                                }
                            }
                            FormRow {
                                width: budgets.half
                                text: qsTr("Wall time")

                                NumberField {
                                    width: 92
                                    name: qsTr("Budget in hours")
                                    unit: "h"
                                    decimals: 2
                                    zeroIsNoLimit: true
                                    value: RunEditor.budgetHours
                                    onEdited: (value) => RunEditor.budgetHours = value
                                }
                            }
                            FormRow {
                                width: budgets.half
                                text: qsTr("Device time")

                                NumberField {
                                    width: 92
                                    name: qsTr("Budget in core hours")
                                    unit: qsTr("core h")
                                    decimals: 2
                                    zeroIsNoLimit: true
                                    value: RunEditor.budgetDeviceHours
                                    onEdited: (value) => RunEditor.budgetDeviceHours = value
                                }
                            }
                        }
                        Label {
                            width: parent.width
                            topPadding: 6
                            text: qsTr("Warns at 50, 80 and 95 %. At 100 % no call starts; calls under way finish and count.")
                            level: 3
                            wrapMode: Text.Wrap
                        }
                    }
                }
            }
        }
    }

    EstimateCard {
        id: estimate

        visible: !root.narrow
        anchors.right: parent.right
        anchors.rightMargin: 16
        y: head.height
        width: Math.round(Math.min(364, 300 * Theme.scale))
        height: parent.height - y - 16
    }
    Rectangle {
        id: foot

        visible: root.narrow
        anchors.bottom: parent.bottom
        width: parent.width
        height: visible ? Math.round(56 * Theme.scale) : 0
        color: Theme.panel

        HLine {
            width: parent.width
        }
        Row {
            x: 16
            height: parent.height
            spacing: 16

            Label {
                text: RunEditor.costKnown ? "≈\u00a0" + Format.money(RunEditor.cost) : "?"
                size: Theme.cardFigureSize
                weight: Font.DemiBold
                height: parent.height
            }
            Label {
                text: qsTr("%1 model calls, %2 evaluations at most").arg(Format.count(RunEditor.plannerCalls + RunEditor.executorCalls + RunEditor.fixerCalls + RunEditor.summarizerCalls)).arg(Format.count(RunEditor.evaluations))
                level: 2
                height: parent.height
            }
            Label {
                visible: RunEditor.problem !== ""
                text: RunEditor.problem
                color: Theme.failed
                height: parent.height
            }
        }
        StartButton {
            anchors.right: parent.right
            anchors.rightMargin: 16
            anchors.verticalCenter: parent.verticalCenter
        }
    }
}
