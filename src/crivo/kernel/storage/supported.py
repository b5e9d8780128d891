"""Which PostgreSQL this program works with: an older one is refused, a newer one is used and told of."""

from __future__ import annotations

from typing import Final, Literal

from crivo.kernel.storage.errors import MigracaoImpossivel

OLDEST: Final = 15
NEWEST: Final = 18
_TO_A_VERSION: Final = 10_000  # 150013 is 15.13

Suporte = Literal["suportado", "antigo", "mais_novo"]


def support_of(server_version: int) -> Suporte:
    """What is to be said of a server, by its number as libpq tells it (150013 for 15.13)."""
    major = server_version // _TO_A_VERSION
    return "antigo" if major < OLDEST else "mais_novo" if major > NEWEST else "suportado"


def require_supported(server_version: int) -> None:
    """Raises MigracaoImpossivel for a server that is too old."""
    if support_of(server_version) == "antigo":
        raise MigracaoImpossivel(
            f"Este PostgreSQL é o {server_version // _TO_A_VERSION}, e o crivo precisa do {OLDEST} ao {NEWEST}. Atualize o PostgreSQL, "
            "ou indique outro em CRIVO_DATABASE_URL."
        )
