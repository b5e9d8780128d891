"""The trail of one decision: what each agent answered, who wrote it, and how long it took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.contracts import Ajustes, Avaliacao, Consulta, Decisao, Normalizacao, Parametros, Value
from crivo.kernel.agents.contract import AgentContract, Author

_encode = msgspec.json.Encoder().encode


class Etapas(Value, frozen=True, gc=False):
    """The answer of each stage; `ajustes` is null when the stage was skipped."""

    normalizacao: Normalizacao
    parametros: Parametros
    consulta: Consulta
    avaliacao: Avaliacao
    ajustes: Ajustes | None
    sintese: Decisao


class Trilha(Value, frozen=True, gc=False):
    """Everything about one decision. `autoria` is JSON: author by field, by stage. `tempos_us` are microseconds."""

    pedido_id: str | None
    etapas: Etapas
    autoria: msgspec.Raw
    tempos_us: Mapping[str, int]

    def encode(self) -> bytes:
        """The trail as JSON."""
        return _encode(self)

    def decisao(self) -> bytes:
        """The RF6 document as JSON; the same pedido, políticas and date give the same bytes."""
        return _encode(self.etapas.sintese)


def autoria(contracts: Iterable[AgentContract], author: Author) -> msgspec.Raw:
    """Who wrote each field when every field that code may write was written by `author`, as JSON by stage and path."""
    return msgspec.Raw(_encode({contract.stage: dict.fromkeys(contract.authors(), author) for contract in contracts}))


BY_CODE = autoria(AGENTES, Author.CODE)
BY_CODE_WITHOUT_AJUSTES = autoria([contract for contract in AGENTES if contract.stage != "ajustes"], Author.CODE)
