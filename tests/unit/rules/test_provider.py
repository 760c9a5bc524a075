# SPDX-License-Identifier: GPL-3.0-or-later
"""The provider as a process: protocol, determinism, ranking, memory, hostile input."""
import ast
import json
import os
import re
import subprocess
import sys
import unittest

import kernels
from support import ROOT, code_of, execute, plan, plans

from accelopt_rules.summarizer import summarize


def ask(*requests, raw=None, hash_seed="0"):
    """Sends lines to a fresh process and returns its replies."""
    data = raw if raw is not None else b"".join(json.dumps(r).encode() + b"\n" for r in requests)
    environment = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "resources", "rules"), "PYTHONHASHSEED": hash_seed, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-m", "accelopt_rules"], input=data, capture_output=True, env=environment, timeout=240, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b"", done.stderr.decode()
    return done.stdout


def replies(*requests, **options):
    return [json.loads(line) for line in ask(*requests, **options).splitlines()]


def planner(index, count=4, seed=1, **context):
    return {"id": f"p{index}", "role": "planner", "seed": seed,
            "context": {"kernel": kernels.SILU, "latency_ms": 1.0, "plan_index": index, "plan_count": count, **context}}


class Protocol(unittest.TestCase):
    def test_whole_conversation(self):
        text = plan(planner(0)["context"], 1)
        answers = replies(planner(0), {"id": 7, "role": "executor", "seed": 1, "context": {"kernel": kernels.SILU, "plan": text, "attempt_index": 0}},
                          {"id": "f", "role": "fixer", "seed": 1, "context": {"code": "x"}},
                          {"id": "s", "role": "summarizer", "seed": 1, "context": {"slow_kernel": kernels.SILU, "fast_kernel": kernels.SILU}})
        self.assertEqual([a["id"] for a in answers], ["p0", 7, "f", "s"])
        for answer in answers:
            self.assertEqual(answer["usage"], {"input_tokens": 0, "output_tokens": 0})
            self.assertEqual(answer["reasoning"], "")
        self.assertEqual(answers[0]["text"], text)
        self.assertIn("```python\n", answers[1]["text"])
        self.assertEqual(answers[3]["text"], "No optimization found")

    def test_same_bytes_whatever_the_hash_seed(self):
        requests = [planner(k, seed=s) for k in range(4) for s in (1, 2)]
        requests += [{"id": k, "role": "executor", "seed": 3, "context": {"kernel": source, "plan": plans(source)[0], "attempt_index": 1}}
                     for k, (source, _) in enumerate(kernels.ALL.values())]
        self.assertEqual(ask(*requests, hash_seed="0"), ask(*requests, hash_seed="4711"))

    def test_hostile_lines(self):
        deep = b"[" * 100_000 + b"]" * 100_000
        lines = [b"", b"null", b"[]", b"{}", b"not json", b"\xff\xfe", deep, b'{"id": {}, "context": {}}', b'{"id": "a", "role": "planner"}',
                 b'{"id": "b", "role": "planner", "context": {}}', b'{"id": "c", "role": "executor", "context": {"kernel": 3, "plan": []}}',
                 b'{"id": "d", "role": "summarizer", "context": {"slow_kernel": null}}', b'{"id": "e", "role": "king", "context": {}}',
                 b'{"id": "f", "role": "planner", "seed": 1e400, "context": {"kernel": "x", "plan_index": NaN, "profile": 7, "tried_titles": {"a": 1}}}',
                 b'{"id": "g", "role": "planner", "seed": "s", "context": {"kernel": "def kernel(x):\\n  return x", "experiences": [1, null, {"title": 3}], "problem": []}}']
        raw = b"\n".join(lines) + b"\n" + json.dumps(planner(0)).encode() + b"\n"
        answers = [json.loads(line) for line in ask(raw=raw).splitlines()]
        self.assertEqual(len(answers), len(lines))          # the empty line gets no reply, the last request does
        self.assertTrue(all("error" in a or "text" in a for a in answers))
        self.assertIn("combine-activation", answers[-1]["text"])
        for answer in answers[:-1]:
            self.assertLess(len(json.dumps(answer)), 2000)

    def test_long_lines(self):
        big = {"id": "big", "role": "executor", "seed": 1, "context": {"kernel": "x = 1\n" * 170_000, "plan": "y" * 1_000_000}}
        endless = b'{"id": "' + b"a" * (9 * 1024 * 1024) + b"\n"
        answers = [json.loads(line) for line in ask(raw=json.dumps(big).encode() + b"\n" + endless + json.dumps(planner(1)).encode() + b"\n").splitlines()]
        self.assertIn("longer than", answers[0]["text"])
        self.assertIn("longer than", answers[1]["error"])
        self.assertIn("text", answers[2])

    def test_hostile_kernels(self):
        sources = ["", " ", "def kernel(", "print(1)", "def kernel(x): return x", "def kernel(x):\n\treturn " + "(" * 300 + "x" + ")" * 300, "\x00", "def other(x):\n    return x\n",
                   "def kernel(x):\n    for i in range(3): y = x\n    return y\n", "def kernel(*x, **y):\n    return x\n", "class kernel:\n    pass\n",
                   "async def kernel(x):\n    return x\n", "def kernel(x):\n    a = b = x; c = a\n    a, *b = x\n    return lambda: x\n",
                   "def kernel(x):\n    x: int = 3\n    del x\n    while x:\n        x -= 1\n    else:\n        pass\n    return [i for i in x]\n",
                   "def kernel(x):\n    for i in nl.affine_range(0):\n        pass\n    with x as y, z as w:\n        nl.load(*x, **y)\n    return nl.exp()\n",
                   "def kernel(x):\n    t = nl.load(x[" + "0:" * 50 + "])\n    return t\n", "é" * 100, "def kernel(x):\n    return '\\ud800'\n",
                   kernels.SILU.replace("nl.affine_range(4)", "nl.affine_range(2 ** 9999999)"),
                   kernels.SILU.replace("nl.affine_range(4)", "nl.affine_range(10 ** 60 * 10 ** 60)"), kernels.SILU.replace("256", "1e999"),
                   kernels.SILU.replace("256", "(1e999 - 1e999)"), kernels.SILU.replace("256", "-256"), kernels.SILU.replace("256", "0")]
        requests = [{"id": k, "role": "planner", "seed": 1, "context": {"kernel": s, "plan_index": i, "plan_count": 2}} for k, s in enumerate(sources) for i in (0, 1)]
        requests += [{"id": k, "role": "executor", "seed": 1, "context": {"kernel": s, "plan": plan_text, "attempt_index": 0}}
                     for k, s in enumerate(sources) for plan_text in ("", "**Widen the tile**", plans(kernels.SILU)[0], '```json\n{"rule": "widen-tile", "params": {"site": [1]}}\n```')]
        for request, answer in zip(requests, replies(*requests)):
            self.assertTrue("text" in answer, (request["context"]["kernel"][:80], answer))
            code = code_of(answer["text"]) if request["role"] == "executor" else None
            if code is not None:
                ast.parse(code)


class Planner(unittest.TestCase):
    def test_plans_of_a_candidate_differ_whatever_their_seeds(self):
        for count in (1, 2, 4, 6):
            texts = [plan(planner(k, count, seed=100 + k)["context"], 100 + k) for k in range(count)]
            titles = [t.splitlines()[0] for t in texts]
            self.assertEqual(len(set(titles)), count)

    def test_form(self):
        text = plan(planner(0)["context"], 1)
        self.assertRegex(text, r"\A\*\*[^*\n]+\*\*\n\n")
        content = json.loads(re.findall(r"```json\n(.*?)\n```", text, re.DOTALL)[-1])
        self.assertEqual(set(content), {"rule", "params"})

    def test_tried_titles_are_not_proposed_and_the_end_is_said(self):
        titles = [t.splitlines()[0].strip("*") for t in plans(kernels.SILU)]
        shouted = [f" {t.upper()}. " for t in titles[:-1]]      # as another program may have tidied them
        self.assertEqual(plan({**planner(0)["context"], "tried_titles": shouted}, 1).splitlines()[0].strip("*"), titles[-1])
        again = plan({**planner(0)["context"], "tried_titles": titles[:-1]}, 1)
        self.assertEqual(again.splitlines()[0].strip("*"), titles[-1])
        end = plan({**planner(0)["context"], "tried_titles": titles}, 1)
        self.assertIn('"rule": "none"', end)
        reply = execute({"kernel": kernels.SILU, "plan": end, "attempt_index": 0})
        self.assertIsNone(code_of(reply))
        self.assertNotIn("```", reply)

    def test_profile_decides(self):
        base = {"kernel": kernels.SILU_ISA, "latency_ms": 0.01, "plan_index": 0, "plan_count": 1}
        order = {}
        for engine in ("vector", "scalar"):
            busy = {f"{e}_engine_active_time_percent": 0.95 if e == engine else 0.05 for e in ("vector", "scalar")}
            order[engine] = [t.splitlines()[0] for t in plans(kernels.SILU_ISA, profile=busy, latency_ms=0.01)]
        self.assertNotEqual(order["vector"], order["scalar"])
        self.assertTrue(any("from VectorE to ScalarE" in t for t in order["vector"]))
        self.assertFalse(any("from VectorE to ScalarE" in t for t in order["scalar"]))
        self.assertIn("vector", plan({**base, "bound": "vector"}, 1))

    def test_memory_moves_plans(self):
        titles = [t.splitlines()[0].strip("*") for t in plans(kernels.SILU)]
        last = titles[-1]
        helped = [t.splitlines()[0].strip("*") for t in plans(kernels.SILU, experiences=[{"title": last, "positive": True, "speedup": 4.0}] * 4)]
        self.assertLess(helped.index(last), titles.index(last))
        hurt = [t.splitlines()[0].strip("*") for t in plans(kernels.SILU, experiences=[{"title": titles[0], "positive": False, "speedup": 4.0}] * 4)]
        self.assertGreater(hurt.index(titles[0]), 0)

    def test_exploration_depends_on_the_seed_only(self):
        last = [plan(planner(2, 3)["context"], seed).splitlines()[0] for seed in range(40)]
        self.assertGreater(len(set(last)), 1)
        self.assertEqual(last, [plan(planner(2, 3)["context"], seed).splitlines()[0] for seed in range(40)])


class Bundled(unittest.TestCase):
    """The bundled problems take their sizes from x.shape: they are known through problem.json alone, and travel in the plan."""

    def test_every_bundled_problem_gets_plans_that_are_carried_out(self):
        suite = os.path.join(ROOT, "resources", "suite")
        names = sorted(n for n in os.listdir(suite) if os.path.exists(os.path.join(suite, n, "problem.json")))
        self.assertGreaterEqual(len(names), 3)
        for name in names:
            with open(os.path.join(suite, name, "problem.json"), encoding="utf-8") as file:
                problem = json.load(file)
            with open(os.path.join(suite, name, "kernel.py"), encoding="utf-8") as file:
                kernel = file.read()
            context = {"problem": problem, "latency_ms": 1.0}
            with self.subTest(name):
                texts = plans(kernel, **context)
                self.assertGreaterEqual(len(texts), 3)
                for text in texts:
                    reply = execute({"kernel": kernel, "plan": text, "attempt_index": 0})
                    self.assertIsNotNone(code_of(reply), f"{text.splitlines()[0]}: {reply}")
                    self.assertNotEqual(code_of(reply), kernel)

    def test_sizes_come_from_the_shape(self):
        kernel = kernels.SILU.replace("    out =", "    rows, columns = x.shape\n    out =").replace("nl.affine_range(4)", "nl.affine_range(columns // 256)")
        self.assertNotIn("Widen", "".join(plans(kernel)))
        problem = {"values": {"M": 256, "N": 1024}, "inputs": [{"name": "x", "shape": ["M", "N"]}]}
        texts = [t for t in plans(kernel, problem=problem) if t.startswith("**Widen") and "to 1024 columns" in t.splitlines()[0]]
        self.assertTrue(texts)
        self.assertIn("j * 1024:(j + 1) * 1024", code_of(execute({"kernel": kernel, "plan": texts[0], "attempt_index": 0})))


class Executor(unittest.TestCase):
    def test_plan_in_free_words(self):
        reply = execute({"kernel": kernels.SILU, "plan": "**Compute x * sigmoid(x) with a SiLU activation**\n\nUse nl.silu.", "attempt_index": 0})
        self.assertIn("nl.silu", code_of(reply))
        reply = execute({"kernel": kernels.SILU, "plan": "**Paint it green**\n\nPlease.", "attempt_index": 0})
        self.assertIsNone(code_of(reply))

    def test_plan_for_another_kernel_is_refused_in_prose(self):
        text = next(t for t in plans(kernels.MATMUL) if "widen-matmul" in t)
        reply = execute({"kernel": kernels.SILU, "plan": text, "attempt_index": 0})
        self.assertTrue(reply.startswith("The rewrite does not apply"))
        self.assertNotIn("```", reply)

    def test_unknown_rule(self):
        reply = execute({"kernel": kernels.SILU, "plan": '```json\n{"rule": "magic", "params": {}}\n```', "attempt_index": 0})
        self.assertIsNone(code_of(reply))

    def test_fence_in_a_kernel_is_refused(self):
        source = kernels.SILU.replace("    for i", '    """\n    ```\n    """\n    for i')
        reply = execute({"kernel": source, "plan": plans(kernels.SILU)[0], "attempt_index": 0})
        self.assertIsNone(code_of(reply))


class Summarizer(unittest.TestCase):
    def test_pair(self):
        text = plans(kernels.SILU)[0]
        fast = code_of(execute({"kernel": kernels.SILU, "plan": text, "attempt_index": 0}))
        title = text.splitlines()[0].strip("*")
        summary = summarize({"slow_kernel": kernels.SILU, "fast_kernel": fast, "speedup": 1.5, "positive": True, "plan_title": title, "plan": text})
        self.assertEqual(summary.splitlines()[0], f"**{title}**")
        original, optimized = summary.split("Optimized code:")
        self.assertIn("nl.exp(n)", original)
        self.assertIn("nl.silu(t0)", optimized)
        self.assertNotIn("import", original.split("Original code:")[1])
        self.assertIn("1.500", summary)
        negative = summarize({"slow_kernel": kernels.SILU, "fast_kernel": fast, "speedup": 0.5, "positive": False, "plan_title": title, "plan": text})
        self.assertTrue(negative.startswith("**Avoid: "))

    def test_identical_up_to_layout(self):
        self.assertEqual(summarize({"slow_kernel": kernels.SILU, "fast_kernel": kernels.SILU + "\n# only a comment\n"}), "No optimization found")


if __name__ == "__main__":
    unittest.main()
