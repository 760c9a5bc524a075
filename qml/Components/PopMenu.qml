// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// A menu of MenuEntry items. Arrows move, Enter chooses, Esc closes.
T.Menu {
    id: root

    implicitWidth: Math.max(180, contentItem.implicitWidth + 8)
    implicitHeight: contentItem.implicitHeight + 8
    padding: 4
    overlap: 0

    background: Rectangle {
        radius: 8
        color: Theme.panel
        border.color: Theme.dialogEdge

        Shade {}
    }
    contentItem: ListView {
        implicitHeight: contentHeight
        implicitWidth: 200
        model: root.contentModel
        interactive: false
        currentIndex: root.currentIndex
    }
    delegate: MenuEntry {}
}
