// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// A page whose module is not part of this build.
FocusScope {
    id: root

    property string name

    EmptyState {
        anchors.centerIn: parent
        iconName: "info"
        title: qsTr("%1 is not part of this build").arg(root.name)
        text: qsTr("The command line has the same data: run accelopt with --help.")
    }
}
