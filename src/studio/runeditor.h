// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/runsettings.h"
#include "search/runcontroller.h"

#include <QAbstractListModel>
#include <QQmlEngine>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The problems a run may work on, with their baseline's fraction of peak where a run has measured it, and a tick.
class ProblemChoice : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("RunEditor.problems")
public:
    enum Role { NameRole = Qt::UserRole, FractionRole, EstimateRole, TickedRole };
    using QAbstractListModel::QAbstractListModel;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    struct Row {
        QString name;
        double fraction = 0;
        bool estimate = false;
        bool ticked = true;
        bool operator==(const Row &) const = default;
    };
    [[nodiscard]] const QList<Row> &rows() const { return m_rows; }
    void setRows(const QList<Row> &rows); ///< keeps the ticks of names that stay
    Q_INVOKABLE void tick(int row, bool ticked);
    Q_INVOKABLE void tickAll(bool ticked);
    Q_INVOKABLE void sortByHeadroom();
    [[nodiscard]] QStringList ticked() const;

Q_SIGNALS:
    void tickedChanged();

private:
    QList<Row> m_rows;
};

/// The settings of a run before it starts, with their estimate. One object: what was entered stays while the user looks
/// elsewhere.
class RunEditor : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    Q_PROPERTY(
        bool editing MEMBER m_editing NOTIFY editingChanged) ///< the Run page shows the settings though a run exists
    Q_PROPERTY(int preset READ preset NOTIFY changed) ///< 0 quick, 1 paper, 2 smoke, 3 own numbers
    Q_PROPERTY(int iterations READ iterations WRITE setIterations NOTIFY changed)
    Q_PROPERTY(int beam READ beam WRITE setBeam NOTIFY changed)
    Q_PROPERTY(int plans READ plans WRITE setPlans NOTIFY changed)
    Q_PROPERTY(int attempts READ attempts WRITE setAttempts NOTIFY changed)
    Q_PROPERTY(int fixerRounds READ fixerRounds WRITE setFixerRounds NOTIFY changed)
    Q_PROPERTY(int seed READ seed WRITE setSeed NOTIFY changed)
    Q_PROPERTY(int selection READ selection WRITE setSelection NOTIFY changed) ///< SelectionPolicy
    Q_PROPERTY(bool useMemory READ useMemory WRITE setUseMemory NOTIFY changed)
    Q_PROPERTY(int memoryScope READ memoryScope WRITE setMemoryScope NOTIFY changed)
    Q_PROPERTY(int memoryPolicy READ memoryPolicy WRITE setMemoryPolicy NOTIFY changed)
    Q_PROPERTY(int topK READ topK WRITE setTopK NOTIFY changed)
    Q_PROPERTY(int memoryCapacity READ memoryCapacity WRITE setMemoryCapacity NOTIFY changed)
    Q_PROPERTY(double positiveThreshold READ positiveThreshold WRITE setPositiveThreshold NOTIFY changed)
    Q_PROPERTY(double negativeThreshold READ negativeThreshold WRITE setNegativeThreshold NOTIFY changed)
    Q_PROPERTY(
        bool paperPrompts READ paperPrompts WRITE setPaperPrompts NOTIFY changed) ///< nothing beyond the paper's prompt
    Q_PROPERTY(QString target READ target WRITE setTarget NOTIFY changed)
    Q_PROPERTY(QStringList targets READ targets CONSTANT)
    Q_PROPERTY(double budgetUsd READ budgetUsd WRITE setBudgetUsd NOTIFY changed)
    Q_PROPERTY(double budgetTokens READ budgetTokens WRITE setBudgetTokens NOTIFY changed) ///< millions
    Q_PROPERTY(double budgetHours READ budgetHours WRITE setBudgetHours NOTIFY changed)
    Q_PROPERTY(double budgetDeviceHours READ budgetDeviceHours WRITE setBudgetDeviceHours NOTIFY changed)
    Q_PROPERTY(accelopt::ProblemChoice *problems READ problems CONSTANT)
    Q_PROPERTY(int tickedProblems READ tickedProblems NOTIFY changed)
    Q_PROPERTY(QString problem READ problem NOTIFY changed) ///< what is out of range, "" while the run may start
    Q_PROPERTY(QString selectionText READ selectionText NOTIFY changed)
    // the estimate
    Q_PROPERTY(double plannerCalls READ plannerCalls NOTIFY changed)
    Q_PROPERTY(double executorCalls READ executorCalls NOTIFY changed)
    Q_PROPERTY(double fixerCalls READ fixerCalls NOTIFY changed)
    Q_PROPERTY(double summarizerCalls READ summarizerCalls NOTIFY changed)
    Q_PROPERTY(double evaluations READ evaluations NOTIFY changed)
    Q_PROPERTY(bool costKnown READ costKnown NOTIFY changed)
    Q_PROPERTY(double cost READ cost NOTIFY changed)
    Q_PROPERTY(QString formula READ formula NOTIFY changed)
    Q_PROPERTY(
        double estimatedSeconds READ estimatedSeconds NOTIFY changed) ///< from this project's runs, 0 = not known
    Q_PROPERTY(QString timeSource READ timeSource NOTIFY changed)
public:
    explicit RunEditor(QObject *parent = nullptr);

    Q_INVOKABLE void choosePreset(int preset);
    Q_INVOKABLE QString presetText(int preset) const; ///< "T 16  B 6  N 12  K 2"
    Q_INVOKABLE double presetAttempts(int preset) const; ///< for the ticked problems
    Q_INVOKABLE QString modelOf(int role) const; ///< Role; the form ModelChoice::parse reads
    /// Answers why not, "" when taken.
    Q_INVOKABLE QString setModel(int role, const QString &text);
    Q_INVOKABLE QString priceOf(int role) const; ///< "free", "$0.15 / 0.60", "?"
    Q_INVOKABLE void copyFrom(qlonglong run); ///< the settings of a run
    Q_INVOKABLE bool start();
    [[nodiscard]] RunSettings settings() const;

    [[nodiscard]] int preset() const;
    [[nodiscard]] int iterations() const { return m_settings.iterations; }
    [[nodiscard]] int beam() const { return m_settings.beam; }
    [[nodiscard]] int plans() const { return m_settings.plans; }
    [[nodiscard]] int attempts() const { return m_settings.attempts; }
    [[nodiscard]] int fixerRounds() const { return m_settings.fixerRounds; }
    [[nodiscard]] int seed() const { return int(m_settings.seed); }
    [[nodiscard]] int selection() const { return int(m_settings.selection); }
    [[nodiscard]] bool useMemory() const { return m_settings.useMemory; }
    [[nodiscard]] int memoryScope() const { return int(m_settings.memoryScope); }
    [[nodiscard]] int memoryPolicy() const { return int(m_settings.memory); }
    [[nodiscard]] int topK() const { return m_settings.topK; }
    [[nodiscard]] int memoryCapacity() const { return m_settings.memoryCapacity; }
    [[nodiscard]] double positiveThreshold() const { return m_settings.positiveThreshold; }
    [[nodiscard]] double negativeThreshold() const { return m_settings.negativeThreshold; }
    [[nodiscard]] bool paperPrompts() const;
    [[nodiscard]] QString target() const { return m_settings.target; }
    [[nodiscard]] static QStringList targets();
    [[nodiscard]] double budgetUsd() const { return m_settings.budget.usd; }
    [[nodiscard]] double budgetTokens() const { return m_settings.budget.tokens / 1e6; }
    [[nodiscard]] double budgetHours() const { return m_settings.budget.wallSeconds / 3600; }
    [[nodiscard]] double budgetDeviceHours() const { return m_settings.budget.deviceSeconds / 3600; }
    void setIterations(int value) { set(m_settings.iterations, value); }
    void setBeam(int value) { set(m_settings.beam, value); }
    void setPlans(int value) { set(m_settings.plans, value); }
    void setAttempts(int value) { set(m_settings.attempts, value); }
    void setFixerRounds(int value) { set(m_settings.fixerRounds, value); }
    void setSeed(int value) { set(m_settings.seed, quint64(std::max(0, value))); }
    void setSelection(int value) { set(m_settings.selection, SelectionPolicy(value)); }
    void setUseMemory(bool value) { set(m_settings.useMemory, value); }
    void setMemoryScope(int value) { set(m_settings.memoryScope, MemoryScope(value)); }
    void setMemoryPolicy(int value) { set(m_settings.memory, MemoryPolicy(value)); }
    void setTopK(int value) { set(m_settings.topK, value); }
    void setMemoryCapacity(int value) { set(m_settings.memoryCapacity, value); }
    void setPositiveThreshold(double value) { set(m_settings.positiveThreshold, value); }
    void setNegativeThreshold(double value) { set(m_settings.negativeThreshold, value); }
    void setPaperPrompts(bool paper);
    void setTarget(const QString &target) { set(m_settings.target, target); }
    void setBudgetUsd(double value) { set(m_settings.budget.usd, value); }
    void setBudgetTokens(double millions) { set(m_settings.budget.tokens, millions * 1e6); }
    void setBudgetHours(double hours) { set(m_settings.budget.wallSeconds, hours * 3600); }
    void setBudgetDeviceHours(double hours) { set(m_settings.budget.deviceSeconds, hours * 3600); }
    [[nodiscard]] ProblemChoice *problems() { return &m_problems; }
    [[nodiscard]] int tickedProblems() const { return int(m_problems.ticked().size()); }
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QString selectionText() const;
    [[nodiscard]] double plannerCalls() const { return double(m_estimate.plannerCalls); }
    [[nodiscard]] double executorCalls() const { return double(m_estimate.executorCalls); }
    [[nodiscard]] double fixerCalls() const;
    [[nodiscard]] double summarizerCalls() const { return double(m_estimate.summarizerCalls); }
    [[nodiscard]] double evaluations() const { return double(m_estimate.evaluations); }
    [[nodiscard]] bool costKnown() const { return m_estimate.usd.has_value(); }
    [[nodiscard]] double cost() const { return m_estimate.usd.value_or(0); }
    [[nodiscard]] QString formula() const { return m_estimate.formula; }
    [[nodiscard]] double estimatedSeconds() const { return m_secondsPerAttempt * executorCalls(); }
    [[nodiscard]] QString timeSource() const { return m_timeSource; }

Q_SIGNALS:
    void changed();
    void editingChanged();

private:
    template <typename T> void set(T &member, T value)
    {
        if (member == value)
            return;
        member = value;
        estimate();
    }
    void takeProject();
    void estimate();

    RunSettings m_settings = RunSettings::quickPreset();
    ProblemChoice m_problems;
    PriceTable m_prices;
    RunEstimate m_estimate;
    double m_secondsPerAttempt = 0;
    QString m_timeSource;
    bool m_editing = false;
};

} // namespace accelopt
