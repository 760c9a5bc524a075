// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// The row of figure cards: geometric mean, cost, attempts, memory. `flat`: one line, for low windows.
Item {
    id: root

    property bool flat: false
    readonly property bool narrow: root.width < 1020 * Theme.scale
    readonly property real gap: 12
    readonly property real share: root.width - 3 * root.gap

    implicitHeight: Math.round((root.flat ? 64 : 96) * Theme.scale)

    component Caption: Label {
        level: 2
        height: Math.round(18 * Theme.scale)
    }

    Card {
        id: geomean

        width: Math.round(root.share * 0.345)
        height: root.height
        Accessible.name: qsTr("Geometric mean, fraction of peak: %1 to %2").arg(Format.fraction(RunFigures.baseline, RunFigures.estimate)).arg(Format.fraction(RunFigures.best, RunFigures.estimate))

        Caption {
            text: qsTr("Geometric mean, fraction of peak")
            width: parent.width
            visible: !root.flat
        }
        Row {
            y: root.flat ? -4 : Math.round(22 * Theme.scale)
            height: Math.round(34 * Theme.scale)
            spacing: 10

            Label {
                text: Format.fraction(RunFigures.baseline, RunFigures.estimate)
                size: root.narrow ? Theme.stripSize : Theme.cardFigureSize
                level: 2
                font.italic: RunFigures.estimate
                height: parent.height
            }
            Icon {
                name: "arrow"
                size: 16
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: Format.fraction(RunFigures.best, RunFigures.estimate)
                size: root.narrow || root.flat ? Theme.largeSize : Theme.figureSize
                weight: Font.DemiBold
                font.italic: RunFigures.estimate
                height: parent.height
            }
        }
        Column {
            anchors.right: parent.right
            y: root.flat ? -4 : Math.round(26 * Theme.scale)
            spacing: 2
            visible: RunFigures.speedup > 0

            Delta {
                anchors.right: parent.right
                factor: RunFigures.speedup
                suffix: root.narrow ? "" : Format.verdict(RunFigures.speedup) === "better" ? " " + qsTr("faster") : ""
                size: Theme.objectSize
                estimate: RunFigures.estimate
            }
            Label {
                anchors.right: parent.right
                level: 2
                text: root.narrow ? qsTr("%1 of %2").arg(RunFigures.betterProblems).arg(RunFigures.problems) : qsTr("%1, %2 of %3 better").arg(Format.points(RunFigures.best - RunFigures.baseline)).arg(RunFigures.betterProblems).arg(RunFigures.problems)
            }
        }
        PeakBar {
            anchors.bottom: parent.bottom
            anchors.bottomMargin: -6
            width: parent.width
            height: 16
            before: RunFigures.baseline
            best: RunFigures.best
            estimate: RunFigures.estimate
        }
    }
    Card {
        id: cost

        anchors.left: geomean.right
        anchors.leftMargin: root.gap
        width: Math.round(root.share * 0.26)
        height: root.height

        Caption {
            text: qsTr("Cost")
            visible: !root.flat
        }
        Row {
            y: root.flat ? -4 : Math.round(20 * Theme.scale)
            height: Math.round(28 * Theme.scale)
            spacing: 8

            Label {
                text: Format.money(RunFigures.cost, RunFigures.costKnown)
                size: Theme.cardFigureSize
                weight: Font.DemiBold
                height: parent.height
            }
            Label {
                text: !RunFigures.costKnown ? qsTr("a price is unknown") : RunFigures.inFlight > 0 ? qsTr("+ %1 in flight").arg(Format.money(RunFigures.inFlight)) : qsTr("%1 calls").arg(Format.count(RunFigures.calls))
                level: 2
                height: parent.height
            }
        }
        Meter {
            visible: RunFigures.budget > 0
            y: root.flat ? 26 : Math.round(50 * Theme.scale)
            width: parent.width
            height: 9
            ticks: true
            spent: RunFigures.budget > 0 ? RunFigures.cost / RunFigures.budget : 0
            forecast: RunFigures.budget > 0 ? RunFigures.forecast / RunFigures.budget : 0
        }
        Label {
            visible: !root.flat
            anchors.bottom: parent.bottom
            anchors.bottomMargin: -4
            width: parent.width - budgetLabel.width - 8
            text: RunFigures.forecast > 0 ? qsTr("forecast %1").arg("≈\u00a0" + Format.money(Math.round(RunFigures.forecast))) : qsTr("%1 tokens").arg(Format.tokens(RunFigures.tokens))
            level: 2
        }
        Label {
            id: budgetLabel

            visible: !root.flat
            anchors.bottom: parent.bottom
            anchors.bottomMargin: -4
            anchors.right: parent.right
            text: RunFigures.budget > 0 ? qsTr("budget %1").arg(Format.money(RunFigures.budget)) : qsTr("no budget set")
            level: 2
        }
    }
    Card {
        id: attempts

        anchors.left: cost.right
        anchors.leftMargin: root.gap
        width: Math.round(root.share * 0.24)
        height: root.height
        readonly property real part: 100 / Math.max(1, RunFigures.attempts)

        Caption {
            text: qsTr("Attempts")
            visible: !root.flat
        }
        Row {
            y: root.flat ? -4 : Math.round(20 * Theme.scale)
            height: Math.round(28 * Theme.scale)
            spacing: 8

            Label {
                text: Format.count(RunFigures.attempts)
                size: Theme.cardFigureSize
                weight: Font.DemiBold
                height: parent.height
            }
            Label {
                visible: RunFigures.planned > 0
                text: qsTr("of %1").arg(Format.count(RunFigures.planned))
                level: 2
                height: parent.height
            }
        }
        StackBar {
            y: root.flat ? 26 : Math.round(50 * Theme.scale)
            width: parent.width
            height: 8
            parts: [RunFigures.correct, RunFigures.same, RunFigures.skipped, RunFigures.failed, RunFigures.quarantined, RunFigures.pending]
            meanings: ["better", "neutral", "estimate", "failed", "quarantined", "track"]
            Accessible.role: Accessible.Graphic
            Accessible.name: qsTr("%1 correct, %2 same, %3 estimated only, %4 failed, %5 quarantined").arg(RunFigures.correct).arg(RunFigures.same).arg(RunFigures.skipped).arg(RunFigures.failed).arg(RunFigures.quarantined)
        }
        Row {
            visible: !root.flat
            anchors.bottom: parent.bottom
            anchors.bottomMargin: -5
            spacing: 10

            Tag {
                bare: true
                quiet: true
                meaning: "better"
                iconName: "check"
                text: Math.round(RunFigures.correct * attempts.part) + "\u00a0%"
            }
            Tag {
                bare: true
                quiet: true
                meaning: "neutral"
                iconName: "copy"
                text: Math.round(RunFigures.same * attempts.part) + "\u00a0%" + (root.narrow ? "" : " " + qsTr("same"))
            }
            Tag {
                visible: RunFigures.skipped > 0
                bare: true
                quiet: true
                meaning: "estimate"
                iconName: "estimate"
                text: Math.round(RunFigures.skipped * attempts.part) + "\u00a0%"
            }
            Tag {
                bare: true
                quiet: true
                meaning: "failed"
                iconName: "x"
                text: Math.round(RunFigures.failed * attempts.part) + "\u00a0%"
            }
            Tag {
                visible: RunFigures.quarantined > 0
                bare: true
                quiet: true
                meaning: "quarantined"
                iconName: "shield"
                text: Format.count(RunFigures.quarantined)
            }
        }
    }
    Card {
        anchors.left: attempts.right
        anchors.leftMargin: root.gap
        anchors.right: parent.right
        height: root.height

        Caption {
            text: qsTr("Memory")
            visible: !root.flat
        }
        Row {
            y: root.flat ? -4 : Math.round(20 * Theme.scale)
            height: Math.round(28 * Theme.scale)
            spacing: 8

            Label {
                text: Format.count(RunFigures.positive + RunFigures.negative)
                size: Theme.cardFigureSize
                weight: Font.DemiBold
                height: parent.height
            }
            Label {
                text: root.narrow ? qsTr("of %1").arg(Format.count(RunFigures.memoryPlaces)) : qsTr("experiences")
                level: 2
                height: parent.height
            }
        }
        Meter {
            y: root.flat ? 26 : Math.round(50 * Theme.scale)
            width: parent.width
            height: 6
            spent: RunFigures.memoryPlaces > 0 ? RunFigures.positive / Math.max(RunFigures.memoryPlaces, RunFigures.positive + RunFigures.negative) : 0
            forecast: RunFigures.memoryPlaces > 0 ? (RunFigures.positive + RunFigures.negative) / Math.max(RunFigures.memoryPlaces, RunFigures.positive + RunFigures.negative) : 0
        }
        Label {
            visible: !root.flat
            anchors.bottom: parent.bottom
            anchors.bottomMargin: -4
            width: parent.width
            text: root.narrow ? "+\u00a0" + RunFigures.positive + "   −\u00a0" + RunFigures.negative : qsTr("+ %1 positive   − %2 negative").arg(RunFigures.positive).arg(RunFigures.negative)
            level: 2
        }
    }
}
