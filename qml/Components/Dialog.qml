// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// A dialog: head 52, body, foot 56 with actions at the right. Enter runs the main action, Esc closes. Focus goes back where it was.
/// The body is the default content; `mainText` "" hides the main action.
T.Dialog {
    id: root

    property string mainText: qsTr("OK")
    property string mainIcon: ""
    property string cancelText: qsTr("Cancel")
    property bool dangerous: false
    property bool mainEnabled: true
    property bool mainBusy: false
    property string footNote: ""
    property int wide: 460
    default property alias body: bodyItem.data

    signal main

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    modal: true
    focus: true
    width: parent ? Math.min(root.wide, parent.width - 32) : root.wide
    height: parent ? Math.min(implicitHeight, parent.height - 32) : implicitHeight
    implicitHeight: 52 + bodyItem.childrenRect.height + 16 + 56
    closePolicy: T.Popup.CloseOnEscape
    padding: 0
    topPadding: 0
    bottomPadding: 0

    enter: Transition {
        NumberAnimation {
            property: "opacity"
            from: 0
            to: 1
            duration: Theme.slow
            easing.type: Easing.OutQuad
        }
    }
    T.Overlay.modal: Rectangle {
        color: Theme.scrim
    }
    background: Rectangle {
        radius: 8
        color: Theme.panel
        border.color: Theme.dialogEdge

        Shade {}
    }
    contentItem: FocusScope {
        id: scope

        focus: true
        Accessible.role: Accessible.Dialog
        Accessible.name: root.title

        Keys.onReturnPressed: {
            if (root.mainText !== "" && root.mainEnabled)
                root.main();
        }
        Keys.onEnterPressed: {
            if (root.mainText !== "" && root.mainEnabled)
                root.main();
        }

        Label {
            x: 16
            height: 52
            width: parent.width - 64
            text: root.title
            size: Theme.titleSize
            weight: Font.DemiBold
            Accessible.role: Accessible.Heading
        }
        IconButton {
            anchors.right: parent.right
            anchors.rightMargin: 12
            y: 12
            iconName: "x"
            text: qsTr("Close")
            shortcut: "Esc"
            onClicked: root.reject()
        }
        Item {
            id: bodyItem

            x: 16
            y: 52
            width: parent.width - 32
            height: parent.height - 52 - 56 - 16
        }
        Item {
            anchors.bottom: parent.bottom
            width: parent.width
            height: 56

            HLine {
                width: parent.width
            }
            Label {
                x: 16
                height: parent.height
                width: parent.width - foot.width - 48
                text: root.footNote
                level: 3
                wrapMode: Text.Wrap
            }
            Row {
                id: foot

                anchors.right: parent.right
                anchors.rightMargin: 16
                anchors.verticalCenter: parent.verticalCenter
                spacing: 8

                Button {
                    text: root.cancelText
                    visible: root.cancelText !== ""
                    onClicked: root.reject()
                }
                Button {
                    id: mainButton

                    text: root.mainText
                    iconName: root.mainIcon
                    visible: root.mainText !== ""
                    enabled: root.mainEnabled
                    busy: root.mainBusy
                    kind: root.dangerous ? Button.Danger : Button.Primary
                    filled: true
                    focus: true
                    onClicked: root.main()
                }
            }
        }
    }
}
