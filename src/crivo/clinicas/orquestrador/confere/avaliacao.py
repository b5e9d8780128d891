"""How well the verifier does on labelled cases: recall of each rule, and false alarms with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from crivo.clinicas.orquestrador.confere.veredito import REGRAS, verify_data, verify_text
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Papel, Regra, Verdict
from crivo.clinicas.orquestrador.fatos import Known
from crivo.clinicas.registro import REGISTRO_PADRAO, Registro
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.taxas import proportion

AGORA: Final = datetime(2025, 7, 16, 8, 0, tzinfo=timezone(timedelta(hours=-3)))


class Esperado(msgspec.Struct, frozen=True):
    """The label of a case."""

    safe: bool
    regras: tuple[Regra, ...] = ()


class Caso(msgspec.Struct, frozen=True):
    """One labelled text with the data it is held against; one that answers a `user_query` is judged as a model's reply."""

    id: str
    texto: str
    esperado: Esperado
    clinic_data: tuple[ClinicReply, ...] = ()
    paciente: Paciente | None = None
    papel: Papel = "paciente"
    agora: datetime | None = None
    user_query: str = ""


class ConjuntoAusente(CrivoError):
    """The file of labelled cases could not be read."""

    codigo: ClassVar[str] = "conjunto_ausente"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Conjunto não encontrado"


class ConjuntoInvalido(CrivoError):
    """The file of labelled cases is not in the format of one."""

    codigo: ClassVar[str] = "conjunto_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Conjunto fora do formato"


def load_casos(path: Path) -> tuple[Caso, ...]:
    """The cases of a JSON file, a list or `{"verificador": [...]}`; raises ConjuntoAusente or ConjuntoInvalido."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConjuntoAusente(f"Não foi possível abrir o conjunto {path}: confira o caminho e a permissão de leitura.") from error
    try:
        return read_casos(raw)
    except msgspec.DecodeError as error:
        raise ConjuntoInvalido(
            f"O conjunto {path} está fora do formato ({error}). "
            'Cada caso tem "id", "paciente", "papel", "clinic_data", "texto" e "esperado".'
        ) from error


def read_casos(raw: bytes) -> tuple[Caso, ...]:
    """The cases of a JSON document; a person or data given as a string are those of the earlier case it names ("o de ex-3")."""
    document = msgspec.json.decode(raw)
    listed = document.get("verificador", document.get("casos")) if isinstance(document, dict) else document
    if not isinstance(listed, list):
        message = "esperava uma lista de casos"
        raise msgspec.ValidationError(message)
    seen: dict[str, dict[str, Any]] = {}
    complete = []
    for raw_case in listed:
        case = dict(raw_case) if isinstance(raw_case, dict) else {}
        for field in ("paciente", "clinic_data"):
            if isinstance(reference := case.get(field), str):
                case[field] = _referred(reference, field, seen)
        seen[str(case.get("id"))] = case
        complete.append({key: value for key, value in case.items() if not (key == "clinic_data" and value is None)})
    return msgspec.convert(complete, tuple[Caso, ...])


def _referred(reference: str, field: str, seen: dict[str, dict[str, Any]]) -> object:
    """The field of the case that a reference names by its id: `o de ex-3`."""
    named = reference.split()[-1:]
    if not named or named[0] not in seen:
        message = f'"{field}" remete a um caso que não vem antes: {reference[:40]}'
        raise msgspec.ValidationError(message)
    return seen[named[0]].get(field)


def avaliar(casos: Sequence[Caso], *, registro: Registro = REGISTRO_PADRAO, agora: datetime = AGORA) -> dict[str, Any]:
    """`{"metricas": …, "casos": [{"id", "obtido", "esperado", "nota", "dados"}]}` of labelled cases.

    Recall of a rule is over the cases labelled with it; its false alarms are over the cases labelled without it. A case is `certo` when
    `safe` agrees. Proportions carry their 95 % Wilson interval.
    """
    verdicts = [(caso, _verify(caso, registro, agora)) for caso in casos]
    return {"metricas": _metrics(verdicts), "casos": [_line(caso, verdict) for caso, verdict in verdicts]}


def _verify(caso: Caso, registro: Registro, agora: datetime) -> Verdict:
    return verify_text(
        caso.texto,
        caso.clinic_data,
        caso.paciente,
        caso.papel,
        registro=registro,
        now=caso.agora or agora,
        extra_safe=Known(said=(caso.user_query,) if caso.user_query else ()),
        de_modelo=bool(caso.user_query),
    )


def _line(caso: Caso, verdict: Verdict) -> dict[str, Any]:
    dados = verify_data(caso.clinic_data, caso.paciente, caso.papel)
    return {
        "id": caso.id,
        "obtido": {"safe": verdict.safe, "regras": list(verdict.regras)},
        "esperado": {"safe": caso.esperado.safe, "regras": list(caso.esperado.regras)},
        "certo": verdict.safe == caso.esperado.safe,
        "nota": verdict.note,
        "dados": {"safe": dados.safe, "regras": list(dados.regras)},
    }


def _metrics(verdicts: Sequence[tuple[Caso, Verdict]]) -> dict[str, Any]:
    safe = [verdict for caso, verdict in verdicts if caso.esperado.safe]
    unsafe = [(caso, verdict) for caso, verdict in verdicts if not caso.esperado.safe]
    return {
        "casos": len(verdicts),
        "recall": proportion(sum(not verdict.safe for _, verdict in unsafe), len(unsafe)),
        "alarmes_falsos": proportion(sum(not verdict.safe for verdict in safe), len(safe)),
        "regras_exatas": proportion(sum(set(caso.esperado.regras) == set(verdict.regras) for caso, verdict in verdicts), len(verdicts)),
        "por_regra": {regra: _of_rule(regra, verdicts) for regra in REGRAS},
    }


def _of_rule(regra: Regra, verdicts: Sequence[tuple[Caso, Verdict]]) -> dict[str, Any]:
    def share(keep: Callable[[Caso], bool]) -> dict[str, Any]:
        kept = [verdict for caso, verdict in verdicts if keep(caso)]
        return proportion(sum(regra in verdict.regras for verdict in kept), len(kept))

    return {
        "recall": share(lambda caso: regra in caso.esperado.regras),
        "alarmes_falsos": share(lambda caso: regra not in caso.esperado.regras),
    }
