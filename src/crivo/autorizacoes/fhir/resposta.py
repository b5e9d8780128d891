"""From the decisions of a Claim to its ClaimResponse: what came of each item, why, and both messages. Source: FHIR R4, ClaimResponse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal, Mensagens
from crivo.autorizacoes.fhir.erros import SemClaim
from crivo.autorizacoes.fhir.recursos import MOST_ITEMS, DeUmClaim, Identifier, Reference
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.itens import APROVADAS, Numero, Respondido, numero_of, repartir
from crivo.autorizacoes.motivos import PEDIDO_INVALIDO, QUANTIDADE, find_motivo, frase
from crivo.autorizacoes.palavras import DECISOES
from crivo.autorizacoes.revisao.contracts import Revisao
from crivo.kernel.clock import BRASILIA

Outcome = Literal["complete", "partial", "queued"]
DECISAO: Final = "urn:crivo:decisao"
MOTIVO: Final = "urn:crivo:motivo"
ADJUDICACAO: Final = "urn:crivo:adjudicacao"
AUTORIZACAO: Final = "urn:crivo:autorizacao"
_PROFISSIONAL: Final = {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/claim-type", "code": "professional"}]}
_PORTUGUES: Final = {"coding": [{"system": "urn:ietf:bcp:47", "code": "pt-BR"}]}
_encode = msgspec.json.Encoder().encode


class _Etapas(msgspec.Struct):
    sintese: Decisao


class _Trilha(msgspec.Struct):
    etapas: _Etapas


class _Pedido(msgspec.Struct):
    fhir: DeUmClaim | None = None
    procedimento: dict[str, Any] = {}
    beneficiario: dict[str, Any] = {}
    data_pedido: str | None = None
    documentos_anexos: tuple[Any, ...] = ()


_read_trilha = msgspec.json.Decoder(_Trilha).decode
_read_pedido = msgspec.json.Decoder(_Pedido).decode


@dataclass(frozen=True, slots=True)
class Resultado(Respondido):
    """What came of one item; `ate_dias` is how long an approval is valid, `em` when it was decided.

    `do_codigo` is what was decided first, by the code, whatever a person decided since. `substituta` is the number of a later message
    of the Claim that stands in its place: what this one was given holds no more.
    """

    autorizacao: Autorizacao
    de: DeUmClaim
    pedida: int | float | None
    decisao: DecisaoFinal
    aprovada: int | float | None
    coparticipacao: int | float | None
    motivos: tuple[str, ...]
    mensagens: Mensagens
    ate_dias: int | None
    em: datetime
    do_codigo: DecisaoFinal
    beneficiario: str | None
    data_pedido: str
    documentos: tuple[str, ...]
    substituta: str | None = None


def claim_of(autorizacao: Autorizacao) -> DeUmClaim:
    """What a stored pedido keeps of its Claim. Raises `SemClaim` where it came by another door."""
    return _read(autorizacao)[1]


def _read(autorizacao: Autorizacao) -> tuple[_Pedido, DeUmClaim]:
    try:
        pedido = _read_pedido(autorizacao.pedido)
    except msgspec.DecodeError:
        raise SemClaim from None
    if pedido.fhir is None or not 0 < pedido.fhir.item <= pedido.fhir.itens <= MOST_ITEMS:
        raise SemClaim  # a pedido in JSON may bring anything under the same name
    return pedido, pedido.fhir


def resultado_of(autorizacao: Autorizacao, revisao: Revisao | None = None) -> Resultado:
    """What was decided of one item: by a person where there is a review, else by the code. Raises `SemClaim`."""
    pedido, de = _read(autorizacao)
    sintese = _read_trilha(autorizacao.trilha).etapas.sintese
    detalhe, motivos = sintese.detalhe_decisao, sintese.artefato_registro.motivos
    pedida = pedido.procedimento.get("quantidade")
    if revisao is None:
        decisao, aprovada, mensagens, em = sintese.decisao_final, detalhe.quantidade_aprovada, sintese.mensagens, autorizacao.recebida_em
    else:
        decisao, aprovada, mensagens, em = revisao.decisao_final, revisao.quantidade_aprovada, revisao.mensagens, revisao.decidida_em
        motivos = () if decisao == "APROVADO" else (QUANTIDADE,) if decisao == "APROVADO_PARCIAL" else motivos
    if decisao not in APROVADAS:
        aprovada = 0
    elif aprovada is None:
        aprovada = pedida
    return Resultado(
        autorizacao,
        de,
        pedida,
        decisao,
        aprovada,
        detalhe.coparticipacao_percentual,
        motivos,
        mensagens,
        detalhe.prazo_validade_autorizacao_dias,
        em,
        sintese.decisao_final,
        pedido.beneficiario.get("id"),
        pedido.data_pedido or "",
        tuple([one for one in pedido.documentos_anexos if isinstance(one, str)]),
    )


def outcome_of(resultados: Sequence[Resultado]) -> Outcome:
    """How far the request has come: `queued` where all of it waits, `partial` where some does. Source: FHIR R4, RemittanceOutcome."""
    waiting = [one.decisao == "PENDENTE_AJUSTES" for one in resultados]
    return "queued" if all(waiting) else "partial" if any(waiting) else "complete"


def pre_auth_ref(resultados: Sequence[Resultado]) -> str | None:
    """The number of an authorization, None where nothing is approved. One that was given stays, whatever people decide afterwards."""
    if not any(one.decisao in APROVADAS for one in resultados):
        return None
    return numero_of(next((one for one in resultados if one.do_codigo in APROVADAS), resultados[0]).autorizacao.id)


class _Respondido(NamedTuple):
    """One item of a Claim, with what it has of what was decided of the thing it asks for."""

    sequencia: int
    pedida: Numero | None
    aprovada: Numero | None
    resultado: Resultado


def _itens(one: Resultado) -> list[_Respondido]:
    if not one.de.linhas:
        return [_Respondido(one.de.sequencia, one.pedida, one.aprovada, one)]
    aprovadas = repartir(one.aprovada or 0, [linha.quantidade for linha in one.de.linhas])
    return [_Respondido(linha.sequencia, linha.quantidade, given, one) for linha, given in zip(one.de.linhas, aprovadas, strict=True)]


def _disposition(itens: Sequence[_Respondido]) -> str:
    """How many of the items are authorized as they were asked, in part, wait, are denied, and were given nothing of what others have."""
    negados = [item for item in itens if item.resultado.decisao == "NEGADO"]
    nada = [item for item in itens if item.resultado.decisao in APROVADAS and not item.aprovada]
    parciais = [item for item in itens if item.aprovada and item.aprovada != item.pedida]
    inteiros = [item for item in itens if item.aprovada and item.aprovada == item.pedida]
    esperam = [item for item in itens if item.resultado.decisao == "PENDENTE_AJUSTES"]
    said = f"{len(inteiros)} de {len(itens)} {'item autorizado' if len(itens) == 1 else 'itens autorizados'}"
    said += f", {len(parciais)} em parte" if parciais else ""
    said += f", {len(esperam)} {'pendente' if len(esperam) == 1 else 'pendentes'}" if esperam else ""
    said += f", {len(negados)} {'negado' if len(negados) == 1 else 'negados'}" if negados else ""
    return f"{said}, {len(nada)} sem nada autorizado." if nada else f"{said}."


def write(resultados: Sequence[Resultado], substituta: str | None = None) -> bytes:
    """The ClaimResponse, as JSON; the same decisions give the same bytes.

    `substituta` is the number of a later message of the Claim that stands in its place: what this one was given is told as cancelled.
    """
    resultados = [replace(one, substituta=substituta, aprovada=0 if substituta else one.aprovada) for one in resultados]
    cancelado = any(one.cancelado for one in resultados)
    first = resultados[0]
    claim = first.de.claim
    em = max(one.em for one in resultados).astimezone(BRASILIA).replace(microsecond=0)
    aprovados = [one for one in resultados if one.vale]
    notes = list(_notes(resultados))
    itens = sorted((item for one in resultados for item in _itens(one)), key=lambda item: item.sequencia)
    response: dict[str, Any] = {
        "resourceType": "ClaimResponse",
        "id": str(first.autorizacao.id),
        "identifier": [{"system": AUTORIZACAO, "value": str(one.autorizacao.id)} for one in resultados],
        "status": "cancelled" if cancelado else "active",
        "type": claim.type if claim.type is not None and (claim.type.coding or claim.type.text) else _PROFISSIONAL,
        "use": "preauthorization",
        "patient": _lasting(claim.patient, "Patient", first.beneficiario),
        "created": em.isoformat(),
        "insurer": _lasting(claim.insurer, "Organization", first.autorizacao.administradora_id),
        "requestor": None if claim.provider is None else _lasting(claim.provider, claim.provider.type, first.de.remetente),
        "request": {"type": "Claim", "identifier": claim.identifier} if claim.identifier is not None else None,
        "outcome": outcome_of(resultados),
        "disposition": f"Cancelado: vale a autorização {substituta}." if cancelado else _disposition(itens),
        "preAuthRef": None if cancelado else pre_auth_ref(resultados),
        "preAuthPeriod": _period(aprovados, em),
        "item": [
            _item(item, [n for n, (sequence, _, _) in enumerate(notes, 1) if sequence == item.resultado.de.sequencia]) for item in itens
        ],
        "processNote": [{"number": n, "type": kind, "text": text, "language": _PORTUGUES} for n, (_, kind, text) in enumerate(notes, 1)],
        "error": list(_errors(resultados)) or None,
    }
    return _encode({name: value for name, value in response.items() if value is not None})


def _lasting(reference: Reference, kind: str | None, number: str | None) -> Reference:
    """A reference that leads somewhere also outside of the message: by the number, where its place was only there."""
    if number is None or not (reference.reference or "").startswith("urn:uuid:"):
        return reference
    return Reference(type=kind, identifier=reference.identifier or Identifier(value=number))


def _period(aprovados: Sequence[Resultado], em: datetime) -> dict[str, str] | None:
    if not aprovados:
        return None
    period = {"start": em.date().isoformat()}
    prazos = [one.ate_dias for one in aprovados if one.ate_dias is not None]
    if prazos:
        period["end"] = (em.date() + timedelta(days=min(prazos))).isoformat()
    return period


def _decision(one: Resultado) -> dict[str, Any]:
    """How an item was decided; of what holds no more that it was replaced, so that nobody books by it."""
    if one.cancelado:
        return _coded(DECISAO, "SUBSTITUIDA", "Substituída")
    return _coded(DECISAO, one.decisao, DECISOES[one.decisao].palavra)


def _item(item: _Respondido, notes: list[int]) -> dict[str, Any]:
    one = item.resultado
    said: list[dict[str, Any]] = [
        {"category": _category("decisao"), "reason": _decision(one)},
        *[{"category": _category("motivo"), "reason": _coded(MOTIVO, motivo, frase(motivo))} for motivo in one.motivos],
    ]
    for name, value in (
        ("quantidade-pedida", item.pedida),
        ("quantidade-aprovada", item.aprovada),
        ("coparticipacao-percentual", one.coparticipacao),
    ):
        if isinstance(value, int | float):
            said.append({"category": _category(name), "value": value})
    if item.aprovada:
        said.append({"category": _category("autorizacao"), "reason": _coded(AUTORIZACAO, numero_of(one.autorizacao.id), "Autorização")})
    return {"itemSequence": item.sequencia, "noteNumber": notes, "adjudication": said}


def _category(name: str) -> dict[str, Any]:
    return {"coding": [{"system": ADJUDICACAO, "code": name}]}


def _coded(system: str, code: str, display: str) -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code, "display": display}]}


def _notes(resultados: Sequence[Resultado]) -> Iterator[tuple[int, str, str]]:
    """By item, 0 for all of them: its message to who asked, the one to the beneficiário, and what was presumed of it."""
    nova, antes = resultados[0].substituta, pre_auth_ref(resultados)
    if nova is not None:
        told = "é a de uma mensagem posterior deste mesmo Claim. Para pedir de novo, envie o Claim em outra mensagem."
        gone = f"A autorização {antes} foi cancelada. " if antes is not None else ""
        yield 0, "display", f"{gone}A autorização que vale, {nova}, {told}"
    for one in resultados:
        if one.cancelado:
            continue
        yield one.de.sequencia, "display", one.mensagens.para_solicitante
        yield one.de.sequencia, "print", one.mensagens.para_beneficiario
        for aviso in one.de.aviso:
            yield one.de.sequencia, "display", aviso
        if len(one.de.linhas) > 1:
            sequencias = [str(linha.sequencia) for linha in one.de.linhas]
            told = f"Os itens {', '.join(sequencias[:-1])} e {sequencias[-1]} pedem o mesmo, e foram decididos juntos."
            yield one.de.sequencia, "display", told
    first = resultados[0]
    if first.documentos:
        yield 0, "display", f"Documentos que chegaram com o Claim: {'; '.join(dict.fromkeys(first.documentos))}."
    if first.data_pedido > first.autorizacao.data_recebimento.isoformat():
        yield 0, "display", "A data do Claim (created) é posterior ao dia em que ele chegou."
    given = pre_auth_ref(resultados)
    for antes in dict.fromkeys(one.de.substitui for one in resultados if one.de.substitui and one.substituta is None):
        told = f"Substitui a autorização {antes}" if given else f"A autorização {antes} continua valendo"
        yield 0, "display", f"{told}: é deste mesmo Claim, em uma mensagem anterior."


def _errors(resultados: Sequence[Resultado]) -> Iterator[dict[str, Any]]:
    for one in resultados:
        if PEDIDO_INVALIDO in one.motivos:
            for motivo in one.motivos:
                known = find_motivo(motivo)
                if motivo != PEDIDO_INVALIDO:
                    code = _coded(MOTIVO, motivo, frase(motivo)) | ({"text": known.instrucao} if known and known.instrucao else {})
                    yield {"itemSequence": one.de.sequencia, "code": code}
