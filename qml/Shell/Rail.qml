// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// The navigation rail: pages that exist, their counts, Settings at the bottom.
FocusScope {
    id: root

    property bool slim: false

    component Entry: FocusScope {
        id: entry

        required property string pageName
        required property string title
        required property string iconName
        property string count: ""
        property string commandId: "page." + entry.pageName
        readonly property bool current: Session.page === entry.pageName

        width: root.width
        height: Math.round(32 * Theme.scale)
        activeFocusOnTab: true
        Accessible.role: Accessible.PageTab
        Accessible.name: entry.count === "" ? entry.title : entry.title + ", " + entry.count
        Accessible.selected: entry.current
        Accessible.onPressAction: Session.go(entry.pageName)

        Keys.onReturnPressed: Session.go(entry.pageName)
        Keys.onSpacePressed: Session.go(entry.pageName)

        Rectangle {
            visible: entry.current
            width: 3
            height: parent.height - 12
            y: 6
            radius: 1
            color: Theme.accent
        }
        Rectangle {
            x: 6
            y: 1
            width: parent.width - 12
            height: parent.height - 2
            radius: 5
            color: entry.current ? Theme.railCurrent : hover.hovered ? Theme.hover : "transparent"

            FocusRing {
                control: entry
                anchors.margins: -1
            }
        }
        Icon {
            x: root.slim ? (parent.width - width) / 2 : 15
            anchors.verticalCenter: parent.verticalCenter
            name: entry.iconName
            size: 14
            color: entry.current ? Theme.text : Theme.text2
        }
        Label {
            visible: !root.slim
            x: 38
            width: parent.width - x - (countLabel.visible ? countLabel.width + 18 : 14)
            height: parent.height
            text: entry.title
            size: Theme.bodySize
            weight: entry.current ? Font.DemiBold : Font.Normal
            color: entry.current ? Theme.text : Theme.text2
        }
        Label {
            id: countLabel

            visible: !root.slim && entry.count !== ""
            anchors.right: parent.right
            anchors.rightMargin: 14
            height: parent.height
            text: entry.count
            level: 2
        }
        HoverHandler {
            id: hover
        }
        TapHandler {
            onTapped: Session.go(entry.pageName)
        }
        Tip {
            shown: hover.hovered && root.slim
            text: entry.title
            shortcut: Commands.shortcutOf(entry.commandId)
            x: root.width
            y: 2
        }
    }

    width: root.slim ? Theme.slimRailWidth : Math.round(Theme.railWidth * (0.4 + 0.6 * Theme.scale))
    Accessible.role: Accessible.PageTabList
    Accessible.name: qsTr("Pages")

    Keys.onUpPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
    Keys.onDownPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)

    Rectangle {
        anchors.fill: parent
        color: Theme.chrome
    }
    Rectangle {
        anchors.right: parent.right
        width: 1
        height: parent.height
        color: Theme.line
    }
    Column {
        y: 8
        width: parent.width

        Entry {
            pageName: "overview"
            title: qsTr("Overview")
            iconName: "overview"
            focus: true
        }
        Entry {
            pageName: "run"
            title: qsTr("Run")
            iconName: "run"
        }
        Entry {
            pageName: "candidates"
            title: qsTr("Candidates")
            iconName: "candidates"
            count: RunFigures.attempts > 0 ? Format.count(RunFigures.attempts) : ""
        }
        Entry {
            pageName: "compare"
            title: qsTr("Compare")
            iconName: "compare"
        }
        Entry {
            pageName: "memory"
            title: qsTr("Memory")
            iconName: "memory"
            count: RunFigures.positive + RunFigures.negative > 0 ? Format.count(RunFigures.positive + RunFigures.negative) : ""
        }
        Entry {
            pageName: "reports"
            title: qsTr("Reports")
            iconName: "reports"
        }
    }
    Entry {
        anchors.bottom: parent.bottom
        anchors.bottomMargin: 8
        pageName: "settings"
        title: qsTr("Settings")
        iconName: "settings"
    }
}
