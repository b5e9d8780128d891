"""`/admin/editais/{id}/ranking`: the projects in order of their notas, and how far people and suggestions agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.access import GESTAO, SemPermissao
from crivo.triagem.achados import Resultado
from crivo.triagem.concordancia import Acordo, Medida, NotaHumana, measure_concordancia, sugeridas_of
from crivo.triagem.edital import Chamada, Criterio
from crivo.triagem.erros import TriagemNotFound
from crivo.triagem.media import media_of
from crivo.triagem.palavras import DECISAO_HUMANA, count, number, percent
from crivo.triagem.storage.avaliacoes import Avaliacao
from crivo.web.api.triagem_acesso import EditalId
from crivo.web.pages.palavras import Rotulo
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem_lista import cut
from crivo.web.pages.triagem_palavras import SUGESTOES, shown
from crivo.web.pages.triagem_vista import Quem
from crivo.web.state import papel_of, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/ranking"
_PER_PAGE: Final = 50
_WIDTH: Final = 100
Por = Literal["pessoas", "sugestao"]


@dataclass(frozen=True, slots=True)
class Posto:
    """A project and its two means; `pessoas` is the mean of those who sent all their notas, None where nobody did."""

    quem: Quem
    pessoas: Decimal | None
    julgadores: int
    sugestao: Decimal | None


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A line of the ranking; `decisao` is a person's, and empty where nobody decided."""

    posicao: str
    quem: Quem
    pessoas: str
    julgadores: str
    sugestao: str
    decisao: Rotulo | None


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
    request: Request, edital_id: EditalId, por: Por | None = None, pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1
) -> Response:
    """The ranking by what people sent, or by what was suggested, with the agreement of both below it."""
    _require_gestor(request)
    container, scope = state_of(request).container, scope_of(request)
    chamada = await container.triagem.edital(scope, edital_id)
    try:
        resultado = await container.triagem.resultado(scope, edital_id)
    except TriagemNotFound:
        resultado = Resultado(edital_id, "", (), ())
    notas = await container.julgamento.notas(scope, edital_id)
    decisoes = await container.habilitacoes.decisoes(scope, edital_id)
    nomes = {str(one.avaliador): shown(one.nome) for one in await container.julgamento.incumbencias(scope, edital_id)}
    postos = places(chamada, resultado, notas)
    chosen: Por = por or ("pessoas" if any(one.pessoas is not None for one in postos) else "sugestao")
    ordered = ranked(postos, chosen)

    def show(line: tuple[int | None, Posto]) -> LinhaVista:
        posicao, posto = line
        decided = decisoes.get(posto.quem.codigo)
        return LinhaVista(
            f"{posicao}º" if posicao is not None else "–",
            posto.quem,
            number(posto.pessoas, 2) if posto.pessoas is not None else "",
            count(posto.julgadores, "pessoa", "pessoas") if posto.julgadores else "",
            number(posto.sugestao, 2) if posto.sugestao is not None else "",
            SUGESTOES[decided.decisao] if decided else None,
        )

    humanas = [NotaHumana(one.projeto_id, one.criterio, str(one.avaliador), one.nota) for one in notas]
    acordo = measure_concordancia(chamada.criterios, humanas, sugeridas_of(resultado))
    criterios = {one.id: shown(one.nome) for one in chamada.criterios}
    return page(
        request,
        "ranking.html",
        endereco=_PAGE.format(edital_id=edital_id),
        triagem=f"/admin/editais/{edital_id}/triagem-ia",
        edital=shown(chamada.edital.nome),
        por=chosen,
        fatia=cut(ordered, show, pagina, _PER_PAGE, {"por": por or ""}),
        com_notas=bool(notas),
        com_sugestoes=any(one.sugestao is not None for one in postos),
        por_criterio=[_acordo(one, criterios.get(one.de, one.de)) for one in acordo.por_criterio],
        por_avaliador=[_acordo(one, nomes.get(one.de, "Pessoa que saiu do edital")) for one in acordo.por_avaliador],
        entre=[_acordo(one, _both(one, nomes)) for one in acordo.entre_avaliadores],
        humana=DECISAO_HUMANA,
    )


def places(chamada: Chamada, resultado: Resultado, notas: Sequence[Avaliacao]) -> tuple[Posto, ...]:
    """Every project with what people and the model make of it; an avaliação or a suggestion without each of the notas is left out."""
    given: dict[str, dict[object, dict[str, Decimal]]] = {}
    for one in notas:
        given.setdefault(one.projeto_id, {}).setdefault(one.avaliador, {})[one.criterio] = one.nota
    suggested = {one.projeto_id: media_of(chamada.criterios, one.notas) for one in resultado.projetos}
    found = []
    for projeto in chamada.projetos:
        means = [_mean(chamada.criterios, own) for own in given.get(projeto.id, {}).values()]
        whole = [one for one in means if one is not None]
        media = suggested.get(projeto.id)
        found.append(
            Posto(
                Quem.of(projeto.id, projeto),
                sum(whole, Decimal(0)) / len(whole) if whole else None,
                len(whole),
                media.valor if media is not None and not media.parcial else None,
            )
        )
    return tuple(found)


def ranked(postos: Sequence[Posto], por: Por) -> list[tuple[int | None, Posto]]:
    """The projects with their place, the highest mean first, equal ones in the same place; those without a mean last, in no place."""
    values = sorted((value for one in postos if (value := _value(one, por)) is not None), reverse=True)
    first = {value: at for at, value in reversed(list(enumerate(values, 1)))}
    placed = [(None if (value := _value(one, por)) is None else first[value], one) for one in postos]
    return sorted(placed, key=lambda line: (line[0] is None, line[0] or 0))


def _value(posto: Posto, por: Por) -> Decimal | None:
    return posto.pessoas if por == "pessoas" else posto.sugestao


def _mean(criterios: Sequence[Criterio], notas: Mapping[str, Decimal]) -> Decimal | None:
    weights = sum((one.peso for one in criterios), Decimal(0))
    if not weights or any(one.id not in notas for one in criterios):
        return None
    return sum((one.peso * notas[one.id] for one in criterios), Decimal(0)) / weights


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


def _require_gestor(request: Request) -> None:
    """Raises SemPermissao for whoever does not manage."""
    if papel_of(request) not in GESTAO:
        raise SemPermissao("Só gestão e administração veem esta página. Se você avalia projetos, os seus estão em Avaliação.")
