// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// The beam of one problem.
Card {
    id: root

    property string problem
    property bool compact: false

    function focusList() {
        list.forceActiveFocus(Qt.TabFocusReason);
    }

    title: qsTr("Beam")
    padding: 0
    error: beam.error

    actions: Select {
        width: Math.min(176, root.width - 90)
        name: qsTr("Problem")
        options: RunFigures.problemNames
        currentIndex: RunFigures.problemNames.indexOf(root.problem)
        onChosen: (index) => Session.selectProblem(RunFigures.problemNames[index])
    }

    BeamModel {
        id: beam

        problem: root.problem
    }
    ListView {
        id: list

        anchors.fill: parent
        anchors.leftMargin: 8
        anchors.rightMargin: 8
        anchors.bottomMargin: legend.height + 8
        clip: true
        spacing: 8
        model: beam
        boundsBehavior: Flickable.StopAtBounds
        activeFocusOnTab: true
        currentIndex: -1
        T.ScrollBar.vertical: ScrollMark {}
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Beam of %1").arg(root.problem)
        onActiveFocusChanged: {
            if (list.activeFocus && list.currentIndex < 0)
                list.currentIndex = 0;
        }
        Keys.onReturnPressed: {
            const item = list.currentItem as BeamEntry;
            if (item)
                Session.showAttempt(item.attempt);
        }

        delegate: BeamEntry {
            width: list.width
            compact: root.compact
            focused: ListView.isCurrentItem && list.activeFocus
        }
    }
    EmptyState {
        visible: list.count === 0 && !beam.busy
        anchors.centerIn: parent
        width: parent.width - 32
        iconName: "flag"
        title: qsTr("No beam yet")
        text: qsTr("The baseline takes the first place when it is evaluated.")
    }
    Flow {
        id: legend

        anchors.bottom: parent.bottom
        anchors.bottomMargin: 8
        x: 12
        width: parent.width - 24
        spacing: 10

        Tag {
            bare: true
            quiet: true
            meaning: "better"
            iconName: "up"
            text: qsTr("better")
        }
        Tag {
            bare: true
            quiet: true
            meaning: "neutral"
            iconName: "down"
            text: qsTr("not better")
        }
        Tag {
            bare: true
            quiet: true
            meaning: "failed"
            iconName: "x"
            text: qsTr("failed")
        }
        Tag {
            bare: true
            quiet: true
            meaning: "working"
            iconName: "playfill"
            text: qsTr("working")
        }
    }
}
