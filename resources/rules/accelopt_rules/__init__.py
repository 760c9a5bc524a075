# SPDX-License-Identifier: GPL-3.0-or-later
"""The offline provider: planner, executor and summarizer without any model.

`python3 -m accelopt_rules` speaks JSON lines (see __main__.py). The optimisations are documented ones (NKI performance guide and
measured Trainium profiles); each is a module of `rewrites`. Nothing here knows a particular problem.
"""
VERSION = 1
