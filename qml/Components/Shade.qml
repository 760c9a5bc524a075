// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio

/// The one soft shadow of menus, palette and dialogs, without effects: rings that grow fainter, 6 px down.
Item {
    id: root

    property real corner: 8

    anchors.fill: parent
    z: -1

    Repeater {
        model: 6

        Rectangle {
            id: ring

            required property int index

            anchors.fill: parent
            anchors.margins: -(ring.index + 1)
            anchors.topMargin: -(ring.index + 1) + 6
            anchors.bottomMargin: -(ring.index + 1) - 6
            radius: root.corner + ring.index + 1
            color: Qt.rgba(0, 0, 0, Theme.shadow.a / 6)
        }
    }
}
