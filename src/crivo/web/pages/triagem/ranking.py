"""`/admin/editais/{id}/ranking`: the projects in order of their notas, and how far people and suggestions agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final, Literal, assert_never

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.concordancia import Acordo, Medida
from crivo.triagem.guardados import Posto
from crivo.triagem.painel import Classificacao
from crivo.triagem.palavras import DECISAO_HUMANA, HABILITACAO, count, number, percent, shown
from crivo.web.pages.listas import Titulo, head, link, slice_of
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.caso_marca import CasosMarca
from crivo.web.pages.triagem.vista import Quem
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/ranking"
_PER_PAGE: Final = 50
_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A line of the ranking; `decisao` is a person's, and empty where nobody decided."""

    posicao: str
    quem: Quem
    pessoas: str
    julgadores: str
    sugestao: str
    decisao: Rotulo | None
    fora: bool
    casos: CasosMarca | None


@dataclass(frozen=True, slots=True)
class MedidaVista:
    """A figure with its interval, in words and as places from 0 to 100 on a line whose zero is at `zero`."""

    valor: str
    intervalo: str
    razao: str
    ponto: float | None
    de: float | None
    ate: float | None
    zero: float


@dataclass(frozen=True, slots=True)
class AcordoVista:
    """A line of the agreement report."""

    nome: str
    pares: str
    diferenca: MedidaVista
    kappa: MedidaVista
    icc: MedidaVista


@router.get(_PAGE, response_class=Response)
async def ver(
    request: Request,
    edital_id: EditalId,
    por: Literal["", "pessoas", "sugestao"] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    q: Annotated[str, Query(max_length=200)] = "",
    ordem: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """The ranking by what people sent, or by what was suggested, with the agreement of both below it."""
    found = await state_of(request).container.painel.classificar(
        scope_of(request), edital_id, por or None, pagina, _PER_PAGE, q=q, ordem=ordem
    )
    ranking, acordo = found.ranking, found.acordo
    criterios = {one.id: shown(one.nome) for one in found.criterios}
    nomes = {codigo: shown(nome) for codigo, nome in found.nomes.items()}
    endereco, query = _PAGE.format(edital_id=edital_id), {"por": por, "q": q.strip(), "ordem": ordem}
    return page(
        request,
        "triagem/ranking.html",
        endereco=endereco,
        fichas=[
            (palavras, endereco + link(query, por=codigo), ranking.por == codigo)
            for codigo, palavras in (("pessoas", "Pelas notas das pessoas"), ("sugestao", "Pela sugestão"))
        ],
        titulos=_heads(ordem or "posicao", query),
        q=q,
        ordem=ordem,
        triagem=f"/admin/editais/{edital_id}/triagem-ia",
        notas=f"/admin/editais/{edital_id}/notas",
        edital=shown(found.edital.nome),
        por=ranking.por,
        fatia=slice_of([_line(one, found) for one in ranking.postos], ranking.total, ranking.pagina, _PER_PAGE, query),
        sem_ordem=_unordered(found) if ranking.postos else "",
        com_notas=bool(acordo.por_avaliador),
        com_sugestoes=ranking.com_sugestao > 0,
        por_criterio=[_acordo(one, criterios.get(one.de, one.de)) for one in acordo.por_criterio],
        por_avaliador=[_acordo(one, nomes.get(one.de, "Pessoa que saiu do edital")) for one in acordo.por_avaliador],
        entre=[_acordo(one, _both(one, nomes)) for one in acordo.entre_avaliadores],
        humana=DECISAO_HUMANA,
    )


def _heads(ordem: str, query: Mapping[str, str]) -> list[Titulo]:
    return [
        head("posicao", "Ordem", ordem, query, numero=True),
        head("projeto", "Projeto", ordem, query),
        head("pessoas", "Notas das pessoas", ordem, query, numero=True, desce=True),
        head("sugestao", "Sugestão IA", ordem, query, numero=True, desce=True),
        Titulo("Habilitação decidida"),
    ]


def _unordered(found: Classificacao) -> str:
    """Why no project of the edital has a place, in words; empty where there are notas to be in order of."""
    ranking = found.ranking
    match ranking.por:
        case "pessoas":
            lacking = "" if ranking.com_pessoas else "ninguém enviou uma avaliação inteira"
        case "sugestao":
            lacking = "" if ranking.com_sugestao else "nenhuma foi sugerida"
        case _:
            assert_never(ranking.por)
    return f"Sem notas ainda: {lacking}, e nenhum projeto tem lugar na ordem." if lacking else ""


def _line(posto: Posto, found: Classificacao) -> LinhaVista:
    decided = found.decisoes.get(posto.codigo)
    return LinhaVista(
        f"{posto.posicao}º" if posto.posicao is not None else "fora" if posto.fora else "—",
        Quem.of(posto.codigo, found.cabecalhos.get(posto.codigo)),
        number(posto.pessoas, 2) if posto.pessoas is not None else "",
        _judges(posto),
        number(posto.sugestao, 2) if posto.sugestao is not None else "",
        HABILITACAO[decided.decisao] if decided else None,
        posto.fora,
        CasosMarca.of(found.edital.id, found.casos.get(posto.codigo, ())),
    )


def _judges(posto: Posto) -> str:
    """How many the mean is of; of how many it will be, where some have not sent theirs."""
    if not posto.julgadores:
        return ""
    if posto.dadas > posto.julgadores:
        return f"{number(posto.julgadores)} de {count(posto.dadas, 'pessoa', 'pessoas')}"
    return count(posto.julgadores, "pessoa", "pessoas")


def _acordo(acordo: Acordo, nome: str) -> AcordoVista:
    return AcordoVista(
        nome,
        count(acordo.pares, "nota em comum", "notas em comum"),
        _medida(acordo.diferenca_media, share=True),
        _medida(acordo.kappa),
        _medida(acordo.icc),
    )


def _medida(medida: Medida, *, share: bool = False) -> MedidaVista:
    """All three are drawn on a line from −1 to 1."""
    if medida.valor is None:
        return MedidaVista("", "", medida.razao or "", None, None, None, _WIDTH / 2)

    def said(value: float) -> str:
        text = percent(abs(value)) if share else number(Decimal(repr(round(abs(value), 2))), 2)
        return f"−{text}" if round(value, 2) < 0 else f"+{text}" if share and round(value, 2) > 0 else text

    both = medida.inferior is not None and medida.superior is not None
    return MedidaVista(
        said(medida.valor),
        f"{said(medida.inferior)} a {said(medida.superior)}" if medida.inferior is not None and medida.superior is not None else "",
        "" if both else medida.razao or "",
        _place(medida.valor),
        None if medida.inferior is None else _place(medida.inferior),
        None if medida.superior is None else _place(medida.superior),
        _WIDTH / 2,
    )


def _place(value: float) -> float:
    return round((max(-1.0, min(1.0, value)) + 1) * _WIDTH / 2, 1)


def _both(acordo: Acordo, nomes: Mapping[str, str]) -> str:
    out = "Pessoa que saiu do edital"
    return f"{nomes.get(acordo.de, out)} e {nomes.get(acordo.com or '', out)}"
