"""A stored decision as its page shows it: everything in words, nothing left for the template to work out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.contracts import Decisao, FonteRegras
from crivo.autorizacoes.palavras import count, day, number
from crivo.autorizacoes.storage import Autorizacao, Resumo
from crivo.kernel.agents.contract import AgentContract
from crivo.web.pages.cpf import mask_cpfs
from crivo.web.pages.palavras import AUTORES, DECISOES, ETAPAS, Rotulo, condicao, date_time, microseconds, motivo

_NO_NUMBER = "sem número"


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A decision as a line of the list."""

    id: str
    numero: str
    administradora: str
    rotulo: Rotulo
    recebida_em: str
    recebida_iso: str

    @classmethod
    def of(cls, resumo: Resumo) -> LinhaVista:
        """The line of a stored decision."""
        return cls(
            str(resumo.id),
            mask_cpfs(resumo.pedido_id or _NO_NUMBER),
            mask_cpfs(resumo.administradora_id or "não informada"),
            DECISOES[resumo.decisao_final],
            date_time(resumo.recebida_em),
            resumo.recebida_em.isoformat(timespec="seconds"),
        )


@dataclass(frozen=True, slots=True)
class EtapaVista:
    """One agent of a journey; `saida` is None where it did not run."""

    nome: str
    titulo: str
    tarefa: str
    fonte: str
    ve: tuple[tuple[str, str], ...]
    saida: str | None
    autoria: tuple[tuple[str, str], ...]
    tempo: str


@dataclass(frozen=True, slots=True)
class DecisaoVista:
    """A decision, its terms and its trail."""

    id: str
    numero: str
    rotulo: Rotulo
    recebida_em: str
    recebida_iso: str
    para_solicitante: str
    para_beneficiario: str
    motivos: tuple[str, ...]
    condicionantes: tuple[str, ...]
    termos: tuple[tuple[str, str], ...]
    fonte: tuple[tuple[str, str], ...]
    pedido: str
    etapas: tuple[EtapaVista, ...]
    tempo_total: str

    @classmethod
    def of(cls, autorizacao: Autorizacao) -> DecisaoVista:
        """The page of a stored decision."""
        decisao = msgspec.json.decode(autorizacao.decisao, type=Decisao)
        trilha = msgspec.json.decode(autorizacao.trilha)
        tempos: Mapping[str, int] = trilha["tempos_us"]
        return cls(
            str(autorizacao.id),
            mask_cpfs(autorizacao.pedido_id or _NO_NUMBER),
            DECISOES[decisao.decisao_final],
            date_time(autorizacao.recebida_em),
            autorizacao.recebida_em.isoformat(timespec="seconds"),
            mask_cpfs(decisao.mensagens.para_solicitante),
            mask_cpfs(decisao.mensagens.para_beneficiario),
            tuple([motivo(codigo) for codigo in decisao.artefato_registro.motivos]),
            tuple([mask_cpfs(condicao(texto)) for texto in decisao.detalhe_decisao.condicionantes]),
            _termos(decisao),
            _fonte(decisao.artefato_registro.fonte_regras),
            pretty(autorizacao.pedido),
            tuple([_etapa(contract, trilha, tempos) for contract in AGENTES]),
            microseconds(sum(tempos.values())),
        )


def pretty(raw: bytes) -> str:
    """JSON laid out for reading, CPFs masked."""
    return mask_cpfs(msgspec.json.format(raw, indent=2).decode())


def _termos(decisao: Decisao) -> tuple[tuple[str, str], ...]:
    detalhe = decisao.detalhe_decisao
    termos = []
    if detalhe.quantidade_aprovada is not None:
        termos.append(("Quantidade aprovada", number(detalhe.quantidade_aprovada)))
    if detalhe.coparticipacao_percentual is not None:
        termos.append(("Coparticipação", f"{number(detalhe.coparticipacao_percentual)}%"))
    if detalhe.prazo_validade_autorizacao_dias is not None:
        termos.append(("Validade da autorização", count(detalhe.prazo_validade_autorizacao_dias, "dia", "dias")))
    return tuple(termos)


def _fonte(fonte: FonteRegras | None) -> tuple[tuple[str, str], ...]:
    if fonte is None:
        return ()
    ate = f" até {day(fonte.vigencia_fim)}" if fonte.vigencia_fim else ", sem data de fim"
    return (
        ("Documento", fonte.documento),
        ("Versão", fonte.versao),
        ("Regra", fonte.regra_id),
        ("Vigência", f"desde {day(fonte.vigencia_inicio)}{ate}"),
    )


def _etapa(contract: AgentContract, trilha: Mapping[str, Any], tempos: Mapping[str, int]) -> EtapaVista:
    saida = trilha["etapas"].get(contract.stage)
    autoria: Mapping[str, str] = trilha["autoria"].get(contract.stage, {})
    return EtapaVista(
        contract.stage,
        ETAPAS[contract.stage],
        contract.tarefa,
        contract.source,
        tuple([(nome, ETAPAS[nome]) for nome in contract.sees]),
        None if saida is None else pretty(msgspec.json.encode(saida)),
        tuple([(campo, AUTORES.get(autor, autor)) for campo, autor in autoria.items()]),
        microseconds(tempos.get(contract.stage, 0)),
    )
