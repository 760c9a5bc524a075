// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Components

/// A speedup with its triangle.
TableCell {
    id: root

    required property string display
    required property double factor
    required property bool estimate

    Accessible.name: root.display

    Delta {
        anchors.right: parent.right
        anchors.rightMargin: 8
        anchors.verticalCenter: parent.verticalCenter
        factor: root.factor
        estimate: root.estimate
    }
}
