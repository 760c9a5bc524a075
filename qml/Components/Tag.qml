// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// Icon and word of one meaning: better, worse, neutral, failed, quarantined, estimate, working. `bare`: without ground, for tables.
Rectangle {
    id: root

    property string meaning: "neutral"
    property string iconName: ""
    property string text
    property bool bare: false
    property bool quiet: false ///< the word in text2, only the icon in the colour of the meaning
    readonly property color ink: root.meaning === "better" ? Theme.better : root.meaning === "worse" ? Theme.worse : root.meaning === "failed" ? Theme.failed : root.meaning === "quarantined" ? Theme.quarantined : root.meaning === "estimate" ? Theme.estimate : root.meaning === "working" ? Theme.accent : Theme.neutral
    readonly property color ground: root.meaning === "better" ? Theme.betterGround : root.meaning === "worse" ? Theme.worseGround : root.meaning === "failed" ? Theme.failedGround : root.meaning === "quarantined" ? Theme.quarantinedGround : root.meaning === "estimate" ? Theme.estimateGround : root.meaning === "working" ? Theme.selected : Theme.neutralGround

    implicitWidth: row.implicitWidth + (root.bare ? 0 : 12)
    implicitHeight: Math.round(20 * Theme.scale)
    radius: 4
    color: root.bare ? "transparent" : root.ground
    Accessible.role: Accessible.StaticText
    Accessible.name: root.text

    DashedFrame {
        anchors.fill: parent
        visible: root.meaning === "estimate" && !root.bare
        color: root.ink
        radius: 4
    }
    Row {
        id: row

        anchors.verticalCenter: parent.verticalCenter
        x: root.bare ? 0 : 6
        spacing: 5

        Icon {
            visible: root.iconName !== ""
            name: root.iconName
            color: root.ink
            size: 12
            anchors.verticalCenter: parent.verticalCenter
        }
        Label {
            text: root.text
            color: root.quiet ? Theme.text2 : root.ink
            weight: root.bare ? Font.Normal : Font.Medium
            visible: root.text !== ""
            anchors.verticalCenter: parent.verticalCenter
        }
    }
}
