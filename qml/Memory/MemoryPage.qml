// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// The optimization memory: what the run has learned from slow and fast pairs, to read, pin, edit, disable and remove.
FocusScope {
    id: root

    readonly property bool narrow: root.width < 1010 * Theme.scale
    readonly property list<string> signs: ["", "positive", "negative"]
    readonly property list<string> states: ["", "used", "disabled"]
    readonly property list<string> orders: ["newest", "speedup", "uses"]
    readonly property int row: list.currentIndex
    property double chosen: 0 ///< id of the experience that is shown; the list may move under it

    function value(role: string): var {
        revision.count; // read again when rows change
        return experiences.value(root.row, role);
    }
    function follow() {
        let at = experiences.rowOf(root.chosen);
        if (at < 0)
            at = experiences.count > 0 ? Math.max(0, Math.min(list.currentIndex, experiences.count - 1)) : -1;
        list.currentIndex = at;
        root.chosen = at >= 0 ? experiences.value(at, "experienceId") : 0;
        revision.count += 1;
    }
    function choose(at: int) {
        if (at < 0 || at >= experiences.count)
            return;
        list.currentIndex = at;
        list.positionViewAtIndex(at, ListView.Contain);
        root.chosen = experiences.value(at, "experienceId");
        revision.count += 1;
    }
    function comparePair() {
        if (root.row >= 0)
            Session.compare(root.value("slow"), root.value("fast"));
    }

    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Memory")

    QtObject {
        id: revision

        property int count: 0
    }
    ExperienceModel {
        id: experiences

        onCountChanged: root.follow()
        onDataChanged: revision.count += 1
    }
    Component.onCompleted: {
        experiences.order = Session.viewState("memory", "order", "newest");
        root.follow();
    }

    Command {
        commandId: "memory.find"
        text: qsTr("Find in memory")
        icon: "search"
        shortcut: "Ctrl+F"
        alternative: "/"
        page: "memory"
        inPalette: false
        onTriggered: search.forceActiveFocus(Qt.ShortcutFocusReason)
    }
    Command {
        commandId: "memory.pin"
        text: root.value("useState") === "pinned" ? qsTr("Unpin experience") : qsTr("Pin experience")
        icon: "pin"
        shortcut: "P"
        page: "memory"
        enabled: root.row >= 0 && !editor.opened
        onTriggered: experiences.togglePin(root.row)
    }
    Command {
        commandId: "memory.edit"
        text: qsTr("Edit experience…")
        icon: "edit"
        shortcut: "E"
        page: "memory"
        enabled: root.row >= 0 && !editor.opened
        onTriggered: editor.edit(root.value("summary"))
    }
    Command {
        commandId: "memory.disable"
        text: root.value("useState") === "disabled" ? qsTr("Enable experience") : qsTr("Disable experience")
        icon: root.value("useState") === "disabled" ? "eye" : "eyeoff"
        shortcut: "D"
        page: "memory"
        enabled: root.row >= 0 && !editor.opened
        onTriggered: experiences.toggleDisabled(root.row)
    }
    Command {
        commandId: "memory.remove"
        text: qsTr("Remove experience")
        icon: "trash"
        shortcut: "Del"
        page: "memory"
        enabled: root.row >= 0 && !editor.opened
        onTriggered: experiences.remove(root.row)
    }
    Command {
        commandId: "memory.compare"
        text: qsTr("Open the experience's pair in Compare")
        icon: "compare"
        shortcut: "Return"
        page: "memory"
        enabled: root.row >= 0 && list.activeFocus
        onTriggered: root.comparePair()
    }

    EditDialog {
        id: editor

        onSaved: (text) => experiences.edit(experiences.rowOf(root.chosen), text)
    }

    Item {
        id: page

        x: 16
        width: parent.width - 32
        height: parent.height - 12

        PageHead {
            title: qsTr("Memory")
            note: experiences.loading ? qsTr("loading") : experiences.total === 0 ? qsTr("no experience yet") : qsTr("%1 experiences, %2 positive and %3 negative").arg(Format.count(experiences.total)).arg(Format.count(experiences.positive)).arg(Format.count(experiences.negative))

            Button {
                visible: Session.undoStack.canUndo
                kind: Button.Ghost
                iconName: "undo"
                text: qsTr("Undo")
                shortcut: Commands.shortcutOf("undo")
                tip: Session.undoStack.undoText
                onClicked: Session.undoStack.undo()
            }
        }
        Row {
            y: Theme.pageHeadHeight
            spacing: 8

            Field {
                id: search

                width: Math.round((root.narrow ? 150 : 196) * Theme.scale)
                iconName: "search"
                clearable: true
                placeholderText: qsTr("Search title and text")
                text: experiences.text
                onTextEdited: experiences.text = search.text
                Keys.onEscapePressed: {
                    experiences.text = "";
                    list.forceActiveFocus(Qt.ShortcutFocusReason);
                }
                Keys.onDownPressed: list.forceActiveFocus(Qt.TabFocusReason)
            }
            Select {
                width: Math.round((root.narrow ? 130 : 190) * Theme.scale)
                label: qsTr("Problem")
                options: [qsTr("all")].concat(experiences.problems)
                currentIndex: experiences.problems.indexOf(experiences.problem) + 1
                onChosen: (index) => experiences.problem = index === 0 ? "" : experiences.problems[index - 1]
            }
            Segmented {
                name: qsTr("Sign")
                options: root.narrow ? [qsTr("All"), "+ " + Format.count(experiences.positive), "− " + Format.count(experiences.negative)] : [qsTr("All %1").arg(Format.count(experiences.total)), qsTr("+ Positive %1").arg(Format.count(experiences.positive)), qsTr("− Negative %1").arg(Format.count(experiences.negative))]
                currentIndex: root.signs.indexOf(experiences.sign)
                onChosen: (index) => experiences.sign = root.signs[index]
            }
            Segmented {
                name: qsTr("Use")
                options: [qsTr("All"), qsTr("In use %1").arg(Format.count(experiences.total - experiences.disabledCount)), qsTr("Disabled %1").arg(Format.count(experiences.disabledCount))]
                currentIndex: root.states.indexOf(experiences.use)
                onChosen: (index) => experiences.use = root.states[index]
            }
            Select {
                visible: !root.narrow
                width: Math.round(168 * Theme.scale)
                label: qsTr("Sort")
                options: [qsTr("newest"), qsTr("what it brought"), qsTr("most used")]
                currentIndex: root.orders.indexOf(experiences.order)
                onChosen: (index) => {
                    experiences.order = root.orders[index];
                    Session.setViewState("memory", "order", root.orders[index]);
                }
            }
            Button {
                visible: experiences.filtered
                kind: Button.Ghost
                iconName: "x"
                text: root.narrow ? "" : qsTr("Clear")
                Accessible.name: qsTr("Clear filters")
                onClicked: experiences.clearFilters()
            }
        }
        Item {
            id: content

            y: Theme.pageHeadHeight + Theme.controlHeight + 12
            width: parent.width
            height: parent.height - y

            Card {
                id: listCard

                focus: true
                width: Math.round(root.narrow ? content.width * 0.5 : Math.min(620 * Theme.scale, content.width * 0.5))
                height: parent.height
                padding: 0
                error: experiences.error
                onRetry: Session.refresh()

                Item {
                    id: head

                    width: parent.width
                    height: Theme.headHeight

                    Label {
                        x: Math.round(46 * Theme.scale)
                        height: parent.height
                        text: qsTr("Experience")
                        weight: Font.Medium
                        level: 2
                    }
                    Label {
                        id: promptsHead

                        x: parent.width - width - Math.round(48 * Theme.scale)
                        width: Math.round(80 * Theme.scale)
                        height: parent.height
                        horizontalAlignment: Text.AlignRight
                        text: qsTr("In prompts")
                        weight: Font.Medium
                        level: 2
                    }
                    Label {
                        x: promptsHead.x - width
                        width: Math.round(70 * Theme.scale)
                        height: parent.height
                        horizontalAlignment: Text.AlignRight
                        text: qsTr("Pair")
                        weight: Font.Medium
                        level: 2
                    }
                    HLine {
                        anchors.bottom: parent.bottom
                        width: parent.width
                    }
                }
                ListView {
                    id: list

                    x: 1
                    y: head.height
                    width: parent.width - 2
                    height: parent.height - y - 1
                    clip: true
                    focus: true
                    activeFocusOnTab: true
                    model: experiences
                    reuseItems: true
                    currentIndex: -1
                    highlightFollowsCurrentItem: false
                    keyNavigationEnabled: false
                    boundsBehavior: Flickable.StopAtBounds
                    T.ScrollBar.vertical: ScrollMark {}
                    Accessible.role: Accessible.List
                    Accessible.name: qsTr("Experiences")

                    delegate: ExperienceRow {
                        id: experience

                        width: list.width
                        current: list.currentIndex === experience.index
                        onPressed: {
                            list.forceActiveFocus(Qt.MouseFocusReason);
                            root.choose(experience.index);
                        }
                    }

                    Keys.onPressed: (event) => {
                        const page = Math.max(1, Math.floor(list.height / Theme.tallRowHeight) - 1);
                        event.accepted = true;
                        if (event.modifiers & ~Qt.KeypadModifier)
                            event.accepted = false;
                        else if (event.key === Qt.Key_Up)
                            root.choose(Math.max(0, list.currentIndex - 1));
                        else if (event.key === Qt.Key_Down)
                            root.choose(Math.min(list.count - 1, list.currentIndex + 1));
                        else if (event.key === Qt.Key_PageUp)
                            root.choose(Math.max(0, list.currentIndex - page));
                        else if (event.key === Qt.Key_PageDown)
                            root.choose(Math.min(list.count - 1, list.currentIndex + page));
                        else if (event.key === Qt.Key_Home)
                            root.choose(0);
                        else if (event.key === Qt.Key_End)
                            root.choose(list.count - 1);
                        else
                            event.accepted = false;
                    }
                    FocusRing {
                        control: list
                        shown: list.activeFocus && list.currentIndex < 0
                        anchors.margins: 1
                    }
                }
                Column {
                    visible: !experiences.loading && experiences.filtered && list.count === 0
                    anchors.centerIn: parent
                    spacing: 10

                    Label {
                        anchors.horizontalCenter: parent.horizontalCenter
                        text: qsTr("No experience matches.")
                        size: Theme.bodySize
                        level: 2
                    }
                    Button {
                        anchors.horizontalCenter: parent.horizontalCenter
                        text: qsTr("Clear filters")
                        onClicked: experiences.clearFilters()
                    }
                }
                EmptyState {
                    visible: !experiences.loading && !experiences.filtered && list.count === 0
                    anchors.centerIn: parent
                    width: Math.min(parent.width - 48, 420)
                    iconName: "memory"
                    title: qsTr("Nothing learned yet")
                    text: qsTr("When an attempt is clearly faster or slower than the kernel it was made from, the pair and what it teaches are kept here. The planner reads them before it plans.")
                    actionText: Session.hasRun ? "" : qsTr("Set up a run")
                    actionIcon: "run"
                    onAction: Session.go("run")
                }
            }
            ExperienceDetail {
                x: listCard.width + 12
                width: content.width - x
                height: parent.height
                shown: root.row >= 0 && experiences.count > 0
                emptyText: experiences.count === 0 ? "" : qsTr("Choose an experience to read it.")
                experienceTitle: root.value("title") ?? ""
                summary: root.value("summary") ?? ""
                positive: root.value("positive") ?? true
                speedup: root.value("speedup") ?? 0
                problem: root.value("problem") ?? ""
                iteration: root.value("iteration") ?? 0
                uses: root.value("uses") ?? 0
                useState: root.value("useState") ?? ""
                edited: root.value("edited") ?? false
                slow: root.value("slow") ?? 0
                fast: root.value("fast") ?? 0
                onPinRequested: experiences.togglePin(root.row)
                onEditRequested: editor.edit(root.value("summary"))
                onDisableRequested: experiences.toggleDisabled(root.row)
                onRemoveRequested: experiences.remove(root.row)
                onOriginalRequested: experiences.edit(root.row, "")
            }
        }
    }
}
