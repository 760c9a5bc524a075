// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Window
import AccelOpt.Studio

/// An icon of resources/icons in one colour. Hidden from readers: what stands beside it says it in words.
Image {
    id: root

    property string name
    property color color: Theme.text2
    property real size: 14

    function part(value: real): string {
        const hex = Math.round(value * 255).toString(16);
        return hex.length < 2 ? "0" + hex : hex;
    }

    width: Math.round(root.size * Theme.scale)
    height: width
    source: root.name === "" ? "" : "image://icon/" + root.name + "/" + root.part(root.color.a) + root.part(root.color.r) + root.part(root.color.g) + root.part(root.color.b)
    sourceSize: Qt.size(Math.round(root.width * Screen.devicePixelRatio), Math.round(root.height * Screen.devicePixelRatio))
    Accessible.ignored: true
}
