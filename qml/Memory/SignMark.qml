// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Plus in a circle: what made a kernel faster. Minus in a square: what made it slower.
Rectangle {
    id: root

    property bool positive: true
    property bool disabled: false
    readonly property color ink: root.disabled ? Theme.neutral : root.positive ? Theme.better : Theme.worse

    width: Math.round(20 * Theme.scale)
    height: width
    radius: root.positive ? width / 2 : 3
    color: root.disabled ? "transparent" : root.positive ? Theme.betterGround : Theme.worseGround
    border.width: 1.6
    border.color: root.ink
    Accessible.ignored: true

    Icon {
        anchors.centerIn: parent
        name: root.positive ? "plus" : "minus"
        color: root.ink
        size: 11
    }
}
