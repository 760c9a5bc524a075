// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// The report of the shown run: its preview, and export in every format.
FocusScope {
    id: root

    readonly property real sideWidth: Math.round(320 * Theme.scale)

    function setFormat(index: int) {
        if (index >= 0 && index < report.formats.length)
            report.format = report.formats[index];
    }

    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Reports")

    // Not a shortcut of the page: Enter belongs to the focused button first.
    Keys.onReturnPressed: exportCommand.trigger()
    Keys.onEnterPressed: exportCommand.trigger()

    ReportController {
        id: report

        active: Session.page === "reports"
    }

    Repeater {
        model: report.formats.length

        Item {
            id: formatKey

            required property int index

            visible: false

            Command {
                commandId: "reports.format" + (formatKey.index + 1)
                text: qsTr("Report as %1").arg(report.formats[formatKey.index].toUpperCase())
                icon: "reports"
                shortcut: "Alt+" + (formatKey.index + 1)
                page: "reports"
                onTriggered: root.setFormat(formatKey.index)
            }
        }
    }
    Command {
        id: exportCommand

        commandId: "reports.export"
        text: qsTr("Export the report")
        icon: "download"
        page: "reports"
        enabled: Session.hasRun && !report.saving && path.error === ""
        onTriggered: report.save()
    }
    Command {
        commandId: "reports.copy"
        text: qsTr("Copy as Markdown")
        icon: "copy"
        shortcut: "Ctrl+C"
        page: "reports"
        enabled: report.preview !== "" && sheet.selectedText === ""
        onTriggered: report.copyMarkdown()
    }

    Loader {
        id: saver

        active: false
        sourceComponent: FileDialog {
            title: qsTr("Save report")
            fileMode: FileDialog.SaveFile
            nameFilters: report.formats.map((format) => format.toUpperCase() + " (*." + format + ")")
            selectedNameFilter.index: report.formats.indexOf(report.format)
            defaultSuffix: report.format
            visible: true
            onAccepted: {
                report.saveAs(selectedFile);
                saver.active = false;
            }
            onRejected: saver.active = false
        }
    }

    Item {
        id: page

        x: 16
        width: parent.width - 32
        height: parent.height - 12

        PageHead {
            title: qsTr("Reports")
            note: !Session.hasRun ? qsTr("no run yet") : report.rendering && report.preview === "" ? qsTr("loading") : qsTr("%1 of %2").arg(report.runName).arg(Session.projectName)

            Button {
                visible: Session.hasRun
                iconName: "copy"
                text: qsTr("Copy as Markdown")
                shortcut: Commands.shortcutOf("reports.copy")
                enabled: report.preview !== ""
                onClicked: report.copyMarkdown()
            }
        }
        EmptyState {
            visible: !Session.hasRun && Session.loaded
            anchors.centerIn: parent
            iconName: "reports"
            title: qsTr("A report needs a run")
            text: qsTr("It will state fraction of peak before and after for each problem, the best kernels with their changes, the raw samples, the cost, and the commands that check the best kernel again.")
            actionText: qsTr("Set up a run")
            actionIcon: "run"
            onAction: Session.go("run")
        }
        Card {
            id: side

            focus: true
            visible: Session.hasRun
            y: Theme.pageHeadHeight
            width: root.sideWidth
            height: parent.height - y
            padding: 0

            Flickable {
                id: form

                anchors.fill: parent
                anchors.bottomMargin: foot.height
                clip: true
                contentHeight: fields.height + 28
                boundsBehavior: Flickable.StopAtBounds
                T.ScrollBar.vertical: ScrollMark {}

                Column {
                    id: fields

                    x: 14
                    y: 12
                    width: form.width - 28
                    spacing: 8

                    Label {
                        text: qsTr("Format")
                        level: 2
                        weight: Font.Medium
                    }
                    Segmented {
                        name: qsTr("Format")
                        focus: true
                        options: report.formats.map((format) => format.toUpperCase())
                        currentIndex: report.formats.indexOf(report.format)
                        onChosen: (index) => root.setFormat(index)
                    }
                    Label {
                        width: parent.width
                        text: report.formatNote
                        level: 2
                        wrapMode: Text.Wrap
                    }
                    HLine {
                        width: parent.width
                    }
                    Label {
                        text: qsTr("What it holds")
                        level: 2
                        weight: Font.Medium
                        topPadding: 4
                    }
                    Repeater {
                        model: report.contents

                        Row {
                            id: part

                            required property string modelData

                            width: fields.width
                            height: Math.round(22 * Theme.scale)
                            spacing: 8

                            Icon {
                                name: "check"
                                size: 12
                                color: Theme.better
                                anchors.verticalCenter: parent.verticalCenter
                            }
                            Label {
                                height: parent.height
                                width: parent.width - 24
                                text: part.modelData
                            }
                        }
                    }
                    Label {
                        width: parent.width
                        text: qsTr("Keys and passwords are never part of a report.")
                        level: 3
                        wrapMode: Text.Wrap
                    }
                    HLine {
                        width: parent.width
                    }
                    Label {
                        text: qsTr("Save to")
                        level: 2
                        weight: Font.Medium
                        topPadding: 4
                    }
                    Field {
                        id: path

                        width: parent.width
                        name: qsTr("File of the report")
                        text: report.path
                        font.family: Theme.mono
                        font.pixelSize: Theme.snippetSize
                        error: text.trim() === "" ? qsTr("Name a file.") : ""
                        onTextEdited: report.path = path.text
                        onAccepted: {
                            if (path.error === "")
                                report.save();
                        }
                        Tip {
                            shown: path.hovered && !path.activeFocus
                            text: report.path
                        }
                    }
                    Item {
                        width: 1
                        height: path.error === "" ? 1 : 14
                    }
                    Notice {
                        visible: report.error !== ""
                        width: parent.width
                        meaning: "failed"
                        title: report.error
                    }
                    Notice {
                        visible: report.savedAs !== "" && report.error === ""
                        width: parent.width
                        meaning: "better"
                        title: qsTr("%1 written").arg(report.savedFormat)
                        text: report.savedAs
                        actionText: qsTr("Open")
                        onAction: Qt.openUrlExternally(report.savedUrl)
                    }
                    Notice {
                        visible: report.stateNote !== ""
                        width: parent.width
                        title: report.stateNote
                    }
                }
            }
            Item {
                id: foot

                anchors.bottom: parent.bottom
                width: parent.width
                height: Math.round(52 * Theme.scale)

                HLine {
                    width: parent.width
                }
                Row {
                    anchors.right: parent.right
                    anchors.rightMargin: 12
                    anchors.verticalCenter: parent.verticalCenter
                    spacing: 8

                    Button {
                        text: qsTr("Save as…")
                        enabled: !report.saving
                        onClicked: saver.active = true
                    }
                    Button {
                        kind: Button.Primary
                        iconName: "download"
                        text: qsTr("Export %1").arg(report.format.toUpperCase())
                        shortcut: "Return"
                        busy: report.saving
                        enabled: path.error === ""
                        onClicked: {
                            if (!report.saving)
                                report.save();
                        }
                    }
                }
            }
        }
        Rectangle {
            id: desk

            visible: Session.hasRun
            x: root.sideWidth + 12
            y: Theme.pageHeadHeight
            width: parent.width - x
            height: parent.height - y
            radius: 6
            color: Theme.segment
            border.color: Theme.line

            Flickable {
                id: scroll

                anchors.fill: parent
                anchors.margins: 1
                clip: true
                contentWidth: Math.max(width, paper.width + 40)
                contentHeight: paper.height + 2 * paper.y
                boundsBehavior: Flickable.StopAtBounds
                activeFocusOnTab: true
                T.ScrollBar.vertical: ScrollMark {}
                T.ScrollBar.horizontal: ScrollMark {}
                Accessible.role: Accessible.Document
                Accessible.name: qsTr("Preview of the report")
                Keys.onPressed: (event) => {
                    const to = (y) => scroll.contentY = Math.max(0, Math.min(scroll.contentHeight - scroll.height, y));
                    event.accepted = true;
                    if (event.key === Qt.Key_Up)
                        to(scroll.contentY - 60);
                    else if (event.key === Qt.Key_Down)
                        to(scroll.contentY + 60);
                    else if (event.key === Qt.Key_PageUp)
                        to(scroll.contentY - scroll.height + 60);
                    else if (event.key === Qt.Key_PageDown || event.key === Qt.Key_Space)
                        to(scroll.contentY + scroll.height - 60);
                    else if (event.key === Qt.Key_Home)
                        to(0);
                    else if (event.key === Qt.Key_End)
                        to(1e9);
                    else
                        event.accepted = false;
                }

                Rectangle {
                    id: paper

                    readonly property real pageWidth: Math.min(scroll.width - 40, Math.round(820 * Theme.scale))

                    x: Math.max(20, Math.round((scroll.width - width) / 2))
                    y: 20
                    // A table with many columns makes the sheet wider, not the words broken.
                    width: Math.max(paper.pageWidth, Math.ceil(sheet.contentWidth) + 2 * sheet.x)
                    height: Math.max(sheet.implicitHeight + 2 * sheet.y, scroll.height - 40)
                    color: Theme.panel
                    border.color: Theme.line

                    TextEdit {
                        id: sheet

                        x: Math.round(40 * Theme.scale)
                        y: Math.round(34 * Theme.scale)
                        width: paper.pageWidth - 2 * x
                        textFormat: TextEdit.RichText
                        readOnly: true
                        selectByMouse: true
                        wrapMode: TextEdit.WordWrap
                        color: Theme.text
                        selectionColor: Theme.accent
                        selectedTextColor: Theme.onAccent
                        Accessible.role: Accessible.Document
                        Accessible.name: qsTr("Report")

                        function fill() {
                            const y = scroll.contentY;
                            report.dress(sheet.textDocument);
                            scroll.contentY = Math.max(0, Math.min(y, scroll.contentHeight - scroll.height));
                        }

                        Component.onCompleted: sheet.fill()
                        Connections {
                            target: report

                            function onPreviewChanged() {
                                sheet.fill();
                            }
                        }
                        Connections {
                            target: Theme

                            function onChanged() {
                                sheet.fill();
                            }
                        }
                    }
                    Label {
                        visible: report.preview === ""
                        anchors.centerIn: parent
                        text: report.rendering ? qsTr("The report is being put together.") : qsTr("There is no preview.")
                        level: 3
                    }
                }
                FocusRing {
                    control: scroll
                    anchors.margins: 1
                }
            }
        }
    }
}
