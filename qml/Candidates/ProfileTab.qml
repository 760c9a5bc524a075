// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// The profile in words, and the lines that cost most.
Flickable {
    id: root

    required property AttemptDetail detail

    contentHeight: column.height + 24
    clip: true
    boundsBehavior: Flickable.StopAtBounds
    T.ScrollBar.vertical: ScrollMark {}

    Column {
        id: column

        x: 14
        y: 10
        width: root.width - 28

        Label {
            visible: root.detail.profile.count === 0
            text: qsTr("There is no profile: the kernel was not timed.")
            level: 3
        }
        Repeater {
            model: root.detail.profile

            Item {
                id: row

                required property string name
                required property string b

                width: column.width
                height: Theme.rowHeight

                Label {
                    text: row.name
                    level: 2
                    height: parent.height
                }
                Label {
                    anchors.right: parent.right
                    text: row.b
                    height: parent.height
                    weight: Font.Medium
                    font.italic: root.detail.estimate
                }
                HLine {
                    anchors.bottom: parent.bottom
                    width: parent.width
                    opacity: 0.5
                }
            }
        }
        Item {
            width: 1
            height: 14
        }
        Label {
            visible: root.detail.costLines.length > 0
            text: qsTr("Lines that cost most")
            weight: Font.DemiBold
            bottomPadding: 4
        }
        Repeater {
            model: Math.floor(root.detail.costLines.length / 4)

            Item {
                id: cost

                required property int index

                width: column.width
                height: Theme.rowHeight

                Label {
                    id: place

                    text: qsTr("line %1").arg(root.detail.costLines[4 * cost.index] ?? "")
                    level: 2
                    width: Math.round(58 * Theme.scale)
                    height: parent.height
                }
                Label {
                    id: engine

                    x: place.width
                    text: root.detail.costLines[4 * cost.index + 1] ?? ""
                    level: 2
                    width: Math.round(62 * Theme.scale)
                    height: parent.height
                }
                Mono {
                    x: place.width + engine.width
                    width: Math.max(0, cost.width - x - ms.width - 8)
                    height: parent.height
                    text: root.detail.costLines[4 * cost.index + 3] ?? ""
                    elide: Text.ElideRight
                    level: 2
                }
                Label {
                    id: ms

                    anchors.right: parent.right
                    text: root.detail.costLines[4 * cost.index + 2] ?? ""
                    height: parent.height
                    estimate: root.detail.estimate
                    color: Theme.text
                }
            }
        }
    }
}
