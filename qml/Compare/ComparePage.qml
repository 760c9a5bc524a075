// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Any two attempts side by side: the source with its changes, and what became of latency and profile, in words.
FocusScope {
    id: root

    readonly property bool narrow: root.width < 1010 * Theme.scale ///< unified, deltas below
    readonly property bool chosen: Session.compareA !== 0 && Session.compareB !== 0
    readonly property real sideWidth: Math.round(Math.min(440, Math.max(392, root.width * 0.285)) * Theme.scale)
    property int layoutChoice: 0 ///< 0 by the width, 1 side by side, 2 unified
    readonly property bool unified: root.layoutChoice === 0 ? root.narrow : root.layoutChoice === 2

    function choose(right: bool, index: int) {
        pane.fresh = true;
        pair.choose(right, index);
    }
    function nextPair(step: int) {
        pane.fresh = true;
        pair.nextPair(step);
    }
    function swap() {
        pane.keepPlace(() => pair.swap());
    }
    function toggleUnified() {
        // What the width would choose anyway is no choice: it follows the width again.
        const wanted = !root.unified;
        root.layoutChoice = wanted === root.narrow ? 0 : wanted ? 2 : 1;
        Session.setViewState("compare", "layout", root.layoutChoice);
    }
    function toggleWrap() {
        pane.keepPlace(() => pane.wrap = !pane.wrap);
        pane.keep = -1;
        Session.setViewState("compare", "wrap", pane.wrap);
    }

    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Compare")

    CompareController {
        id: pair
    }
    Connections {
        target: Session

        property double lastA: 0
        property double lastB: 0

        function onPlaceChanged() {
            // The same pair the other way round keeps its place; any other pair starts at its first change.
            if ((Session.compareA !== lastA || Session.compareB !== lastB) && !(Session.compareA === lastB && Session.compareB === lastA))
                pane.fresh = true;
            lastA = Session.compareA;
            lastB = Session.compareB;
        }
    }
    onUnifiedChanged: pane.keepPlace(() => pair.diff.unified = root.unified)
    Component.onCompleted: {
        pair.diff.unified = root.unified;
        root.layoutChoice = Session.viewState("compare", "layout", 0);
        pane.wrap = Session.viewState("compare", "wrap", false);
        pair.ignoreSpace = Session.viewState("compare", "ignoreSpace", false);
        pair.metrics.differencesOnly = Session.viewState("compare", "differencesOnly", true);
    }

    Command {
        id: nextCommand

        commandId: "compare.next"
        text: qsTr("Next change")
        icon: "cdown"
        shortcut: "N"
        alternative: "F7"
        page: "compare"
        enabled: pair.diff.changes > 0
        onTriggered: pane.next(1)
    }
    Command {
        id: previousCommand

        commandId: "compare.previous"
        text: qsTr("Previous change")
        icon: "cup"
        shortcut: "Shift+N"
        alternative: "Shift+F7"
        page: "compare"
        enabled: pair.diff.changes > 0
        onTriggered: pane.next(-1)
    }
    Command {
        id: swapCommand

        commandId: "compare.swap"
        text: qsTr("Swap A and B")
        icon: "swap"
        shortcut: "S"
        page: "compare"
        enabled: root.chosen
        onTriggered: root.swap()
    }
    Command {
        commandId: "compare.unified"
        text: root.unified ? qsTr("Show side by side") : qsTr("Show unified")
        icon: "unified"
        shortcut: "U"
        page: "compare"
        onTriggered: root.toggleUnified()
    }
    Command {
        id: wrapCommand

        commandId: "compare.wrap"
        text: pane.wrap ? qsTr("Do not wrap lines") : qsTr("Wrap lines")
        icon: "wrap"
        shortcut: "W"
        page: "compare"
        onTriggered: root.toggleWrap()
    }
    Command {
        id: spaceCommand

        commandId: "compare.space"
        text: pair.ignoreSpace ? qsTr("Show changes in white space") : qsTr("Ignore changes in white space")
        icon: "check"
        shortcut: "I"
        page: "compare"
        onTriggered: {
            pane.keepPlace(() => pair.ignoreSpace = !pair.ignoreSpace);
            Session.setViewState("compare", "ignoreSpace", pair.ignoreSpace);
        }
    }
    Command {
        id: wholeCommand

        commandId: "compare.whole"
        text: pair.diff.wholeFile ? qsTr("Fold what is the same") : qsTr("Show the whole file")
        icon: "expand"
        shortcut: "F"
        page: "compare"
        onTriggered: pane.keepPlace(() => pair.diff.wholeFile = !pair.diff.wholeFile)
    }
    Command {
        commandId: "compare.differences"
        text: pair.metrics.differencesOnly ? qsTr("Show all of the profile") : qsTr("Show only what differs in the profile")
        icon: "filter"
        shortcut: "M"
        page: "compare"
        onTriggered: {
            profileCard.toggle();
            Session.setViewState("compare", "differencesOnly", pair.metrics.differencesOnly);
        }
    }
    Command {
        commandId: "compare.nextPair"
        text: qsTr("Next attempt against A")
        icon: "cdown"
        shortcut: "Alt+Down"
        page: "compare"
        enabled: root.chosen
        onTriggered: root.nextPair(1)
    }
    Command {
        commandId: "compare.previousPair"
        text: qsTr("Previous attempt against A")
        icon: "cup"
        shortcut: "Alt+Up"
        page: "compare"
        enabled: root.chosen
        onTriggered: root.nextPair(-1)
    }
    Command {
        commandId: "compare.copy"
        text: pane.rightSide ? qsTr("Copy the change's lines of B") : qsTr("Copy the change's lines of A")
        icon: "copy"
        shortcut: "Ctrl+C"
        page: "compare"
        enabled: pane.change >= 0
        onTriggered: Session.copyToClipboard(pair.diff.changeText(pane.change, pane.rightSide), pane.rightSide ? qsTr("Change of B") : qsTr("Change of A"))
    }
    Command {
        commandId: "compare.copyA"
        text: qsTr("Copy the source of A")
        icon: "copy"
        page: "compare"
        enabled: root.chosen
        onTriggered: pair.copySide(false)
    }
    Command {
        commandId: "compare.copyB"
        text: qsTr("Copy the source of B")
        icon: "copy"
        page: "compare"
        enabled: root.chosen
        onTriggered: pair.copySide(true)
    }

    Item {
        id: page

        x: 16
        width: parent.width - 32
        height: parent.height - 12

        PageHead {
            id: head

            title: qsTr("Compare")
            note: !root.chosen ? "" : pair.ready ? pair.problem : pair.loading ? qsTr("loading") : ""

            Segmented {
                visible: root.chosen
                name: qsTr("Layout")
                options: [qsTr("Side by side"), qsTr("Unified")]
                currentIndex: root.unified ? 1 : 0
                onChosen: root.toggleUnified()
            }
            ToggleButton {
                visible: root.chosen
                iconName: "wrap"
                text: qsTr("Wrap")
                shortcut: root.narrow ? "" : wrapCommand.sequence
                on: pane.wrap
                onClicked: Commands.trigger("compare.wrap")
            }
            ToggleButton {
                visible: root.chosen
                iconName: "split"
                text: qsTr("Ignore space")
                shortcut: root.narrow ? "" : spaceCommand.sequence
                on: pair.ignoreSpace
                onClicked: Commands.trigger("compare.space")
            }
            ToggleButton {
                visible: root.chosen
                iconName: "expand"
                text: qsTr("Whole file")
                shortcut: root.narrow ? "" : wholeCommand.sequence
                on: pair.diff.wholeFile
                onClicked: Commands.trigger("compare.whole")
            }
            Row {
                visible: root.chosen

                IconButton {
                    iconName: "cup"
                    text: qsTr("Previous change")
                    shortcut: previousCommand.sequence
                    enabled: pair.diff.changes > 0
                    onClicked: pane.next(-1)
                }
                IconButton {
                    iconName: "cdown"
                    text: qsTr("Next change")
                    shortcut: nextCommand.sequence
                    enabled: pair.diff.changes > 0
                    onClicked: pane.next(1)
                }
                Label {
                    height: parent.height
                    leftPadding: 6
                    width: Math.round((root.narrow ? 66 : 100) * Theme.scale)
                    text: !pair.ready ? "" : pair.diff.changes === 0 ? qsTr("no change") : pane.change < 0 ? qsTr("%n change(s)", "", pair.diff.changes) : (root.narrow ? qsTr("%1 of %2") : qsTr("change %1 of %2")).arg(pane.change + 1).arg(pair.diff.changes)
                    level: 2
                }
            }
            Button {
                visible: root.chosen
                iconName: "copy"
                text: root.narrow ? qsTr("Patch") : qsTr("Copy patch")
                tip: qsTr("Copy the change from A to B as a patch for git apply")
                enabled: pair.ready && pair.diff.changes > 0
                onClicked: pair.copyPatch()
            }
        }
        EmptyState {
            visible: !root.chosen
            anchors.centerIn: parent
            iconName: "compare"
            title: qsTr("Two attempts side by side")
            text: Session.hasRun ? qsTr("Choose a pair to see every changed line, and beside it what became of the latency and the profile. Tick two rows in Candidates and press C, or start with the best kernel against its baseline.") : qsTr("Once a run has made attempts, any two of them can be compared here: every changed line, and beside it what became of the latency and the profile.")
            actionText: Session.hasRun ? qsTr("Compare best with baseline") : qsTr("Set up a run")
            actionIcon: Session.hasRun ? "compare" : "run"
            actionShortcut: Session.hasRun ? Commands.shortcutOf("compare.best") : ""
            onAction: {
                if (Session.hasRun)
                    Session.compareBestWithBaseline("");
                else
                    Session.go("run");
            }
        }
        Item {
            id: content

            visible: root.chosen
            y: Theme.pageHeadHeight
            width: parent.width
            height: parent.height - y
            readonly property real stripHeight: Math.round(218 * Theme.scale)

            Card {
                id: diffCard

                focus: true
                width: root.narrow ? content.width : content.width - root.sideWidth - 12
                height: root.narrow ? content.height - content.stripHeight - 12 : content.height
                padding: 0
                busy: pair.loading
                error: pair.error
                onRetry: pair.reload()

                Item {
                    id: sideHeads

                    x: 1
                    y: 1
                    width: parent.width - 2
                    height: Math.round(36 * Theme.scale)
                    readonly property bool tight: width < (root.narrow ? 1000 : 900) * Theme.scale
                    readonly property real middle: Math.floor((width - 15) / 2)

                    SideHead {
                        x: 12
                        width: sideHeads.middle - 12 - 24
                        height: parent.height
                        letter: "A"
                        tight: sideHeads.tight
                        name: pair.nameA
                        commit: pair.commitA
                        latency: pair.latencyA
                        fraction: pair.fractionA
                        estimate: pair.estimateA
                        choices: pair.choices
                        choice: pair.choiceA
                        onChosen: (index) => root.choose(false, index)
                    }
                    SideHead {
                        x: sideHeads.middle + 24
                        width: parent.width - x - 12
                        height: parent.height
                        letter: "B"
                        tight: sideHeads.tight
                        filled: true
                        name: pair.nameB
                        commit: pair.commitB
                        latency: pair.latencyB
                        fraction: pair.fractionB
                        estimate: pair.estimate
                        choices: pair.choices
                        choice: pair.choiceB
                        onChosen: (index) => root.choose(true, index)
                    }
                    HLine {
                        anchors.bottom: parent.bottom
                        width: parent.width
                    }
                    IconButton {
                        x: sideHeads.middle - width / 2
                        anchors.verticalCenter: parent.verticalCenter
                        iconName: "swap"
                        text: qsTr("Swap A and B")
                        shortcut: swapCommand.sequence
                        onClicked: root.swap()

                        Rectangle {
                            anchors.fill: parent
                            radius: width / 2
                            color: "transparent"
                            border.color: Theme.lineStrong
                            z: -1
                        }
                    }
                }
                Notice {
                    id: kernelNote

                    visible: pair.kernelNote !== ""
                    x: 12
                    y: sideHeads.height + 8
                    width: parent.width - 24
                    title: pair.kernelNote
                }
                DiffPane {
                    id: pane

                    x: 1
                    y: sideHeads.height + 1 + (kernelNote.visible ? kernelNote.height + 16 : 0)
                    width: parent.width - 2
                    height: parent.height - y - 1
                    focus: true
                    diff: pair.diff
                }
            }
            VerdictCard {
                id: verdictCard

                x: root.narrow ? 0 : diffCard.width + 12
                y: root.narrow ? diffCard.height + 12 : 0
                width: root.narrow ? Math.floor((content.width - 24) * 0.31) : root.sideWidth
                height: root.narrow ? content.stripHeight : implicitHeight
                pair: pair
                visible: pair.ready
            }
            ProfileCard {
                id: profileCard

                x: root.narrow ? verdictCard.width + 12 : verdictCard.x
                y: root.narrow ? verdictCard.y : verdictCard.height + 12
                width: root.narrow ? content.width - x - roofCard.width - 12 : root.sideWidth
                height: root.narrow ? content.stripHeight : content.height - y - roofCard.height - 12
                pair: pair
                visible: pair.ready
            }
            RooflineCard {
                id: roofCard

                x: root.narrow ? content.width - width : verdictCard.x
                y: root.narrow ? verdictCard.y : content.height - height
                width: root.narrow ? Math.floor((content.width - 24) * 0.25) : root.sideWidth
                height: root.narrow ? content.stripHeight : Math.round(Math.min(228, Math.max(150, content.height * 0.28)) * Theme.scale)
                pair: pair
                visible: pair.ready
            }
        }
    }
}
