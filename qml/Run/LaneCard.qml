// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// What runs now, a group for each model and host.
Card {
    id: root

    property bool dense: false
    readonly property list<int> windows: [60, 600, 3600]
    readonly property real labelWidth: Math.round(Math.min(150, root.width * 0.24))
    readonly property real rateWidth: 92

    title: qsTr("Lanes")
    note: Session.runActive ? qsTr("last %1").arg(lanes.seconds === 3600 ? qsTr("hour") : lanes.seconds === 600 ? qsTr("10 min") : qsTr("minute")) : qsTr("when the run last worked")
    padding: 0
    actions: Segmented {
        name: qsTr("Window of the lanes")
        options: [qsTr("1 min"), qsTr("10 min"), qsTr("1 h")]
        currentIndex: root.windows.indexOf(lanes.seconds)
        onChosen: (index) => lanes.seconds = root.windows[index]
    }

    LaneModel {
        id: lanes

        seconds: 600
    }
    ListView {
        id: list

        width: parent.width
        height: parent.height - ticks.height - legend.height - 14
        clip: true
        model: lanes
        boundsBehavior: Flickable.StopAtBounds
        activeFocusOnTab: true
        focus: true
        T.ScrollBar.vertical: ScrollMark {}
        Accessible.role: Accessible.List
        Accessible.name: root.title

        FocusRing {
            control: list
            anchors.margins: 2
        }

        delegate: Item {
            id: lane

            required property string name
            required property string icon
            required property string detail
            required property string rate
            required property string note
            required property int rows
            required property var spans
            required property bool estimate

            width: list.width
            height: Math.max(Math.round(44 * Theme.scale), root.dense ? 0 : Math.min(lane.rows * 6 + 14, 160))
            Accessible.role: Accessible.ListItem
            Accessible.name: lane.name + ", " + lane.detail + ", " + lane.rate + ", " + lane.note

            Icon {
                x: 12
                y: 9
                name: lane.icon
            }
            Label {
                x: 34
                y: 5
                height: 18
                width: root.labelWidth - 30
                text: lane.name
                weight: Font.DemiBold
            }
            Label {
                x: 34
                y: 22
                height: 16
                width: root.labelWidth - 30
                text: lane.detail
                level: 3
                size: Theme.smallSize
            }
            Lanes {
                x: root.labelWidth + 12
                y: 7
                width: parent.width - x - root.rateWidth - 12
                height: parent.height - 14
                spans: lane.spans
                rows: lane.rows
                seconds: lanes.seconds
            }
            Label {
                anchors.right: parent.right
                anchors.rightMargin: 12
                y: 5
                height: 18
                text: lane.rate
                weight: Font.DemiBold
            }
            Label {
                anchors.right: parent.right
                anchors.rightMargin: 12
                y: 22
                height: 16
                text: lane.note
                color: lane.estimate ? Theme.estimate : Theme.text3
                font.italic: lane.estimate
                size: Theme.smallSize
            }
            HLine {
                anchors.bottom: parent.bottom
                width: parent.width
                opacity: 0.6
            }
        }
    }
    Label {
        visible: list.count === 0
        anchors.centerIn: list
        text: qsTr("Model calls and evaluations appear here while the run works.")
        level: 3
    }
    Item {
        id: ticks

        x: root.labelWidth + 12
        y: list.height + 2
        width: parent.width - x - root.rateWidth - 12
        height: Math.round(18 * Theme.scale)
        visible: list.count > 0

        Repeater {
            model: lanes.ticks

            Label {
                required property string modelData
                required property int index

                x: index === 0 ? 0 : index === 4 ? ticks.width - width : ticks.width * index / 4 - width / 2
                height: ticks.height
                text: modelData
                level: 3
                size: Theme.smallSize
            }
        }
    }
    Flow {
        id: legend

        x: 12
        anchors.bottom: parent.bottom
        anchors.bottomMargin: 8
        width: parent.width - 24
        spacing: 14

        component Mark: Row {
            id: mark

            property color color
            property bool hollow: false
            property string text

            spacing: 6

            Rectangle {
                width: 16
                height: 7
                anchors.verticalCenter: parent.verticalCenter
                color: mark.hollow ? "transparent" : mark.color
                border.color: mark.color
            }
            Label {
                text: mark.text
                level: 2
                size: Theme.smallSize
            }
        }

        Mark {
            color: Theme.barBase
            text: qsTr("model call")
        }
        Mark {
            color: Theme.estimate
            text: qsTr("simulated")
        }
        Mark {
            color: Theme.accent
            text: qsTr("under way")
        }
        Mark {
            color: Theme.failed
            hollow: true
            text: qsTr("failed")
        }
    }
}
