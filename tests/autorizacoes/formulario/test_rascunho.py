"""A form on its way is kept by the browser, and opens in its own session alone. Source: design, The workbench."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from uuid import UUID

import pytest

from crivo.autorizacoes.formulario.rascunho import MAIS_LONGO, Rascunho, open_rascunho, seal_rascunho
from crivo.kernel.sigilo import Chave

CHAVE = Chave.of(bytes(range(32)), "finalidade|formulario|t-1")
CHEIO = Rascunho("f-1", {"beneficiario": "B-9", "plano": "PRATA"}, ("LAUDO_MEDICO",), "numero_ja_usado", "Já há", {"plano": "Escolha"})


@pytest.mark.parametrize("rascunho", [CHEIO, Rascunho("f-2", enviada=UUID(int=7))])
def test_what_was_typed_comes_back_in_its_own_session_and_tells_nothing_by_itself(rascunho: Rascunho) -> None:
    kept = seal_rascunho(CHAVE, "s-1", rascunho)
    assert kept is not None
    assert open_rascunho(CHAVE, "s-1", kept) == rascunho
    assert "B-9" not in kept


def test_what_is_of_another_session_was_changed_or_was_never_sealed_is_none() -> None:
    kept = seal_rascunho(CHAVE, "s-1", CHEIO)
    assert kept is not None
    other = Chave.of(bytes(32), "finalidade|formulario|t-2")
    assert open_rascunho(CHAVE, "s-2", kept) is None
    assert open_rascunho(other, "s-1", kept) is None
    for odd in ("", "é", "AAAA", kept[:-8], kept[:-4] + "AAAA", urlsafe_b64encode(b"\x93\xa1f\x80\x90").decode()):
        assert open_rascunho(CHAVE, "s-1", odd) is None, odd


def test_a_form_that_is_too_long_for_a_cookie_is_not_kept() -> None:
    words = {"usos": "".join(chr(200 + (7 * n * n) % 5000) for n in range(2_000))}
    assert seal_rascunho(CHAVE, "s-1", Rascunho("f-1", words)) is None
    assert MAIS_LONGO < 4_096
