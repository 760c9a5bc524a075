// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// The run at work: iterations, beam, lanes, log, figures.
FocusScope {
    id: root

    readonly property bool narrow: root.width < 1010 * Theme.scale
    readonly property bool low: root.height < 660 * Theme.scale
    readonly property string shownProblem: Session.problem !== "" && RunFigures.problemNames.includes(Session.problem) ? Session.problem : RunFigures.problemNames.length > 0 ? RunFigures.problemNames[0] : ""
    property int tab: 0 ///< narrow: 0 lanes, 1 log

    function moveProblem(by: int) {
        const names = RunFigures.problemNames;
        if (names.length === 0)
            return;
        const at = names.indexOf(root.shownProblem);
        Session.selectProblem(names[(at + by + names.length) % names.length]);
    }

    Command {
        commandId: "run.problem.previous"
        text: qsTr("Previous problem")
        icon: "cleft"
        shortcut: "["
        page: "run"
        onTriggered: root.moveProblem(-1)
    }
    Command {
        commandId: "run.problem.next"
        text: qsTr("Next problem")
        icon: "cright"
        shortcut: "]"
        page: "run"
        onTriggered: root.moveProblem(1)
    }
    Command {
        commandId: "run.beam"
        text: qsTr("Go to the beam")
        icon: "flag"
        shortcut: "B"
        page: "run"
        onTriggered: beam.focusList()
    }
    Command {
        commandId: "run.lanes"
        text: qsTr("Go to the lanes")
        icon: "profile"
        shortcut: "N"
        page: "run"
        onTriggered: {
            root.tab = 0;
            lanes.forceActiveFocus(Qt.TabFocusReason);
        }
    }
    Command {
        commandId: "run.log"
        text: qsTr("Go to the log")
        icon: "log"
        shortcut: "G"
        page: "run"
        onTriggered: {
            root.tab = 1;
            log.focusList();
        }
    }

    PageHead {
        id: head

        x: 16
        width: parent.width - 32
        title: RunFigures.runName
        note: RunFigures.settingsText + (RunFigures.timeText === "" ? "" : ", " + RunFigures.timeText)

        Button {
            visible: !Session.runActive
            text: qsTr("New run")
            iconName: "settings"
            kind: Button.Ghost
            onClicked: {
                RunEditor.copyFrom(Session.run);
                RunEditor.editing = true;
            }
        }
        Button {
            visible: Session.runActive && Session.runState !== "draining"
            text: Session.runState === "paused" ? qsTr("Resume") : qsTr("Pause")
            iconName: Session.runState === "paused" ? "playfill" : "pause"
            shortcut: Commands.shortcutOf("run.pause")
            onClicked: Session.pauseOrResume()
        }
        Button {
            visible: Session.runActive && !root.narrow
            text: qsTr("Drain")
            iconName: "drain"
            enabled: Session.runState !== "draining"
            tip: qsTr("Starts no new plan; what has begun is finished")
            disabledReason: qsTr("The run drains already.")
            onClicked: Session.drain()
        }
        Button {
            visible: Session.runActive
            text: qsTr("Stop…")
            iconName: "stop"
            kind: Button.Danger
            onClicked: Commands.trigger("run.stop")
        }
        Button {
            visible: !Session.runActive && ["stopped", "interrupted", "budget-reached", "paused", "running", "draining"].includes(Session.runState)
            text: qsTr("Go on")
            iconName: "playfill"
            kind: Button.Primary
            tip: qsTr("Start again from the journal; nothing that was finished is repeated")
            onClicked: Session.resumeRun(Session.run)
        }
    }

    Column {
        id: notes

        x: 16
        y: head.height
        width: parent.width - 32
        bottomPadding: banner.visible ? 12 : 0

        Notice {
            id: banner

            visible: !Session.runActive && (RunFigures.stopReason !== "" || Session.runState === "interrupted" || Session.runState === "finished")
            width: parent.width
            meaning: Session.runState === "finished" ? "better" : Session.runState === "failed" ? "failed" : Session.runState === "stopped" ? "info" : "worse"
            title: Session.runState === "finished" ? qsTr("The run is done.") : Session.runState === "interrupted" ? qsTr("%1 was cut off.").arg(RunFigures.runName) : Session.runState === "budget-reached" ? qsTr("The budget is reached.") : Session.runState === "failed" ? qsTr("The run failed.") : qsTr("The run has stopped.")
            text: Session.runState === "finished" ? qsTr("%1 of peak from %2, %3, %4. %5 of %6 problems are faster.").arg(Format.fraction(RunFigures.best, RunFigures.estimate)).arg(Format.fraction(RunFigures.baseline, RunFigures.estimate)).arg(Format.money(RunFigures.cost, RunFigures.costKnown)).arg(Format.duration(Math.floor(RunFigures.activeSeconds))).arg(RunFigures.betterProblems).arg(RunFigures.problems) : RunFigures.stopReason !== "" ? RunFigures.stopReason : qsTr("%1 attempts are kept. Start again from there.").arg(Format.count(RunFigures.attempts))
            actionText: Session.runState === "finished" ? qsTr("Export report") : ""
            onAction: Commands.trigger("report.export")
        }
    }

    IterationStrip {
        id: strip

        x: 16
        y: notes.y + notes.height
        width: parent.width - 32
        height: Math.round((root.low ? 56 : 80) * Theme.scale)
        low: root.low
    }
    Item {
        id: content

        x: 16
        y: strip.y + strip.height + 12
        width: parent.width - 32
        height: parent.height - y - 16

        readonly property real beamWidth: Math.round(Math.min(308, Math.max(248, width * 0.25)))
        readonly property real sideWidth: root.narrow ? 0 : Math.round(Math.min(260, 232 * Theme.scale))

        BeamCard {
            id: beam

            width: content.beamWidth
            height: parent.height
            problem: root.shownProblem
            compact: root.width < 1240
            focus: true
        }
        Segmented {
            id: tabs

            visible: root.narrow
            anchors.left: beam.right
            anchors.leftMargin: 12
            name: qsTr("Lanes or log")
            options: [qsTr("Lanes"), qsTr("Log")]
            currentIndex: root.tab
            onChosen: (index) => root.tab = index
        }
        LaneCard {
            id: lanes

            visible: !root.narrow || root.tab === 0
            anchors.left: beam.right
            anchors.leftMargin: 12
            y: root.narrow ? tabs.height + 8 : 0
            width: parent.width - beam.width - 12 - (side.visible ? side.width + 12 : 0)
            height: root.narrow ? parent.height - y : Math.round((parent.height - 12) * 0.58)
            dense: root.narrow
        }
        LogCard {
            id: log

            visible: !root.narrow || root.tab === 1
            anchors.left: beam.right
            anchors.leftMargin: 12
            y: root.narrow ? tabs.height + 8 : lanes.height + 12
            width: root.narrow ? lanes.width : parent.width - beam.width - 12
            height: parent.height - y
        }
        SideFigures {
            id: side

            visible: !root.narrow
            anchors.right: parent.right
            width: content.sideWidth
            height: lanes.height
        }
    }
}
