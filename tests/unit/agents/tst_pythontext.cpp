// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/pythontext.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;
using State = PythonText::State;

class TestPythonText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Python's own library is real code in every style: none of it may be refused.
    void standardLibrary()
    {
        QProcess python;
        python.start(u"python3"_s, {u"-c"_s, u"import os; print(os.path.dirname(os.__file__))"_s});
        QVERIFY(python.waitForFinished(30000));
        const QDir dir(QString::fromUtf8(python.readAllStandardOutput()).trimmed());
        int files = 0;
        QStringList refused;
        for (const QFileInfo &info : dir.entryInfoList({u"*.py"_s}, QDir::Files)) {
            QFile file(info.filePath());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            const PythonText python3 = PythonText::analyse(text);
            ++files;
            if (python3.state != State::Complete)
                refused.append(u"%1:%2 %3"_s.arg(info.fileName()).arg(python3.line).arg(python3.what));
        }
        QVERIFY2(files > 50, qPrintable(dir.path()));
        QVERIFY2(refused.isEmpty(), qPrintable(refused.join(u'\n')));
    }

    void state_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("line");
        const auto row = [](const char *name, const QString &text, State state, int line) {
            QTest::newRow(name) << text << int(state) << line;
        };
        row("empty", QString(), State::Complete, 0);
        row("comment", u"# prose is fine here, it's a comment\n"_s, State::Complete, 0);
        row("prose", u"x = 1\nThis loads prose\n"_s, State::Invalid, 2);
        row("apostrophe", u"it's fine\n"_s, State::Invalid, 1);
        row("label", u"Explanation:\n"_s, State::Invalid, 1);
        row("sentence end", u"Done.\n"_s, State::Invalid, 1);
        row("exclamation", u"Sure!\n"_s, State::Invalid, 1);
        row("list item", u"1. Load the tile\n"_s, State::Invalid, 1);
        row("bullet", u"- hoist the load\n"_s, State::Invalid, 1);
        row("fence", u"x = 1\n```\n"_s, State::Invalid, 2);
        row("typographic quotes", u"x = \u201Ca\u201D\n"_s, State::Invalid, 1);
        row("print statement", u"print \"x\"\n"_s, State::Invalid, 1);
        row("open bracket", u"x = 1\ny = f(a,\n  b\n"_s, State::Unfinished, 2);
        row("wrong bracket", u"y = f(a]\n"_s, State::Invalid, 1);
        row("extra bracket", u"y = f(a))\n"_s, State::Invalid, 1);
        row("bracket swallows def", u"y = f(a,\ndef g():\n    pass\n"_s, State::Invalid, 1);
        row("open string", u"'''abc\n\n"_s, State::Unfinished, 1);
        row("string over line end", u"x = 'abc\ny = 2\n"_s, State::Invalid, 1);
        row("operator at end", u"x = 1 +"_s, State::Unfinished, 1);
        row("operator at line end", u"x = 1 +\ny = 2\n"_s, State::Invalid, 1);
        row("empty block", u"for i in range(3):\n"_s, State::Unfinished, 1);
        row("def without colon", u"def f(x)\n    return x\n"_s, State::Invalid, 1);
        row("def cut before colon", u"def f(x)"_s, State::Unfinished, 1);
        row("missing block", u"if x:\ny = 1\n"_s, State::Invalid, 2);
        row("indent", u"x = 1\n  y = 2\n"_s, State::Invalid, 2);
        row("dedent", u"if x:\n    y = 1\n  z = 1\n"_s, State::Invalid, 3);
        row("tabs", u"if x:\n\ty = 1\n\tz = 2\n"_s, State::Complete, 0);
        row("tabs and spaces", u"if x:\n\ty = 1\n        z = 2\n"_s, State::Invalid, 3);
        row("match", u"match x:\n    case 1:\n        pass\nmatch = 3\n"_s, State::Complete, 0);
        row("type", u"type Tile = int\ntype = 3\n"_s, State::Complete, 0);
        row("walrus and slices", u"if (n := len(a)) > 1: a[::2], a[1:n] = b, lambda x: x\n"_s, State::Complete, 0);
        row("nested f-string quotes", u"x = f\"{d[\"a\"]} {{\" + f'{y!r:>{w}}'\n"_s, State::Complete, 0);
        row("ellipsis", u"a[...] = b[..., 0]\n"_s, State::Complete, 0);
        row("string pieces", u"x = 'a' \"b\" r'c' f'd'\n"_s, State::Complete, 0);
        row("numbers", u"x = 1_000 + 0xFF + 1e-5 + 1.5j + .5 + 1.\n"_s, State::Complete, 0);
        row("annotations", u"x: int\ny: list[int] = []\ndef f(a: int, *, b=1) -> None: ...\n"_s, State::Complete, 0);
        row("comment in bracket", u"x = f(  # it's\n    1)\n"_s, State::Complete, 0);
        row("backslash", u"x = 1 + \\\n    2\n"_s, State::Complete, 0);
        row("lone backslash", u"x = \\ 2\n"_s, State::Invalid, 1);
        row("backslash into nothing", u"x = 1 \\\n"_s, State::Unfinished, 1);
        row("backslash into a blank line", u"x = 1 \\\n\n"_s, State::Complete, 0);
        row("def without a name", u"def :f(x):\n    return x\n"_s, State::Invalid, 1);
        row("def without parameters", u"def f:\n    return x\n"_s, State::Invalid, 1);
        row("def with type parameters", u"async def f[T](x):\n    return x\nclass C:\n    pass\n"_s, State::Complete,
            0);
        row("class without a name", u"class (f):\n    x = 1\n"_s, State::Invalid, 1);
        row("emoji", u"x = \U0001F680\n"_s, State::Invalid, 1);
        row("semicolons", u"def f():\n    a = 1; b = 2;\n    return a\n"_s, State::Complete, 0);
        row("blank lines", u"def f():\n    a = 1\n\n  # off\n\n    return a\n"_s, State::Complete, 0);
    }

    void state()
    {
        QFETCH(QString, text);
        QFETCH(int, state);
        QFETCH(int, line);
        const PythonText python = PythonText::analyse(text);
        QVERIFY2(int(python.state) == state, qPrintable(python.what));
        QCOMPARE(python.line, line);
        QCOMPARE(python.what.isEmpty(), python.state == State::Complete);
    }

    void functions()
    {
        const PythonText python = PythonText::analyse(u"import a.b as c\n"
                                                      "import numpy as np, math\n"
                                                      "from x.y import z as w, v\n"
                                                      "@nki.jit(mode='trace')\n"
                                                      "def kernel(p, *q, r=1):\n"
                                                      "    \"\"\"Doc.\"\"\"\n"
                                                      "    tile = nl.load(p)\n"
                                                      "    return tile\n"
                                                      "def stub(x):\n"
                                                      "    \"\"\"Doc.\"\"\"\n"
                                                      "    pass\n"
                                                      "def half(x):\n"
                                                      "    y = 1\n"
                                                      "    ...\n"
                                                      "class K:\n"
                                                      "    def inner(self): return 1\n"
                                                      "name = other.thing\n"
                                                      "# ... and so on\n"_s);
        QCOMPARE(python.state, State::Complete);
        QCOMPARE(python.functions.size(), 3);
        QCOMPARE(python.functions[0].name, u"kernel"_s);
        QCOMPARE(python.functions[0].line, 5);
        QVERIFY(python.functions[0].jit && !python.functions[0].stub);
        QVERIFY(!python.functions[1].jit && python.functions[1].stub);
        QVERIFY(python.functions[2].stub);
        QVERIFY(python.defines(u"name"_s) && !python.defines(u"inner"_s) && !python.defines(u"tile"_s));
        QVERIFY(python.elided);
        for (const QString &bound :
            {u"c"_s, u"np"_s, u"math"_s, u"w"_s, u"v"_s, u"p"_s, u"q"_s, u"r"_s, u"tile"_s, u"self"_s})
            QVERIFY2(python.bound.contains(bound), qPrintable(bound));
        for (const QString &unbound : {u"a"_s, u"b"_s, u"z"_s, u"numpy"_s, u"nl"_s, u"nki"_s})
            QVERIFY2(!python.bound.contains(unbound), qPrintable(unbound));
        QCOMPARE(python.roots, (QSet<QString>{u"nki"_s, u"nl"_s, u"other"_s}));
    }
};

QTEST_GUILESS_MAIN(TestPythonText)
#include "tst_pythontext.moc"
