// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio
import AccelOpt.Components

/// Which model a role asks. Rules, or provider:model[@endpoint].
Item {
    id: root

    required property int role
    property string text

    width: parent ? parent.width : 400
    height: Math.round((field.error !== "" ? 52 : 36) * Theme.scale)

    Label {
        height: Math.round(36 * Theme.scale)
        width: 82
        text: root.text
        size: Theme.bodySize
    }
    Select {
        id: provider

        x: 90
        y: 4
        width: 92
        name: qsTr("Provider of the %1").arg(root.text)
        options: [qsTr("rules"), "openai", "anthropic"]
        currentIndex: Math.max(0, ["rules", "openai", "anthropic"].indexOf(RunEditor.modelOf(root.role).split(":")[0]))
        onChosen: (index) => {
            field.text = "";
            if (index === 0) {
                field.error = "";
                RunEditor.setModel(root.role, "rules");
            } else {
                field.forceActiveFocus(Qt.TabFocusReason);
            }
        }
    }
    Field {
        id: field

        x: 188
        y: 4
        width: parent.width - x - priceLabel.width - 12
        visible: provider.currentIndex > 0
        name: qsTr("Model of the %1").arg(root.text)
        placeholderText: qsTr("model@https://endpoint/v1")
        text: RunEditor.modelOf(root.role).includes(":") ? RunEditor.modelOf(root.role).split(":").slice(1).join(":") : ""
        onTextEdited: field.error = RunEditor.setModel(root.role, provider.options[provider.currentIndex] + ":" + field.text)
    }
    Label {
        visible: provider.currentIndex === 0
        x: 192
        height: Math.round(36 * Theme.scale)
        width: parent.width - x - priceLabel.width - 12
        text: qsTr("offline, without a model")
        level: 3
    }
    Label {
        id: priceLabel

        anchors.right: parent.right
        height: Math.round(36 * Theme.scale)
        text: RunEditor.tickedProblems >= 0 ? RunEditor.priceOf(root.role) : ""
        level: 2
    }
}
