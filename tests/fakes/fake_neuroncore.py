#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for accelopt-neuroncore in tests of the runner. What it does is said by the "fake" object of the hardware file:
check, estimate, run: "ok" (default) or one of error:KIND, hang, crash, silent, garbage; run also double, wrong, nan, shape, none.
"""
import json
import os
import signal
import sys
import time

import numpy as np


def main():
    if sys.argv[1] == "--version":
        print("accelopt-neuroncore fake")
        return
    mode = sys.argv[1]
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    with open(options["--hardware"], encoding="utf-8") as file:
        fake = json.load(file).get("fake", {})
    with open(options["--ir"], encoding="utf-8") as file:
        json.load(file)
    how = fake.get(mode, "ok")
    if how.startswith("error:"):
        print(json.dumps({"status": "error", "error": {"kind": how[6:], "id": "err_fake", "message": "The fake says no.", "line": 7}}))
        return
    if how == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1)
    if how == "crash":
        os.abort()
    if how == "silent":
        return
    if how == "garbage":
        print("{]" * 1000)
        return
    if mode == "estimate":
        print(json.dumps({"status": "ok", "latency_ms": fake.get("ms", 1.5), "latency_raw_ms": 1.5, "latency_max_engine_ms": 1.2, "band_ms": [1.2, 1.9],
                          "confidence": "B", "profile": {"total_time": 0.0015}, "lines": [{"line": 3, "engine": "dma", "busy_ms": 1.0}]}))
        return
    if mode == "run":
        data = np.load(os.path.join(options["--inputs"], "in0.npy"))
        out = data * np.float32(2)
        if how == "wrong":
            out[3, 17] += 100
        elif how == "nan":
            out[5, 5] = np.nan
        elif how == "shape":
            out = out[:-1]
        if how != "none":
            np.save(os.path.join(options["--outputs"], "out0.npy"), out)
    print(json.dumps({"status": "ok", "seconds": 0.1}))


main()
