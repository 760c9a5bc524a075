// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

/// A number with bounds. `value` is the last valid number; `edited(value)` comes for the user's valid input only.
Field {
    id: root

    property real value: 0
    property real from: 0
    property real to: 1e9
    property int decimals: 0
    property real step: 1
    property bool zeroIsNoLimit: false ///< 0 shows as the placeholder

    signal edited(real value)

    function show(number: real): string {
        return root.zeroIsNoLimit && number === 0 ? "" : root.decimals === 0 ? String(Math.round(number)) : Number(number).toFixed(root.decimals);
    }
    function put(number: real) {
        const bounded = Math.min(root.to, Math.max(root.from, number));
        root.error = "";
        root.value = bounded;
        root.text = root.show(bounded);
        root.edited(bounded);
    }

    implicitWidth: 64
    horizontalAlignment: TextInput.AlignRight
    inputMethodHints: Qt.ImhFormattedNumbersOnly
    placeholderText: root.zeroIsNoLimit ? qsTr("no limit") : ""
    text: root.show(root.value)
    Accessible.role: Accessible.SpinBox

    onValueChanged: {
        if (!root.activeFocus)
            root.text = root.show(root.value);
    }
    onTextEdited: {
        const trimmed = root.text.trim().replace(",", ".");
        const number = trimmed === "" && root.zeroIsNoLimit ? 0 : trimmed === "" ? NaN : Number(trimmed);
        if (isNaN(number) || number < root.from || number > root.to || (root.decimals === 0 && number !== Math.round(number))) {
            root.error = qsTr("%1 to %2").arg(root.from).arg(root.to);
            return;
        }
        root.error = "";
        root.value = number;
        root.edited(number);
    }
    onEditingFinished: {
        root.error = "";
        root.text = root.show(root.value);
    }
    Keys.onUpPressed: root.put(root.value + root.step)
    Keys.onDownPressed: root.put(root.value - root.step)
}
