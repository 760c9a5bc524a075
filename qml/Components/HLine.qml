// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import AccelOpt.Studio

Rectangle {
    implicitHeight: 1
    implicitWidth: parent ? parent.width : 100
    color: Theme.line
    Accessible.ignored: true
}
