// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// All shortcuts that exist, searchable; a click on the key takes a new one.
FocusScope {
    id: root

    PageHead {
        id: head

        x: 16
        width: parent.width - 32
        title: qsTr("Shortcuts")
        note: qsTr("single letters work while no text field has the focus")

        Button {
            text: qsTr("Back")
            iconName: "cleft"
            kind: Button.Ghost
            enabled: Session.canGoBack
            onClicked: Session.back()
        }
        Button {
            text: qsTr("Standard keys")
            iconName: "undo"
            onClicked: Commands.resetShortcuts()
        }
    }
    Field {
        id: filter

        x: 16
        y: head.height
        width: 260
        focus: true
        iconName: "search"
        placeholderText: qsTr("Search commands and keys")
        clearable: true
    }
    Card {
        x: 16
        y: filter.y + filter.height + 12
        width: Math.min(parent.width - 32, 860)
        height: parent.height - y - 16
        padding: 0

        ListView {
            id: list

            anchors.fill: parent
            clip: true
            model: Commands
            boundsBehavior: Flickable.StopAtBounds
            activeFocusOnTab: true
            T.ScrollBar.vertical: ScrollMark {}
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Shortcuts")

            delegate: ShortcutRow {
                width: list.width
                filter: filter.text
            }
        }
    }
}
