// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// The numbers at the right of a run at work.
Card {
    id: root

    component Figure: Column {
        id: figure

        property string name
        property string value
        property string unit: ""
        property string note: ""

        width: parent ? parent.width : 200
        spacing: 1
        bottomPadding: 8
        Accessible.role: Accessible.StaticText
        Accessible.name: figure.name + ": " + figure.value + " " + figure.unit + ", " + figure.note

        Label {
            text: figure.name
            level: 2
        }
        Row {
            spacing: 6

            Label {
                id: valueLabel

                text: figure.value
                size: Theme.stripSize
                weight: Font.DemiBold
            }
            Label {
                text: figure.unit
                level: 2
                anchors.baseline: valueLabel.baseline
            }
        }
        Label {
            text: figure.note
            visible: text !== ""
            level: 3
            size: Theme.smallSize
            width: parent.width
            wrapMode: Text.Wrap
        }
        HLine {
            width: parent.width
        }
    }

    Flickable {
        anchors.fill: parent
        contentHeight: column.height
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollMark {}

        Column {
            id: column

            width: parent.width
            spacing: 8

            Figure {
                name: qsTr("Throughput")
                value: Format.decimal(RunFigures.attemptsPerMinute, 1)
                unit: qsTr("attempts / min")
                note: qsTr("run average")
            }
            Figure {
                visible: RunFigures.secondsLeft > 0
                name: qsTr("Time left")
                value: "≈\u00a0" + Format.duration(RunFigures.secondsLeft >= 60 ? Math.round(RunFigures.secondsLeft / 60) * 60 : Math.round(RunFigures.secondsLeft))
                note: qsTr("at the pace so far")
            }
            Figure {
                visible: RunFigures.secondsLeft <= 0
                name: qsTr("Time worked")
                value: Format.duration(Math.floor(RunFigures.activeSeconds))
                note: qsTr("over all starts")
            }
            Figure {
                name: qsTr("Cost")
                value: Format.money(RunFigures.cost, RunFigures.costKnown)
                unit: RunFigures.inFlight > 0 ? qsTr("+ %1 in flight").arg(Format.money(RunFigures.inFlight)) : ""
                note: RunFigures.budget > 0 ? qsTr("of %1").arg(Format.money(RunFigures.budget)) : qsTr("%1 calls, %2 tokens").arg(Format.count(RunFigures.calls)).arg(Format.tokens(RunFigures.tokens))
            }
            Figure {
                name: qsTr("Attempts")
                value: Format.count(RunFigures.attempts)
                unit: qsTr("of %1").arg(Format.count(RunFigures.planned))
                note: qsTr("%1 correct, %2 same, %3 failed, %4 estimated only").arg(Format.count(RunFigures.correct)).arg(Format.count(RunFigures.same)).arg(Format.count(RunFigures.failed)).arg(Format.count(RunFigures.skipped))
            }
            Figure {
                visible: RunFigures.pending > 0
                name: qsTr("Evaluations waiting")
                value: Format.count(RunFigures.pending)
            }
            Label {
                text: qsTr("Calls and cost by role")
                level: 2
            }
            Repeater {
                model: RunFigures.roleNames.length

                Item {
                    id: roleLine

                    required property int index

                    width: column.width
                    height: Math.round(18 * Theme.scale)

                    Label {
                        width: 70
                        height: parent.height
                        text: RunFigures.roleNames[roleLine.index] ?? ""
                        size: Theme.smallSize
                        level: 2
                    }
                    Rectangle {
                        x: 72
                        height: 5
                        radius: 1
                        width: Math.max(1, (parent.width - 72 - 92) * (RunFigures.roleShares[roleLine.index] ?? 0))
                        color: Theme.meterSpent
                        anchors.verticalCenter: parent.verticalCenter
                    }
                    Label {
                        anchors.right: costLabel.left
                        anchors.rightMargin: 8
                        height: parent.height
                        text: RunFigures.roleCalls[roleLine.index] ?? ""
                        size: Theme.smallSize
                        level: 2
                    }
                    Label {
                        id: costLabel

                        anchors.right: parent.right
                        height: parent.height
                        text: RunFigures.roleCosts[roleLine.index] ?? ""
                        size: Theme.smallSize
                    }
                }
            }
        }
    }
}
