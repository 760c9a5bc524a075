// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio

/// Two to five choices, one chosen. `options`: texts (counts belong in the text). `chosen(index)` is emitted for the user's choice only.
FocusScope {
    id: root

    property list<string> options
    property int currentIndex: 0
    property string name ///< for readers

    signal chosen(int index)

    function choose(index: int) {
        if (index < 0 || index >= root.options.length || index === root.currentIndex)
            return;
        root.currentIndex = index;
        root.chosen(index);
    }

    implicitWidth: row.implicitWidth + 4
    implicitHeight: Math.round(28 * Theme.scale)
    activeFocusOnTab: true
    Accessible.role: Accessible.PageTabList
    Accessible.name: root.name

    Keys.onLeftPressed: root.choose(root.currentIndex - 1)
    Keys.onRightPressed: root.choose(root.currentIndex + 1)

    Rectangle {
        anchors.fill: parent
        radius: 5
        color: Theme.segment
        border.color: Theme.line

        FocusRing {
            control: root
        }
    }
    Row {
        id: row

        x: 2
        y: 2
        height: root.height - 4

        Repeater {
            model: root.options

            Rectangle {
                id: part

                required property string modelData
                required property int index
                readonly property bool current: part.index === root.currentIndex

                width: Math.ceil(label.implicitWidth) + 20
                height: row.height
                radius: 4
                color: part.current ? Theme.segmentChosen : hover.hovered ? Theme.hover : "transparent"
                border.width: part.current ? 1 : 0
                border.color: Theme.lineStrong
                Accessible.role: Accessible.PageTab
                Accessible.name: part.modelData
                Accessible.selected: part.current
                Accessible.onPressAction: root.choose(part.index)

                Label {
                    id: label

                    anchors.centerIn: parent
                    text: part.modelData
                    color: part.current ? Theme.text : Theme.text2
                    weight: Font.Medium
                }
                HoverHandler {
                    id: hover
                }
                TapHandler {
                    onTapped: {
                        root.forceActiveFocus(Qt.MouseFocusReason);
                        root.choose(part.index);
                    }
                }
            }
        }
    }
}
