// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/recentmodel.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSettings>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype s_kept = 20;

QString shortFolder(const QString &folder)
{
    const QString home = QDir::homePath();
    return folder.startsWith(home + u'/') ? u'~' + folder.mid(home.size()) : folder;
}

QString openedText(const QDateTime &utc)
{
    const QDateTime local = utc.toLocalTime();
    const qint64 days = local.date().daysTo(QDate::currentDate());
    if (days == 0)
        return RecentModel::tr("today %1").arg(local.toString(u"HH:mm"_s));
    if (days == 1)
        return RecentModel::tr("yesterday");
    return QLocale().toString(local.date(), days < 300 ? u"d MMM"_s : u"d MMM yyyy"_s);
}

} // namespace

QJsonObject RecentModel::Entry::toJson() const
{
    QJsonArray points;
    for (const double value : trend)
        points.append(value);
    return {{u"folder"_s, folder}, {u"name"_s, name}, {u"target"_s, target}, {u"baseline"_s, baseline},
        {u"best"_s, best}, {u"estimate"_s, estimate}, {u"trend"_s, points}, {u"iterations"_s, iterations},
        {u"runText"_s, runText}, {u"runState"_s, runState}, {u"openedAt"_s, openedAt.toString(Qt::ISODateWithMs)}};
}

RecentModel::Entry RecentModel::Entry::fromJson(const QJsonObject &json)
{
    Entry entry;
    entry.folder = json[u"folder"].toString();
    entry.name = json[u"name"].toString();
    entry.target = json[u"target"].toString();
    entry.baseline = json[u"baseline"].toDouble();
    entry.best = json[u"best"].toDouble();
    entry.estimate = json[u"estimate"].toBool();
    for (const QJsonValue &value : json[u"trend"].toArray())
        entry.trend.append(value.toDouble());
    entry.iterations = json[u"iterations"].toInt();
    entry.runText = json[u"runText"].toString();
    entry.runState = json[u"runState"].toString();
    entry.openedAt = QDateTime::fromString(json[u"openedAt"].toString(), Qt::ISODateWithMs);
    entry.exists = QFileInfo::exists(entry.folder + u"/accelopt.db"_s);
    return entry;
}

RecentModel::RecentModel(QObject *parent)
    : QAbstractListModel(parent)
{
    const QByteArray stored = QSettings().value(u"recent/projects"_s).toByteArray();
    for (const QJsonValue &value : QJsonDocument::fromJson(stored).array()) {
        const Entry entry = Entry::fromJson(value.toObject());
        if (!entry.folder.isEmpty() && m_entries.size() < s_kept)
            m_entries.append(entry);
    }
}

int RecentModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_entries.size());
}

QVariant RecentModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry &entry = m_entries.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case NameRole:
        return entry.name;
    case FolderRole:
        return entry.folder;
    case ShortFolderRole:
        return shortFolder(entry.folder);
    case TargetRole:
        return entry.target;
    case BaselineRole:
        return entry.baseline;
    case BestRole:
        return entry.best;
    case EstimateRole:
        return entry.estimate;
    case TrendRole:
        return QVariant::fromValue(entry.trend);
    case IterationsRole:
        return entry.iterations;
    case RunTextRole:
        return entry.runText;
    case RunStateRole:
        return entry.runState;
    case OpenedRole:
        return openedText(entry.openedAt);
    case ExistsRole:
        return entry.exists;
    default:
        return {};
    }
}

QHash<int, QByteArray> RecentModel::roleNames() const
{
    return {{NameRole, "name"}, {FolderRole, "folder"}, {ShortFolderRole, "shortFolder"}, {TargetRole, "target"},
        {BaselineRole, "before"}, {BestRole, "best"}, {EstimateRole, "estimate"}, {TrendRole, "trend"},
        {IterationsRole, "iterations"}, {RunTextRole, "runText"}, {RunStateRole, "runState"}, {OpenedRole, "opened"},
        {ExistsRole, "exists"}};
}

int RecentModel::find(const QString &folder) const
{
    const auto found = std::ranges::find(m_entries, folder, &Entry::folder);
    return found == m_entries.end() ? -1 : int(found - m_entries.begin());
}

void RecentModel::touch(const QString &folder, const QString &target)
{
    const int row = find(folder);
    Entry entry;
    if (row >= 0)
        entry = m_entries.at(row);
    entry.folder = folder;
    entry.name = QDir(folder).dirName();
    entry.target = target;
    entry.openedAt = QDateTime::currentDateTimeUtc();
    entry.exists = true;
    if (row > 0) {
        beginMoveRows({}, row, row, {}, 0);
        m_entries.move(row, 0);
        endMoveRows();
    }
    if (row >= 0) {
        m_entries[0] = entry;
        Q_EMIT dataChanged(index(0), index(0));
    } else {
        insert(0, entry);
    }
    save();
}

void RecentModel::insert(int row, const Entry &entry)
{
    if (m_entries.size() == s_kept) {
        beginRemoveRows({}, int(s_kept) - 1, int(s_kept) - 1);
        m_entries.removeLast();
        endRemoveRows();
    }
    row = std::clamp(row, 0, int(m_entries.size()));
    beginInsertRows({}, row, row);
    m_entries.insert(row, entry);
    endInsertRows();
    Q_EMIT countChanged();
    save();
}

void RecentModel::update(const Entry &entry)
{
    const int row = find(entry.folder);
    if (row < 0 || m_entries.at(row) == entry)
        return;
    m_entries[row] = entry;
    Q_EMIT dataChanged(index(row), index(row));
    save();
}

void RecentModel::remove(const QString &folder)
{
    const int row = find(folder);
    if (row < 0)
        return;
    beginRemoveRows({}, row, row);
    m_entries.removeAt(row);
    endRemoveRows();
    Q_EMIT countChanged();
    save();
}

void RecentModel::save() const
{
    QJsonArray array;
    for (const Entry &entry : m_entries)
        array.append(entry.toJson());
    QSettings().setValue(u"recent/projects"_s, QJsonDocument(array).toJson(QJsonDocument::Compact));
}

} // namespace accelopt
