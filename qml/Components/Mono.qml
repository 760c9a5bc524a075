// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// Monospace text: commit ids, paths, code.
Text {
    id: root

    property int level: 1

    color: root.level === 1 ? Theme.text : root.level === 2 ? Theme.text2 : Theme.text3
    font.family: Theme.mono
    font.pixelSize: Theme.snippetSize
    font.features: ({ "liga": 0, "calt": 0 })
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
    elide: Text.ElideMiddle
}
