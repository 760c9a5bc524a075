// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/theme.h"

#include "studio/iconprovider.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QSettings>
#include <QStyleHints>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {
Theme *s_instance = nullptr;
} // namespace

Theme::Theme(QObject *parent)
    : QObject(parent)
{
    const QStringList families = QFontDatabase::families();
    m_sans =
        families.contains(u"Inter"_s) ? u"Inter"_s : QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
    m_mono = families.contains(u"JetBrains Mono"_s) ? u"JetBrains Mono"_s
                                                    : QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    const QSettings settings;
    m_mode = Mode(std::clamp(settings.value(u"theme/mode"_s, int(Mode::System)).toInt(), 0, 2));
    m_textSize = std::clamp(settings.value(u"theme/textSize"_s, 100).toInt(), 90, 150);
    m_reduceMotion = settings.value(u"theme/reduceMotion"_s, false).toBool();
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, &Theme::refresh);
    refresh();
}

Theme::~Theme()
{
    if (s_instance == this)
        s_instance = nullptr;
}

Theme *Theme::instance()
{
    if (!s_instance)
        s_instance = new Theme(qApp);
    return s_instance;
}

Theme *Theme::create(QQmlEngine *engine, QJSEngine *)
{
    if (engine && !engine->imageProvider(u"icon"_s))
        engine->addImageProvider(u"icon"_s, new IconProvider);
    Theme *theme = instance();
    QJSEngine::setObjectOwnership(theme, QJSEngine::CppOwnership);
    return theme;
}

void Theme::setMode(Mode mode, bool keep)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    if (keep)
        QSettings().setValue(u"theme/mode"_s, int(mode));
    refresh();
}

void Theme::cycleMode()
{
    setMode(Mode((int(m_mode) + 1) % 3));
}

void Theme::setTextSize(int percent, bool keep)
{
    percent = std::clamp(percent, 90, 150);
    if (percent == m_textSize)
        return;
    m_textSize = percent;
    if (keep)
        QSettings().setValue(u"theme/textSize"_s, percent);
    refresh();
}

void Theme::setReduceMotion(bool reduce)
{
    if (reduce == m_reduceMotion)
        return;
    m_reduceMotion = reduce;
    QSettings().setValue(u"theme/reduceMotion"_s, reduce);
    Q_EMIT changed();
}

void Theme::refresh()
{
    m_dark = m_mode == Mode::Dark
        || (m_mode == Mode::System && QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark);
    m_tokens = m_dark ? Tokens::dark() : Tokens::light();
    QGuiApplication::setPalette(palette());
    QGuiApplication::setFont(font(13));
    Q_EMIT changed();
}

QPalette Theme::palette() const
{
    const Tokens &t = m_tokens;
    QPalette p;
    p.setColor(QPalette::Window, t.window);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.panel);
    p.setColor(QPalette::AlternateBase, t.sunken);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::Button, t.raised);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.onAccent);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, t.onAccent);
    p.setColor(QPalette::Accent, t.accent);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::LinkVisited, t.accent);
    p.setColor(QPalette::PlaceholderText, t.text3);
    p.setColor(QPalette::ToolTipBase, t.raised);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Light, t.panel);
    p.setColor(QPalette::Midlight, t.hover);
    p.setColor(QPalette::Mid, t.line);
    p.setColor(QPalette::Dark, t.lineStrong);
    p.setColor(QPalette::Shadow, t.lineStrong);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, t.text3);
    return p;
}

QFont Theme::font(double pixels, int weight) const
{
    QFont f(m_sans);
    f.setPixelSize(std::max(1, scaled(pixels)));
    f.setWeight(QFont::Weight(weight));
    f.setFeature("tnum", 1);
    return f;
}

QFont Theme::monoFont(double pixels) const
{
    QFont f(m_mono);
    f.setPixelSize(std::max(1, scaled(pixels)));
    f.setFixedPitch(true);
    for (const char *tag : {"liga", "calt"})
        f.setFeature(QFont::Tag::fromString(QLatin1StringView(tag)).value(), 0);
    return f;
}

} // namespace accelopt
