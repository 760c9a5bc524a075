// SPDX-License-Identifier: GPL-3.0-or-later
pragma ComponentBehavior: Bound
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// One attempt: figures, and tabs for plan, source, profile, errors and prompt.
FocusScope {
    id: root

    property double attempt: 0
    property bool closable: false
    property int currentTab: 0
    readonly property list<string> tabNames: [qsTr("Plan"), qsTr("Source"), qsTr("Profile"), qsTr("Errors"), qsTr("Prompt")]
    readonly property AttemptDetail detail: data_

    signal closeRequested
    signal attemptRequested(double attempt)

    Accessible.role: Accessible.Pane
    Accessible.name: data_.ready ? qsTr("Details of %1").arg(data_.name) : qsTr("Details")
    Keys.onEscapePressed: (event) => {
        event.accepted = root.closable;
        if (root.closable)
            root.closeRequested();
    }

    AttemptDetail {
        id: data_

        attempt: root.attempt
    }

    Card {
        anchors.fill: parent
        implicitHeight: 400 // not by its content, which fills it
        padding: 0
        error: data_.error

        Label {
            visible: !data_.ready
            anchors.centerIn: parent
            text: root.attempt === 0 ? qsTr("Choose an attempt to see its plan, source and profile.") : qsTr("loading")
            level: 3
        }
        Item {
            anchors.fill: parent
            visible: data_.ready

            Column {
                id: top

                x: 14
                y: 10
                width: parent.width - 28
                spacing: 6

                Item {
                    width: parent.width
                    height: Math.round(28 * Theme.scale)

                    Row {
                        spacing: 8
                        height: parent.height
                        width: parent.width - tools.width - 8
                        clip: true

                        Label {
                            text: data_.problem
                            size: Theme.bodySize
                            level: 2
                            height: parent.height
                        }
                        Label {
                            text: data_.name
                            size: Theme.bodySize
                            weight: Font.DemiBold
                            height: parent.height
                        }
                        Tag {
                            anchors.verticalCenter: parent.verticalCenter
                            meaning: data_.state === "best" ? "better" : Format.stateMeaning(data_.state)
                            iconName: data_.state === "best" ? "flag" : Format.stateIcon(data_.state)
                            text: data_.state === "best" ? qsTr("best") : Format.stateText(data_.state)
                        }
                    }
                    Row {
                        id: tools

                        anchors.right: parent.right

                        IconButton {
                            iconName: "compare"
                            text: qsTr("Compare with its parent")
                            enabled: data_.parentAttempt !== 0
                            onClicked: Session.compare(data_.parentAttempt, root.attempt)
                        }
                        IconButton {
                            iconName: "copy"
                            text: qsTr("Copy id")
                            shortcut: Commands.shortcutOf("candidates.copy")
                            onClicked: Session.copyToClipboard(data_.asciiName, qsTr("Attempt id"))
                        }
                        IconButton {
                            visible: root.closable
                            iconName: "x"
                            text: qsTr("Close")
                            onClicked: root.closeRequested()
                        }
                    }
                }
                Row {
                    spacing: 6
                    width: parent.width
                    clip: true

                    Icon {
                        name: "commit"
                        size: 13
                        color: Theme.text3
                        anchors.verticalCenter: parent.verticalCenter
                    }
                    Mono {
                        text: data_.commit.slice(0, 7)
                        level: 3
                        anchors.verticalCenter: parent.verticalCenter
                    }
                    Label {
                        visible: data_.parentName !== ""
                        text: qsTr("from")
                        level: 2
                    }
                    LinkLabel {
                        visible: data_.parentName !== ""
                        text: data_.parentName
                        onActivated: root.attemptRequested(data_.parentAttempt)
                    }
                    Label {
                        text: data_.where
                        level: 2
                    }
                }
                Row {
                    id: figures

                    topPadding: 4
                    width: parent.width

                    Repeater {
                        model: [
                            { "head": qsTr("Latency"), "value": data_.latency, "note": data_.spread, "estimate": data_.estimate && data_.hasLatency },
                            { "head": qsTr("Fraction of peak"), "value": data_.fraction, "note": data_.bound === "" ? "" : qsTr("%1 bound").arg(data_.bound), "estimate": data_.estimate && data_.hasLatency },
                            { "head": qsTr("vs baseline"), "value": Format.speedup(data_.overBaseline), "note": data_.overBaseline <= 0 ? "" : Format.verdict(data_.overBaseline) === "better" ? qsTr("faster") : Format.verdict(data_.overBaseline) === "worse" ? qsTr("slower") : qsTr("as fast"), "estimate": false },
                            { "head": qsTr("Relative error"), "value": data_.relativeError, "note": qsTr("limit %1").arg(data_.tolerance), "estimate": false }
                        ]

                        Column {
                            id: figure

                            required property var modelData
                            required property int index

                            width: Math.floor(figures.width / 4)
                            spacing: 1

                            Label {
                                text: figure.modelData.head
                                level: 2
                                size: Theme.smallSize
                                width: parent.width - 4
                            }
                            Label {
                                text: figure.modelData.value
                                size: Theme.objectSize
                                weight: Font.DemiBold
                                width: parent.width - 4
                                fontSizeMode: Text.HorizontalFit
                                minimumPixelSize: 11
                                estimate: figure.modelData.estimate
                                color: figure.index === 2 && data_.overBaseline > 0 ? (Format.verdict(data_.overBaseline) === "better" ? Theme.better : Format.verdict(data_.overBaseline) === "worse" ? Theme.worse : Theme.text) : figure.modelData.estimate ? Theme.estimate : Theme.text
                            }
                            Label {
                                text: figure.modelData.note
                                level: 3
                                size: Theme.smallSize
                                width: parent.width - 4
                                wrapMode: Text.Wrap
                                maximumLineCount: 2
                            }
                        }
                    }
                }
            }
            TabStrip {
                id: tabs

                y: top.y + top.height + 8
                x: 14
                width: parent.width - 28
                names: root.tabNames
                currentIndex: root.currentTab
                focus: true
                onChosen: (index) => root.currentTab = index
            }
            HLine {
                y: tabs.y + tabs.height
                width: parent.width
            }
            Item {
                id: body

                y: tabs.y + tabs.height + 1
                width: parent.width
                height: parent.height - y - 2

                PlanTab {
                    anchors.fill: parent
                    visible: root.currentTab === 0
                    detail: data_
                }
                SourceTab {
                    id: sourceTab

                    anchors.fill: parent
                    visible: root.currentTab === 1
                    source: data_.source
                }
                ProfileTab {
                    anchors.fill: parent
                    visible: root.currentTab === 2
                    detail: data_
                }
                ErrorTab {
                    anchors.fill: parent
                    visible: root.currentTab === 3
                    detail: data_
                    onLineRequested: {
                        root.currentTab = 1;
                        sourceTab.showLine(data_.errorLine);
                    }
                }
                TextTab {
                    anchors.fill: parent
                    visible: root.currentTab === 4
                    text: data_.promptText === "" ? "" : data_.promptText + "\n[reply]\n" + data_.replyText
                    emptyText: qsTr("No model was asked for this kernel.")
                }
            }
        }
    }
}
