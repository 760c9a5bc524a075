// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// Both kernels in one list, so that they scroll as one, with the rail of changes at the right. Up and down move line by line, Enter opens a fold.
FocusScope {
    id: root

    required property DiffModel diff
    property bool wrap: false
    property real offset: 0
    property bool rightSide: true ///< the side that was clicked last: what Copy takes
    readonly property alias currentRow: list.currentIndex
    readonly property int change: root.diff.changeAt(list.currentIndex) ///< 0-based; -1 before the first
    readonly property real codeRoom: (root.diff.unified ? list.width : list.width / 2) - probe.textLeft - 12
    readonly property real room: root.wrap ? 0 : Math.max(0, root.diff.longestLine * probe.characterWidth - root.codeRoom)
    property int keep: -1 ///< row of the diff to come back to after a new layout
    property bool fresh: true ///< the next layout is another pair: go to its first change

    function goToChange(n: int) {
        const row = root.diff.rowOfChange(n);
        if (row < 0)
            return;
        list.currentIndex = row;
        root.reveal(row);
    }
    /// Into view with some lines above, where it is not seen yet.
    function reveal(row: int) {
        const item = list.itemAtIndex(row);
        if (item && item.y >= list.contentY + 18 && item.y + 90 <= list.contentY + list.height)
            return;
        list.positionViewAtIndex(row, ListView.Beginning);
        list.contentY = Math.max(list.originY, list.contentY - Math.round(list.height / 4));
        list.returnToBounds();
    }
    function next(step: int) {
        const n = root.diff.changes;
        if (n === 0)
            return;
        const at = root.change;
        const exact = at >= 0 && root.diff.rowOfChange(at) === list.currentIndex;
        let to = step > 0 ? at + 1 : exact ? at - 1 : at;
        to = Math.max(0, Math.min(n - 1, to));
        root.goToChange(to);
    }
    function openFold(row: int) {
        root.diff.openFold(row);
        list.currentIndex = row;
    }
    /// Runs `change` and comes back to the same line.
    function keepPlace(change: var) {
        root.keep = root.diff.diffRowAt(list.currentIndex);
        change();
    }
    function scrollSideways(by: real) {
        root.offset = Math.max(0, Math.min(root.room, root.offset + by));
    }
    function move(to: int) {
        list.currentIndex = Math.max(0, Math.min(list.count - 1, to));
        list.positionViewAtIndex(list.currentIndex, ListView.Contain);
    }

    activeFocusOnTab: true
    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Differences of the two kernels")
    onRoomChanged: root.scrollSideways(0)

    Keys.onPressed: (event) => {
        const page = Math.max(1, Math.floor(list.height / probe.lineHeight) - 2);
        event.accepted = true;
        if (event.modifiers & (Qt.AltModifier | Qt.ControlModifier | Qt.ShiftModifier))
            event.accepted = false;
        else if (event.key === Qt.Key_Up)
            root.move(list.currentIndex - 1);
        else if (event.key === Qt.Key_Down)
            root.move(list.currentIndex + 1);
        else if (event.key === Qt.Key_PageUp)
            root.move(list.currentIndex - page);
        else if (event.key === Qt.Key_PageDown)
            root.move(list.currentIndex + page);
        else if (event.key === Qt.Key_Home)
            root.move(0);
        else if (event.key === Qt.Key_End)
            root.move(list.count - 1);
        else if (event.key === Qt.Key_Left)
            root.scrollSideways(-60);
        else if (event.key === Qt.Key_Right)
            root.scrollSideways(60);
        else if (event.key === Qt.Key_Return || event.key === Qt.Key_Enter)
            root.openFold(list.currentIndex);
        else
            event.accepted = false;
    }

    Connections {
        target: root.diff

        function onLayoutReset() {
            if (!root.fresh && root.keep < 0)
                return;
            if (root.diff.lines === 0)
                return;
            if (root.fresh) {
                root.offset = 0;
                list.currentIndex = Math.max(0, root.diff.rowOfChange(0));
            } else if (root.keep >= 0) {
                list.currentIndex = root.diff.viewRowOf(root.keep);
            }
            root.fresh = false;
            root.keep = -1;
            Qt.callLater(root.reveal, list.currentIndex);
        }
    }

    ListView {
        id: list

        anchors.fill: parent
        anchors.rightMargin: rail.width
        anchors.bottomMargin: sideways.visible ? sideways.height : 0
        clip: true
        model: root.diff
        reuseItems: true
        cacheBuffer: 200
        boundsBehavior: Flickable.StopAtBounds
        currentIndex: 0
        highlightFollowsCurrentItem: false
        Accessible.role: Accessible.List
        Accessible.name: root.diff.unified ? qsTr("Changes from A to B") : qsTr("A and B side by side")

        delegate: DiffLine {
            id: line

            width: list.width
            unified: root.diff.unified
            wrap: root.wrap
            digits: probe.digits
            offset: root.offset
            current: list.currentIndex === line.index
            onOpenRequested: root.openFold(line.index)
            onPressed: (right) => {
                root.forceActiveFocus(Qt.MouseFocusReason);
                root.rightSide = root.diff.unified || right;
                list.currentIndex = line.index;
            }
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
        signColumn: true
        secondNumber: root.diff.unified ? 0 : -1
        digits: String(Math.max(100, root.diff.lines)).length
    }
    DiffRail {
        id: rail

        anchors.right: parent.right
        width: Math.round(15 * Theme.scale)
        height: list.height
        model: root.diff
        viewStart: list.visibleArea.yPosition
        viewSize: list.visibleArea.heightRatio
        onJumped: (position) => list.positionViewAtIndex(Math.round(position * (list.count - 1)), ListView.Center)
        Accessible.role: Accessible.Graphic
        Accessible.name: qsTr("%n change(s) in the whole file", "", root.diff.changes)
    }
    ScrollMark {
        id: sideways

        anchors.bottom: parent.bottom
        width: list.width
        orientation: Qt.Horizontal
        policy: T.ScrollBar.AlwaysOn
        size: root.room > 0 ? root.codeRoom / (root.codeRoom + root.room) : 1
        position: root.room > 0 ? root.offset / (root.codeRoom + root.room) : 0
        onPositionChanged: {
            if (sideways.pressed)
                root.offset = Math.min(root.room, sideways.position * (root.codeRoom + root.room));
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
}
