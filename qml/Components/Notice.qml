// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// A message inside a card or page: headline, one line, at most two actions. meaning: info, better, worse, failed, quarantined, estimate.
Rectangle {
    id: root

    property string meaning: "info"
    property string title
    property string text: ""
    property string actionText: ""
    property string secondText: ""
    readonly property color ink: root.meaning === "better" ? Theme.better : root.meaning === "worse" ? Theme.worse : root.meaning === "failed" ? Theme.failed : root.meaning === "quarantined" ? Theme.quarantined : root.meaning === "estimate" ? Theme.estimate : Theme.accent
    readonly property color ground: root.meaning === "better" ? Theme.betterGround : root.meaning === "worse" ? Theme.worseGround : root.meaning === "failed" ? Theme.failedGround : root.meaning === "quarantined" ? Theme.quarantinedGround : root.meaning === "estimate" ? Theme.estimateGround : Theme.selected

    signal action
    signal second

    implicitWidth: 300
    implicitHeight: Math.max(words.height, buttons.height) + 20
    radius: 6
    color: root.ground
    border.color: root.ink
    Accessible.role: Accessible.AlertMessage
    Accessible.name: root.text === "" ? root.title : root.title + " " + root.text

    Icon {
        id: mark

        x: 12
        y: 12
        name: root.meaning === "better" ? "check" : root.meaning === "quarantined" ? "shield" : root.meaning === "estimate" ? "estimate" : root.meaning === "info" ? "info" : "alert"
        color: root.ink
        size: 15
    }
    Column {
        id: words

        anchors.left: mark.right
        anchors.leftMargin: 10
        anchors.right: buttons.left
        anchors.rightMargin: 12
        anchors.verticalCenter: parent.verticalCenter
        spacing: 2

        Label {
            text: root.title
            size: Theme.bodySize
            weight: Font.DemiBold
            width: parent.width
            wrapMode: Text.Wrap
        }
        Label {
            text: root.text
            level: 2
            width: parent.width
            wrapMode: Text.Wrap
            visible: root.text !== ""
        }
    }
    Row {
        id: buttons

        anchors.right: parent.right
        anchors.rightMargin: 12
        anchors.verticalCenter: parent.verticalCenter
        spacing: 8

        Button {
            text: root.secondText
            small: true
            kind: Button.Ghost
            visible: root.secondText !== ""
            onClicked: root.second()
        }
        Button {
            text: root.actionText
            small: true
            visible: root.actionText !== ""
            onClicked: root.action()
        }
    }
}
