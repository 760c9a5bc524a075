// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report.h"

#include "domain/paths.h"
#include "report/reportmodel.h"

#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

/// Pages need fonts and with them Qt Gui, on a thread of their own: a small program beside this one draws them, without
/// a display.
Result<QByteArray> renderPdf(const Project &project, qint64 run)
{
    const QString program = programPath(u"accelopt-report-pdf"_s);
    if (!QFileInfo(program).isAbsolute() || !QFileInfo(program).isExecutable()) {
        return fail(Error::Kind::NotFound,
            u"PDF needs the build with the window, whose program accelopt-report-pdf is not here. Choose html, md, csv or json."_s);
    }
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    process.setProcessEnvironment(environment);
    process.setProgram(program);
    process.setArguments({project.folder(), QString::number(run)});
    process.start();
    if (!process.waitForFinished(120000)) {
        process.kill();
        process.waitForFinished(3000);
        return fail(Error::Kind::Io, u"The PDF was not written: drawing it took too long."_s);
    }
    const QByteArray pdf = process.readAllStandardOutput();
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0 || !pdf.startsWith("%PDF-")) {
        return fail(Error::Kind::Io, u"The PDF was not written."_s, QString::fromUtf8(process.readAllStandardError()));
    }
    return pdf;
}

} // namespace

QStringList reportFormats()
{
    return {u"html"_s, u"pdf"_s, u"md"_s, u"csv"_s, u"json"_s};
}

Result<QByteArray> renderReport(const Project &project, qint64 run, const QString &format)
{
    if (!reportFormats().contains(format))
        return fail(Error::Kind::Invalid,
            u"There is no report format %1. Formats: %2."_s.arg(format, reportFormats().join(u", "_s)));
    const auto model = report::load(project, run);
    if (!model)
        return std::unexpected(model.error());
    if (format == "html"_L1)
        return report::renderHtml(*model);
    if (format == "md"_L1)
        return report::renderMarkdown(*model);
    if (format == "csv"_L1)
        return report::renderCsv(*model, project);
    if (format == "json"_L1)
        return report::renderJson(*model, project);
    return renderPdf(project, model->run.id);
}

} // namespace accelopt
