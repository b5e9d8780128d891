"""An address that decisions go to is read strictly, and none leads into a network of one's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.autorizacoes.entregas.assinatura import headers_of, written
from crivo.autorizacoes.entregas.endereco import read_alvo
from crivo.autorizacoes.entregas.erros import DestinoInvalido
from crivo.autorizacoes.entregas.espera import INSISTE, pause_after, rest_after
from crivo.autorizacoes.entregas.redes import may_reach

OURS = (ip_network("10.20.0.0/16"), ip_network("127.0.0.0/8"))


@pytest.mark.parametrize(
    ("written_as", "read_as"),
    [
        ("https://sistema.exemplo.org/crivo", "https://sistema.exemplo.org/crivo"),
        (" https://Sistema.Exemplo.org ", "https://sistema.exemplo.org/"),
        ("https://sistema.exemplo.org:8443/a?token=x%20y&b=ç", "https://sistema.exemplo.org:8443/a?token=x%20y&b=%C3%A7"),
        ("https://saúde.exemplo.org/", "https://xn--sade-rra.exemplo.org/"),
        ("https://[2001:4860:4860::8888]/x", "https://[2001:4860:4860::8888]/x"),
        ("https://sistema.exemplo.org:443/", "https://sistema.exemplo.org/"),
    ],
)
def test_an_address_is_kept_in_one_plain_form(written_as: str, read_as: str) -> None:
    assert read_alvo(written_as).escrito == read_as


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "sistema.exemplo.org",
        "http://sistema.exemplo.org/",
        "ftp://sistema.exemplo.org/",
        "file:///etc/passwd",
        "https://ana:senha@sistema.exemplo.org/",
        "https://@sistema.exemplo.org/",
        "https://sistema.exemplo.org/#parte",
        "https://sistema.exemplo.org/#",
        "https://sistema.exemplo.org:22/",
        "https://sistema.exemplo.org:5432/",
        "https://sistema.exemplo.org:99999/",
        "https://sistema.exemplo.org:porta/",
        "https://sistema exemplo.org/",
        "https://sistema.exemplo.org/\r\nx-outro: 1",
        "https://sistema.exemplo.org\\@127.0.0.1/",
        "https://sistema/",
        "https:///x",
        "https://127.0.0.1/",
        "https://10.0.0.8/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://2130706433/",
        "https://.../",
        "https://" + "a" * 2_000 + ".org/",
    ],
)
def test_what_is_no_address_to_deliver_to_is_refused_with_the_field(wrong: str) -> None:
    with pytest.raises(DestinoInvalido) as refused:
        read_alvo(wrong)
    assert refused.value.mensagem


def test_http_is_for_networks_that_the_installation_names() -> None:
    assert read_alvo("http://10.20.3.4:8080/x", OURS).escrito == "http://10.20.3.4:8080/x"
    with pytest.raises(DestinoInvalido):
        read_alvo("http://8.8.8.8/x", OURS)


@pytest.mark.parametrize(
    "inner",
    [
        *("127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),  # noqa: S104 - nothing listens
        *("192.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1"),
        *(
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
            "2002:a00:1::",
        ),
        *("", "sistema.exemplo.org", "1.2.3"),
    ],
)
def test_nothing_goes_to_an_inner_address_however_it_is_written(inner: str) -> None:
    assert not may_reach(inner, ())


@pytest.mark.parametrize("public", ["8.8.8.8", "200.160.2.3", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_reached(public: str) -> None:
    assert may_reach(public, ())


def test_a_network_that_is_named_is_reached_and_the_one_beside_it_is_not() -> None:
    assert may_reach("10.20.255.1", OURS)
    assert may_reach("::ffff:10.20.0.9", OURS)
    assert not may_reach("10.21.0.1", OURS)


@given(st.ip_addresses())
def test_whatever_is_reached_is_of_the_internet(address: object) -> None:
    if may_reach(str(address), ()):
        assert getattr(address, "is_global", False) or str(address).startswith("64:ff9b::")
        assert not getattr(address, "is_multicast", True)


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_pauses_grow_to_three_hours_and_are_spread_by_a_quarter(tentativas: int, acaso: float) -> None:
    pause = pause_after(tentativas, acaso)
    assert timedelta(seconds=7.5) <= pause <= timedelta(hours=3.75)
    assert pause_after(tentativas, 0.5) <= pause_after(tentativas + 1, 0.5)


def test_a_destination_rests_after_three_failures_in_a_row_and_never_for_more_than_twenty_minutes() -> None:
    assert [rest_after(many, 0.5) for many in (1, 2)] == [None, None]
    assert rest_after(3, 0.5) == timedelta(seconds=30)
    assert rest_after(10_000, 1.0) == timedelta(seconds=1_125)
    assert timedelta(days=1) < INSISTE


def test_a_signature_is_that_of_the_convention() -> None:
    """Source: Standard Webhooks, its own example of a secret, id, moment and body."""
    import base64

    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    assert written(secret) == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    headers = headers_of(
        "msg_p5jXN8AQM9LWM0D4loKWxJek", datetime.fromtimestamp(1_614_265_330, UTC), b'{"test": 2432232314}', [secret, b"x"]
    )
    assert headers["webhook-timestamp"] == "1614265330"
    assert headers["webhook-signature"].split(" ")[0] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert len(headers["webhook-signature"].split(" ")) == 2


@pytest.mark.parametrize("ours", ["http://10.0.0.8:8080/crivo", "http://localhost:9000/", "http://[::1]/", "https://192.168.0.4/x"])
def test_an_address_of_ones_own_network_is_told_at_once_how_it_is_named(ours: str) -> None:
    with pytest.raises(DestinoInvalido, match="CRIVO_ENTREGA_REDES"):
        read_alvo(ours)
