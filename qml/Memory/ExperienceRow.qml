// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// One experience in the list.
Item {
    id: root

    required property int index
    required property string title
    required property string where
    required property bool positive
    required property double speedup
    required property int uses
    required property string useState
    required property bool edited
    property bool current: false
    readonly property bool off: root.useState === "disabled"
    readonly property bool pinned: root.useState === "pinned"

    signal pressed

    height: Theme.tallRowHeight
    Accessible.role: Accessible.ListItem
    Accessible.selected: root.current
    Accessible.name: (root.positive ? qsTr("positive") : qsTr("negative")) + ", " + root.title + ", " + root.where + ", " + Format.speedup(root.speedup) + ", " + qsTr("in %n prompt(s)", "", root.uses) + (root.pinned ? ", " + qsTr("pinned") : root.off ? ", " + qsTr("disabled") : "")

    Rectangle {
        anchors.fill: parent
        color: root.current ? Theme.selected : hover.hovered ? Theme.hover : "transparent"
    }
    Rectangle {
        visible: root.current
        width: 3
        height: parent.height
        color: Theme.accent
    }
    SignMark {
        id: mark

        x: 13
        anchors.verticalCenter: parent.verticalCenter
        positive: root.positive
        disabled: root.off
    }
    Label {
        x: Math.round(46 * Theme.scale)
        y: root.height / 2 - height
        width: factor.x - x - 8
        text: root.title
        weight: Font.DemiBold
        level: root.off ? 2 : 1
    }
    Label {
        x: Math.round(46 * Theme.scale)
        y: root.height / 2 + 1
        width: factor.x - x - 8
        text: root.where + (root.off ? ", " + qsTr("disabled by you") : "")
        level: root.off ? 3 : 2
    }
    Label {
        id: factor

        x: prompts.x - width
        width: Math.round(70 * Theme.scale)
        height: parent.height
        horizontalAlignment: Text.AlignRight
        text: Format.speedup(root.speedup)
        weight: root.off ? Font.Normal : Font.DemiBold
        level: root.off ? 2 : 1
    }
    Label {
        id: prompts

        x: root.width - width - Math.round(48 * Theme.scale)
        width: Math.round(80 * Theme.scale)
        height: parent.height
        horizontalAlignment: Text.AlignRight
        text: Format.count(root.uses)
        level: 2
    }
    Icon {
        anchors.right: parent.right
        anchors.rightMargin: Math.round(16 * Theme.scale)
        anchors.verticalCenter: parent.verticalCenter
        visible: name !== ""
        name: root.pinned ? "pin" : root.off ? "eyeoff" : root.edited ? "edit" : ""
        color: root.pinned ? Theme.accent : Theme.text2
    }
    HLine {
        anchors.bottom: parent.bottom
        width: parent.width
        opacity: 0.5
    }
    HoverHandler {
        id: hover
    }
    TapHandler {
        onTapped: root.pressed()
    }
}
