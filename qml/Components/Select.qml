// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// One choice of a list of texts. `label` stands inside before the value ("Problem all"). `chosen(index)` is the user's choice only.
T.ComboBox {
    id: root

    property list<string> options
    property string label: ""
    property string name: root.label

    signal chosen(int index)

    model: root.options
    implicitWidth: 160
    implicitHeight: Math.round(28 * Theme.scale)
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    Accessible.name: root.name
    onActivated: (index) => root.chosen(index)

    background: Rectangle {
        radius: 5
        color: !root.enabled ? "transparent" : root.pressed ? Theme.pressed : root.hovered ? Theme.hover : Theme.panel
        border.color: root.enabled ? Theme.lineStrong : Theme.line

        FocusRing {
            control: root
            shown: root.visualFocus
        }
    }
    contentItem: Item {
        Row {
            x: 8
            height: parent.height
            spacing: 5
            width: parent.width - 32

            Label {
                id: before

                text: root.label
                level: 3
                height: parent.height
                visible: root.label !== ""
            }
            Label {
                text: root.displayText
                color: root.enabled ? Theme.text : Theme.text3
                weight: Font.Medium
                height: parent.height
                width: Math.min(implicitWidth, parent.width - (before.visible ? before.width + 5 : 0))
            }
        }
    }
    indicator: Icon {
        name: "cdown"
        size: 12
        color: root.enabled ? Theme.text2 : Theme.text3
        x: root.width - width - 8
        y: (root.height - height) / 2
    }
    delegate: T.ItemDelegate {
        id: item

        required property string modelData
        required property int index

        width: ListView.view ? (ListView.view as ListView).width : 0
        implicitHeight: Math.round(28 * Theme.scale)
        highlighted: root.highlightedIndex === item.index
        hoverEnabled: true
        Accessible.name: item.modelData

        background: Rectangle {
            color: item.highlighted ? Theme.selected : "transparent"
            radius: 4
        }
        contentItem: Item {
            Label {
                x: 4
                width: parent.width - 24
                height: parent.height
                text: item.modelData
            }
            Icon {
                visible: item.index === root.currentIndex
                name: "check"
                size: 12
                anchors.right: parent.right
                anchors.verticalCenter: parent.verticalCenter
            }
        }
    }
    popup: T.Popup {
        y: root.height + 4
        width: Math.max(root.width, 140)
        implicitHeight: Math.min(list.contentHeight + 8, 360)
        padding: 4

        background: Rectangle {
            radius: 8
            color: Theme.panel
            border.color: Theme.dialogEdge

            Shade {
                corner: 8
            }
        }
        contentItem: ListView {
            id: list

            clip: true
            model: root.delegateModel
            currentIndex: root.highlightedIndex
            boundsBehavior: Flickable.StopAtBounds
        }
    }
}
