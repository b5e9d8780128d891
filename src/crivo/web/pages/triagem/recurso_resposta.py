"""`/admin/editais/{id}/recursos/{numero}`: a recurso with what was decided, its answer, and what the answer does before it counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Annotated, Final, get_args
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError
from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.atos import name_of, when
from crivo.triagem.erros import NadaADesfazer
from crivo.triagem.guardados import DecisaoHabilitacao
from crivo.triagem.palavras import HABILITACAO, shown
from crivo.triagem.recursos.contratos import CampoCorrigido, Desfecho, Mudanca, NotaRevista, Proposta, Redecidida
from crivo.triagem.recursos.erros import EfeitoMudou, RecursoJaRespondido, RespostaDeQuemDecidiu, RespostaInvalida
from crivo.triagem.recursos.palavras import DESFECHO, DESFECHO_EXPLICADO, change_said
from crivo.triagem.recursos.proposta import LONGEST_REASON, LONGEST_VALUE, LONGEST_WHY, SHORTEST_UNDOING
from crivo.triagem.recursos.servico import PreviaDeResposta, RecursoAberto
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.recurso_vista import RecursoVisto, base_of, criterios_by_id, movimentos_vistos, notas_vistas
from crivo.web.problems import headers_of, status_of
from crivo.web.state import pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/recursos/{numero}"
_FORM_BYTES: Final = 400_000
_MOST_FIELDS: Final = 1_000
_HERE: Final = (RespostaInvalida, RespostaDeQuemDecidiu, RecursoJaRespondido, EfeitoMudou, NadaADesfazer)
_SITUACOES: Final[tuple[HabilitacaoSugerida, ...]] = get_args(HabilitacaoSugerida)
_DESFECHOS: Final[tuple[Desfecho, ...]] = get_args(Desfecho)
Numero = Annotated[int, Path(ge=1, le=1_000_000_000)]


@dataclass(frozen=True, slots=True)
class _Escrita:
    """An answer as it was typed: its fields by their names."""

    campos: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        return self.campos.get(name, "")


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """The recurso, and the form of its answer for whoever may give it."""
    return await _page(request, edital_id, numero)


@router.get(f"{_PAGE}/resposta", response_class=Response)
async def voltar(edital_id: EditalId, numero: Numero) -> Response:
    """Where an answer is written."""
    return RedirectResponse(f"{base_of(edital_id)}/{numero}", status_code=303)


@router.post(f"{_PAGE}/resposta", response_class=Response)
async def responder(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """First what the answer would do, to be looked at; once that was seen, the answer. What is refused comes back as it was written."""
    escrita, recursos, scope = await _read(request), state_of(request).container.recursos, scope_of(request)
    if escrita.get("acao") == "corrigir":
        return await _page(request, edital_id, numero, escrita)
    try:
        proposta = _proposal(escrita)
        if not escrita.get("visto"):
            return await _foreseen(request, edital_id, await recursos.prever(scope, edital_id, numero, proposta), escrita)
        try:
            await recursos.responder(scope, edital_id, numero, proposta, escrita.get("visto"))
        except EfeitoMudou as error:
            return await _foreseen(request, edital_id, await recursos.prever(scope, edital_id, numero, proposta), escrita, error)
    except _HERE as error:
        return await _page(request, edital_id, numero, escrita, error)
    return RedirectResponse(f"{base_of(edital_id)}/{numero}?ok=recurso_respondido", status_code=303)


@router.post(f"{_PAGE}/desfazer", response_class=Response)
async def desfazer(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """Take the answer back, for a reason; what is refused comes back as it was written."""
    escrita = _Escrita(await read_form(request))
    try:
        await state_of(request).container.recursos.desfazer(scope_of(request), edital_id, numero, escrita.get("desfazer"))
    except (NadaADesfazer, RespostaInvalida) as error:
        return await _page(request, edital_id, numero, escrita, error)
    return RedirectResponse(f"{base_of(edital_id)}/{numero}?ok=recurso_desfeito", status_code=303)


async def _page(
    request: Request, edital_id: str, numero: int, escrita: _Escrita | None = None, recusa: CrivoError | None = None
) -> Response:
    aberto: RecursoAberto = await state_of(request).container.recursos.abrir(scope_of(request), edital_id, numero)
    base, written = base_of(edital_id), escrita or _Escrita()
    return page(
        request,
        "triagem/recurso.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital=shown(aberto.edital_nome),
        base=base,
        triagem=f"/admin/editais/{quote(edital_id, safe='')}/triagem-ia",
        mesa=f"/admin/editais/{quote(edital_id, safe='')}/mesa/{quote(aberto.recurso.projeto_id, safe='')}",
        recurso=RecursoVisto.of(aberto.recurso, None, criterios_by_id(aberto), aberto.nomes, base),
        titulo=shown(aberto.projeto.titulo),
        proponente=shown(aberto.projeto.proponente.nome),
        decisoes=_decisions(aberto),
        notas=notas_vistas(aberto),
        impedimento=aberto.impedimento,
        quem_pode=aberto.quem_pode,
        redecide=aberto.redecide,
        responde=pode(request, "triagem.responder_recursos") and not aberto.impedimento and aberto.recurso.aberto and not aberto.apagado,
        situacoes=[("", "Fica como está"), *((one, HABILITACAO[one].palavra) for one in _SITUACOES if one != _stands(aberto))],
        desfechos=[(one, DESFECHO_EXPLICADO[one]) for one in _DESFECHOS],
        corrigiveis=[(campo, shown(valor)) for campo, valor in aberto.corrigiveis.items()],
        pode_desfazer=aberto.pode_desfazer,
        escrita=written,
        recusa=recusa,
        desfazer_minimo=SHORTEST_UNDOING,
        motivo_maximo=LONGEST_REASON,
        porque_maximo=LONGEST_WHY,
        valor_maximo=LONGEST_VALUE,
    )


async def _foreseen(
    request: Request, edital_id: str, previa: PreviaDeResposta, escrita: _Escrita, recusa: CrivoError | None = None
) -> Response:
    aberto: RecursoAberto = await state_of(request).container.recursos.abrir(scope_of(request), edital_id, previa.recurso.numero)
    criterios = criterios_by_id(aberto)
    movimentos, outros = movimentos_vistos(previa)
    mudancas = [
        shown(change_said(one, criterios, name_of(one.avaliador, previa.nomes) if isinstance(one, NotaRevista) else ""))
        for one in previa.proposta.mudancas
    ]
    moves = previa.efeito.movimentos if previa.efeito else ()
    kept = {name: value for name, value in escrita.campos.items() if value and name not in ("csrf", "visto", "acao")}
    return page(
        request,
        "triagem/recurso_previa.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital=shown(aberto.edital_nome),
        base=base_of(edital_id),
        numero=previa.recurso.numero,
        projeto=previa.recurso.projeto_id,
        desfecho=DESFECHO[previa.proposta.desfecho],
        motivo=shown(previa.proposta.motivo),
        mudancas=mudancas,
        com_lista=previa.efeito is not None,
        entram=sum(one.sentido == "entra" for one in moves),
        saem=sum(one.sentido == "sai" for one in moves),
        mudam=sum(one.sentido == "move" for one in moves),
        movimentos=movimentos,
        outros=outros,
        visto=previa.visto,
        ocultos=list(kept.items()),
        recusa=recusa,
    )


async def _read(request: Request) -> _Escrita:
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=_MOST_FIELDS) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        return _Escrita({name: value.replace("\0", "") for name, value in form.items() if isinstance(value, str)})


def _proposal(escrita: _Escrita) -> Proposta:
    """The answer that was typed. Raises RespostaInvalida."""
    desfecho = next((one for one in _DESFECHOS if one == escrita.get("desfecho")), None)
    if desfecho is None:
        raise RespostaInvalida("Escolha o desfecho.", campo="desfecho")
    return Proposta(desfecho, escrita.get("motivo"), tuple(_changes(escrita)))


def _changes(escrita: _Escrita) -> list[Mudanca]:
    found: list[Mudanca] = []
    situacao = next((one for one in _SITUACOES if one == escrita.get("situacao")), None)
    if situacao is not None:
        found.append(Redecidida(situacao))
    for name, value in escrita.campos.items():
        kind, _, of = name.partition(":")
        if not value.strip():
            continue
        if kind == "nota":
            criterio, _, avaliador = of.rpartition("|")
            found.append(NotaRevista(criterio, _uuid(avaliador), _decimal(value), escrita.get(f"porque:{of}")))
        elif kind == "campo":
            found.append(CampoCorrigido(of, value, escrita.get(f"porque-campo:{of}")))
    return found


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise RespostaInvalida("Esta nota não conta mais para o projeto. Abra o recurso de novo.", campo="mudancas") from None


def _decimal(text: str) -> Decimal:
    try:
        found = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite() or len(text) > 20:
        raise RespostaInvalida("Escreva a nota nova com algarismos, como 8 ou 7,5.", campo="mudancas")
    return found


def _stands(aberto: RecursoAberto) -> HabilitacaoSugerida | None:
    return aberto.decisao.decisao if aberto.decisao else None


def _decisions(aberto: RecursoAberto) -> list[tuple[str, str, str, str]]:
    """What was decided of the habilitação, the one in force first: its word, by whom, when, and why."""
    told: list[DecisaoHabilitacao] = [aberto.decisao, *aberto.decisao.anteriores] if aberto.decisao else []
    return [
        (HABILITACAO[one.decisao].palavra, name_of(one.decidido_por, aberto.nomes), when(one.decidido_em), shown(one.motivo))
        for one in told
    ]
