"""A tenant whose acts are in the audit."""

from __future__ import annotations

import pytest

from casa_auditada import CasaAuditada
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


@pytest.fixture
def casa(database: Database, scope: Scope, urls: tuple[str, str]) -> CasaAuditada:
    return CasaAuditada(database, scope, urls[0])
