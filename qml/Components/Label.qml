// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// Text of the window: table size, tabular digits, plain. `level` 1 to 3 chooses text, text2, text3.
Text {
    id: root

    property int level: 1
    property int size: Theme.tableSize
    property int weight: Font.Normal
    property bool estimate: false

    color: root.estimate ? Theme.estimate : root.level === 1 ? Theme.text : root.level === 2 ? Theme.text2 : Theme.text3
    font.family: Theme.sans
    font.pixelSize: root.size
    font.weight: root.weight
    font.italic: root.estimate
    font.features: ({ "tnum": 1 })
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
    elide: Text.ElideRight
    renderType: Text.QtRendering
}
