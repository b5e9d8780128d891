"""A session is told from another by a few words, which point at no machine."""

from __future__ import annotations

import pytest

from crivo.web.pages.conta.navegadores import describe_browser, shorten_address


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox (Linux)"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge (Windows)"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36", "Chrome (Android)"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1", "Safari (iPhone)"),
        ("curl/8", "Outro navegador"),
        ("", "Outro navegador"),
        ("<script>alert(1)</script>", "Outro navegador"),
    ],
)
def test_a_browser_is_told_by_its_kind(agent: str, words: str) -> None:
    assert describe_browser(agent) == words


@pytest.mark.parametrize(
    ("address", "shown"), [("203.0.113.9", "203.0.113.x"), ("2001:db8:1:2::9", "2001:0db8:0001:…"), ("nome-de-maquina", ""), ("", "")]
)
def test_an_address_is_shown_without_its_end(address: str, shown: str) -> None:
    assert shorten_address(address) == shown
