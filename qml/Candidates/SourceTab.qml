// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// The kernel with colours; a bar marks lines that are new against the parent. Arrow keys scroll.
FocusScope {
    id: root

    required property SourceModel source
    property int errorLine: 0
    property string emptyText: qsTr("The reply held no kernel. It is kept under Prompt.")
    property real offset: 0
    readonly property real room: Math.max(0, root.source.longestLine * probe.characterWidth + probe.textLeft + 16 - list.width)

    function scrollSideways(by: real) {
        root.offset = Math.max(0, Math.min(root.room, root.offset + by));
    }
    function showLine(line: int) {
        list.positionViewAtIndex(line - 1, ListView.Center);
    }

    activeFocusOnTab: true
    onRoomChanged: root.scrollSideways(0)
    Keys.onPressed: (event) => {
        const page = Math.max(60, list.height - 40);
        const bottom = Math.max(list.originY, list.originY + list.contentHeight - list.height);
        const scroll = (by) => list.contentY = Math.max(list.originY, Math.min(bottom, list.contentY + by));
        event.accepted = true;
        if (event.key === Qt.Key_Up)
            scroll(-54);
        else if (event.key === Qt.Key_Down)
            scroll(54);
        else if (event.key === Qt.Key_PageUp)
            scroll(-page);
        else if (event.key === Qt.Key_PageDown)
            scroll(page);
        else if (event.key === Qt.Key_Home)
            scroll(-1e9);
        else if (event.key === Qt.Key_End)
            scroll(1e9);
        else if (event.key === Qt.Key_Left)
            root.scrollSideways(-60);
        else if (event.key === Qt.Key_Right)
            root.scrollSideways(60);
        else
            event.accepted = false;
    }

    ListView {
        id: list

        anchors.fill: parent
        anchors.topMargin: 6
        anchors.bottomMargin: sideways.visible ? sideways.height : 0
        model: root.source
        clip: true
        reuseItems: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollMark {}
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Source")
        onModelChanged: root.offset = 0

        delegate: CodeRow {
            id: line

            required property string display
            required property bool changed
            required property bool isError

            required number
            required code
            width: list.width
            digits: probe.digits
            ground: line.isError ? "error" : ""
            bar: line.isError ? "error" : line.changed ? "changed" : ""
            offset: root.offset
            Accessible.role: Accessible.ListItem
            Accessible.name: line.number + ": " + line.display + (line.changed ? ", " + qsTr("new") : "") + (line.isError ? ", " + qsTr("the error is here") : "")
        }

        WheelHandler {
            orientation: Qt.Horizontal
            acceptedModifiers: Qt.NoModifier
            onWheel: (event) => root.scrollSideways(-event.angleDelta.x / 2)
        }
        WheelHandler {
            acceptedModifiers: Qt.ShiftModifier
            onWheel: (event) => root.scrollSideways(-(event.angleDelta.y + event.angleDelta.x) / 2)
        }
    }
    CodeRow {
        id: probe

        visible: false
        digits: String(Math.max(100, root.source.count)).length
    }
    ScrollMark {
        id: sideways

        anchors.bottom: parent.bottom
        width: parent.width
        orientation: Qt.Horizontal
        policy: T.ScrollBar.AlwaysOn
        size: root.room > 0 ? list.width / (list.width + root.room) : 1
        position: root.room > 0 ? root.offset / (list.width + root.room) : 0
        onPositionChanged: {
            if (sideways.pressed)
                root.offset = Math.min(root.room, sideways.position * (list.width + root.room));
        }
    }
    Rectangle {
        anchors.fill: parent
        anchors.margins: 1
        radius: 4
        color: "transparent"
        border.width: 2
        border.color: Theme.focus
        visible: root.activeFocus
    }
    Label {
        visible: root.source.count === 0
        x: 14
        y: 14
        width: parent.width - 28
        wrapMode: Text.Wrap
        text: root.emptyText
        level: 3
    }
}
