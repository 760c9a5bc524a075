// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// A surface with a head of 36: title, note, actions at the right. Content is placed below the head; `padding` 0 for tables and lists.
/// `error`: shown in place of the content, with Try again (`retry`). `busy`: content stays, "updating" joins the note after 1 s.
FocusScope {
    id: root

    property string title: ""
    property string note: ""
    property bool busy: false
    property string error: ""
    property real padding: 12
    property real headHeight: root.title === "" ? 0 : Theme.cardHeadHeight
    property alias actions: actionRow.data
    default property alias content: body.data
    readonly property alias contentItem: body

    signal retry

    implicitWidth: 200
    implicitHeight: root.headHeight + body.childrenRect.height + 2 * root.padding
    Accessible.role: Accessible.Grouping
    Accessible.name: root.title

    Rectangle {
        anchors.fill: parent
        radius: 6
        color: Theme.panel
        border.color: Theme.line
    }
    Row {
        id: head

        visible: root.title !== ""
        x: 12
        height: root.headHeight
        width: Math.max(0, root.width - 24 - actionRow.width)
        spacing: 8

        Label {
            id: titleLabel

            text: root.title
            size: Theme.bodySize
            weight: Font.DemiBold
            height: parent.height
            width: Math.min(implicitWidth, head.width)
            Accessible.role: Accessible.Heading
        }
        Label {
            text: slow.late && root.busy ? (root.note === "" ? qsTr("updating") : root.note + ", " + qsTr("updating")) : root.note
            level: 3
            height: parent.height
            width: Math.max(0, Math.min(implicitWidth, head.width - titleLabel.width - 8))
            visible: text !== "" && width > 20
        }
    }
    Row {
        id: actionRow

        anchors.right: parent.right
        anchors.rightMargin: 8
        y: (root.headHeight - height) / 2
        spacing: 4
    }
    Item {
        id: body

        x: root.padding
        y: root.headHeight + (root.title === "" ? root.padding : 0)
        width: root.width - 2 * root.padding
        height: root.height - y - root.padding
        visible: root.error === ""
    }
    Column {
        visible: root.error !== ""
        anchors.centerIn: parent
        width: Math.min(parent.width - 32, 420)
        spacing: 12

        Label {
            width: parent.width
            text: root.error
            wrapMode: Text.Wrap
            horizontalAlignment: Text.AlignHCenter
            color: Theme.failed
        }
        Button {
            anchors.horizontalCenter: parent.horizontalCenter
            text: qsTr("Try again")
            iconName: "refresh"
            onClicked: root.retry()
        }
    }
    Timer {
        id: slow

        property bool late: false

        interval: 1000
        running: root.busy
        onTriggered: slow.late = true
        onRunningChanged: {
            if (slow.running)
                slow.late = false;
        }
    }
}
