"""Puts the independent statement of the rules, `oraculo`, where the tests of this folder can import it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
