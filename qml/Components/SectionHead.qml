// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// A heading inside a card or form, with a note.
Row {
    id: root

    property string text
    property string note: ""

    spacing: 8
    height: Math.round(24 * Theme.scale)

    Label {
        text: root.text
        size: Theme.bodySize
        weight: Font.DemiBold
        height: parent.height
        Accessible.role: Accessible.Heading
    }
    Label {
        text: root.note
        level: 3
        height: parent.height
        visible: root.note !== ""
    }
}
