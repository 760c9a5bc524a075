// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// Which columns of a Table are shown.
T.Popup {
    id: root

    required property Table table

    width: 200
    height: list.height + 12
    padding: 6
    focus: true
    modal: false
    closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside

    background: Rectangle {
        radius: 8
        color: Theme.panel
        border.color: Theme.dialogEdge

        Shade {}
    }
    contentItem: FocusScope {
        focus: true

        Column {
            id: list

            width: parent.width

            Repeater {
                model: root.table.columns

                Check {
                    id: check

                    required property TableColumn modelData
                    required property int index

                    x: 6
                    text: check.modelData.title
                    checked: check.modelData.shown
                    enabled: check.modelData.hideable
                    focus: check.index === 0
                    onToggled: {
                        check.modelData.shown = check.checked;
                        root.table.view.forceLayout();
                        root.table.columnsChangedByUser();
                    }
                }
            }
        }
    }
}
