// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// Theme, text size, motion, folders, shortcuts. Everything takes effect at once.
FocusScope {
    id: root

    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Settings")

    component Line: Item {
        id: line

        property string title
        property string note: ""
        default property alias control: holder.data

        width: parent ? parent.width : 600
        height: Math.max(Math.round(52 * Theme.scale), words.height + 20)

        Column {
            id: words

            x: 12
            width: Math.max(160, line.width - holder.width - 48)
            anchors.verticalCenter: parent.verticalCenter
            spacing: 1

            Label {
                text: line.title
                size: Theme.bodySize
                width: parent.width
            }
            Label {
                text: line.note
                level: 3
                width: parent.width
                wrapMode: Text.Wrap
                visible: text !== ""
            }
        }
        Row {
            id: holder

            anchors.right: parent.right
            anchors.rightMargin: 12
            anchors.verticalCenter: parent.verticalCenter
            spacing: 8
        }
        HLine {
            anchors.bottom: parent.bottom
            width: parent.width
            opacity: 0.5
        }
    }

    PageHead {
        id: head

        x: 16
        width: parent.width - 32
        title: qsTr("Settings")
        note: qsTr("taken at once, kept for this user")
    }
    Flickable {
        anchors.top: head.bottom
        anchors.bottom: parent.bottom
        x: 16
        width: parent.width - 32
        contentHeight: column.height + 16
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        T.ScrollBar.vertical: ScrollMark {}

        Column {
            id: column

            width: Math.min(parent.width, 860)
            spacing: 12

            Card {
                width: parent.width
                title: qsTr("Look")
                padding: 0
                height: headHeight + look.height

                Column {
                    id: look

                    width: parent.width

                    Line {
                        title: qsTr("Theme")
                        note: qsTr("System follows the desktop.")

                        Segmented {
                            name: qsTr("Theme")
                            focus: true
                            options: [qsTr("Light"), qsTr("Dark"), qsTr("System")]
                            currentIndex: Theme.mode
                            onChosen: (index) => Theme.mode = index
                        }
                    }
                    Line {
                        title: qsTr("Text size")
                        note: qsTr("90 to 150 %. Everything grows with it.")

                        IconButton {
                            iconName: "minus"
                            text: qsTr("Smaller text")
                            shortcut: Commands.shortcutOf("text.smaller")
                            enabled: Theme.textSize > 90
                            onClicked: Theme.textSize = Theme.textSize - 10
                        }
                        NumberField {
                            width: 72
                            name: qsTr("Text size, per cent")
                            unit: "%"
                            from: 90
                            to: 150
                            step: 5
                            value: Theme.textSize
                            onEdited: (value) => Theme.textSize = value
                        }
                        IconButton {
                            iconName: "plus"
                            text: qsTr("Larger text")
                            shortcut: Commands.shortcutOf("text.larger")
                            enabled: Theme.textSize < 150
                            onClicked: Theme.textSize = Theme.textSize + 10
                        }
                    }
                    Line {
                        title: qsTr("Reduce motion")
                        note: qsTr("Nothing moves but values.")

                        Switch {
                            text: ""
                            Accessible.name: qsTr("Reduce motion")
                            checked: Theme.reduceMotion
                            onToggled: Theme.reduceMotion = checked
                        }
                    }
                    Line {
                        title: qsTr("Slim rail")
                        note: qsTr("Icons only; always so below 1280 px of width.")

                        Switch {
                            text: ""
                            Accessible.name: qsTr("Slim rail")
                            checked: Session.slimRail
                            onToggled: Session.slimRail = checked
                        }
                    }
                }
            }
            Card {
                width: parent.width
                title: qsTr("Folders")
                padding: 0
                height: headHeight + folders.height

                Column {
                    id: folders

                    width: parent.width

                    Line {
                        visible: Session.hasProject
                        title: qsTr("Project")
                        note: Session.projectFolder

                        Button {
                            text: qsTr("Open")
                            iconName: "external"
                            onClicked: Qt.openUrlExternally("file://" + Session.projectFolder)
                        }
                    }
                    Line {
                        title: qsTr("Demo")
                        note: AppInfo.demoFolder
                    }
                    Line {
                        title: qsTr("Resources")
                        note: AppInfo.resourceFolder + "\n" + qsTr("Hardware peaks, prices, prompts and suites. ACCELOPT_RESOURCES names another folder.")
                    }
                    Line {
                        title: qsTr("Reference outputs and caches")
                        note: AppInfo.cacheFolder + "\n" + qsTr("Can be removed at any time; what is needed is made again. ACCELOPT_CACHE_DIR names another folder.")

                        Button {
                            text: qsTr("Open")
                            iconName: "external"
                            onClicked: Qt.openUrlExternally("file://" + AppInfo.cacheFolder)
                        }
                    }
                    Line {
                        title: qsTr("Settings of this window")
                        note: AppInfo.settingsFile
                    }
                }
            }
            Card {
                width: parent.width
                title: qsTr("Keyboard")
                padding: 0
                height: headHeight + keyboard.height

                Column {
                    id: keyboard

                    width: parent.width

                    Line {
                        title: qsTr("Shortcuts")
                        note: qsTr("%n command(s); each key can be changed.", "", Commands.count)

                        Button {
                            text: qsTr("Show list")
                            iconName: "keyboard"
                            shortcut: Commands.shortcutOf("shortcuts")
                            onClicked: Session.go("shortcuts")
                        }
                        Button {
                            text: qsTr("Standard keys")
                            kind: Button.Ghost
                            onClicked: Commands.resetShortcuts()
                        }
                    }
                }
            }
            Card {
                width: parent.width
                title: qsTr("About")
                padding: 0
                height: headHeight + about.height

                Column {
                    id: about

                    width: parent.width

                    Line {
                        title: qsTr("AccelOpt Studio %1").arg(AppInfo.version)
                        note: qsTr("GPL-3.0-or-later. Sends nothing anywhere but to the hosts and models you set. Qt %1.").arg(AppInfo.qtVersion)
                    }
                }
            }
        }
    }
}
