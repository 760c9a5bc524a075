// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Why an attempt failed, in words, with the way to the line.
Item {
    id: root

    required property AttemptDetail detail

    signal lineRequested

    Column {
        x: 14
        y: 14
        width: parent.width - 28
        spacing: 10

        Label {
            visible: root.detail.errorKind === ""
            text: qsTr("Nothing went wrong.")
            level: 3
        }
        Notice {
            visible: root.detail.errorKind !== ""
            width: parent.width
            meaning: "failed"
            title: Format.stateText(root.detail.errorKind)
            text: root.detail.errorText
            actionText: root.detail.errorLine > 0 && root.detail.source.count > 0 ? qsTr("Show the line") : ""
            onAction: root.lineRequested()
        }
        Label {
            visible: root.detail.errorWhere !== ""
            text: root.detail.errorWhere
            level: 2
        }
        Button {
            visible: root.detail.errorKind !== ""
            small: true
            iconName: "copy"
            text: qsTr("Copy details")
            onClicked: Session.copyToClipboard(root.detail.asciiName + "\n" + root.detail.errorKind + ": " + root.detail.errorText + "\n" + root.detail.errorWhere, qsTr("Details"))
        }
    }
}
