// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/terminal.h"

#include <QCoreApplication>
#include <algorithm>
#include <string_view>

using namespace accelopt;
using namespace accelopt::cli;
using namespace Qt::Literals::StringLiterals;

namespace {

/// What is wrong with the line, in one sentence. CLI11 only says "A subcommand is required" for a word it does not
/// know.
QString usageProblem(const CLI::App &app, const CLI::ParseError &error, int argc, char *const *argv)
{
    const CLI::App *command = &app;
    QString path = u"accelopt"_s;
    for (int i = 1; i < argc; ++i) {
        const auto names = command->get_subcommands([](const CLI::App *) { return true; });
        const std::string_view word(argv[i]);
        if (names.empty() || word.starts_with('-'))
            break;
        const auto known = std::ranges::find(names, word, &CLI::App::get_name);
        if (known == names.end()) {
            QStringList list;
            for (const CLI::App *name : names)
                list.append(QString::fromStdString(name->get_name()));
            constexpr qsizetype shown = 80;
            return u"There is no command “%1”; there are: %2."_s.arg(
                QString::fromUtf8(argv[i]).left(shown), list.join(u", "_s));
        }
        command = *known;
        path += u' ' + QString::fromUtf8(argv[i]);
    }
    return u"%1. “%2 --help” says more."_s.arg(QString::fromUtf8(error.what()).simplified(), path);
}

/// Options after which --json asks for a document, whatever else is wrong with the line.
bool wantsJson(int argc, char *const *argv)
{
    return std::any_of(argv, argv + argc, [](const char *word) { return std::string_view(word) == "--json"; });
}

int wrongUsage(const QString &message, bool json)
{
    report({Error::Kind::Invalid, message, {}}, json);
    return Usage;
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("accelopt"));
    QCoreApplication::setOrganizationName(QStringLiteral("accelopt-studio"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ACCELOPT_VERSION));

    // Names of another encoding would be changed on the way to a file: better no file than another one.
    for (int i = 1; i < argc; ++i) {
        if (!QUtf8StringView(argv[i]).isValidUtf8())
            return wrongUsage(u"“%1” is not UTF-8."_s.arg(QString::fromUtf8(argv[i])), wantsJson(argc, argv));
    }

    CLI::App app("Makes kernels on AI accelerators faster, by search.", "accelopt");
    app.set_version_flag("--version", std::string("accelopt ") + ACCELOPT_VERSION);
    app.require_subcommand(1);
    Action action;
    addProjectCommands(app, action);
    addEvaluateCommand(app, action);
    addRunCommands(app, action);
    addInspectCommands(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        // Help and version are not errors; everything else about the line is "usage".
        if (error.get_exit_code() == 0)
            return app.exit(error);
        return wrongUsage(usageProblem(app, error, argc, argv), wantsJson(argc, argv));
    }
    const int code = action ? action() : Usage;
    return outputIsComplete() || code != Done ? code : Failed;
}
