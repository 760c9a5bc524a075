// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/schema.h"

#include <QFileInfo>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::journal {

namespace {

// Times are milliseconds since 1970 UTC. Natural keys are UNIQUE: they are what makes a run exact.
constexpr char version1[] = R"sql(
CREATE TABLE problems(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    current INTEGER NOT NULL DEFAULT 1,
    definition TEXT NOT NULL,
    json TEXT NOT NULL,
    reference BLOB NOT NULL,
    kernel BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE(name, digest));
CREATE UNIQUE INDEX problems_current ON problems(name) WHERE current = 1;

CREATE TABLE runs(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    settings TEXT NOT NULL,
    facts TEXT NOT NULL,
    stop_reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    active_ms INTEGER NOT NULL DEFAULT 0,
    active_since INTEGER);
CREATE TABLE run_problems(
    run INTEGER NOT NULL REFERENCES runs(id),
    problem TEXT NOT NULL,
    position INTEGER NOT NULL,
    problem_id INTEGER NOT NULL REFERENCES problems(id),
    peak_ms REAL NOT NULL,
    bound TEXT NOT NULL,
    PRIMARY KEY(run, problem)) WITHOUT ROWID;

CREATE TABLE calls(
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs(id),
    problem TEXT NOT NULL, iteration INTEGER NOT NULL, candidate INTEGER NOT NULL, plan INTEGER NOT NULL,
    attempt INTEGER NOT NULL, round INTEGER NOT NULL, role TEXT NOT NULL, try INTEGER NOT NULL,
    state TEXT NOT NULL,
    provider TEXT NOT NULL, model TEXT NOT NULL, endpoint TEXT NOT NULL, model_name TEXT NOT NULL,
    model_reported TEXT NOT NULL DEFAULT '',
    finish_reason TEXT NOT NULL DEFAULT '',
    input_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0, reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    usage_raw TEXT NOT NULL DEFAULT '{}',
    cost_usd REAL, maximum_usd REAL NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    started_at INTEGER NOT NULL, finished_at INTEGER,
    UNIQUE(run, problem, iteration, candidate, plan, attempt, round, role, try));
CREATE INDEX calls_time ON calls(run, started_at);
CREATE INDEX calls_open ON calls(run) WHERE finished_at IS NULL;
CREATE TABLE exchanges(
    call INTEGER PRIMARY KEY REFERENCES calls(id),
    request BLOB NOT NULL, reply BLOB, reasoning BLOB);

CREATE TABLE plans(
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL, problem TEXT NOT NULL, iteration INTEGER NOT NULL, candidate INTEGER NOT NULL, plan INTEGER NOT NULL,
    title TEXT NOT NULL, text TEXT NOT NULL, model TEXT NOT NULL, created_at INTEGER NOT NULL,
    UNIQUE(run, problem, iteration, candidate, plan),
    FOREIGN KEY(run, problem) REFERENCES run_problems(run, problem));

CREATE TABLE attempts(
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL, problem TEXT NOT NULL, iteration INTEGER NOT NULL, candidate INTEGER NOT NULL, plan INTEGER NOT NULL,
    attempt INTEGER NOT NULL, round INTEGER NOT NULL,
    parent INTEGER REFERENCES attempts(id),
    author TEXT NOT NULL, plan_title TEXT NOT NULL, parse_rule TEXT NOT NULL,
    sha256 TEXT NOT NULL, program_hash TEXT NOT NULL, commit_id TEXT NOT NULL,
    state TEXT NOT NULL,
    duplicate_of INTEGER REFERENCES attempts(id),
    evaluation INTEGER REFERENCES evaluations(id),
    latency_ms REAL, fraction REAL, estimate INTEGER NOT NULL DEFAULT 0,
    error_message TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL, finished_at INTEGER,
    UNIQUE(run, problem, iteration, candidate, plan, attempt, round),
    FOREIGN KEY(run, problem) REFERENCES run_problems(run, problem));
CREATE INDEX attempts_parent ON attempts(parent);

CREATE TABLE evaluations(
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempts(id),
    purpose TEXT NOT NULL,
    host TEXT NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 1,
    status TEXT NOT NULL DEFAULT '',
    error_kind TEXT NOT NULL DEFAULT '', error_id TEXT NOT NULL DEFAULT '', error_message TEXT NOT NULL DEFAULT '',
    error_line INTEGER NOT NULL DEFAULT 0, error_stage TEXT NOT NULL DEFAULT '',
    median_ms REAL NOT NULL DEFAULT 0, min_ms REAL NOT NULL DEFAULT 0, max_ms REAL NOT NULL DEFAULT 0,
    estimate INTEGER NOT NULL DEFAULT 0, band_low_ms REAL NOT NULL DEFAULT 0, band_high_ms REAL NOT NULL DEFAULT 0,
    confidence TEXT NOT NULL DEFAULT '', fraction REAL NOT NULL DEFAULT 0, quarantined INTEGER NOT NULL DEFAULT 0,
    relative_error REAL NOT NULL DEFAULT -1,
    core TEXT NOT NULL DEFAULT '', sha256 TEXT NOT NULL DEFAULT '',
    device_seconds REAL NOT NULL DEFAULT 0,
    details BLOB,
    started_at INTEGER NOT NULL, finished_at INTEGER,
    UNIQUE(attempt, purpose));
CREATE INDEX evaluations_open ON evaluations(attempt) WHERE finished_at IS NULL;
CREATE INDEX evaluations_time ON evaluations(started_at);

CREATE TABLE iterations(
    run INTEGER NOT NULL, problem TEXT NOT NULL, iteration INTEGER NOT NULL,
    state TEXT NOT NULL, started_at INTEGER NOT NULL, finished_at INTEGER,
    PRIMARY KEY(run, problem, iteration),
    FOREIGN KEY(run, problem) REFERENCES run_problems(run, problem)) WITHOUT ROWID;
CREATE TABLE beams(
    run INTEGER NOT NULL, problem TEXT NOT NULL, iteration INTEGER NOT NULL, candidate INTEGER NOT NULL,
    attempt INTEGER NOT NULL REFERENCES attempts(id), origin TEXT NOT NULL,
    PRIMARY KEY(run, problem, iteration, candidate),
    FOREIGN KEY(run, problem) REFERENCES run_problems(run, problem)) WITHOUT ROWID;
CREATE INDEX beams_attempt ON beams(attempt);

CREATE TABLE experiences(
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL, problem TEXT NOT NULL, iteration INTEGER NOT NULL, rank INTEGER NOT NULL,
    positive INTEGER NOT NULL, speedup REAL NOT NULL,
    slow_attempt INTEGER NOT NULL REFERENCES attempts(id), fast_attempt INTEGER NOT NULL REFERENCES attempts(id),
    title TEXT NOT NULL, summary TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'active', edited_summary TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    UNIQUE(run, problem, iteration, rank),
    FOREIGN KEY(run, problem) REFERENCES run_problems(run, problem));
CREATE TABLE experience_uses(
    run INTEGER NOT NULL REFERENCES runs(id), problem TEXT NOT NULL, iteration INTEGER NOT NULL, candidate INTEGER NOT NULL,
    position INTEGER NOT NULL, experience INTEGER NOT NULL REFERENCES experiences(id),
    PRIMARY KEY(run, problem, iteration, candidate, position)) WITHOUT ROWID;
CREATE INDEX experience_uses_experience ON experience_uses(experience);
CREATE TABLE memories(
    run INTEGER NOT NULL REFERENCES runs(id), problem TEXT NOT NULL, iteration INTEGER NOT NULL,
    position INTEGER NOT NULL, experience INTEGER NOT NULL REFERENCES experiences(id),
    PRIMARY KEY(run, problem, iteration, position)) WITHOUT ROWID;

CREATE TABLE log_events(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER REFERENCES runs(id),
    at INTEGER NOT NULL, kind TEXT NOT NULL, problem TEXT NOT NULL, attempt INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX log_events_run ON log_events(run, id);
CREATE TABLE project_values(key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
)sql";

// How an attempt stands, in one indexed word, so that counting, filtering and the best of 100,000 attempts are index
// reads.
constexpr char version2[] = R"sql(
ALTER TABLE attempts ADD COLUMN verdict TEXT NOT NULL DEFAULT 'pending';
UPDATE attempts SET verdict = CASE
    WHEN state <> 'done' THEN 'pending'
    WHEN duplicate_of IS NOT NULL THEN 'same'
    ELSE COALESCE((SELECT CASE WHEN e.quarantined THEN 'quarantined' WHEN e.status = 'measured' THEN 'correct'
                               WHEN e.status = 'skipped' THEN 'skipped' ELSE 'failed' END
                   FROM evaluations e WHERE e.id = attempts.evaluation), 'failed') END;
CREATE INDEX attempts_best ON attempts(run, problem, verdict, estimate, iteration, latency_ms, candidate, plan, attempt, round);
CREATE INDEX attempts_latency ON attempts(run, latency_ms);
)sql";

constexpr const char *steps[] = {version1, version2};
static_assert(std::size(steps) == schemaVersion);

} // namespace

Result<int> checkSchema(sqlite::Database &database)
{
    const auto version = database.integer("PRAGMA user_version");
    if (!version)
        return std::unexpected(version.error());
    const auto application = database.integer("PRAGMA application_id");
    if (!application)
        return std::unexpected(application.error());
    const auto tables = database.integer("SELECT COUNT(*) FROM sqlite_schema");
    if (!tables)
        return std::unexpected(tables.error());
    const QString name = QFileInfo(database.path()).fileName();
    // A new database gets its tables in the transaction that makes it; later only an accident leaves none.
    if (**tables == 0 && **version == 0)
        return fail(Error::Kind::Invalid,
            u"The project's database %1 is empty: it was damaged, or making the project was cut off. It was not changed."_s
                .arg(name));
    if (**application != applicationId)
        return fail(Error::Kind::Invalid, u"The file %1 is not an AccelOpt database; it was not changed."_s.arg(name));
    if (**version > schemaVersion)
        return fail(Error::Kind::NewerVersion,
            u"The project was written by a newer version of AccelOpt Studio and was not changed. Open it with that version."_s,
            u"schema version %1, this program knows %2"_s.arg(**version).arg(schemaVersion));
    return int(**version);
}

Result<void> migrate(sqlite::Database &database, int from)
{
    for (int version = from; version < schemaVersion; ++version) {
        const QByteArray sql = "BEGIN IMMEDIATE;" + QByteArray(steps[version])
            + "PRAGMA application_id = " + QByteArray::number(applicationId)
            + "; PRAGMA user_version = " + QByteArray::number(version + 1) + "; COMMIT;";
        if (auto done = database.execute(sql); !done) {
            if (database.inTransaction())
                (void)database.execute("ROLLBACK");
            return done;
        }
    }
    return {};
}

} // namespace accelopt::journal
