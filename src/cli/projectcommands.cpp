// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/terminal.h"
#include "domain/format.h"
#include "evaluation/problemfiles.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <memory>

namespace accelopt::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Options {
    std::string folder, suite, target = "trn1", source, name, title, dtype = "float32", bytes, matmul = "0",
                               vector = "0", kernel;
    double tolerance = 2e-5;
    std::vector<std::string> values;
    bool json = false;
};

Result<QByteArray> readFile(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile())
        return fail(Error::Kind::NotFound, u"There is no file %1."_s.arg(path));
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::Io, u"%1 cannot be read."_s.arg(path), file.errorString());
    constexpr qint64 mostBytes = 4 * 1024 * 1024;
    if (file.size() > mostBytes)
        return fail(Error::Kind::Invalid,
            u"%1 is %2; a source file may have 4 MiB."_s.arg(
                path, format::bytesBinary(static_cast<double>(file.size()))));
    return file.readAll();
}

int createProject(const Options &options)
{
    const auto project = Project::create(QString::fromStdString(options.folder), QString::fromStdString(options.suite),
        QString::fromStdString(options.target));
    if (!project)
        return report(project.error(), options.json);
    const auto reader = project->reader();
    if (!reader)
        return report(reader.error(), options.json);
    const auto problems = (*reader)->problems();
    if (!problems)
        return report(problems.error(), options.json);
    if (options.json) {
        QJsonArray list;
        for (const Problem &problem : *problems)
            list.append(problemDocument(problem));
        printJson({{u"project"_s, project->folder()}, {u"target"_s, project->defaultTarget()}, {u"problems"_s, list}});
        return Done;
    }
    print(u"Project %1 with %2 for %3."_s.arg(project->folder(),
        problems->size() == 1 ? u"1 problem"_s : u"%1 problems"_s.arg(problems->size()), project->defaultTarget()));
    for (const Problem &problem : *problems)
        print(u"  "_s + problem.name + (problem.title.isEmpty() ? QString() : u": "_s + problem.title));
    print(problems->isEmpty() ? u"Next: accelopt problem add %1 FOLDER"_s.arg(QString::fromStdString(options.folder))
                              : u"Next: accelopt run %1"_s.arg(QString::fromStdString(options.folder)));
    return Done;
}

/// A folder as it stands, or a reference with a kernel and what problem.json would say.
Result<Problem> problemFromOptions(const Options &options)
{
    const QString source = QString::fromStdString(options.source);
    if (options.kernel.empty())
        return readProblemFolder(source);
    const auto reference = readFile(source);
    const auto kernel = readFile(QString::fromStdString(options.kernel));
    if (!reference || !kernel)
        return std::unexpected(reference ? kernel.error() : reference.error());
    QJsonObject values;
    for (const std::string &entry : options.values) {
        const QString text = QString::fromStdString(entry);
        bool ok = false;
        const double value = text.section(u'=', 1).toDouble(&ok);
        if (!ok || text.section(u'=', 0, 0).isEmpty())
            return fail(Error::Kind::Invalid, u"“%1” is no dimension; write NAME=NUMBER."_s.arg(text));
        values.insert(text.section(u'=', 0, 0), value);
    }
    QString name = QString::fromStdString(options.name);
    if (name.isEmpty())
        name = QFileInfo(QString::fromStdString(options.kernel)).completeBaseName().toLower();
    return problemFromParts({{u"version"_s, 1}, {u"name"_s, name}, {u"title"_s, QString::fromStdString(options.title)},
                                {u"dtype"_s, QString::fromStdString(options.dtype)},
                                {u"tolerance"_s, options.tolerance}, {u"values"_s, values},
                                {u"work"_s,
                                    QJsonObject{{u"bytes"_s, QString::fromStdString(options.bytes)},
                                        {u"matmul_flops"_s, QString::fromStdString(options.matmul)},
                                        {u"vector_flops"_s, QString::fromStdString(options.vector)}}}},
        *reference, *kernel);
}

int addProblem(const Options &options)
{
    const auto project = Project::open(QString::fromStdString(options.folder));
    if (!project)
        return report(project.error(), options.json);
    const auto problem = problemFromOptions(options);
    if (!problem)
        return report(problem.error(), options.json);
    if (const auto added = project->addProblem(*problem); !added)
        return report(added.error(), options.json);
    if (options.json)
        printJson({{u"problem"_s, problemDocument(*problem)}});
    else
        print(u"Problem %1 added. Check its baseline with: accelopt run %2 --problems %1 --preset smoke"_s.arg(
            problem->name, QString::fromStdString(options.folder)));
    return Done;
}

int listProblems(const Options &options)
{
    const auto project = Project::open(QString::fromStdString(options.folder));
    if (!project)
        return report(project.error(), options.json);
    const auto reader = project->reader();
    if (!reader)
        return report(reader.error(), options.json);
    const auto problems = (*reader)->problems();
    if (!problems)
        return report(problems.error(), options.json);
    const auto peaks = loadHardwarePeaks(project->defaultTarget());
    if (!peaks)
        return report(peaks.error(), options.json);
    QJsonArray list;
    QList<QStringList> rows;
    for (const Problem &problem : *problems) {
        const Roofline line = roofline(problem.work, *peaks, problem.dtype);
        QJsonObject document = problemDocument(problem);
        document.insert("bound"_L1, boundName(line.bound));
        document.insert("peak_ms"_L1, line.peakMs);
        list.append(document);
        rows.append(
            {problem.name, problem.dtype, boundName(line.bound), format::latency(line.peakMs), problem.operatorText});
    }
    if (options.json)
        printJson({{u"target"_s, project->defaultTarget()}, {u"problems"_s, list}});
    else if (rows.isEmpty())
        print(u"No problem yet. Add one: accelopt problem add %1 FOLDER"_s.arg(QString::fromStdString(options.folder)));
    else
        print(table({u"Problem"_s, u"Dtype"_s, u"Bound"_s, u">Peak"_s, u"Operator"_s}, rows));
    return Done;
}

} // namespace

void addProjectCommands(CLI::App &app, Action &action)
{
    const auto options = std::make_shared<Options>();

    CLI::App *create = app.add_subcommand("new", "Make a project");
    create->add_option("DIR", options->folder, "Folder of the project; made when missing")->required();
    create->add_option(
        "--suite", options->suite, "Bundled problems to begin with: " + suiteNames().join(u", "_s).toStdString());
    create->add_option("--target", options->target, "Hardware the latencies are for")->capture_default_str();
    create->add_flag("--json", options->json, "Print one JSON document");
    create->callback([options, &action] { action = [options] { return createProject(*options); }; });

    CLI::App *problem = app.add_subcommand("problem", "Problems of a project");
    problem->require_subcommand(1);
    CLI::App *add = problem->add_subcommand(
        "add", "Add a problem: a folder with problem.json, reference.py and kernel.py, or a reference with --kernel");
    add->add_option("DIR", options->folder, "Project")->required();
    add->add_option("SOURCE", options->source, "Folder of the problem, or its reference.py")->required();
    add->add_option("--kernel", options->kernel, "Baseline kernel, where SOURCE is a reference");
    add->add_option("--name", options->name, "Name; the kernel's file name otherwise");
    add->add_option("--title", options->title, "Title for people");
    add->add_option("--value", options->values, "Dimension, as M=4096; may be repeated");
    add->add_option("--dtype", options->dtype, "Data type")->capture_default_str();
    add->add_option("--tolerance", options->tolerance, "L2 relative tolerance")->capture_default_str();
    add->add_option("--bytes", options->bytes, "Least bytes moved, as a formula over the dimensions");
    add->add_option("--matmul-flops", options->matmul, "Matmul operations, as a formula")->capture_default_str();
    add->add_option("--vector-flops", options->vector, "Vector operations, as a formula")->capture_default_str();
    add->add_flag("--json", options->json, "Print one JSON document");
    add->callback([options, &action] { action = [options] { return addProblem(*options); }; });

    CLI::App *list = problem->add_subcommand("list", "List the problems with their bound and peak");
    list->add_option("DIR", options->folder, "Project")->required();
    list->add_flag("--json", options->json, "Print one JSON document");
    list->callback([options, &action] { action = [options] { return listProblems(*options); }; });
}

} // namespace accelopt::cli
