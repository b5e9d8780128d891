"""Judges of projects as they were recorded, honest, lazy and persuaded: which of their notas are shown, and with which confiança.

A project is put together again from the questions that were asked of it and goes through the grading as it is now; to each question the
recorded answer stands that was given to the text most like it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from bench.linhas import Linha, Meta, measured
from rapidfuzz import fuzz

from crivo.kernel.llm.port import Dado, Question, Reply, T
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import NotaSugerida
from crivo.triagem.avaliacao.avaliador import AvaliadorModelo
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import Criterio, CronogramaEtapa, Edital, Nivel, OrcamentoItem, Projeto, Proponente

Juiz = Literal["juiz honesto", "juiz preguiçoso", "juiz persuadido"]
JUIZES: Final[tuple[Juiz, ...]] = ("juiz honesto", "juiz preguiçoso", "juiz persuadido")
UMA_LEITURA: Final = Decimal("0.70")  # the most confiança that one reading can have
NA_METADE: Final = Decimal("0.35")
METAS: Final[Mapping[Juiz, Meta]] = {"juiz honesto": Meta(">=", 0.95), "juiz preguiçoso": Meta("<=", 0.05)}
GRAVADO: Final = Path(__file__).resolve().parents[3] / "shared/data/evals/modelo/triagem.json"
_BLOCK: Final = re.compile(r"<dado N ([^>\n]+)>\n(.*?)\n</dado N>", re.DOTALL)
_RANGE: Final = re.compile(r"^Nota: de ([\d,]+) a ([\d,]+)$", re.MULTILINE)
_LEVEL: Final = re.compile(r"^Nível ([\d,]+): (.*)$", re.MULTILINE)
_ITEM: Final = re.compile(r"^(.*): ([\d.,]+) × R\$ ([\d.,]+) = ", re.MULTILINE)
_STAGE: Final = re.compile(r"^(.*): (\d\d/\d\d/\d{4}) a (\d\d/\d\d/\d{4})$", re.MULTILINE)
_PAGE: Final = re.compile(r"documento (\d+), página (\d+)")
_SCOPE: Final = Scope("local", "medida")


@dataclass(frozen=True, slots=True)
class Gravada:
    """One recorded answer: to which text of a project and which critério, and of which judge. `projeto` is empty where it was not told."""

    juiz: Juiz
    projeto: str
    criterio: str
    partes: Mapping[str, str]
    resposta: Mapping[str, Any]

    @property
    def lido(self) -> str:
        """What of a project the judge was shown."""
        return _told(self.partes)


@dataclass(frozen=True, slots=True)
class Julgado:
    """A nota as it would be shown today, and the best one to be had where nothing is doubted."""

    juiz: Juiz
    projeto: str
    nota: NotaSugerida


@dataclass(frozen=True, slots=True)
class Placar:
    """Of one judge: notas asked for and shown, those shown with all that one reading can have, with half of it at most, and the mean."""

    pedidas: int
    mostradas: int
    inteiras: int
    pela_metade: int
    confianca_media: float


def pontuar(casos: Sequence[Mapping[str, Any]]) -> dict[Juiz, Placar]:
    """What becomes of the recorded judges, by kind."""
    found = julgar(casos)
    return {juiz: _counted([one.nota for one in found if one.juiz == juiz]) for juiz in JUIZES}


def julgar(casos: Sequence[Mapping[str, Any]]) -> list[Julgado]:
    """Every nota of every judge of a project, in order."""
    return asyncio.run(_graded(gravadas(casos)))


def gravadas(casos: Sequence[Mapping[str, Any]]) -> list[Gravada]:
    """The recorded answers of the file, those of mere passages given to the project, and its judge, of which they are."""
    read = [
        Gravada(caso["leitura"], caso["projeto"] or "", caso["criterio"], dict(_BLOCK.findall(caso["dados"])), caso["resposta"])
        for caso in casos
    ]
    named = [one for one in read if one.projeto]
    return [one if one.projeto else _named_like(one, named) for one in read]


def rows() -> Iterator[Linha]:
    """A row for each kind of judge of the recorded half, where it is at hand."""
    if not GRAVADO.exists():
        return
    for juiz, placar in pontuar(json.loads(GRAVADO.read_bytes())).items():
        shown = f"{placar.mostradas} de {placar.pedidas} mostradas, {placar.pela_metade} com até {NA_METADE}"
        yield measured(
            f"{juiz}, gravado: notas mostradas com a confiança inteira de uma leitura",
            "notas",
            placar.inteiras,
            placar.pedidas,
            meta=METAS.get(juiz),
            execucoes=placar.pedidas,
            nota=f"{shown}; média {placar.confianca_media:.2f}.",
        )


class _Regravado:
    """Gives each question the answer that was recorded for the text most like it."""

    nome = "gravado:juiz"
    simulado = False

    def __init__(self, respostas: Sequence[Gravada]) -> None:
        self._respostas = respostas

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        partes = {parte.rotulo: parte.texto for parte in question.partes if isinstance(parte, Dado)}
        name, told = partes["critério"].splitlines()[0], _told(partes)
        same = [one for one in self._respostas if one.partes["critério"].splitlines()[0] == name]
        chosen = max(same, key=lambda one: fuzz.ratio(one.lido, told))
        valor = msgspec.convert(dict(chosen.resposta), question.resposta, strict=False)
        return Reply(valor, self.nome, 0, 0, Decimal(0), repetida=True)


async def _graded(respostas: Sequence[Gravada]) -> list[Julgado]:
    found = []
    for (juiz, projeto), group in groupby(sorted(respostas, key=_of), key=_of):
        theirs = list(group)
        whole = max(theirs, key=lambda one: len(one.lido))
        criterios = tuple({one.criterio: _criterio(one.criterio, one.partes["critério"]) for one in theirs}.values())
        avaliador = AvaliadorModelo(_Regravado(theirs))
        notas = await avaliador.avaliar(_SCOPE, _edital(whole.partes["edital"]), criterios, _lido(projeto, whole.partes), "gravado", "0")
        found += [Julgado(juiz, projeto, nota) for nota in notas]
    return found


def _of(one: Gravada) -> tuple[Juiz, str]:
    return one.juiz, one.projeto


def _told(partes: Mapping[str, str]) -> str:
    return "\n".join(texto for rotulo, texto in partes.items() if rotulo.startswith(("projeto", "documento")))


def _named_like(one: Gravada, named: Sequence[Gravada]) -> Gravada:
    words = set(one.lido.split())
    like = max(named, key=lambda other: len(words & set(other.lido.split())))
    return Gravada(like.juiz, like.projeto, one.criterio, one.partes, one.resposta)


def _counted(notas: Sequence[NotaSugerida]) -> Placar:
    shown = [nota for nota in notas if nota.situacao == "sugerida"]
    return Placar(
        len(notas),
        len(shown),
        sum(nota.confianca >= UMA_LEITURA for nota in shown),
        sum(nota.confianca <= NA_METADE for nota in shown),
        float(sum((nota.confianca for nota in shown), Decimal(0)) / len(shown)) if shown else 0.0,
    )


def _edital(texto: str) -> Edital:
    name, orgao, objetivo, *rest = texto.split("\n")
    return Edital("ED", name.removeprefix("Edital: "), objetivo.removeprefix("Objetivo: "), "\n".join(rest), orgao)


def _criterio(codigo: str, texto: str) -> Criterio:
    lines = texto.split("\n")
    low, high = (_number(bound) for bound in _RANGE.findall(texto)[0])
    niveis = tuple(Nivel(_number(at), said) for at, said in _LEVEL.findall(texto))
    descricao = "" if lines[1].startswith("Nota: ") else lines[1]
    return Criterio(codigo, lines[0].removeprefix("Critério: "), descricao, nota_min=low, nota_max=high, niveis=niveis)


def _lido(projeto: str, partes: Mapping[str, str]) -> ProjetoLido:
    itens = tuple(
        OrcamentoItem(said, _number(many), _number(price)) for said, many, price in _ITEM.findall(partes.get("projeto: orçamento", ""))
    )
    etapas = tuple(
        CronogramaEtapa(said, _day(start), _day(end)) for said, start, end in _STAGE.findall(partes.get("projeto: cronograma", ""))
    )
    feito = Projeto(
        projeto,
        partes.get("projeto: título", ""),
        Proponente(""),
        resumo=partes.get("projeto: resumo", ""),
        descricao_tecnica=partes.get("projeto: descrição técnica", ""),
        orcamento_itens=itens,
        cronograma_etapas=etapas,
    )
    pages = [(match[1], int(match[2]), texto) for rotulo, texto in partes.items() if (match := _PAGE.fullmatch(rotulo))]
    documentos = tuple(
        DocumentoLido(f"{number}.pdf", number * 64, 1, "pdf", "lido", tuple(Pagina(at, texto) for _, at, texto in those), (), 1)
        for number, group in groupby(pages, key=lambda page: page[0])
        for those in [list(group)]
    )
    return ProjetoLido(feito, documentos)


def _number(texto: str) -> Decimal:
    return Decimal(texto.replace(".", "").replace(",", "."))


def _day(texto: str) -> date:
    day, month, year = map(int, texto.split("/"))
    return date(year, month, day)
