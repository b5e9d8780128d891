"""From the decisions of a Claim to its ClaimResponse: what came of each item, why, and both messages. Source: FHIR R4, ClaimResponse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal, Mensagens
from crivo.autorizacoes.fhir.erros import SemClaim
from crivo.autorizacoes.fhir.recursos import MOST_ITEMS, DeUmClaim
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.itens import numero_of
from crivo.autorizacoes.motivos import PEDIDO_INVALIDO, QUANTIDADE, find_motivo, frase
from crivo.autorizacoes.palavras import DECISOES
from crivo.autorizacoes.revisao.contracts import Revisao
from crivo.kernel.clock import BRASILIA

Outcome = Literal["complete", "partial", "queued", "error"]
DECISAO: Final = "urn:crivo:decisao"
MOTIVO: Final = "urn:crivo:motivo"
ADJUDICACAO: Final = "urn:crivo:adjudicacao"
AUTORIZACAO: Final = "urn:crivo:autorizacao"
_PROFISSIONAL: Final = {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/claim-type", "code": "professional"}]}
_PORTUGUES: Final = {"coding": [{"system": "urn:ietf:bcp:47", "code": "pt-BR"}]}
_APROVADAS: Final = ("APROVADO", "APROVADO_PARCIAL")
_encode = msgspec.json.Encoder().encode


class _Etapas(msgspec.Struct):
    sintese: Decisao


class _Trilha(msgspec.Struct):
    etapas: _Etapas


class _Pedido(msgspec.Struct):
    fhir: DeUmClaim | None = None
    procedimento: dict[str, Any] = {}


_read_trilha = msgspec.json.Decoder(_Trilha).decode
_read_pedido = msgspec.json.Decoder(_Pedido).decode


@dataclass(frozen=True, slots=True)
class Resultado:
    """What came of one item; `ate_dias` is how long an approval is valid, `em` when it was decided."""

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


def claim_of(autorizacao: Autorizacao) -> DeUmClaim:
    """What a stored pedido keeps of its Claim. Raises `SemClaim` where it came by another door."""
    return _read(autorizacao)[0]


def _read(autorizacao: Autorizacao) -> tuple[DeUmClaim, dict[str, Any]]:
    try:
        pedido = _read_pedido(autorizacao.pedido)
    except msgspec.DecodeError:
        raise SemClaim from None
    if pedido.fhir is None or not 0 < pedido.fhir.item <= pedido.fhir.itens <= MOST_ITEMS:
        raise SemClaim  # a pedido in JSON may bring anything under the same name
    return pedido.fhir, pedido.procedimento


def resultado_of(autorizacao: Autorizacao, revisao: Revisao | None = None) -> Resultado:
    """What was decided of one item: by a person where there is a review, else by the code. Raises `SemClaim`."""
    de, procedimento = _read(autorizacao)
    sintese = _read_trilha(autorizacao.trilha).etapas.sintese
    detalhe, motivos = sintese.detalhe_decisao, sintese.artefato_registro.motivos
    pedida = procedimento.get("quantidade")
    if revisao is None:
        decisao, aprovada, mensagens, em = sintese.decisao_final, detalhe.quantidade_aprovada, sintese.mensagens, autorizacao.recebida_em
    else:
        decisao, aprovada, mensagens, em = revisao.decisao_final, revisao.quantidade_aprovada, revisao.mensagens, revisao.decidida_em
        motivos = () if decisao == "APROVADO" else (QUANTIDADE,) if decisao == "APROVADO_PARCIAL" else motivos
    if decisao not in _APROVADAS:
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
    )


def outcome_of(resultados: Sequence[Resultado]) -> Outcome:
    """How far the request has come: `error` where nothing could be read, `queued` where all of it waits, `partial` where some does."""
    if all(PEDIDO_INVALIDO in one.motivos for one in resultados):
        return "error"
    waiting = [one.decisao == "PENDENTE_AJUSTES" for one in resultados]
    return "queued" if all(waiting) else "partial" if any(waiting) else "complete"


def write(resultados: Sequence[Resultado]) -> bytes:
    """The ClaimResponse, as JSON; the same decisions give the same bytes."""
    first = resultados[0]
    claim = first.de.claim
    em = max(one.em for one in resultados).astimezone(BRASILIA).replace(microsecond=0)
    aprovados = [one for one in resultados if one.decisao in _APROVADAS]
    notes = list(_notes(resultados))
    response: dict[str, Any] = {
        "resourceType": "ClaimResponse",
        "id": str(first.autorizacao.id),
        "identifier": [{"system": AUTORIZACAO, "value": str(one.autorizacao.id)} for one in resultados],
        "status": "active",
        "type": claim.type if claim.type is not None and (claim.type.coding or claim.type.text) else _PROFISSIONAL,
        "use": "preauthorization",
        "patient": claim.patient,
        "created": em.isoformat(),
        "insurer": claim.insurer,
        "requestor": claim.provider,
        "request": {"type": "Claim", "identifier": claim.identifier} if claim.identifier is not None else None,
        "outcome": outcome_of(resultados),
        "disposition": f"{len(aprovados)} de {len(resultados)} {'item autorizado' if len(resultados) == 1 else 'itens autorizados'}.",
        "preAuthRef": numero_of(aprovados[0].autorizacao.id) if aprovados else None,
        "preAuthPeriod": _period(aprovados, em),
        "item": [_item(one, [n for n, (sequence, _, _) in enumerate(notes, 1) if sequence == one.de.sequencia]) for one in resultados],
        "processNote": [{"number": n, "type": kind, "text": text, "language": _PORTUGUES} for n, (_, kind, text) in enumerate(notes, 1)],
        "error": list(_errors(resultados)) or None,
    }
    return _encode({name: value for name, value in response.items() if value is not None})


def _period(aprovados: Sequence[Resultado], em: datetime) -> dict[str, str] | None:
    if not aprovados:
        return None
    period = {"start": em.date().isoformat()}
    prazos = [one.ate_dias for one in aprovados if one.ate_dias is not None]
    if prazos:
        period["end"] = (em.date() + timedelta(days=min(prazos))).isoformat()
    return period


def _item(one: Resultado, notes: list[int]) -> dict[str, Any]:
    said: list[dict[str, Any]] = [
        {"category": _category("decisao"), "reason": _coded(DECISAO, one.decisao, DECISOES[one.decisao].palavra)},
        *[{"category": _category("motivo"), "reason": _coded(MOTIVO, motivo, frase(motivo))} for motivo in one.motivos],
    ]
    for name, value in (
        ("quantidade-pedida", one.pedida),
        ("quantidade-aprovada", one.aprovada),
        ("coparticipacao-percentual", one.coparticipacao),
    ):
        if isinstance(value, int | float):
            said.append({"category": _category(name), "value": value})
    return {"itemSequence": one.de.sequencia, "noteNumber": notes, "adjudication": said}


def _category(name: str) -> dict[str, Any]:
    return {"coding": [{"system": ADJUDICACAO, "code": name}]}


def _coded(system: str, code: str, display: str) -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code, "display": display}]}


def _notes(resultados: Sequence[Resultado]) -> Iterator[tuple[int, str, str]]:
    """By item: its message to who asked, the one to the beneficiário, and what was presumed of it."""
    for one in resultados:
        yield one.de.sequencia, "display", one.mensagens.para_solicitante
        yield one.de.sequencia, "print", one.mensagens.para_beneficiario
        for aviso in one.de.aviso:
            yield one.de.sequencia, "display", aviso


def _errors(resultados: Sequence[Resultado]) -> Iterator[dict[str, Any]]:
    for one in resultados:
        if PEDIDO_INVALIDO in one.motivos:
            for motivo in one.motivos:
                known = find_motivo(motivo)
                if motivo != PEDIDO_INVALIDO:
                    code = _coded(MOTIVO, motivo, frase(motivo)) | ({"text": known.instrucao} if known and known.instrucao else {})
                    yield {"itemSequence": one.de.sequencia, "code": code}
