// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/layout.h"
#include "neuroncore/reader.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QtTest>

using namespace accelopt::neuroncore;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Doubles 4 tiles of 128 x 32: load, tensor_scalar, store.
constexpr auto valid = R"({"ir": 1, "frontend": "test", "kernel": "kernel", "source": "kernel.py",
 "tensors": [
  {"id": 0, "name": "x", "buffer": "hbm", "kind": "input", "index": 0, "dtype": "float32", "shape": [512, 32], "partition_dim": null, "line": 1, "loops": []},
  {"id": 1, "name": "y", "buffer": "hbm", "kind": "output", "index": 0, "dtype": "float32", "shape": [512, 32], "partition_dim": null, "line": 2, "loops": []},
  {"id": 2, "name": "t", "buffer": "sbuf", "kind": "temporary", "dtype": "float32", "shape": [128, 32], "partition_dim": 0, "line": 4, "loops": [0]},
  {"id": 3, "name": "u", "buffer": "sbuf", "kind": "temporary", "dtype": "float32", "shape": [4, 128, 32], "partition_dim": 1, "line": 5, "loops": []}],
 "loops": [{"id": 0, "kind": "affine", "name": "i", "start": 0, "step": 1, "trip": 4, "line": 3}],
 "body": [{"loop": 0, "body": [
  {"op": "load", "engine": "dma", "line": 4, "dst": {"tensor": 2, "shape": [128, 32], "index": [{"axes": [[0, 1]]}, {"axes": [[1, 1]]}]},
   "src": [{"tensor": 0, "shape": [128, 32], "index": [{"loops": [[0, 128]], "axes": [[0, 1]]}, {"axes": [[1, 1]]}]}], "roles": ["data"], "attrs": {}},
  {"op": "tensor_scalar", "engine": "unknown", "line": 5, "dst": {"tensor": 3, "shape": [128, 32], "index": [{"loops": [[0, 1]]}, {"axes": [[0, 1]]}, {"axes": [[1, 1]]}]},
   "src": [{"tensor": 2, "shape": [128, 32], "index": [{"axes": [[0, 1]]}, {"axes": [[1, 1]]}]}, {"const": 2.0}], "roles": ["data", "operand0"], "attrs": {"op0": "multiply", "reverse0": false}},
  {"op": "store", "engine": "dma", "line": 6, "dst": {"tensor": 1, "shape": [128, 32], "index": [{"loops": [[0, 128]], "axes": [[0, 1]]}, {"axes": [[1, 1]]}]},
   "src": [{"tensor": 3, "shape": [128, 32], "index": [{"loops": [[0, 1]]}, {"axes": [[0, 1]]}, {"axes": [[1, 1]]}]}], "roles": ["data"], "attrs": {}}]}]})";

} // namespace

class TestReader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAProgram()
    {
        const auto program = readProgram(valid);
        QVERIFY2(program, qPrintable(program ? QString() : program.error().message));
        QCOMPARE(program->instructions.size(), 3U);
        QCOMPARE(program->loops[0].trip, 4);
        QVERIFY(program->instructions[1].op == Op::TensorScalar);
        QCOMPARE(program->instructions[1].find(Role::Operand0)->value, 2.0);
        QCOMPARE(program->instructions[2].loops, std::vector<int>{0});
        const Range r = rangeOf(program->instructions[0].src[0].access.index[0], *program, {128, 32});
        QCOMPARE(r.lo, 0);
        QCOMPARE(r.hi, 511);
    }

    void refusesWhatIsWrong_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const char *before, const char *after, const char *expected) {
            QTest::newRow(name) << QString::fromLatin1(before) << QString::fromLatin1(after)
                                << QString::fromLatin1(expected);
        };
        row("version", "\"ir\": 1", "\"ir\": 2", "version 2");
        row("unknown operation", "\"op\": \"tensor_scalar\"", "\"op\": \"nonsense\"", "nonsense");
        row("unknown operator", "\"op0\": \"multiply\"", "\"op0\": \"spam\"", "spam");
        row("unknown dtype", "\"dtype\": \"float32\", \"shape\": [128, 32]",
            "\"dtype\": \"float99\", \"shape\": [128, 32]", "float99");
        row("tensor id", "{\"tensor\": 2, \"shape\": [128, 32]", "{\"tensor\": 9, \"shape\": [128, 32]", "tensor is 9");
        row("negative tensor id", "{\"tensor\": 2, \"shape\": [128, 32]", "{\"tensor\": -1, \"shape\": [128, 32]",
            "tensor is -1");
        row("loop id in an index", "\"loops\": [[0, 128]]", "\"loops\": [[7, 128]]", "id in an index is 7");
        row("axis in an index", "\"axes\": [[1, 1]]", "\"axes\": [[5, 1]]", "id in an index is 5");
        row("fractional", "\"trip\": 4", "\"trip\": 4.5", "trip count");
        row("no trips", "\"trip\": 4", "\"trip\": 0", "trip count");
        row("huge trips", "\"trip\": 4", "\"trip\": 99999999999999", "trip count");
        row("overflowing loop", "\"step\": 1, \"trip\": 4", "\"step\": 2147483648, \"trip\": 2147483648",
            "out of range");
        row("overflowing index", "\"step\": 1, \"trip\": 4", "\"step\": 32768, \"trip\": 2147483648", "overflows");
        row("huge tensor", "\"shape\": [4, 128, 32]", "\"shape\": [2147483648, 128, 2147483648]", "too many elements");
        row("zero dimension", "\"shape\": [4, 128, 32]", "\"shape\": [4, 128, 0]", "is 0");
        row("partitions", "\"shape\": [4, 128, 32]", "\"shape\": [4, 129, 32]", "129 partitions");
        row("wrong rank", "\"shape\": [4, 128, 32]", "\"shape\": [128, 32]", "indices for");
        row("partition axis elsewhere", "[{\"axes\": [[0, 1]]}, {\"axes\": [[1, 1]]}]}, {\"const\"",
            "[{\"axes\": [[1, 1]]}, {\"axes\": [[0, 1]]}]}, {\"const\"", "partition axis");
        row("same loop twice", "\"body\": [{\"loop\": 0, \"body\": [",
            "\"body\": [{\"loop\": 0, \"body\": []}, {\"loop\": 0, \"body\": [", "occurs twice");
        row("role missing", "\"roles\": [\"data\", \"operand0\"]", "\"roles\": [\"data\", \"operand1\"]", "operand");
        row("too few roles", "\"roles\": [\"data\", \"operand0\"]", "\"roles\": [\"data\"]", "operands and");
        row("not a number", "{\"const\": 2.0}", "{\"const\": \"two\"}", "not a number");
        row("indirect", "{\"loops\": [[0, 128]], \"axes\": [[0, 1]]}", "{\"tile\": {}}", "Indirect");
        row("load of a tile", "\"op\": \"load\"", "\"op\": \"copy\"", "works on SBUF");
        row("output on the chip", "\"buffer\": \"hbm\", \"kind\": \"output\"",
            "\"buffer\": \"sbuf\", \"kind\": \"output\"", "not in HBM");
        row("truncated", "\"body\": [{\"loop\"", "\"body\": [{", "not a JSON object");
    }
    void refusesWhatIsWrong()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, expected);
        QString text = QString::fromLatin1(valid);
        QVERIFY(text.contains(before));
        const qsizetype at = text.indexOf(before);
        text.replace(at, before.size(), after);
        const auto program = readProgram(text.toUtf8());
        QVERIFY(!program);
        QVERIFY2(program.error().message.contains(expected), qPrintable(program.error().message));
        QVERIFY(program.error().message.endsWith(u'.'));
    }

    void scopesAreChecked()
    {
        // The tile of the loop used after it.
        QJsonObject root = QJsonDocument::fromJson(valid).object();
        QJsonArray body = root["body"_L1].toArray();
        QJsonObject store = body[0].toObject()["body"_L1].toArray()[2].toObject();
        QJsonObject source{{"tensor"_L1, 2}, {"shape"_L1, QJsonArray{128, 32}},
            {"index"_L1,
                QJsonArray{QJsonObject{{"axes"_L1, QJsonArray{QJsonArray{0, 1}}}},
                    QJsonObject{{"axes"_L1, QJsonArray{QJsonArray{1, 1}}}}}}};
        QJsonObject dst = store["dst"_L1].toObject();
        dst["index"_L1] = source["index"_L1];
        store["dst"_L1] = dst;
        store["src"_L1] = QJsonArray{source};
        body.append(store);
        root["body"_L1] = body;
        const auto program = readProgram(QJsonDocument(root).toJson());
        QVERIFY(!program);
        QCOMPARE(program.error().id, u"err_local_variable_used_out_of_scope"_s);
        QCOMPARE(program.error().line, 6);
    }

    void randomBytesNeverPass()
    {
        QByteArray text(valid);
        QRandomGenerator random(1);
        int accepted = 0;
        for (int n = 0; n < 3000; ++n) {
            QByteArray broken = text;
            for (int k = 0; k < 3; ++k)
                broken[random.bounded(int(broken.size()))] = char(random.bounded(32, 127));
            if (const auto program = readProgram(broken))
                ++accepted; // a changed name or line is fine
        }
        QVERIFY(accepted < 3000);
    }

    void contractsBlocksThatLiveInOneIteration()
    {
        const auto program = readProgram(valid);
        QVERIFY(program);
        const Layout layout = makeLayout(*program);
        QCOMPARE(layout.storage[3].elements, 128 * 32); // not 4 blocks
        QCOMPARE(layout.storage[3].scope, 0);
        QVERIFY(!layout.storage[2].fresh); // fully overwritten before it is read
        QVERIFY(!layout.storage[1].fresh); // every element of the result is stored
        QVERIFY(coversWholly(*program, program->instructions[2]));
    }
};

QTEST_GUILESS_MAIN(TestReader)
#include "tst_neuroncore_reader.moc"
