// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// One experience: what it teaches, the pair it comes from, and what can be done with it.
Card {
    id: root

    property bool shown: false
    property string experienceTitle
    property string summary
    property bool positive: true
    property double speedup: 0
    property string problem
    property int iteration: 0
    property int uses: 0
    property string useState
    property bool edited: false
    property double slow: 0
    property double fast: 0
    property string emptyText
    readonly property bool pinned: root.useState === "pinned"
    readonly property bool off: root.useState === "disabled"
    readonly property bool tight: root.width < 540 * Theme.scale

    signal pinRequested
    signal editRequested
    signal disableRequested
    signal removeRequested
    signal originalRequested

    padding: 0
    Accessible.name: qsTr("Experience")

    ExperiencePair {
        id: pair

        slow: root.shown ? root.slow : 0
        fast: root.shown ? root.fast : 0
    }

    Label {
        visible: !root.shown
        anchors.centerIn: parent
        text: root.emptyText
        level: 3
    }
    Flickable {
        id: scroll

        visible: root.shown
        anchors.fill: parent
        anchors.margins: 1
        clip: true
        contentHeight: column.height + 28
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollMark {}

        Column {
            id: column

            x: 14
            y: 12
            width: scroll.width - 28
            spacing: 10

            Item {
                width: parent.width
                height: Math.round(28 * Theme.scale)

                Row {
                    height: parent.height
                    spacing: 8
                    width: parent.width - actions.width - 8
                    clip: true

                    Tag {
                        anchors.verticalCenter: parent.verticalCenter
                        meaning: root.off ? "neutral" : root.positive ? "better" : "worse"
                        iconName: root.positive ? "plus" : "minus"
                        text: (root.positive ? qsTr("positive") : qsTr("negative")) + ", " + Format.speedup(root.speedup)
                    }
                    Label {
                        height: parent.height
                        text: qsTr("%1, iteration %2").arg(root.problem).arg(root.iteration)
                        level: 2
                        width: Math.max(0, parent.width - x)
                    }
                }
                Row {
                    id: actions

                    anchors.right: parent.right
                    spacing: 4

                    Button {
                        kind: Button.Ghost
                        iconName: "pin"
                        text: root.tight ? "" : root.pinned ? qsTr("Unpin") : qsTr("Pin")
                        shortcut: root.tight ? "" : Commands.shortcutOf("memory.pin")
                        tip: root.pinned ? qsTr("Let it leave the memory again when newer ones come") : qsTr("Keep it in the memory whatever comes")
                        Accessible.name: root.pinned ? qsTr("Unpin") : qsTr("Pin")
                        onClicked: root.pinRequested()
                    }
                    Button {
                        kind: Button.Ghost
                        iconName: "edit"
                        text: root.tight ? "" : qsTr("Edit")
                        shortcut: root.tight ? "" : Commands.shortcutOf("memory.edit")
                        Accessible.name: qsTr("Edit")
                        onClicked: root.editRequested()
                    }
                    Button {
                        kind: Button.Ghost
                        iconName: root.off ? "eye" : "eyeoff"
                        text: root.tight ? "" : root.off ? qsTr("Enable") : qsTr("Disable")
                        shortcut: root.tight ? "" : Commands.shortcutOf("memory.disable")
                        tip: root.off ? qsTr("Let prompts use it again") : qsTr("Keep it out of the prompts to come")
                        Accessible.name: root.off ? qsTr("Enable") : qsTr("Disable")
                        onClicked: root.disableRequested()
                    }
                    IconButton {
                        iconName: "trash"
                        text: qsTr("Remove")
                        shortcut: Commands.shortcutOf("memory.remove")
                        onClicked: root.removeRequested()
                    }
                }
            }
            Label {
                width: parent.width
                text: root.experienceTitle
                size: Theme.objectSize
                weight: Font.DemiBold
                wrapMode: Text.Wrap
                Accessible.role: Accessible.Heading
            }
            Label {
                width: Math.min(parent.width, Math.round(680 * Theme.scale))
                text: root.summary
                size: Theme.bodySize
                level: 2
                wrapMode: Text.Wrap
                lineHeight: 1.3
                Accessible.role: Accessible.StaticText
                Accessible.name: root.summary
            }
            Row {
                visible: root.edited
                spacing: 8

                Icon {
                    name: "edit"
                    size: 12
                    anchors.verticalCenter: parent.verticalCenter
                }
                Label {
                    text: qsTr("Edited by you.")
                    level: 3
                    height: original.height
                }
                Button {
                    id: original

                    small: true
                    kind: Button.Ghost
                    text: qsTr("Use the summarizer's text again")
                    onClicked: root.originalRequested()
                }
            }
            Label {
                visible: pair.error !== ""
                width: parent.width
                wrapMode: Text.Wrap
                text: pair.error
                color: Theme.failed
            }
            Item {
                visible: pair.ready
                width: parent.width
                height: root.tight ? slowCard.implicitHeight + fastCard.implicitHeight + 10 : Math.max(slowCard.implicitHeight, fastCard.implicitHeight)

                PairCard {
                    id: slowCard

                    width: root.tight ? parent.width : Math.floor((parent.width - 10) / 2)
                    height: root.tight ? implicitHeight : parent.height
                    name: pair.slowName
                    latency: pair.slowLatency
                    estimate: pair.estimate
                    source: pair.slowSource
                    attempt: root.slow
                }
                PairCard {
                    id: fastCard

                    x: root.tight ? 0 : slowCard.width + 10
                    y: root.tight ? slowCard.height + 10 : 0
                    width: root.tight ? parent.width : parent.width - x
                    height: root.tight ? implicitHeight : parent.height
                    fast: true
                    name: pair.fastName
                    latency: pair.fastLatency
                    estimate: pair.estimate
                    source: pair.fastSource
                    attempt: root.fast
                }
            }
            Item {
                visible: pair.ready
                width: parent.width
                height: Math.round(28 * Theme.scale)

                Label {
                    height: parent.height
                    width: parent.width - compare.width - 8
                    text: pair.otherChanges > 0 ? qsTr("%n more change(s) in the pair", "", pair.otherChanges) : ""
                    level: 3
                }
                Button {
                    id: compare

                    anchors.right: parent.right
                    iconName: "compare"
                    text: qsTr("Open pair in Compare")
                    shortcut: Commands.shortcutOf("memory.compare")
                    onClicked: Session.compare(root.slow, root.fast)
                }
            }
            HLine {
                width: parent.width
            }
            SectionHead {
                text: qsTr("Provenance")
            }
            Row {
                width: parent.width
                spacing: Math.round(32 * Theme.scale)

                Repeater {
                    model: [
                        { "value": Format.count(root.uses), "note": root.uses === 1 ? qsTr("prompt used it") : qsTr("prompts used it") },
                        { "value": Format.speedup(root.speedup), "note": root.positive ? qsTr("what the change brought") : qsTr("what the change cost") },
                        { "value": String(root.iteration), "note": qsTr("iteration of the pair") }
                    ]

                    Column {
                        id: figure

                        required property var modelData

                        Label {
                            text: figure.modelData.value
                            size: Theme.stripSize
                            weight: Font.DemiBold
                        }
                        Label {
                            text: figure.modelData.note
                            level: 2
                        }
                    }
                }
            }
        }
    }
}
