// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Text that goes somewhere: accent, underlined under the pointer, a button for the keyboard.
Label {
    id: root

    signal activated

    color: Theme.accent
    font.underline: hover.hovered || root.activeFocus
    activeFocusOnTab: true
    Accessible.role: Accessible.Link
    Accessible.name: root.text
    Accessible.onPressAction: root.activated()
    Keys.onReturnPressed: root.activated()

    HoverHandler {
        id: hover

        cursorShape: Qt.PointingHandCursor
    }
    TapHandler {
        onTapped: root.activated()
    }
}
