"""What the queue is to know of a decision that waits, taken out of its trail as it is stored. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec

from crivo.autorizacoes.contracts import PedidoNormalizado
from crivo.autorizacoes.revisao.prazos import LIMITES
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.sigilo import Identidade

_WAIT: Final = ("PENDENTE_AJUSTES", "NEGADO")


class Dizeres(msgspec.Struct, frozen=True, array_like=True):
    """What a decision is about, in the words of its pedido; each empty where it was not said. `procura` is all of it, folded."""

    beneficiario: str = ""
    codigo: str = ""
    descricao: str = ""
    procura: str = ""

    @classmethod
    def of(cls, beneficiario: str, codigo: str, descricao: str) -> Dizeres:
        """These words, folded once for whoever searches."""
        return cls(beneficiario, codigo, descricao, fold(f"{beneficiario} {codigo} {descricao}"))


@dataclass(frozen=True, slots=True)
class Ficha:
    """What the queue is to know of a decision."""

    tipo: str | None
    plano_id: str | None
    regra_id: str | None
    motivos: tuple[str, ...]
    dizeres: Dizeres


@dataclass(frozen=True, slots=True)
class PorHora:
    """How many of one hour wait that are alike in all that a deadline is counted from."""

    hora: datetime
    urgente: bool
    tipo: str | None
    administradora_id: str | None
    responsavel: str
    quantas: int


def ficha_de(trilha: Trilha, titular: Identidade) -> Ficha | None:
    """What the queue is to know of a decision; None of one that waits for nobody."""
    etapas = trilha.etapas
    if etapas.sintese.decisao_final not in _WAIT:
        return None
    pedido, regra = etapas.normalizacao.pedido_normalizado, etapas.consulta.regras_recuperadas
    plano = pedido.plano_id
    return Ficha(
        tipo_de(trilha),
        None if plano is None or titular.named_in(plano) else plano[:200],
        regra.regra_id if regra is not None else None,
        tuple(dict.fromkeys([one.partition(":")[0] for one in etapas.sintese.artefato_registro.motivos])),
        Dizeres.of(pedido.beneficiario.id or "", pedido.procedimento.codigo or "", pedido.procedimento.descricao or ""),
    )


def tipo_de(trilha: Trilha) -> str | None:
    """Of which kind the attendance is: the regra says it, else the pedido in `procedimento.tipo_atendimento`; None where neither does."""
    regra = trilha.etapas.consulta.regras_recuperadas
    if regra is not None and regra.tipo_atendimento:
        return regra.tipo_atendimento
    return _said(trilha.etapas.normalizacao.pedido_normalizado)


def _said(pedido: PedidoNormalizado) -> str | None:
    inner = pedido.extras.get("procedimento")
    said = inner.get("tipo_atendimento") if isinstance(inner, dict) else pedido.extras.get("procedimento.tipo_atendimento")
    folded = said.strip().upper().replace(" ", "_").replace("-", "_") if isinstance(said, str) else ""
    return folded if folded in LIMITES else None
