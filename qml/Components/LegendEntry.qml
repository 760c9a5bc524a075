// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio

/// One entry of a legend: a short line (solid, dashed) and a name.
Row {
    id: root

    property color color: Theme.text
    property bool dashed: false
    property real thickness: 1.4
    property string text

    spacing: 6
    height: Math.round(18 * Theme.scale)

    Item {
        width: 18
        height: parent.height

        Repeater {
            model: root.dashed ? 3 : 1

            Rectangle {
                id: part

                required property int index

                x: root.dashed ? part.index * 6.5 : 0
                width: root.dashed ? 4.5 : 18
                height: root.thickness
                color: root.color
                anchors.verticalCenter: parent?.verticalCenter
            }
        }
    }
    Label {
        text: root.text
        level: 2
        height: parent.height
    }
}
