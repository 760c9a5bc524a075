// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import QtQml.Models
import AccelOpt.Studio

/// A virtual table: fixed head with sorting, column widths by drag, keyboard, copy as tab-separated text, empty and filtered-to-nothing states.
///
///     Table {
///         id: grid                                          // not "table": a cell has a property of that name
///         model: rows                                       // a QAbstractTableModel; the current row follows moves and layout changes
///         columns: [ TableColumn { index: 0; title: qsTr("Problem"); fill: true }, … ]
///         delegate: DelegateChooser { DelegateChoice { column: 0; TableCell { table: grid; required property string display; text: display } } … }
///         onSortRequested: (column, descending, extend) => rows.sortBy(column, descending, extend)
///         onActivated: (row) => …                            // Enter or double click
///     }
/// Keys: arrows, Page, Home, End move; Enter activates; Space ticks (`tickable`); Ctrl+A ticks all; Ctrl+C copies ticked or current rows.
FocusScope {
    id: root

    property var model: null ///< a QAbstractItemModel*
    property list<TableColumn> columns
    property Component delegate
    property real rowHeight: Theme.rowHeight
    property bool growRows: false ///< rows grow to 36 where all of them fit
    property string name ///< for readers
    property int sortColumn: -1
    property bool sortDescending: false
    property bool tickable: false
    property list<int> tickedRows
    property bool loading: false
    property bool filtered: false ///< the model is narrowed: an empty table says so
    property string filteredText: qsTr("Nothing matches.")
    property Item emptyItem: null ///< shown below the head while the model is empty and not filtered
    readonly property int rows: view.rows
    readonly property int currentRow: selection.currentIndex.row
    property int hoveredRow: -1
    readonly property int firstShownColumn: {
        for (let i = 0; i < root.columns.length; ++i) {
            if (root.columns[i].shown)
                return root.columns[i].index;
        }
        return 0;
    }
    readonly property alias view: view
    readonly property real effectiveRowHeight: root.growRows && view.rows > 0 ? Math.max(root.rowHeight, Math.min(Math.round(36 * Theme.scale), Math.floor(body.height / view.rows))) : root.rowHeight

    signal sortRequested(int column, bool descending, bool extend)
    signal activated(int row)
    signal currentChanged(int row) ///< by the user
    signal ticked(list<int> rows)
    signal clearFilters
    signal columnsChangedByUser

    function columnOf(index: int): TableColumn {
        for (let i = 0; i < root.columns.length; ++i) {
            if (root.columns[i].index === index)
                return root.columns[i];
        }
        return null;
    }
    function isRight(index: int): bool {
        const column = root.columnOf(index);
        return column !== null && column.right;
    }
    /// Width of a column as laid out; 0 for a hidden one.
    function widthOf(index: int): real {
        const column = root.columnOf(index);
        if (column === null || !column.shown)
            return 0;
        const base = Math.round(column.width * Theme.scale);
        if (!column.fill)
            return base;
        let others = 0;
        let fills = 0;
        for (let i = 0; i < root.columns.length; ++i) {
            const each = root.columns[i];
            if (!each.shown)
                continue;
            if (each.fill)
                ++fills;
            else
                others += Math.round(each.width * Theme.scale);
        }
        return Math.max(base, Math.floor((root.width - others) / Math.max(1, fills)));
    }
    function shownColumns(): list<int> {
        const shown = [];
        for (let i = 0; i < root.columns.length; ++i) {
            if (root.columns[i].shown)
                shown.push(root.columns[i].index);
        }
        return shown;
    }
    function select(row: int) {
        if (!root.model || row < 0 || row >= view.rows)
            return;
        selection.setCurrentIndex(TableTools.index(root.model, row), ItemSelectionModel.NoUpdate);
        view.positionViewAtRow(row, TableView.Contain);
    }
    function clearCurrent() {
        selection.clearCurrentIndex();
    }
    function move(row: int) {
        const bounded = Math.max(0, Math.min(view.rows - 1, row));
        if (bounded === root.currentRow || view.rows === 0)
            return;
        root.select(bounded);
        root.currentChanged(bounded);
    }
    function tick(row: int) {
        if (!root.tickable || row < 0)
            return;
        const now = Array.from(root.tickedRows);
        const at = now.indexOf(row);
        if (at >= 0)
            now.splice(at, 1);
        else
            now.push(row);
        root.tickedRows = now;
        root.ticked(now);
    }
    function copy() {
        const chosen = root.tickedRows.length > 0 ? Array.from(root.tickedRows).sort((a, b) => a - b) : root.currentRow >= 0 ? [root.currentRow] : [];
        Session.copyToClipboard(TableTools.tsv(root.model, chosen, root.shownColumns()), chosen.length === 1 ? qsTr("Row") : qsTr("Rows"));
    }
    function headClicked(column: TableColumn, extend: bool) {
        if (!column.sortable)
            return;
        const descending = root.sortColumn === column.index ? !root.sortDescending : column.right;
        root.sortColumn = column.index;
        root.sortDescending = descending;
        root.sortRequested(column.index, descending, extend);
    }

    activeFocusOnTab: true
    Accessible.role: Accessible.Table
    Accessible.name: root.name

    onWidthChanged: Qt.callLater(view.forceLayout)
    onColumnsChanged: Qt.callLater(view.forceLayout)
    onEffectiveRowHeightChanged: Qt.callLater(view.forceLayout)

    Keys.onPressed: (event) => {
        const page = Math.max(1, Math.floor(body.height / root.effectiveRowHeight) - 1);
        event.accepted = true;
        if (event.matches(StandardKey.Copy))
            root.copy();
        else if (event.key === Qt.Key_Up)
            root.move(root.currentRow - 1);
        else if (event.key === Qt.Key_Down)
            root.move(root.currentRow + 1);
        else if (event.key === Qt.Key_PageUp)
            root.move(root.currentRow - page);
        else if (event.key === Qt.Key_PageDown)
            root.move(root.currentRow + page);
        else if (event.key === Qt.Key_Home)
            root.move(0);
        else if (event.key === Qt.Key_End)
            root.move(view.rows - 1);
        else if ((event.key === Qt.Key_Return || event.key === Qt.Key_Enter) && event.modifiers === Qt.NoModifier && root.currentRow >= 0)
            root.activated(root.currentRow);
        else if (event.key === Qt.Key_Space && root.tickable)
            root.tick(root.currentRow);
        else
            event.accepted = false;
    }

    ItemSelectionModel {
        id: selection

        model: root.model
    }

    Item {
        id: head

        width: root.width
        height: Theme.headHeight
        clip: true

        Row {
            x: -view.contentX
            height: parent.height

            Repeater {
                model: root.columns

                Item {
                    id: headCell

                    required property TableColumn modelData
                    readonly property bool sorted: root.sortColumn === headCell.modelData.index

                    width: root.widthOf(headCell.modelData.index)
                    height: head.height
                    visible: headCell.modelData.shown
                    activeFocusOnTab: headCell.modelData.sortable && headCell.modelData.title !== ""
                    Accessible.role: Accessible.ColumnHeader
                    Accessible.name: headCell.modelData.title + (headCell.sorted ? (root.sortDescending ? ", " + qsTr("sorted, largest first") : ", " + qsTr("sorted, smallest first")) : "")
                    Accessible.onPressAction: root.headClicked(headCell.modelData, false)

                    Keys.onReturnPressed: (event) => root.headClicked(headCell.modelData, (event.modifiers & Qt.ShiftModifier) !== 0)

                    Rectangle {
                        anchors.fill: parent
                        color: headHover.hovered && headCell.modelData.sortable ? Theme.hover : "transparent"
                        border.width: headCell.activeFocus ? 2 : 0
                        border.color: Theme.focus
                    }
                    Row {
                        x: headCell.modelData.right ? headCell.width - width - 8 : 12
                        height: parent.height
                        spacing: 3

                        Label {
                            text: headCell.modelData.title
                            color: Theme.text2
                            weight: Font.Medium
                            height: parent.height
                            width: Math.min(implicitWidth, headCell.width - 18)
                        }
                        Icon {
                            visible: headCell.sorted
                            name: root.sortDescending ? "down" : "up"
                            size: 8
                            color: Theme.text
                            anchors.verticalCenter: parent.verticalCenter
                        }
                    }
                    Label {
                        visible: headCell.modelData.endTitle !== ""
                        text: headCell.modelData.endTitle
                        level: 3
                        size: Theme.smallSize
                        height: parent.height
                        anchors.right: parent.right
                        anchors.rightMargin: 8
                    }
                    HoverHandler {
                        id: headHover
                    }
                    TapHandler {
                        acceptedModifiers: Qt.NoModifier
                        onTapped: root.headClicked(headCell.modelData, false)
                    }
                    TapHandler {
                        acceptedModifiers: Qt.ShiftModifier
                        onTapped: root.headClicked(headCell.modelData, true)
                    }
                    Item {
                        width: 7
                        height: parent.height
                        x: headCell.width - 4
                        z: 2

                        HoverHandler {
                            cursorShape: Qt.SplitHCursor
                        }
                        DragHandler {
                            target: null
                            yAxis.enabled: false
                            property real before: 0

                            onActiveChanged: {
                                if (active)
                                    before = headCell.modelData.width;
                                else
                                    root.columnsChangedByUser();
                            }
                            onActiveTranslationChanged: {
                                if (active) {
                                    headCell.modelData.width = Math.max(headCell.modelData.minimumWidth, before + activeTranslation.x / Theme.scale);
                                    view.forceLayout();
                                }
                            }
                        }
                    }
                }
            }
        }
        HLine {
            anchors.bottom: parent.bottom
            width: parent.width
        }
    }
    Item {
        id: body

        y: head.height
        width: root.width
        height: root.height - head.height

        TableView {
            id: view

            anchors.fill: parent
            clip: true
            model: root.model
            delegate: root.delegate
            reuseItems: true
            boundsBehavior: Flickable.StopAtBounds
            keyNavigationEnabled: false
            pointerNavigationEnabled: false
            rowHeightProvider: (row) => root.effectiveRowHeight
            columnWidthProvider: (column) => root.widthOf(column)
            T.ScrollBar.vertical: ScrollMark {}
            T.ScrollBar.horizontal: ScrollMark {}

            HoverHandler {
                id: hover

                onPointChanged: {
                    const cell = view.cellAtPosition(hover.point.position, true);
                    root.hoveredRow = hover.hovered ? cell.y : -1;
                }
                onHoveredChanged: {
                    if (!hover.hovered)
                        root.hoveredRow = -1;
                }
            }
            TapHandler {
                id: tap

                onTapped: (point) => {
                    root.forceActiveFocus(Qt.MouseFocusReason);
                    const row = view.cellAtPosition(point.position, true).y;
                    if (row < 0)
                        return;
                    if (root.tickable && (tap.point.modifiers & Qt.ControlModifier))
                        root.tick(row);
                    if (row !== root.currentRow) {
                        root.select(row);
                        root.currentChanged(row);
                    }
                }
                onDoubleTapped: (point) => {
                    const row = view.cellAtPosition(point.position, true).y;
                    if (row >= 0)
                        root.activated(row);
                }
            }
        }
        Rectangle {
            anchors.fill: parent
            anchors.margins: 2
            visible: root.activeFocus && root.currentRow < 0
            color: "transparent"
            border.width: 2
            border.color: Theme.focus
            radius: 4
        }
        Column {
            visible: root.filtered && view.rows === 0 && !root.loading
            anchors.centerIn: parent
            spacing: 10

            Label {
                text: root.filteredText
                level: 2
                size: Theme.bodySize
                anchors.horizontalCenter: parent.horizontalCenter
            }
            Button {
                text: qsTr("Clear filters")
                anchors.horizontalCenter: parent.horizontalCenter
                onClicked: root.clearFilters()
            }
        }
        Item {
            id: emptyPlace

            anchors.fill: parent
            visible: !root.filtered && view.rows === 0 && !root.loading
            children: root.emptyItem ? [root.emptyItem] : []
        }
    }
}
