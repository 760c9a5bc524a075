// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/problemfiles.h"

#include "domain/paths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <cmath>
#include <muParser.h>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

const QRegularExpression &nameForm()
{
    static const QRegularExpression form(u"^[a-z0-9_]{1,80}\\z"_s);
    return form;
}

/// resources/suite/suites.json: name of a suite -> names of its problems, each a folder beside it.
Result<QJsonObject> readSuites()
{
    const QString path = resourcePath(u"suite/suites.json"_s);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(
            Error::Kind::NotFound, u"The bundled problems were not found: %1: %2."_s.arg(path, file.errorString()));
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll());
    if (!document.isObject())
        return fail(Error::Kind::Invalid, u"%1 does not hold a JSON object."_s.arg(path));
    return document.object();
}

constexpr qint64 largestFile = 4 << 20; ///< bytes of one of a problem's files

Result<QByteArray> readFile(const QString &folder, const QString &name)
{
    QFile file(QDir(folder).filePath(name));
    if (!QFileInfo(file).isFile())
        return fail(Error::Kind::NotFound, u"The problem folder %1 has no %2."_s.arg(folder, name));
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::Io, u"The file %1 cannot be read: %2."_s.arg(file.fileName(), file.errorString()));
    if (file.size() > largestFile)
        return fail(Error::Kind::Invalid, u"The file %1 is larger than 4 MiB."_s.arg(file.fileName()));
    return file.readAll();
}

std::unexpected<Error> wrongKey(const QString &key, const QString &what)
{
    return fail(Error::Kind::Invalid, u"problem.json: “%1” %2."_s.arg(key, what));
}

/// A text key; nothing else is accepted where the key is there.
Result<QString> text(const QJsonObject &json, const QString &key, const QString &otherwise)
{
    const QJsonValue value = json.value(key);
    if (value.isUndefined())
        return otherwise;
    if (!value.isString())
        return wrongKey(key, u"is not a text"_s);
    return value.toString();
}

Result<double> workOf(const QJsonObject &work, const QString &key, const QMap<QString, double> &values)
{
    const QJsonValue value = work.value(key);
    double number = 0;
    if (value.isDouble()) {
        number = value.toDouble();
    } else if (value.isString()) {
        const auto result = evaluateFormula(value.toString(), values);
        if (!result)
            return fail(Error::Kind::Invalid, u"problem.json: “work.%1”: %2"_s.arg(key, result.error().message));
        number = *result;
    } else if (!value.isUndefined()) {
        return wrongKey(u"work."_s + key, u"is neither a number nor a formula"_s);
    }
    if (number < 0)
        return wrongKey(u"work."_s + key, u"is negative"_s);
    constexpr double most = 1e24; // far above what a device does in a year; peaks and fractions stay finite
    if (number > most)
        return wrongKey(u"work."_s + key, u"is larger than 1e24"_s);
    return number;
}

/// Whether the text defines a name at its top level: `def name(`, `async def`, or `name = …`.
bool defines(const QByteArray &source, const QString &name)
{
    const QRegularExpression definition(
        u"^(?:(?:async\\s+)?def\\s+%1\\s*[(\\[]|%1\\s*(?::[^=\\n]+)?=[^=]|from\\s+\\S+\\s+import\\s+[^\\n]*\\b%1\\b)"_s
            .arg(name),
        QRegularExpression::MultilineOption);
    return definition.match(QString::fromUtf8(source)).hasMatch();
}

} // namespace

Result<double> evaluateFormula(const QString &formula, const QMap<QString, double> &values)
{
    if (formula.trimmed().isEmpty() || formula.size() > 1000)
        return fail(Error::Kind::Invalid, u"The formula is empty or longer than 1000 characters."_s);
    try {
        mu::Parser parser;
        for (auto value = values.cbegin(); value != values.cend(); ++value)
            parser.DefineConst(value.key().toStdString(), value.value());
        parser.SetExpr(formula.toStdString());
        const double result = parser.Eval();
        if (!std::isfinite(result))
            return fail(Error::Kind::Invalid, u"The formula “%1” does not give a finite number."_s.arg(formula));
        return result;
    } catch (const mu::Parser::exception_type &error) {
        return fail(Error::Kind::Invalid,
            u"The formula “%1” cannot be evaluated: %2."_s.arg(
                formula, QString::fromStdString(error.GetMsg()).remove(QRegularExpression(u"[.\\s]+$"_s))));
    } catch (const std::exception &error) {
        return fail(Error::Kind::Invalid,
            u"The formula “%1” cannot be evaluated: %2."_s.arg(formula, QString::fromLocal8Bit(error.what())));
    }
}

Result<Problem> problemFromParts(const QJsonObject &json, const QByteArray &reference, const QByteArray &kernel)
{
    Problem problem;
    problem.json = json;
    problem.referenceSource = reference;
    problem.kernelSource = kernel;

    if (const QJsonValue version = json.value("version"_L1); !version.isUndefined() && version.toDouble() != 1)
        return wrongKey(u"version"_s, u"is not 1, the only one that this program knows"_s);
    const auto name = text(json, u"name"_s, {});
    const auto title = text(json, u"title"_s, {});
    const auto operatorText = text(json, u"operator"_s, {});
    const auto dtype = text(json, u"dtype"_s, problem.dtype);
    const auto entry = text(json, u"entry"_s, problem.entry);
    for (const auto *value : {&name, &title, &operatorText, &dtype, &entry}) {
        if (!*value)
            return std::unexpected(value->error());
    }
    static const QRegularExpression identifier(u"^[A-Za-z_][A-Za-z0-9_]{0,79}\\z"_s);
    if (name->isEmpty())
        return fail(Error::Kind::Invalid, u"problem.json: the key “name” is missing."_s);
    if (!nameForm().match(*name).hasMatch())
        return wrongKey(
            u"name"_s, u"may hold small letters, digits and underscores only, at most 80: “%1”"_s.arg(name->left(100)));
    if (!identifier.match(*entry).hasMatch())
        return wrongKey(u"entry"_s, u"is not the name of a function: “%1”"_s.arg(entry->left(100)));
    if (!identifier.match(*dtype).hasMatch())
        return wrongKey(u"dtype"_s, u"is not the name of a type: “%1”"_s.arg(dtype->left(100)));
    problem.name = *name;
    problem.title = title->isEmpty() ? *name : *title;
    problem.operatorText = *operatorText;
    problem.dtype = *dtype;
    problem.entry = *entry;

    if (const QJsonValue values = json.value("values"_L1); values.isObject()) {
        const QJsonObject object = values.toObject();
        for (auto value = object.begin(); value != object.end(); ++value) {
            if (!value->isDouble() || !identifier.match(value.key()).hasMatch())
                return wrongKey(u"values."_s + value.key().left(100), u"is not a number under a plain name"_s);
            problem.values.insert(value.key(), value->toDouble());
        }
    } else if (!values.isUndefined()) {
        return wrongKey(u"values"_s, u"is not an object"_s);
    }

    const QJsonValue tolerance = json.value("tolerance"_L1);
    if (!tolerance.isUndefined()) {
        problem.tolerance = tolerance.toDouble(-1);
        if (!(problem.tolerance >= 1e-12 && problem.tolerance < 1))
            return wrongKey(u"tolerance"_s, u"is not a number from 1e-12 to 1"_s);
    }

    const QJsonValue work = json.value("work"_L1);
    if (!work.isObject())
        return fail(Error::Kind::Invalid,
            u"problem.json: the key “work” with the formulas bytes, matmul_flops and vector_flops is missing."_s);
    const auto bytes = workOf(work.toObject(), u"bytes"_s, problem.values);
    const auto matmul = workOf(work.toObject(), u"matmul_flops"_s, problem.values);
    const auto vector = workOf(work.toObject(), u"vector_flops"_s, problem.values);
    for (const auto *value : {&bytes, &matmul, &vector}) {
        if (!*value)
            return std::unexpected(value->error());
    }
    if (*bytes <= 0)
        return wrongKey(u"work.bytes"_s, u"is not positive"_s);
    problem.work = {*bytes, *matmul, *vector};

    for (const QString &function : {u"forward"_s, u"get_inputs"_s}) {
        if (!defines(reference, function))
            return fail(Error::Kind::Invalid, u"reference.py does not define the function “%1”."_s.arg(function));
    }
    if (kernel.trimmed().isEmpty())
        return fail(Error::Kind::Invalid, u"kernel.py is empty."_s);
    if (!defines(kernel, problem.entry) && !(problem.entry == u"kernel"_s && defines(kernel, u"optimized_kernel"_s)))
        return fail(Error::Kind::Invalid, u"kernel.py does not define the function “%1”."_s.arg(problem.entry));
    return problem;
}

Result<Problem> readProblemFolder(const QString &folder)
{
    if (!QFileInfo(folder).isDir())
        return fail(Error::Kind::NotFound, u"%1 is not a folder."_s.arg(folder));
    const auto text = readFile(folder, u"problem.json"_s);
    if (!text)
        return std::unexpected(text.error());
    const QString jsonPath = QDir(folder).filePath(u"problem.json"_s);
    QJsonParseError parsed;
    const QJsonDocument document = QJsonDocument::fromJson(*text, &parsed);
    if (parsed.error != QJsonParseError::NoError) {
        const qsizetype line =
            text->first(qBound(qsizetype(0), qsizetype(parsed.offset), text->size())).count('\n') + 1;
        return fail(Error::Kind::Invalid,
            u"%1 is not valid JSON: %2 (line %3)."_s.arg(jsonPath, parsed.errorString()).arg(line));
    }
    if (!document.isObject())
        return fail(Error::Kind::Invalid, u"%1 does not hold a JSON object."_s.arg(jsonPath));
    const auto sourceOf = [&](const QString &key, const QString &otherwise) -> Result<QByteArray> {
        const QString name = document.object().value(key).toString(otherwise);
        if (name.isEmpty() || name.contains(u'/') || name.contains(u'\\') || name.startsWith(u'.'))
            return wrongKey(key, u"is not the name of a file in the problem's folder"_s);
        return readFile(folder, name);
    };
    const auto reference = sourceOf(u"reference"_s, u"reference.py"_s);
    const auto kernel = sourceOf(u"kernel"_s, u"kernel.py"_s);
    for (const auto *file : {&reference, &kernel}) {
        if (!*file)
            return std::unexpected(file->error());
    }
    auto problem = problemFromParts(document.object(), *reference, *kernel);
    if (!problem)
        problem.error().detail = folder;
    return problem;
}

QStringList suiteNames()
{
    const auto suites = readSuites();
    return suites ? suites->keys() : QStringList();
}

Result<QStringList> suiteProblems(const QString &suite)
{
    const auto suites = readSuites();
    if (!suites)
        return std::unexpected(suites.error());
    const QJsonValue names = suites->value(suite);
    if (!names.isArray())
        return fail(Error::Kind::NotFound,
            u"There is no suite “%1”; there are: %2."_s.arg(suite.left(80), suites->keys().join(u", "_s)));
    QStringList problems;
    for (const QJsonValue &name : names.toArray()) {
        if (!nameForm().match(name.toString()).hasMatch()
            || !QFileInfo(resourcePath(u"suite/"_s + name.toString())).isDir())
            return fail(Error::Kind::Invalid,
                u"The suite “%1” names the problem “%2”, which is not there."_s.arg(suite, name.toString().left(80)));
        problems.append(name.toString());
    }
    return problems;
}

} // namespace accelopt
