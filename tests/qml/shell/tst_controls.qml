// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtTest
import AccelOpt.Studio
import AccelOpt.Components

Item {
    id: root

    width: 600
    height: 400

    Column {
        spacing: 10

        Button {
            id: button

            text: "Start"
            iconName: "playfill"
        }
        Button {
            id: busyButton

            text: "Start"
            iconName: "playfill"
        }
        IconButton {
            id: iconButton

            iconName: "eye"
            text: "Show"
        }
        Segmented {
            id: segmented

            name: "View"
            options: ["one", "two", "three"]
        }
        NumberField {
            id: number

            name: "Beam"
            from: 1
            to: 64
            value: 6
        }
        NumberField {
            id: limit

            name: "Budget"
            zeroIsNoLimit: true
            decimals: 2
            value: 0
        }
        Field {
            id: field

            placeholderText: "Find"
            clearable: true
        }
        Check {
            id: check

            text: "Use memory"
        }
        Switch {
            id: toggle

            text: "Reduce motion"
        }
        Select {
            id: select

            name: "Problem"
            options: ["silu", "rope"]
        }
        Delta {
            id: delta

            factor: 1.2
        }
    }

    SignalSpy {
        id: clicks

        target: button
        signalName: "clicked"
    }
    SignalSpy {
        id: chosen

        target: segmented
        signalName: "chosen"
    }
    SignalSpy {
        id: edited

        target: number
        signalName: "edited"
    }

    TestCase {
        name: "Controls"
        when: windowShown

        function init() {
            clicks.clear();
            chosen.clear();
            edited.clear();
        }
        function test_button_by_mouse_and_keys() {
            mouseClick(button);
            compare(clicks.count, 1);
            button.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_Return);
            keyClick(Qt.Key_Space);
            compare(clicks.count, 3);
            button.enabled = false;
            mouseClick(button);
            compare(clicks.count, 3);
            button.enabled = true;
        }
        function test_busy_keeps_width() {
            const before = busyButton.width;
            busyButton.busy = true;
            verify(Math.abs(busyButton.width - before) <= 2);
        }
        function test_names_and_sizes() {
            compare(button.Accessible.name, "Start");
            compare(iconButton.Accessible.name, "Show");
            compare(iconButton.Accessible.role, Accessible.Button);
            for (const control of [button, iconButton, segmented, number, field, check, toggle, select])
                verify(control.height >= 24, control + " is at least 24 high");
        }
        function test_segmented() {
            segmented.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_Right);
            compare(segmented.currentIndex, 1);
            keyClick(Qt.Key_Right);
            keyClick(Qt.Key_Right);
            compare(segmented.currentIndex, 2);
            compare(chosen.count, 2);
            mouseClick(segmented, 10, 10);
            compare(segmented.currentIndex, 0);
        }
        function test_number_bounds() {
            number.forceActiveFocus(Qt.TabFocusReason);
            number.selectAll();
            keyClick(Qt.Key_9);
            keyClick(Qt.Key_9);
            verify(number.error !== "");
            compare(number.value, 9);
            number.selectAll();
            keyClick(Qt.Key_1);
            keyClick(Qt.Key_2);
            compare(number.error, "");
            compare(number.value, 12);
            keyClick(Qt.Key_Up);
            compare(number.value, 13);
            verify(edited.count >= 2);
        }
        function test_no_limit() {
            compare(limit.text, "");
            limit.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_5);
            compare(limit.value, 5);
            limit.clear();
            limit.textEdited();
            compare(limit.value, 0);
        }
        function test_check_and_switch() {
            mouseClick(check, 40, 10);
            verify(check.checked);
            toggle.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_Space);
            verify(toggle.checked);
        }
        function test_delta_words() {
            compare(delta.verdict, "better");
            verify(delta.Accessible.name.includes("better"));
            delta.factor = 0.8;
            compare(delta.verdict, "worse");
            delta.factor = 1.001;
            compare(delta.verdict, "same");
        }
        function test_theme_switch() {
            Theme.mode = Theme.Light;
            // As text: a colour read from a property follows it.
            const light = String(Theme.panel);
            Theme.mode = Theme.Dark;
            verify(String(Theme.panel) !== light);
            Theme.mode = Theme.Light;
        }
    }
}
