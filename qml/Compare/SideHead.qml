// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// The head of one side: letter, which attempt, its commit, latency and fraction of peak.
Item {
    id: root

    property string letter
    property bool filled: false ///< B is filled, A is an outline, as in every plot
    property string name
    property string commit
    property string latency
    property string fraction
    property bool estimate: false
    property list<string> choices
    property int choice: -1
    property bool tight: false

    signal chosen(int index)

    implicitHeight: Math.round(36 * Theme.scale)

    Rectangle {
        id: badge

        width: Math.round(19 * Theme.scale)
        height: width
        radius: 3
        anchors.verticalCenter: parent.verticalCenter
        color: root.filled ? Theme.accent : "transparent"
        border.width: root.filled ? 0 : 1.6
        border.color: Theme.text
        Accessible.ignored: true

        Label {
            anchors.centerIn: parent
            text: root.letter
            weight: Font.DemiBold
            color: root.filled ? Theme.onAccent : Theme.text
        }
    }
    Select {
        id: chooser

        x: badge.width + 8
        width: Math.round((root.tight ? 142 : 158) * Theme.scale)
        anchors.verticalCenter: parent.verticalCenter
        name: qsTr("Attempt %1").arg(root.letter)
        options: root.choices
        currentIndex: root.choice
        displayText: root.name
        enabled: root.choices.length > 0
        onChosen: (index) => root.chosen(index)
        Component.onCompleted: popup.width = Qt.binding(() => Math.round(270 * Theme.scale))
    }
    Mono {
        visible: !root.tight
        x: chooser.x + chooser.width + 10
        width: Math.max(0, values.x - x - 8)
        height: parent.height
        text: root.commit
        level: 3
        elide: Text.ElideRight
    }
    Row {
        id: values

        anchors.right: parent.right
        height: parent.height
        spacing: 10

        Label {
            height: parent.height
            text: root.latency
            weight: Font.DemiBold
            font.italic: root.estimate
            color: root.estimate ? Theme.estimate : Theme.text
        }
        Label {
            height: parent.height
            text: root.fraction === Format.missing() ? "" : root.tight ? root.fraction : qsTr("%1 of peak").arg(root.fraction)
            level: 2
            font.italic: root.estimate
        }
    }
}
