// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Window
import AccelOpt.Studio

/// The commands that exist on every page.
QtObject {
    id: root

    required property Window window
    required property Dialogs dialogs

    signal paletteRequested
    signal paneRequested(int by)

    readonly property list<Command> all: [
        Command {
            commandId: "palette"
            text: qsTr("Go to…")
            icon: "search"
            shortcut: "Ctrl+K"
            inPalette: false
            onTriggered: root.paletteRequested()
        },
        Command {
            commandId: "project.new"
            text: qsTr("New project…")
            icon: "plus"
            shortcut: "Ctrl+N"
            onTriggered: root.dialogs.newProject()
        },
        Command {
            commandId: "project.open"
            text: qsTr("Open project…")
            icon: "folder"
            shortcut: "Ctrl+O"
            onTriggered: root.dialogs.openProject()
        },
        Command {
            commandId: "project.demo"
            text: qsTr("Open the demo")
            icon: "playfill"
            onTriggered: Session.openDemo(false)
        },
        Command {
            commandId: "project.close"
            text: qsTr("Close project")
            icon: "x"
            shortcut: "Ctrl+W"
            enabled: Session.hasProject
            onTriggered: root.dialogs.closeProject()
        },
        Command {
            commandId: "run.new"
            text: qsTr("New run…")
            icon: "run"
            shortcut: "Ctrl+Shift+R"
            enabled: Session.hasProject && !Session.runActive
            onTriggered: {
                Session.go("run");
                RunEditor.editing = true;
            }
        },
        Command {
            commandId: "run.pause"
            text: Session.runState === "running" ? qsTr("Pause run") : qsTr("Resume run")
            icon: Session.runState === "running" ? "pause" : "playfill"
            shortcut: "Ctrl+P"
            enabled: Session.hasRun && (Session.runActive || ["paused", "stopped", "interrupted", "budget-reached"].includes(Session.runState))
            onTriggered: Session.pauseOrResume()
        },
        Command {
            commandId: "run.drain"
            text: qsTr("Drain run")
            icon: "drain"
            shortcut: "Ctrl+Shift+D"
            enabled: Session.runActive && Session.runState !== "draining"
            onTriggered: Session.drain()
        },
        Command {
            commandId: "run.stop"
            text: qsTr("Stop run…")
            icon: "stop"
            shortcut: "Ctrl+."
            enabled: Session.runActive
            onTriggered: root.dialogs.askStop()
        },
        Command {
            commandId: "compare.best"
            text: Session.problem === "" ? qsTr("Compare best with baseline") : qsTr("Compare best of %1 with baseline").arg(Session.problem)
            icon: "compare"
            shortcut: "Ctrl+D"
            enabled: Session.hasRun
            onTriggered: Session.compareBestWithBaseline("")
        },
        Command {
            commandId: "report.export"
            text: qsTr("Export report…")
            icon: "download"
            shortcut: "Ctrl+E"
            enabled: Session.hasRun
            onTriggered: Session.go("reports")
        },
        Command {
            commandId: "page.overview"
            text: qsTr("Show Overview")
            icon: "overview"
            shortcut: "Ctrl+1"
            enabled: Session.hasProject
            onTriggered: Session.go("overview")
        },
        Command {
            commandId: "page.run"
            text: qsTr("Show Run")
            icon: "run"
            shortcut: "Ctrl+2"
            enabled: Session.hasProject
            onTriggered: Session.go("run")
        },
        Command {
            commandId: "page.candidates"
            text: qsTr("Show Candidates")
            icon: "candidates"
            shortcut: "Ctrl+3"
            enabled: Session.hasProject
            onTriggered: Session.go("candidates")
        },
        Command {
            commandId: "page.compare"
            text: qsTr("Show Compare")
            icon: "compare"
            shortcut: "Ctrl+4"
            enabled: Session.hasProject
            onTriggered: Session.go("compare")
        },
        Command {
            commandId: "page.memory"
            text: qsTr("Show Memory")
            icon: "memory"
            shortcut: "Ctrl+5"
            enabled: Session.hasProject
            onTriggered: Session.go("memory")
        },
        Command {
            commandId: "page.reports"
            text: qsTr("Show Reports")
            icon: "reports"
            shortcut: "Ctrl+6"
            enabled: Session.hasProject
            onTriggered: Session.go("reports")
        },
        Command {
            commandId: "page.settings"
            text: qsTr("Settings")
            icon: "settings"
            shortcut: "Ctrl+,"
            onTriggered: Session.go("settings")
        },
        Command {
            commandId: "shortcuts"
            text: qsTr("Shortcuts")
            icon: "keyboard"
            shortcut: "?"
            alternative: "F1"
            onTriggered: Session.go("shortcuts")
        },
        Command {
            commandId: "back"
            text: qsTr("Back")
            icon: "cleft"
            shortcut: "Alt+Left"
            enabled: Session.canGoBack
            onTriggered: Session.back()
        },
        Command {
            commandId: "forward"
            text: qsTr("Forward")
            icon: "cright"
            shortcut: "Alt+Right"
            enabled: Session.canGoForward
            onTriggered: Session.forward()
        },
        Command {
            commandId: "pane.next"
            text: qsTr("Next pane")
            icon: "cright"
            shortcut: "F6"
            inPalette: false
            onTriggered: root.paneRequested(1)
        },
        Command {
            commandId: "pane.previous"
            text: qsTr("Previous pane")
            icon: "cleft"
            shortcut: "Shift+F6"
            inPalette: false
            onTriggered: root.paneRequested(-1)
        },
        Command {
            commandId: "rail.slim"
            text: Session.slimRail ? qsTr("Wide rail") : qsTr("Slim rail")
            icon: "columns"
            shortcut: "Ctrl+B"
            onTriggered: Session.slimRail = !Session.slimRail
        },
        Command {
            commandId: "undo"
            text: Session.undoStack.canUndo ? qsTr("Undo: %1").arg(Session.undoStack.undoText) : qsTr("Undo")
            icon: "undo"
            shortcut: "Ctrl+Z"
            enabled: Session.undoStack.canUndo
            onTriggered: Session.undoStack.undo()
        },
        Command {
            commandId: "redo"
            text: Session.undoStack.canRedo ? qsTr("Redo: %1").arg(Session.undoStack.redoText) : qsTr("Redo")
            icon: "refresh"
            shortcut: "Ctrl+Shift+Z"
            enabled: Session.undoStack.canRedo
            onTriggered: Session.undoStack.redo()
        },
        Command {
            commandId: "theme.cycle"
            text: Theme.mode === Theme.Light ? qsTr("Theme: dark") : Theme.mode === Theme.Dark ? qsTr("Theme: system") : qsTr("Theme: light")
            icon: "moon"
            shortcut: "Ctrl+Shift+L"
            onTriggered: Theme.cycleMode()
        },
        Command {
            commandId: "text.larger"
            text: qsTr("Larger text")
            icon: "plus"
            shortcut: "Ctrl++"
            alternative: "Ctrl+="
            enabled: Theme.textSize < 150
            onTriggered: Theme.textSize = Theme.textSize + 10
        },
        Command {
            commandId: "text.smaller"
            text: qsTr("Smaller text")
            icon: "minus"
            shortcut: "Ctrl+-"
            enabled: Theme.textSize > 90
            onTriggered: Theme.textSize = Theme.textSize - 10
        },
        Command {
            commandId: "text.reset"
            text: qsTr("Text size 100 %")
            icon: "refresh"
            shortcut: "Ctrl+0"
            onTriggered: Theme.textSize = 100
        },
        Command {
            commandId: "window.full"
            text: root.window.visibility === Window.FullScreen ? qsTr("Leave full screen") : qsTr("Full screen")
            icon: "expand"
            shortcut: "F11"
            onTriggered: root.window.visibility = root.window.visibility === Window.FullScreen ? Window.Windowed : Window.FullScreen
        },
        Command {
            commandId: "quit"
            text: qsTr("Quit")
            icon: "x"
            shortcut: "Ctrl+Q"
            onTriggered: root.window.close()
        }
    ]
}
