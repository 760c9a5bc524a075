// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// What changed in the profile, each row with its verdict in a word.
Card {
    id: root

    required property CompareController pair
    readonly property real nameWidth: Math.round(width * 0.285)
    readonly property real valueWidth: Math.max(Math.round(64 * Theme.scale), Math.round(width * 0.162))
    readonly property real verdictWidth: Math.round(62 * Theme.scale)

    function toggle() {
        root.pair.metrics.differencesOnly = !root.pair.metrics.differencesOnly;
    }

    title: qsTr("Profile")
    note: root.pair.profileNote
    padding: 0
    actions: Check {
        text: qsTr("Differences only")
        checked: root.pair.metrics.differencesOnly
        onToggled: root.toggle()
    }

    component Cell: Label {
        height: parent.height
        horizontalAlignment: Text.AlignRight
    }

    Item {
        id: head

        width: parent.width
        height: Math.round(24 * Theme.scale)

        Cell {
            x: 12
            text: qsTr("Metric")
            horizontalAlignment: Text.AlignLeft
            level: 2
            weight: Font.Medium
        }
        Cell {
            x: root.nameWidth
            width: root.valueWidth
            text: "A"
            level: 2
            weight: Font.Medium
        }
        Cell {
            x: root.nameWidth + root.valueWidth
            width: root.valueWidth
            text: "B"
            level: 2
            weight: Font.Medium
        }
        Cell {
            anchors.right: parent.right
            anchors.rightMargin: 12
            text: qsTr("B against A")
            level: 2
            weight: Font.Medium
        }
        HLine {
            anchors.bottom: parent.bottom
        }
    }
    ListView {
        id: list

        y: head.height
        width: parent.width
        height: parent.height - y - 4
        clip: true
        model: root.pair.metrics
        reuseItems: true
        boundsBehavior: Flickable.StopAtBounds
        activeFocusOnTab: true
        keyNavigationEnabled: true
        highlightFollowsCurrentItem: true
        T.ScrollBar.vertical: ScrollMark {}
        Accessible.role: Accessible.Table
        Accessible.name: qsTr("Profile of B against A")

        delegate: Item {
            id: row

            required property string name
            required property string a
            required property string b
            required property string change
            required property string verdict

            width: list.width
            height: Math.round(26 * Theme.scale)
            Accessible.role: Accessible.Row
            Accessible.name: qsTr("%1: A %2, B %3, %4, %5").arg(row.name).arg(row.a).arg(row.b).arg(row.change).arg(row.verdict)

            Cell {
                x: 12
                width: root.nameWidth - 12
                text: row.name
                horizontalAlignment: Text.AlignLeft
                weight: Font.Medium
            }
            Cell {
                x: root.nameWidth
                width: root.valueWidth
                text: row.a
                level: 2
            }
            Cell {
                x: root.nameWidth + root.valueWidth
                width: root.valueWidth
                text: row.b
                weight: Font.DemiBold
            }
            Cell {
                x: root.nameWidth + 2 * root.valueWidth
                width: row.width - x - root.verdictWidth - 14
                text: row.change.replace(qsTr("points"), qsTr("pts"))
                level: 2
            }
            Row {
                visible: row.verdict !== "" // a difference that is neither good nor bad
                x: row.width - root.verdictWidth - 4
                height: parent.height
                spacing: 4

                Icon {
                    name: row.verdict === "better" ? "up" : row.verdict === "worse" ? "down" : "same"
                    size: 8
                    color: word.color
                    anchors.verticalCenter: parent.verticalCenter
                }
                Label {
                    id: word

                    height: parent.height
                    text: row.verdict
                    color: row.verdict === "better" ? Theme.better : row.verdict === "worse" ? Theme.worse : Theme.neutral
                }
            }
            HLine {
                anchors.bottom: parent.bottom
                opacity: 0.5
            }
        }
        FocusRing {
            control: list
            anchors.margins: 1
        }
    }
    Label {
        visible: list.count === 0
        anchors.horizontalCenter: parent.horizontalCenter
        y: head.height + 14
        width: parent.width - 32
        wrapMode: Text.Wrap
        horizontalAlignment: Text.AlignHCenter
        text: !root.pair.comparable ? qsTr("Only results with the same key are compared.") : root.pair.metrics.differencesOnly ? qsTr("Nothing in the profile differs.") : qsTr("Neither attempt has a profile.")
        level: 3
    }
}
