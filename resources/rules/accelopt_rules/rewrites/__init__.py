# SPDX-License-Identifier: GPL-3.0-or-later
"""One small module per optimisation; `registry.RULES` lists them."""
