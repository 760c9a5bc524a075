// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "journal/journalreader.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <QTimer>
#include <QtQml/qqmlregistration.h>
#include <memory>
#include <optional>

namespace accelopt {

/// What a row of Candidates needs of an attempt; small, since there may be 100,000.
struct CandidateRow {
    qint64 id = 0, parent = 0;
    QString problem, name, plan, author, verdict;
    AttemptKey key;
    double ms = 0, fraction = 0, overParent = 0, overBaseline = 0;
    bool estimate = false, best = false, inBeam = false;

    bool operator==(const CandidateRow &) const = default;
};
using CandidateRowPtr = std::shared_ptr<const CandidateRow>; ///< never null; shared by lists of different threads

struct SortKey {
    int column = 0;
    bool descending = false;
};

/// Order of two rows under sort keys; missing values are last in both directions, equal rows go by problem and key.
[[nodiscard]] bool candidateBefore(const CandidateRow &a, const CandidateRow &b, const QList<SortKey> &keys);

/// The attempts of the shown run, filtered and sorted. Rows are read and made on a worker thread; the model takes over
/// a finished list and tells the view the least that changed.
class CandidateModel : public QAbstractTableModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int count READ count NOTIFY countChanged) ///< shown
    Q_PROPERTY(int total READ total NOTIFY countChanged) ///< of the run
    Q_PROPERTY(bool loading READ loading NOTIFY loadingChanged)
    Q_PROPERTY(QString error READ error NOTIFY loadingChanged)
    Q_PROPERTY(bool active MEMBER m_active NOTIFY filterChanged) ///< reads only while its page is shown
    // filters; empty = all
    Q_PROPERTY(QString text MEMBER m_text NOTIFY filterChanged)
    Q_PROPERTY(QString problem MEMBER m_problem NOTIFY filterChanged)
    Q_PROPERTY(QString verdict MEMBER m_verdict NOTIFY filterChanged) ///< "", correct, failed, same, quarantined
    Q_PROPERTY(int iteration MEMBER m_iteration NOTIFY filterChanged) ///< -1 = all
    Q_PROPERTY(bool fasterOnly MEMBER m_fasterOnly NOTIFY filterChanged)
    Q_PROPERTY(bool filtered READ filtered NOTIFY filterChanged)
    // counts with all filters but the verdict
    Q_PROPERTY(int allCount READ allCount NOTIFY countChanged)
    Q_PROPERTY(int correctCount READ correctCount NOTIFY countChanged)
    Q_PROPERTY(int failedCount READ failedCount NOTIFY countChanged)
    Q_PROPERTY(int sameCount READ sameCount NOTIFY countChanged)
    Q_PROPERTY(int quarantinedCount READ quarantinedCount NOTIFY countChanged)
    Q_PROPERTY(QStringList problems READ problems NOTIFY countChanged)
    Q_PROPERTY(int iterations READ iterations NOTIFY countChanged)
    Q_PROPERTY(int sortColumn READ sortColumn NOTIFY sortChanged)
    Q_PROPERTY(bool sortDescending READ sortDescending NOTIFY sortChanged)
public:
    enum Column {
        TickColumn,
        NameColumn,
        ProblemColumn,
        PlanColumn,
        LatencyColumn,
        PeakColumn,
        ParentColumn,
        BaselineColumn,
        VerdictColumn,
        AuthorColumn,
        ColumnCount
    };
    Q_ENUM(Column)
    enum Role { IdRole = Qt::UserRole, FactorRole, EstimateRole, StateRole, QuarantinedRole };

    explicit CandidateModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return static_cast<int>(m_content.rows.size()); }
    [[nodiscard]] int total() const { return m_content.counts.total; }
    [[nodiscard]] bool loading() const { return m_loading; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] bool filtered() const;
    [[nodiscard]] int allCount() const { return m_content.counts.all; }
    [[nodiscard]] int correctCount() const { return m_content.counts.correct; }
    [[nodiscard]] int failedCount() const { return m_content.counts.failed; }
    [[nodiscard]] int sameCount() const { return m_content.counts.same; }
    [[nodiscard]] int quarantinedCount() const { return m_content.counts.quarantined; }
    [[nodiscard]] QStringList problems() const { return m_problems; }
    [[nodiscard]] int iterations() const { return m_iterations; }
    [[nodiscard]] int sortColumn() const { return m_sort.first().column; }
    [[nodiscard]] bool sortDescending() const { return m_sort.first().descending; }

    Q_INVOKABLE void sortBy(int column, bool descending, bool extend); ///< `extend` keeps the keys before
    Q_INVOKABLE void clearFilters();
    Q_INVOKABLE int rowOf(qlonglong attempt) const; ///< -1 when it is not shown
    Q_INVOKABLE qlonglong attemptAt(int row) const; ///< 0 outside
    Q_INVOKABLE qlonglong parentOf(int row) const;
    Q_INVOKABLE qlonglong bestChildOf(int row) const; ///< the fastest shown attempt made from it; 0 = none
    Q_INVOKABLE QString nameAt(int row) const;
    Q_INVOKABLE QString problemAt(int row) const;

    struct Counts {
        int total = 0, all = 0, correct = 0, failed = 0, same = 0, quarantined = 0;
        bool operator==(const Counts &) const = default;
    };
    struct Filter {
        QString text, problem, verdict;
        int iteration = -1;
        bool fasterOnly = false;
    };
    struct Content {
        QList<CandidateRowPtr> rows;
        QHash<qint64, int> rowById;
        Counts counts;
    };
    /// What turns the shown rows into new ones. Removals come first and from the bottom, then insertions from the top,
    /// then what changed in place; `first` counts in the rows as they are when the step is done.
    struct Step {
        enum class Kind { Remove, Insert, Change };
        Kind kind = Kind::Change;
        int first = 0, count = 0;
        bool operator==(const Step &) const = default;
    };
    /// Filters, counts and sorts; pure.
    [[nodiscard]] static Content prepare(
        const QList<CandidateRow> &all, const Filter &filter, const QList<SortKey> &keys);
    /// The steps from one list to another; nothing where the rows both have stand in another order, or where telling
    /// the view each step costs more than filling it again. Pure.
    [[nodiscard]] static std::optional<QList<Step>> stepsBetween(const Content &from, const Content &to);
    /// Takes over a list.
    void setContent(const Content &content);
    [[nodiscard]] const QList<CandidateRowPtr> &rows() const { return m_content.rows; }

Q_SIGNALS:
    void countChanged();
    void loadingChanged();
    void filterChanged();
    void sortChanged();

private:
    void scheduleRead();
    void read();

    void apply(const Content &content, const std::optional<QList<Step>> &steps);
    [[nodiscard]] const CandidateRow *rowAt(int row) const;

    Content m_content;
    quint64 m_revision = 0; ///< of m_content: steps made for an older one are not applied
    QStringList m_problems;
    QList<SortKey> m_sort{{BaselineColumn, true}};
    QString m_text, m_problem, m_verdict, m_error;
    QTimer m_timer;
    int m_iteration = -1, m_iterations = 0;
    bool m_fasterOnly = false, m_loading = true, m_active = true;
};

} // namespace accelopt
