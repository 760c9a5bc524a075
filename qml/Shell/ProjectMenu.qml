// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// The menu of the project's name.
PopMenu {
    id: root

    required property Dialogs dialogs

    MenuEntry {
        text: qsTr("New project…")
        iconName: "plus"
        shortcutText: Commands.shortcutOf("project.new")
        onTriggered: root.dialogs.newProject()
    }
    MenuEntry {
        text: qsTr("Open project…")
        iconName: "folder"
        shortcutText: Commands.shortcutOf("project.open")
        onTriggered: root.dialogs.openProject()
    }
    MenuEntry {
        text: qsTr("Copy folder")
        iconName: "copy"
        onTriggered: Session.copyToClipboard(Session.projectFolder, qsTr("Folder"))
    }
    MenuEntry {
        text: qsTr("Open folder")
        iconName: "external"
        onTriggered: Qt.openUrlExternally("file://" + Session.projectFolder)
    }
    MenuEntry {
        text: qsTr("Close project")
        iconName: "x"
        shortcutText: Commands.shortcutOf("project.close")
        onTriggered: root.dialogs.closeProject()
    }
}
