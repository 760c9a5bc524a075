// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtQuick.Templates as T
import AccelOpt.Studio

/// A card with a LineChart, its legend, "Show as table" and export. Put more actions in `extra`.
Card {
    id: root

    property ChartData chartData: null
    property alias chart: chart
    property bool asTable: false
    property alias extra: extraRow.data
    property alias legend: legendRow.data ///< entries below the plot

    signal seriesClicked(string name)

    padding: 12

    actions: [
        Row {
            id: extraRow

            spacing: 4
        },
        IconButton {
            id: more

            iconName: "more"
            text: qsTr("Chart menu")
            onClicked: menu.open()

            PopMenu {
                id: menu

                y: more.height + 2
                x: more.width - width

                MenuEntry {
                    text: root.asTable ? qsTr("Show as chart") : qsTr("Show as table")
                    iconName: root.asTable ? "profile" : "columns"
                    onTriggered: root.asTable = !root.asTable
                }
                MenuEntry {
                    text: qsTr("Fit")
                    iconName: "expand"
                    enabled: chart.zoomed
                    onTriggered: chart.fit()
                }
                MenuEntry {
                    text: qsTr("Export chart…")
                    iconName: "download"
                    onTriggered: exporter.active = true
                }
            }
        }
    ]

    Loader {
        id: exporter

        active: false
        sourceComponent: FileDialog {
            title: qsTr("Export chart")
            fileMode: FileDialog.SaveFile
            nameFilters: [qsTr("PNG picture (*.png)"), qsTr("SVG picture (*.svg)"), qsTr("CSV table (*.csv)")]
            visible: true
            onAccepted: {
                const problem = chart.exportTo(selectedFile);
                Session.notify(problem === "" ? "info" : "failed", problem === "" ? qsTr("Chart exported.") : problem);
                exporter.active = false;
            }
            onRejected: exporter.active = false
        }
    }

    LineChart {
        id: chart

        visible: !root.asTable
        width: parent.width
        height: parent.height - legendRow.height - 8
        chartData: root.chartData
        title: root.title
        Accessible.role: Accessible.Chart
        Accessible.name: root.title + (chart.hovering ? ", " + chart.hoverSeries + ", " + chart.hoverText : "")
        Accessible.description: qsTr("Arrow keys move between points. The menu shows it as a table.")

        Keys.onLeftPressed: chart.step(-1, 0)
        Keys.onRightPressed: chart.step(1, 0)
        Keys.onUpPressed: chart.step(0, 1)
        Keys.onDownPressed: chart.step(0, -1)
        Keys.onPressed: (event) => {
            if (event.key === Qt.Key_0 && event.modifiers === Qt.NoModifier) {
                chart.fit();
                event.accepted = true;
            } else if (event.key === Qt.Key_Return && chart.hovering) {
                root.seriesClicked(chart.hoverSeries);
                event.accepted = true;
            }
        }

        HoverHandler {
            id: hover

            onPointChanged: {
                if (hover.hovered)
                    chart.hoverAt(hover.point.position.x, hover.point.position.y);
            }
            onHoveredChanged: {
                if (!hover.hovered)
                    chart.leave();
            }
        }
        TapHandler {
            onTapped: (point) => {
                chart.forceActiveFocus(Qt.MouseFocusReason);
                const name = chart.clickedSeries(point.position.x, point.position.y);
                if (name !== "")
                    root.seriesClicked(name);
            }
            onDoubleTapped: chart.fit()
        }
        FocusRing {
            control: chart
        }
        Rectangle {
            visible: chart.hovering
            x: Math.min(chart.hoverPosition.x + 10, chart.width - width)
            y: Math.max(0, chart.hoverPosition.y - height - 8)
            width: hoverColumn.width + 16
            height: hoverColumn.height + 12
            radius: 5
            color: Theme.raised
            border.color: Theme.lineStrong

            Column {
                id: hoverColumn

                x: 8
                y: 6

                Label {
                    text: chart.hoverSeries
                    weight: Font.DemiBold
                }
                Label {
                    text: chart.hoverText
                    level: 2
                }
            }
        }
    }
    Flow {
        id: legendRow

        visible: !root.asTable
        anchors.bottom: parent.bottom
        width: parent.width
        spacing: 16
    }
    TableView {
        id: tableView

        visible: root.asTable
        anchors.fill: parent
        clip: true
        model: root.asTable ? root.chartData : null
        topMargin: Theme.headHeight
        boundsBehavior: Flickable.StopAtBounds
        rowHeightProvider: (row) => Theme.rowHeight
        columnWidthProvider: (column) => column === 0 ? 76 : 110
        T.ScrollBar.vertical: ScrollMark {}
        T.ScrollBar.horizontal: ScrollMark {}
        Accessible.role: Accessible.Table
        Accessible.name: root.title

        delegate: Item {
            id: cell

            required property string display

            implicitWidth: 100
            implicitHeight: Theme.rowHeight
            Accessible.role: Accessible.Cell
            Accessible.name: cell.display

            Label {
                anchors.fill: parent
                anchors.rightMargin: 10
                text: cell.display
                horizontalAlignment: Text.AlignRight
                level: 2
            }
        }
    }
    Row {
        visible: root.asTable
        x: -tableView.contentX
        height: Theme.headHeight

        Repeater {
            model: root.asTable && root.chartData ? tableView.columns : 0

            Label {
                required property int index

                width: index === 0 ? 76 : 110
                height: Theme.headHeight
                rightPadding: 10
                horizontalAlignment: Text.AlignRight
                text: TableTools.head(root.chartData, index)
                weight: Font.Medium
                level: 2
            }
        }
    }
}
