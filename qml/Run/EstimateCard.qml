// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// What a run will ask for, with the formula, before it starts.
Card {
    id: root

    title: qsTr("Estimate")
    note: qsTr("upper bounds")

    component Pair: Item {
        id: pair

        property string name
        property string value
        property string end: ""

        width: parent ? parent.width : 200
        height: Math.round(22 * Theme.scale)

        Label {
            height: parent.height
            text: pair.name
            level: 2
        }
        Label {
            anchors.right: parent.right
            anchors.rightMargin: pair.end === "" ? 0 : 74
            height: parent.height
            text: pair.value
            level: 2
        }
        Label {
            anchors.right: parent.right
            height: parent.height
            text: pair.end
        }
    }
    component Head: Column {
        id: headBlock

        property string name
        property string figure
        property string note: ""

        width: parent ? parent.width : 200

        Label {
            text: headBlock.name
            level: 2
            height: Math.round(20 * Theme.scale)
        }
        Row {
            spacing: 8
            height: Math.round(32 * Theme.scale)

            Label {
                text: headBlock.figure
                size: Theme.largeSize
                weight: Font.DemiBold
                height: parent.height
            }
            Label {
                text: headBlock.note
                level: 2
                height: parent.height
                topPadding: 6
            }
        }
    }

    Column {
        width: parent.width
        spacing: 6

        Head {
            name: qsTr("Cost")
            figure: RunEditor.costKnown ? (RunEditor.cost > 0 ? "≈\u00a0" : "") + Format.money(RunEditor.cost) : "?"
            note: !RunEditor.costKnown ? qsTr("a price is unknown") : RunEditor.cost === 0 ? qsTr("the rules cost nothing") : RunEditor.budgetUsd > 0 ? qsTr("budget %1").arg(Format.money(RunEditor.budgetUsd)) : ""
        }
        Meter {
            visible: RunEditor.costKnown && RunEditor.budgetUsd > 0
            width: parent.width
            height: 9
            ticks: true
            spent: RunEditor.budgetUsd > 0 ? RunEditor.cost / RunEditor.budgetUsd : 0
        }
        Tag {
            visible: RunEditor.costKnown && RunEditor.budgetUsd > 0 && RunEditor.cost > RunEditor.budgetUsd
            bare: true
            meaning: "worse"
            iconName: "alert"
            text: qsTr("More than the budget of %1").arg(Format.money(RunEditor.budgetUsd))
        }
        Pair {
            name: qsTr("Executor")
            value: qsTr("%1 calls").arg(Format.count(RunEditor.executorCalls))
        }
        Pair {
            name: qsTr("Planner")
            value: qsTr("%1 calls").arg(Format.count(RunEditor.plannerCalls))
        }
        Pair {
            name: qsTr("Fixer")
            value: qsTr("up to %1 calls").arg(Format.count(RunEditor.fixerCalls))
        }
        Pair {
            name: qsTr("Summarizer")
            value: qsTr("%1 calls").arg(Format.count(RunEditor.summarizerCalls))
        }
        HLine {}
        Head {
            name: qsTr("Evaluations")
            figure: Format.count(RunEditor.evaluations)
            note: qsTr("duplicates repeat none")
        }
        Label {
            width: parent.width
            text: RunEditor.formula
            level: 3
            wrapMode: Text.Wrap
            lineHeight: 1.25
        }
        HLine {
            visible: RunEditor.estimatedSeconds > 0
        }
        Head {
            visible: RunEditor.estimatedSeconds > 0
            name: qsTr("Time")
            figure: "≈\u00a0" + Format.duration(RunEditor.estimatedSeconds >= 60 ? Math.round(RunEditor.estimatedSeconds / 60) * 60 : Math.round(RunEditor.estimatedSeconds))
            note: RunEditor.timeSource
        }
        HLine {}
        Label {
            text: qsTr("Before the start")
            level: 2
            height: Math.round(24 * Theme.scale)
        }
        Tag {
            bare: true
            quiet: true
            meaning: RunEditor.tickedProblems > 0 ? "better" : "failed"
            iconName: RunEditor.tickedProblems > 0 ? "check" : "x"
            text: qsTr("%n problem(s) with reference and baseline", "", RunEditor.tickedProblems)
        }
        Tag {
            bare: true
            quiet: true
            meaning: "better"
            iconName: "check"
            text: qsTr("desk simulator for %1").arg(RunEditor.target)
        }
        Tag {
            bare: true
            quiet: true
            meaning: RunEditor.costKnown && (RunEditor.cost === 0 || RunEditor.budgetUsd > 0) ? "better" : "worse"
            iconName: RunEditor.costKnown && (RunEditor.cost === 0 || RunEditor.budgetUsd > 0) ? "check" : "alert"
            text: RunEditor.cost === 0 && RunEditor.costKnown ? qsTr("no cost, no budget needed") : RunEditor.budgetUsd > 0 ? qsTr("a budget of %1").arg(Format.money(RunEditor.budgetUsd)) : qsTr("no budget set: no limit on cost")
        }
        Label {
            visible: RunEditor.problem !== ""
            width: parent.width
            text: RunEditor.problem
            color: Theme.failed
            wrapMode: Text.Wrap
            topPadding: 6
        }
    }
    StartButton {
        anchors.right: parent.right
        anchors.bottom: parent.bottom
    }
}
