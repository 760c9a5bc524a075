// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakes/syntheticproject.h"

#include "journal/journal.h"
#include "repository/kernelrepository.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonDocument>
#include <QTimeZone>
#include <cmath>
#include <random>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::fakes {

namespace {

struct ProblemRow {
    const char *name, *title, *op;
    double m, n, k;
    int vectorOperations; ///< per output element
    bool matmul;
};
constexpr ProblemRow problemRows[] = {
    {"silu", "SiLU (DeepSeek-V3)", "y = x / (1 + exp(-x))", 4096, 7168, 0, 3, false},
    {"rope_single_freq_apply", "RoPE, one frequency table", "y = rotate(x, cos, sin)", 8192, 4096, 0, 6, false},
    {"add_rmsnorm_matmul", "Add, RMSNorm, matmul", "y = rmsnorm(x + r) @ w", 4096, 2048, 1024, 8, true},
    {"matmul", "Matrix product", "y = a @ b", 4096, 2048, 2048, 0, true},
    {"softmax", "Softmax over rows", "y = softmax(x)", 4096, 4096, 0, 5, false},
    {"swiglu", "SwiGLU", "y = silu(x @ a) * (x @ b)", 4096, 3072, 1024, 5, true},
    {"gqa", "Grouped-query attention", "y = softmax(q k^T) v", 4096, 1024, 1024, 6, true},
    {"lora", "LoRA projection", "y = x w + (x a) b", 4096, 2048, 1024, 1, true},
    {"adamw", "AdamW step", "p, m, v = adamw(p, g, m, v)", 8192, 4096, 0, 12, false},
    {"mamba", "Selective scan", "y = scan(a, b x)", 2048, 4096, 0, 7, false},
    {"bmm", "Batched matrix product", "y[i] = a[i] @ b[i]", 4096, 1024, 1024, 0, true},
    {"bmm_softmax", "Batched product and softmax", "y = softmax(a @ b)", 4096, 1024, 512, 5, true},
    {"transpose_matmul", "Transposed matrix product", "y = a^T @ b", 4096, 2048, 2048, 0, true},
    {"matmul_add_rmsnorm", "Matmul, add, RMSNorm", "y = rmsnorm(a @ b + r)", 4096, 2048, 2048, 6, true},
};

constexpr const char *planTitles[] = {
    "Widen the free dimension of the tile to 2048 columns",
    "Hoist the load of the scale out of the inner loop",
    "Fuse multiply and add into one tensor_scalar",
    "Move the exponential to ScalarE with its scale",
    "Keep the weights resident in SBUF",
    "Merge the two elementwise loops",
    "Replace division by reciprocal and multiply",
    "Accumulate in PSUM over the whole contraction",
    "Transpose once, outside of the row loop",
    "Split the store so that it overlaps the next load",
    "Use 128 x 512 matmul tiles",
    "Balance VectorE and GpSimd",
};

struct FailureRow {
    ErrorKind kind;
    const char *id, *message, *stage;
};
constexpr FailureRow failureRows[] = {
    {ErrorKind::Rule, "err_tensor_access_out_of_bound", "The index reaches column 7424 of a tensor with 7168 columns.", "check"},
    {ErrorKind::WrongResult, "", "The result differs from the reference: relative error 3.1e-2, allowed 2e-5.", "correctness"},
    {ErrorKind::Memory, "err_sbuf_overflow", "The tiles need 236 KiB of SBUF per partition, 192 KiB are there.", "compile"},
    {ErrorKind::Syntax, "", "The kernel is not valid Python: '(' was never closed.", "guard"},
    {ErrorKind::Reply, "", "The reply holds no kernel.", ""},
    {ErrorKind::Compile, "err_unsupported", "nl.loop_reduce is not supported by this compiler.", "compile"},
    {ErrorKind::NonFinite, "", "The result holds numbers that are not finite.", "correctness"},
    {ErrorKind::Truncated, "", "The reply was cut off at the token limit.", ""},
};

/// The library's distributions differ between standard libraries; this one is the same everywhere.
class Random {
public:
    explicit Random(quint64 seed)
        : m_engine(seed)
    {
    }
    double uniform() { return double(m_engine() >> 11) * 0x1p-53; }
    int below(int limit) { return int(uniform() * limit); }
    double normal() { return std::sqrt(-2 * std::log(uniform() + 1e-300)) * std::cos(6.283185307179586 * uniform()); }

private:
    std::mt19937_64 m_engine;
};

QString hashOf(const QByteArray &data)
{
    return QString::fromLatin1(QCryptographicHash::hash(data, QCryptographicHash::Sha256).toHex());
}

Problem makeProblem(const ProblemRow &row)
{
    Problem problem;
    problem.name = QString::fromLatin1(row.name);
    problem.title = QString::fromLatin1(row.title);
    problem.operatorText = QString::fromLatin1(row.op);
    problem.values = {{u"M"_s, row.m}, {u"N"_s, row.n}};
    if (row.k > 0)
        problem.values.insert(u"K"_s, row.k);
    problem.work.bytes = 4 * (row.matmul ? row.m * row.k + row.k * row.n + row.m * row.n : 2 * row.m * row.n);
    problem.work.matmulFlops = row.matmul ? 2 * row.m * row.n * row.k : 0;
    problem.work.vectorFlops = row.vectorOperations * row.m * row.n;
    problem.referenceSource = "import numpy as np\n\n\ndef forward(*inputs):\n    \"\"\"" + QByteArray(row.op) + "\"\"\"\n    return inputs[0]\n\n\n"
        "def get_inputs(seed):\n    return [np.random.default_rng(seed).standard_normal((16, 16), dtype=np.float32)]\n";
    problem.kernelSource = syntheticKernel(problem.name, 0);
    QJsonObject values;
    for (auto value = problem.values.cbegin(); value != problem.values.cend(); ++value)
        values.insert(value.key(), value.value());
    problem.json = {{u"version"_s, 1}, {u"name"_s, problem.name}, {u"title"_s, problem.title}, {u"operator"_s, problem.operatorText},
        {u"dtype"_s, problem.dtype}, {u"values"_s, values}, {u"tolerance"_s, problem.tolerance}, {u"entry"_s, problem.entry}};
    return problem;
}

/// A candidate the search goes on from.
struct Place {
    qint64 id = 0;
    AttemptKey key;
    QString commit;
    quint32 variant = 0;
    double ms = 0;
    QString title;
};

QJsonObject profileOf(const Problem &problem, double ms, double fraction, Random &random)
{
    const double traffic = problem.work.bytes * (1 + (1 - fraction) * 0.4);
    const double spill = std::max(0.0, 0.3 - fraction) * problem.work.bytes;
    return {{u"total_time"_s, ms / 1000}, {u"hbm_read_bytes"_s, std::round(traffic * 0.6)}, {u"hbm_write_bytes"_s, std::round(traffic * 0.4)},
        {u"sbuf_read_bytes"_s, std::round(traffic * 1.7)}, {u"sbuf_write_bytes"_s, std::round(traffic * 1.6)},
        {u"psum_read_bytes"_s, std::round(problem.work.matmulFlops / 900)}, {u"psum_write_bytes"_s, std::round(problem.work.matmulFlops / 850)},
        {u"spill_save_bytes"_s, std::round(spill)}, {u"spill_reload_bytes"_s, std::round(spill * 1.2)},
        {u"hardware_flops"_s, problem.work.matmulFlops * 1.25}, {u"transpose_flops"_s, problem.work.matmulFlops * 0.25},
        {u"mm_arithmetic_intensity"_s, problem.work.matmulFlops / traffic}, {u"peak_flops_bandwidth_ratio"_s, 223.781463973542},
        {u"hfu_estimated_percent"_s, problem.work.matmulFlops > 0 ? 0.9 * fraction : 0},
        {u"tensor_engine_active_time_percent"_s, problem.work.matmulFlops > 0 ? 0.95 * fraction : 0},
        {u"vector_engine_active_time_percent"_s, 0.2 + 0.5 * random.uniform()}, {u"scalar_engine_active_time_percent"_s, 0.1 + 0.4 * random.uniform()},
        {u"gpsimd_engine_active_time_percent"_s, 0.02 * random.uniform()}, {u"dma_active_time_percent"_s, 0.4 + 0.5 * fraction}};
}

/// Builds one project; a step per iteration and problem.
class Builder {
public:
    Builder(const QString &folder, const SyntheticOptions &options, const std::function<void(qint64)> &progress, const CancelToken &token)
        : m_folder(folder)
        , m_options(options)
        , m_progress(progress)
        , m_token(token)
        , m_random(options.seed)
        , m_time(QDate(2026, 11, 28), QTime(8, 0), QTimeZone::UTC)
    {
    }

    Result<qint64> build();

private:
    struct Made {
        Attempt attempt;
        QByteArray kernel, reply;
        quint32 variant = 0;
        QFuture<Result<qint64>> id;
    };

    Result<void> baseline(const Problem &problem);
    Result<void> iteration(const Problem &problem, int number, bool finished);
    void decide(const Problem &problem, const Place &parent, Made &made, const QList<Made> &earlier, Evaluation &evaluation);
    Evaluation measuredAt(const Problem &problem, double ms);
    Result<void> call(const Problem &problem, const CallKey &key, const QByteArray &reply, bool finished);
    Result<QString> commit(const Problem &problem, const Attempt &attempt, const QString &parent, const QByteArray &kernel, const QByteArray &reply,
        const QString &text);
    void note(const Attempt &attempt, const Evaluation &evaluation, const QString &commit);
    Result<void> select(const Problem &problem, int number, QList<Place> children);
    QDateTime tick(int milliseconds) { return m_time = m_time.addMSecs(milliseconds); }
    QDateTime now() const { return m_time; }
    void log(const QString &kind, const QString &problem, qint64 attempt, const QString &text)
    {
        (void)m_journal->log({0, m_run, now(), kind, problem, attempt, text});
    }

    QString m_folder;
    SyntheticOptions m_options;
    std::function<void(qint64)> m_progress;
    CancelToken m_token;
    Random m_random;
    QDateTime m_time;
    std::unique_ptr<Journal> m_journal;
    std::unique_ptr<KernelRepository> m_repository;
    qint64 m_run = 0, m_made = 0;
    RunSettings m_settings;
    FrozenFacts m_facts;
    QHash<QString, Roofline> m_roofs;
    QHash<QString, double> m_baselineMs;
    QHash<QString, QList<Place>> m_beams;
    QHash<QString, Place> m_best;
    QHash<QString, QList<qint64>> m_memory;
    QList<std::pair<QString, QJsonObject>> m_notes;
};

Evaluation Builder::measuredAt(const Problem &problem, double ms)
{
    Evaluation evaluation;
    evaluation.status = Evaluation::Status::Measured;
    evaluation.estimate = !m_options.measured;
    evaluation.latency.medianMs = ms;
    if (m_options.measured) {
        for (int i = 0; i < 10; ++i)
            evaluation.latency.samplesMs.append(ms * (1 + 0.004 * (m_random.uniform() - 0.5)));
        evaluation.latency.samplesMs[4] = ms;
        evaluation.latency.minMs = *std::ranges::min_element(evaluation.latency.samplesMs);
        evaluation.latency.maxMs = *std::ranges::max_element(evaluation.latency.samplesMs);
    } else {
        evaluation.latency.minMs = evaluation.latency.maxMs = ms;
        evaluation.bandLowMs = ms * 0.9;
        evaluation.bandHighMs = ms * 1.15;
        evaluation.confidence = u"B"_s;
    }
    evaluation.fractionOfPeak = m_roofs.value(problem.name).fractionOfPeak(ms);
    evaluation.relativeError = 1e-7 * (1 + 20 * m_random.uniform());
    evaluation.profile = profileOf(problem, ms, evaluation.fractionOfPeak, m_random);
    evaluation.environment = {m_settings.target, m_options.measured ? u"trn1.32xlarge"_s : u"simulator"_s, m_options.measured ? u"2.26.0"_s : QString(),
        u"beta1"_s, u"--auto-cast=none"_s, m_options.measured ? u"neuron-profile 2.26"_s : u"accelopt-neuroncore 1"_s};
    evaluation.core = m_options.measured ? u"trn-a core %1"_s.arg(m_random.below(16)) : u"simulator worker %1"_s.arg(1 + m_random.below(2));
    evaluation.stageSeconds = {{u"guard"_s, 0.003}, {u"check"_s, 0.02}, {u"compile"_s, m_options.measured ? 38.5 : 0.0},
        {u"correctness"_s, 0.4 + m_random.uniform()}, {u"timing"_s, 0.1 + 0.2 * m_random.uniform()}};
    return evaluation;
}

Result<QString> Builder::commit(
    const Problem &problem, const Attempt &attempt, const QString &parent, const QByteArray &kernel, const QByteArray &reply, const QString &text)
{
    if (!m_repository)
        return QString();
    AttemptCommit commit;
    commit.run = QString::number(m_run);
    commit.problem = problem.name;
    commit.key = attempt.key.ascii();
    commit.parentCommit = parent;
    commit.kernel = kernel;
    commit.reference = problem.referenceSource;
    commit.problemJson = QJsonDocument(problem.json).toJson();
    commit.reply = reply;
    commit.title = attempt.planTitle;
    commit.body = text;
    commit.model = attempt.author;
    commit.at = attempt.createdAt;
    return m_repository->commit(commit);
}

void Builder::note(const Attempt &attempt, const Evaluation &evaluation, const QString &commit)
{
    if (commit.isEmpty())
        return;
    QJsonObject note{{u"run"_s, m_run}, {u"problem"_s, attempt.problem}, {u"attempt"_s, attempt.key.ascii()}, {u"author"_s, attempt.author},
        {u"status"_s, statusName(evaluation.status)}};
    if (evaluation.error)
        note.insert(u"error"_s, QJsonObject{{u"kind"_s, errorKindName(evaluation.error.kind)}, {u"message"_s, evaluation.error.message}});
    if (evaluation.latency.medianMs > 0) {
        note.insert(u"latency_ms"_s, evaluation.latency.medianMs);
        note.insert(u"estimate"_s, evaluation.estimate);
        note.insert(u"fraction_of_peak"_s, evaluation.fractionOfPeak);
    }
    m_notes.emplaceBack(commit, note);
}

Result<void> Builder::call(const Problem &problem, const CallKey &key, const QByteArray &reply, bool finished)
{
    if (!m_options.calls)
        return {};
    const ModelChoice model = m_settings.model(key.role);
    const QByteArray request = "{\"messages\": [{\"role\": \"user\", \"content\": \"Problem " + problem.name.toUtf8() + ": "
        + problem.operatorText.toUtf8() + "\"}]}";
    Result<Journal::CallClaim> claim = m_journal->beginCall(m_run, key, model, request, 0.01).result();
    if (!claim)
        return std::unexpected(claim.error());
    if (!finished)
        return {};
    CallRecord record = claim->record;
    record.state = CallRecord::State::Finished;
    record.finishReason = u"stop"_s;
    record.modelReported = model.model;
    record.usage = {qint64(4000 + m_random.below(9000)), 2500, qint64(800 + m_random.below(3000)), 400, {}};
    record.costUsd = m_facts.prices.cost(model, record.usage);
    record.reply = reply;
    (void)m_journal->finishCall(record);
    return {};
}

Result<void> Builder::baseline(const Problem &problem)
{
    const Roofline roof = m_roofs.value(problem.name);
    Place place;
    place.ms = roof.peakMs / (0.18 + 0.3 * m_random.uniform());
    place.title = u"Baseline"_s;
    Attempt attempt;
    attempt.run = m_run;
    attempt.problem = problem.name;
    attempt.author = u"baseline"_s;
    attempt.planTitle = place.title;
    attempt.sha256 = hashOf(problem.kernelSource);
    attempt.programHash = attempt.sha256.left(32);
    attempt.createdAt = tick(1000);
    Result<QString> commit = this->commit(problem, attempt, {}, problem.kernelSource, {}, u"The kernel the search starts from."_s);
    if (!commit)
        return std::unexpected(commit.error());
    attempt.commit = place.commit = *commit;
    const Result<qint64> id = m_journal->putAttempt(attempt).result();
    if (!id)
        return std::unexpected(id.error());
    place.id = *id;
    Evaluation evaluation = measuredAt(problem, place.ms);
    evaluation.sha256 = attempt.sha256;
    (void)m_journal->beginEvaluation(place.id, u"search"_s, evaluation.core);
    if (const auto done = m_journal->finishEvaluation(place.id, u"search"_s, evaluation).result(); !done)
        return done;
    note(attempt, evaluation, place.commit);
    ++m_made;
    m_baselineMs[problem.name] = place.ms;
    m_best[problem.name] = place;
    m_beams[problem.name] = {place};
    if (m_repository) {
        for (const QString &name : {u"/baseline"_s, u"/best"_s}) {
            if (const auto set = m_repository->setBranch(problem.name + name, place.commit); !set)
                return set;
        }
    }
    return m_journal->finishIteration(m_run, problem.name, 0, {{problem.name, 1, 1, place.id, u"parent"_s}}).result();
}

void Builder::decide(const Problem &problem, const Place &parent, Made &made, const QList<Made> &earlier, Evaluation &evaluation)
{
    const Roofline roof = m_roofs.value(problem.name);
    const double dice = m_random.uniform();
    made.variant = parent.variant * 2654435761u + quint32(m_random.below(1 << 30)) + 1;
    made.variant |= 1u << 31; // 0 is the baseline's
    if (dice < 0.24) {
        const FailureRow &failure = failureRows[size_t(m_random.below(int(std::size(failureRows))))];
        evaluation.status = Evaluation::Status::Failed;
        const bool kernel = failure.kind != ErrorKind::Reply && failure.kind != ErrorKind::Truncated;
        evaluation.error = {failure.kind, QString::fromLatin1(failure.id), QString::fromUtf8(failure.message), kernel ? 12 + m_random.below(40) : 0,
            QString::fromLatin1(failure.stage)};
        if (!kernel) {
            made.reply = "I would first look at the profile. VectorE is busy most of the time, so";
            return;
        }
    } else if (dice < 0.31 && !earlier.isEmpty() && !earlier.first().kernel.isEmpty() && earlier.first().attempt.duplicateOf == 0) {
        made.kernel = earlier.first().kernel;
        made.variant = earlier.first().variant;
        made.attempt.duplicateOf = -1; // the first of this plan's group; its id comes later
        return;
    } else {
        const double change = std::exp(0.11 * m_random.normal() - 0.02);
        double ms = std::max(parent.ms * change, roof.peakMs * (1.06 + 0.1 * m_random.uniform()));
        if (dice > 0.99)
            ms = roof.peakMs * 0.71;
        evaluation = measuredAt(problem, ms);
        evaluation.quarantined = evaluation.fractionOfPeak > 1;
        if (dice > 0.92 && dice <= 0.99) {
            evaluation.status = Evaluation::Status::Skipped;
            evaluation.estimate = true;
            evaluation.latency.samplesMs.clear();
        }
    }
    made.kernel = syntheticKernel(problem.name, made.variant);
    made.attempt.sha256 = evaluation.sha256 = hashOf(made.kernel);
    made.attempt.programHash = made.attempt.sha256.left(32);
}

Result<void> Builder::iteration(const Problem &problem, int number, bool finished)
{
    (void)m_journal->beginIteration(m_run, problem.name, number);
    const QList<Place> beam = m_beams.value(problem.name);
    QList<Place> children;
    for (int candidate = 1; candidate <= beam.size(); ++candidate) {
        const Place &parent = beam.at(candidate - 1);
        (void)m_journal->recordExperienceUses(m_run, problem.name, number, candidate, m_memory.value(problem.name));
        for (int p = 1; p <= m_options.plans; ++p) {
            Plan plan;
            plan.iteration = number;
            plan.candidate = candidate;
            plan.plan = p;
            plan.title = QString::fromLatin1(planTitles[m_random.below(int(std::size(planTitles)))]);
            plan.model = m_settings.model(Role::Planner).name();
            plan.text = u"%1.\n\nThe profile shows VectorE busy for %2 % of the time while the DMA queues wait. Fewer, wider instructions "
                        "cost less fixed time each. Keep the tile within 192 KiB per partition."_s.arg(plan.title).arg(40 + m_random.below(50));
            if (const auto called = call(problem, {problem.name, number, candidate, p, 0, 0, Role::Planner}, plan.text.toUtf8(), true); !called)
                return called;
            (void)m_journal->putPlan(m_run, problem.name, plan);
            QList<Made> group;
            Place best;
            for (int a = 1; a <= m_options.attempts; ++a) {
                if (m_options.totalAttempts > 0 && m_made >= m_options.totalAttempts)
                    break;
                Made made;
                Attempt &attempt = made.attempt;
                attempt.run = m_run;
                attempt.problem = problem.name;
                attempt.key = {number, candidate, p, a, 0};
                attempt.parent = parent.id;
                attempt.author = m_settings.model(Role::Executor).name();
                attempt.planTitle = plan.title;
                attempt.createdAt = tick(900);
                Evaluation evaluation;
                decide(problem, parent, made, group, evaluation);
                attempt.parseRule = made.kernel.isEmpty() ? u"none"_s : u"only-block"_s;
                const bool duplicate = attempt.duplicateOf == -1;
                qint64 original = 0;
                if (duplicate) {
                    original = group.first().attempt.id;
                    attempt.sha256 = group.first().attempt.sha256;
                    attempt.programHash = group.first().attempt.programHash;
                    attempt.duplicateOf = original;
                    evaluation = group.first().attempt.evaluation;
                }
                const QByteArray reply = made.kernel.isEmpty() ? made.reply : "```python\n" + made.kernel + "```\n";
                const bool open = !finished && p == m_options.plans;
                if (const auto called = call(problem, {problem.name, number, candidate, p, a, 0, Role::Executor}, reply, !open); !called)
                    return called;
                const Result<QString> commit = this->commit(problem, attempt, parent.commit, made.kernel, reply, plan.text);
                if (!commit)
                    return std::unexpected(commit.error());
                attempt.commit = *commit;
                const Result<qint64> id = m_journal->putAttempt(attempt).result();
                if (!id)
                    return std::unexpected(id.error());
                attempt.id = *id;
                attempt.evaluation = evaluation;
                ++m_made;
                if (!open || a == 1) {
                    if (!duplicate)
                        (void)m_journal->beginEvaluation(*id, u"search"_s, m_options.measured ? u"trn-a"_s : u"simulator"_s);
                }
                if (!open) {
                    (void)m_journal->finishEvaluation(*id, u"search"_s, evaluation, original);
                    note(attempt, evaluation, attempt.commit);
                    if (evaluation.error.kind != ErrorKind::None)
                        log(u"failed"_s, problem.name, *id, u"%1: %2"_s.arg(attempt.key.display(), evaluation.error.message));
                    if (evaluation.quarantined)
                        log(u"quarantine"_s, problem.name, *id, u"%1 is faster than the roofline allows and was set apart."_s.arg(attempt.key.display()));
                    if (evaluation.isCorrect() && !evaluation.quarantined && !duplicate && (best.id == 0 || evaluation.latency.medianMs < best.ms))
                        best = {*id, attempt.key, attempt.commit, made.variant, evaluation.latency.medianMs, plan.title};
                }
                group.append(made);
            }
            if (best.id)
                children.append(best);
        }
    }
    return finished ? select(problem, number, children) : Result<void>();
}

Result<void> Builder::select(const Problem &problem, int number, QList<Place> children)
{
    const QList<Place> parents = m_beams.value(problem.name);
    std::ranges::stable_sort(children, {}, [](const Place &place) { return place.ms; });

    // Experiences: the first clear gain and the first clear loss.
    QList<Experience> experiences;
    const Place parent = parents.first();
    for (const bool positive : {true, false}) {
        const auto pair = std::ranges::find_if(children, [&](const Place &child) {
            return positive ? parent.ms / child.ms > m_settings.positiveThreshold : child.ms / parent.ms > m_settings.negativeThreshold;
        });
        if (pair == children.end())
            continue;
        Experience experience;
        experience.run = m_run;
        experience.problem = problem.name;
        experience.iteration = number;
        experience.rank = int(experiences.size());
        experience.positive = positive;
        experience.speedup = std::max(parent.ms / pair->ms, pair->ms / parent.ms);
        experience.slowAttempt = positive ? parent.id : pair->id;
        experience.fastAttempt = positive ? pair->id : parent.id;
        experience.title = pair->title;
        experience.summary = positive
            ? u"%1: the instructions became fewer and wider, so that the fixed cost of each counts less."_s.arg(pair->title)
            : u"%1: the tile no longer fits twice into SBUF, so that loads and computation wait for each other."_s.arg(pair->title);
        experience.createdAt = now();
        experiences.append(experience);
        if (const auto called = call(problem, {problem.name, number, 0, experience.rank + 1, 0, 0, Role::Summarizer}, experience.summary.toUtf8(), true); !called)
            return called;
    }
    const Result<QList<qint64>> ids = m_journal->putExperiences(experiences).result();
    if (!ids)
        return std::unexpected(ids.error());
    QList<qint64> &memory = m_memory[problem.name];
    memory.append(*ids);
    while (memory.size() > m_settings.memoryCapacity)
        memory.removeFirst();
    (void)m_journal->putMemory(m_run, problem.name, number, memory);

    // Elitist: parents compete with children.
    QList<std::pair<Place, QString>> all;
    for (const Place &child : std::as_const(children))
        all.emplaceBack(child, u"child"_s);
    for (const Place &old : parents)
        all.emplaceBack(old, u"parent"_s);
    std::ranges::stable_sort(all, {}, [](const auto &entry) { return entry.first.ms; });
    QList<Place> next;
    QList<BeamPlace> places;
    for (const auto &[place, origin] : std::as_const(all)) {
        if (next.size() == m_options.beam)
            break;
        next.append(place);
        places.append({problem.name, number + 1, int(next.size()), place.id, origin});
    }
    m_beams[problem.name] = next;
    if (next.first().ms < m_best.value(problem.name).ms) {
        m_best[problem.name] = next.first();
        if (m_repository) {
            if (const auto set = m_repository->setBranch(problem.name + u"/best"_s, next.first().commit); !set)
                return set;
        }
        log(u"best"_s, problem.name, next.first().id,
            u"%1: %2 is the best so far, %3 times as fast as the baseline."_s.arg(problem.name, next.first().key.display())
                .arg(m_baselineMs.value(problem.name) / next.first().ms, 0, 'f', 2));
    }
    log(u"selection"_s, problem.name, next.first().id, u"%1: iteration %2 is over, %3 candidates go on."_s.arg(problem.name).arg(number).arg(next.size()));
    return m_journal->finishIteration(m_run, problem.name, number, places).result();
}

Result<qint64> Builder::build()
{
    if (m_options.problems < 1 || m_options.problems > int(std::size(problemRows)))
        return fail(Error::Kind::Invalid, u"A synthetic project has 1 to %1 problems."_s.arg(std::size(problemRows)));
    if (!QDir().mkpath(m_folder))
        return fail(Error::Kind::Io, u"The folder %1 cannot be made."_s.arg(m_folder));
    if (m_options.repository) {
        auto repository = KernelRepository::create(m_folder + u"/kernels.git"_s);
        if (!repository)
            return std::unexpected(repository.error());
        m_repository = std::move(*repository);
    }
    auto journal = Journal::create(m_folder + u"/accelopt.db"_s);
    if (!journal)
        return std::unexpected(journal.error());
    m_journal = std::move(*journal);
    (void)m_journal->putValue(u"project"_s, {{u"target"_s, u"trn1"_s}, {u"suite"_s, QString()}});

    int iterations = m_options.iterations;
    const qint64 perIteration = qint64(m_options.problems) * m_options.beam * m_options.plans * m_options.attempts;
    if (m_options.totalAttempts > 0)
        iterations = int(m_options.totalAttempts / perIteration) + 3;
    m_settings = RunSettings::quickPreset();
    m_settings.iterations = iterations;
    m_settings.beam = m_options.beam;
    m_settings.plans = m_options.plans;
    m_settings.attempts = m_options.attempts;
    m_settings.seed = m_options.seed;
    m_settings.hosts = {m_options.measured ? u"trn-a"_s : u"simulator"_s};
    for (const Role role : allRoles)
        m_settings.models.insert(role, {u"openai"_s, role == Role::Executor ? u"qwen3-coder-30b"_s : u"gpt-oss-120b"_s, u"http://127.0.0.1:8000/v1"_s});
    m_facts.prices.insert(u"gpt-oss-120b"_s, {0.15, 0.075, 0.60, u"example"_s, u"2026-11-01"_s});
    // trn1: bandwidth and peaks of one NeuronCore-v2 (AWS Neuron documentation).
    m_facts.peaks.target = u"trn1"_s;
    m_facts.peaks.bandwidth = 410e9;
    m_facts.peaks.matmulFlops = {{u"float32"_s, 23.75e12}, {u"bfloat16"_s, 95e12}};
    m_facts.peaks.vectorFlops = {{u"float32"_s, 0.4e12}};
    m_facts.peaks.source = u"synthetic"_s;

    QList<Problem> problems;
    for (int i = 0; i < m_options.problems; ++i) {
        problems.append(makeProblem(problemRows[i]));
        m_roofs.insert(problems.last().name, roofline(problems.last().work, m_facts.peaks, problems.last().dtype));
        m_settings.problems.append(problems.last().name);
        if (const auto put = m_journal->putProblem(problems.last()).result(); !put)
            return std::unexpected(put.error());
    }
    const Result<qint64> run = m_journal->createRun(m_settings, m_facts, problems).result();
    if (!run)
        return run;
    m_run = *run;
    (void)m_journal->setRunState(m_run, RunState::Running);
    log(u"run"_s, {}, 0, u"Run %1 started."_s.arg(m_run));
    for (const Problem &problem : std::as_const(problems)) {
        if (const auto made = baseline(problem); !made)
            return std::unexpected(made.error());
    }
    const auto enough = [this] { return m_options.totalAttempts > 0 && m_made >= m_options.totalAttempts; };
    for (int number = 1; number <= iterations && !enough(); ++number) {
        for (const Problem &problem : std::as_const(problems)) {
            if (m_token.stop_requested())
                return fail(Error::Kind::Cancelled, u"The synthetic project was not finished."_s);
            if (enough())
                break;
            if (const auto made = iteration(problem, number, number <= iterations - m_options.unfinishedIterations); !made)
                return std::unexpected(made.error());
            if (m_progress)
                m_progress(m_made);
        }
        if (m_repository && !m_notes.isEmpty()) {
            if (const auto noted = m_repository->setNotes(m_notes); !noted)
                return std::unexpected(noted.error());
            m_notes.clear();
            if (m_made > 2000) {
                if (const auto packed = m_repository->pack(m_token); !packed)
                    return std::unexpected(packed.error());
            }
        }
        if (m_options.unfinishedIterations > 0 && number == iterations - m_options.unfinishedIterations + 1)
            break;
    }
    if (m_repository && !m_notes.isEmpty()) {
        if (const auto noted = m_repository->setNotes(m_notes); !noted)
            return std::unexpected(noted.error());
    }
    (void)m_journal->setRunState(m_run, m_options.state);
    m_journal->flush();
    return m_run;
}

} // namespace

QByteArray syntheticKernel(const QString &problem, quint32 variant, int lines)
{
    const int columns = 512 << (variant % 3);
    const bool hoisted = variant & 8, fused = variant & 16, scalar = variant & 32, resident = variant & 64;
    QByteArray text = "# SPDX-License-Identifier: GPL-3.0-or-later\nimport neuronxcc.nki as nki\nimport neuronxcc.nki.isa as nisa\n"
                      "import neuronxcc.nki.language as nl\n\nTILE_ROWS = 128\nTILE_COLUMNS = "
        + QByteArray::number(columns) + "\n\n\n@nki.jit\ndef kernel(x, scale):\n    \"\"\"" + problem.toUtf8()
        + ", one tile at a time.\"\"\"\n    rows, columns = x.shape\n    y = nl.ndarray((rows, columns), dtype=x.dtype, buffer=nl.shared_hbm)\n"
          "    i_row = nl.arange(TILE_ROWS)[:, None]\n    i_column = nl.arange(TILE_COLUMNS)[None, :]\n";
    if (hoisted)
        text += "    factor = nl.load(scale[i_row, 0])\n";
    if (resident)
        text += "    kept = nl.ndarray((TILE_ROWS, columns), dtype=x.dtype, buffer=nl.sbuf)\n";
    text += "    for r in nl.affine_range(rows // TILE_ROWS):\n        for c in nl.affine_range(columns // TILE_COLUMNS):\n"
            "            x_tile = nl.load(x[r * TILE_ROWS + i_row, c * TILE_COLUMNS + i_column])\n";
    if (!hoisted)
        text += "            factor = nl.load(scale[i_row, 0])\n";
    int line = int(text.count('\n'));
    for (int step = 0; line < lines - 3; ++step) {
        const quint32 bit = (variant >> (step % 24)) & 1;
        const QByteArray name = "t" + QByteArray::number(step), from = step ? "t" + QByteArray::number(step - 1) : QByteArray("x_tile");
        if (fused && bit) {
            text += "            " + name + " = nisa.tensor_scalar(" + from + ", np.multiply, factor, op1=np.add, operand1="
                + QByteArray::number(step) + ".0)\n";
            line += 1;
        } else if (scalar && bit) {
            text += "            " + name + " = nisa.activation(nl.exp, " + from + ", scale=-" + QByteArray::number(1 + step) + ".0)\n";
            line += 1;
        } else {
            text += "            " + name + "_scaled = nl.multiply(" + from + ", factor)\n            " + name + " = nl.add(" + name + "_scaled, "
                + QByteArray::number(step) + ".0)\n";
            line += 2;
        }
        if (line >= lines - 3)
            text += "            nl.store(y[r * TILE_ROWS + i_row, c * TILE_COLUMNS + i_column], " + name + ")\n";
    }
    return text + "    # variant " + QByteArray::number(variant) + "\n    return y\n";
}

Result<qint64> makeSyntheticProject(
    const QString &folder, const SyntheticOptions &options, const std::function<void(qint64)> &progress, const CancelToken &token)
{
    return Builder(folder, options, progress, token).build();
}

} // namespace accelopt::fakes
