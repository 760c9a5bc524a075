// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzzer's checks on mutated replies of the corpus: a short walk with a fixed seed, where libFuzzer is not at hand.
#include "../../fuzz/agents/fuzz_kernelreply.cpp"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::Literals::StringLiterals;

class TestKernelReplyMutations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mutations()
    {
        QList<QByteArray> corpus;
        const QDir dir(QStringLiteral(AGENTS_DATA "/replies"));
        for (const QString &name : dir.entryList({u"*.txt"_s}, QDir::Files, QDir::Name)) {
            QFile file(dir.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            corpus.append(file.readAll());
        }
        QVERIFY(corpus.size() >= 40);
        const QList<QByteArray> pieces{"```", "```python\n", "~~~\n", "\n", "\"\"\"", "'", "(", ")", "{", "]", "\\",
            "\t", "def kernel(x):\n", "@nki.jit\n", "...", "# ...", "<think>", "</think>", QByteArray(1, 0), "\xff",
            "\xef\xbb\xbf", ":", ";", "f'{", "import a\n", "> ", "    ", "kernel = 1\n", "\r", "\xed\xa0\x80",
            "word word"};
        bool given = false;
        const int asked = qEnvironmentVariableIntValue("ACCELOPT_FUZZ_ROUNDS", &given);
        const int rounds = given ? asked : 6000;
        QRandomGenerator random(20260101);
        for (int round = 0; round < rounds; ++round) {
            QByteArray data = corpus.at(random.bounded(int(corpus.size())));
            for (int i = random.bounded(1, 6); i > 0; --i) {
                const int at = random.bounded(int(data.size()) + 1);
                switch (random.bounded(5)) {
                case 0:
                    data.insert(at, pieces.at(random.bounded(int(pieces.size()))));
                    break;
                case 1:
                    data.remove(at, random.bounded(1, 40));
                    break;
                case 2:
                    data.truncate(at);
                    break;
                case 3: {
                    const QByteArray &other = corpus.at(random.bounded(int(corpus.size())));
                    data.insert(at, other.mid(random.bounded(int(other.size()) + 1), random.bounded(200)));
                    break;
                }
                default:
                    if (at < data.size())
                        data[at] = char(random.bounded(256));
                }
            }
            data.prepend(char(random.bounded(8)));
            if (qEnvironmentVariableIsSet("ACCELOPT_FUZZ_KEEP")) { // the last one is the one that failed
                QFile keep(qEnvironmentVariable("ACCELOPT_FUZZ_KEEP"));
                if (keep.open(QIODevice::WriteOnly))
                    keep.write(data);
            }
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(data.constData()),
                std::size_t(data.size())); // aborts where a check fails
        }
    }
};

QTEST_GUILESS_MAIN(TestKernelReplyMutations)
#include "tst_kernelreplymutations.moc"
