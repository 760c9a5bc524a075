// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Templates as T
import AccelOpt.Studio

/// kind: primary (one per page or dialog), secondary, ghost, danger. `busy` keeps label and width; a ring replaces the icon.
T.Button {
    id: root

    enum Kind { Primary, Secondary, Ghost, Danger }

    property int kind: Button.Secondary
    property string iconName: ""
    property string shortcut: "" ///< shown as a cap; the key itself belongs to a Command
    property bool busy: false
    property bool small: false ///< 26 high, inside cards
    property bool filled: root.kind === Button.Primary ///< set for the danger button of a confirming dialog
    property string tip: ""
    property string disabledReason: "" ///< the tooltip while it is disabled

    readonly property color ink: !root.enabled ? Theme.text3 : root.filled ? (root.kind === Button.Danger ? Theme.panel : Theme.onAccent) : root.kind === Button.Danger ? Theme.failed : Theme.text
    readonly property color ground: {
        if (!root.enabled)
            return "transparent";
        if (root.filled)
            return root.kind === Button.Danger ? Theme.failed : root.pressed ? Theme.accentPressed : Theme.accent;
        if (root.pressed)
            return Theme.pressed;
        if (root.hovered)
            return Theme.hover;
        return root.kind === Button.Ghost ? "transparent" : Theme.raised;
    }

    implicitHeight: Math.round((root.small ? 26 : 28) * Theme.scale)
    implicitWidth: Math.ceil(content.implicitWidth) + leftPadding + rightPadding
    leftPadding: 10
    rightPadding: 10
    topPadding: 0
    bottomPadding: 0
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    opacity: 1
    Accessible.name: root.text

    Keys.onReturnPressed: root.click()
    Keys.onEnterPressed: root.click()

    background: Rectangle {
        radius: 5
        color: root.ground
        border.width: root.kind === Button.Ghost || root.filled ? 0 : 1
        border.color: !root.enabled ? Theme.line : root.kind === Button.Danger ? Theme.failed : Theme.lineStrong

        FocusRing {
            control: root
            shown: root.visualFocus
        }
    }
    contentItem: Item {
        implicitWidth: content.implicitWidth

        Row {
            id: content

            anchors.centerIn: parent
            spacing: 6

            BusyRing {
                visible: root.busy
                color: root.ink
                anchors.verticalCenter: parent.verticalCenter
            }
            Icon {
                visible: !root.busy && root.iconName !== ""
                name: root.iconName
                color: root.ink
                size: 14
                anchors.verticalCenter: parent.verticalCenter
            }
            Label {
                text: root.text
                color: root.ink
                weight: Font.Medium
                visible: root.text !== ""
                anchors.verticalCenter: parent.verticalCenter
            }
            KeyCap {
                sequence: root.shortcut
                tint: root.filled ? root.ink : Theme.text3
                edge: root.filled ? root.ink : Theme.lineStrong
                anchors.verticalCenter: parent.verticalCenter
            }
        }
    }

    Tip {
        shown: root.hovered
        text: root.enabled ? root.tip : root.disabledReason
    }
}
