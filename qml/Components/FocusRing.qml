// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// The ring of the focused control: 2 px, 3 px outside of it. Place it in the control's background or beside its content.
Rectangle {
    id: root

    required property Item control
    property bool shown: root.control.activeFocus
    property real corner: 5

    anchors.fill: parent
    anchors.margins: -3
    radius: root.corner + 3
    color: "transparent"
    border.width: 2
    border.color: Theme.focus
    visible: root.shown
}
