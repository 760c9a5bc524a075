// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/experience.h"

#include <QAbstractListModel>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The optimization memory: experiences with their pair, narrowed by text, problem, sign and state. Changes go through
/// the project's writer and can be undone.
class ExperienceModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int total READ total NOTIFY countChanged) ///< without deleted ones
    Q_PROPERTY(int positive READ positive NOTIFY countChanged)
    Q_PROPERTY(int negative READ negative NOTIFY countChanged)
    Q_PROPERTY(int disabledCount READ disabledCount NOTIFY countChanged)
    Q_PROPERTY(QStringList problems READ problems NOTIFY countChanged)
    Q_PROPERTY(bool loading READ loading NOTIFY countChanged)
    Q_PROPERTY(QString error READ error NOTIFY countChanged)
    Q_PROPERTY(QString text MEMBER m_text NOTIFY filterChanged)
    Q_PROPERTY(QString problem MEMBER m_problem NOTIFY filterChanged)
    Q_PROPERTY(QString sign MEMBER m_sign NOTIFY filterChanged) ///< "", positive, negative
    Q_PROPERTY(QString use MEMBER m_use NOTIFY filterChanged) ///< "", used, disabled
    Q_PROPERTY(QString order MEMBER m_order NOTIFY filterChanged) ///< newest, speedup, uses; pinned ones always first
    Q_PROPERTY(bool filtered READ filtered NOTIFY filterChanged)
public:
    enum Role {
        IdRole = Qt::UserRole,
        TitleRole,
        SummaryRole,
        PositiveRole,
        SpeedupRole,
        WhereRole,
        UsesRole,
        StateRole,
        EditedRole,
        SlowRole,
        FastRole,
        ProblemRole,
        IterationRole
    };

    explicit ExperienceModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] int total() const { return m_total; }
    [[nodiscard]] int positive() const { return m_positive; }
    [[nodiscard]] int negative() const { return m_total - m_positive; }
    [[nodiscard]] int disabledCount() const { return m_disabled; }
    [[nodiscard]] QStringList problems() const { return m_problems; }
    [[nodiscard]] bool loading() const { return m_loading; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] bool filtered() const
    {
        return !m_text.isEmpty() || !m_problem.isEmpty() || !m_sign.isEmpty() || !m_use.isEmpty();
    }

    Q_INVOKABLE void clearFilters();
    Q_INVOKABLE int rowOf(qlonglong id) const;
    [[nodiscard]] Q_INVOKABLE QVariant value(int row, const QString &role) const; ///< by role name; invalid outside
    Q_INVOKABLE void togglePin(int row);
    Q_INVOKABLE void toggleDisabled(int row);
    Q_INVOKABLE void remove(int row);
    Q_INVOKABLE void edit(int row, const QString &summary); ///< empty = the summarizer's text again
    /// For tests: as if read.
    void setExperiences(const QList<Experience> &experiences);

Q_SIGNALS:
    void countChanged();
    void filterChanged();

private:
    void read();
    void refill();
    void write(const Experience &before, Experience::State state, const QString &edited, const QString &what);

    QList<Experience> m_all, m_rows;
    QStringList m_problems;
    QString m_text, m_problem, m_sign, m_use, m_error, m_order = QStringLiteral("newest");
    QTimer m_timer;
    int m_total = 0, m_positive = 0, m_disabled = 0;
    bool m_loading = true;
};

} // namespace accelopt
