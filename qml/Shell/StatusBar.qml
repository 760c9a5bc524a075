// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Saved state, commits, hosts, models, target. An alert replaces the check when something is wrong.
Item {
    id: root

    height: Theme.statusBarHeight
    Accessible.role: Accessible.StatusBar

    Rectangle {
        anchors.fill: parent
        color: Theme.chrome
    }
    HLine {
        width: parent.width
    }
    Row {
        x: 12
        height: parent.height
        spacing: 16

        Row {
            spacing: 6
            height: parent.height

            Icon {
                name: Session.readError === "" ? "check" : "alert"
                color: Session.readError === "" ? Theme.better : Theme.failed
                size: 12
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: Session.readError !== "" ? Session.readError : Session.opening ? qsTr("Opening…") : RunFigures.savedText
                size: Theme.smallSize
                level: 2
                height: parent.height
            }
        }
        Label {
            visible: Session.hasRun
            text: qsTr("kernels.git: %1 commits").arg(Format.count(RunFigures.attempts + RunFigures.problems))
            size: Theme.smallSize
            level: 2
            height: parent.height
        }
    }
    Row {
        visible: Session.hasProject
        anchors.right: parent.right
        anchors.rightMargin: 12
        height: parent.height
        spacing: 16

        Label {
            text: RunFigures.hostsText
            visible: text !== ""
            size: Theme.smallSize
            level: 2
            height: parent.height
        }
        Label {
            text: RunFigures.modelsText
            visible: text !== ""
            size: Theme.smallSize
            level: 2
            height: parent.height
        }
        Label {
            text: RunFigures.target + (RunFigures.estimate ? ", " + qsTr("simulator, estimates") : "")
            size: Theme.smallSize
            level: 2
            height: parent.height
        }
    }
}
