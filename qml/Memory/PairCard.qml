// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// The slow or the fast attempt of an experience: which, its latency, and the lines that differ most.
Rectangle {
    id: root

    property bool fast: false
    property string name
    property string latency
    property bool estimate: false
    required property SourceModel source
    property double attempt: 0
    readonly property color ink: root.fast ? Theme.better : Theme.worse
    readonly property real lineHeight: Math.round(17 * Theme.scale)

    implicitHeight: Math.round(32 * Theme.scale) + Math.max(3, root.source.count) * root.lineHeight + 14
    color: Theme.sunken
    radius: 4
    border.color: Theme.line
    Accessible.role: Accessible.Grouping
    Accessible.name: (root.fast ? qsTr("Fast") : qsTr("Slow")) + ", " + root.name + ", " + root.latency

    Rectangle {
        width: 3
        height: parent.height
        color: root.ink
    }
    Item {
        id: head

        x: 14
        width: parent.width - 24
        height: Math.round(32 * Theme.scale)

        Row {
            height: parent.height
            spacing: 7

            Icon {
                name: root.fast ? "up" : "down"
                size: 8
                color: root.ink
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: root.fast ? qsTr("Fast") : qsTr("Slow")
                weight: Font.DemiBold
                height: parent.height
            }
            Label {
                id: link

                text: root.name
                height: parent.height
                color: Theme.accent
                font.underline: linkHover.hovered || link.activeFocus
                activeFocusOnTab: true
                Accessible.role: Accessible.Link
                Accessible.name: qsTr("Show %1").arg(root.name)
                Accessible.onPressAction: Session.showAttempt(root.attempt)
                Keys.onReturnPressed: Session.showAttempt(root.attempt)
                Keys.onSpacePressed: Session.showAttempt(root.attempt)

                HoverHandler {
                    id: linkHover

                    cursorShape: Qt.PointingHandCursor
                }
                TapHandler {
                    onTapped: Session.showAttempt(root.attempt)
                }
            }
        }
        Label {
            anchors.right: parent.right
            height: parent.height
            text: root.latency
            weight: Font.DemiBold
            font.italic: root.estimate
            color: root.estimate ? Theme.estimate : Theme.text
        }
    }
    HLine {
        y: head.height
        x: 3
        width: parent.width - 3
    }
    Column {
        x: 3
        y: head.height + 7
        width: parent.width - 4

        Repeater {
            model: root.source

            CodeRow {
                required code

                required property string display
                required property bool changed

                width: parent.width
                digits: 0
                fontSize: 11
                ground: changed ? (root.fast ? "added" : "removed") : "sunken"
                Accessible.role: Accessible.StaticText
                Accessible.name: display
            }
        }
    }
    Label {
        visible: root.source.count === 0
        x: 14
        y: head.height + 10
        width: parent.width - 28
        text: qsTr("no line differs here")
        level: 3
    }
}
