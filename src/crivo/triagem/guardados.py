"""What stands stored of a screening, as values: what use cases answer with, and no page or command asks a table for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, Literal
from uuid import UUID

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.edital import Proponente, Value


@dataclass(frozen=True, slots=True)
class Avaliacao:
    """A nota that a person gave, with what they wrote; `avaliador` is their id, and a draft has no `enviada_em`.

    `revisada`: an answer to a recurso put this nota in the place of theirs.
    """

    projeto_id: str
    criterio: str
    avaliador: UUID
    nota: Decimal
    texto: str
    atualizada_em: datetime
    enviada_em: datetime | None
    revisada: bool = False


@dataclass(frozen=True, slots=True)
class TextoSemNota:
    """What a person wrote for a critério whose nota they have not given yet: always a draft."""

    criterio: str
    texto: str
    atualizada_em: datetime


@dataclass(frozen=True, slots=True)
class Atribuicao:
    """A project given to a person: whether every nota of it was sent, whether anything was written at all, and by whom and when they were
    reminded of it last.

    `com_nota` of the `criterios` in force have a nota of theirs, sent or not.
    """

    edital_id: str
    edital_nome: str
    projeto_id: str
    titulo: str
    categoria: str
    avaliado: bool
    comecado: bool
    criterios: int
    com_nota: int
    lembrado_por: UUID | None = None
    lembrado_em: datetime | None = None


@dataclass(frozen=True, slots=True)
class Incumbencia:
    """A project given to a person by name, and how many of their notas were sent; the last of them at `enviada_em`."""

    projeto_id: str
    avaliador: UUID
    nome: str
    enviadas: int
    enviada_em: datetime | None


class DecisaoHabilitacao(Value, frozen=True):
    """A person's decision on one project; `sugestao` is what was suggested when they decided, None where nothing was.

    `anteriores` are those that it took the place of and those that were undone, with their reasons, the last one first. `ato` is None
    of a decision from before there were acts.
    """

    projeto_id: str
    decisao: HabilitacaoSugerida
    sugestao: HabilitacaoSugerida | None
    motivo: str
    decidido_por: UUID
    decidido_em: datetime
    anteriores: tuple[DecisaoHabilitacao, ...] = ()
    ato: UUID | None = None
    desfeita_por: UUID | None = None
    desfeita_em: datetime | None = None

    @property
    def versao(self) -> str:
        """By what whoever decides says that this is the decision they saw: another one of the project has another."""
        return self.ato.hex if self.ato else self.decidido_em.astimezone(UTC).isoformat(timespec="microseconds")

    @property
    def difere(self) -> bool:
        """Whether another was suggested."""
        return self.sugestao is not None and self.sugestao != self.decisao


class Ato(Value, frozen=True):
    """A decision on `quantos` projects at once, by a person: of so many it is in force still, of so many it was undone.

    `codigos` are the first three of them where it stands in a list.
    """

    id: UUID
    edital_id: str
    decisao: HabilitacaoSugerida
    quantos: int
    feito_por: UUID
    feito_em: datetime
    em_vigor: int
    desfeitas: int
    codigos: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cabecalho:
    """A project as lists and quotes name it, and the names of its files, in their order."""

    id: str
    titulo: str
    proponente: Proponente
    categoria: str
    arquivos: tuple[str, ...]


SEM_DECISAO: Final = "sem-decisao"
COM_DECISAO: Final = "com-decisao"


@dataclass(frozen=True, slots=True)
class Panorama:
    """The counts of an execução. `julgados` have a suggestion or failed, `lidos` have notas or passages, `com_media` a nota for each
    critério in force; `grupos` are suggestions and `erro`. `media` is the mean of those means. `dadas` projects are with people who judge.
    """

    projetos: int
    julgados: int
    grupos: Mapping[str, int]
    sem_decisao: int
    decididos: int
    diferentes: int
    lidos: int
    com_notas: int
    com_media: int
    media: Decimal | None
    dadas: int
    enviadas: int


Por = Literal["pessoas", "sugestao"]


@dataclass(frozen=True, slots=True)
class Posto:
    """A project, its place among equals in what it is ordered by, and its two means; `pessoas` is that of the `julgadores` who sent
    all their notas, of the `dadas` whom it was given to. `fora`: a person decided that it is inabilitado, and it is in no place.
    """

    projeto_id: UUID
    codigo: str
    posicao: int | None
    pessoas: Decimal | None
    julgadores: int
    sugestao: Decimal | None
    fora: bool = False
    dadas: int = 0
