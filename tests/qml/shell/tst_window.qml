// SPDX-License-Identifier: GPL-3.0-or-later
// The window by keyboard alone: palette, pages, history, table, text size, dialogs.
import QtQuick
import QtTest
import AccelOpt.Studio
import AccelOpt.Shell
import AccelOpt.Fixture

Item {
    id: root

    width: 10
    height: 10

    Main {
        id: window

        visible: true
    }

    TestCase {
        name: "Window"
        when: windowShown

        function initTestCase() {
            const folder = Fixture.makeProject("window");
            verify(folder !== "");
            window.requestActivate();
            tryVerify(() => window.active, 5000);
            compare(Session.page, "start");
            Session.openProject(folder);
            tryVerify(() => Session.loaded, 10000);
            tryVerify(() => window.currentPage !== null);
            wait(50);
        }
        function init() {
            Session.go("overview");
            tryVerify(() => window.currentPage !== null && window.currentPage.Accessible.name === "Overview", 5000);
            wait(30);
        }
        function test_pages_by_number() {
            keyClick(Qt.Key_2, Qt.ControlModifier);
            compare(Session.page, "run");
            keyClick(Qt.Key_Comma, Qt.ControlModifier);
            compare(Session.page, "settings");
            keyClick(Qt.Key_Left, Qt.AltModifier);
            compare(Session.page, "run");
            keyClick(Qt.Key_Right, Qt.AltModifier);
            compare(Session.page, "settings");
        }
        function test_problem_by_arrows() {
            Session.selectProblem("");
            window.currentPage.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_Home);
            keyClick(Qt.Key_Down);
            tryVerify(() => Session.problem !== "");
            const first = Session.problem;
            keyClick(Qt.Key_Down);
            verify(Session.problem !== first);
            keyClick(Qt.Key_Return);
            compare(Session.page, "candidates");
        }
        function test_palette() {
            keyClick(Qt.Key_K, Qt.ControlModifier);
            wait(200);
            for (const letter of "settings")
                keyClick(letter);
            keyClick(Qt.Key_Return);
            tryCompare(Session, "page", "settings");
        }
        function test_text_size() {
            keyClick(Qt.Key_Plus, Qt.ControlModifier);
            compare(Theme.textSize, 110);
            keyClick(Qt.Key_0, Qt.ControlModifier);
            compare(Theme.textSize, 100);
        }
        function test_theme_by_key() {
            const before = Theme.mode;
            keyClick(Qt.Key_L, Qt.ControlModifier | Qt.ShiftModifier);
            verify(Theme.mode !== before);
            Theme.mode = Theme.Light;
        }
        function test_slim_rail() {
            const before = Session.slimRail;
            keyClick(Qt.Key_B, Qt.ControlModifier);
            compare(Session.slimRail, !before);
            keyClick(Qt.Key_B, Qt.ControlModifier);
        }
        function test_new_project_dialog() {
            keyClick(Qt.Key_N, Qt.ControlModifier);
            wait(200);
            // A dialog keeps single keys and shortcuts to itself.
            keyClick(Qt.Key_2, Qt.ControlModifier);
            compare(Session.page, "overview");
            keyClick(Qt.Key_Escape);
            wait(200);
            keyClick(Qt.Key_2, Qt.ControlModifier);
            compare(Session.page, "run");
        }
        function test_compare_best() {
            keyClick(Qt.Key_D, Qt.ControlModifier);
            compare(Session.page, "compare");
            verify(Session.compareA > 0);
        }
        function test_toast_and_undo() {
            const folder = Session.projectFolder;
            const count = Session.recent.count;
            Session.removeRecent(folder);
            compare(Session.recent.count, count - 1);
            keyClick(Qt.Key_Z, Qt.ControlModifier);
            compare(Session.recent.count, count);
        }
        function test_panes() {
            keyClick(Qt.Key_F6);
            keyClick(Qt.Key_F6);
            keyClick(Qt.Key_F6, Qt.ShiftModifier);
            verify(window.activeFocusItem !== null);
        }
    }
}
