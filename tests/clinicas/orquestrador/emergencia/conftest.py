"""Puts the root of the repository, where `evals` lives beside the product, on the path of imports."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
