// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import Qt.labs.qmlmodels
import AccelOpt.Studio
import AccelOpt.Components

/// The cells of the attempts' table, by column.
DelegateChooser {
    id: root

    required property Table table

    DelegateChoice {
        column: CandidateModel.TickColumn

        TableCell {
            id: tickCell

            required property string display

            table: root.table
            Accessible.name: tickCell.ticked ? qsTr("ticked") : qsTr("not ticked")

            Check {
                x: 10
                height: parent.height
                focusPolicy: Qt.NoFocus
                checked: tickCell.ticked
                onClicked: root.table.tick(tickCell.row)
                Accessible.name: qsTr("Tick for comparison")
            }
        }
    }
    DelegateChoice {
        column: CandidateModel.NameColumn

        TableCell {
            required property string display

            table: root.table
            text: display
            weight: Font.Medium
            level: 1
        }
    }
    DelegateChoice {
        column: CandidateModel.LatencyColumn

        TableCell {
            required property string display
            required property bool estimate
            required property bool quarantined

            table: root.table
            text: display
            weight: Font.DemiBold
            level: 1
            italic: estimate
            color: quarantined ? Theme.quarantined : estimate ? Theme.estimate : Theme.text
        }
    }
    DelegateChoice {
        column: CandidateModel.PeakColumn

        TableCell {
            required property string display
            required property bool estimate
            required property bool quarantined

            table: root.table
            text: display
            italic: estimate
            color: quarantined ? Theme.quarantined : estimate ? Theme.estimate : Theme.text2
        }
    }
    DelegateChoice {
        column: CandidateModel.ParentColumn

        FactorCell {
            table: root.table
        }
    }
    DelegateChoice {
        column: CandidateModel.BaselineColumn

        FactorCell {
            table: root.table
        }
    }
    DelegateChoice {
        column: CandidateModel.VerdictColumn

        TableCell {
            id: verdictCell

            required property string verdictState
            required property bool estimate

            table: root.table
            Accessible.name: verdictCell.verdictState

            Tag {
                readonly property bool strong: verdictCell.verdictState === "best" || verdictCell.verdictState === "quarantined"

                x: strong ? 8 : 12
                anchors.verticalCenter: parent.verticalCenter
                bare: !strong
                quiet: verdictCell.verdictState === "correct" || verdictCell.verdictState === "same" || verdictCell.verdictState === "in beam"
                iconName: verdictCell.verdictState === "best" ? "flag" : verdictCell.verdictState === "in beam" ? "dot" : Format.stateIcon(verdictCell.verdictState)
                meaning: verdictCell.verdictState === "best" ? "better" : verdictCell.verdictState === "in beam" ? "neutral" : Format.stateMeaning(verdictCell.verdictState)
                text: verdictCell.verdictState === "best" ? qsTr("best") : verdictCell.verdictState === "in beam" ? qsTr("in beam") : Format.stateText(verdictCell.verdictState)
            }
        }
    }
    DelegateChoice {
        TableCell {
            required property string display

            table: root.table
            text: display
        }
    }
}
