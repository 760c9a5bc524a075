// SPDX-License-Identifier: GPL-3.0-or-later
import QtQuick
import QtTest
import AccelOpt.Studio
import AccelOpt.Shell
import AccelOpt.PagesFixture

Item {
    id: root

    width: 10
    height: 10

    Main {
        id: window

        visible: true
    }

    TestCase {
        id: test

        name: "Pages"
        when: windowShown

        function initTestCase() {
            const folder = Fixture.makeProject("pages");
            verify(folder !== "");
            window.requestActivate();
            tryVerify(() => window.active, 5000);
            Session.openProject(folder);
            tryVerify(() => Session.loaded, 10000);
        }
        function init() {
            window.width = 1440;
            window.height = 900;
            Fixture.takeWarnings();
        }
        function cleanup() {
            compare(Fixture.takeWarnings().join("\n"), "");
        }
        function show(page: string, name: string) {
            Session.go(page);
            tryVerify(() => window.currentPage !== null && window.currentPage.Accessible.name === name, 5000);
            wait(120);
        }
        /// The first item below `item` that answers.
        function find(item: Item, matches: var): Item {
            if (matches(item))
                return item;
            for (let i = 0; i < item.children.length; ++i) {
                const found = find(item.children[i], matches);
                if (found)
                    return found;
            }
            return null;
        }
        function named(name: string): Item {
            return find(window.currentPage, (item) => item.visible && item.Accessible.name === name);
        }

        function test_candidates() {
            show("candidates", "Candidates");
            const table = named("Attempts");
            verify(table);
            tryVerify(() => table.rows > 10, 5000);
            tryVerify(() => Session.attempt !== 0);
            window.currentPage.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_Home);
            const first = Session.attempt;
            keyClick(Qt.Key_Down);
            verify(Session.attempt !== first);
            compare(table.currentRow, 1);
            keyClick(Qt.Key_Space);
            compare(table.tickedRows.length, 1);
            keyClick(Qt.Key_Up);
            keyClick(Qt.Key_Space);
            compare(table.tickedRows.length, 2);
            keyClick(Qt.Key_C);
            compare(Session.page, "compare");
            compare(Session.compareB, first); // the better row is B
            keyClick(Qt.Key_Left, Qt.AltModifier);
            compare(Session.page, "candidates");
            tryVerify(() => window.currentPage.Accessible.name === "Candidates");
            table.tickedRows = [];
        }
        function test_candidates_tabs_family_and_copy() {
            show("candidates", "Candidates");
            const table = named("Attempts");
            tryVerify(() => table.rows > 10, 5000);
            window.currentPage.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_Home);
            const start = Session.attempt;
            for (const [key, name] of [[Qt.Key_2, "Source"], [Qt.Key_3, "Profile"], [Qt.Key_4, "Errors"], [Qt.Key_5, "Prompt"], [Qt.Key_1, "Plan"]]) {
                keyClick(key);
                const tab = find(window.currentPage, (item) => item.Accessible.role === Accessible.PageTab && item.Accessible.name === name);
                verify(tab, name);
                tryVerify(() => tab.Accessible.selected);
            }
            keyClick(Qt.Key_P);
            verify(Session.attempt !== start);
            const parent = Session.attempt;
            keyClick(Qt.Key_H);
            verify(Session.attempt !== parent);
            keyClick(Qt.Key_Y);
            verify(/^[a-z_0-9]+\/(i\d\d\.c\d+\.p\d\d\.a\d|baseline)/.test(Fixture.clipboard()), Fixture.clipboard());
        }
        function test_candidates_filter() {
            show("candidates", "Candidates");
            const table = named("Attempts");
            tryVerify(() => table.rows > 10, 5000);
            const all = table.rows;
            keyClick(Qt.Key_F, Qt.ShiftModifier);
            tryVerify(() => table.rows < all && table.rows > 0);
            keyClick(Qt.Key_F, Qt.ShiftModifier);
            tryVerify(() => table.rows === all);
            keyClick(Qt.Key_F, Qt.ControlModifier);
            for (const letter of "zzzzq")
                keyClick(letter);
            tryVerify(() => table.rows === 0);
            verify(find(window.currentPage, (item) => item.visible && item.text === "No attempt matches."));
            keyClick(Qt.Key_Escape);
            tryVerify(() => table.rows === all);
            verify(table.activeFocus);
        }
        function test_compare() {
            Session.selectProblem("");
            Session.compareBestWithBaseline("");
            tryVerify(() => window.currentPage !== null && window.currentPage.Accessible.name === "Compare", 5000);
            const pane = named("Differences of the two kernels");
            verify(pane);
            tryVerify(() => pane.diff.changes > 1, 5000);
            window.currentPage.forceActiveFocus(Qt.TabFocusReason);
            tryVerify(() => pane.change === 0);
            keyClick(Qt.Key_N);
            compare(pane.change, 1);
            keyClick(Qt.Key_F7);
            compare(pane.change, Math.min(2, pane.diff.changes - 1));
            keyClick(Qt.Key_N, Qt.ShiftModifier);
            keyClick(Qt.Key_F7, Qt.ShiftModifier);
            compare(pane.change, 0);
            keyClick(Qt.Key_U);
            verify(pane.diff.unified);
            compare(pane.change, 0); // the place is kept
            keyClick(Qt.Key_U);
            verify(!pane.diff.unified);
            keyClick(Qt.Key_F);
            verify(pane.diff.wholeFile);
            compare(pane.change, 0);
            keyClick(Qt.Key_F);
            keyClick(Qt.Key_W);
            verify(pane.wrap);
            keyClick(Qt.Key_W);
            const a = Session.compareA;
            const b = Session.compareB;
            keyClick(Qt.Key_S);
            compare(Session.compareA, b);
            compare(Session.compareB, a);
            keyClick(Qt.Key_S);
            tryCompare(Session, "compareB", b);
            wait(200);
            keyClick(Qt.Key_Down, Qt.AltModifier);
            tryVerify(() => Session.compareB !== b && Session.compareA === a);
            keyClick(Qt.Key_C, Qt.ControlModifier);
            keyClick(Qt.Key_I);
            wait(200);
            keyClick(Qt.Key_I);
            keyClick(Qt.Key_M);
            keyClick(Qt.Key_M);
            wait(200);
        }
        function test_compare_folds_by_keyboard() {
            Session.compareBestWithBaseline("");
            tryVerify(() => window.currentPage !== null && window.currentPage.Accessible.name === "Compare", 5000);
            const pane = named("Differences of the two kernels");
            tryVerify(() => pane.diff.changes > 0, 5000);
            window.currentPage.forceActiveFocus(Qt.TabFocusReason);
            wait(200);
            // A pair with a fold: the best and what stands near it differ little.
            const kindRole = 256;
            let fold = -1;
            for (let tries = 0; tries < 10 && fold < 0; ++tries) {
                for (let i = 0; i < pane.diff.count && fold < 0; ++i) {
                    if (pane.diff.data(pane.diff.index(i, 0), kindRole) === "fold")
                        fold = i;
                }
                if (fold < 0) {
                    const before = Session.compareB;
                    keyClick(Qt.Key_Down, Qt.AltModifier);
                    tryVerify(() => Session.compareB !== before);
                    wait(300);
                }
            }
            verify(fold >= 0, "a pair with a fold");
            keyClick(Qt.Key_Home);
            for (let i = 0; i < fold; ++i)
                keyClick(Qt.Key_Down);
            const rows = pane.diff.count;
            keyClick(Qt.Key_Return);
            verify(pane.diff.count > rows);
            compare(pane.currentRow, fold);
        }
        function test_compare_without_pair() {
            Session.setComparePair(0, 0);
            show("compare", "Compare");
            verify(find(window.currentPage, (item) => item.visible && item.text === "Two attempts side by side"));
        }
        function test_compare_narrow() {
            window.width = 1024;
            window.height = 700;
            Session.compareBestWithBaseline("");
            tryVerify(() => window.currentPage !== null && window.currentPage.Accessible.name === "Compare", 5000);
            const pane = named("Differences of the two kernels");
            tryVerify(() => pane.diff.changes > 0 && pane.diff.unified, 5000);
        }
        function test_memory() {
            show("memory", "Memory");
            const list = named("Experiences");
            verify(list);
            tryVerify(() => list.count > 1, 5000);
            window.currentPage.forceActiveFocus(Qt.TabFocusReason);
            verify(list.activeFocus);
            keyClick(Qt.Key_Home);
            compare(list.currentIndex, 0);
            keyClick(Qt.Key_Down);
            compare(list.currentIndex, 1);
            const id = window.currentPage.chosen;
            keyClick(Qt.Key_P);
            tryVerify(() => window.currentPage.value("useState") === "pinned", 5000);
            compare(window.currentPage.chosen, id); // the choice went with it
            keyClick(Qt.Key_P);
            tryVerify(() => window.currentPage.value("useState") === "active", 5000);
            keyClick(Qt.Key_D);
            tryVerify(() => window.currentPage.value("useState") === "disabled", 5000);
            keyClick(Qt.Key_D);
            tryVerify(() => window.currentPage.value("useState") === "active", 5000);
            const count = list.count;
            keyClick(Qt.Key_Delete);
            tryVerify(() => list.count === count - 1, 5000);
            keyClick(Qt.Key_Z, Qt.ControlModifier);
            tryVerify(() => list.count === count, 5000);
        }
        function test_memory_edit() {
            show("memory", "Memory");
            const list = named("Experiences");
            tryVerify(() => list.count > 1, 5000);
            window.currentPage.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_End);
            const before = window.currentPage.value("summary");
            keyClick(Qt.Key_E);
            wait(250);
            keyClick(Qt.Key_End, Qt.ControlModifier);
            for (const letter of " more")
                keyClick(letter);
            keyClick(Qt.Key_Return, Qt.ControlModifier);
            tryVerify(() => window.currentPage.value("summary") === before.trim() + " more", 5000);
            keyClick(Qt.Key_Z, Qt.ControlModifier);
            tryVerify(() => window.currentPage.value("summary") === before, 5000);
        }
        function test_memory_opens_the_pair() {
            show("memory", "Memory");
            const list = named("Experiences");
            tryVerify(() => list.count > 0, 5000);
            list.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_Home);
            const slow = window.currentPage.value("slow");
            keyClick(Qt.Key_Return);
            tryCompare(Session, "page", "compare");
            compare(Session.compareA, slow);
        }
        function test_reports() {
            show("reports", "Reports");
            const path = find(window.currentPage, (item) => item.Accessible.name === "File of the report");
            verify(path);
            keyClick(Qt.Key_3, Qt.AltModifier);
            verify(path.text.endsWith(".md"));
            keyClick(Qt.Key_4, Qt.AltModifier);
            verify(path.text.endsWith(".csv"));
            const file = Fixture.path("by-key.csv");
            path.forceActiveFocus(Qt.TabFocusReason);
            path.selectAll();
            keyClick(Qt.Key_Delete);
            compare(path.error, "Name a file.");
            path.text = file;
            path.textEdited();
            window.currentPage.forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_Return);
            tryVerify(() => Fixture.sizeOf(file) > 100, 10000);
            const sheet = find(window.currentPage, (item) => item.Accessible.name === "Report");
            tryVerify(() => sheet.length > 200, 10000);
            named("Preview of the report").forceActiveFocus(Qt.TabFocusReason);
            keyClick(Qt.Key_C, Qt.ControlModifier);
            tryVerify(() => Fixture.clipboard().startsWith("# "));
        }
    }
}
