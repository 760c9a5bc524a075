// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// A speedup with its verdict: triangle up is better, down is worse, equals inside the noise, whatever the sign of the number.
Row {
    id: root

    property real factor: 1 ///< old latency / new latency; 0 = missing
    property string text: root.factor > 0 ? Format.speedup(root.factor) : Format.missing()
    property string suffix: "" ///< " faster"
    property int size: Theme.tableSize
    property int weight: Font.Medium
    property bool estimate: false
    readonly property string verdict: root.factor > 0 ? Format.verdict(root.factor) : "same"
    readonly property color ink: root.verdict === "better" ? Theme.better : root.verdict === "worse" ? Theme.worse : Theme.neutral

    spacing: 4
    Accessible.role: Accessible.StaticText
    Accessible.name: root.factor > 0 ? qsTr("%1, %2").arg(root.text).arg(root.verdict) : qsTr("no value")

    Icon {
        name: root.verdict === "better" ? "up" : root.verdict === "worse" ? "down" : "same"
        visible: root.factor > 0
        color: root.ink
        size: root.size <= 12 ? 8 : 9
        anchors.verticalCenter: parent.verticalCenter
    }
    Label {
        text: root.text + root.suffix
        color: root.factor > 0 ? root.ink : Theme.text3
        size: root.size
        weight: root.weight
        font.italic: root.estimate
        anchors.verticalCenter: parent.verticalCenter
    }
}
