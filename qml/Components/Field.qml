// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// A line of text. `error`: what is allowed; shows below and turns the edge crimson. `unit` stands inside at the right, `iconName` at the left.
T.TextField {
    id: root

    property string error: ""
    property string unit: ""
    property string iconName: ""
    property string name: root.placeholderText ///< for readers
    property bool clearable: false

    implicitWidth: 200
    implicitHeight: Math.round(28 * Theme.scale)
    leftPadding: root.iconName === "" ? 8 : 28
    rightPadding: root.unit === "" ? (clear.visible ? 28 : 8) : 14 + unitLabel.implicitWidth
    topPadding: 0
    bottomPadding: 0
    color: root.enabled ? Theme.text : Theme.text3
    placeholderTextColor: Theme.text3
    selectionColor: Theme.accent
    selectedTextColor: Theme.onAccent
    selectByMouse: true
    hoverEnabled: true
    verticalAlignment: TextInput.AlignVCenter
    font.family: Theme.sans
    font.pixelSize: Theme.tableSize
    font.features: ({ "tnum": 1 })
    Accessible.name: root.name
    Accessible.description: root.error

    background: Rectangle {
        radius: 5
        color: root.enabled ? Theme.panel : "transparent"
        border.width: root.error !== "" ? 2 : 1
        border.color: root.error !== "" ? Theme.failed : root.enabled ? Theme.lineStrong : Theme.line

        Icon {
            visible: root.iconName !== ""
            name: root.iconName
            color: Theme.text3
            x: 8
            anchors.verticalCenter: parent.verticalCenter
        }
        Label {
            id: unitLabel

            text: root.unit
            level: 3
            anchors.right: parent.right
            anchors.rightMargin: 8
            anchors.verticalCenter: parent.verticalCenter
        }
        FocusRing {
            control: root
        }
    }

    // The template draws no placeholder of its own.
    Text {
        x: root.leftPadding
        width: root.width - root.leftPadding - root.rightPadding
        height: root.height
        text: root.placeholderText
        color: root.placeholderTextColor
        font: root.font
        elide: Text.ElideRight
        verticalAlignment: Text.AlignVCenter
        horizontalAlignment: root.horizontalAlignment
        visible: root.length === 0 && root.preeditText === ""
        textFormat: Text.PlainText
    }
    IconButton {
        id: clear

        visible: root.clearable && root.length > 0
        iconName: "x"
        text: qsTr("Clear")
        focusPolicy: Qt.NoFocus
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        scale: 0.86
        onClicked: {
            root.clear();
            root.textEdited();
        }
    }
    Label {
        visible: root.error !== ""
        text: root.error
        color: Theme.failed
        size: Theme.smallSize
        anchors.top: parent.bottom
        anchors.topMargin: 2
    }
}
