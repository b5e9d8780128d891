"""A stranger's wrong passwords slow that stranger alone. Source: design/sujeito.md, table, 9."""

from __future__ import annotations

import pytest

from crivo.kernel.access import Tentativas, TentativasDemais
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


async def _admitted(tentativas: Tentativas, scope: Scope, email: str, address: str, times: int) -> int:
    """How many of so many tries are not refused."""
    admitted = 0
    for _ in range(times):
        try:
            await tentativas.hit(scope.tenant_id, email, address)
        except TentativasDemais:
            continue
        admitted += 1
    return admitted


@pytest.fixture
def here(scope: Scope) -> str:
    """An address that no other test tries from."""
    return f"de-{scope.tenant_id}"


async def test_one_address_has_eight_tries_of_an_account_and_another_has_its_own(database: Database, scope: Scope, here: str) -> None:
    """Source: design/sujeito.md, table, 9."""
    tentativas = Tentativas(database)
    assert await _admitted(tentativas, scope, "ana@exemplo.org", here, 12) == 8
    assert await _admitted(tentativas, scope, "ANA@exemplo.org ", here, 1) == 0
    assert await _admitted(tentativas, scope, "ana@exemplo.org", f"{here}-dela", 8) == 8


async def test_a_crowd_that_guesses_at_one_account_is_slowed_and_its_owner_never_locked_out(
    database: Database, scope: Scope, here: str
) -> None:
    """Source: design/sujeito.md, table, 9: beyond so many tries of an account, each address has two, and the owner's has them too."""
    tentativas = Tentativas(database, per_account=6)
    assert [await _admitted(tentativas, scope, "ana@exemplo.org", f"{here}-{at}", 3) for at in range(4)] == [3, 3, 2, 2]
    assert await _admitted(tentativas, scope, "ana@exemplo.org", f"{here}-dela", 3) == 2
    assert await _admitted(tentativas, scope, "bia@exemplo.org", f"{here}-dela", 3) == 3


async def test_an_address_is_counted_over_all_accounts(database: Database, scope: Scope, here: str) -> None:
    tentativas = Tentativas(database, per_address=5)
    assert sum([await _admitted(tentativas, scope, f"p{at}@exemplo.org", here, 1) for at in range(9)]) == 5


async def test_all_addresses_of_one_ipv6_site_are_one(database: Database, scope: Scope, here: str) -> None:
    tentativas = Tentativas(database)
    site = f"2001:db8:{hash(here) & 0xFFFF:x}:{hash(scope.tenant_id[::-1]) & 0xFFFF:x}"
    assert sum([await _admitted(tentativas, scope, "ana@exemplo.org", f"{site}::{at:x}", 1) for at in range(1, 12)]) == 8


@pytest.mark.parametrize("odd", ["a\0b", "\ud800", "ê" * 300, ""])
async def test_whatever_is_typed_as_an_account_is_counted(database: Database, scope: Scope, here: str, odd: str) -> None:
    assert await _admitted(Tentativas(database), scope, odd, here, 10) == 8
