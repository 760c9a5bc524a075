// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// A command with its key. Choosing Change takes the next key press; Esc leaves it, Backspace removes it.
FocusScope {
    id: root

    required property Command command
    required property string commandId
    required property string text
    required property string icon
    required property string sequence
    required property string page
    property string filter: ""
    property bool taking: false
    property string problem: ""
    readonly property bool matches: root.filter === "" || root.text.toLowerCase().includes(root.filter.toLowerCase()) || root.sequence.toLowerCase().includes(root.filter.toLowerCase())

    height: root.matches ? Math.round(32 * Theme.scale) : 0
    visible: root.matches
    Accessible.role: Accessible.ListItem
    Accessible.name: root.sequence === "" ? root.text : root.text + ", " + root.sequence

    Keys.onPressed: (event) => {
        if (!root.taking)
            return;
        event.accepted = true;
        if (event.key === Qt.Key_Escape) {
            root.taking = false;
            return;
        }
        if ([Qt.Key_Control, Qt.Key_Shift, Qt.Key_Alt, Qt.Key_Meta].includes(event.key))
            return;
        root.problem = event.key === Qt.Key_Backspace ? Commands.setShortcut(root.commandId, "") : Commands.setShortcutByKey(root.commandId, event.key, event.modifiers);
        if (root.problem === "")
            root.taking = false;
    }

    Icon {
        x: 12
        name: root.icon
        anchors.verticalCenter: parent.verticalCenter
    }
    Label {
        x: 36
        width: 330
        height: parent.height
        text: root.text
    }
    Label {
        x: 376
        height: parent.height
        text: root.page === "" ? qsTr("everywhere") : root.page
        level: 3
    }
    Label {
        x: 480
        width: parent.width - x - 210
        height: parent.height
        text: root.taking ? (root.problem === "" ? qsTr("Press the new key, Esc keeps the old") : root.problem) : ""
        color: root.problem === "" ? Theme.text3 : Theme.failed
    }
    KeyCap {
        anchors.right: change.left
        anchors.rightMargin: 12
        anchors.verticalCenter: parent.verticalCenter
        sequence: root.sequence
        split: true
    }
    Button {
        id: change

        small: true
        kind: Button.Ghost
        text: root.taking ? qsTr("Cancel") : qsTr("Change")
        anchors.right: parent.right
        anchors.rightMargin: 8
        anchors.verticalCenter: parent.verticalCenter
        onClicked: {
            root.problem = "";
            root.taking = !root.taking;
        }
    }
    HLine {
        anchors.bottom: parent.bottom
        width: parent.width
        opacity: 0.5
    }
}
