// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/format.h"

#include <QTest>
#include <limits>

using namespace Qt::Literals::StringLiterals;
using namespace accelopt;

/// The examples of the design language, section 8, are the right values.
class TestFormat : public QObject {
    Q_OBJECT

    /// A plain space and hyphen in the table stand for the no-break space and the minus of the result.
    static QString typeset(QString text) { return text.replace(u' ', QChar(0x00A0)).replace(u'-', QChar(0x2212)); }

private Q_SLOTS:
    void latency()
    {
        QCOMPARE(format::latency(2.278), typeset(u"2.278 ms"_s));
        QCOMPARE(format::latency(0.0556), typeset(u"55.6 µs"_s));
        QCOMPARE(format::latency(0.1), typeset(u"0.100 ms"_s));
        QCOMPARE(format::latency(1204.2), typeset(u"1.204 s"_s));
        QCOMPARE(format::latency(0), format::missing());
        QCOMPARE(format::latency(std::numeric_limits<double>::quiet_NaN()), format::missing());
        QCOMPARE(format::latencyMs(35.2), u"35.200"_s);
        QCOMPARE(format::estimatedLatency(2.194), typeset(u"≈ 2.19 ms"_s));
        QCOMPARE(format::estimatedLatency(0.0556), typeset(u"≈ 56 µs"_s));
    }
    void fractions()
    {
        QCOMPARE(format::fraction(0.587), typeset(u"58.7 %"_s));
        QCOMPARE(format::fraction(2.038), typeset(u"203.8 %"_s));
        QCOMPARE(format::fraction(0), format::missing());
        QCOMPARE(format::estimatedFraction(0.587), typeset(u"≈ 59 %"_s));
        QCOMPARE(format::points(0.095), typeset(u"+9.5 points"_s));
        QCOMPARE(format::points(-0.012), typeset(u"-1.2 points"_s));
        QCOMPARE(format::points(-0.0001), typeset(u"0.0 points"_s));
        QCOMPARE(format::speedup(1.268), u"1.268×"_s);
        QCOMPARE(format::speedup(26.3), u"26.3×"_s);
        QCOMPARE(format::speedup(512.4), u"512×"_s);
    }
    void moneyAndCounts()
    {
        QCOMPARE(format::money(143.52), u"$143.52"_s);
        QCOMPARE(format::money(5806.83), u"$5,806.83"_s);
        QCOMPARE(format::money(0.0025), u"$0.0025"_s);
        QCOMPARE(format::money(0.0), u"$0.00"_s);
        QCOMPARE(format::money(std::nullopt), u"?"_s);
        QCOMPARE(format::count(19607), u"19,607"_s);
        QCOMPARE(format::count(-5), typeset(u"-5"_s));
        QCOMPARE(format::tokens(149'300'000), typeset(u"149.3 M"_s));
        QCOMPARE(format::tokens(9214), u"9,214"_s);
    }
    void sizes()
    {
        QCOMPARE(format::bytes(55.1e6), typeset(u"55.1 MB"_s));
        QCOMPARE(format::bytes(0), typeset(u"0 B"_s));
        QCOMPARE(format::bytes(999), typeset(u"999 B"_s));
        QCOMPARE(format::bytes(999'999), typeset(u"1.0 MB"_s));
        QCOMPARE(format::bytesBinary(196608), typeset(u"192 KiB"_s));
        QCOMPARE(format::bytesBinary(1536), typeset(u"1.5 KiB"_s));
    }
    void time()
    {
        QCOMPARE(format::duration(12240), u"3\u00A0h 24\u00A0min"_s);
        QCOMPARE(format::duration(41), typeset(u"41 s"_s));
        QCOMPARE(format::duration(7.94), typeset(u"7.94 s"_s));
        QCOMPARE(format::duration(0.012), typeset(u"12 ms"_s));
        QCOMPARE(format::duration(3600), typeset(u"1 h"_s));
        QCOMPARE(format::duration(3599), typeset(u"60 min"_s));
        QCOMPARE(format::duration(-1), format::missing());
        QCOMPARE(format::date(QDateTime::fromString(u"2026-11-30T12:00:00Z"_s, Qt::ISODate)), u"30 Nov 2026"_s);
    }
    void errors()
    {
        QCOMPARE(format::scientific(1.1e-6), u"1.1e-6"_s);
        QCOMPARE(format::scientific(3e-5), u"3.0e-5"_s);
        QCOMPARE(format::scientific(-1), format::missing());
    }
    void verdicts()
    {
        QCOMPARE(format::compare(1.004), format::Verdict::Same);
        QCOMPARE(format::compare(0.996), format::Verdict::Same);
        QCOMPARE(format::compare(1.006), format::Verdict::Better);
        QCOMPARE(format::compare(0.9), format::Verdict::Worse);
    }
};

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
