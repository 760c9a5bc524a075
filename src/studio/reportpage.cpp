// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/reportpage.h"

#include "report/report.h"
#include "studio/reportsheet.h"
#include "studio/session.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

ReportPage::ReportPage(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ReportPage::refresh);
    connect(Session::instance(), &Session::snapshotChanged, this, [this] {
        renderSoon();
        Q_EMIT changed();
    });
    connect(Session::instance(), &Session::projectChanged, this, [this] {
        m_path.clear();
        m_pathChosen = false;
        m_savedAs.clear();
        m_error.clear();
        m_saveError.clear();
        m_renderedRun = 0;
        setPreview({});
        Q_EMIT changed();
    });
    connect(this, &ReportPage::activeChanged, this, &ReportPage::renderSoon);
    renderSoon();
}

void ReportPage::renderSoon()
{
    // A running search changes its report all the time: often enough to follow, seldom enough to cost nothing.
    constexpr int soonMs = 80, runningMs = 4000;
    if (m_active && !m_timer.isActive())
        m_timer.start(m_preview.isEmpty() || m_renderedRun != Session::instance()->run() ? soonMs : runningMs);
}

void ReportPage::setPreview(const QString &markdown)
{
    if (m_preview == markdown)
        return;
    m_preview = markdown;
    Q_EMIT previewChanged();
}

QString ReportPage::runName() const
{
    const SnapshotPtr snapshot = Session::instance()->snapshot();
    return snapshot && snapshot->run ? snapshot->run->name : QString();
}

QStringList ReportPage::formats() const
{
    return reportFormats();
}

QString ReportPage::path() const
{
    if (!m_pathChosen) {
        const Session *session = Session::instance();
        return QDir::toNativeSeparators(
            u"%1/run-%2.%3"_s.arg(session->projectFolder()).arg(session->run()).arg(m_format));
    }
    // The ending of one of our formats follows the format; any other is the user's own.
    const QString ending = QFileInfo(m_path).suffix().toLower();
    if (ending == m_format || !reportFormats().contains(ending))
        return m_path;
    return m_path.chopped(ending.size()) + m_format;
}

void ReportPage::setPath(const QString &path)
{
    m_path = path;
    m_pathChosen = true;
    Q_EMIT changed();
}

QString ReportPage::formatNote() const
{
    static const QHash<QString, QString> notes{{u"html"_s, tr("One file, opens without a network.")},
        {u"pdf"_s, tr("Pages to print or send.")}, {u"md"_s, tr("Plain text for an issue or a wiki.")},
        {u"csv"_s, tr("One row for each attempt, with stable columns.")}, {u"json"_s, tr("Everything, for scripts.")}};
    return notes.value(m_format);
}

QStringList ReportPage::contents() const
{
    if (m_format == u"csv"_s)
        return {tr("One row for each attempt, failed ones too"), tr("Verdict, latency, fraction of peak, speedup"),
            tr("Error kind, line and message"), tr("Commit and SHA-256")};
    if (m_format == u"json"_s)
        return {tr("Problems, bests and lineage"), tr("Every attempt with its evaluation"),
            tr("Raw latency samples and profiles"), tr("Experiences"), tr("Cost by model and role"),
            tr("Settings, peaks, prices, environments"), tr("How to check it again")};
    return {tr("Summary and geometric mean"),
        m_format == u"md"_s ? tr("Table over iterations") : tr("Chart over iterations"), tr("Table of problems"),
        tr("Verdicts and how attempts failed"), tr("Best kernels with diff to baseline"), tr("Raw latency samples"),
        tr("What was learned"), tr("Cost by model and role"), tr("Settings and environment"),
        tr("How to check it again")};
}

QString ReportPage::stateNote() const
{
    const SnapshotPtr snapshot = Session::instance()->snapshot();
    if (!snapshot || !snapshot->run)
        return {};
    const RunState state = snapshot->run->state;
    if (state == RunState::Running || state == RunState::Paused || state == RunState::Draining)
        return tr("The run goes on. The report states iteration %1 of %2 and the time.")
            .arg(snapshot->iteration)
            .arg(snapshot->run->settings.iterations);
    return {};
}

void ReportPage::refresh()
{
    Session *session = Session::instance();
    if (!session->hasProject() || session->run() == 0) {
        setPreview({});
        Q_EMIT changed();
        return;
    }
    m_rendering = true;
    m_renderedRun = session->run();
    Q_EMIT changed();
    session->query(
        this, u"preview"_s,
        [run = session->run()](ReadContext &context) { return renderReport(context.project(), run, u"md"_s); },
        [this](const Result<QByteArray> &markdown) {
            m_rendering = false;
            m_error = markdown ? QString() : markdown.error().message;
            if (markdown)
                setPreview(QString::fromUtf8(*markdown));
            Q_EMIT changed();
        });
}

void ReportPage::save()
{
    Session *session = Session::instance();
    if (!session->hasProject() || session->run() == 0 || m_saving)
        return;
    const QString file = path();
    m_saving = true;
    m_savedAs.clear();
    m_saveError.clear();
    Q_EMIT changed();
    session->query(
        this, u"save"_s,
        [run = session->run(), format = m_format, file](ReadContext &context) -> Result<QString> {
            const auto bytes = renderReport(context.project(), run, format);
            if (!bytes)
                return std::unexpected(bytes.error());
            QSaveFile out(file);
            if (!out.open(QIODevice::WriteOnly) || out.write(*bytes) != bytes->size() || !out.commit())
                return fail(Error::Kind::Io, tr("The report cannot be written to %1. Nothing was changed.").arg(file),
                    out.errorString());
            return file;
        },
        [this](const Result<QString> &saved) {
            m_saving = false;
            m_saveError = saved ? QString() : saved.error().message;
            m_savedAs = saved ? *saved : QString();
            m_savedFormat = QFileInfo(m_savedAs).suffix().toUpper();
            if (saved)
                Session::instance()->notify(u"better"_s, tr("Report written to %1.").arg(*saved));
            else
                Session::instance()->notify(saved.error());
            Q_EMIT changed();
        });
}

void ReportPage::saveAs(const QUrl &file)
{
    if (!file.isLocalFile())
        return;
    m_path = file.toLocalFile();
    m_pathChosen = true;
    // The ending chooses the format where it is one of ours.
    if (const QString ending = QFileInfo(m_path).suffix().toLower(); reportFormats().contains(ending))
        m_format = ending;
    save();
}

void ReportPage::dress(QQuickTextDocument *document) const
{
    if (document && document->textDocument())
        dressReport(*document->textDocument(), m_preview);
}

void ReportPage::copyMarkdown()
{
    Session::instance()->copyToClipboard(m_preview, tr("Report"));
}

} // namespace accelopt
