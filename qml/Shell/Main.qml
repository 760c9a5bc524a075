// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls as QQC
import AccelOpt.Studio
import AccelOpt.Components

/// The window: top bar, rail, pages, status bar, and what lies over them.
QQC.ApplicationWindow {
    id: root

    readonly property bool slim: Session.slimRail || Session.page === "compare" || Session.page === "profile" || root.width < 1280
    readonly property list<string> pageNames: ["start", "overview", "run", "candidates", "compare", "memory", "reports", "settings", "shortcuts"]
    property bool reallyQuit: false

    /// The page that is shown, for tests and screenshots; null while it loads.
    readonly property Item currentPage: {
        for (let i = 0; i < pages.count; ++i) {
            const loader = pages.itemAt(i) as Loader;
            if (loader && loader.visible)
                return loader.item as Item;
        }
        return null;
    }

    function focusPage() {
        if (root.currentPage)
            root.currentPage.forceActiveFocus(Qt.OtherFocusReason);
    }
    function cyclePane(by: int) {
        const panes = [rail, pageArea, topBar].filter((pane) => pane.visible);
        let at = panes.findIndex((pane) => pane.activeFocus);
        at = (at < 0 ? 0 : at + by + panes.length) % panes.length;
        if (panes[at] === pageArea)
            root.focusPage();
        else
            panes[at].nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason);
    }

    width: 1440
    height: 900
    minimumWidth: 1024
    minimumHeight: 700
    visible: true
    title: Session.hasProject ? Session.projectName + " – " + qsTr("AccelOpt Studio") : qsTr("AccelOpt Studio")
    color: Theme.window
    font.family: Theme.sans
    font.pixelSize: Theme.tableSize
    palette {
        window: Theme.window
        windowText: Theme.text
        base: Theme.panel
        text: Theme.text
        button: Theme.raised
        buttonText: Theme.text
        highlight: Theme.accent
        highlightedText: Theme.onAccent
        placeholderText: Theme.text3
        mid: Theme.line
    }

    onClosing: (close) => {
        if (Session.runActive && !root.reallyQuit) {
            close.accepted = false;
            dialogs.askQuit();
        }
    }

    Connections {
        target: Session

        function onPlaceChanged() {
            Qt.callLater(root.focusPage);
        }
        function onProjectChanged() {
            Qt.callLater(root.focusPage);
        }
    }

    GlobalCommands {
        window: root
        dialogs: dialogs
        onPaletteRequested: palettePopup.open()
        onPaneRequested: (by) => root.cyclePane(by)
    }

    Instantiator {
        model: Commands

        delegate: QtObject {
            id: binding

            required property Command command
            readonly property bool here: binding.command !== null && binding.command.enabled && (binding.command.page === "" || binding.command.page === Session.page)
            readonly property Shortcut key: Shortcut {
                sequences: binding.command ? [binding.command.sequence, binding.command.alternative].filter((each) => each !== "") : []
                enabled: binding.here && !dialogs.anyOpen && !palettePopup.opened
                context: Qt.ApplicationShortcut
                onActivated: binding.command.trigger()
            }
        }
    }

    TopBar {
        id: topBar

        width: parent.width
        onPaletteRequested: palettePopup.open()
        onNoticesRequested: notices.open()
        onProjectMenuRequested: projectMenu.open()
    }
    Rail {
        id: rail

        visible: Session.hasProject
        y: topBar.height
        height: parent.height - topBar.height - statusBar.height
        slim: root.slim
    }
    FocusScope {
        id: pageArea

        x: rail.visible ? rail.width : 0
        y: topBar.height
        width: parent.width - x
        height: parent.height - topBar.height - statusBar.height

        Repeater {
            id: pages

            model: root.pageNames

            Loader {
                id: loader

                required property string modelData
                property bool wanted: false
                readonly property bool current: Session.page === loader.modelData && (Session.hasProject || loader.modelData === "start" || loader.modelData === "settings" || loader.modelData === "shortcuts")

                anchors.fill: parent
                visible: loader.current
                focus: loader.current
                active: loader.wanted || loader.current
                readonly property url page: loader.modelData === "shortcuts" ? Qt.resolvedUrl("ShortcutsPage.qml") : Session.pageUrl(loader.modelData)

                // Not beside sourceComponent: binding that to nothing would clear what source has loaded.
                source: !loader.active ? "" : loader.page.toString() === "" ? Qt.resolvedUrl("PlaceholderPage.qml") : loader.page
                onCurrentChanged: {
                    if (loader.current)
                        loader.wanted = true;
                }
                onLoaded: {
                    if (loader.item instanceof PlaceholderPage)
                        (loader.item as PlaceholderPage).name = loader.modelData;
                    if (loader.current)
                        Qt.callLater(root.focusPage);
                }
            }
        }
    }
    StatusBar {
        id: statusBar

        width: parent.width
        anchors.bottom: parent.bottom
    }

    DropArea {
        anchors.fill: parent
        keys: ["text/uri-list"]
        onDropped: (drop) => {
            if (drop.urls.length > 0)
                dialogs.takeDrop(drop.urls[0]);
        }
    }

    ProjectMenu {
        id: projectMenu

        x: 8
        y: topBar.height - 2
        dialogs: dialogs
    }
    NoticesPopup {
        id: notices

        x: root.width - width - 12
        y: topBar.height - 2
    }
    PalettePopup {
        id: palettePopup
    }
    Dialogs {
        id: dialogs

        anchors.fill: parent
        onQuitConfirmed: {
            root.reallyQuit = true;
            root.close();
        }
    }
    ToastArea {
        anchors.right: parent.right
        anchors.rightMargin: 16
        anchors.bottom: statusBar.top
        anchors.bottomMargin: 12
    }

    QtObject {
        id: announcer

        property string text

        readonly property Connections listener: Connections {
            target: Session

            function onAnnounced(text: string) {
                announcer.text = text;
            }
        }
    }
    Text {
        // A polite live region: seen by readers only.
        width: 1
        height: 1
        opacity: 0
        text: announcer.text
        Accessible.role: Accessible.AlertMessage
        Accessible.name: announcer.text
    }
}
