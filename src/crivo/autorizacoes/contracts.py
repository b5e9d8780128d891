"""The values that pass between the six agents. Names and enum values are the PRD's own. Source: PRD RF1 to RF6."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

SolicitanteTipo = Literal["MEDICO", "CLINICA", "HOSPITAL"]
PrestadorTipo = Literal["CREDENCIADO", "NÃO_CREDENCIADO"]
Tabela = Literal["TUSS", "CBHPM", "OUTRA"]
Cobertura = Literal["COBERTA", "NAO_COBERTA", "CONDICIONAL"]
Rede = Literal["APENAS_CREDENCIADA", "LIVRE"]
DecisaoPreliminar = Literal["APROVAR_TOTAL", "APROVAR_PARCIAL", "NEGAR"]
DecisaoFinal = Literal["APROVADO", "APROVADO_PARCIAL", "NEGADO", "PENDENTE_AJUSTES"]
AcaoTipo = Literal[
    "ANEXAR_DOCUMENTO",
    "ALTERAR_PRESTADOR",
    "REDUZIR_QUANTIDADE",
    "AJUSTAR_CODIGO",
    "AGUARDAR_CARENCIA",
    "ADEQUAR_FAIXA_ETARIA",
    "OUTRO",
]
Impacto = Literal["RESOLVE_TOTAL", "RESOLVE_PARCIAL", "NAO_RESOLVE"]
Sexo = Literal["F", "M"]
TipoAtendimento = Literal[
    "CONSULTA_BASICA",
    "CONSULTA",
    "EXAME_LABORATORIAL",
    "EXAME",
    "TERAPIA",
    "HOSPITAL_DIA",
    "ALTA_COMPLEXIDADE",
    "INTERNACAO_ELETIVA",
]
ContaPor = Literal["CODIGO", "REGRA"]


class Value(msgspec.Struct, frozen=True, gc=False):
    """A frozen value; it never refers back to itself, so the garbage collector need not visit it."""


# Fields that came after the PRD are UNSET where nothing states them: documents, trails and digests without them are what they were.

# --- RF1


class Uso(Value, frozen=True, gc=False):
    """Units of a procedure that the beneficiário already had, on an ISO date; null is what could not be read.

    `origem` is "crivo" for a decision of this house, UNSET for what the pedido tells. `substituido`: it was approved for this same pedido
    when it came before, so that it is told and does not count.
    """

    codigo: str | None
    data: str | None
    quantidade: int | float | None
    origem: Literal["crivo"] | UnsetType = UNSET
    substituido: Literal[True] | UnsetType = UNSET


class Beneficiario(Value, frozen=True, gc=False):
    """The person the benefit is for."""

    id: str | None
    idade: int | None
    data_nascimento: str | None
    carencia_cumprida_dias: int | float | None
    preexistencias: Any
    sexo: Sexo | UnsetType = UNSET


class Procedimento(Value, frozen=True, gc=False):
    """What is asked for, and how many units of it; `valor` is the whole of it in R$."""

    codigo: str | None
    tabela: Tabela | None
    descricao: str | None
    quantidade: int | float | None
    valor: int | float | UnsetType = UNSET


class Solicitante(Value, frozen=True, gc=False):
    """Who asks."""

    tipo: SolicitanteTipo | None


class Prestador(Value, frozen=True, gc=False):
    """Who would carry it out."""

    tipo: PrestadorTipo | None


class Documento(Value, frozen=True, gc=False):
    """A document that came with the pedido, by its type in upper snake case."""

    tipo: str


class PedidoNormalizado(Value, frozen=True, gc=False):
    """A pedido in the one shape that the rules read; dates are ISO `AAAA-MM-DD`."""

    pedido_id: str | None
    administradora_id: str | None
    plano_id: str | None
    data_pedido: str | None
    data_prevista: str | None
    urgencia: bool
    beneficiario: Beneficiario
    procedimento: Procedimento
    solicitante: Solicitante
    prestador: Prestador
    documentos_anexos: tuple[Documento, ...]
    extras: dict[str, Any]
    historico: tuple[Uso, ...] | UnsetType = UNSET


class Normalizacao(Value, frozen=True, gc=False):
    """What RF1 answers. Source: PRD RF1 1.3.2."""

    pedido_normalizado: PedidoNormalizado
    erros_bloqueantes: tuple[str, ...]
    alertas: tuple[str, ...]
    pedido_valido: bool


# --- RF2


class ParamsConsulta(Value, frozen=True, gc=False):
    """What the look-up is asked with; `data_referencia` is the data_pedido."""

    administradora_id: str | None
    plano_id: str | None
    codigo_procedimento: str | None
    tabela: Tabela | None
    quantidade: int | float | None
    urgencia: bool
    idade: int | None
    prestador_credenciado: bool
    preexistencias: Any
    carencia_cumprida_dias: int | float | None
    data_referencia: str | None
    sexo: Sexo | UnsetType = UNSET
    valor: int | float | UnsetType = UNSET
    historico: tuple[Uso, ...] | UnsetType = UNSET


class Parametros(Value, frozen=True, gc=False):
    """What RF2 answers. Source: PRD RF2 2.3.2."""

    params_consulta_regras: ParamsConsulta
    consulta_pronta: bool
    motivos_nao_pronto: tuple[str, ...]


# --- RF3


class RestricoesIdade(Value, frozen=True, gc=False):
    """Inclusive bounds in whole years; null is open."""

    min: int | None = None
    max: int | None = None


class Alternativa(Value, frozen=True, gc=False):
    """A procedure that may stand in for one that is not covered."""

    codigo: str
    descricao: str | None = None


class Excecao(Value, frozen=True, gc=False):
    """The way out that a regra names for one motivo."""

    motivo: str
    instrucao: str


class Limite(Value, frozen=True, gc=False, kw_only=True):
    """At most `quantidade` units in any `periodo_dias` days, the day of the pedido the last of them.

    `por` says what is counted: uses of the code asked for, or of any code that the regra is about.
    """

    quantidade: int | float
    periodo_dias: int
    por: ContaPor = "CODIGO"


class Regra(Value, frozen=True, gc=False, kw_only=True, cache_hash=True):
    """One rule of a política; whatever is absent does not restrict.

    `planos` are several that it is for at once, in the place of `plano_id`. Of each group of `documentos_alternativos` one is enough.
    `valor_maximo` is in R$ for a whole pedido; `cpt_meses` of 365/12 days run from the day that the beneficiário joined the plano.
    """

    regra_id: str
    codigo: str
    cobertura: Cobertura
    plano_id: str = "*"
    tabela: str = "*"
    documentos_obrigatorios: tuple[str, ...] = ()
    carencia_min_dias: int | None = None
    carencia_urgencia_dias: int | None = None
    restricoes_idade: RestricoesIdade | None = None
    restricoes_rede: Rede | None = None
    limite_quantidade: int | float | None = None
    autorizacao_previa: bool | None = None
    coparticipacao_percentual: int | float | None = None
    prazo_validade_autorizacao_dias: int | None = None
    permite_autorizacao_condicionada: bool | None = None
    alternativas: tuple[Alternativa, ...] = ()
    excecoes: tuple[Excecao, ...] = ()
    observacoes: str | None = None
    planos: tuple[str, ...] | UnsetType = UNSET
    descricao: str | UnsetType = UNSET
    tipo_atendimento: TipoAtendimento | UnsetType = UNSET
    sexo: Sexo | UnsetType = UNSET
    cpt_meses: int | UnsetType = UNSET
    valor_maximo: int | float | UnsetType = UNSET
    limites: tuple[Limite, ...] | UnsetType = UNSET
    documentos_alternativos: tuple[tuple[str, ...], ...] | UnsetType = UNSET


class FonteRegras(Value, frozen=True, gc=False, cache_hash=True):
    """Where a regra stands: document, version, validity and its id."""

    documento: str
    versao: str
    vigencia_inicio: str
    vigencia_fim: str | None
    regra_id: str


class Consulta(Value, frozen=True, gc=False):
    """What RF3 answers; both null when no regra applies. Source: PRD RF3 3.3.2."""

    regras_recuperadas: Regra | None
    fonte_regras: FonteRegras | None


# --- RF4


class AjusteMinimo(Value, frozen=True, gc=False):
    """The least that would have to change for one restriction to hold."""

    campo: str
    valor_sugerido: str | int | float | bool
    justificativa: str


class Avaliacao(Value, frozen=True, gc=False):
    """What RF4 answers. Source: PRD RF4 4.3.2."""

    pedido_id: str | None
    conforme: bool
    decisao_preliminar: DecisaoPreliminar
    motivos: tuple[str, ...]
    pendencias_documentais: tuple[str, ...]
    ajustes_minimos_requeridos: tuple[AjusteMinimo, ...]
    quantidade_aprovavel: int | float | None
    coparticipacao_percentual: int | float | None
    prazo_validade_autorizacao_dias: int | None
    restricoes_aplicadas: tuple[str, ...]
    fonte_regras: FonteRegras | None
    gatilho_pedido_nao_conforme: bool


# --- RF5


class Ajuste(Value, frozen=True, gc=False):
    """One change that would help the pedido through, and how far it would."""

    acao_tipo: AcaoTipo
    campo_alvo: str
    valor_sugerido: str | int | float | bool | None
    justificativa: str
    impacto_conformidade: Impacto


class Ajustes(Value, frozen=True, gc=False):
    """What RF5 answers. Source: PRD RF5 5.3.2."""

    pedido_id: str | None
    ajustes_sugeridos: tuple[Ajuste, ...]
    resumo_efeito: str


# --- RF6


class Entrega(Value, frozen=True, gc=False):
    """A document still owed by an approved pedido, by its type."""

    tipo: str


# What still has to happen, as a value: RF6 tells it in words among its `condicionantes`, in the same order.
Condicao = Ajuste | Entrega


class DetalheDecisao(Value, frozen=True, gc=False):
    """The terms of a decision."""

    quantidade_aprovada: int | float | None
    coparticipacao_percentual: int | float | None
    prazo_validade_autorizacao_dias: int | None
    condicionantes: tuple[str, ...]


class Mensagens(Value, frozen=True, gc=False):
    """The same decision told twice: technically, and plainly."""

    para_solicitante: str
    para_beneficiario: str


class ArtefatoRegistro(Value, frozen=True, gc=False):
    """What a register keeps: status, motivos and where the regra stands."""

    status: str
    motivos: tuple[str, ...]
    fonte_regras: FonteRegras | None


class Decisao(Value, frozen=True, gc=False):
    """What RF6 answers: the document that leaves crivo. Source: PRD RF6 6.3.2."""

    pedido_id: str | None
    decisao_final: DecisaoFinal
    detalhe_decisao: DetalheDecisao
    mensagens: Mensagens
    artefato_registro: ArtefatoRegistro


# --- the policies


class Politica(Value, frozen=True, gc=False, kw_only=True):
    """A document of an administradora: a version of its regras, in force from `vigencia_inicio` to `vigencia_fim`, both inclusive.

    `planos` are all that it has; none stated leaves them open.
    """

    administradora_id: str
    documento: str
    versao: str
    vigencia_inicio: str
    vigencia_fim: str | None = None
    planos: tuple[str, ...] = ()
    regras: tuple[Regra, ...]
