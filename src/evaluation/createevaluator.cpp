// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/paths.h"
#include "evaluation/evaluator.h"

#include <QDir>
#include <QPluginLoader>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

Result<std::unique_ptr<Evaluator>> createEvaluator(const QString &host, const QJsonObject &options)
{
    // "simulator" is both a host and the id of its plugin; other hosts name theirs in the options.
    const QString id = options.value("plugin"_L1).toString(host);
    const QDir folder(pluginPath(u"hosts"_s));
    QStringList seen;
    QString failure;
    for (const QString &file : folder.entryList(QDir::Files)) {
        if (!QLibrary::isLibrary(file))
            continue;
        QPluginLoader loader(folder.filePath(file));
        auto *factory = qobject_cast<EvaluatorFactory *>(loader.instance());
        if (!factory) {
            failure = loader.errorString();
            continue;
        }
        if (factory->id() == id)
            return factory->create(host, options);
        seen.append(factory->id());
    }
    return fail(Error::Kind::NotFound,
        seen.isEmpty() ? u"No plugin for evaluating hosts was found in %1."_s.arg(folder.path())
                       : u"There is no host “%1”; there are: %2."_s.arg(host.left(80), seen.join(u", "_s)),
        failure);
}

} // namespace accelopt
