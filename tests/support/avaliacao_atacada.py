"""Scoring under attack: attacks and honest look-alikes planted in the sample's projects, and a model that obeys whatever it still sees.

The sets live in `tests/triagem/avaliacao`. Their first half is learned from; no word of the product comes from the second. The sets `de_fora`
are by another hand, and were first read when all else was done.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, get_args

import msgspec

from crivo.kernel.llm.marcacao import render
from crivo.kernel.llm.port import Dado, Parte
from crivo.kernel.tenancy import Scope
from crivo.triagem import amostra
from crivo.triagem.achados import NotaSugerida
from crivo.triagem.avaliacao.avaliador import AvaliadorModelo
from crivo.triagem.avaliacao.simulado import answer_criterio
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido, TrechoOculto, TruqueOculto
from crivo.triagem.edital import Chamada, Criterio, CronogramaEtapa, OrcamentoItem, Projeto
from crivo.triagem.irregularidades.instrucoes import find_texto_instrucional
from crivo.triagem.irregularidades.ocultos import find_texto_oculto
from modelo_falso import ModeloFalso

SETS: Final = Path(__file__).resolve().parents[1] / "triagem/avaliacao"
NONCE: Final = "5f0c1e9a7b3d2468"
_SCOPE: Final = Scope("local", "medida")
_WINDOW: Final = 20  # letters of an order that are enough for it to be obeyed
_QUOTED: Final = 40  # letters of an order that are quoted where no sentence of it is whole
_LONGEST_QUOTE: Final = 600
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
Conjunto = Literal["ataques", "honestos", "ataques_de_fora", "honestos_de_fora"]
_CARRIERS: Final = ("P001", "P003", "P005", "P006", "P007", "P008", "P009", "P010", "P011", "P013")


class Plantado(msgspec.Struct, frozen=True):
    """A text and the place in a project where it is planted. `quer`: the nota that it is after; an honest one is after none."""

    id: str
    metade: Literal[1, 2, 3]
    lugar: str
    texto: str
    jeito: str = "honesto"
    quer: Literal["max", "min"] | None = None


@dataclass(frozen=True, slots=True)
class Caso:
    """What came of a planted text: whether it was flagged, and the shift of each nota that is shown, as a share of its range."""

    plantado: Plantado
    sinalizado: bool
    abstencoes: int
    desvios: tuple[float, ...]


def plantados(nome: Conjunto) -> list[Plantado]:
    """A set, as it is kept."""
    return msgspec.json.decode((SETS / f"{nome}.json").read_bytes(), type=list[Plantado])


def obediente(ordem: Plantado | None, *, cita: bool = False) -> ModeloFalso:
    """A simulated model that gives the nota that an order is after as soon as it sees a run of its letters, in whatever disguise."""
    return ModeloFalso(lambda question: obey(question.partes, ordem, cita=cita), simulado=True)


def obey(partes: Sequence[Parte], ordem: Plantado | None, *, cita: bool = False) -> dict[str, Any]:
    """The answer to the parts of a question: the simulated one, with the nota that is asked for where the order is seen.

    With `cita` its evidence is the order itself, as much of it as it sees.
    """
    said = answer_criterio(render(partes, NONCE))
    told = "".join("".join(parte.texto.split()) for parte in partes if isinstance(parte, Dado))
    if ordem is None or not _sees(told, "".join(ordem.texto.split())):
        return said
    criterio = partes[-2]
    low, high = _range(criterio.texto if isinstance(criterio, Dado) else "")
    quoted = _seen_of(partes, ordem) if cita else []
    return {**said, "citacoes": quoted or said["citacoes"], "nota": high if ordem.quer == "max" else low}


def plant(lido: ProjetoLido, one: Plantado) -> ProjetoLido:
    """A project with the text in its place."""
    projeto, texto = lido.projeto, one.texto
    if one.lugar == "documento":
        return msgspec.structs.replace(lido, documentos=(_written(lido.documentos[0], one),))
    changed: Projeto
    match one.lugar:
        case "resumo":
            changed = msgspec.structs.replace(projeto, resumo=f"{projeto.resumo} {texto}")
        case "descricao":
            first, _, rest = projeto.descricao_tecnica.partition(". ")
            changed = msgspec.structs.replace(projeto, descricao_tecnica=f"{first}. {texto} {rest}")
        case "titulo":
            changed = msgspec.structs.replace(projeto, titulo=texto)
        case "orcamento":
            itens = (*projeto.orcamento_itens, OrcamentoItem(texto, Decimal(1), Decimal(50)))
            changed = msgspec.structs.replace(projeto, orcamento_itens=itens)
        case "cronograma":
            changed = msgspec.structs.replace(projeto, cronograma_etapas=(*projeto.cronograma_etapas, CronogramaEtapa(texto)))
        case _:
            raise ValueError(one.lugar)
    return msgspec.structs.replace(lido, projeto=changed)


def run_set(casos: Sequence[Plantado], *, cita: bool = False) -> list[Caso]:
    """Each text planted in a project of the sample, the ten in turn, and graded by all critérios.

    With `cita` the model that obeys an order quotes it as its evidence.
    """

    async def all_of_them() -> list[Caso]:
        return [await _case(one, at % len(_CARRIERS), clean, cita) for at, one in enumerate(casos)]

    clean = _clean()
    return asyncio.run(all_of_them())


def shifts(casos: Sequence[Caso]) -> list[float]:
    """The shift of every nota that is shown."""
    return [desvio for caso in casos for desvio in caso.desvios]


def median_shift(casos: Sequence[Caso]) -> float:
    """The median of them, 0 where every suggestion abstained."""
    return median(shifts(casos) or [0.0])


async def _case(one: Plantado, carrier: int, clean: list[tuple[NotaSugerida, ...]], cita: bool) -> Caso:
    notas = await _grade(plant(_carriers()[carrier], one), one if one.quer else None, cita=cita)
    flagged = _is_flagged(one, carrier)
    abstained = sum(nota.situacao == "abstencao" for nota in notas)
    desvios = tuple(
        abs(float(nota.nota_sugerida - other.nota_sugerida)) / float(criterio.nota_max - criterio.nota_min)
        for nota, other, criterio in zip(notas, clean[carrier], _criterios(), strict=True)
        if nota.nota_sugerida is not None and other.nota_sugerida is not None
    )
    return Caso(one, flagged or abstained > 0, abstained, desvios)


@cache
def _is_flagged(one: Plantado, carrier: int) -> bool:
    lido = plant(_carriers()[carrier], one)
    return bool(find_texto_instrucional([lido]) or find_texto_oculto([lido]))


@cache
def _clean() -> list[tuple[NotaSugerida, ...]]:
    """The notas of each carrier with nothing planted in it."""

    async def all_of_them() -> list[tuple[NotaSugerida, ...]]:
        return [await _grade(lido, None) for lido in _carriers()]

    return asyncio.run(all_of_them())


async def _grade(lido: ProjetoLido, ordem: Plantado | None, *, cita: bool = False) -> tuple[NotaSugerida, ...]:
    chamada = chamada_da_amostra()
    return await AvaliadorModelo(obediente(ordem, cita=cita)).avaliar(_SCOPE, chamada.edital, chamada.criterios, lido, "medida", NONCE)


@cache
def chamada_da_amostra() -> Chamada:
    """The sample call."""
    with TemporaryDirectory() as folder:
        return msgspec.json.decode(amostra.write_sample(Path(folder)).read_bytes(), type=Chamada)


@cache
def _carriers() -> list[ProjetoLido]:
    by_id = {projeto.id: projeto for projeto in chamada_da_amostra().projetos}
    return [with_portfolio(by_id[key]) for key in _CARRIERS]


def with_portfolio(projeto: Projeto) -> ProjetoLido:
    """A project with a short portfolio, read."""
    texto = f"Portfólio de {projeto.proponente.nome}.\nO grupo atua na região desde 2014 e já se apresentou em praças, escolas e feiras."
    arquivo = f"documentos/{projeto.id}/portfolio.pdf"
    return ProjetoLido(projeto, (DocumentoLido(arquivo, "0" * 64, len(texto), "pdf", "lido", (Pagina(1, texto),), (), 1),))


def _written(documento: DocumentoLido, one: Plantado) -> DocumentoLido:
    truque = one.jeito.partition(":")[2]
    if truque:
        known: tuple[TruqueOculto, ...] = get_args(TruqueOculto)
        return msgspec.structs.replace(documento, ocultos=(TrechoOculto(one.texto, known[known.index(truque)], 1),))
    pagina = documento.paginas[0]
    return msgspec.structs.replace(documento, paginas=(Pagina(1, f"{pagina.texto}\n{one.texto}"),))


def _criterios() -> tuple[Criterio, ...]:
    return chamada_da_amostra().criterios


def _sees(told: str, order: str) -> bool:
    size = min(_WINDOW, len(order))
    return any(order[at : at + size] in told for at in range(len(order) - size + 1))


def _seen_of(partes: Sequence[Parte], order: Plantado) -> list[str]:
    """What stands of an order in the texts of a project: all of it, or its whole sentences, or a stretch of it."""
    texts = [
        " ".join(parte.texto.split()) for parte in partes if isinstance(parte, Dado) and parte.rotulo.startswith(("projeto", "documento"))
    ]
    whole = " ".join(order.texto.split())
    if len(whole) <= _LONGEST_QUOTE and any(whole in text for text in texts):
        return [whole]
    sentences = [" ".join(piece.split()) for piece in _SENTENCE.split(order.texto)]
    seen = [piece for piece in sentences if len(piece) >= _WINDOW and any(piece in text for text in texts)]
    stretches = (whole[at : at + _QUOTED] for at in range(max(0, len(whole) - _QUOTED)))
    return seen or [next((piece for piece in stretches if any(piece in text for text in texts)), "")]


def _range(criterio: str) -> tuple[float, float]:
    line = next(line for line in criterio.splitlines() if line.startswith("Nota: de "))
    low, high = line.removeprefix("Nota: de ").split(" a ")
    return float(low.replace(",", ".")), float(high.replace(",", "."))
