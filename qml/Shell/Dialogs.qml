// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtCore
import AccelOpt.Studio
import AccelOpt.Components

/// The dialogs of the shell.
Item {
    id: root

    readonly property bool anyOpen: newDialog.opened || stopDialog.opened || quitDialog.opened

    signal quitConfirmed

    function newProject() {
        newDialog.open();
    }
    function openProject() {
        folderLoader.purpose = "open";
        folderLoader.active = true;
    }
    function askStop() {
        stopDialog.open();
    }
    function askQuit() {
        quitDialog.closing = false;
        quitDialog.open();
    }
    function closeProject() {
        if (Session.runActive) {
            quitDialog.closing = true;
            quitDialog.open();
        } else {
            Session.closeProject();
        }
    }
    function takeDrop(url: url) {
        Session.openProject(url.toString());
    }

    /// What a stop costs, in words (section 15).
    function stopText(): string {
        const pending = RunFigures.pending;
        const cost = RunFigures.inFlight > 0 ? qsTr(", about %1").arg(Format.money(RunFigures.inFlight)) : "";
        return qsTr("%n piece(s) of work are cut off%1. %2 attempts stay. Drain instead finishes what has begun.", "", pending).arg(cost).arg(Format.count(RunFigures.attempts - pending));
    }

    Loader {
        id: folderLoader

        property string purpose

        active: false
        sourceComponent: FolderDialog {
            title: folderLoader.purpose === "open" ? qsTr("Open project") : qsTr("Folder of the new project")
            currentFolder: StandardPaths.writableLocation(StandardPaths.HomeLocation)
            visible: true
            onAccepted: {
                if (folderLoader.purpose === "open")
                    Session.openProject(selectedFolder.toString());
                else
                    folderField.text = decodeURIComponent(selectedFolder.toString().replace("file://", ""));
                folderLoader.active = false;
            }
            onRejected: folderLoader.active = false
        }
    }

    Dialog {
        id: newDialog

        title: qsTr("New project")
        mainText: qsTr("Create")
        mainIcon: "plus"
        wide: 560
        mainEnabled: folderField.text.trim() !== "" && !Session.opening
        mainBusy: Session.opening
        footNote: Session.openError
        onMain: Session.createProject(folderField.text.trim(), suite.suites[suite.currentIndex], target.options[target.currentIndex])
        onOpened: folderField.forceActiveFocus()

        Connections {
            target: Session

            function onProjectChanged() {
                newDialog.close();
            }
        }
        Column {
            width: parent.width
            spacing: 14

            Column {
                width: parent.width
                spacing: 4

                Label {
                    text: qsTr("Folder")
                    level: 2
                }
                Row {
                    width: parent.width
                    spacing: 8

                    Field {
                        id: folderField

                        width: parent.width - browse.width - 8
                        name: qsTr("Folder")
                        placeholderText: qsTr("an empty or new folder")
                    }
                    Button {
                        id: browse

                        text: qsTr("Choose…")
                        iconName: "folder"
                        onClicked: {
                            folderLoader.purpose = "new";
                            folderLoader.active = true;
                        }
                    }
                }
            }
            Column {
                width: parent.width
                spacing: 4

                Label {
                    text: qsTr("Problems")
                    level: 2
                }
                Segmented {
                    id: suite

                    readonly property list<string> suites: ["quick", "nkibench", ""]

                    name: qsTr("Problems")
                    options: [qsTr("Quick suite"), qsTr("NKIBench"), qsTr("None yet")]
                }
                Label {
                    level: 3
                    width: parent.width
                    wrapMode: Text.Wrap
                    text: suite.currentIndex === 0 ? qsTr("Three problems that a desk evaluates in seconds.") : suite.currentIndex === 1 ? qsTr("The fourteen problems of the paper.") : qsTr("Add your own with: accelopt problem add")
                }
            }
            Column {
                spacing: 4

                Label {
                    text: qsTr("Target")
                    level: 2
                }
                Segmented {
                    id: target

                    name: qsTr("Target")
                    options: ["trn1", "trn2"]
                }
            }
        }
    }
    Dialog {
        id: stopDialog

        title: qsTr("Stop the run?")
        mainText: qsTr("Stop")
        dangerous: true
        cancelText: qsTr("Go on")
        onMain: {
            stopDialog.close();
            Session.stop();
        }

        Column {
            width: parent.width
            spacing: 12

            Label {
                width: parent.width
                text: root.stopText()
                size: Theme.bodySize
                wrapMode: Text.Wrap
                lineHeight: 1.25
            }
            Button {
                text: qsTr("Drain instead")
                iconName: "drain"
                onClicked: {
                    stopDialog.close();
                    Session.drain();
                }
            }
        }
    }
    Dialog {
        id: quitDialog

        property bool closing: false

        title: quitDialog.closing ? qsTr("Close the project while a run works?") : qsTr("Quit while a run works?")
        mainText: quitDialog.closing ? qsTr("Close") : qsTr("Quit")
        dangerous: true
        cancelText: qsTr("Go on")
        onMain: {
            quitDialog.close();
            if (quitDialog.closing)
                Session.closeProject();
            else
                root.quitConfirmed();
        }

        Label {
            width: parent.width
            text: root.stopText() + " " + qsTr("The run can be started again from the journal.")
            size: Theme.bodySize
            wrapMode: Text.Wrap
            lineHeight: 1.25
        }
    }
}
