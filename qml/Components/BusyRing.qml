// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// The only thing that moves without an end: a 12 px ring.
Item {
    id: root

    property color color: Theme.text2

    width: 12
    height: 12
    Accessible.role: Accessible.Animation
    Accessible.name: qsTr("Working")

    Rectangle {
        anchors.fill: parent
        radius: 6
        color: "transparent"
        border.width: 1.5
        border.color: Theme.line
    }
    Rectangle {
        id: mark

        width: 4
        height: 4
        radius: 2
        color: root.color
        transformOrigin: Item.Center
        x: 4 + 5 * Math.cos(mark.angle)
        y: 4 + 5 * Math.sin(mark.angle)

        property real angle

        NumberAnimation on angle {
            running: root.visible && !Theme.reduceMotion
            from: 0
            to: 2 * Math.PI
            duration: 900
            loops: Animation.Infinite
        }
    }
}
