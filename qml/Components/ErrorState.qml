// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio

/// What happened, what was kept, what to do; the details in monospace with Copy details.
Rectangle {
    id: root

    property string title
    property string subtitle
    property string happened
    property list<string> kept
    property string todo
    property string details
    property string actionText: qsTr("Try again")

    signal action

    implicitWidth: 600
    implicitHeight: column.height
    radius: 6
    color: Theme.panel
    border.width: 2
    border.color: Theme.failed
    Accessible.role: Accessible.AlertMessage
    Accessible.name: root.title

    Column {
        id: column

        width: parent.width

        Rectangle {
            x: 2
            y: 2
            width: parent.width - 4
            height: headText.height + 20
            color: Theme.failedGround

            Icon {
                x: 16
                anchors.verticalCenter: parent.verticalCenter
                name: "alert"
                color: Theme.failed
                size: 20
            }
            Column {
                id: headText

                x: 50
                width: parent.width - 66
                anchors.verticalCenter: parent.verticalCenter
                spacing: 2

                Label {
                    text: root.title
                    size: Theme.titleSize
                    weight: Font.DemiBold
                    width: parent.width
                    wrapMode: Text.Wrap
                }
                Label {
                    text: root.subtitle
                    size: Theme.bodySize
                    level: 2
                    width: parent.width
                    wrapMode: Text.Wrap
                    visible: root.subtitle !== ""
                }
            }
        }
        Flow {
            id: parts

            x: 16
            width: parent.width - 32
            topPadding: 16
            bottomPadding: 8
            spacing: 24
            readonly property real columnWidth: width > 720 ? (width - 48) / 3 : width

            Column {
                width: parts.columnWidth
                spacing: 6
                visible: root.happened !== ""

                Label {
                    text: qsTr("What happened")
                    size: Theme.bodySize
                    weight: Font.DemiBold
                }
                Label {
                    text: root.happened
                    level: 2
                    size: Theme.bodySize
                    width: parent.width
                    wrapMode: Text.Wrap
                    lineHeight: 1.25
                }
            }
            Column {
                width: parts.columnWidth
                spacing: 6
                visible: root.kept.length > 0

                Label {
                    text: qsTr("What was kept")
                    size: Theme.bodySize
                    weight: Font.DemiBold
                }
                Repeater {
                    model: root.kept

                    Row {
                        id: keptLine

                        required property string modelData

                        spacing: 8

                        Icon {
                            name: "check"
                            color: Theme.better
                            anchors.verticalCenter: parent.verticalCenter
                        }
                        Label {
                            text: keptLine.modelData
                            level: 2
                            size: Theme.bodySize
                        }
                    }
                }
            }
            Column {
                width: parts.columnWidth
                spacing: 6
                visible: root.todo !== ""

                Label {
                    text: qsTr("What to do")
                    size: Theme.bodySize
                    weight: Font.DemiBold
                }
                Label {
                    text: root.todo
                    level: 2
                    size: Theme.bodySize
                    width: parent.width
                    wrapMode: Text.Wrap
                    lineHeight: 1.25
                }
            }
        }
        Row {
            x: 16
            spacing: 8
            topPadding: 8
            bottomPadding: 16

            Button {
                text: root.actionText
                iconName: "refresh"
                kind: Button.Primary
                visible: root.actionText !== ""
                onClicked: root.action()
            }
            Button {
                text: qsTr("Copy details")
                iconName: "copy"
                kind: Button.Ghost
                visible: root.details !== ""
                onClicked: Session.copyToClipboard(root.details, qsTr("Details"))
            }
        }
        Mono {
            x: 16
            width: parent.width - 32
            text: root.details
            level: 2
            wrapMode: Text.WrapAnywhere
            elide: Text.ElideNone
            visible: root.details !== ""
            bottomPadding: 16
        }
    }
}
