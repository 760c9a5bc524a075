// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// One preset of a run.
T.AbstractButton {
    id: root

    required property int preset
    property string title
    property string note: ""
    property string numbers
    property string volume
    property bool chosen: false
    property bool flat: false

    height: Math.round((root.flat ? 56 : 88) * Theme.scale)
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    text: root.title
    Accessible.role: Accessible.RadioButton
    Accessible.name: root.title + ", " + root.numbers + ", " + root.volume
    Accessible.checked: root.chosen
    Keys.onReturnPressed: root.click()

    background: Rectangle {
        radius: 6
        color: root.chosen ? Theme.selected : root.pressed ? Theme.pressed : root.hovered ? Theme.hover : Theme.panel
        border.width: root.chosen ? 2 : 1
        border.color: root.chosen ? Theme.accent : Theme.line

        FocusRing {
            control: root
            shown: root.visualFocus
            corner: 6
        }
    }
    contentItem: Item {
        Rectangle {
            id: ring

            x: 10
            y: 10
            width: 15
            height: 15
            radius: 7.5
            color: root.chosen ? Theme.accent : "transparent"
            border.color: root.chosen ? Theme.accent : Theme.lineStrong

            Rectangle {
                anchors.centerIn: parent
                visible: root.chosen
                width: 5
                height: 5
                radius: 2.5
                color: Theme.onAccent
            }
        }
        Label {
            x: 34
            y: 6
            height: 22
            text: root.title
            size: Theme.objectSize
            weight: Font.DemiBold
        }
        Label {
            anchors.right: parent.right
            anchors.rightMargin: 10
            y: 6
            height: 22
            text: root.note
            level: 2
        }
        Label {
            x: 34
            y: 30
            width: parent.width - x - 8
            text: root.numbers
            level: 2
        }
        Label {
            x: 34
            y: 50
            width: parent.width - x - 8
            visible: !root.flat
            text: root.volume
            weight: Font.Medium
        }
    }
}
