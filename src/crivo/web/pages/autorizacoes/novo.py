"""`/autorizacoes/novo`: a pedido on a form, with a search of procedures and what the regra asks before it is sent.

Nothing that is typed is in an address. What is sent and comes back is shown by a page that is opened, so that the way back works.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.formulario.documentos import tipos_da
from crivo.autorizacoes.formulario.preenchido import Preenchido, in_order, not_recognised, with_documents_read
from crivo.autorizacoes.formulario.procura import MOSTRADOS, Administradora
from crivo.autorizacoes.formulario.reaberto import CorrecaoDeOutraPorta
from crivo.autorizacoes.formulario.servico import DocumentoNaoReconhecido, FormularioIncompleto, Mesa, NumeroJaUsado
from crivo.autorizacoes.palavras import fonte_tecnica, nome_documento
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sigilo import DadosApagados
from crivo.web.pages.autorizacoes.novo_erros import ConfiraARegra
from crivo.web.pages.autorizacoes.novo_guardado import PAGE, decided, filled, kept, recusa_of, turned
from crivo.web.pages.autorizacoes.politicas.palavras import COBERTURAS, condicoes
from crivo.web.pages.formulario import read_choices
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_MAX_BYTES: Final = 60_000
_MAX_FIELDS: Final = 200
_FAMILIAS: Final = 5
_PLANOS: Final = 300
_OUTRA_PROCURA: Final = (
    "O código ou nome não é mais o que foi procurado. Nada foi enviado: confira o procedimento e o que a regra pede, e envie de novo."
)
_ANSWERED_HERE: Final = (Kind.MALFORMED, Kind.INVALID, Kind.TOO_LARGE, Kind.UNAVAILABLE, Kind.CONFLICT)
_ORDER: Final = (
    "administradora", "plano", "procura", "tabela", "quantidade", "valor", "beneficiario", "nascimento", "idade", "sexo", "carencia",
    "preexistencias", "usos", "prestador", "solicitante", "data_prevista", "outros_documentos", "pedido_id",
)  # fmt: skip
_ROTULOS: Final[Mapping[str, str]] = {
    "administradora": "Administradora",
    "plano": "Plano",
    "procura": "Procedimento",
    "tabela": "Tabela",
    "quantidade": "Quantidade",
    "valor": "Valor em reais",
    "beneficiario": "Número da carteirinha",
    "nascimento": "Data de nascimento",
    "idade": "Idade",
    "sexo": "Sexo",
    "carencia": "Dias de plano já cumpridos",
    "preexistencias": "Doenças preexistentes",
    "usos": "Usos anteriores",
    "prestador": "Prestador",
    "solicitante": "Quem solicita",
    "data_prevista": "Data prevista",
    "outros_documentos": "Outros documentos",
    "pedido_id": "Número do pedido",
}


@router.get(PAGE, response_class=Response)
async def abrir(request: Request, de: UUID | None = None, f: Annotated[str, Query(max_length=64)] = "") -> Response:
    """An empty form, that of a stored pedido to be corrected (`de`), or one that is being filled in (`f`)."""
    if de is not None:
        return await _reopened(request, de)
    rascunho = await kept(request, f) if f else None
    if rascunho is not None and rascunho.enviada is not None:
        return await _reopened(request, rascunho.enviada)
    if rascunho is not None:
        return await _shown(request, filled(rascunho), recusa_of(rascunho))
    return await _page(request, Preenchido({}), perdido=bool(f))


@router.post(PAGE, response_class=Response)
async def preencher(request: Request) -> Response:
    """Search, show what the regra asks, or send; sent, the page is the decision's."""
    fields, documentos = await read_choices(request, "documentos", max_bytes=_MAX_BYTES, max_fields=_MAX_FIELDS)
    typed = Preenchido({nome: _clean(valor) for nome, valor in fields.items()}, tuple(map(_clean, documentos)))
    preenchido = _chosen(typed)
    recusa: CrivoError | None = None
    if typed.of("acao") == "enviar":
        try:
            return await _sent(request, typed, preenchido)
        except NumeroJaUsado as error:
            preenchido, recusa = _told(preenchido, "numero_visto", preenchido.of("pedido_id")), error
        except CrivoError as error:
            if error.kind not in _ANSWERED_HERE:
                raise
            recusa = error
    return await turned(request, preenchido, recusa) or await _shown(request, preenchido, recusa)


async def _sent(request: Request, typed: Preenchido, preenchido: Preenchido) -> Response:
    """The way to the decision. Raises ConfiraARegra where the form shows another procedure or regra than it is sent for; as `enviar`."""
    if typed.of("codigo") and not preenchido.of("codigo"):
        raise ConfiraARegra(_OUTRA_PROCURA)
    a_mao = state_of(request).container.pedidos_a_mao
    dia, chave = a_mao.dia(typed.of("dia")), typed.of("chave")[:64]
    mesa = await a_mao.abrir(scope_of(request), preenchido, dia)
    if chave and mesa.pede is not None and mesa.pede.marca != typed.of("vista"):
        raise ConfiraARegra("Veja o que a regra pede para este procedimento e envie.")
    decidida = await a_mao.enviar(scope_of(request), preenchido, dia, chave or a_mao.nova_chave(), preenchido.of("numero_visto"))
    if not decidida.repetida:
        state_of(request).metrics.decided(decidida.autorizacao.decisao_final)
    return await decided(request, chave, decidida.autorizacao.id)


async def _reopened(request: Request, autorizacao_id: UUID) -> Response:
    try:
        reaberto = await state_of(request).container.pedidos_a_mao.reabrir(scope_of(request), autorizacao_id)
    except (CorrecaoDeOutraPorta, DadosApagados) as error:
        return await _page(request, Preenchido({}), error)
    preenchido = _told(_told(reaberto.preenchido, "corrige", str(autorizacao_id)), "numero_visto", reaberto.preenchido.of("pedido_id"))
    return await _page(request, preenchido, avisadas=reaberto.faltas, de_fora=reaberto.de_fora)


async def _shown(request: Request, preenchido: Preenchido, recusa: CrivoError | None) -> Response:
    return await _page(request, preenchido, recusa, conferir=preenchido.of("acao") == "ver")


def _told(preenchido: Preenchido, campo: str, valor: str) -> Preenchido:
    return Preenchido({**preenchido.campos, campo: valor}, preenchido.documentos)


def _clean(value: str) -> str:
    return value.replace("\0", "").encode("utf-8", "replace").decode()


def _chosen(preenchido: Preenchido) -> Preenchido:
    """With the code that was picked among those found for the words that stand there; other words choose nothing yet, whatever is asked."""
    if preenchido.of("procura") == preenchido.of("procurado"):
        return preenchido
    return _told(preenchido, "codigo", "")


async def _page(
    request: Request,
    preenchido: Preenchido,
    recusa: CrivoError | None = None,
    *,
    conferir: bool = False,
    avisadas: Mapping[str, str] | None = None,
    de_fora: Sequence[str] = (),
    perdido: bool = False,
) -> Response:
    """The form; `conferir` tells what is wrong with what is filled in, before anything is sent.

    `avisadas` is told beside its fields and refuses nothing yet, `de_fora` names what of a corrected pedido the form does not take along.
    `perdido` is whether a form was asked for that the browser does not keep any more.
    """
    a_mao = state_of(request).container.pedidos_a_mao
    dia = a_mao.dia(preenchido.of("dia"))
    mesa = await a_mao.abrir(scope_of(request), preenchido, dia)
    if not preenchido.of("administradora") and len(mesa.indice.administradoras) == 1:
        preenchido = _told(preenchido, "administradora", mesa.indice.administradoras[0].id)
        mesa = await a_mao.abrir(scope_of(request), preenchido, dia)
    found = _found(mesa, preenchido)
    if len(found) == 1 and not preenchido.of("codigo") and not mesa.parecidos:  # the only one there is need not be chosen
        preenchido = _told(preenchido, "codigo", found[0])
        mesa = await a_mao.abrir(scope_of(request), preenchido, dia)
    if conferir and recusa is None and mesa.faltas:
        recusa = FormularioIncompleto(mesa.faltas)
    faltas = recusa.faltas if isinstance(recusa, FormularioIncompleto) else avisadas or {}
    regra = mesa.pede.regra if mesa.pede else None
    preenchido = with_documents_read(preenchido, regra) if mesa.pede else preenchido
    outros, faltam = not_recognised(preenchido, regra)
    administradora = mesa.indice.find(preenchido.of("administradora"))
    return page(
        request,
        "autorizacoes/novo.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        campos={**preenchido.campos, "administradora": administradora.id if administradora else ""},
        marcados=preenchido.documentos,
        chave=preenchido.of("chave") or a_mao.nova_chave(),
        dia=dia.isoformat(),
        recusa=recusa,
        faltas=faltas,
        corrige=_address(preenchido.of("corrige")),
        numero_visto=preenchido.of("numero_visto"),
        mesmo_numero=bool(preenchido.of("pedido_id")) and preenchido.of("numero_visto") == preenchido.of("pedido_id"),
        de_fora=de_fora,
        onde=[(campo, f"{_ROTULOS.get(campo, campo)}: {falta}") for campo, falta in in_order(faltas, _ORDER)],
        administradoras=[(one.id, one.id) for one in mesa.indice.administradoras],
        plano=_spelled(administradora, preenchido.of("plano")),
        planos_a_escolher=_planos(administradora, preenchido.of("plano")),
        exemplo=_example(mesa, preenchido.of("administradora")),
        achados=[(codigo, mesa.indice.dito(preenchido.of("administradora"), codigo)) for codigo in found],
        familias=[f"{one.codigo} ({one.descricao})" for one in mesa.familias[:_FAMILIAS]],
        parecidos=bool(mesa.parecidos),
        mais=len(mesa.achados) > MOSTRADOS,
        procurou=bool(preenchido.of("procura")),
        escolhido=mesa.indice.descricao(preenchido.of("administradora"), preenchido.of("codigo")),
        pede=mesa.pede,
        cobertura=COBERTURAS[regra.cobertura] if regra else None,
        condicoes=condicoes(regra) if regra else (),
        fonte=fonte_tecnica(mesa.pede.fonte) if mesa.pede and mesa.pede.fonte else "",
        documentos=_documents(regra, preenchido),
        outros_vistos=preenchido.of("outros_documentos" if isinstance(recusa, DocumentoNaoReconhecido) else "outros_vistos"),
        perdido=perdido,
        nao_reconhecidos=[] if recusa else outros,
        faltam=[nome_documento(tipo) for tipo in faltam],
        regra=regra,
    )


def _address(corrige: str) -> str:
    """Where the decision is read whose pedido is corrected; empty where none is."""
    try:
        return f"/autorizacoes/{UUID(corrige)}" if corrige else ""
    except ValueError:
        return ""


def _spelled(administradora: Administradora | None, plano: str) -> str:
    """A plano as its administradora spells it."""
    known = administradora.planos if administradora else ()
    return next((one for one in known if fold_id(one) == fold_id(plano)), plano)


def _planos(administradora: Administradora | None, plano: str) -> list[tuple[str, str]]:
    """The planos to choose from, with what was typed before; empty where they are not known, or too many for a list."""
    known = administradora.planos if administradora else ()
    if not 0 < len(known) <= _PLANOS:
        return []
    chosen = _spelled(administradora, plano)
    others = [chosen] if chosen and chosen not in known else []
    return [("", "Escolha"), *[(one, one) for one in (*others, *known)]]


def _example(mesa: Mesa, administradora_id: str) -> str:
    """How to search, by something that is found."""
    one = mesa.indice.exemplo(administradora_id)
    return f"Como {one.codigo}, ou {one.descricao.split()[0].lower()}." if one else "O código, com os números, ou palavras do nome."


def _found(mesa: Mesa, preenchido: Preenchido) -> list[str]:
    """The codes that may be picked. One that was typed and that no política names may be picked too."""
    found = [one.codigo for one in (mesa.achados or mesa.parecidos)[:MOSTRADOS]]
    typed = "".join(char for char in preenchido.of("procura") if char not in ".-/ ")
    if typed.isascii() and typed.isdigit() and len(typed) > 4 and typed not in found:
        found.append(typed)
    chosen = preenchido.of("codigo")
    if chosen and chosen not in found:
        found.insert(0, chosen)
    return found


def _documents(regra: Regra | None, preenchido: Preenchido) -> list[tuple[str, str]]:
    """The documents that may be ticked: those of the regra, and those that were ticked before."""
    asked = tipos_da(regra)
    return [(tipo, nome_documento(tipo).capitalize()) for tipo in dict.fromkeys((*asked, *preenchido.documentos)) if tipo]
