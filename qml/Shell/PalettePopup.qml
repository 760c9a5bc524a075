// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// Ctrl K: commands, problems, attempts, found by letters in order. `>` `#` `@` narrow it.
T.Popup {
    id: root

    parent: T.Overlay.overlay
    x: parent ? Math.round((parent.width - width) / 2) : 0
    y: 92
    width: parent ? Math.min(660, parent.width - 32) : 660
    height: 48 + Math.min(list.contentHeight + 12, parent ? parent.height - 240 : 400) + 34
    padding: 0
    modal: true
    focus: true
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside
    onOpened: {
        input.text = "";
        input.forceActiveFocus();
        palette.query = "";
        palette.refresh();
        list.currentIndex = palette.nextSelectable(-1, 1);
    }

    function run(index: int) {
        root.close();
        palette.run(index);
    }

    T.Overlay.modal: Rectangle {
        color: Theme.scrim
    }
    background: Rectangle {
        radius: 8
        color: Theme.panel
        border.color: Theme.dialogEdge

        Shade {}
    }
    contentItem: FocusScope {
        focus: true
        Accessible.role: Accessible.Dialog
        Accessible.name: qsTr("Go to")

        PaletteModel {
            id: palette
        }
        Icon {
            x: 16
            y: 16
            name: "search"
            size: 15
        }
        T.TextField {
            id: input

            x: 40
            width: parent.width - x - narrowing.width - 24
            height: 48
            focus: true
            color: Theme.text
            selectionColor: Theme.accent
            selectedTextColor: Theme.onAccent
            font.family: Theme.sans
            font.pixelSize: Theme.objectSize
            verticalAlignment: TextInput.AlignVCenter
            placeholderText: ""
            Accessible.name: qsTr("Command, problem or attempt")
            onTextEdited: {
                palette.query = input.text;
                list.currentIndex = palette.nextSelectable(-1, 1);
            }
            Keys.onUpPressed: list.currentIndex = palette.nextSelectable(list.currentIndex, -1)
            Keys.onDownPressed: list.currentIndex = palette.nextSelectable(list.currentIndex, 1)
            Keys.onReturnPressed: root.run(list.currentIndex)
            Keys.onEnterPressed: root.run(list.currentIndex)

            Label {
                visible: input.text === ""
                height: parent.height
                text: qsTr("Command, problem or attempt")
                size: Theme.objectSize
                level: 3
            }
        }
        Row {
            id: narrowing

            anchors.right: parent.right
            anchors.rightMargin: 14
            height: 48
            spacing: 6

            KeyCap {
                sequence: ">"
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: qsTr("commands")
                level: 2
                height: parent.height
            }
            KeyCap {
                sequence: "#"
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: qsTr("attempts")
                level: 2
                height: parent.height
            }
            KeyCap {
                sequence: "@"
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: qsTr("problems")
                level: 2
                height: parent.height
            }
        }
        HLine {
            y: 48
            width: parent.width
        }
        ListView {
            id: list

            y: 54
            width: parent.width
            height: parent.height - 54 - 34
            clip: true
            model: palette
            boundsBehavior: Flickable.StopAtBounds
            highlightMoveDuration: 0
            T.ScrollBar.vertical: ScrollMark {}
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Results")

            delegate: Item {
                id: item

                required property int index
                required property bool head
                required property string title
                required property string detail
                required property string icon
                required property string meaning
                required property string sequence
                readonly property bool current: list.currentIndex === item.index

                width: list.width
                height: Math.round((item.head ? 28 : 34) * Theme.scale)
                Accessible.role: item.head ? Accessible.Heading : Accessible.ListItem
                Accessible.name: palette.plain(item.index)
                Accessible.selected: item.current

                Rectangle {
                    visible: item.current
                    x: 6
                    width: parent.width - 12
                    height: parent.height
                    radius: 4
                    color: Theme.selected

                    Rectangle {
                        width: 3
                        height: parent.height
                        color: Theme.accent
                    }
                }
                Label {
                    visible: item.head
                    x: 16
                    height: parent.height
                    text: item.title
                    level: 2
                    weight: Font.Medium
                }
                Icon {
                    visible: !item.head
                    x: 18
                    name: item.icon
                    color: item.meaning === "better" ? Theme.better : item.meaning === "failed" ? Theme.failed : item.meaning === "quarantined" ? Theme.quarantined : Theme.text2
                    anchors.verticalCenter: parent.verticalCenter
                }
                Label {
                    id: itemTitle

                    visible: !item.head
                    x: 44
                    width: Math.min(implicitWidth, parent.width - 160)
                    height: parent.height
                    text: item.title
                    textFormat: Text.StyledText
                    size: Theme.bodySize
                }
                Label {
                    visible: !item.head
                    x: itemTitle.x + itemTitle.width + 12
                    width: parent.width - x - 110
                    height: parent.height
                    text: item.detail
                    level: 2
                }
                KeyCap {
                    visible: !item.head && item.sequence !== ""
                    anchors.right: parent.right
                    anchors.rightMargin: 16
                    anchors.verticalCenter: parent.verticalCenter
                    sequence: item.sequence
                    split: true
                }
                HoverHandler {
                    onHoveredChanged: {
                        if (hovered && !item.head)
                            list.currentIndex = item.index;
                    }
                }
                TapHandler {
                    onTapped: {
                        if (!item.head)
                            root.run(item.index);
                    }
                }
            }
        }
        Label {
            visible: list.count === 0
            anchors.centerIn: list
            text: qsTr("Nothing is named like this.")
            level: 2
        }
        HLine {
            y: parent.height - 34
            width: parent.width
        }
        Row {
            x: 16
            y: parent.height - 34
            height: 34
            spacing: 6

            KeyCap {
                sequence: "Up"
                anchors.verticalCenter: parent.verticalCenter
            }
            KeyCap {
                sequence: "Down"
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: qsTr("choose")
                level: 2
                height: parent.height
                rightPadding: 10
            }
            KeyCap {
                sequence: "Return"
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: qsTr("run")
                level: 2
                height: parent.height
                rightPadding: 10
            }
            KeyCap {
                sequence: "Esc"
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: qsTr("close")
                level: 2
                height: parent.height
            }
        }
        Label {
            anchors.right: parent.right
            anchors.rightMargin: 16
            y: parent.height - 34
            height: 34
            text: qsTr("%1 of %2 results").arg(palette.shown).arg(palette.found)
            level: 2
        }
    }
}
