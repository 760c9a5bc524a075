// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio

/// What will be here, one primary action, and what is missing as a checklist.
/// `checklist`: lines that begin with "+" (there) or "!" (missing).
Column {
    id: root

    property string iconName
    property string title
    property string text
    property string actionText
    property string actionIcon: ""
    property string actionShortcut: ""
    property list<string> checklist
    property string checklistTitle: qsTr("Ready to run")

    signal action

    spacing: 10
    width: Math.min(parent ? parent.width - 32 : 560, 560)

    Icon {
        name: root.iconName
        size: 34
        color: Theme.text2
        anchors.horizontalCenter: parent.horizontalCenter
    }
    Label {
        text: root.title
        size: Theme.objectSize
        weight: Font.DemiBold
        width: parent.width
        wrapMode: Text.Wrap
        horizontalAlignment: Text.AlignHCenter
        Accessible.role: Accessible.Heading
    }
    Label {
        text: root.text
        size: Theme.bodySize
        level: 2
        width: parent.width
        wrapMode: Text.Wrap
        lineHeight: 1.25
        horizontalAlignment: Text.AlignHCenter
    }
    Item {
        width: 1
        height: 4
        visible: root.actionText !== ""
    }
    Button {
        text: root.actionText
        iconName: root.actionIcon
        shortcut: root.actionShortcut
        kind: Button.Primary
        visible: root.actionText !== ""
        anchors.horizontalCenter: parent.horizontalCenter
        onClicked: root.action()
    }
    Item {
        width: 1
        height: 8
        visible: root.checklist.length > 0
    }
    Rectangle {
        visible: root.checklist.length > 0
        width: parent.width
        height: list.height + 24
        radius: 6
        color: Theme.sunken
        border.color: Theme.line

        Column {
            id: list

            x: 16
            y: 12
            width: parent.width - 32
            spacing: 6

            Label {
                text: root.checklistTitle
                weight: Font.Medium
            }
            Repeater {
                model: root.checklist

                Row {
                    id: line

                    required property string modelData

                    spacing: 8

                    Icon {
                        name: line.modelData.startsWith("!") ? "alert" : "check"
                        color: line.modelData.startsWith("!") ? Theme.worse : Theme.better
                        size: 13
                        anchors.verticalCenter: parent.verticalCenter
                    }
                    Label {
                        text: line.modelData.slice(1)
                        level: 2
                    }
                }
            }
        }
    }
}
