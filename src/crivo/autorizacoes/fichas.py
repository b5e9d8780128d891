"""What the queue of reviewers is to know of a decision that waits, taken out of its trail and kept as the decision is stored.

What it is about (the beneficiário's number and name, the procedure) is sealed under the decision's own key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, get_args
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import PedidoNormalizado, TipoAtendimento
from crivo.autorizacoes.nome_dito import nome_dito
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.sigilo import Chave, Identidade
from crivo.kernel.storage.session import UnitOfWork

ASSUNTO: Final = "autorizacao_fichas.assunto"
_ADD: Final = """
    insert into autorizacao_fichas (tenant_id, autorizacao_id, tipo, plano_id, regra_id, motivos, assunto)
    values (%s, %s, %s, %s, %s, %s, %s) on conflict do nothing"""
_TIPOS: Final = frozenset(get_args(TipoAtendimento))
_WAIT: Final = ("PENDENTE_AJUSTES", "NEGADO")


class Dizeres(msgspec.Struct, frozen=True, array_like=True):
    """What a decision is about, in the words of its pedido; each empty where it was not said. `procura` is all of it, folded."""

    beneficiario: str = ""
    codigo: str = ""
    descricao: str = ""
    procura: str = ""
    nome: str = ""

    @classmethod
    def of(cls, beneficiario: str, codigo: str, descricao: str, nome: str = "") -> Dizeres:
        """These words, folded once for whoever searches; `nome` is the beneficiário's, where the pedido said one."""
        return cls(beneficiario, codigo, descricao, fold(f"{beneficiario} {codigo} {descricao} {nome}"), nome)


@dataclass(frozen=True, slots=True)
class Ficha:
    """What the queue is to know of a decision."""

    tipo: str | None
    plano_id: str | None
    regra_id: str | None
    motivos: tuple[str, ...]
    dizeres: Dizeres


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
        Dizeres.of(pedido.beneficiario.id or "", pedido.procedimento.codigo or "", descricao_de(trilha), nome_dito(pedido.extras)),
    )


def descricao_de(trilha: Trilha) -> str:
    """What the procedure is called: by the pedido, else by the regra that decided; empty where neither says."""
    said, regra = trilha.etapas.normalizacao.pedido_normalizado.procedimento.descricao, trilha.etapas.consulta.regras_recuperadas
    return said or (regra.descricao if regra is not None and regra.descricao else "")


def assunto_de(trilha: bytes) -> tuple[str, str] | None:
    """The code and the name of the procedure that a stored trail is about; None where it cannot be read."""
    try:
        read = msgspec.json.decode(trilha, type=Trilha)
    except msgspec.DecodeError:
        return None
    return read.etapas.normalizacao.pedido_normalizado.procedimento.codigo or "", descricao_de(read)


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
    return folded if folded in _TIPOS else None


async def add_many(uow: UnitOfWork, fichas: Sequence[tuple[UUID, Ficha, Chave]]) -> None:
    """Keep what the queue is to know, each with the key of its decision; what is kept already stays."""
    rows = [
        (uow.scope.tenant_id, one, f.tipo, f.plano_id, f.regra_id, list(f.motivos), chave.seal(ASSUNTO, msgspec.msgpack.encode(f.dizeres)))
        for one, f, chave in fichas
    ]
    if rows:
        await uow.connection.exec_driver_sql(_ADD, rows)
