"""Vectors by a service: every byte of a text is read, nothing is asked twice, and what fails is told or tried again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from crivo.kernel.llm.port import Falha, ModeloIndisponivel
from crivo.triagem.embeddings.cache import MemoryVectorCache, fetch_vetores
from crivo.triagem.embeddings.openai import Lote, OpenAIEmbedder, Servico, read_servico
from crivo.triagem.embeddings.port import Vetores
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable
from provedor import Provedor, QualquerFalta, always, provedor_no_ar

SMALL = "openai:text-embedding-3-small"


class Conta:
    """Keeps what was paid for, by its digest, as the ledger does; remembers the tokens, and the pauses that were made."""

    def __init__(self) -> None:
        self.kept: dict[bytes, bytes] = {}
        self.tokens = 0
        self.pauses: list[float] = []

    async def pay(self, digest: bytes, characters: int, ask: Callable[[], Awaitable[Lote]]) -> bytes:
        if digest not in self.kept:
            lote = await ask()
            self.tokens += lote.tokens
            self.kept[digest] = lote.vetores
        return self.kept[digest]

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture
def provedor() -> Iterator[Provedor]:
    with provedor_no_ar() as running:
        yield running


@pytest.fixture
def conta() -> Conta:
    return Conta()


def embedder(provedor: Provedor, conta: Conta, setting: str = SMALL, timeout_seconds: float = 60.0) -> OpenAIEmbedder:
    servico = read_servico(setting, "chave", provedor.url)
    asked_at = datetime.now(UTC)  # stands still: what a date asks to wait for does not shrink with what a busy machine takes to answer
    return OpenAIEmbedder(servico, conta.pay, lambda: asked_at, timeout_seconds=timeout_seconds, sleep=conta.sleep)


async def vectors(textos: Sequence[str], using: OpenAIEmbedder) -> Vetores:
    return await fetch_vetores(textos, using, MemoryVectorCache())


def entradas(provedor: Provedor) -> list[str]:
    return [entrada for pedido in provedor.recebidos for entrada in pedido.entradas]


async def test_each_text_has_a_vector_of_length_one_with_the_threshold_of_the_seed(provedor: Provedor, conta: Conta) -> None:
    """Triagem 4/3: `text-embedding-3-small`, flag above 0.85."""
    textos = ["oficina de teatro popular", "", "oficina de teatro popular na praça", "laudo do exame"]
    vetores = await vectors(textos, embedder(provedor, conta))
    assert (vetores.embedder, vetores.limiar, vetores.matriz.shape) == (SMALL, 0.85, (4, 1536))
    assert np.linalg.norm(vetores.matriz, axis=1) == pytest.approx([1, 0, 1, 1], abs=1e-5)
    assert vetores.matriz[0] @ vetores.matriz[2] > 0.5 > vetores.matriz[0] @ vetores.matriz[3]
    assert [pedido.modelo for pedido in provedor.recebidos] == ["text-embedding-3-small"]
    assert conta.tokens > 0


async def test_a_long_text_is_read_to_its_end_in_chunks_that_fit(provedor: Provedor, conta: Conta) -> None:
    """Triagem design, Irregularidades: long texts are cut into chunks that fit the model, never truncated."""
    beginning, end = "música " * 3_000, "dança " * 3_000
    vetores = await vectors([beginning + end, "música", "dança"], embedder(provedor, conta))
    assert " ".join(entradas(provedor)).split()[:6_000] == (beginning + end).split()
    assert max(len(entrada.encode()) for entrada in entradas(provedor)) <= 8_000
    near = vetores.matriz[0] @ vetores.matriz[1:].T
    assert near == pytest.approx([2**-0.5, 2**-0.5], abs=0.1)


async def test_many_texts_go_in_few_requests_that_the_service_takes(provedor: Provedor, conta: Conta) -> None:
    textos = [f"projeto {number} " * 900 for number in range(60)]
    vetores = await vectors(textos, embedder(provedor, conta))
    assert vetores.matriz.shape == (60, 1536)
    assert {anotado.pago for anotado in provedor.anotados} == {True}
    assert 2 <= provedor.pagos <= 5


async def test_vectors_are_put_in_the_order_of_the_texts_in_whatever_order_they_come(provedor: Provedor, conta: Conta) -> None:
    textos = ["um", "dois", "três"]
    expected = (await vectors(textos, embedder(provedor, Conta()))).matriz
    provedor.sempre = always("ordem_trocada")
    assert np.array_equal((await vectors(textos, embedder(provedor, conta))).matriz, expected)


async def test_a_text_is_asked_for_once_and_found_again(provedor: Provedor, conta: Conta) -> None:
    cache = MemoryVectorCache()
    first = await fetch_vetores(["um", "dois", "um"], embedder(provedor, conta), cache)
    second = await fetch_vetores(["dois", "três"], embedder(provedor, conta), cache)
    assert entradas(provedor) == ["um", "dois", "três"]
    assert np.array_equal(first.matriz[1], second.matriz[0])


async def test_what_was_paid_for_and_not_kept_is_not_paid_again(provedor: Provedor, conta: Conta) -> None:
    await vectors(["um", "dois"], embedder(provedor, conta))
    await vectors(["um", "dois"], embedder(provedor, conta))
    assert provedor.pagos == 1


async def test_what_came_before_a_failure_is_kept(provedor: Provedor, conta: Conta) -> None:
    cache = MemoryVectorCache()
    textos = [f"projeto {number} " * 900 for number in range(60)]
    provedor.sempre = lambda pedido, earlier: None if pedido.entradas == provedor.recebidos[0].entradas else "erro_401"
    with pytest.raises(ModeloIndisponivel):
        await fetch_vetores(textos, embedder(provedor, conta), cache)
    provedor.sempre = None
    before = set(entradas(provedor)[: len(provedor.recebidos[0].entradas)])
    provedor.esquecer()
    await fetch_vetores(textos, embedder(provedor, Conta()), cache)
    assert before.isdisjoint(entradas(provedor))


@pytest.mark.parametrize(
    "falta",
    [
        "limite_segundos",
        "limite_data",
        "erro_500",
        "erro_502",
        "erro_503",
        "cortada",
        "corpo_nao_json",
        "dimensao_errada",
        "vetores_a_menos",
    ],
)
async def test_what_passes_is_asked_again_after_a_pause(provedor: Provedor, conta: Conta, falta: QualquerFalta) -> None:
    provedor.retry_after_seconds = 9
    provedor.faltas.extend([falta, falta])
    assert (await vectors(["um"], embedder(provedor, conta))).matriz.shape == (1, 1536)
    assert len(provedor.recebidos) == 3
    told = falta.startswith("limite")
    assert all(pause >= 8 if told else pause < 1 for pause in conta.pauses)
    assert len(conta.pauses) == 2


@pytest.mark.parametrize(
    ("falta", "falha", "asked"),
    [
        ("limite_segundos", "limite_de_uso", 4),
        ("erro_500", "fora_do_ar", 4),
        ("cortada", "fora_do_ar", 4),
        ("corpo_nao_json", "ilegivel", 4),
        ("dimensao_errada", "fora_do_formato", 4),
        ("vetores_a_menos", "fora_do_formato", 4),
        ("erro_401", "nao_aceito", 1),
        ("filtro_de_conteudo", "nao_aceito", 1),
    ],
)
async def test_what_does_not_pass_is_told_for_what_it_is(
    provedor: Provedor, conta: Conta, falta: QualquerFalta, falha: Falha, asked: int
) -> None:
    provedor.sempre = always(falta)
    with pytest.raises(ModeloIndisponivel) as raised:
        await vectors(["um"], embedder(provedor, conta))
    assert (raised.value.falha, len(provedor.recebidos), conta.kept) == (falha, asked, {})


async def test_a_service_that_says_nothing_is_not_waited_for_forever(provedor: Provedor, conta: Conta) -> None:
    provedor.sempre = always("silencio")
    with pytest.raises(ModeloIndisponivel) as raised:
        await vectors(["um"], embedder(provedor, conta, timeout_seconds=0.05))
    assert raised.value.falha == "demorou"


async def test_whoever_asks_for_too_much_patience_is_not_asked_again(provedor: Provedor, conta: Conta) -> None:
    provedor.retry_after_seconds = 3_600
    provedor.faltas.append("limite_segundos")
    with pytest.raises(ModeloIndisponivel):
        await vectors(["um"], embedder(provedor, conta))
    assert (len(provedor.recebidos), conta.pauses) == (1, [])


async def test_a_compatible_service_says_itself_how_long_its_vectors_are(provedor: Provedor, conta: Conta) -> None:
    provedor.dimensoes, provedor.maior_entrada = 384, 512
    using = embedder(provedor, conta, f"{provedor.url}#nomic-embed-text")
    vetores = await vectors(["palavra " * 200, ""], using)
    assert (vetores.embedder, vetores.matriz.shape) == (f"{provedor.url}#nomic-embed-text", (2, 384))
    assert {pedido.modelo for pedido in provedor.recebidos} == {"nomic-embed-text"}


async def test_a_service_whose_vectors_changed_length_cannot_be_compared_with_those_kept(provedor: Provedor, conta: Conta) -> None:
    cache, setting = MemoryVectorCache(), f"{provedor.url}#qualquer"
    await fetch_vetores(["um"], embedder(provedor, conta, setting), cache)
    provedor.dimensoes = 8
    with pytest.raises(ModeloIndisponivel) as raised:
        await fetch_vetores(["um", "dois"], embedder(provedor, Conta(), setting), cache)
    assert raised.value.falha == "fora_do_formato"


async def test_nothing_is_asked_for_no_text(provedor: Provedor, conta: Conta) -> None:
    assert len((await vectors([], embedder(provedor, conta))).matriz) == 0
    assert provedor.recebidos == []


def test_a_service_is_named_without_its_password() -> None:
    servico = read_servico("https://ana:segredo@modelos.exemplo.org/v1#e5", "chave")
    assert servico == Servico("https://modelos.exemplo.org/v1#e5", "https://ana:segredo@modelos.exemplo.org/v1", "e5", "chave")
    assert "chave" not in repr(servico)


@pytest.mark.parametrize(
    ("setting", "said"),
    [(SMALL, "OPENAI_API_KEY"), ("https://modelos.exemplo.org/v1", "depois de #"), ("http://#e5", "depois de #")],
)
def test_what_is_lacking_is_told(setting: str, said: str) -> None:
    with pytest.raises(EmbeddingsUnavailable, match=said):
        read_servico(setting, "")
