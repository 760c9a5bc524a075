# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input at the command line: one sentence on stderr, the right exit code, JSON where asked for, nothing lost."""

import hashlib
import json
import os
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(os.environ.get("ACCELOPT_BIN", "build/dev/bin")).resolve() / "accelopt"
SUITE = Path("resources/suite/silu").resolve()


def digest(folder):
    """What is in a folder, byte by byte; the lock file is no content."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "accelopt.lock" and not path.name.endswith(("-wal", "-shm"))
    }


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class BadInput(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def run_program(self, *arguments, **options):
        return subprocess.run(
            [PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE, timeout=120, check=False, **options)

    def refused(self, code, kind, said, *arguments):
        """Runs with --json and checks all that is promised of an error; gives its message."""
        done = self.run_program(*arguments, "--json")
        stderr = done.stderr.decode()
        self.assertEqual(done.returncode, code, stderr)
        error = json.loads(done.stdout)["error"]
        self.assertEqual(error["kind"], kind)
        self.assertIn(said, error["message"])
        self.assertTrue(error["message"].endswith("."), error["message"])
        lines = stderr.splitlines()
        self.assertEqual(len([line for line in lines if not line.startswith("  ")]), 1, stderr)
        self.assertNotIn("\x1b", stderr)
        return error["message"]

    def project(self, name="p"):
        done = self.run_program("new", name, "--suite", "quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def test_usage(self):
        message = self.refused(2, "invalid", "There is no command “nonsense”", "nonsense")
        for command in ("new", "problem", "evaluate", "run", "resume", "verify"):
            self.assertIn(command, message)
        self.assertIn("add, list", self.refused(2, "invalid", "There is no command “nonsense”", "problem", "nonsense"))
        self.refused(2, "invalid", "accelopt run --help", "run")
        self.refused(2, "invalid", "--nonsense", "run", "p", "--nonsense")
        self.refused(2, "invalid", "RUN = x", "status", "p", "x")
        self.refused(2, "invalid", "--preset", "run", "p", "--preset", "huge")
        self.refused(2, "invalid", "not UTF-8", "new", b"na\xffme")
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(self.run_program("--help").returncode, 0)
        self.assertEqual(self.run_program("--version").returncode, 0)

    def test_new(self):
        other = self.folder / "other"
        other.mkdir()
        (other / "mine").write_text("mine")
        (self.folder / "file").write_text("mine")
        self.refused(1, "conflict", "not empty", "new", "other")
        self.refused(1, "conflict", "is a file", "new", "file")
        self.refused(1, "io", "cannot be made", "new", "file/below")
        self.refused(1, "invalid", "no name", "new", "")
        self.refused(1, "not-found", "no suite", "new", "q", "--suite", "nope")
        self.refused(1, "invalid", "trn9", "new", "q", "--target", "trn9")
        self.assertEqual(digest(self.folder), {"other/mine": hashlib.sha256(b"mine").hexdigest(),
                                               "file": hashlib.sha256(b"mine").hexdigest()})
        self.assertFalse((self.folder / "q").exists())

    def test_no_project(self):
        (self.folder / "other").mkdir()
        for command in (["status"], ["run"], ["resume"], ["candidates"], ["verify"], ["show"], ["report"], ["problem", "list"]):
            rest = ["x/best"] if command == ["show"] else []
            self.refused(1, "not-found", "There is no folder", *command, "missing", *rest)
            self.refused(1, "not-found", "not an AccelOpt project", *command, "other", *rest)

    def test_run_settings(self):
        project = self.project()
        before = digest(project)
        for option, value, said in (
                ("--iterations", "-5", "iterations"), ("--iterations", "0", "iterations"), ("--beam", "100000", "beam"),
                ("--hidden-seeds", "-3", "hidden seeds"), ("--top-k", "-1", "topK"),
                ("--positive-threshold", "nan", "positive threshold"), ("--budget-usd", "nan", "budget"),
                ("--budget-seconds", "-1", "budget"), ("--problems", ",", "no problem"),
                ("--model", "foo=rules", "no role"),
                ("--model", "openai:m@http://me:secret@127.0.0.1:1/v1", "no user, password")):
            message = self.refused(1, "invalid", said, "run", "p", "--preset", "smoke", option, value)
            self.assertNotIn("secret", message)
        self.refused(1, "not-found", "no problem nope", "run", "p", "--problems", "nope")
        self.refused(1, "not-found", "trn9", "run", "p", "--target", "trn9")
        self.refused(1, "not-found", "nope", "run", "p", "--host", "nope")
        self.refused(1, "not-found", "nope", "run", "p", "--model", "nope:x")
        # Nothing of it became a run.
        self.refused(1, "not-found", "no run yet", "status", "p")
        self.assertEqual(digest(project), before)

    def test_damaged_project(self):
        project = self.project()
        database = project / "accelopt.db"
        good = database.read_bytes()
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA user_version = 999")
        connection.close()
        newer = digest(project)
        for command in (["status", "p"], ["run", "p", "--preset", "smoke"], ["resume", "p"], ["problem", "add", "p", str(SUITE)]):
            self.refused(1, "newer-version", "newer version", *command)
        self.assertEqual(digest(project), newer)
        for damage in (b"", b"not a database" * 500, good[:1000], good[:100] + b"\xff" * 5000 + good[5100:]):
            database.write_bytes(damage)
            before = digest(project)
            for command in (["status", "p"], ["run", "p", "--preset", "smoke"]):
                done = self.run_program(*command, "--json")
                self.assertEqual(done.returncode, 1, (damage[:20], done))
                self.assertIn(json.loads(done.stdout)["error"]["kind"], ("invalid", "io", "not-found"))
            self.assertEqual(digest(project), before)
        database.write_bytes(good)
        (project / "kernels.git").rename(self.folder / "moved")
        self.refused(1, "not-found", "kernels.git", "run", "p")
        self.refused(1, "not-found", "kernels.git", "verify", "p")

    def test_full_output(self):
        self.project()
        with open("/dev/full", "wb") as full:
            done = self.run_program("problem", "list", "p", "--json", stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not be written", done.stderr.decode())

    def test_control_characters_are_shown(self):
        done = self.run_program("new", "a\x1b[31mb")
        self.assertEqual(done.returncode, 0)
        self.assertNotIn(b"\x1b", done.stdout + done.stderr)
        self.assertIn(b"\\u001b", done.stdout)

    def test_evaluate_without_problem_json(self):
        for name in ("kernel.py", "reference.py"):
            (self.folder / name).write_bytes((SUITE / name).read_bytes())
        done = self.run_program("evaluate", "kernel.py", "reference.py", "--check-only", "--json")
        self.assertEqual(done.returncode, 0, done)
        self.assertIsNone(json.loads(done.stdout)["error"])
        (self.folder / "problem.json").write_text("{")
        self.refused(1, "invalid", "not JSON", "evaluate", "kernel.py", "reference.py")
        (self.folder / "problem.json").unlink()
        self.refused(1, "not-found", "There is no file", "evaluate", "missing.py", "reference.py")
        (self.folder / "reference.py").write_text("x = 1\n")
        self.refused(1, "invalid", "forward", "evaluate", "kernel.py", "reference.py")


if __name__ == "__main__":
    unittest.main()
