// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// One notice of Session.notices, for 6 s. It stays under the pointer and while it has focus.
Rectangle {
    id: root

    property int noticeId: 0
    readonly property string kind: Session.notices.kindOf(root.noticeId)
    readonly property string actionText: Session.notices.actionTextOf(root.noticeId)
    readonly property color ink: root.kind === "better" ? Theme.better : root.kind === "worse" ? Theme.worse : root.kind === "failed" ? Theme.failed : root.kind === "quarantined" ? Theme.quarantined : Theme.accent

    signal expired

    width: Math.min(420, Math.max(260, label.implicitWidth + action.width + 90))
    height: Math.max(Math.round(40 * Theme.scale), label.height + 20)
    radius: 6
    color: Theme.raised
    border.color: Theme.dialogEdge
    Accessible.role: Accessible.AlertMessage
    Accessible.name: label.text

    Shade {
        corner: 6
    }
    Rectangle {
        width: 3
        height: parent.height - 12
        y: 6
        x: 1
        radius: 1
        color: root.ink
    }
    Icon {
        id: mark

        x: 14
        anchors.verticalCenter: parent.verticalCenter
        name: root.kind === "better" ? "check" : root.kind === "quarantined" ? "shield" : root.kind === "info" ? "info" : "alert"
        color: root.ink
    }
    Label {
        id: label

        x: 36
        width: root.width - 36 - 36 - (action.visible ? action.width + 4 : 0)
        text: Session.notices.textOf(root.noticeId)
        wrapMode: Text.Wrap
        anchors.verticalCenter: parent.verticalCenter
    }
    Button {
        id: action

        visible: root.actionText !== ""
        width: visible ? implicitWidth : 0
        text: root.actionText
        kind: Button.Ghost
        small: true
        anchors.right: close.left
        anchors.verticalCenter: parent.verticalCenter
        onClicked: {
            Commands.trigger(Session.notices.commandOf(root.noticeId));
            root.expired();
        }
    }
    IconButton {
        id: close

        iconName: "x"
        text: qsTr("Dismiss")
        anchors.right: parent.right
        anchors.rightMargin: 4
        anchors.verticalCenter: parent.verticalCenter
        onClicked: root.expired()
    }
    HoverHandler {
        id: hover
    }
    Timer {
        interval: 6000
        running: !hover.hovered && !action.activeFocus && !close.activeFocus
        onTriggered: root.expired()
    }
}
