// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/appinfo.h"

#include "domain/paths.h"
#include "studio/session.h"

#include <QSettings>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QString AppInfo::version()
{
    return QStringLiteral(ACCELOPT_VERSION);
}
QString AppInfo::qtVersion()
{
    return QString::fromLatin1(qVersion());
}
QString AppInfo::demoFolder()
{
    return Session::demoFolder();
}
QString AppInfo::resourceFolder()
{
    return resourcePath({});
}
QString AppInfo::cacheFolder()
{
    return cachePath({});
}
QString AppInfo::settingsFile()
{
    return QSettings().fileName();
}

} // namespace accelopt
