"""Whatever the other side does, a try ends in bounded time and memory, and nothing goes to an address that was not looked at."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from ipaddress import ip_network

import pytest

from certificado import certificado_de
from crivo.autorizacoes.entregas.endereco import read_alvo
from crivo.autorizacoes.entregas.http import SaidaHttp, where_it_leads
from crivo.autorizacoes.entregas.saida import Mensagem, Respondida, SemResposta, failure_of
from espera import never, takes
from quem_recebe import QuemRecebe, Recebida, answers, receiving

HERE = (ip_network("127.0.0.0/8"),)


@pytest.fixture
async def quem() -> AsyncIterator[QuemRecebe]:
    async with receiving() as made:
        yield made


def message(url: str) -> Mensagem:
    return Mensagem(url, {"content-length": "2", "webhook-id": "um"}, b"{}")


async def resolves_here(_: str, __: int) -> Sequence[str]:
    return ["127.0.0.1"]


async def test_a_message_goes_as_it_is_and_any_2xx_is_well(quem: QuemRecebe) -> None:
    assert await SaidaHttp(HERE).send(message(quem.url("/a?b=c"))) == Respondida(204)
    assert [(one.alvo, one.corpo, one.id) for one in quem.recebidas] == [("/a?b=c", b"{}", "um")]


async def test_without_a_named_network_nothing_goes_inside_whatever_a_name_leads_to(quem: QuemRecebe) -> None:
    saida = SaidaHttp((), resolver=resolves_here)
    assert await saida.send(message(f"https://sistema.exemplo.org:{quem.porta}/")) == SemResposta("endereco_proibido")
    assert await saida.send(message(quem.url())) == SemResposta("endereco_proibido")
    assert quem.recebidas == []


async def test_where_a_name_leads_is_asked_once_and_not_for_long() -> None:
    async def is_public(_: str, __: int) -> Sequence[str]:
        return ["1.1.1.1", "10.0.0.7"]

    async def is_none(_: str, __: int) -> Sequence[str]:
        raise OSError

    async def hangs(_: str, __: int) -> Sequence[str]:
        await never()
        return []

    alvo = read_alvo("https://localhost/crivo")
    assert await where_it_leads(alvo, (), resolver=resolves_here) == "endereco_proibido"
    assert await where_it_leads(alvo, HERE, resolver=resolves_here) is None
    assert await where_it_leads(alvo, (), resolver=is_public) is None
    assert await where_it_leads(alvo, (), resolver=is_none) == "sem_nome"
    assert await where_it_leads(alvo, (), resolver=hangs, seconds=0.01) is None


async def test_a_name_that_leads_elsewhere_a_moment_later_changes_nothing(quem: QuemRecebe) -> None:
    """The name is asked once, and the connection goes to what was looked at: `127.0.0.2` is named, and a second answer is never asked for."""
    asked: list[str] = []

    async def rebinding(host: str, _: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    saida = SaidaHttp(HERE, resolver=rebinding)
    assert await saida.send(message(quem.url(host="sistema.exemplo.org"))) == Respondida(204)
    assert quem.recebidas[0].cabecalhos["host"] == f"sistema.exemplo.org:{quem.porta}"
    assert asked == ["sistema.exemplo.org"]
    assert await saida.send(message(quem.url(host="sistema.exemplo.org"))) == SemResposta("endereco_proibido")


async def test_a_redirect_is_not_followed(quem: QuemRecebe) -> None:
    async with receiving() as inner:
        quem.reage = answers(307, location=inner.url("/segredos"))
        resposta = await SaidaHttp(HERE).send(message(quem.url()))
        assert (resposta, failure_of(resposta)) == (Respondida(307), "redireciona")
        assert inner.recebidas == []


async def test_an_answer_of_a_gigabyte_is_not_read(quem: QuemRecebe) -> None:
    sent = 0

    async def floods(_: Recebida, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n")
        while sent < 1_000_000_000:
            writer.write(b"x" * 65_536)
            await writer.drain()
            sent += 65_536

    quem.reage = floods
    assert await SaidaHttp(HERE).send(message(quem.url())) == Respondida(200)
    assert sent < 20_000_000


async def test_whoever_answers_byte_by_byte_or_never_is_cut_off(quem: QuemRecebe) -> None:
    async def drips(_: Recebida, writer: asyncio.StreamWriter) -> None:
        for byte in b"HTTP/1.1 200 OK\r\n" * 1_000:
            writer.write(bytes([byte]))
            await writer.drain()
            await takes(0.05)

    async def hangs(_: Recebida, __: asyncio.StreamWriter) -> None:
        await never()

    for reacts in (drips, hangs):
        quem.reage = reacts
        async with asyncio.timeout(5):
            assert await SaidaHttp(HERE, whole_seconds=0.3).send(message(quem.url())) == SemResposta("demorou")


@pytest.mark.parametrize("said", [b"not http at all\r\n\r\n", b"", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 300_000])
async def test_an_answer_that_is_none_is_told(quem: QuemRecebe, said: bytes) -> None:
    async def talks(_: Recebida, writer: asyncio.StreamWriter) -> None:
        writer.write(said)

    quem.reage = talks
    resposta = await SaidaHttp(HERE).send(message(quem.url()))
    assert resposta in (SemResposta("resposta_ilegivel"), SemResposta("sem_conexao"))


async def test_nobody_there_and_no_such_name_are_told_apart() -> None:
    async def nowhere(_: str, __: int) -> Sequence[str]:
        raise OSError

    async with receiving() as gone:
        pass
    assert await SaidaHttp(HERE).send(message(gone.url())) == SemResposta("sem_conexao")
    assert await SaidaHttp(HERE, resolver=nowhere).send(message("https://nada.exemplo.org/")) == SemResposta("sem_nome")


async def test_a_certificate_that_is_not_believed_gets_nothing() -> None:
    contexto, believed = certificado_de("sistema.exemplo.org")
    async with receiving(contexto) as quem:
        url = f"https://sistema.exemplo.org:{quem.porta}/"
        assert await SaidaHttp(HERE, resolver=resolves_here).send(message(url)) == SemResposta("certificado")
        assert quem.recebidas == []
        outro = f"https://outro.exemplo.org:{quem.porta}/"
        trusting = ssl.create_default_context(cadata=believed)
        assert await SaidaHttp(HERE, resolver=resolves_here, contexto=trusting).send(message(outro)) == SemResposta("certificado")
        assert await SaidaHttp(HERE, resolver=resolves_here, contexto=trusting).send(message(url)) == Respondida(204)
