// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Where both attempts stand under the roof of the hardware.
Card {
    id: root

    required property CompareController pair
    readonly property bool known: root.pair.bandwidth > 0 && (root.pair.pointA.length > 0 || root.pair.pointB.length > 0)

    title: qsTr("Roofline")
    note: qsTr("GFLOP/s over FLOP per HBM byte")
    padding: 8

    RooflinePlot {
        anchors.fill: parent
        visible: root.known
        bandwidth: root.pair.bandwidth
        peakFlops: root.pair.peakFlops
        peakName: root.pair.peakName
        a: root.pair.pointA
        b: root.pair.pointB
        Accessible.role: Accessible.Graphic
        Accessible.name: root.known ? qsTr("Roofline: A and B under %1").arg(root.pair.peakName) : ""
    }
    Label {
        visible: !root.known
        anchors.centerIn: parent
        width: parent.width - 24
        wrapMode: Text.Wrap
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("Without HBM traffic in a profile there is no place under the roof.")
        level: 3
    }
}
