from __future__ import annotations

import pytest

from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from recorrida import Recorrida, open_recorrida


@pytest.fixture
async def recorrida(database: Database, scope: Scope) -> Recorrida:
    return await open_recorrida(database, scope)
