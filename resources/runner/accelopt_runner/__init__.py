# SPDX-License-Identifier: GPL-3.0-or-later
"""The AccelOpt runner: checks and measures kernels where they run, and traces them for the simulator."""
