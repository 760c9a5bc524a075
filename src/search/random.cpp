// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/random.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QtEndian>

namespace accelopt {

quint64 Random::next()
{
    m_state += 0x9e3779b97f4a7c15ULL;
    quint64 z = m_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

quint64 Random::below(quint64 bound)
{
    if (bound <= 1)
        return 0;
    const quint64 limit = -bound % bound; // numbers below it would make some results likelier
    quint64 number = next();
    while (number < limit)
        number = next();
    return number % bound;
}

quint64 naturalSeed(quint64 runSeed, const CallKey &key)
{
    QByteArray text = QByteArray::number(runSeed);
    for (const QString &part : {key.problem, roleName(key.role)})
        text += '\n' + part.toUtf8();
    for (const int part : {key.iteration, key.candidate, key.plan, key.attempt, key.round})
        text += '\n' + QByteArray::number(part);
    const QByteArray digest = QCryptographicHash::hash(text, QCryptographicHash::Sha256);
    return qFromBigEndian<quint64>(digest.constData()) >> 11;
}

} // namespace accelopt
