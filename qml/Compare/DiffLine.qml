// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// A row of the diff: both sides, one unified line, or a fold that opens.
Item {
    id: root

    required property int index
    required property string kind
    required property int leftNumber
    required property int rightNumber
    required property var leftCode
    required property var rightCode
    required property string leftGround
    required property string rightGround
    required property string leftSign
    required property string rightSign
    required property string foldText
    required property string foldPlace
    required property string spoken
    property bool unified: false
    property bool wrap: false
    property bool current: false
    property int digits: 3
    property real offset: 0
    readonly property bool fold: root.kind === "fold"
    readonly property bool fromLeft: root.unified && root.rightNumber === 0
    readonly property real half: Math.floor(root.width / 2)

    signal openRequested
    signal pressed(bool right)

    height: root.fold ? Math.round(24 * Theme.scale) : root.unified ? single.implicitHeight : Math.max(left.implicitHeight, right.implicitHeight)
    Accessible.role: root.fold ? Accessible.Button : Accessible.ListItem
    Accessible.name: root.fold ? qsTr("Open %1").arg(root.foldText) : root.spoken
    Accessible.onPressAction: {
        if (root.fold)
            root.openRequested();
    }

    CodeRow {
        id: left

        visible: !root.fold && !root.unified
        width: root.half
        height: parent.height
        number: root.leftNumber
        code: visible ? root.leftCode : undefined
        ground: root.leftGround
        sign: root.leftSign
        signColumn: true
        digits: root.digits
        offset: root.offset
        wrap: root.wrap && visible
        phase: root.y
        bar: root.current ? "current" : ""
    }
    CodeRow {
        id: right

        visible: !root.fold && !root.unified
        x: root.half
        width: root.width - root.half
        height: parent.height
        number: root.rightNumber
        code: visible ? root.rightCode : undefined
        ground: root.rightGround
        sign: root.rightSign
        signColumn: true
        digits: root.digits
        offset: root.offset
        wrap: root.wrap && visible
        phase: root.y + root.half
    }
    CodeRow {
        id: single

        visible: !root.fold && root.unified
        width: root.width
        height: parent.height
        number: root.leftNumber
        secondNumber: root.rightNumber
        code: visible ? (root.fromLeft ? root.leftCode : root.rightCode) : undefined
        ground: root.fromLeft ? root.leftGround : root.rightGround === "filler" ? "" : root.rightGround
        sign: root.fromLeft ? root.leftSign : root.rightSign
        signColumn: true
        digits: root.digits
        offset: root.offset
        wrap: root.wrap && visible
        bar: root.current ? "current" : ""
    }
    Rectangle {
        visible: !root.fold && !root.unified
        x: root.half
        width: 1
        height: parent.height
        color: Theme.line
    }
    Rectangle {
        visible: root.fold
        anchors.fill: parent
        color: hover.hovered ? Theme.hover : Theme.sunken

        Rectangle {
            visible: root.current
            width: 3
            height: parent.height
            color: Theme.accent
        }
        Icon {
            x: 14
            name: "expand"
            size: 13
            color: Theme.text2
            anchors.verticalCenter: parent.verticalCenter
        }
        Label {
            id: foldLabel

            x: 40
            height: parent.height
            text: root.foldText
            level: 2
        }
        Mono {
            x: foldLabel.x + foldLabel.width + 16
            width: Math.max(0, parent.width - x - 12)
            height: parent.height
            text: root.foldPlace
            level: 3
            elide: Text.ElideRight
        }
        HLine {
            anchors.bottom: parent.bottom
        }
    }
    HoverHandler {
        id: hover

        enabled: root.fold
        cursorShape: Qt.PointingHandCursor
    }
    TapHandler {
        onTapped: (point) => {
            root.pressed(point.position.x > root.half);
            if (root.fold)
                root.openRequested();
        }
    }
}
