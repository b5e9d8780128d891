"""Labelled texts: how a file of them is read, and how well the check does on them, with recall by kind and false alarms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, get_args

import msgspec

from crivo.autorizacoes.redacao.conferencia import FALHAS, Veredito, conferir
from crivo.autorizacoes.redacao.insumos import Campo, Decidido, Falha
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.taxas import proportion


class Esperado(msgspec.Struct, frozen=True):
    """The label of a case."""

    ok: bool
    falha: Falha | None = None


class Caso(msgspec.Struct, frozen=True):
    """One labelled text for a field, with the decision that it is about."""

    id: str
    campo: Campo
    texto: str
    decisao: Decidido
    esperado: Esperado


class ConjuntoInvalido(CrivoError):
    """The file of labelled texts is not in the format of one."""

    codigo: ClassVar[str] = "conjunto_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Conjunto fora do formato"


def read_casos(raw: bytes) -> tuple[Caso, ...]:
    """The cases of a JSON document: a list, or an object with the list under `redacao` or `casos`. Raises ConjuntoInvalido."""
    try:
        document = msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise ConjuntoInvalido(f"O conjunto não é JSON ({error}).") from error
    listed = document.get("redacao", document.get("casos")) if isinstance(document, dict) else document
    if not isinstance(listed, list):
        raise ConjuntoInvalido('O conjunto precisa ser uma lista de casos, ou um objeto com a lista em "redacao".')
    problemas: list[Problem] = []
    casos = [caso for position, one in enumerate(listed) if (caso := _read_caso(one, position, problemas)) is not None]
    if problemas:
        message = (
            f"{len(problemas)} de {len(listed)} casos não podem ser lidos; o primeiro: {problemas[0].caminho}: {problemas[0].mensagem}"
        )
        raise ConjuntoInvalido(message, problemas)
    return tuple(casos)


def _read_caso(one: object, position: int, problemas: list[Problem]) -> Caso | None:
    where = str(one.get("id", f"[{position}]")) if isinstance(one, dict) else f"[{position}]"
    if isinstance(one, dict) and not isinstance(one.get("decisao"), dict):
        told = 'em "decisao" vai o documento inteiro da decisão, com o bloco "pedido": remissões a outro caso não são aceitas.'
        problemas.append(Problem(told, where, codigo="decisao_nao_e_objeto"))
        return None
    if isinstance(one, dict) and isinstance(campo := one.get("campo"), str):
        one = {**one, "campo": campo.rpartition(".")[2]}
    try:
        return msgspec.convert(one, Caso)
    except msgspec.ValidationError as error:
        problemas.append(Problem(f'cada caso tem "id", "decisao", "campo", "texto" e "esperado" ({error}).', where, codigo="caso_invalido"))
        return None


def avaliar(casos: Sequence[Caso]) -> dict[str, Any]:
    """`{"metricas": …, "casos": [{"id", "obtido": {"ok", "falha", "falhas"}, "esperado", "certo", "achados"}]}` of labelled texts.

    A case is `certo` when `ok` agrees. Recall of a kind is over the cases labelled with it: `pegos` when the text is held back for whatever
    reason, `pelo_tipo` when that kind is among the faults found. Proportions carry their 95 % Wilson interval.
    """
    verdicts = [(caso, conferir(caso.texto, caso.campo, caso.decisao)) for caso in casos]
    return {"metricas": _metrics(verdicts), "casos": [_line(caso, verdict) for caso, verdict in verdicts]}


def _metrics(verdicts: Sequence[tuple[Caso, Veredito]]) -> dict[str, Any]:
    faulty = [(caso, verdict) for caso, verdict in verdicts if not caso.esperado.ok]
    fine = [verdict for caso, verdict in verdicts if caso.esperado.ok]
    return {
        "casos": len(verdicts),
        "recall": proportion(sum(not verdict.ok for _, verdict in faulty), len(faulty)),
        "alarmes_falsos": proportion(sum(not verdict.ok for verdict in fine), len(fine)),
        "falha_exata": proportion(sum(verdict.falha == caso.esperado.falha for caso, verdict in faulty), len(faulty)),
        "por_falha": {falha: _of_kind(falha, verdicts) for falha in FALHAS},
        "por_campo": {campo: _of_field(campo, verdicts) for campo in get_args(Campo)},
    }


def _of_kind(falha: Falha, verdicts: Sequence[tuple[Caso, Veredito]]) -> dict[str, Any]:
    labelled = [verdict for caso, verdict in verdicts if caso.esperado.falha == falha]
    fine = [verdict for caso, verdict in verdicts if caso.esperado.ok]
    return {
        "pegos": proportion(sum(not verdict.ok for verdict in labelled), len(labelled)),
        "pelo_tipo": proportion(sum(falha in verdict.falhas for verdict in labelled), len(labelled)),
        "alarmes_falsos": proportion(sum(falha in verdict.falhas for verdict in fine), len(fine)),
    }


def _of_field(campo: str, verdicts: Sequence[tuple[Caso, Veredito]]) -> dict[str, Any]:
    told = [(caso, verdict) for caso, verdict in verdicts if caso.campo == campo]
    faulty = [verdict for caso, verdict in told if not caso.esperado.ok]
    fine = [verdict for caso, verdict in told if caso.esperado.ok]
    return {
        "recall": proportion(sum(not verdict.ok for verdict in faulty), len(faulty)),
        "alarmes_falsos": proportion(sum(not verdict.ok for verdict in fine), len(fine)),
    }


def _line(caso: Caso, verdict: Veredito) -> dict[str, Any]:
    return {
        "id": caso.id,
        "obtido": {"ok": verdict.ok, "falha": verdict.falha, "falhas": list(verdict.falhas)},
        "esperado": {"ok": caso.esperado.ok, "falha": caso.esperado.falha},
        "certo": verdict.ok == caso.esperado.ok,
        "achados": [msgspec.to_builtins(achado) for achado in verdict.achados],
    }
