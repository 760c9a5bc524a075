// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio

/// The base of a Table's delegates: ground of the row, hairline, text. Leave `text` empty and put children in for more than text.
/// In a DelegateChoice: TableCell { table: theTable } with `required property` of the roles it needs.
Item {
    id: root

    required property int row
    required property int column
    required property Table table
    property string text: ""
    property int weight: Font.Normal
    property int level: root.column === 0 ? 1 : 2
    property color color: root.level === 1 ? Theme.text : root.level === 2 ? Theme.text2 : Theme.text3
    property bool mono: false
    property bool italic: false
    readonly property bool current: root.table.currentRow === root.row
    readonly property bool ticked: root.table.tickedRows.includes(root.row)
    readonly property bool alignRight: root.table.isRight(root.column)

    implicitHeight: Theme.rowHeight
    implicitWidth: 100
    Accessible.role: Accessible.Cell
    Accessible.name: root.text
    Accessible.selected: root.current

    Rectangle {
        anchors.fill: parent
        color: root.current || root.ticked ? Theme.selected : root.table.hoveredRow === root.row ? Theme.hover : "transparent"
    }
    Rectangle {
        visible: root.current && root.table.firstShownColumn === root.column
        width: 3
        height: parent.height
        color: Theme.accent
    }
    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: 1
        color: Theme.line
        opacity: 0.5
    }
    Text {
        id: label

        visible: root.text !== ""
        x: 12
        width: root.width - (root.alignRight ? 20 : 16)
        height: root.height
        text: root.text
        color: root.color
        font.family: root.mono ? Theme.mono : Theme.sans
        font.pixelSize: root.mono ? Theme.snippetSize : Theme.tableSize
        font.weight: root.weight
        font.italic: root.italic
        font.features: ({ "tnum": 1 })
        textFormat: Text.PlainText
        elide: Text.ElideRight
        verticalAlignment: Text.AlignVCenter
        horizontalAlignment: root.alignRight ? Text.AlignRight : Text.AlignLeft

        HoverHandler {
            id: cellHover

            enabled: label.truncated
        }
        Tip {
            shown: cellHover.hovered
            text: root.text
        }
    }
}
