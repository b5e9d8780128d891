"""`/admin/editais/{id}/resultado`: the places, as a draft or as they were published, the versions, and two of them side by side.

A draft is counted once for a page, out of what people sent and decided; a version is read as it went out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.erros import SemClassificacao
from crivo.triagem.palavras import count, number
from crivo.triagem.publicacao.comparacao import compare
from crivo.triagem.publicacao.conteudo import Conteudo
from crivo.triagem.publicacao.diferencas import differences
from crivo.triagem.publicacao.guardados import Publicada, Rascunho
from crivo.triagem.publicacao.movimentos import Movido, moved
from crivo.triagem.publicacao.quadro import Reunidos, groups_of
from crivo.web.pages.formatos import reais
from crivo.web.pages.listas import Fatia, link, slice_of
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.resultado.comparadas import MudancaVista, chips_of
from crivo.web.pages.triagem.resultado.endereco import MOSTRAR, TODAS, Busca, address_of, busca_of, read_fase
from crivo.web.pages.triagem.resultado.figura import figure_of, seats_of
from crivo.web.pages.triagem.resultado.linhas import LinhaVista, rows_of, show
from crivo.web.pages.triagem.resultado.moldura import frame, versions_in_words
from crivo.web.pages.triagem.resultado.palavras import FASE, categoria_said, version_said
from crivo.web.pages.triagem.resultado.pronto import checks_of
from crivo.web.state import pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
PAGE: Final = "/admin/editais/{edital_id}/resultado"
_PER_PAGE: Final = 50
_FEW: Final = 5  # changes beside the list
_RASCUNHO: Final = "rascunho"
_FINAL: Final = "rascunho-final"


@dataclass(frozen=True, slots=True)
class Lido:
    """A result at hand: what it was counted from where it is the draft, the version where it was published."""

    conteudo: Conteudo
    rascunho: Rascunho | None = None
    publicada: Publicada | None = None

    @property
    def classificada(self) -> Classificada | None:
        """What explains each place, of a draft."""
        return self.rascunho.classificada if self.rascunho else None

    @property
    def nome(self) -> str:
        """What it is called."""
        return version_said(self.publicada) if self.publicada else f"rascunho, {FASE[self.conteudo.fase]}"


@router.get(PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId, busca: Annotated[Busca, Depends(busca_of)]) -> Response:
    """The places of a category, a page of rows, with why each stands where it does."""
    container, scope = state_of(request).container, scope_of(request)
    try:
        lido = await _read(request, edital_id, str(busca.versao) if busca.versao else _FINAL if busca.fase == "final" else _RASCUNHO)
    except SemClassificacao as error:
        return await without_rules(request, edital_id, error)
    versoes = await container.resultados.versoes(scope, edital_id)
    graves = await container.casos.graves_abertos(scope, edital_id) if lido.rascunho else 0
    movidos: Sequence[Movido] = ()
    anterior = lido.rascunho.anterior if lido.rascunho else None
    if anterior is not None:
        before = (await container.resultados.versao(scope, edital_id, anterior.versao)).conteudo
        movidos = moved(compare(before, lido.conteudo))
    shown = await asyncio.to_thread(_Mostra, edital_id, lido, busca)
    return page(
        request,
        "triagem/resultado.html",
        **frame(edital_id, lido.conteudo.edital_nome, "lugares", len(versoes), _withdrawn(lido), lido.conteudo.fase),
        titulo=f"Resultado {FASE[lido.conteudo.fase]}",
        selo=lido.nome if lido.publicada else f"versão {number(lido.conteudo.versao)}, rascunho",
        rascunho=lido.rascunho is not None,
        publicada=(await versions_in_words(request, versoes))[_at(versoes, lido.publicada)] if lido.publicada else None,
        resumo=_summary(lido.conteudo),
        fases=[(FASE[one].capitalize(), address_of(edital_id) + (link({"fase": one})), lido.conteudo.fase == one) for one in FASE],
        pode_publicar=pode(request, "triagem.publicar"),
        pode_decidir=pode(request, "triagem.decidir"),
        pronto=checks_of(edital_id, lido.rascunho, graves) if lido.rascunho else (),
        busca=busca,
        **shown.context,
        anterior=version_said(anterior) if anterior else "",
        comparar=f"{address_of(edital_id)}/comparacao?antes={anterior.versao}&depois={_key(lido)}" if anterior else "",
        mudou=[MudancaVista.of(one) for one in movidos[:_FEW]],
        mais_mudou=max(0, len(movidos) - _FEW),
    )


@router.get(f"{PAGE}/publicacoes", response_class=Response)
async def publicacoes(request: Request, edital_id: EditalId, fase: Annotated[str, Query(max_length=20)] = "") -> Response:
    """Every version: which fase, when, by whom, why, and by what it is known."""
    container, scope = state_of(request).container, scope_of(request)
    edital, _ = await container.painel.cabecalhos(scope, edital_id, ())
    versoes = await container.resultados.versoes(scope, edital_id)
    return page(
        request,
        "triagem/resultado_publicacoes.html",
        **frame(edital_id, edital.nome, "publicacoes", len(versoes), fase=read_fase(fase)),
        versoes=await versions_in_words(request, versoes),
        com_regras=edital.classificacao is not None,
        pode_publicar=pode(request, "triagem.publicar"),
    )


@router.get(f"{PAGE}/comparacao", response_class=Response)
async def comparacao(
    request: Request,
    edital_id: EditalId,
    antes: Annotated[str, Query(max_length=20)] = "",
    depois: Annotated[str, Query(max_length=20)] = "",
    tipo: Annotated[str, Query(max_length=20)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    fase: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Two results side by side, of which one may be the draft: who entered or left, what moved, and in what the rules differ."""
    container, scope = state_of(request).container, scope_of(request)
    edital, _ = await container.painel.cabecalhos(scope, edital_id, ())
    versoes = await container.resultados.versoes(scope, edital_id)
    common = frame(edital_id, edital.nome, "comparacao", len(versoes), fase=read_fase(fase or ("final" if depois == _FINAL else "")))
    escolhas = _choices(versoes, com_regras=edital.classificacao is not None)
    before, after = _chosen(antes, depois, versoes, [one for one, _ in escolhas])
    if not before or not after:
        return page(request, "triagem/resultado_comparacao.html", **common, escolhas=escolhas, antes="", depois="", comparadas=None)
    one, other = await _read(request, edital_id, before), await _read(request, edital_id, after)
    movidos = await asyncio.to_thread(lambda: moved(compare(one.conteudo, other.conteudo)))
    chosen = [of for of in movidos if not tipo or tipo in of.movimentos]
    at = min(pagina, max(1, -(-len(chosen) // _PER_PAGE)))
    rows = [MudancaVista.of(of) for of in chosen[(at - 1) * _PER_PAGE : at * _PER_PAGE]]
    query = {"antes": before, "depois": after, "tipo": tipo}
    fatia: Fatia[MudancaVista] = slice_of(rows, len(chosen), at, _PER_PAGE, query)
    here = f"{address_of(edital_id)}/comparacao"
    return page(
        request,
        "triagem/resultado_comparacao.html",
        **common,
        escolhas=escolhas,
        antes=before,
        depois=after,
        comparadas=(one.nome, other.nome),
        algo_mudou=bool(movidos),
        fichas=chips_of(movidos, tipo, f"{here}{link({'antes': before, 'depois': after})}&tipo="),
        fatia=fatia,
        aqui_mesmo=here,
        diferencas=differences(one.conteudo, other.conteudo),
    )


async def without_rules(request: Request, edital_id: str, error: SemClassificacao) -> Response:
    """An edital that does not say how notas become places, and what is to be done about it."""
    edital, _ = await state_of(request).container.painel.cabecalhos(scope_of(request), edital_id, ())
    return page(request, "triagem/resultado_sem_regras.html", **frame(edital_id, edital.nome, "lugares"), titulo=error.titulo)


class _Mostra:
    """The part of the main page that is about one category, or all."""

    def __init__(self, edital_id: str, lido: Lido, busca: Busca) -> None:
        grupos = groups_of(lido.conteudo)
        chosen = _category(grupos, busca)
        rows = rows_of(chosen, busca)
        at = min(busca.pagina, max(1, -(-len(rows) // _PER_PAGE)))
        shown = [show(one, lido.conteudo.criterios, lido.classificada) for one in rows[(at - 1) * _PER_PAGE : at * _PER_PAGE]]
        fatia: Fatia[LinhaVista] = slice_of(shown, len(rows), at, _PER_PAGE, busca.query)
        only = chosen[0] if len(chosen) == 1 else None
        self.context: dict[str, Any] = {
            "categorias": _tabs(edital_id, grupos, busca, only),
            "categoria": categoria_said(only.categoria) if only else "Todas as categorias",
            "categoria_atual": _current(grupos, only),
            "sem_vagas": only is not None and only.vagas is None,
            "vagas": seats_of(only) if only else (),
            "vagas_total": count(only.vagas.total, "vaga", "vagas") if only and only.vagas else "",
            "figura": figure_of(only, lido.conteudo.regras) if only else None,
            "fichas": _filters(edital_id, chosen, busca),
            "fatia": fatia,
        }


async def _read(request: Request, edital_id: str, which: str) -> Lido:
    """A version by its number, or the draft of a fase. Raises EditalNotFound, SemClassificacao, PublicacaoNotFound."""
    resultados, scope = state_of(request).container.resultados, scope_of(request)
    if which in {_RASCUNHO, _FINAL}:
        draft = await resultados.rascunho(scope, edital_id, read_fase("final" if which == _FINAL else ""))
        return Lido(draft.conteudo, rascunho=draft)
    version = await resultados.versao(scope, edital_id, int(which))
    return Lido(version.conteudo, publicada=version.publicada)


def _key(lido: Lido) -> str:
    return str(lido.publicada.versao) if lido.publicada else _FINAL if lido.conteudo.fase == "final" else _RASCUNHO


def _at(versoes: Sequence[Publicada], publicada: Publicada) -> int:
    return next(at for at, one in enumerate(versoes) if one.versao == publicada.versao)


def _withdrawn(lido: Lido) -> int | None:
    return len(lido.classificada.concorrencia.desistencias) if lido.classificada else None


def _summary(conteudo: Conteudo) -> str:
    vagas = conteudo.regras.vagas
    total = sum(one.total for one in vagas)
    worth = sum((one.valor * one.total for one in vagas if one.valor is not None), Decimal(0))
    told = [count(len(conteudo.linhas), "projeto", "projetos"), count(total, "vaga", "vagas")]
    money = f", {reais(worth)}" if worth else ""
    return f"{', '.join(told)}{money}. Só notas de pessoas entram na conta."


def _category(grupos: Sequence[Reunidos], busca: Busca) -> list[Reunidos]:
    """The category that is asked for; what is searched for is so in all of them, unless one is."""
    if busca.categoria == TODAS or len(grupos) <= 1 or (busca.q and not busca.categoria):
        return list(grupos)
    at = min(int(busca.categoria or 1), len(grupos))
    return [grupos[max(1, at) - 1]]


def _current(grupos: Sequence[Reunidos], only: Reunidos | None) -> str:
    return TODAS if only is None else str(grupos.index(only) + 1)


def _tabs(edital_id: str, grupos: Sequence[Reunidos], busca: Busca, only: Reunidos | None) -> list[tuple[str, str, str, str]]:
    """The categories as tabs, each with how many compete in it; none where there is but one."""
    if len(grupos) <= 1:
        return []
    address = address_of(edital_id)
    found = [
        (
            str(at),
            categoria_said(one.categoria),
            number(len(one.ordem) + len(one.fora)),
            address + link({**busca.query, "categoria": str(at)}),
        )
        for at, one in enumerate(grupos, 1)
    ]
    whole = sum(len(one.ordem) + len(one.fora) for one in grupos)
    return [*found, (TODAS, "Todas", number(whole), address + link({**busca.query, "categoria": TODAS}))]


def _filters(edital_id: str, grupos: Sequence[Reunidos], busca: Busca) -> list[tuple[str, str, bool]]:
    rows = [linha.lugar for one in grupos for linha in (*one.ordem, *one.fora)]
    found = []
    for code, words in MOSTRAR:
        many = sum(Busca(mostrar=code).shows(one) for one in rows)
        if many or code in {"", busca.mostrar}:
            found.append((f"{words} {number(many)}", address_of(edital_id) + link({**busca.query, "mostrar": code}), busca.mostrar == code))
    return found


def _choices(versoes: Sequence[Publicada], *, com_regras: bool) -> list[tuple[str, str]]:
    drafts = [(_RASCUNHO, "Rascunho de agora"), (_FINAL, "Rascunho de agora, como final")] if com_regras else []
    return [*drafts, *((str(one.versao), version_said(one).capitalize()) for one in versoes)]


def _chosen(antes: str, depois: str, versoes: Sequence[Publicada], keys: Sequence[str]) -> tuple[str, str]:
    """Both sides, the last version and the draft where the address says none; empty where there is nothing to compare with."""
    last = str(versoes[0].versao) if versoes else ""
    after = depois if depois in keys else (_RASCUNHO if _RASCUNHO in keys else last)
    before = antes if antes in keys else next((str(one.versao) for one in versoes if str(one.versao) != after), "")
    return before, after
