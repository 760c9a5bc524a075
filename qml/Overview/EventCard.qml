// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// What changed: new bests, quarantines, budget and host events, newest first.
Card {
    id: root

    title: qsTr("What changed")
    padding: 0
    actions: Button {
        small: true
        kind: Button.Ghost
        text: qsTr("Open log")
        onClicked: Session.go("run")
    }

    LogModel {
        id: log

        kinds: ["best", "quarantine", "budget", "host", "run", "warning"]
    }
    ListView {
        id: list

        anchors.fill: parent
        clip: true
        model: log
        reuseItems: true
        boundsBehavior: Flickable.StopAtBounds
        activeFocusOnTab: true
        T.ScrollBar.vertical: ScrollMark {}
        Accessible.role: Accessible.List
        Accessible.name: root.title

        delegate: EventRow {
            width: list.width
        }

        FocusRing {
            control: list
            anchors.margins: 1
        }
    }
    Label {
        visible: list.count === 0
        anchors.centerIn: parent
        text: qsTr("Nothing has changed yet.")
        level: 3
    }
}
