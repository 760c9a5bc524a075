// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/reportpage.h"

#include "report/report.h"
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
    // A running search changes its report all the time: often enough to follow, seldom enough to cost nothing.
    constexpr int soonMs = 80, runningMs = 4000;
    connect(Session::instance(), &Session::snapshotChanged, this, [this] {
        if (!m_timer.isActive())
            m_timer.start(m_preview.isEmpty() || m_renderedRun != Session::instance()->run() ? soonMs : runningMs);
        Q_EMIT changed();
    });
    m_timer.start(soonMs);
}

QStringList ReportPage::formats() const
{
    return reportFormats();
}

QString ReportPage::path() const
{
    if (!m_path.isEmpty())
        return m_path;
    const Session *session = Session::instance();
    return QDir::toNativeSeparators(u"%1/run-%2.%3"_s.arg(session->projectFolder()).arg(session->run()).arg(m_format));
}

void ReportPage::setPath(const QString &path)
{
    m_path = path;
    Q_EMIT changed();
}

QString ReportPage::formatNote() const
{
    static const QHash<QString, QString> notes{{u"html"_s, tr("One file, opens without a network.")},
        {u"pdf"_s, tr("Pages to print or send.")}, {u"md"_s, tr("Plain text for an issue or a wiki.")},
        {u"csv"_s, tr("One row for each attempt, with stable columns.")}, {u"json"_s, tr("Everything, for scripts.")}};
    return notes.value(m_format);
}

void ReportPage::refresh()
{
    Session *session = Session::instance();
    if (!session->hasProject() || session->run() == 0) {
        m_preview.clear();
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
                m_preview = QString::fromUtf8(*markdown);
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
            m_error = saved ? QString() : saved.error().message;
            m_savedAs = saved ? *saved : QString();
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
    // The ending chooses the format where it is one of ours.
    if (const QString ending = QFileInfo(m_path).suffix().toLower(); reportFormats().contains(ending))
        m_format = ending;
    save();
}

void ReportPage::copyMarkdown()
{
    Session::instance()->copyToClipboard(m_preview, tr("Report"));
}

} // namespace accelopt
