// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick

/// A column of a Table. `index` is the model's column.
QtObject {
    property int index: 0
    property string title
    property real width: 100
    property real minimumWidth: 48
    property bool fill: false ///< takes the room that is left
    property bool right: false ///< numbers
    property bool shown: true
    property bool sortable: true
    property bool hideable: true
    property string endTitle: "" ///< a second word at the right end of the head ("peak")
}
