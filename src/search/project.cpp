// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/project.h"

#include "domain/hardware.h"
#include "domain/paths.h"
#include "evaluation/problemfiles.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {
const QString settingsKey = u"project"_s;
}

QString Project::name() const
{
    return QDir(m_folder).dirName();
}

QString Project::databasePath() const
{
    return m_folder + u"/accelopt.db"_s;
}

QString Project::repositoryPath() const
{
    return m_folder + u"/kernels.git"_s;
}

QString Project::defaultTarget() const
{
    const auto opened = reader();
    const auto value = opened ? (*opened)->value(settingsKey) : Result<QJsonObject>(QJsonObject());
    const QString target = value ? value->value("target"_L1).toString() : QString();
    return target.isEmpty() ? u"trn1"_s : target;
}

Result<Project> Project::create(const QString &folder, const QString &suite, const QString &target)
{
    if (folder.isEmpty()) // would be the current folder
        return fail(Error::Kind::Invalid, u"The project's folder has no name."_s);
    Project project;
    project.m_folder = QDir::cleanPath(QDir(folder).absolutePath());
    const QString shown = QDir::toNativeSeparators(project.m_folder);
    if (!knownTargets().contains(target))
        return fail(Error::Kind::Invalid,
            u"The target %1 is not known. Known targets: %2."_s.arg(target, knownTargets().join(u", "_s)));

    // All that can be wrong with the problems is found before anything is made.
    QList<Problem> problems;
    if (!suite.isEmpty()) {
        const auto names = suiteProblems(suite);
        if (!names)
            return std::unexpected(names.error());
        for (const QString &name : *names) {
            auto problem = readProblemFolder(resourcePath(u"suite/"_s + name));
            if (!problem)
                return std::unexpected(problem.error());
            problems << std::move(*problem);
        }
    }

    const QFileInfo info(project.m_folder);
    if (info.exists() && !info.isDir())
        return fail(Error::Kind::Conflict, u"%1 is a file; a project needs a folder."_s.arg(shown));
    if (QFileInfo::exists(project.databasePath()))
        return fail(Error::Kind::Conflict, u"%1 is an AccelOpt project already; it was not changed."_s.arg(shown));
    if (info.isDir()
        && !QDir(project.m_folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))
        return fail(Error::Kind::Conflict,
            u"The folder %1 is not empty; nothing was changed. Choose an empty or a new one."_s.arg(shown));
    const bool existed = info.exists();
    if (!QDir().mkpath(project.m_folder))
        return fail(Error::Kind::Io, u"The folder %1 cannot be made."_s.arg(shown));
    // The database is what makes a folder a project: it comes last.
    const auto fill = [&]() -> Result<void> {
        if (const auto made = KernelRepository::create(project.repositoryPath()); !made)
            return std::unexpected(made.error());
        const auto journal = Journal::create(project.databasePath());
        if (!journal)
            return std::unexpected(journal.error());
        if (auto put = (*journal)->putValue(settingsKey, {{u"target"_s, target}, {u"suite"_s, suite}}).result(); !put)
            return put;
        for (const Problem &problem : std::as_const(problems)) {
            if (auto put = (*journal)->putProblem(problem).result(); !put)
                return put;
        }
        return {};
    };
    if (const auto filled = fill(); !filled) {
        // The folder was empty or not there: all in it is ours, and half a project helps nobody (a full disk).
        QDir(project.repositoryPath()).removeRecursively();
        for (const auto &name : {u"accelopt.db"_s, u"accelopt.db-wal"_s, u"accelopt.db-shm"_s, u"accelopt.lock"_s})
            QFile::remove(project.m_folder + u'/' + name);
        if (!existed)
            QDir().rmdir(project.m_folder);
        return std::unexpected(filled.error());
    }
    return project;
}

Result<Project> Project::open(const QString &folder)
{
    if (folder.isEmpty()) // would be the current folder
        return fail(Error::Kind::Invalid, u"The project's folder has no name."_s);
    Project project;
    project.m_folder = QDir::cleanPath(QDir(folder).absolutePath());
    const QString shown = QDir::toNativeSeparators(project.m_folder);
    if (!QFileInfo(project.m_folder).exists())
        return fail(Error::Kind::NotFound, u"There is no folder %1."_s.arg(shown));
    if (!QFileInfo(project.databasePath()).isFile())
        return fail(Error::Kind::NotFound, u"%1 is not an AccelOpt project."_s.arg(shown));
    if (!QFileInfo(project.repositoryPath()).isDir())
        return fail(Error::Kind::NotFound, u"The project %1 has no kernels.git; it was moved or deleted."_s.arg(shown));
    // A database of a newer version, or a file that is none, says so here and not later.
    if (const auto reader = project.reader(); !reader)
        return std::unexpected(reader.error());
    return project;
}

Result<void> Project::addProblem(const Problem &problem) const
{
    const auto journal = Journal::open(databasePath());
    if (!journal)
        return std::unexpected(journal.error());
    return (*journal)->putProblem(problem).result();
}

} // namespace accelopt
