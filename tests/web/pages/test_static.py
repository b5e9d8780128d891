"""The files that pages refer to: one style out of several, packed for whoever can unpack."""

from __future__ import annotations

import httpx
import pytest


@pytest.mark.parametrize("name", ["crivo.css", "icones.svg", "tema.js"])
async def test_a_static_file_is_the_same_packed_and_plain(anonymous: httpx.AsyncClient, name: str) -> None:
    packed = await anonymous.get(f"/static/{name}", headers={"accept-encoding": "gzip"})
    plain = await anonymous.get(f"/static/{name}", headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])


async def test_the_style_begins_by_the_order_of_its_layers(anonymous: httpx.AsyncClient) -> None:
    style = (await anonymous.get("/static/crivo.css")).text
    assert style.index("@layer tokens, base, casca, componentes, paginas, utilidades;") < style.index("@layer tokens {")
    assert style.index("@layer base {") < style.index("@layer componentes {")
    assert (await anonymous.get("/static/tokens.css")).status_code == 404, "its parts are not served one by one"


async def test_an_address_is_decoded_once(anonymous: httpx.AsyncClient) -> None:
    assert (await anonymous.get("/static/crivo%2ecss")).status_code == 200
    assert (await anonymous.get("/static/crivo%252ecss")).status_code == 404
