// SPDX-License-Identifier: GPL-3.0-or-later
//
// accelopt-report-pdf PROJECT RUN: the report of a run as PDF on standard output. Started by `renderReport`; needs
// fonts but no display.
#include "report/pdf/pdfwriter.h"

#include <QBuffer>
#include <QGuiApplication>
#include <cstdio>

int main(int argc, char **argv)
{
    QGuiApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    if (arguments.size() != 3) {
        std::fputs("usage: accelopt-report-pdf PROJECT RUN\n", stderr);
        return 2;
    }
    const auto project = accelopt::Project::open(arguments.at(1));
    const auto model =
        project ? accelopt::report::load(*project, arguments.at(2).toLongLong()) : std::unexpected(project.error());
    if (!model) {
        std::fprintf(stderr, "%s\n", qPrintable(model.error().message));
        return 1;
    }
    const QByteArray pdf = accelopt::report::renderPdfPages(*model);
    return std::fwrite(pdf.constData(), 1, size_t(pdf.size()), stdout) == size_t(pdf.size()) && std::fflush(stdout) == 0
        ? 0
        : 1;
}
