// SPDX-License-Identifier: GPL-3.0-or-later
// Every contrast ratio that the design language promises in section 4, computed from the tokens.
#include "studio/iconprovider.h"
#include "studio/theme.h"
#include "studio/tokens.h"

#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

/// The promised figures have one decimal.
constexpr double s_rounding = 0.05;

double lowest(const QColor &ink, const Tokens &t)
{
    double least = 21;
    for (const QColor &ground : {t.window, t.chrome, t.panel, t.sunken, t.hover, t.selected})
        least = std::min(least, contrastRatio(ink, ground));
    return least;
}

struct Pair {
    QColor Tokens::*ink;
    double onPanelLight, onPanelDark;
};

} // namespace

class TestTheme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_settings.isValid());
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(u"AccelOpt"_s);
        QCoreApplication::setApplicationName(u"tst_theme"_s);
    }

    void formula()
    {
        QCOMPARE_GE(contrastRatio(Qt::black, Qt::white), 20.99);
        QCOMPARE(contrastRatio(Qt::white, Qt::white), 1.0);
        // #767676 on white is the well-known 4.54.
        QVERIFY(std::abs(contrastRatio(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.01);
    }

    void onPanel()
    {
        const Pair pairs[] = {
            {&Tokens::text, 17.3, 13.6},
            {&Tokens::text2, 8.2, 8.5},
            {&Tokens::text3, 5.6, 6.3},
            {&Tokens::accent, 6.0, 7.2},
            {&Tokens::better, 5.7, 9.6},
            {&Tokens::worse, 7.0, 6.6},
            {&Tokens::neutral, 5.6, 6.3},
            {&Tokens::failed, 6.9, 6.3},
            {&Tokens::quarantined, 8.0, 9.9},
            {&Tokens::estimate, 5.9, 11.5},
        };
        for (const Pair &pair : pairs) {
            QCOMPARE_GE(
                contrastRatio(Tokens::light().*pair.ink, Tokens::light().panel), pair.onPanelLight - s_rounding);
            QCOMPARE_GE(contrastRatio(Tokens::dark().*pair.ink, Tokens::dark().panel), pair.onPanelDark - s_rounding);
        }
    }

    void lowestOverSurfaces()
    {
        const Pair pairs[] = {
            {&Tokens::text, 14.2, 10.4},
            {&Tokens::text2, 6.7, 6.6},
            {&Tokens::text3, 4.7, 4.8},
            {&Tokens::lineStrong, 3.1, 3.4},
        };
        for (const Pair &pair : pairs) {
            QCOMPARE_GE(lowest(Tokens::light().*pair.ink, Tokens::light()), pair.onPanelLight - s_rounding);
            QCOMPARE_GE(lowest(Tokens::dark().*pair.ink, Tokens::dark()), pair.onPanelDark - s_rounding);
        }
    }

    void onOwnGround()
    {
        struct Meaning {
            QColor Tokens::*ink, Tokens::*ground;
            double light, dark;
        };
        const Meaning meanings[] = {
            {&Tokens::better, &Tokens::betterGround, 5.0, 8.0},
            {&Tokens::worse, &Tokens::worseGround, 5.9, 5.7},
            {&Tokens::neutral, &Tokens::neutralGround, 4.9, 5.3},
            {&Tokens::failed, &Tokens::failedGround, 5.7, 5.7},
            {&Tokens::quarantined, &Tokens::quarantinedGround, 6.9, 8.5},
            {&Tokens::estimate, &Tokens::estimateGround, 5.3, 9.8},
        };
        for (const Meaning &m : meanings) {
            QCOMPARE_GE(contrastRatio(Tokens::light().*m.ink, Tokens::light().*m.ground), m.light - s_rounding);
            QCOMPARE_GE(contrastRatio(Tokens::dark().*m.ink, Tokens::dark().*m.ground), m.dark - s_rounding);
        }
    }

    void onAccent()
    {
        QCOMPARE_GE(contrastRatio(Tokens::light().onAccent, Tokens::light().accent), 6.0 - s_rounding);
        QCOMPARE_GE(contrastRatio(Tokens::dark().onAccent, Tokens::dark().accent), 8.3 - s_rounding);
        for (const Tokens *t : {&Tokens::light(), &Tokens::dark()})
            QCOMPARE_GE(contrastRatio(t->onAccent, t->accentPressed), 4.5);
    }

    void series()
    {
        QCOMPARE(Tokens::light().series.size(), 8);
        QCOMPARE(Tokens::dark().series.size(), 8);
        for (const QColor &color : Tokens::light().series)
            QCOMPARE_GE(contrastRatio(color, Tokens::light().panel), 5.7 - s_rounding);
        for (const QColor &color : Tokens::dark().series)
            QCOMPARE_GE(contrastRatio(color, Tokens::dark().panel), 7.1 - s_rounding);
    }

    void codeAndDiff()
    {
        for (const Tokens *t : {&Tokens::light(), &Tokens::dark()}) {
            for (const QColor &ink : {t->codeKeyword, t->codeBuiltin, t->codeString, t->codeComment, t->codeNumber}) {
                QCOMPARE_GE(contrastRatio(ink, t->panel), 4.5);
                QCOMPARE_GE(contrastRatio(ink, t->sunken), 4.5);
            }
        }
        for (const QColor &mark : {Tokens::light().diffAddedMark, Tokens::light().diffRemovedMark})
            QCOMPARE_GE(contrastRatio(Tokens::light().text, mark), 13.1 - s_rounding);
        for (const QColor &mark : {Tokens::dark().diffAddedMark, Tokens::dark().diffRemovedMark})
            QCOMPARE_GE(contrastRatio(Tokens::dark().text, mark), 8.3 - s_rounding);
    }

    // WCAG 2.2: text 4.5, icons and edges of controls 3, on every surface they stand on.
    void everyInkOnEverySurface()
    {
        for (const Tokens *t : {&Tokens::light(), &Tokens::dark()}) {
            for (const QColor &surface : {t->window, t->chrome, t->panel, t->raised, t->sunken, t->hover, t->pressed,
                     t->selected, t->segment, t->segmentChosen, t->railCurrent}) {
                QCOMPARE_GE(contrastRatio(t->text, surface), 4.5);
                QCOMPARE_GE(contrastRatio(t->text2, surface), 4.5);
            }
            for (const QColor &ink :
                {t->accent, t->better, t->worse, t->failed, t->quarantined, t->estimate, t->neutral})
                QCOMPARE_GE(contrastRatio(ink, t->window), 4.5);
        }
    }

    void modesAndSizes()
    {
        Theme *theme = Theme::instance();
        int changes = 0;
        connect(theme, &Theme::changed, this, [&] { ++changes; });
        theme->setMode(Theme::Mode::Dark);
        QVERIFY(theme->dark());
        QCOMPARE(theme->panel(), Tokens::dark().panel);
        QCOMPARE(QGuiApplication::palette().color(QPalette::Window), Tokens::dark().window);
        theme->setMode(Theme::Mode::Light);
        QVERIFY(!theme->dark());
        QCOMPARE(QGuiApplication::palette().color(QPalette::Text), Tokens::light().text);
        theme->cycleMode();
        QCOMPARE(theme->mode(), Theme::Mode::Dark);
        theme->setTextSize(150);
        QCOMPARE(theme->tableSize(), 18);
        QCOMPARE(theme->rowHeight(), 42);
        theme->setTextSize(500);
        QCOMPARE(theme->textSize(), 150);
        theme->setTextSize(10);
        QCOMPARE(theme->textSize(), 90);
        theme->setTextSize(100);
        QVERIFY(changes >= 6);
        QCOMPARE(QSettings().value(u"theme/mode"_s).toInt(), int(Theme::Mode::Dark));
    }

    void icons()
    {
        const QStringList names = iconNames();
        // Those that section 6 of the design language lists.
        const QString listed =
            u"overview run candidates compare profile memory hosts models reports settings up down same check x alert "
            u"shield dot "
            "ring playfill noisy plateau flag pause drain stop clock dollar zap target commit tree cpu key folder link "
            "bookmark "
            "bell reference kernel plus minus search filter columns sort copy external download edit pin eye eyeoff "
            "trash undo "
            "refresh swap wrap expand split unified more enter cup cdown cleft cright offline info"_s;
        for (const QString &name : listed.split(u' ', Qt::SkipEmptyParts))
            QVERIFY2(names.contains(name), qPrintable(name));
        for (const QString &name : names) {
            const QImage image = iconImage(name, QColor(0xAE, 0x1F, 0x3D), QSize(32, 32));
            bool drawn = false;
            for (int x = 0; x < 32; ++x) {
                for (int y = 0; y < 32; ++y) {
                    const QColor pixel = image.pixelColor(x, y);
                    if (pixel.alpha() > 200) {
                        drawn = true;
                        QVERIFY2(std::abs(pixel.red() - 0xAE) < 6 && pixel.green() < 0x2A, qPrintable(name));
                    }
                }
            }
            QVERIFY2(drawn, qPrintable(name));
        }
        QVERIFY(iconImage(u"no-such-icon"_s, Qt::black, QSize(16, 16)).isNull());
    }

private:
    QTemporaryDir m_settings;
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
