# SPDX-License-Identifier: GPL-3.0-or-later
"""accelopt-sandbox by itself: each way out is tried by a real process."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from desk import SANDBOX, processes_with


class Sandbox(unittest.TestCase):
    def setUp(self):
        self.base = tempfile.mkdtemp(prefix="accelopt-sandbox-")
        self.folder = os.path.join(self.base, "job")
        os.mkdir(self.folder)
        self.secret = os.path.join(self.base, "secret")
        with open(self.secret, "w", encoding="utf-8") as file:
            file.write("hunter2")

    def tearDown(self):
        shutil.rmtree(self.base, ignore_errors=True)

    def run_in(self, *command, options=(), timeout=60, **more):
        report = os.path.join(self.base, "report.json")
        result = subprocess.run([SANDBOX, "--folder", self.folder, "--report", report] + list(options) + ["--"] + list(command), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, check=False, **more)
        try:
            with open(report, encoding="utf-8") as file:
                self.report = json.load(file)
        except OSError:
            self.report = None
        return result

    def python(self, code, options=(), **more):
        return self.run_in(sys.executable, "-I", "-c", code, options=options, **more)

    def refused(self, code, options=()):
        """The code must be refused (EPERM, EACCES; EXDEV is Landlock's word for a link or a move out of a folder), not succeed."""
        result = self.python("import os, sys, errno\ntry:\n    %s\nexcept OSError as e:\n    sys.exit(0 if e.errno in (errno.EPERM, errno.EACCES, errno.EXDEV) else 7)\nsys.exit(9)"
                             % code, options)
        self.assertEqual(result.returncode, 0, (code, result.stderr[-300:]))

    def test_facts(self):
        facts = json.loads(subprocess.run([SANDBOX, "--facts"], stdout=subprocess.PIPE, check=True).stdout.decode())
        self.assertIn("landlock", facts)
        self.assertIn("seccomp", facts)

    def test_runs_a_command(self):
        result = self.python("print('here'); open('made', 'w').write('x')")
        self.assertEqual((result.returncode, result.stdout), (0, b"here\n"))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "made")))
        self.assertEqual(self.report["reason"], "exited")

    def test_reads_and_writes_elsewhere(self):
        self.refused("open(%r).read()" % self.secret)
        self.refused("open('../secret').read()")
        self.refused("os.symlink(%r, 'link'); open('link').read()" % self.secret)
        self.refused("os.link(%r, 'hard')" % self.secret)
        self.refused("open(%r, 'w')" % (self.base + "/new"))
        self.refused("os.mkdir(%r)" % (self.base + "/new"))
        self.refused("os.unlink(%r)" % self.secret)
        self.refused("os.rename(%r, 'mine')" % self.secret)
        self.refused("os.truncate(%r, 0)" % self.secret)
        self.refused("os.listdir('/')")
        self.refused("os.listdir(%r)" % self.base)
        for path in ("/etc/passwd", "/proc/1/cmdline", "/proc/self/mem", "/dev/sda", "/dev/mem", os.path.abspath(__file__)):
            if os.path.exists(path):
                self.refused("open(%r, 'rb').read(1)" % path)
        with open(self.secret, encoding="utf-8") as file:
            self.assertEqual(file.read(), "hunter2")

    def test_reads_what_is_allowed(self):
        result = self.python("print(open(%r).read())" % self.secret, ["--read", self.secret])
        self.assertEqual(result.stdout, b"hunter2\n")
        self.refused("open(%r, 'w')" % self.secret, ["--read", self.secret])
        other = os.path.join(self.base, "other")
        os.mkdir(other)
        self.assertEqual(self.python("open(%r, 'w').write('x')" % (other + "/f"), ["--write", other]).returncode, 0)

    def test_changes_modes_owners_times(self):
        for call in ("os.chmod(%r, 0)", "os.chown(%r, 1, 1)", "os.utime(%r)", "os.setxattr(%r, 'user.a', b'1')", "os.chmod(os.open('.', 0), 0, dir_fd=None) or %r"):
            self.refused(call % self.secret)

    def test_processes(self):
        for call in ("os.fork()", "os.posix_spawn('/bin/true', ['true'], {})", "os.kill(os.getppid(), 0)", "os.kill(1, 0)", "os.kill(-1, 0)", "os.killpg(0, 0)",
                     "os.setpriority(os.PRIO_PROCESS, 1, 0)", "os.pidfd_open(1)"):
            self.refused(call)
        self.refused("__import__('subprocess').run(['true'])")
        result = self.python("import threading; t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()")
        self.assertEqual(result.stdout, b"thread\n")

    def test_network(self):
        for call in ("s.socket()", "s.socket(s.AF_UNIX)", "s.socket(s.AF_NETLINK, s.SOCK_RAW, 0)", "s.socketpair()", "s.socket(s.AF_INET6, s.SOCK_DGRAM)"):
            self.refused("import socket as s; " + call)

    def test_system_calls(self):
        for name, number in (("ptrace", 101), ("mount", 165), ("keyctl", 250), ("bpf", 321), ("io_uring_setup", 425), ("unshare", 272), ("setns", 308),
                             ("userfaultfd", 323), ("perf_event_open", 298), ("reboot", 169), ("process_vm_readv", 310), ("memfd_secret", 447), ("chroot", 161)):
            if os.uname().machine != "x86_64":
                self.skipTest("numbers are of x86-64")
            result = self.python("import ctypes, sys\nlibc = ctypes.CDLL(None, use_errno=True)\nr = libc.syscall(%d, 0, 0, 0, 0, 0)\n"
                                 "sys.exit(0 if r == -1 and ctypes.get_errno() == 1 else 9)" % number)
            self.assertEqual(result.returncode, 0, name)

    def test_privileges(self):
        result = self.python("import ctypes; print(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0), ctypes.CDLL(None).prctl(23, 21, 0, 0, 0))")
        self.assertIn(b"1 0", result.stdout)  # no new privileges; CAP_SYS_ADMIN is not in the bounding set
        self.refused("os.setuid(os.getuid() + 1); os.setgroups([])" if os.getuid() else "os.setuid(12345)")
        self.refused("__import__('resource').prlimit(0, 7, (1000, 1000))")

    def test_environment_and_descriptors(self):
        read, write = os.pipe()
        os.environ["ACCELOPT_TEST_SECRET"] = "hunter2"
        try:
            result = self.python("import os; print(sorted(os.environ)); print([d for d in range(3, 300) if os.path.exists('/dev/fd/%d' % d)])\n"
                                 "for d in range(3, 300):\n    try: os.fstat(d); print('open', d)\n    except OSError: pass", ["--env", "A=b"], pass_fds=(read, write))
        finally:
            os.close(read)
            os.close(write)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"'A'", result.stdout)
        self.assertNotIn(b"SECRET", result.stdout)
        self.assertNotIn(b"open", result.stdout)

    def test_memory(self):
        result = self.python("a = bytearray(1 << 31)", ["--memory", str(1 << 30)])
        self.assertIn(b"MemoryError", result.stderr)

    def test_cpu(self):
        began = time.monotonic()
        self.python("while True: pass", ["--cpu", "1", "--seconds", "50"])
        self.assertEqual(self.report["reason"], "cpu")
        self.assertLess(time.monotonic() - began, 45)

    def test_seconds(self):
        result = self.python("import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('up', flush=True)\ntime.sleep(1000)", ["--seconds", "2"])
        self.assertEqual(self.report["reason"], "seconds")
        self.assertEqual(result.returncode, 128 + 9)

    def test_files(self):
        self.python("f = open('a', 'wb')\nwhile True: f.write(b'x' * (1 << 20))", ["--files", str(8 << 20)])
        self.assertLessEqual(os.path.getsize(self.folder + "/a"), 8 << 20)
        self.python("import time\nfor i in range(100):\n    open('b%d' % i, 'wb').write(b'x' * (4 << 20)); time.sleep(0.05)", ["--files", str(8 << 20)])
        self.assertEqual(self.report["reason"], "files")

    def test_core_dumps(self):
        result = self.python("import os; os.abort()")
        self.assertEqual(result.returncode, 128 + 6)
        self.assertEqual(os.listdir(self.folder), [])

    def test_leaves_nobody(self):
        # With processes allowed: daemons that left their session and were orphaned twice over.
        code = ("import os, time\nfor i in range(5):\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            time.sleep(1000)\n"
                "        os._exit(0)\ntime.sleep(0.5)")
        self.python(code, ["--processes", "20"])
        self.assertEqual([line for line in processes_with(self.folder) + processes_with("time.sleep(1000)")], [])

    def test_fork_bomb_with_processes_allowed(self):
        self.python("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", ["--processes", "50", "--seconds", "1", "--memory", str(1 << 30)], timeout=120)
        time.sleep(0.2)
        self.assertEqual(processes_with("try: os.fork()"), [])

    def test_ends_with_the_one_who_started_it(self):
        read, write = os.pipe()
        process = subprocess.Popen([SANDBOX, "--folder", self.folder, "--watch", str(read), "--", "sleep", "1234"], pass_fds=(read,))
        os.close(read)
        time.sleep(0.5)
        self.assertTrue(processes_with("sleep 1234"))
        os.close(write)
        self.assertNotEqual(process.wait(10), 0)
        self.assertEqual(processes_with("sleep 1234"), [])

    def test_terminates_when_asked(self):
        process = subprocess.Popen([SANDBOX, "--folder", self.folder, "--", "sleep", "4321"])
        time.sleep(0.5)
        process.terminate()
        self.assertNotEqual(process.wait(10), 0)
        self.assertEqual(processes_with("sleep 4321"), [])

    def test_usage(self):
        for arguments in ([], ["--folder"], ["--folder", self.folder], ["--memory", "much", "--folder", self.folder, "--", "true"], ["--what", "1", "--", "true"]):
            result = subprocess.run([SANDBOX] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertEqual(result.returncode, 125, arguments)
            self.assertIn(b"usage", result.stderr)
        self.assertEqual(self.run_in("/no/such/program").returncode, 125)
        self.assertEqual(self.report["reason"], "setup")
        self.folder = "/no/such/folder"
        self.assertEqual(self.run_in("true").returncode, 125)


if __name__ == "__main__":
    unittest.main()
