// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// The settings of a new run, or the run at work.
FocusScope {
    id: root

    readonly property bool showSettings: !Session.hasRun || RunEditor.editing

    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Run")

    Loader {
        anchors.fill: parent
        focus: true
        active: Session.loaded
        sourceComponent: root.showSettings ? settings : live

        Component {
            id: settings

            RunSettingsView {}
        }
        Component {
            id: live

            RunLiveView {}
        }
    }
}
