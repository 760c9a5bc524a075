// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/attemptkey.h"

#include <QRegularExpression>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {
QString join(const AttemptKey &key, QChar dot)
{
    if (key.isBaseline())
        return u"baseline"_s;
    QString text = u"i%1"_s.arg(key.iteration, 2, 10, QChar(u'0')) + dot + u"c%1"_s.arg(key.candidate) + dot
        + u"p%1"_s.arg(key.plan, 2, 10, QChar(u'0')) + dot + u"a%1"_s.arg(key.attempt);
    if (key.round > 0)
        text += dot + u"r%1"_s.arg(key.round);
    return text;
}
} // namespace

QString AttemptKey::display() const
{
    return join(*this, u'\u00B7');
}

QString AttemptKey::ascii() const
{
    return join(*this, u'.');
}

std::optional<AttemptKey> AttemptKey::parse(const QString &text)
{
    if (text == u"baseline"_s)
        return AttemptKey{};
    static const QRegularExpression form(
        u"^i(\\d{1,6})[.\u00B7]c(\\d{1,6})[.\u00B7]p(\\d{1,6})[.\u00B7]a(\\d{1,6})(?:[.\u00B7]r(\\d{1,6}))?$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || match.captured(1).toInt() == 0)
        return std::nullopt;
    return AttemptKey{match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3).toInt(),
        match.captured(4).toInt(), match.captured(5).toInt()};
}

} // namespace accelopt
