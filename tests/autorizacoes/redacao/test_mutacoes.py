"""Texts that code writes over drawn pedidos, with one number, date, code or word of the outcome changed: none may stand."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crivo.autorizacoes.redacao import Campo, Decidido, conferir
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.trilha import Trilha
from oraculo.comparacao import decide_by_product, publish
from oraculo.geradores import Caso, casos

Mutada = tuple[str, Campo, str]

NUMERO = re.compile(r"(?<![\w./,\-])\d{1,3}(?![\w./]|,\d)")
DATA = re.compile(r"\d\d/\d\d/\d{4}")
CODIGO = re.compile(r"(?<=procedimento )[0-9]{8}(?!\w)")
# The outcome as our own messages tell it, by decision, and as another decision would have it.
DESFECHOS: dict[str, tuple[tuple[str, str], ...]] = {
    "APROVADO": (
        ("foi aprovado", "foi negado"),
        ("APROVADO. Autorizamos", "NEGADO. Não autorizamos"),
        ("Boa notícia!", "Má notícia: foi recusado."),
    ),
    "APROVADO_PARCIAL": (
        ("Boa notícia, com um limite", "Foi recusado"),
        ("APROVADO EM PARTE", "APROVADO POR INTEIRO"),
        ("APROVADO EM PARTE", "NEGADO"),
    ),
    "NEGADO": (("Não foi possível aprovar", "Foi possível aprovar"), ("NEGADO. Não é possível", "APROVADO. É possível")),
    "PENDENTE_AJUSTES": (
        ("ainda não pôde ser aprovado", "já foi aprovado"),
        ("ainda não pôde ser aprovado", "foi recusado"),
        ("PENDENTE DE AJUSTES", "APROVADO"),
        ("Ainda não é possível autorizar", "Não autorizamos, e negamos,"),
    ),
}


def messages(trilha: Trilha) -> Iterator[tuple[Campo, str]]:
    mensagens = trilha.etapas.sintese.mensagens
    yield "para_solicitante", mensagens.para_solicitante
    yield "para_beneficiario", mensagens.para_beneficiario


def masked(texto: str, decidido: Decidido) -> str:
    """The text with what the pedido itself wrote made unreadable, in place: names and ids may hold any figure."""
    fonte = decidido.artefato_registro.fonte_regras
    free = (
        decidido.pedido_id,
        decidido.pedido.descricao,
        fonte and fonte.documento,
        fonte and f"versão {fonte.versao}",
        fonte and fonte.regra_id,
    )
    for words in free:
        if words:
            texto = re.sub(re.escape(" ".join(words.split())), lambda match: "x" * len(match.group()), texto, flags=re.IGNORECASE)
    return texto


def mutations(texto: str, campo: Campo, decidido: Decidido, sorte: random.Random) -> Iterator[Mutada]:
    """Each single change of a text to something that is none of its inputs, by its kind."""
    fatos, readable = Fatos(decidido), masked(texto, decidido)

    def put(match: re.Match[str], other: str) -> str:
        return texto[: match.start()] + other + texto[match.end() :]

    known = fatos.quaisquer | fatos.percentuais | fatos.quantidades
    strange = [number for number in range(2, 1000) if number not in known and not fatos.fits_prazo(number)]
    for match in NUMERO.finditer(readable):
        yield "numero", campo, put(match, str(sorte.choice(strange)))
    for match in DATA.finditer(readable):
        day = date(int(match.group()[6:]), int(match.group()[3:5]), int(match.group()[:2]))
        moved = (day + timedelta(days=days) for days in sorte.sample(range(1, 900), 10))
        other = next(later for later in moved if later not in fatos.datas)
        yield "data", campo, put(match, f"{other:%d/%m/%Y}")
    for match in CODIGO.finditer(texto):
        yield "codigo", campo, put(match, f"{sorte.randrange(10**7, 10**8)}")
    for said, instead in DESFECHOS[decidido.decisao_final]:
        if said in readable:
            yield "resultado", campo, texto.replace(said, instead, 1)


@pytest.mark.slow  # `test_alteracoes` changes the sample's texts, of every kind, with the fast ones
def test_no_text_of_code_with_one_thing_changed_is_let_through(capsys: pytest.CaptureFixture[str]) -> None:
    """Design: every number, code, date and document named must be in the inputs; the outcome must not be contradicted."""
    tried: Counter[str] = Counter()
    missed: list[Mutada] = []

    @settings(
        max_examples=250,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    @given(casos(), st.randoms(use_true_random=False))
    def change(drawn: tuple[Caso, bytes], sorte: random.Random) -> None:
        caso, raw = drawn
        trilha = decide_by_product(publish(caso.politicas), raw, caso.recebido_em)
        if trilha is None:
            return
        etapas = trilha.etapas
        decidido = Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)
        for campo, texto in messages(trilha):
            assert conferir(texto, campo, decidido).ok
            for mutada in mutations(texto, campo, decidido, sorte):
                tried[mutada[0]] += 1
                missed.extend([mutada] if conferir(mutada[2], campo, decidido).ok else [])

    change()
    with capsys.disabled():
        sys.stdout.write(f"\nredação, textos alterados retidos: {tried.total() - len(missed)} de {tried.total()} {dict(tried)}\n")
    assert missed == []
    assert all(tried[kind] >= 50 for kind in ("numero", "data", "codigo", "resultado"))
