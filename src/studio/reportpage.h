// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
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
    Q_PROPERTY(QString preview READ preview NOTIFY changed) ///< Markdown
    Q_PROPERTY(QString path READ path WRITE setPath NOTIFY changed) ///< where the export goes
    Q_PROPERTY(bool rendering READ rendering NOTIFY changed)
    Q_PROPERTY(bool saving READ saving NOTIFY changed)
    Q_PROPERTY(QString error READ error NOTIFY changed)
    Q_PROPERTY(QString savedAs READ savedAs NOTIFY changed) ///< the file of the last export
    Q_PROPERTY(QString formatNote READ formatNote NOTIFY changed)
public:
    explicit ReportPage(QObject *parent = nullptr);
    [[nodiscard]] QStringList formats() const;
    [[nodiscard]] QString preview() const { return m_preview; }
    [[nodiscard]] QString path() const;
    void setPath(const QString &path);
    [[nodiscard]] bool rendering() const { return m_rendering; }
    [[nodiscard]] bool saving() const { return m_saving; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] QString savedAs() const { return m_savedAs; }
    [[nodiscard]] QString formatNote() const;

    Q_INVOKABLE void refresh();
    Q_INVOKABLE void save();
    Q_INVOKABLE void saveAs(const QUrl &file);
    Q_INVOKABLE void copyMarkdown();

Q_SIGNALS:
    void changed();

private:
    QString m_format = QStringLiteral("html"), m_preview, m_path, m_error, m_savedAs;
    QTimer m_timer;
    qint64 m_renderedRun = 0;
    bool m_rendering = false, m_saving = false;
};

} // namespace accelopt
