// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// The run's log, newest first.
Card {
    id: root

    function focusList() {
        list.forceActiveFocus(Qt.TabFocusReason);
    }

    title: qsTr("Log")
    note: Session.runActive && list.atYBeginning ? qsTr("following") : ""
    padding: 0
    actions: [
        Segmented {
            id: which

            name: qsTr("Which lines")
            options: [qsTr("All"), qsTr("Results"), log.errors > 0 ? qsTr("Errors %1").arg(Format.count(log.errors)) : qsTr("Errors")]
            onChosen: (index) => log.kinds = index === 1 ? ["best", "quarantine", "selection", "result"] : index === 2 ? ["failed", "warning", "budget", "host"] : []
        },
        Field {
            id: find

            width: 150
            iconName: "search"
            placeholderText: qsTr("Find in log")
            clearable: true
            onTextEdited: log.text = find.text
        }
    ]

    Command {
        commandId: "run.find"
        text: qsTr("Find in log")
        icon: "search"
        shortcut: "Ctrl+F"
        alternative: "/"
        page: "run"
        inPalette: false
        onTriggered: find.forceActiveFocus(Qt.ShortcutFocusReason)
    }
    LogModel {
        id: log
    }
    ListView {
        id: list

        anchors.fill: parent
        clip: true
        model: log
        reuseItems: true
        boundsBehavior: Flickable.StopAtBounds
        activeFocusOnTab: true
        currentIndex: -1
        keyNavigationEnabled: true
        T.ScrollBar.vertical: ScrollMark {}
        Accessible.role: Accessible.List
        Accessible.name: root.title
        Keys.onReturnPressed: {
            const item = list.currentItem as LogRow;
            if (item && item.attempt > 0)
                Session.showAttempt(item.attempt);
        }
        Keys.onPressed: (event) => {
            if (event.key === Qt.Key_End) {
                list.positionViewAtBeginning();
                list.currentIndex = -1;
                event.accepted = true;
            }
        }

        FocusRing {
            control: list
            anchors.margins: 2
        }

        delegate: LogRow {
            width: list.width
            current: ListView.isCurrentItem && list.activeFocus
        }
    }
    Column {
        visible: list.count === 0
        anchors.centerIn: parent
        spacing: 8

        Label {
            anchors.horizontalCenter: parent.horizontalCenter
            text: log.text !== "" || which.currentIndex > 0 ? qsTr("No line matches.") : qsTr("The log is empty.")
            level: 3
        }
        Button {
            visible: log.text !== "" || which.currentIndex > 0
            small: true
            anchors.horizontalCenter: parent.horizontalCenter
            text: qsTr("Clear filters")
            onClicked: {
                find.text = "";
                log.text = "";
                which.currentIndex = 0;
                log.kinds = [];
            }
        }
    }
}
