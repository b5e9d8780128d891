"""Hosts and networks are read strictly: what could be taken for another is none."""

from __future__ import annotations

import pytest

from crivo.kernel.enderecos import host_of, is_loopback, is_within, read_host, read_public, read_rede, site_of


@pytest.mark.parametrize(
    ("said", "host"),
    [
        ("Crivo.Exemplo.ORG", "crivo.exemplo.org"),
        ("crivo.exemplo.org.:8443", "crivo.exemplo.org"),
        ("10.0.0.5:80", "10.0.0.5"),
        ("[::1]:8000", "::1"),
        ("[2001:DB8:0:0::1]", "2001:db8::1"),
        *[
            (odd, None)
            for odd in ("", ":80", "a b", "a@b", "a/b", "a:99999", "a:b", "[::1", "[g::]", "-a", "a\0b", "é.org", "a,b", "a" * 300, ".")
        ],
    ],
)
def test_a_host_has_one_form_and_what_is_none_is_none(said: str, host: str | None) -> None:
    assert read_host(said) == host


@pytest.mark.parametrize(
    ("host", "own"),
    [("localhost", True), ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost.mau.org", False), ("10.0.0.1", False)],
)
def test_this_machine_is_known_by_its_own_names_alone(host: str, own: bool) -> None:
    assert is_loopback(host) is own


@pytest.mark.parametrize(
    "said", ["crivo.exemplo.org", "ftp://a.org", "https://", "https://a.org/x", "https://u:s@a.org", "https://a.org?x=1", "https://a b"]
)
def test_a_public_address_is_a_site_and_nothing_more(said: str) -> None:
    with pytest.raises(ValueError, match="site"):
        read_public(said)


def test_a_public_address_is_kept_in_its_plain_form() -> None:
    assert read_public(" https://Crivo.Exemplo.org:8443/ ") == "https://crivo.exemplo.org:8443"
    assert host_of("https://crivo.exemplo.org:8443") == "crivo.exemplo.org"


def test_an_address_is_within_a_network_in_either_spelling() -> None:
    redes = [read_rede("10.0.0.0/8"), read_rede("::1")]
    assert [is_within(one, redes) for one in ("10.1.2.3", "::ffff:10.1.2.3", "::1", "11.0.0.1", "ninguem", "")] == [True] * 3 + [False] * 3


def test_all_the_addresses_of_one_site_are_counted_as_one() -> None:
    assert site_of("2001:db8:1:2:aaaa::1") == site_of("2001:db8:1:2:bbbb::2") != site_of("2001:db8:1:3::1")
    assert (site_of("10.0.0.5"), site_of("::ffff:10.0.0.5"), site_of("de-teste")) == ("10.0.0.5", "10.0.0.5", "de-teste")
