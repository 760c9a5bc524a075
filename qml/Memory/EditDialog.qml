// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio
import AccelOpt.Components

/// A person's words in place of the summarizer's. Ctrl+Enter saves; the summarizer's text stays kept.
Dialog {
    id: root

    property string summary

    signal saved(string text)

    function edit(text: string) {
        root.summary = text;
        area.text = text;
        root.open();
        area.forceActiveFocus();
        area.cursorPosition = area.length;
    }
    function save() {
        root.saved(area.text);
        root.close();
    }

    title: qsTr("Edit experience")
    mainText: qsTr("Save")
    mainEnabled: area.text.trim() !== "" && area.text.trim() !== root.summary.trim()
    footNote: qsTr("Prompts from now on use your text. Prompts that were sent keep what they had.")
    wide: 640
    onMain: root.save()

    Column {
        width: parent.width
        spacing: 8

        Rectangle {
            width: parent.width
            height: Math.round(240 * Theme.scale)
            radius: 5
            color: Theme.panel
            border.color: Theme.lineStrong

            FocusRing {
                control: area
            }
            Flickable {
                id: scroll

                anchors.fill: parent
                anchors.margins: 1
                clip: true
                contentHeight: area.height
                boundsBehavior: Flickable.StopAtBounds
                T.ScrollBar.vertical: ScrollMark {}

                T.TextArea {
                    id: area

                    width: scroll.width
                    height: Math.max(scroll.height, implicitHeight)
                    padding: 10
                    wrapMode: TextEdit.Wrap
                    color: Theme.text
                    selectionColor: Theme.accent
                    selectedTextColor: Theme.onAccent
                    font.family: Theme.sans
                    font.pixelSize: Theme.bodySize
                    textFormat: TextEdit.PlainText
                    selectByMouse: true
                    Accessible.name: qsTr("Summary")
                    onCursorRectangleChanged: {
                        if (cursorRectangle.y < scroll.contentY)
                            scroll.contentY = cursorRectangle.y;
                        else if (cursorRectangle.y + cursorRectangle.height > scroll.contentY + scroll.height)
                            scroll.contentY = cursorRectangle.y + cursorRectangle.height - scroll.height;
                    }
                    Keys.onPressed: (event) => {
                        const enter = event.key === Qt.Key_Return || event.key === Qt.Key_Enter;
                        if (enter && (event.modifiers & Qt.ControlModifier)) {
                            event.accepted = true;
                            if (root.mainEnabled)
                                root.save();
                        } else if (event.key === Qt.Key_Tab) {
                            event.accepted = true;
                            area.nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason);
                        }
                    }
                }
            }
        }
        Label {
            width: parent.width
            text: qsTr("%1 characters").arg(Format.count(area.length))
            level: 3
            size: Theme.smallSize
        }
    }
}
