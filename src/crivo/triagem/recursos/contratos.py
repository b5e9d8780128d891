"""A recurso and its answer, as values: what is asked, what changes, and what became of it. Source: design, After the notas (Recursos)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from typing import Final, Literal
from uuid import UUID

import msgspec

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.condicao import Value
from crivo.triagem.edital import Formato

Contra = Literal["resultado", "habilitacao"]
"""What is contested: places and the notas, bônus and cotas that they come of; or a decision on the habilitação."""
Entrada = Literal["link", "papel"]
"""How it came in: with the project's code, or on paper and typed in by a person."""
Desfecho = Literal["provido", "parcialmente_provido", "nao_provido", "nao_conhecido"]
PROVIDOS: Final[frozenset[Desfecho]] = frozenset({"provido", "parcialmente_provido"})
"""The outcomes that change something; the others never do."""


class Papel(Value, frozen=True):
    """A file that came with a recurso."""

    nome: str
    formato: Formato
    sha256: str
    tamanho_bytes: int


class Redecidida(Value, frozen=True, tag_field="tipo", tag="habilitacao"):
    """The habilitação is decided anew."""

    situacao: HabilitacaoSugerida


class NotaRevista(Value, frozen=True, tag_field="tipo", tag="nota"):
    """The nota that a person gave for a critério gives way to another, for a reason; the first one stays readable.

    `era` is what stood; None before it was looked up, and in answers of before it was kept here.
    """

    criterio: str
    avaliador: UUID
    nota: Decimal
    motivo: str
    era: Decimal | None = None


class CampoCorrigido(Value, frozen=True, tag_field="tipo", tag="campo"):
    """What a project declares of a field that the rules ask for is taken for something else, for a reason."""

    campo: str
    valor: str
    motivo: str


Mudanca = Redecidida | NotaRevista | CampoCorrigido


class Proposta(Value, frozen=True):
    """An answer before it is given: its outcome, why, and what it changes."""

    desfecho: Desfecho
    motivo: str
    mudancas: tuple[Mudanca, ...] = ()


@dataclass(frozen=True, slots=True)
class Anexo:
    """A file as it was sent, under the name that its sender gave it."""

    nome: str
    conteudo: bytes


@dataclass(frozen=True, slots=True)
class Resposta:
    """An answer that was given, by whom and when; `motivo` is None, and nothing said of what it changed, once the project is erased.

    `versao` is the last published result by then, 0 where there was none; `ato` the act of habilitação that it did. One with
    `desfeita_em` is in force no more, for `desfeita_motivo`; that is None where nobody said why, or the project is erased.
    """

    id: UUID
    desfecho: Desfecho
    motivo: str | None
    mudancas: tuple[Mudanca, ...]
    respondido_por: UUID
    respondido_em: datetime
    versao: int = 0
    ato: UUID | None = None
    desfeita_por: UUID | None = None
    desfeita_em: datetime | None = None
    desfeita_motivo: str | None = None


@dataclass(frozen=True, slots=True)
class Recurso:
    """A recurso that came in. `apresentado_em` is when it was made, `recebido_em` when it came in here; one on paper was typed in by
    `registrado_por`. `versao` is the published result that it is about, None where none was published.

    `texto` is None once the project is erased. `tardio` says why one from after the last day was taken in. `resumo` is the SHA-256 of what
    was sent, in hex. `resposta` is the one in force; `desfeitas` are those taken back, the last one first.
    """

    id: UUID
    numero: int
    projeto_id: str
    contra: Contra
    entrada: Entrada
    apresentado_em: datetime
    recebido_em: datetime
    registrado_por: UUID | None
    versao: int | None
    texto: str | None
    tardio: str
    papeis: tuple[Papel, ...]
    resumo: str
    resposta: Resposta | None = None
    desfeitas: tuple[Resposta, ...] = ()

    @property
    def aberto(self) -> bool:
        """Whether nobody answered it yet."""
        return self.resposta is None


def resumo_of(edital_id: str, projeto_id: str, contra: Contra, texto: str, papeis: tuple[Papel, ...]) -> str:
    """SHA-256 in hex of what was sent: of a JSON list of the edital, the project, what is contested, the text, and each file's name and
    SHA-256.
    """
    told = [edital_id, projeto_id, contra, texto, [[one.nome, one.sha256] for one in papeis]]
    return sha256(msgspec.json.encode(told)).hexdigest()


def people_in(recursos: Iterable[Recurso]) -> set[UUID]:
    """Whoever typed in, answered, took back or gave a revised nota in any of these."""
    found: set[UUID] = set()
    for recurso in recursos:
        answers = [one for one in (recurso.resposta, *recurso.desfeitas) if one is not None]
        found |= {one for one in (recurso.registrado_por, *(each.desfeita_por for each in answers)) if one is not None}
        found |= {part.avaliador for each in answers for part in each.mudancas if isinstance(part, NotaRevista)}
        found |= {each.respondido_por for each in answers}
    return found
