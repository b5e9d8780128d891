"""What the API answers of the audit."""

from __future__ import annotations

import msgspec

from crivo.auditoria.conferencia import Conferencia


class Cabeca(msgspec.Struct, frozen=True):
    """Where the audit chain ends; noting the digest elsewhere dates the whole chain."""

    seq: int
    digest: str


class Quebra(msgspec.Struct, frozen=True):
    """Entries from `seq` to `ate` that do not hold, and how."""

    seq: int
    ate: int
    motivo: str


class LinhaQuebrada(msgspec.Struct, frozen=True):
    """A stored row, as `table:id`, that the audit does not vouch for; `seq` is the entry that sealed it, where there is one."""

    linha: str
    motivo: str
    seq: int | None


class AncoraQuebrada(msgspec.Struct, frozen=True):
    """A line (from 1) of the anchors that the chain does not bear out; `seq` is the entry that it noted, where that can be read."""

    linha: int
    motivo: str
    seq: int | None


class VerificacaoAuditoria(msgspec.Struct, frozen=True):
    """The outcome of reading the whole audit chain, and of holding what is stored against it.

    `linhas` is how many sealed rows were held against the chain, `sem_selo` how many are from before the seals. `ancoras` is how many
    notes of the chain's end, kept outside of the database, the chain was held against: with none, a cut end would not be noticed.
    """

    integra: bool
    entradas: int
    cabeca: Cabeca | None
    quebras: tuple[Quebra, ...]
    linhas: int
    sem_selo: int
    linhas_quebradas: tuple[LinhaQuebrada, ...]
    ancoras: int
    ancoras_quebradas: tuple[AncoraQuebrada, ...]

    @classmethod
    def of(cls, found: Conferencia) -> VerificacaoAuditoria:
        """The verification as it is answered."""
        head = found.cadeia.cabeca
        return cls(
            integra=found.integra,
            entradas=found.cadeia.entradas,
            cabeca=None if head is None else Cabeca(head.seq, head.digest.hex()),
            quebras=tuple([Quebra(broken.seq, broken.ate, broken.motivo) for broken in found.cadeia.quebras]),
            linhas=found.linhas.linhas,
            sem_selo=found.linhas.sem_selo,
            linhas_quebradas=(
                *(LinhaQuebrada(f"autorizacoes:{broken.id}", broken.motivo, None) for broken in found.decisoes.quebras),
                *(LinhaQuebrada(broken.linha, broken.motivo, broken.seq) for broken in found.linhas.quebras),
            ),
            ancoras=found.ancoras.ancoras if found.ancoras else 0,
            ancoras_quebradas=tuple([AncoraQuebrada(one.linha, one.motivo, one.seq) for one in found.ancoras.quebras])
            if found.ancoras
            else (),
        )
