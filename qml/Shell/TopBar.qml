// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// Project, run and state, iteration with progress, time left, cost of budget, geomean; at the right the palette field and the notices.
FocusScope {
    id: root

    /// What fits: 1 leaves out the geomean and the budget meter, 2 also the time left.
    readonly property int narrow: root.width < 1180 * Theme.scale ? 1 : 0

    signal paletteRequested
    signal noticesRequested
    signal projectMenuRequested(Item from)

    component Divider: Rectangle {
        width: 1
        height: 20
        color: Theme.line
        anchors.verticalCenter: parent?.verticalCenter
    }

    height: Theme.topBarHeight
    Accessible.role: Accessible.ToolBar
    Accessible.name: qsTr("Run")

    Rectangle {
        anchors.fill: parent
        color: Theme.chrome
    }
    HLine {
        anchors.bottom: parent.bottom
        width: parent.width
    }

    T.AbstractButton {
        id: projectButton

        x: 6
        height: 32
        y: (root.height - height) / 2
        width: Math.min(logo.width + nameLabel.implicitWidth + (chevron.visible ? 40 : 24), 260)
        hoverEnabled: true
        focusPolicy: Qt.StrongFocus
        text: Session.hasProject ? qsTr("Project %1").arg(Session.projectName) : qsTr("AccelOpt Studio")
        Accessible.name: projectButton.text
        onClicked: {
            if (Session.hasProject)
                root.projectMenuRequested(projectButton);
        }
        Keys.onReturnPressed: projectButton.click()

        background: Rectangle {
            radius: 5
            color: projectButton.hovered && Session.hasProject ? Theme.hover : "transparent"

            FocusRing {
                control: projectButton
                shown: projectButton.visualFocus
                anchors.margins: 0
            }
        }
        contentItem: Item {
            Rectangle {
                id: logo

                x: 6
                width: 20
                height: 20
                radius: 4
                color: Theme.accent
                anchors.verticalCenter: parent.verticalCenter

                Repeater {
                    model: 3

                    Rectangle {
                        required property int index

                        x: 4 + index * 4.4
                        width: 3
                        height: 4 + index * 3.5
                        y: 15.5 - height
                        color: Theme.onAccent
                    }
                }
            }
            Label {
                id: nameLabel

                x: 34
                width: parent.width - x - (chevron.visible ? 18 : 0)
                height: parent.height
                text: Session.hasProject ? Session.projectName : qsTr("AccelOpt Studio")
                size: Theme.bodySize
                weight: Font.DemiBold
            }
            Icon {
                id: chevron

                visible: Session.hasProject
                name: "cdown"
                size: 12
                anchors.right: parent.right
                anchors.rightMargin: 2
                anchors.verticalCenter: parent.verticalCenter
            }
        }
    }

    Row {
        id: runRow

        visible: Session.hasRun
        anchors.left: projectButton.right
        anchors.leftMargin: Math.max(8, 176 - projectButton.width - 6)
        height: parent.height
        spacing: 16

        Row {
            spacing: 7
            height: parent.height

            Icon {
                name: Format.stateIcon(Session.runState)
                color: Format.stateMeaning(Session.runState) === "working" ? Theme.accent : Format.stateMeaning(Session.runState) === "failed" ? Theme.failed : Format.stateMeaning(Session.runState) === "better" ? Theme.better : Format.stateMeaning(Session.runState) === "worse" ? Theme.worse : Theme.text2
                size: 11
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: RunFigures.runName
                size: Theme.bodySize
                weight: Font.DemiBold
                height: parent.height
            }
            Label {
                text: Format.stateText(Session.runState)
                size: Theme.bodySize
                level: 2
                height: parent.height
            }
        }
        Divider {}
        Row {
            spacing: 8
            height: parent.height

            Label {
                text: qsTr("Iteration %1 of %2").arg(RunFigures.iteration).arg(RunFigures.iterations)
                level: 2
                height: parent.height
            }
            Meter {
                progress: true
                spent: RunFigures.progress
                width: root.narrow > 0 ? 60 : 110
                height: 6
                anchors.verticalCenter: parent.verticalCenter
                Accessible.role: Accessible.ProgressBar
                Accessible.name: qsTr("Progress of the run, %1").arg(Format.percent(RunFigures.progress))
            }
            Label {
                text: Format.percent(RunFigures.progress)
                weight: Font.DemiBold
                height: parent.height
            }
        }
        Divider {
            visible: timeLeft.visible
        }
        Row {
            id: timeLeft

            visible: RunFigures.secondsLeft > 0
            spacing: 6
            height: parent.height

            Icon {
                name: "clock"
                size: 12
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: qsTr("%1 left").arg(Format.duration(RunFigures.secondsLeft >= 60 ? Math.round(RunFigures.secondsLeft / 60) * 60 : Math.round(RunFigures.secondsLeft)))
                level: 2
                height: parent.height
            }
        }
        Divider {}
        Row {
            spacing: 8
            height: parent.height

            Label {
                text: Format.money(RunFigures.cost, RunFigures.costKnown)
                weight: Font.DemiBold
                height: parent.height
            }
            Meter {
                visible: RunFigures.budget > 0 && root.narrow === 0
                ticks: true
                spent: RunFigures.budget > 0 ? RunFigures.cost / RunFigures.budget : 0
                width: 70
                height: 9
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                visible: RunFigures.budget > 0
                text: qsTr("of %1").arg(Format.money(RunFigures.budget))
                level: 2
                height: parent.height
            }
            Label {
                visible: RunFigures.budget <= 0 && root.narrow === 0
                text: qsTr("no limit")
                level: 3
                height: parent.height
            }
        }
        Divider {
            visible: geomean.visible
        }
        Row {
            id: geomean

            visible: root.narrow === 0 && RunFigures.best > 0
            spacing: 6
            height: parent.height

            Label {
                text: qsTr("Geomean")
                level: 2
                height: parent.height
            }
            Label {
                text: qsTr("%1 of peak").arg(Format.fraction(RunFigures.best, RunFigures.estimate))
                estimate: RunFigures.estimate
                weight: Font.DemiBold
                height: parent.height
            }
        }
    }

    Row {
        anchors.right: parent.right
        anchors.rightMargin: 12
        anchors.verticalCenter: parent.verticalCenter
        spacing: 8

        T.AbstractButton {
            id: paletteField

            width: root.narrow > 0 ? 92 : 168
            height: 28
            hoverEnabled: true
            focusPolicy: Qt.StrongFocus
            text: qsTr("Go to…")
            Accessible.role: Accessible.Button
            Accessible.name: qsTr("Go to a command, a problem or an attempt")
            onClicked: root.paletteRequested()
            Keys.onReturnPressed: paletteField.click()

            background: Rectangle {
                radius: 5
                color: paletteField.hovered ? Theme.hover : Theme.panel
                border.color: Theme.line

                FocusRing {
                    control: paletteField
                    shown: paletteField.visualFocus
                }
            }
            contentItem: Item {
                Icon {
                    x: 9
                    name: "search"
                    size: 12
                    anchors.verticalCenter: parent.verticalCenter
                }
                Label {
                    visible: root.narrow === 0
                    x: 26
                    height: parent.height
                    text: paletteField.text
                    level: 2
                }
                KeyCap {
                    sequence: Commands.shortcutOf("palette")
                    anchors.right: parent.right
                    anchors.rightMargin: 5
                    anchors.verticalCenter: parent.verticalCenter
                }
            }
        }
        IconButton {
            iconName: "bell"
            badge: Session.notices.unread
            text: Session.notices.unread > 0 ? qsTr("Notices, %n new", "", Session.notices.unread) : qsTr("Notices")
            onClicked: root.noticesRequested()
        }
    }
}
