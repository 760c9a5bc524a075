// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Underlined tabs; left and right choose.
FocusScope {
    id: root

    property list<string> names
    property int currentIndex: 0

    signal chosen(int index)

    implicitHeight: Math.round(34 * Theme.scale)
    height: implicitHeight
    activeFocusOnTab: true
    Accessible.role: Accessible.PageTabList
    Keys.onLeftPressed: root.chosen(Math.max(0, root.currentIndex - 1))
    Keys.onRightPressed: root.chosen(Math.min(root.names.length - 1, root.currentIndex + 1))

    Row {
        height: parent.height
        spacing: 4

        Repeater {
            model: root.names

            Item {
                id: tab

                required property string modelData
                required property int index
                readonly property bool current: tab.index === root.currentIndex

                width: label.implicitWidth + 20
                height: parent.height
                Accessible.role: Accessible.PageTab
                Accessible.name: tab.modelData
                Accessible.selected: tab.current
                Accessible.onPressAction: root.chosen(tab.index)

                Label {
                    id: label

                    anchors.centerIn: parent
                    text: tab.modelData
                    weight: Font.Medium
                    size: Theme.bodySize
                    color: tab.current ? Theme.text : hover.hovered ? Theme.text : Theme.text2
                }
                Rectangle {
                    anchors.bottom: parent.bottom
                    width: parent.width
                    height: 2
                    color: Theme.accent
                    visible: tab.current
                }
                Rectangle {
                    anchors.fill: parent
                    anchors.margins: 2
                    radius: 4
                    color: "transparent"
                    border.width: 2
                    border.color: Theme.focus
                    visible: root.activeFocus && tab.current
                }
                HoverHandler {
                    id: hover
                }
                TapHandler {
                    onTapped: {
                        root.forceActiveFocus(Qt.MouseFocusReason);
                        root.chosen(tab.index);
                    }
                }
            }
        }
    }
}
