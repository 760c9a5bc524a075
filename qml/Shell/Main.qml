// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtQuick.Controls as QQC
import AccelOpt.Studio
import AccelOpt.Components

QQC.ApplicationWindow {
    id: root

    width: 1440
    height: 900
    visible: true
    title: qsTr("AccelOpt Studio")
    color: Theme.window
}
