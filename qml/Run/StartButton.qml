// SPDX-License-Identifier: GPL-3.0-or-later
import AccelOpt.Studio
import AccelOpt.Components

Button {
    text: qsTr("Start run")
    iconName: "playfill"
    kind: Button.Primary
    shortcut: Commands.shortcutOf("run.start")
    enabled: RunEditor.problem === "" && !Session.runActive
    busy: Session.starting
    disabledReason: Session.runActive ? qsTr("A run works. One at a time.") : RunEditor.problem
    onClicked: RunEditor.start()
}
