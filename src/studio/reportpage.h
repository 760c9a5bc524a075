// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QQuickTextDocument>
#include <QStringList>
#include <QTimer>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// Renders and saves reports of the shown run. Rendering happens on a worker thread; a file is written beside and moved
/// into place.
class ReportPage : public QObject {
    Q_OBJECT
    QML_NAMED_ELEMENT(ReportController)
    Q_PROPERTY(QStringList formats READ formats CONSTANT)
    Q_PROPERTY(QString format MEMBER m_format NOTIFY changed)
    Q_PROPERTY(bool active MEMBER m_active NOTIFY activeChanged) ///< renders only while its page is shown
    Q_PROPERTY(QString runName READ runName NOTIFY changed)
    Q_PROPERTY(QString preview READ preview NOTIFY previewChanged) ///< Markdown
    Q_PROPERTY(QString path READ path WRITE setPath NOTIFY changed) ///< where the export goes
    Q_PROPERTY(bool rendering READ rendering NOTIFY changed)
    Q_PROPERTY(bool saving READ saving NOTIFY changed)
    Q_PROPERTY(QString error READ error NOTIFY changed)
    Q_PROPERTY(QString savedAs READ savedAs NOTIFY changed) ///< the file of the last export
    Q_PROPERTY(QUrl savedUrl READ savedUrl NOTIFY changed)
    Q_PROPERTY(QString savedFormat READ savedFormat NOTIFY changed)
    Q_PROPERTY(QString formatNote READ formatNote NOTIFY changed)
    Q_PROPERTY(QStringList contents READ contents NOTIFY changed) ///< what the chosen format holds, line by line
    Q_PROPERTY(QString stateNote READ stateNote NOTIFY changed) ///< what a report of an unfinished run says
public:
    explicit ReportPage(QObject *parent = nullptr);
    [[nodiscard]] QStringList formats() const;
    [[nodiscard]] QString preview() const { return m_preview; }
    [[nodiscard]] QString path() const;
    void setPath(const QString &path);
    [[nodiscard]] bool rendering() const { return m_rendering; }
    [[nodiscard]] bool saving() const { return m_saving; }
    [[nodiscard]] QString error() const { return m_saveError.isEmpty() ? m_error : m_saveError; }
    [[nodiscard]] QString savedAs() const { return m_savedAs; }
    [[nodiscard]] QUrl savedUrl() const { return QUrl::fromLocalFile(m_savedAs); }
    [[nodiscard]] QString runName() const;
    [[nodiscard]] QString savedFormat() const { return m_savedFormat; }
    [[nodiscard]] QString formatNote() const;
    [[nodiscard]] QStringList contents() const;
    [[nodiscard]] QString stateNote() const;

    Q_INVOKABLE void refresh();
    Q_INVOKABLE void save();
    Q_INVOKABLE void saveAs(const QUrl &file);
    Q_INVOKABLE void copyMarkdown();
    /// Fills a TextEdit's document with the preview, dressed in the theme. HTML in it is text, and nothing is fetched:
    /// what is in a report was written by models.
    Q_INVOKABLE void dress(QQuickTextDocument *document) const;

Q_SIGNALS:
    void changed();
    void previewChanged();
    void activeChanged();

private:
    void setPreview(const QString &markdown);
    void renderSoon();

    QString m_format = QStringLiteral("html"), m_preview, m_path, m_error, m_saveError, m_savedAs, m_savedFormat;
    QTimer m_timer;
    bool m_pathChosen = false; ///< else the path follows run and format
    qint64 m_renderedRun = 0;
    bool m_rendering = false, m_saving = false, m_active = true;
};

} // namespace accelopt
