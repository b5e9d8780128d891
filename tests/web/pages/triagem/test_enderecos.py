"""Addresses are made of ids that others chose, which lead nowhere else."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest

from crivo.web.pages.triagem.enderecos import Enderecos, documento_address


@pytest.mark.parametrize("hostile", ["../../sair", "a/b?c=d#e", "//mau.exemplo/", 'x" onclick="y', "javascript:alert(1)", "ç 🪘\r\nx"])
def test_an_address_is_made_of_encoded_parts(hostile: str) -> None:
    address = documento_address(hostile, hostile, 3)
    parts = urlsplit(address)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
    assert [unquote(part) for part in parts.path.split("/")] == ["", "admin", "editais", hostile, "projetos", hostile, "documentos", "3"]
    assert set("\"<>'\r\n ").isdisjoint(address)
    assert Enderecos.of(hostile, {"P1": ["um.pdf"]}).documento("P1", "outro.pdf") == ""
