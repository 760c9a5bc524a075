// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/modelprovider.h"

#include "domain/paths.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QLibrary>
#include <QMutex>
#include <QPluginLoader>
#include <QRegularExpression>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QJsonObject CompletionRequest::toJson() const
{
    QJsonArray list;
    for (const Message &message : messages)
        list.append(QJsonObject{{u"role"_s, message.role}, {u"content"_s, message.content}});
    QJsonObject json{{u"role"_s, roleName(role)}, {u"model"_s, model.toString()}, {u"messages"_s, list},
        {u"seed"_s, QString::number(seed)}, // as text: a JSON number does not hold 64 bits
        {u"max_output_tokens"_s, maxOutputTokens}};
    if (!context.isEmpty())
        json.insert(u"context"_s, context);
    if (temperature)
        json.insert(u"temperature"_s, *temperature);
    if (!reasoningEffort.isEmpty())
        json.insert(u"reasoning_effort"_s, reasoningEffort);
    return json;
}

namespace {

QStringList pluginNames(const QString &folder)
{
    QStringList names;
    for (const QFileInfo &file : QDir(folder).entryInfoList(QDir::Files, QDir::Name)) {
        if (QLibrary::isLibrary(file.fileName()))
            names.append(file.baseName());
    }
    names.removeDuplicates();
    return names;
}

QString pluginFile(const QString &folder, const QString &id)
{
    for (const QFileInfo &file : QDir(folder).entryInfoList(QDir::Files, QDir::Name)) {
        if (file.baseName() == id && QLibrary::isLibrary(file.fileName()))
            return file.absoluteFilePath();
    }
    return {};
}

/// The factory of a plugin file, loaded once per process. Any thread; factories live as long as the process.
Result<ModelProviderFactory *> loadFactory(const QString &id)
{
    static QMutex mutex;
    static QHash<QString, ModelProviderFactory *> loaded;
    const QMutexLocker lock(&mutex);

    static const QRegularExpression plainName(u"^[a-z0-9][a-z0-9_-]*$"_s); // never a path
    const QString folder = pluginPath(u"models"_s);
    const QString file = plainName.match(id).hasMatch() ? pluginFile(folder, id) : QString();
    if (file.isEmpty()) {
        const QStringList names = pluginNames(folder);
        return fail(Error::Kind::NotFound,
            names.isEmpty() ? u"There is no model provider \"%1\": no provider is installed."_s.arg(id)
                            : u"There is no model provider \"%1\". There are: %2."_s.arg(id, names.join(u", "_s)),
            folder);
    }
    if (ModelProviderFactory *factory = loaded.value(file))
        return factory;

    QPluginLoader loader(file);
    if (loader.metaData().value("IID"_L1).toString() != QLatin1StringView(AccelOptModelProviderFactory_iid))
        return fail(Error::Kind::NotFound,
            u"The model provider \"%1\" was built for another version of AccelOpt Studio."_s.arg(id),
            file + u": "_s + loader.errorString());
    auto *factory = qobject_cast<ModelProviderFactory *>(loader.instance());
    if (!factory)
        return fail(Error::Kind::NotFound, u"The model provider \"%1\" cannot be loaded."_s.arg(id),
            file + u": "_s + loader.errorString());
    loaded.insert(file, factory);
    return factory;
}

} // namespace

Result<std::unique_ptr<ModelProvider>> createModelProvider(const ModelChoice &model, const QJsonObject &options)
{
    const auto factory = loadFactory(model.provider);
    if (!factory)
        return std::unexpected(factory.error());
    return (*factory)->create(model, options);
}

} // namespace accelopt
