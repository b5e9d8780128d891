"""`/admin/editais/{id}/resultado/publicar`: what would go out, exactly, and then a press that takes it as it was seen.

Nothing is published that is not what was shown: where something changed since, or somebody else published, the draft of now is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.clock import today
from crivo.kernel.errors import CrivoError
from crivo.triagem.atos import name_of
from crivo.triagem.classificacao.publicado import FaseDoResultado, LugarPublicado
from crivo.triagem.erros import PublicacaoImpedida, PublicacaoInvalida, ResultadoMudou, SemClassificacao, SementePublicada
from crivo.triagem.palavras import count, number, shown
from crivo.triagem.publicacao.comparacao import compare
from crivo.triagem.publicacao.diferencas import Diferenca, differences
from crivo.triagem.publicacao.guardados import Publicada, Rascunho
from crivo.triagem.publicacao.movimentos import Movido, moved
from crivo.triagem.publicacao.prazo import PrazoSugerido, suggest
from crivo.triagem.publicacao.quadro import Reunidos, groups_of
from crivo.triagem.publicacao.servico import running_deadline
from crivo.web.pages.formatos import dia, instante
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.resultado.comparadas import MudancaVista, figures_of
from crivo.web.pages.triagem.resultado.endereco import address_of, read_fase
from crivo.web.pages.triagem.resultado.moldura import frame
from crivo.web.pages.triagem.resultado.paginas import PAGE, without_rules
from crivo.web.pages.triagem.resultado.palavras import FASE, ROTULO, categoria_said, place_of, points_of, vaga_said, version_said
from crivo.web.pages.triagem.resultado.pronto import Conferencia, told_before
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PUBLISH: Final = f"{PAGE}/publicar"
MOTIVO_MAXIMO: Final = 2_000
_CHANGES: Final = 50
_ROWS: Final = 100  # of a category: of more the number is told, and the list itself is a page away
_REFUSED: Final = (ResultadoMudou, PublicacaoInvalida, PublicacaoImpedida, SementePublicada)


@dataclass(frozen=True, slots=True)
class Escrito:
    """What was written into the form, as it was."""

    motivo: str = ""
    recursos_ate: str | None = None
    anterior: int = 0


@dataclass(frozen=True, slots=True)
class Sai:
    """A category as it goes out: how many of each, and its first rows; `restantes` more."""

    categoria: str
    vagas: str
    quantos: tuple[str, ...]
    linhas: tuple[tuple[str, str, str, str, str, str], ...]
    restantes: int

    @classmethod
    def of(cls, grupo: Reunidos) -> Sai:
        """The category in words: of each row place, title, code and proponente, document, nota, what became of it."""
        ordered = [*grupo.ordem, *grupo.fora]
        kinds = [
            (um, muitos, sum(one.lugar.situacao in situacoes for one in ordered))
            for um, muitos, situacoes in (
                ("selecionado", "selecionados", ("selecionado",)),
                ("suplente", "suplentes", ("suplente",)),
                ("não classificado", "não classificados", ("nao_classificado",)),
                ("fora", "fora", ("desclassificado", "inabilitado", "pendente")),
            )
        ]
        rows = [
            (
                place_of(one.lugar),
                shown(one.projeto.titulo) or one.lugar.projeto_id,
                f"{one.lugar.projeto_id} · {shown(one.projeto.proponente)}",
                one.projeto.documento,
                points_of(one.lugar.nota_final),
                vaga_said(one.lugar.vaga) or _order(grupo, one.lugar.projeto_id) or _without(one.lugar),
            )
            for one in ordered[:_ROWS]
        ]
        return cls(
            categoria_said(grupo.categoria),
            count(grupo.vagas.total, "vaga", "vagas") if grupo.vagas else "sem vagas no edital",
            tuple([count(many, um, muitos) for um, muitos, many in kinds if many]),
            tuple(rows),
            max(0, len(ordered) - _ROWS),
        )


@router.get(_PUBLISH, response_class=Response)
async def prever(request: Request, edital_id: EditalId, fase: Annotated[str, Query(max_length=20)] = "") -> Response:
    """What would go out now; nothing is published yet."""
    return await _preview_page(request, edital_id, read_fase(fase), Escrito())


@router.post(_PUBLISH, response_class=Response)
async def publicar(request: Request, edital_id: EditalId) -> Response:
    """Publish what was shown as the next version."""
    fields = await read_form(request)
    fase = read_fase(fields.get("fase", ""))
    written = Escrito(fields.get("motivo", ""), fields.get("recursos_ate", ""), _number(fields.get("anterior", "")))
    try:
        made = await state_of(request).container.resultados.publicar(
            scope_of(request), edital_id, fase, fields.get("visto", ""), written.motivo, _day(written.recursos_ate or "")
        )
    except SemClassificacao as error:
        return await without_rules(request, edital_id, error)
    except _REFUSED as error:
        return await _preview_page(request, edital_id, fase, written, error)
    return RedirectResponse(f"{address_of(edital_id)}?versao={made.versao}&ok=resultado", status_code=303)


async def _preview_page(
    request: Request, edital_id: str, fase: FaseDoResultado, written: Escrito, recusa: CrivoError | None = None
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    try:
        rascunho = await container.resultados.rascunho(scope, edital_id, fase)
    except SemClassificacao as error:
        return await without_rules(request, edital_id, error)
    versoes = await container.resultados.versoes(scope, edital_id)
    edital, _ = await container.painel.cabecalhos(scope, edital_id, ())
    graves = await container.casos.graves_abertos(scope, edital_id)
    is_util = container.settings.calendario.is_business_day
    sugerido = suggest(edital.fases, today(container.clock), is_util) if fase == "preliminar" else None
    movidos, rules = await _against(request, edital_id, rascunho)
    announced = running_deadline(versoes, today(container.clock)) if sugerido else None
    first = max(sugerido.ate, announced or sugerido.ate) if sugerido else None
    given = written.recursos_ate if written.recursos_ate is not None else first.isoformat() if first else ""
    return page(
        request,
        "triagem/resultado_publicar.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        **frame(edital_id, edital.nome, "lugares", len(versoes)),
        fase=fase,
        fase_dita=FASE[fase],
        versao=number(rascunho.conteudo.versao),
        projetos=count(len(rascunho.conteudo.linhas), "projeto", "projetos"),
        visto=rascunho.sha256,
        semente=shown(rascunho.conteudo.semente),
        impedida=rascunho.impedida,
        pendencias=_pendencias(edital_id, rascunho, graves),
        sai=[Sai.of(one) for one in groups_of(rascunho.conteudo)],
        anterior=rascunho.anterior.versao if rascunho.anterior else 0,
        anterior_dita=version_said(rascunho.anterior) if rascunho.anterior else "",
        numeros=figures_of(movidos),
        mudou=[MudancaVista.of(one) for one in movidos[:_CHANGES]],
        mais_mudou=max(0, len(movidos) - _CHANGES),
        diferencas=rules,
        pede_motivo=any(one.fase == fase for one in versoes),
        motivo=written.motivo,
        motivo_maximo=MOTIVO_MAXIMO,
        recursos_ate=given,
        prazo=_deadline_said(sugerido, announced) if sugerido else "",
        recusa=recusa,
        outra=await _who_published(request, versoes, written) if isinstance(recusa, ResultadoMudou) else "",
    )


async def _against(request: Request, edital_id: str, rascunho: Rascunho) -> tuple[Sequence[Movido], tuple[Diferenca, ...]]:
    """What changed since the version in force; nothing where there is none."""
    if rascunho.anterior is None:
        return (), ()
    resultados = state_of(request).container.resultados
    before = (await resultados.versao(scope_of(request), edital_id, rascunho.anterior.versao)).conteudo
    return moved(compare(before, rascunho.conteudo)), differences(before, rascunho.conteudo)


async def _who_published(request: Request, versoes: Sequence[Publicada], written: Escrito) -> str:
    """Who published since the form was opened, what and why; empty where nobody did."""
    if not versoes or versoes[0].versao <= written.anterior:
        return ""
    last = versoes[0]
    nomes = await state_of(request).container.decisoes.nomes(scope_of(request), [last.publicada_por])
    why = f" Motivo: {shown(last.motivo)}" if last.motivo else ""
    who = shown(name_of(last.publicada_por, nomes))
    return f"{who} publicou a {version_said(last)}, em {instante(last.publicada_em)}.{why}"


def _pendencias(edital_id: str, rascunho: Rascunho, graves: int) -> list[Conferencia]:
    told = [told_before(one, edital_id) for one in rascunho.pendencias]
    if graves:
        said = count(graves, "caso grave está aberto", "casos graves estão abertos")
        told.append(Conferencia("atencao", f"{said}.", f"/admin/editais/{edital_id}/triagem-ia?aba=irregularidades"))
    return told


def _deadline_said(sugerido: PrazoSugerido, announced: date | None) -> str:
    if announced is not None:
        return f"O prazo já publicado vai até {dia(announced)}: ele pode ser alargado, e não encurtado."
    many = count(sugerido.uteis, "dia útil", "dias úteis")
    if sugerido.do_edital:
        return f"O edital diz até {dia(sugerido.ate)}, {many}."
    return f"Sugestão: {many} a partir de amanhã, até {dia(sugerido.ate)}, sem contar feriados e dias sem expediente. Mude se for preciso."


def _without(lugar: LugarPublicado) -> str:
    return shown(lugar.motivo) if lugar.posicao is None else ROTULO[lugar.situacao].palavra


def _order(grupo: Reunidos, codigo: str) -> str:
    at = grupo.suplencias.get(codigo)
    return f"{number(at)}º suplente" if at is not None else ""


def _day(text: str) -> date | None:
    """Raises PublicacaoInvalida where it is none."""
    if not text.strip():
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise PublicacaoInvalida("A data do prazo de recurso não está certa. Escolha o dia de novo, ou deixe em branco.") from None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0
