"""`/admin/editais/{id}/classificacao`: how notas become places is written, tried over the projects while it is written, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.chamadas.publicada import MOTIVO_MAXIMO, MOTIVO_MINIMO, semente_of
from crivo.triagem.chamadas.servico import Aberta
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.edital import Chamada
from crivo.triagem.ensaio import LONGEST_LOOK_SECONDS, Ensaiada
from crivo.triagem.erros import MudancaRecusada, MudancaSemMotivo, SementePublicada
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.formatos import numero
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.chamada.leitura import Erro
from crivo.web.pages.triagem.chamada.palavras import OPERADOR
from crivo.web.pages.triagem.regras.escrito import REGRAS, Escrito, apply_act, read_fields
from crivo.web.pages.triagem.regras.leitura import Lidas, read_regras, row_said, tell
from crivo.web.pages.triagem.regras.mostra import copied, show, suggest
from crivo.web.pages.triagem.regras.previa import PreviaVista
from crivo.web.pages.triagem.regras.vista import Formulario, MudancasVistas, ParteVista
from crivo.web.problems import headers_of, status_of
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/classificacao"
_QUICK_SECONDS: Final = 1.5
"""For how long projects are opened for a page that nobody asked figures of; with more of them it says how to have them counted."""
_FORM_BYTES: Final = 4_000_000
_MOST_FIELDS: Final = 20_000
_ACT: Final = "acao"
_CHECKED: Final = "conferido"
_COPY: Final = "copiar_de"
_ANSWERED_HERE: Final = (Kind.CONFLICT, Kind.INVALID)
_SEM_MOTIVO: Final = Erro("motivo", f"Diga por que as regras mudam, em {numero(MOTIVO_MINIMO)} a {numero(MOTIVO_MAXIMO)} letras.")


@dataclass(frozen=True, slots=True)
class _Mostrada:
    """What is to be shown: the form, what was read of it, what came of trying it, and whether it waits to be confirmed."""

    escrito: Escrito
    visto: int
    lidas: Lidas | None = None
    recusa: CrivoError | None = None
    confere: bool = False
    motivo: str = ""
    feito: str = ""
    quieta: bool = False  # somebody is still writing: what is wrong is not told at the fields yet
    depressa: bool = False  # nobody asked for the figures: they are shown where they cost nothing


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId) -> Response:
    """The rules of an edital as they stand, and what they give."""
    aberta = await state_of(request).container.chamadas.abrir(scope_of(request), edital_id)
    regras = aberta.chamada.edital.classificacao
    lidas = None if regras is None else Lidas(aberta.chamada, ())
    escrito = show(regras or Classificacao(), aberta.chamada.criterios)
    return await _page(request, aberta, _Mostrada(escrito, aberta.visto, lidas, depressa=True))


@router.post(_PAGE, response_class=Response)
async def mudar(request: Request, edital_id: EditalId) -> Response:
    """Change a row, begin from other rules, try what stands there, show what changes, or keep it as it was last shown."""
    escrito, fields = await _read(request)
    aberta = await state_of(request).container.chamadas.abrir(scope_of(request), edital_id)
    visto, acao, motivo = _number(fields.get("visto", "")), fields.get(_ACT, ""), fields.get("motivo", "")
    if apply_act(escrito, acao):
        return await _page(request, aberta, _begun(escrito, aberta, visto, motivo))
    if acao == "sugerir":
        suggest(escrito, aberta.chamada.criterios)
        return await _page(request, aberta, _begun(escrito, aberta, visto, motivo, "sugerido"))
    if acao == "copiar":
        return await _copied(request, aberta, escrito, visto, fields.get(_COPY, ""))
    lidas = read_regras(escrito, aberta.chamada)
    if lidas.chamada is None or acao == "previa":
        return await _page(request, aberta, _Mostrada(escrito, visto, lidas, motivo=motivo))
    if not _is_checked(fields, aberta.chamada, lidas.chamada):
        return await _page(request, aberta, _Mostrada(escrito, visto, lidas, confere=True, motivo=motivo))
    return await _kept(request, aberta, _Mostrada(escrito, visto, lidas, motivo=motivo), lidas.chamada)


@router.post(f"{_PAGE}/previa", response_class=Response)
async def prever(request: Request, edital_id: EditalId) -> Response:
    """What the rules in the form would give, as the part of the page that shows it."""
    escrito, _ = await _read(request)
    aberta = await state_of(request).container.chamadas.abrir(scope_of(request), edital_id)
    lidas = read_regras(escrito, aberta.chamada)
    ensaiada = await _tried(request, edital_id, lidas.regras) if lidas.regras is not None else None
    return page(request, "triagem/regras_previa.html", previa=_preview(aberta, escrito, lidas, ensaiada))


async def _kept(request: Request, aberta: Aberta, mostrada: _Mostrada, chamada: Chamada) -> Response:
    edital_id = aberta.chamada.edital.id
    container, scope = state_of(request).container, scope_of(request)
    try:
        await container.chamadas.salvar(scope, edital_id, chamada, mostrada.visto, mostrada.motivo)
    except SementePublicada as error:
        erro = Erro(f"{REGRAS}.semente", error.mensagem, row_said(f"{REGRAS}.semente", mostrada.escrito))
        return await _page(request, aberta, _with(mostrada, Lidas(chamada, (erro,)), error))
    except MudancaSemMotivo as error:
        return await _page(request, aberta, _with(mostrada, Lidas(chamada, (_SEM_MOTIVO,)), error, confere=True))
    except MudancaRecusada as error:
        return await _page(request, aberta, _with(mostrada, Lidas(None, tell(error.problemas, mostrada.escrito)), error))
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE:
            raise
        return await _page(request, aberta, _with(mostrada, mostrada.lidas, error))
    return RedirectResponse(f"{_PAGE.format(edital_id=edital_id)}?ok=alterado", status_code=303)


async def _copied(request: Request, aberta: Aberta, escrito: Escrito, visto: int, de: str) -> Response:
    """The rules of another edital in the form; where it has none any more, the form as it was."""
    container, scope = state_of(request).container, scope_of(request)
    moldes = {um.edital_id for um in await container.ensaio.copiaveis(scope, aberta.chamada.edital.id)}
    regras = await container.ensaio.regras_de(scope, de) if de in moldes else None
    if regras is None:
        return await _page(request, aberta, _begun(escrito, aberta, visto))
    semente = escrito.regras.get("semente", [])
    other = show(copied(regras), aberta.chamada.criterios)
    other.regras["semente"] = semente
    return await _page(request, aberta, _begun(other, aberta, visto, feito="copiado"))


def _with(mostrada: _Mostrada, lidas: Lidas | None, recusa: CrivoError, *, confere: bool = False) -> _Mostrada:
    return _Mostrada(mostrada.escrito, mostrada.visto, lidas, recusa, confere, mostrada.motivo)


def _begun(escrito: Escrito, aberta: Aberta, visto: int, motivo: str = "", feito: str = "") -> _Mostrada:
    """A form that somebody is still writing."""
    lidas = read_regras(escrito, aberta.chamada)
    return _Mostrada(escrito, visto, lidas, motivo=motivo, feito=feito, quieta=True, depressa=True)


async def _read(request: Request) -> tuple[Escrito, dict[str, str]]:
    """The form, and its fields beside the rules' own. Raises FormularioDeFora, CorpoGrandeDemais."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=_MOST_FIELDS) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        fields = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
    return read_fields(fields), {name: value for name, value in fields if "." not in name}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _is_checked(fields: dict[str, str], antes: Chamada, depois: Chamada) -> bool:
    """Whether what is to be kept is what was shown to change."""
    return fields.get(_ACT) == "confirmar" and fields.get(_CHECKED) == _fingerprint(antes, depois)


def _fingerprint(antes: Chamada, depois: Chamada) -> str:
    from crivo.triagem.quadro import digest_of  # here, as hardly any page needs it

    return digest_of((antes.edital.classificacao, depois.edital.classificacao)).hex()[:32]


async def _tried(request: Request, edital_id: str, regras: Classificacao | None, seconds: float = LONGEST_LOOK_SECONDS) -> Ensaiada:
    hold(request, state_of(request).ensaios)
    return await state_of(request).container.ensaio.prever(scope_of(request), edital_id, regras, seconds=seconds)


def _preview(aberta: Aberta, escrito: Escrito, lidas: Lidas | None, ensaiada: Ensaiada | None) -> PreviaVista:
    if lidas is None or ensaiada is None:
        return PreviaVista.wrong(lidas.erros if lidas else ())
    regras = lidas.regras
    if regras is None:
        return PreviaVista.wrong(lidas.erros)
    avisos = (*lidas.avisos, *tell(ensaiada.prevista.avisos if ensaiada.prevista else (), escrito))
    return PreviaVista.of(ensaiada, avisos, ParteVista.all_of(regras, aberta.chamada.criterios, aberta.chamada.edital))


async def _page(request: Request, aberta: Aberta, mostrada: _Mostrada) -> Response:
    container, scope, edital = state_of(request).container, scope_of(request), aberta.chamada.edital
    lidas, recusa = mostrada.lidas, mostrada.recusa
    regras = lidas.regras if lidas else None
    ensaiada = await _tried(request, edital.id, regras, _QUICK_SECONDS if mostrada.depressa else LONGEST_LOOK_SECONDS)
    erros = lidas.erros if lidas and not mostrada.quieta else ()
    counted = not mostrada.depressa or ensaiada.vistos == ensaiada.total
    status = status_of(recusa) if recusa else 422 if erros else 200
    return page(
        request,
        "triagem/regras.html",
        status,
        headers_of(recusa) if recusa else {},
        endereco=_PAGE.format(edital_id=edital.id),
        edital=edital,
        aberta=aberta,
        visto=mostrada.visto,
        formulario=Formulario.of(mostrada.escrito, aberta.chamada.criterios, ensaiada.campos, _categories(aberta), erros),
        previa=_preview(aberta, mostrada.escrito, lidas, ensaiada if counted else None),
        por_contar=not counted,
        recusa=recusa,
        por_gravar=request.method == "POST",
        sem_regras=edital.classificacao is None,
        feito_agora=mostrada.feito,
        moldes=await container.ensaio.copiaveis(scope, edital.id),
        operadores=list(OPERADOR.items()),
        semente=semente_of(edital),
        motivo=mostrada.motivo,
        motivo_letras=(MOTIVO_MINIMO, MOTIVO_MAXIMO),
        **_changes(aberta, lidas, confere=mostrada.confere),
    )


def _changes(aberta: Aberta, lidas: Lidas | None, *, confere: bool) -> dict[str, Any]:
    """What is to be confirmed, in words, and the mark of what was shown."""
    if not confere or lidas is None or lidas.chamada is None or lidas.regras is None:
        return {"confere": False, "mudancas": None, "conferido": ""}
    antes, criterios = aberta.chamada.edital.classificacao, aberta.chamada.criterios
    mudancas = MudancasVistas.between(antes, lidas.regras, criterios, aberta.chamada.edital)
    return {"confere": True, "mudancas": mudancas, "conferido": _fingerprint(aberta.chamada, lidas.chamada)}


def _categories(aberta: Aberta) -> Sequence[tuple[str, int]]:
    """The categories of the edital and of its projects, with how many projects say each."""
    of_edital = {nome: aberta.categorias.get(nome, 0) for nome in aberta.chamada.edital.categorias}
    others = {nome: quantos for nome, quantos in aberta.categorias.items() if nome.strip()}
    return sorted((of_edital | others).items(), key=lambda pair: (-pair[1], pair[0]))
