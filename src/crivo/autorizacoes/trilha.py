"""The trail of one decision: what each agent answered, who wrote it, and how long it took."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.contracts import Ajustes, Avaliacao, Consulta, Decisao, Normalizacao, Parametros, Value
from crivo.autorizacoes.mapeamento.entrada import Formato
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


class CampoEscrito(Value, frozen=True, gc=False, omit_defaults=True):
    """Who wrote one text in the end; `falhas` are the kinds of fault for which the model's was dropped."""

    autor: Author
    falhas: tuple[str, ...] = ()


class Escrita(Value, frozen=True, gc=False):
    """What one agent asked of a model, and what became of each text of its answer, by path as in `ajustes_sugeridos[0].justificativa`.

    `falha` says why there was no answer at all, None where there was one. `custo` in dollars, None where it is not known. `provisoria`: the
    answer has a fault that the model could not be told, as asking it once more failed; it is kept for no other decision.
    """

    etapa: str
    modelo: str
    simulado: bool
    prompt_versao: str
    prompt_digest: str
    duracao_ms: int
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal | None
    repetida: bool
    falha: str | None
    campos: Mapping[str, CampoEscrito]
    provisoria: Literal[True] | UnsetType = UNSET


class AlarmeLido(Value, frozen=True, gc=False):
    """What a second reading holds against the text at a path; `tipo` is a kind of what may not be said, `contradiz` or `omite`."""

    campo: str
    tipo: str


class SegundaLeitura(Value, frozen=True, gc=False):
    """A model's reading, beside the data, of the texts that a model wrote and code let pass.

    `falha` says why nobody read, and the texts then stand; `alarmes` are those that pointed at something. `custo` in dollars, None where
    it is not known.
    """

    modelo: str
    prompt_versao: str
    prompt_digest: str
    duracao_ms: int
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal | None
    repetida: bool
    falha: str | None
    alarmes: tuple[AlarmeLido, ...]


class Trilha(Value, frozen=True, gc=False, omit_defaults=True):
    """Everything about one decision. `autoria` is JSON: author by field, by stage. `tempos_us` are microseconds.

    `escritas` is there only where a model was asked for texts, `leitura` only where one was to read them again, `formato` only where a
    mapping read what came.
    """

    pedido_id: str | None
    etapas: Etapas
    autoria: msgspec.Raw
    tempos_us: Mapping[str, int]
    escritas: tuple[Escrita, ...] = ()
    formato: Formato | None = None
    leitura: SegundaLeitura | None = None

    def encode(self) -> bytes:
        """The trail as JSON."""
        return _encode(self)

    def decisao(self) -> bytes:
        """The RF6 document as JSON; the same pedido, políticas and date give the same bytes."""
        return _encode(self.etapas.sintese)


def autoria(contracts: Iterable[AgentContract], author: Author) -> msgspec.Raw:
    """Who wrote each field when every field that code may write was written by `author`, as JSON by stage and path."""
    return msgspec.Raw(_encode({contract.stage: dict.fromkeys(contract.authors(), author) for contract in contracts}))


def with_escritas(before: msgspec.Raw, escritas: Iterable[Escrita]) -> msgspec.Raw:
    """The authors once a model has written: a list's texts are named one by one where they have not all the same author."""
    stages: dict[str, dict[str, Author]] = msgspec.json.decode(before)
    for escrita in escritas:
        fields = stages[escrita.etapa]
        for path in [path for path in fields if any(_plain(campo) == path for campo in escrita.campos)]:
            written = {campo: one.autor for campo, one in escrita.campos.items() if _plain(campo) == path}
            authors = set(written.values())
            if len(authors) == 1:
                fields[path] = authors.pop()
            else:
                del fields[path]
                fields.update(written)
    return msgspec.Raw(_encode(stages))


def _plain(campo: str) -> str:
    """A path without the positions in its lists."""
    return _POSITION.sub("", campo)


_POSITION: Final = re.compile(r"\[\d+\]")
BY_CODE = autoria(AGENTES, Author.CODE)
BY_CODE_WITHOUT_AJUSTES = autoria([contract for contract in AGENTES if contract.stage != "ajustes"], Author.CODE)
