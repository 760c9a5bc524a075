// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/terminal.h"

#include <QCoreApplication>
#include <QLoggingCategory>

using namespace accelopt::cli;

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("accelopt"));
    QCoreApplication::setOrganizationName(QStringLiteral("accelopt-studio"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ACCELOPT_VERSION));

    CLI::App app("Makes kernels on AI accelerators faster, by search.", "accelopt");
    app.set_version_flag("--version", std::string("accelopt ") + ACCELOPT_VERSION);
    app.require_subcommand(1);
    app.failure_message(CLI::FailureMessage::simple);
    Action action;
    addProjectCommands(app, action);
    addEvaluateCommand(app, action);
    addRunCommands(app, action);
    addInspectCommands(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        // Help and version are not errors; everything else about the line is "usage".
        return app.exit(error) == 0 ? Done : Usage;
    }
    return action ? action() : Usage;
}
