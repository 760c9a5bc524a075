// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// What the bell keeps.
T.Popup {
    id: root

    width: 420
    height: Math.min(parent ? parent.height - 100 : 500, list.count === 0 ? 140 : 52 + list.contentHeight + 8)
    padding: 0
    focus: true
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside
    onClosed: Session.notices.markRead()

    background: Rectangle {
        radius: 8
        color: Theme.panel
        border.color: Theme.dialogEdge

        Shade {}
    }
    contentItem: FocusScope {
        focus: true
        Accessible.role: Accessible.Dialog
        Accessible.name: qsTr("Notices")

        SectionHead {
            x: 12
            height: 44
            text: qsTr("Notices")
            note: list.count > 0 ? Format.count(list.count) : ""
        }
        Button {
            anchors.right: parent.right
            anchors.rightMargin: 8
            y: 8
            text: qsTr("Clear")
            kind: Button.Ghost
            enabled: list.count > 0
            onClicked: Session.notices.clear()
        }
        ListView {
            id: list

            y: 44
            width: parent.width
            height: parent.height - 48
            clip: true
            focus: true
            model: Session.notices
            boundsBehavior: Flickable.StopAtBounds
            T.ScrollBar.vertical: ScrollMark {}

            delegate: Item {
                id: notice

                required property string kind
                required property string text
                required property string time
                required property string actionText
                required property string command
                required property bool unread

                width: list.width
                height: Math.max(Math.round(36 * Theme.scale), words.height + 16)
                Accessible.role: Accessible.ListItem
                Accessible.name: notice.text

                Icon {
                    x: 12
                    y: 10
                    name: notice.kind === "better" ? "check" : notice.kind === "quarantined" ? "shield" : notice.kind === "info" ? "info" : "alert"
                    color: notice.kind === "better" ? Theme.better : notice.kind === "worse" ? Theme.worse : notice.kind === "failed" ? Theme.failed : notice.kind === "quarantined" ? Theme.quarantined : Theme.text2
                }
                Label {
                    id: words

                    x: 36
                    y: 8
                    width: parent.width - 36 - 76 - (action.visible ? action.width : 0)
                    text: notice.text
                    weight: notice.unread ? Font.Medium : Font.Normal
                    wrapMode: Text.Wrap
                }
                Button {
                    id: action

                    visible: notice.actionText !== ""
                    small: true
                    kind: Button.Ghost
                    text: notice.actionText
                    anchors.right: timeLabel.left
                    y: 4
                    onClicked: {
                        root.close();
                        Commands.trigger(notice.command);
                    }
                }
                Label {
                    id: timeLabel

                    anchors.right: parent.right
                    anchors.rightMargin: 12
                    y: 8
                    text: notice.time
                    level: 3
                }
                HLine {
                    anchors.bottom: parent.bottom
                    width: parent.width
                    opacity: 0.5
                }
            }
        }
        Label {
            visible: list.count === 0
            anchors.centerIn: parent
            text: qsTr("No notice yet. New bests, warnings and errors are kept here.")
            level: 3
        }
    }
}
