// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// Open a project, or start one: New, Open, Demo, and the recent projects.
FocusScope {
    id: root

    readonly property bool narrow: root.width < 1030

    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Start")

    component Choice: T.AbstractButton {
        id: choice

        property string iconName
        property string words
        property string shortcut: ""
        property bool first: false
        property bool busy: false

        height: Math.round(116 * Theme.scale)
        hoverEnabled: true
        focusPolicy: Qt.StrongFocus
        Accessible.role: Accessible.Button
        Accessible.name: choice.text
        Accessible.description: choice.words
        Keys.onReturnPressed: choice.click()
        Keys.onEnterPressed: choice.click()

        background: Rectangle {
            radius: 6
            color: choice.pressed ? Theme.pressed : choice.hovered ? Theme.hover : Theme.panel
            border.width: choice.first ? 2 : 1
            border.color: choice.first ? Theme.accent : Theme.line

            FocusRing {
                control: choice
                shown: choice.visualFocus
                corner: 6
            }
        }
        contentItem: Item {
            Icon {
                id: mark

                x: 14
                y: 15
                visible: !choice.busy
                name: choice.iconName
                size: 15
                color: choice.first ? Theme.accent : Theme.text2
            }
            BusyRing {
                x: 15
                y: 16
                visible: choice.busy
            }
            Label {
                x: 40
                y: 10
                height: 26
                width: parent.width - x - cap.width - 16
                text: choice.text
                size: Theme.objectSize
                weight: Font.DemiBold
            }
            KeyCap {
                id: cap

                sequence: choice.shortcut
                anchors.right: parent.right
                anchors.rightMargin: 12
                y: 14
            }
            Label {
                x: 14
                y: 40
                width: parent.width - 28
                height: parent.height - y - 8
                text: choice.words
                level: 2
                wrapMode: Text.Wrap
                lineHeight: 1.3
                verticalAlignment: Text.AlignTop
            }
        }
    }

    Flickable {
        id: scroll

        anchors.fill: parent
        contentHeight: column.height + 32
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollMark {}

        Column {
            id: column

            width: Math.min(1000, parent.width - 32)
            x: Math.round((parent.width - width) / 2)
            topPadding: Math.max(16, Math.min(52, root.height / 16))
            spacing: 0

            Label {
                text: qsTr("Open a project, or start one")
                size: Theme.cardFigureSize
                weight: Font.DemiBold
                height: Math.round(32 * Theme.scale)
                Accessible.role: Accessible.Heading
            }
            Label {
                text: qsTr("A project holds problems, runs, every attempt and its git history in one folder.")
                size: Theme.bodySize
                level: 2
                height: Math.round(22 * Theme.scale)
            }
            Item {
                width: 1
                height: 20
            }
            Notice {
                visible: Session.openError !== ""
                width: parent.width
                meaning: "failed"
                title: qsTr("The project was not opened")
                text: Session.openError
            }
            Item {
                width: 1
                height: 12
                visible: Session.openError !== ""
            }
            Row {
                id: choices

                readonly property real part: (width - 24) / 3

                width: parent.width
                spacing: 12

                Choice {
                    id: newChoice

                    width: choices.part
                    text: qsTr("New project")
                    words: qsTr("Choose a folder, a target and problems: the quick suite, NKIBench or your own kernels.")
                    iconName: "plus"
                    first: true
                    focus: true
                    shortcut: Commands.shortcutOf("project.new")
                    onClicked: Commands.trigger("project.new")
                    KeyNavigation.right: openChoice
                    KeyNavigation.down: list
                }
                Choice {
                    id: openChoice

                    width: choices.part
                    text: qsTr("Open project")
                    words: qsTr("A folder with accelopt.db. A project of a newer version is not touched.")
                    iconName: "folder"
                    shortcut: Commands.shortcutOf("project.open")
                    onClicked: Commands.trigger("project.open")
                    KeyNavigation.right: demoChoice
                    KeyNavigation.down: list
                }
                Choice {
                    id: demoChoice

                    width: choices.part
                    text: qsTr("Try the demo")
                    words: qsTr("Three problems on the built-in simulator with the offline rules. No host, no model, no key.")
                    iconName: "playfill"
                    busy: Session.opening
                    onClicked: Session.openDemo(true)
                    KeyNavigation.down: list
                }
            }
            Item {
                width: 1
                height: 20
            }
            Card {
                id: recentCard

                readonly property bool any: Session.recent.count > 0

                width: parent.width
                height: Math.max(Math.round(200 * Theme.scale), headHeight + Theme.headHeight + list.contentHeight + 2)
                title: qsTr("Recent")
                padding: 0
                actions: Field {
                    id: filter

                    width: 180
                    visible: Session.recent.count > 5
                    iconName: "search"
                    placeholderText: qsTr("Filter")
                    clearable: true
                }

                Item {
                    id: heads

                    width: parent.width
                    height: Theme.headHeight

                    Label {
                        x: 12
                        height: parent.height
                        text: qsTr("Project")
                        level: 2
                        weight: Font.Medium
                    }
                    Label {
                        x: Math.round(parent.width * 0.343)
                        height: parent.height
                        text: qsTr("Target")
                        level: 2
                        weight: Font.Medium
                    }
                    Label {
                        x: Math.round(parent.width * 0.447)
                        height: parent.height
                        text: qsTr("Geomean, fraction of peak")
                        level: 2
                        weight: Font.Medium
                    }
                    Label {
                        x: Math.round(parent.width * 0.646)
                        height: parent.height
                        text: qsTr("Trend")
                        level: 2
                        weight: Font.Medium
                    }
                    Label {
                        x: Math.round(parent.width * 0.746)
                        height: parent.height
                        text: qsTr("Last run")
                        level: 2
                        weight: Font.Medium
                    }
                    Label {
                        anchors.right: parent.right
                        anchors.rightMargin: 12
                        height: parent.height
                        text: qsTr("Opened")
                        level: 2
                        weight: Font.Medium
                    }
                    HLine {
                        anchors.bottom: parent.bottom
                        width: parent.width
                    }
                }
                ListView {
                    id: list

                    y: heads.height
                    width: parent.width
                    height: contentHeight
                    interactive: false
                    model: Session.recent
                    activeFocusOnTab: true
                    currentIndex: 0
                    keyNavigationEnabled: true
                    Accessible.role: Accessible.List
                    Accessible.name: qsTr("Recent projects")

                    function removeAt(index: int) {
                        const item = list.itemAtIndex(index) as RecentRow;
                        if (item)
                            item.remove();
                    }

                    Keys.onReturnPressed: {
                        const item = list.currentItem as RecentRow;
                        if (item)
                            item.open();
                    }
                    Keys.onDeletePressed: list.removeAt(list.currentIndex)
                    Keys.onPressed: (event) => {
                        if (event.key === Qt.Key_Up && list.currentIndex <= 0) {
                            newChoice.forceActiveFocus(Qt.BacktabFocusReason);
                            event.accepted = true;
                        }
                    }

                    delegate: RecentRow {
                        width: list.width
                        filter: filter.text
                        current: ListView.isCurrentItem && list.activeFocus
                    }
                }
                Column {
                    visible: !recentCard.any
                    anchors.horizontalCenter: parent.horizontalCenter
                    y: heads.height + 36
                    spacing: 6

                    Label {
                        text: qsTr("Projects you open are listed here")
                        size: Theme.bodySize
                        weight: Font.DemiBold
                        anchors.horizontalCenter: parent.horizontalCenter
                    }
                    Label {
                        text: qsTr("The demo is the quickest way to see a search improve real kernels.")
                        level: 2
                        anchors.horizontalCenter: parent.horizontalCenter
                    }
                }
            }
            Row {
                topPadding: 12
                spacing: 8

                Icon {
                    name: "info"
                    size: 13
                    anchors.verticalCenter: hint.verticalCenter
                }
                Label {
                    id: hint

                    text: qsTr("Drop a project folder anywhere in the window to open it.")
                    level: 2
                    height: Math.round(22 * Theme.scale)
                }
            }
        }
    }
}
