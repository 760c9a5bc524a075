# SPDX-License-Identifier: GPL-3.0-or-later
import sys

from .server import main

sys.exit(main())
