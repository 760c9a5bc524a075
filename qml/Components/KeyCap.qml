// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio

/// A shortcut in one cap ("Ctrl K"), or one cap a key when `split`.
Row {
    id: root

    property string sequence
    property bool split: false
    property color tint: Theme.text3
    property color edge: Theme.lineStrong
    readonly property list<string> caps: root.sequence === "" ? [] : root.split ? Commands.keyCaps(root.sequence) : [Commands.keyCaps(root.sequence).join(" ")]

    spacing: 4
    visible: root.sequence !== ""
    Accessible.ignored: true

    Repeater {
        model: root.caps

        Rectangle {
            id: cap

            required property string modelData

            width: Math.max(height, capText.implicitWidth + 8)
            height: Math.round(17 * Theme.scale)
            radius: 3
            color: "transparent"
            border.color: root.edge

            Text {
                id: capText

                anchors.centerIn: parent
                text: cap.modelData
                color: root.tint
                font.family: Theme.sans
                font.pixelSize: Theme.smallSize
                textFormat: Text.PlainText
            }
        }
    }
}
