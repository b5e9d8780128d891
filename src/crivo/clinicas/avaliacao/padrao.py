"""The default evaluation: conversations and clinics that come with the product, with a clock of their own, so that figures never go stale.

Source: design, "The proof". Everyone in it is made up.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

DADOS: Final = Path(__file__).with_name("dados")
"""The folder of the six clinics, which states what time it is in them."""
CONJUNTO: Final = DADOS / "conjunto.json"
"""The conversations."""
