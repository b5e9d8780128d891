"""Quotas as pages show them: what is used as a bar and in words, and when it is whole again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from crivo.kernel.cotas import PECA, Uso, limite_em_palavras, said, used_of

_NOTHING: Final = Decimal(0)
_RENOVA: Final = {"dia": "renova à meia-noite, horário de Brasília", "mes": "renova no começo do mês", "minuto": "renova a cada minuto"}


@dataclass(frozen=True, slots=True)
class UsoVisto:
    """A quota as a line: `parte` is from 0 to 1, None where there is no bar; `situacao` is a word and its style."""

    codigo: str
    nome: str
    usado: str
    limite: str
    parte: float | None
    renova: str
    situacao: tuple[str, str]
    acima: bool

    @classmethod
    def of(cls, uso: Uso) -> UsoVisto:
        """The line of a quota."""
        cota = uso.cota
        return cls(
            codigo=cota.codigo,
            nome=cota.nome,
            usado="" if uso.usado is None else said(cota, uso.usado),
            limite=limite_em_palavras(uso, " (de toda a instalação)"),
            parte=None if uso.parte is None else float(uso.parte),
            renova=_RENOVA.get(cota.renova or "", ""),
            situacao=_told(uso),
            acima=uso.limite is not None and uso.usado is not None and uso.usado > uso.limite,
        )


def notices(usos: Sequence[Uso], de: str = "") -> tuple[tuple[str, str], ...]:
    """What is said of quotas that are full or nearly so: a sentence and its style, the full ones first.

    `de` names the organisation to whoever looks after the installation, and may change them.
    """
    found = sorted((one for one in usos if one.quase), key=lambda one: not one.cheia)
    return tuple([(_notice(one, de), "atencao") for one in found])


def _notice(uso: Uso, de: str) -> str:
    cota = uso.cota
    used = used_of(cota, uso.usado or _NOTHING, uso.limite or _NOTHING)
    whose = f" de {de}" if de else ""
    if uso.cheia:
        then = f" {cota.livra}" if cota.livra else ""
        renews = f" ({_RENOVA[cota.renova]})" if cota.renova else ""
        return f"A cota{whose} acabou: {used}{renews}.{then} {'Se precisa de mais, mude a cota.' if de else PECA}"
    return f"Mais de 80% da cota{whose}: {used}."


def _told(uso: Uso) -> tuple[str, str]:
    if uso.parte is None:
        return "Sem limite" if uso.limite is None and uso.teto is None else "Contada na hora", "neutro"
    if uso.cheia:
        return "Acabou", "negado"
    return ("Quase no fim", "pendente") if uso.quase else ("Com folga", "aprovado")
