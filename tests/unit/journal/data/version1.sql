-- SPDX-License-Identifier: GPL-3.0-or-later
-- A database as version 1 of the schema left it, with one attempt of every kind.
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

PRAGMA application_id = 1094929487;
PRAGMA user_version = 1;
INSERT INTO problems VALUES(1,'silu','d1',1,'{"title":"SiLU","operator":"y","dtype":"float32","values":{"M":4096},"tolerance":2e-05,"entry":"kernel","work":{"bytes":1000,"matmul_flops":0,"vector_flops":0}}','{"name":"silu"}',x'72',x'6b',1000);
INSERT INTO runs VALUES(1,'Run 1','finished','{}','{}','',1000,2000,9000,7000,NULL);
INSERT INTO run_problems VALUES(1,'silu',0,1,0.5,'memory');
INSERT INTO attempts(id,run,problem,iteration,candidate,plan,attempt,round,parent,author,plan_title,parse_rule,sha256,program_hash,commit_id,state,duplicate_of,evaluation,latency_ms,fraction,estimate,error_message,created_at,finished_at) VALUES
 (1,1,'silu',0,0,0,0,0,NULL,'baseline','Baseline','','aa','','c1','done',NULL,1,2.0,0.25,1,'',1000,1100),
 (2,1,'silu',1,1,1,1,0,1,'rules','Widen','only-block','bb','','c2','done',NULL,2,1.0,0.5,1,'',1000,1100),
 (3,1,'silu',1,1,1,2,0,1,'rules','Hoist','only-block','cc','','c3','done',NULL,3,NULL,NULL,0,'It broke.',1000,1100),
 (4,1,'silu',1,1,2,1,0,1,'rules','Same','only-block','bb','','c4','done',2,4,1.0,0.5,1,'',1000,1100),
 (5,1,'silu',1,1,2,2,0,1,'rules','Fast','only-block','ee','','c5','done',NULL,5,0.1,5.0,1,'',1000,1100),
 (6,1,'silu',1,1,3,1,0,1,'rules','Slow','only-block','ff','','c6','done',NULL,6,4.0,0.12,1,'',1000,1100),
 (7,1,'silu',1,1,3,2,0,1,'rules','Later','only-block','gg','','c7','evaluating',NULL,NULL,NULL,NULL,0,'',1000,NULL);
INSERT INTO evaluations(id,attempt,purpose,host,state,status,error_kind,error_message,median_ms,fraction,estimate,quarantined,started_at,finished_at) VALUES
 (1,1,'search','simulator','finished','measured','','',2.0,0.25,1,0,1000,1100),
 (2,2,'search','simulator','finished','measured','','',1.0,0.5,1,0,1000,1100),
 (3,3,'search','simulator','finished','failed','crash','It broke.',0,0,0,0,1000,1100),
 (4,4,'search','simulator','finished','measured','','',1.0,0.5,1,0,1000,1100),
 (5,5,'search','simulator','finished','measured','','',0.1,5.0,1,1,1000,1100),
 (6,6,'search','simulator','finished','skipped','','',4.0,0.12,1,0,1000,1100),
 (7,7,'search','simulator','started','','','',0,0,0,0,1000,NULL);
