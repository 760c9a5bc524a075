// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakes/syntheticproject.h"

#include "fakes/syntheticdata.h"

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

QString hashOf(const QByteArray &data)
{
    return QString::fromLatin1(QCryptographicHash::hash(data, QCryptographicHash::Sha256).toHex());
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

/// Builds one project; a step per iteration and problem.
class Builder {
public:
    Builder(const QString &folder, const SyntheticOptions &options, const std::function<void(qint64)> &progress,
        const CancelToken &token)
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
    void decide(
        const Problem &problem, const Place &parent, Made &made, const QList<Made> &earlier, Evaluation &evaluation);
    Evaluation measuredAt(const Problem &problem, double ms);
    Result<void> call(const Problem &problem, const CallKey &key, const QByteArray &reply, bool finished);
    Result<QString> commit(const Problem &problem, const Attempt &attempt, const QString &parent,
        const QByteArray &kernel, const QByteArray &reply, const QString &text);
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
    qint64 m_run = 0, m_made = 0, m_calls = 0;
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
    evaluation.profile = syntheticProfile(problem, ms, evaluation.fractionOfPeak, m_random);
    evaluation.environment = {m_settings.target, m_options.measured ? u"trn1.32xlarge"_s : u"simulator"_s,
        m_options.measured ? u"2.26.0"_s : QString(), u"beta1"_s, u"--auto-cast=none"_s,
        m_options.measured ? u"neuron-profile 2.26"_s : u"accelopt-neuroncore 1"_s};
    evaluation.core = m_options.measured ? u"trn-a core %1"_s.arg(m_random.below(16))
                                         : u"simulator worker %1"_s.arg(1 + m_random.below(2));
    evaluation.stageSeconds = {{u"guard"_s, 0.003}, {u"check"_s, 0.02}, {u"compile"_s, m_options.measured ? 38.5 : 0.0},
        {u"correctness"_s, 0.4 + m_random.uniform()}, {u"timing"_s, 0.1 + 0.2 * m_random.uniform()}};
    return evaluation;
}

Result<QString> Builder::commit(const Problem &problem, const Attempt &attempt, const QString &parent,
    const QByteArray &kernel, const QByteArray &reply, const QString &text)
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
    QJsonObject note{{u"run"_s, m_run}, {u"problem"_s, attempt.problem}, {u"attempt"_s, attempt.key.ascii()},
        {u"author"_s, attempt.author}, {u"status"_s, statusName(evaluation.status)}};
    if (evaluation.error)
        note.insert(u"error"_s,
            QJsonObject{{u"kind"_s, errorKindName(evaluation.error.kind)}, {u"message"_s, evaluation.error.message}});
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
    const QByteArray request = "{\"messages\": [{\"role\": \"user\", \"content\": \"Problem " + problem.name.toUtf8()
        + ": " + problem.operatorText.toUtf8() + "\"}]}";
    ++m_calls;
    const auto begun = m_journal->beginCall(m_run, key, model, request, 0.01);
    if (m_calls % 64 == 0) {
        const Result<Journal::CallClaim> claim = begun.result();
        if (!claim || claim->record.id != m_calls)
            return fail(Error::Kind::Internal, u"The calls are not numbered in order."_s);
    }
    if (!finished)
        return {};
    CallRecord record;
    record.id = m_calls;
    record.run = m_run;
    record.key = key;
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
    Result<QString> commit =
        this->commit(problem, attempt, {}, problem.kernelSource, {}, u"The kernel the search starts from."_s);
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

void Builder::decide(
    const Problem &problem, const Place &parent, Made &made, const QList<Made> &earlier, Evaluation &evaluation)
{
    const Roofline roof = m_roofs.value(problem.name);
    const double dice = m_random.uniform();
    made.variant = parent.variant * 2654435761u + quint32(m_random.below(1 << 30)) + 1;
    made.variant |= 1u << 31; // 0 is the baseline's
    if (dice < 0.24) {
        const FailureRow &failure = syntheticFailures()[size_t(m_random.below(int(syntheticFailures().size())))];
        evaluation.status = Evaluation::Status::Failed;
        const bool kernel = failure.kind != ErrorKind::Reply && failure.kind != ErrorKind::Truncated;
        evaluation.error = {failure.kind, QString::fromLatin1(failure.id), QString::fromUtf8(failure.message),
            kernel ? 12 + m_random.below(40) : 0, QString::fromLatin1(failure.stage)};
        if (!kernel) {
            made.reply = "I would first look at the profile. VectorE is busy most of the time, so";
            return;
        }
    } else if (dice < 0.31 && !earlier.isEmpty() && !earlier.first().kernel.isEmpty()
        && earlier.first().attempt.duplicateOf == 0) {
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
            plan.title =
                QString::fromLatin1(syntheticPlanTitles()[size_t(m_random.below(int(syntheticPlanTitles().size())))]);
            plan.model = m_settings.model(Role::Planner).name();
            plan.text = u"%1.\n\nThe profile shows VectorE busy for %2 % of the time while the DMA queues wait. Fewer, "
                        u"wider instructions "
                        "cost less fixed time each. Keep the tile within 192 KiB per partition."_s.arg(plan.title)
                            .arg(40 + m_random.below(50));
            if (const auto called =
                    call(problem, {problem.name, number, candidate, p, 0, 0, Role::Planner}, plan.text.toUtf8(), true);
                !called)
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
                if (const auto called =
                        call(problem, {problem.name, number, candidate, p, a, 0, Role::Executor}, reply, !open);
                    !called)
                    return called;
                const Result<QString> commit =
                    this->commit(problem, attempt, parent.commit, made.kernel, reply, plan.text);
                if (!commit)
                    return std::unexpected(commit.error());
                attempt.commit = *commit;
                // Rows of a new database are numbered in order, so that nobody has to wait for each; checked below.
                const qint64 id = attempt.id = m_made + 1;
                const auto put = m_journal->putAttempt(attempt);
                if (m_made % 64 == 0 && put.result().value_or(0) != id)
                    return fail(Error::Kind::Internal, u"The attempts are not numbered in order."_s);
                attempt.evaluation = evaluation;
                ++m_made;
                if (!open || a == 1) {
                    if (!duplicate)
                        (void)m_journal->beginEvaluation(
                            id, u"search"_s, m_options.measured ? u"trn-a"_s : u"simulator"_s);
                }
                if (!open) {
                    (void)m_journal->finishEvaluation(id, u"search"_s, evaluation, original);
                    note(attempt, evaluation, attempt.commit);
                    if (evaluation.error.kind != ErrorKind::None)
                        log(u"failed"_s, problem.name, id,
                            u"%1: %2"_s.arg(attempt.key.display(), evaluation.error.message));
                    if (evaluation.quarantined)
                        log(u"quarantine"_s, problem.name, id,
                            u"%1 is faster than the roofline allows and was set apart."_s.arg(attempt.key.display()));
                    if (evaluation.isCorrect() && !evaluation.quarantined && !duplicate
                        && (best.id == 0 || evaluation.latency.medianMs < best.ms))
                        best = {id, attempt.key, attempt.commit, made.variant, evaluation.latency.medianMs, plan.title};
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
            return positive ? parent.ms / child.ms > m_settings.positiveThreshold
                            : child.ms / parent.ms > m_settings.negativeThreshold;
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
            ? u"%1: the instructions became fewer and wider, so that the fixed cost of each counts less."_s.arg(
                  pair->title)
            : u"%1: the tile no longer fits twice into SBUF, so that loads and computation wait for each other."_s.arg(
                  pair->title);
        experience.createdAt = now();
        experiences.append(experience);
        if (const auto called = call(problem, {problem.name, number, 0, experience.rank + 1, 0, 0, Role::Summarizer},
                experience.summary.toUtf8(), true);
            !called)
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
            u"%1: %2 is the best so far, %3 times as fast as the baseline."_s
                .arg(problem.name, next.first().key.display())
                .arg(m_baselineMs.value(problem.name) / next.first().ms, 0, 'f', 2));
    }
    log(u"selection"_s, problem.name, next.first().id,
        u"%1: iteration %2 is over, %3 candidates go on."_s.arg(problem.name).arg(number).arg(next.size()));
    return m_journal->finishIteration(m_run, problem.name, number, places).result();
}

Result<qint64> Builder::build()
{
    if (m_options.problems < 1 || m_options.problems > syntheticProblemCount())
        return fail(Error::Kind::Invalid, u"A synthetic project has 1 to %1 problems."_s.arg(syntheticProblemCount()));
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
        m_settings.models.insert(role,
            {u"openai"_s, role == Role::Executor ? u"qwen3-coder-30b"_s : u"gpt-oss-120b"_s,
                u"http://127.0.0.1:8000/v1"_s});
    m_facts.prices.insert(u"gpt-oss-120b"_s, {0.15, 0.075, 0.60, u"example"_s, u"2026-11-01"_s});
    // trn1: bandwidth and peaks of one NeuronCore-v2 (AWS Neuron documentation).
    m_facts.peaks.target = u"trn1"_s;
    m_facts.peaks.bandwidth = 410e9;
    m_facts.peaks.matmulFlops = {{u"float32"_s, 23.75e12}, {u"bfloat16"_s, 95e12}};
    m_facts.peaks.vectorFlops = {{u"float32"_s, 0.4e12}};
    m_facts.peaks.source = u"synthetic"_s;

    QList<Problem> problems;
    for (int i = 0; i < m_options.problems; ++i) {
        problems.append(syntheticProblem(i));
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
            if (const auto made = iteration(problem, number, number <= iterations - m_options.unfinishedIterations);
                !made)
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

Result<qint64> makeSyntheticProject(const QString &folder, const SyntheticOptions &options,
    const std::function<void(qint64)> &progress, const CancelToken &token)
{
    return Builder(folder, options, progress, token).build();
}

} // namespace accelopt::fakes
