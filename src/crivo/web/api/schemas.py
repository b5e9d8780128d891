"""What the API answers beside the contracts of the decision itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.guardadas import Autorizacao, PoliticaGuardada, Status
from crivo.autorizacoes.politicas.documento import Relatorio
from crivo.autorizacoes.politicas.planilha.mapa import MapaDeColunas
from crivo.autorizacoes.politicas.planilha.servico import LeituraDePlanilha
from crivo.autorizacoes.politicas.service import Impedimentos, Previa
from crivo.autorizacoes.revisao import Faixa, Prazo
from crivo.autorizacoes.service import Pagina
from crivo.kernel.agents.contract import AgentContract
from crivo.kernel.errors import Problem
from crivo.web.problems import Fault

encode = msgspec.json.Encoder().encode


class PrazoDito(msgspec.Struct, frozen=True):
    """By when a decision that waits for a person has to be answered; `ate` null where the holidays of that year are not known.

    `dias_uteis` 0 is at once.
    """

    ate: datetime | None
    faixa: Faixa
    dias_uteis: int | None
    fundamento: str | None

    @classmethod
    def of(cls, prazo: Prazo | None, agora: datetime) -> PrazoDito:
        """The deadline as it is answered."""
        if prazo is None:
            return cls(None, "sem_prazo", None, None)
        return cls(prazo.ate, prazo.faixa(agora), prazo.dias_uteis, prazo.fundamento)


class PrazoDeAutorizacao(msgspec.Struct, frozen=True):
    """The deadline of a decision; null where it waits for nobody."""

    autorizacao_id: UUID
    prazo: PrazoDito | None


class ItemAutorizacao(msgspec.Struct, frozen=True):
    """A stored decision as a line of a list."""

    id: UUID
    pedido_id: str | None
    administradora_id: str | None
    decisao_final: DecisaoFinal
    recebida_em: datetime
    prazo: PrazoDito | None


class PaginaAutorizacoes(msgspec.Struct, frozen=True):
    """A page of decisions, newest first; `cursor` asks for the next one, null at the end."""

    itens: tuple[ItemAutorizacao, ...]
    cursor: str | None

    @classmethod
    def of(cls, pagina: Pagina, prazos: Mapping[UUID, Prazo | None], agora: datetime) -> PaginaAutorizacoes:
        """The page as it is answered, with the deadline of those that wait for a person."""
        ditos = {one: PrazoDito.of(prazo, agora) for one, prazo in prazos.items()}
        itens = [
            ItemAutorizacao(r.id, r.pedido_id, r.administradora_id, r.decisao_final, _utc(r.recebida_em), ditos.get(r.id))
            for r in pagina.itens
        ]
        return cls(tuple(itens), pagina.cursor)


class DecisaoTomada(msgspec.Struct, frozen=True):
    """One of several decisions of one body: its id, the RF6 document, and where it and its trail are."""

    id: UUID
    decisao: msgspec.Raw
    links: dict[str, str]


class Decisoes(msgspec.Struct, frozen=True):
    """The decisions of a body in which a mapping found several pedidos, in their order."""

    decisoes: tuple[DecisaoTomada, ...]

    @classmethod
    def of(cls, autorizacoes: Sequence[Autorizacao]) -> Decisoes:
        """The decisions as they are answered."""
        base = "/api/autorizacoes"
        return cls(
            tuple(
                [
                    DecisaoTomada(one.id, msgspec.Raw(one.decisao), {"decisao": f"{base}/{one.id}", "trilha": f"{base}/{one.id}/trilha"})
                    for one in autorizacoes
                ]
            )
        )


class PoliticaResumo(msgspec.Struct, frozen=True):
    """A política without its regras; `digest` is the SHA-256 of its canonical document, in hexadecimal."""

    id: UUID
    administradora_id: str
    documento: str
    versao: str
    vigencia_inicio: date
    vigencia_fim: date | None
    status: Status
    regras_total: int
    digest: str
    criada_em: datetime
    publicada_em: datetime | None
    revogada_em: datetime | None

    @classmethod
    def of(cls, politica: PoliticaGuardada) -> PoliticaResumo:
        """The política as it is answered."""
        return cls(
            politica.id,
            politica.administradora_id,
            politica.documento,
            politica.versao,
            politica.vigencia_inicio,
            politica.vigencia_fim,
            politica.status,
            politica.regras_total,
            politica.digest.hex(),
            _utc(politica.criada_em),
            politica.publicada_em and _utc(politica.publicada_em),
            politica.revogada_em and _utc(politica.revogada_em),
        )


class ListaPoliticas(msgspec.Struct, frozen=True):
    """Every política of the tenant."""

    itens: tuple[PoliticaResumo, ...]


class PoliticaCompleta(msgspec.Struct, frozen=True):
    """A política and its canonical document."""

    politica: PoliticaResumo
    documento: msgspec.Raw


class VersaoEncerrada(msgspec.Struct, frozen=True):
    """A version that a publication closes; its last day before and after (null before is open, null after is never in force)."""

    documento: str
    versao: str
    vigencia_inicio: str
    vigencia_fim_antes: str | None
    vigencia_fim_depois: str | None


class CampoDaRegra(msgspec.Struct, frozen=True):
    """A field of a regra, or of the document's head, that says another thing."""

    campo: str
    antes: Any
    depois: Any


class RegraDiferente(msgspec.Struct, frozen=True):
    """A regra that comes, goes or changes; `campos` are those that change."""

    regra_id: str
    mudanca: Literal["acrescentada", "retirada", "mudada"]
    campos: tuple[CampoDaRegra, ...]


class PreviaPublicacao(msgspec.Struct, frozen=True):
    """What publishing a draft would do; `confirmacao` may be sent with the publication, which is then this one or none.

    `cabecalho` is what the document's head says otherwise, `planos_perdidos` the planos that only the closed version has. With `erros` or
    `casos_falhos`, of its `casos` test cases, a reason is asked for.
    """

    politica: PoliticaResumo
    encerra: tuple[VersaoEncerrada, ...]
    regras: tuple[RegraDiferente, ...]
    iguais: int
    confirmacao: str
    cabecalho: tuple[CampoDaRegra, ...] = ()
    planos_perdidos: tuple[str, ...] = ()
    erros: int = 0
    casos: int = 0
    casos_falhos: int = 0

    @classmethod
    def of(cls, previa: Previa, impedimentos: Impedimentos) -> PreviaPublicacao:
        """The preview as it is answered."""
        comparacao = previa.comparacao
        return cls(
            PoliticaResumo.of(previa.politica),
            tuple(
                VersaoEncerrada(um.politica.documento, um.politica.versao, um.politica.vigencia_inicio, um.antes, um.depois)
                for um in previa.encerra
            ),
            tuple(
                RegraDiferente(uma.regra_id, uma.mudanca, tuple(CampoDaRegra(c.campo, c.antes, c.depois) for c in uma.campos))
                for uma in (comparacao.regras if comparacao else ())
            ),
            comparacao.iguais if comparacao else 0,
            previa.confirmacao,
            tuple(CampoDaRegra(c.campo, c.antes, c.depois) for c in (comparacao.cabecalho if comparacao else ())),
            comparacao.planos_perdidos if comparacao else (),
            len(impedimentos.erros),
            impedimentos.casos,
            len(impedimentos.falhos),
        )


class LidoDeObservacoes(msgspec.Struct, frozen=True):
    """One value that the import read out of a regra's `observacoes`, where nothing else stated it."""

    regra_id: str
    caminho: str
    linha: int | None
    campo: Literal["alternativas", "excecoes"]
    valor: str
    trecho: str


class RelatorioImportacao(msgspec.Struct, frozen=True):
    """What a person should know of an import."""

    regras_total: int
    avisos: tuple[Fault, ...]
    lidos_de_observacoes: tuple[LidoDeObservacoes, ...]

    @classmethod
    def of(cls, relatorio: Relatorio) -> RelatorioImportacao:
        """The report as it is answered."""
        avisos = [Fault(p.caminho, p.linha, p.mensagem, p.codigo) for p in relatorio.avisos]
        lidos = [
            LidoDeObservacoes(lida.regra_id, lida.caminho, lida.linha, lida.campo, lida.valor, lida.trecho)
            for lida in relatorio.lidos_de_observacoes
        ]
        return cls(relatorio.regras_total, tuple(avisos), tuple(lidos))


class PoliticaImportada(msgspec.Struct, frozen=True):
    """An import: the política as it now stands, whether anything changed, and the report."""

    politica: PoliticaResumo
    mudou: bool
    relatorio: RelatorioImportacao


class ColunaLida(msgspec.Struct, frozen=True):
    """A column of a spreadsheet: where it is, its heading, the field that it is taken for (empty: none) and some of what it holds."""

    folha: str
    letra: str
    titulo: str
    campo: str
    amostras: tuple[str, ...]


class PlanilhaConferida(msgspec.Struct, frozen=True):
    """What a spreadsheet of regras says. `mapa_de`: the map given, the one kept of the administradora, or a guess to confirm."""

    serve: bool
    mapa_de: Literal["dado", "guardado", "adivinhado"]
    mapa: MapaDeColunas
    cabeca: dict[str, str]
    colunas: tuple[ColunaLida, ...]
    linhas: int
    regras_total: int
    problemas: tuple[Fault, ...]
    avisos: tuple[Fault, ...]
    nao_ditas: tuple[Fault, ...]
    politica: PoliticaResumo | None = None

    @classmethod
    def of(cls, leitura: LeituraDePlanilha, politica: PoliticaResumo | None = None) -> PlanilhaConferida:
        """The reading as it is answered, with the draft where it was kept."""
        lida = leitura.lida
        return cls(
            lida.importada is not None,
            leitura.origem,
            lida.mapa,
            dict(lida.cabeca),
            tuple([ColunaLida(one.folha, one.letra, one.titulo, one.campo, one.amostras) for one in lida.colunas]),
            lida.linhas,
            len(lida.importada.politica.regras) if lida.importada else 0,
            _faults(lida.problemas),
            _faults(lida.avisos),
            _faults(lida.nao_ditas),
            politica,
        )


def _faults(told: Sequence[Problem]) -> tuple[Fault, ...]:
    return tuple([Fault(one.caminho, one.linha, one.mensagem, one.codigo) for one in told])


class Revogacao(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a política is taken out of use; it is kept in the audit chain, so it must hold no personal data."""

    motivo: Annotated[str, msgspec.Meta(min_length=3, max_length=500, pattern=r"\S")]


class Publicacao(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a draft is published in spite of errors or of test cases that fail; it is kept in the audit chain."""

    motivo: Annotated[str, msgspec.Meta(min_length=3, max_length=500, pattern=r"\S")]


class PromptResumo(msgspec.Struct, frozen=True):
    """A prompt by its version and the SHA-256 of its text, in hexadecimal."""

    versao: str
    digest: str


class Orcamento(msgspec.Struct, frozen=True):
    """Characters that an agent must be able to hold."""

    entrada_caracteres: int
    saida_caracteres: int


class Agente(msgspec.Struct, frozen=True):
    """One agent's contract: what it may see, what it answers (JSON Schema), and who may write each field."""

    nome: str
    etapa: str
    tarefa: str
    fonte: str
    ve: tuple[str, ...]
    saida: dict[str, Any]
    prompt: PromptResumo
    modelo: str
    temperatura: float
    orcamento: Orcamento
    autoria: dict[str, tuple[str, ...]]
    prompt_textos: PromptResumo | None

    @classmethod
    def of(cls, contract: AgentContract) -> Agente:
        """The contract as it is answered."""
        prompt, textos = contract.prompt, contract.prompt_textos
        return cls(
            contract.name,
            contract.stage,
            contract.tarefa,
            contract.source,
            contract.sees,
            msgspec.json.schema(contract.output),
            PromptResumo(prompt.versao, prompt.digest),
            contract.model.modelo,
            contract.model.temperatura,
            Orcamento(contract.budget.entrada_caracteres, contract.budget.saida_caracteres),
            {path: tuple(authors) for path, authors in contract.authors().items()},
            PromptResumo(textos.versao, textos.digest) if textos else None,
        )


class ListaAgentes(msgspec.Struct, frozen=True):
    """The six agents, in the order in which they run."""

    itens: tuple[Agente, ...]


class Situacao(msgspec.Struct, frozen=True):
    """That the program is up, or ready."""

    situacao: Literal["no ar", "pronto"]


def _utc(instant: datetime) -> datetime:
    """The same instant, written the same way wherever it came from."""
    return instant.astimezone(UTC)


class RegraSimulada(msgspec.Struct, frozen=True):
    """What a draft's regra changes, or one that goes; a null `regra_id` is of changes that no regra makes."""

    regra_id: str | None
    mudanca: Literal["acrescentada", "retirada", "mudada"] | None
    campos: tuple[CampoDaRegra, ...]
    alcancados: int
    mudam: int
    melhoram: int
    pioram: int
    mesma_decisao: int


class CasoSimulado(msgspec.Struct, frozen=True):
    """A pedido of which the draft changes something; `autorizacao_id` of a stored decision, `linha` of a line that was sent.

    `mudancas` are the terms that change, and what is asked otherwise for motivos that stay.
    """

    pedido_id: str | None
    antes: DecisaoFinal
    depois: DecisaoFinal
    motivos_antes: tuple[str, ...]
    motivos_depois: tuple[str, ...]
    autorizacao_id: UUID | None
    linha: int | None
    regra_antes: str | None
    regra_depois: str | None
    mudancas: tuple[CampoDaRegra, ...]
    recebida_em: datetime | None


class MesmaDecisaoSimulada(msgspec.Struct, frozen=True):
    """The pedidos whose outcome stays and of which something else changes; one may count under several of `por_aspecto`."""

    total: int
    por_aspecto: dict[str, int]
    casos: tuple[CasoSimulado, ...]
    casos_total: int


class SimulacaoPolitica(msgspec.Struct, frozen=True):
    """What a draft would have decided otherwise; `casos` are at most a thousand, of `casos_total`."""

    total: int
    mudam: int
    matriz: dict[str, int]
    por_regra: tuple[RegraSimulada, ...]
    casos: tuple[CasoSimulado, ...]
    segundos: float
    melhoram: int
    pioram: int
    so_motivos: int
    so_quantidade: int
    antes: dict[str, int]
    depois: dict[str, int]
    casos_total: int
    apagados: int
    ilegiveis: int
    linhas_com_erro: tuple[int, ...]
    relidos: int
    pelas_etapas: int
    repetidos: int
    mesma_decisao: MesmaDecisaoSimulada
    desde: date | None
    ate: date | None
    sem_publicada: bool
    trazidos: int
    nunca_vale: bool
    sem_a_casa: bool
