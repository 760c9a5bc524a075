// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// A recent project: where it is, how far it came, its last run.
Item {
    id: root

    required property string name
    required property string folder
    required property string shortFolder
    required property string target
    required property double before
    required property double best
    required property bool estimate
    required property list<double> trend
    required property int iterations
    required property string runText
    required property string runState
    required property string opened
    required property bool exists
    property string filter: ""
    property bool current: false
    readonly property bool matches: root.filter === "" || root.name.toLowerCase().includes(root.filter.toLowerCase()) || root.folder.toLowerCase().includes(root.filter.toLowerCase())

    function open() {
        if (root.exists)
            Session.openProject(root.folder);
    }
    function remove() {
        Session.removeRecent(root.folder);
    }

    height: root.matches ? Math.round(52 * Theme.scale) : 0
    visible: root.matches
    Accessible.role: Accessible.ListItem
    Accessible.name: root.name + ", " + root.target + (root.best > 0 ? ", " + Format.fraction(root.best, root.estimate) : "") + (root.exists ? "" : ", " + qsTr("folder not found"))
    Accessible.onPressAction: root.open()

    Rectangle {
        anchors.fill: parent
        color: root.current ? Theme.selected : hover.hovered ? Theme.hover : "transparent"

        Rectangle {
            visible: root.current
            width: 3
            height: parent.height
            color: Theme.accent
        }
    }
    HLine {
        width: parent.width
        opacity: 0.6
    }
    Label {
        x: 12
        y: 8
        width: root.width * 0.32
        height: 18
        text: root.name
        size: Theme.bodySize
        weight: Font.DemiBold
        level: root.exists ? 1 : 2
    }
    Mono {
        x: 12
        y: 27
        width: root.width * 0.32
        height: 18
        text: root.shortFolder
        level: 3
    }
    Tag {
        x: Math.round(root.width * 0.343)
        anchors.verticalCenter: parent.verticalCenter
        text: root.target
    }
    PeakBar {
        visible: root.exists && root.best > 0
        x: Math.round(root.width * 0.447)
        y: 8
        width: Math.round(root.width * 0.18)
        height: 16
        before: root.before
        best: root.best
        estimate: root.estimate
    }
    Label {
        visible: root.exists && root.best > 0
        x: Math.round(root.width * 0.447)
        y: 28
        height: 18
        estimate: root.estimate
        level: 2
        text: Format.fraction(root.before, root.estimate) + " → " + Format.fraction(root.best, root.estimate)
    }
    Label {
        visible: root.exists && root.best <= 0
        x: Math.round(root.width * 0.447)
        height: parent.height
        text: qsTr("no result yet")
        level: 3
    }
    Row {
        visible: !root.exists
        x: Math.round(root.width * 0.447)
        anchors.verticalCenter: parent.verticalCenter
        spacing: 8

        Button {
            small: true
            text: qsTr("Locate…")
            onClicked: Commands.trigger("project.open")
        }
        Button {
            small: true
            kind: Button.Ghost
            text: qsTr("Remove")
            onClicked: root.remove()
        }
    }
    Spark {
        visible: root.exists && root.trend.length > 1
        x: Math.round(root.width * 0.646)
        anchors.verticalCenter: parent.verticalCenter
        width: 74
        height: 26
        values: root.trend
        iterations: root.iterations
        estimate: root.estimate
    }
    Tag {
        x: Math.round(root.width * 0.746)
        anchors.verticalCenter: parent.verticalCenter
        visible: !root.exists || root.runText !== ""
        bare: true
        quiet: true
        iconName: root.exists ? Format.stateIcon(root.runState) : "alert"
        meaning: root.exists ? Format.stateMeaning(root.runState) : "worse"
        text: root.exists ? root.runText : qsTr("Folder not found")
    }
    Label {
        anchors.right: parent.right
        anchors.rightMargin: 12
        height: parent.height
        text: root.opened
        level: 2
    }
    HoverHandler {
        id: hover
    }
    TapHandler {
        onTapped: root.open()
    }
}
