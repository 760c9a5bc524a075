// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// Long plain text in mono, to read and to copy from.
Flickable {
    id: root

    property string text
    property string emptyText

    contentWidth: width
    contentHeight: edit.height + 24
    clip: true
    boundsBehavior: Flickable.StopAtBounds
    T.ScrollBar.vertical: ScrollMark {}

    Label {
        visible: root.text === ""
        x: 14
        y: 14
        text: root.emptyText
        level: 3
    }
    TextEdit {
        id: edit

        x: 14
        y: 10
        width: root.width - 28
        visible: root.text !== ""
        // A page of half a megabyte helps nobody: the journal keeps the whole.
        text: root.text.length > 60000 ? root.text.slice(0, 60000) + "\n…" : root.text
        readOnly: true
        selectByMouse: true
        activeFocusOnTab: true
        color: Theme.text
        selectionColor: Theme.accent
        selectedTextColor: Theme.onAccent
        font.family: Theme.mono
        font.pixelSize: Theme.snippetSize
        wrapMode: TextEdit.Wrap
        textFormat: TextEdit.PlainText
        Accessible.role: Accessible.EditableText
        Accessible.name: qsTr("Prompt and reply")
    }
}
