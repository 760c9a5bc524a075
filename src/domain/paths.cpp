// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

QString firstExisting(const QStringList &folders)
{
    for (const QString &folder : folders) {
        if (!folder.isEmpty() && QDir(folder).exists())
            return QDir::cleanPath(folder);
    }
    return {};
}

} // namespace

QString resourcePath(const QString &relative)
{
    static const QString root = firstExisting({qEnvironmentVariable("ACCELOPT_RESOURCES"),
        QCoreApplication::applicationDirPath() + u"/../share/accelopt-studio"_s,
        QStringLiteral(ACCELOPT_SOURCE_RESOURCES)});
    return root + u'/' + relative;
}

QString pluginPath(const QString &kind)
{
    static const QString root = firstExisting({qEnvironmentVariable("ACCELOPT_PLUGINS"),
        QCoreApplication::applicationDirPath() + u"/../lib/accelopt-studio"_s, QStringLiteral(ACCELOPT_BUILD_PLUGINS)});
    return root + u'/' + kind;
}

QString programPath(const QString &name)
{
    // Test programs stand in a folder beside bin/.
    for (const QString &folder : {qEnvironmentVariable("ACCELOPT_BIN"), QCoreApplication::applicationDirPath(),
             QCoreApplication::applicationDirPath() + u"/../bin"_s}) {
        if (const QString path = folder + u'/' + name; !folder.isEmpty() && QFileInfo(path).isExecutable())
            return QDir::cleanPath(path);
    }
    return name;
}

QString cachePath(const QString &relative)
{
    QString root = qEnvironmentVariable("ACCELOPT_CACHE_DIR");
    if (root.isEmpty())
        root = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/accelopt-studio"_s;
    const QString path = root + u'/' + relative;
    QDir().mkpath(path);
    return path;
}

} // namespace accelopt
