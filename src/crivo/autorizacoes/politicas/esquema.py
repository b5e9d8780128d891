"""What a política's document may hold, field by field, and the JSON Schema published from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, ConfigDict, Field

from crivo.autorizacoes.contracts import Cobertura, ContaPor, Rede, Sexo, Tabela, TipoAtendimento
from crivo.autorizacoes.politicas.codigos import fold_documento, normalize_codigo, normalize_padrao
from crivo.kernel.formas.esquema import publish
from crivo.kernel.formas.tipos import COMO_INTEIRO, INTEIRO, NAO_VAZIO, Calendario, Forma, Padrao, Texto

T = TypeVar("T")
DIAS_MAXIMO: Final = 36_500
QUANTIDADE_MAXIMA: Final = 1_000_000_000
IDADE_MAXIMA: Final = 130
VALOR_MAXIMO: Final = 100_000_000
MESES_MAXIMO: Final = 1_200

_SEM_CONTROLE: Final = Padrao(
    r"[\u0000-\u001f\u007f-\u009f]",
    "texto_invalido",
    "tem um caractere invisível ou uma quebra de linha; escreva em uma linha só",
    recusa=True,
)
_SEM_CONTROLE_LONGO: Final = Padrao(
    r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]", "texto_invalido", "tem um caractere invisível; apague-o", recusa=True
)
_ASTERISCO_NO_MEIO: Final = Padrao(r"\*\s*\S", "codigo_invalido", "só pode ter `*` no fim, como em `4030*`", recusa=True)
_ASTERISCO: Final = Padrao(r"\*", "codigo_invalido", "deve ser um código inteiro, sem `*`", recusa=True)
_UMA_LINHA: Final = (NAO_VAZIO, _SEM_CONTROLE)
_DATA: Final = Padrao(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "data_invalida", "deve ser uma data no formato AAAA-MM-DD, como 2026-01-31")
_DIA: Final = Calendario(
    _DATA, "data_inexistente", "tem um dia que não existe no calendário", date.fromisoformat, {"format": "date", "maxLength": 10}
)
_DIA_ABERTO: Final = replace(_DIA, depois=" Se ainda não há esse dia, escreva `null` ou deixe o campo de fora.")


def _without_repeats(itens: Sequence[T]) -> list[T]:
    return list(dict.fromkeys(itens))


Id = Annotated[str, Texto(100, _UMA_LINHA, str.strip)]
Codigo = Annotated[str, Texto(64, (*_UMA_LINHA, _ASTERISCO), normalize_codigo, exemplo="40304361")]
Padronizado = Annotated[str, Texto(64, (*_UMA_LINHA, _ASTERISCO_NO_MEIO), normalize_padrao, exemplo="40304361")]
TipoDeDocumento = Annotated[str, Texto(100, _UMA_LINHA, fold_documento, exemplo="LAUDO_MEDICO")]
Dias = Annotated[int, Field(ge=0, le=DIAS_MAXIMO), INTEIRO]
Idade = Annotated[int, Field(ge=0, le=IDADE_MAXIMA), INTEIRO]
Quantidade = Annotated[float, Field(ge=0, le=QUANTIDADE_MAXIMA), COMO_INTEIRO]
Meses = Annotated[int, Field(ge=1, le=MESES_MAXIMO), INTEIRO]
Periodo = Annotated[int, Field(ge=1, le=DIAS_MAXIMO), INTEIRO]
Reais = Annotated[float, Field(ge=0, le=VALOR_MAXIMO), COMO_INTEIRO]
Unidades = Annotated[float, Field(ge=1, le=QUANTIDADE_MAXIMA), COMO_INTEIRO]
Percentual = Annotated[float, Field(ge=0, le=100), COMO_INTEIRO]


class FormaAlternativa(Forma):
    """A procedure that may stand in for another."""

    model_config = ConfigDict(title="alternativa")

    codigo: Codigo = Field(title="Código", description="Código do procedimento que pode ser pedido no lugar deste.")
    descricao: Annotated[str, Texto(500, (_SEM_CONTROLE_LONGO,), str.strip)] | None = Field(
        None, title="Descrição", description="Nome do procedimento alternativo."
    )


class FormaExcecao(Forma):
    """The way out of one motivo."""

    model_config = ConfigDict(title="exceção")

    motivo: Id = Field(title="Motivo", description="Motivo de não conformidade para o qual há uma saída, como restricao_idade.")
    instrucao: Annotated[str, Texto(2_000, (NAO_VAZIO, _SEM_CONTROLE_LONGO), str.strip)] = Field(
        title="Instrução", description="O que fazer nesse caso, escrito para quem pede."
    )


class FormaIdades(Forma):
    """Bounds of age."""

    model_config = ConfigDict(title="faixa de idade")

    min: Idade | None = Field(None, title="Idade mínima", description="Em anos completos, inclusive; nulo é sem mínimo.")
    max: Idade | None = Field(None, title="Idade máxima", description="Em anos completos, inclusive; nulo é sem máximo.")


class FormaLimite(Forma):
    """How many units in a span of days."""

    model_config = ConfigDict(title="limite por período")

    quantidade: Unidades = Field(title="Quantidade", description="O máximo de unidades dentro do período; ao menos uma.")
    periodo_dias: Periodo = Field(title="Período", description="Em dias corridos, contados para trás a partir do dia do pedido, inclusive.")
    por: ContaPor = Field(
        "CODIGO",
        title="O que se conta",
        description="CODIGO soma o que já se usou do código pedido; REGRA, o que se usou de qualquer código desta regra.",
    )


class FormaRegra(Forma):
    """One rule."""

    model_config = ConfigDict(title="regra")

    regra_id: Id = Field(title="Identificador da regra", description="Único dentro do documento.")
    plano_id: Id = Field("*", title="Plano", description="O plano a que a regra se aplica, ou * para todos.")
    tabela: Literal[Tabela, "*"] = Field("*", title="Tabela", description="A tabela do código, ou * para todas.")
    codigo: Padronizado = Field(title="Código", description="Um código, um prefixo terminado em * (4030*) ou * para todos.")
    cobertura: Cobertura = Field(title="Cobertura", description="Se o procedimento é coberto.")
    documentos_obrigatorios: Annotated[list[TipoDeDocumento], AfterValidator(_without_repeats)] | None = Field(
        None, title="Documentos obrigatórios", description="Tipos de documento que o pedido deve trazer, como LAUDO_MEDICO."
    )
    carencia_min_dias: Dias | None = Field(None, title="Carência", description="Dias de plano que o beneficiário deve ter cumprido.")
    carencia_urgencia_dias: Dias | None = Field(
        None, title="Carência em urgência", description="Dias de carência quando o pedido é urgente."
    )
    restricoes_idade: FormaIdades | None = Field(None, title="Faixa de idade", description="Idades para as quais há cobertura.")
    restricoes_rede: Rede | None = Field(None, title="Rede", description="Quem pode realizar o procedimento.")
    limite_quantidade: Quantidade | None = Field(None, title="Limite de quantidade", description="O máximo que um pedido pode ter.")
    autorizacao_previa: bool | None = Field(
        None, title="Autorização prévia", description="Se o procedimento só se realiza depois de autorizado."
    )
    coparticipacao_percentual: Percentual | None = Field(
        None, title="Coparticipação", description="Parte paga pelo beneficiário, de 0 a 100."
    )
    prazo_validade_autorizacao_dias: Dias | None = Field(
        None, title="Validade da autorização", description="Por quantos dias a autorização vale."
    )
    permite_autorizacao_condicionada: bool | None = Field(
        None, title="Autorização condicionada", description="Se o pedido pode ser aprovado antes de chegarem os documentos."
    )
    alternativas: list[FormaAlternativa] | None = Field(
        None, title="Alternativas", description="Procedimentos que podem ser pedidos no lugar deste."
    )
    excecoes: list[FormaExcecao] | None = Field(None, title="Exceções", description="Saídas para um motivo de não conformidade.")
    observacoes: Annotated[str, Texto(20_000, (_SEM_CONTROLE_LONGO,), str.strip)] | None = Field(
        None,
        title="Observações",
        description="Texto livre; um código alternativo ou uma via de auditoria citados só aqui são lidos na importação.",
    )
    planos: Annotated[list[Id], AfterValidator(_without_repeats)] | None = Field(
        None, title="Planos", description="Vários planos a que a regra se aplica, no lugar de plano_id."
    )
    descricao: Annotated[str, Texto(500, (_SEM_CONTROLE,), str.strip)] | None = Field(
        None, title="Descrição", description="O nome do procedimento, para as mensagens e a busca."
    )
    tipo_atendimento: TipoAtendimento | None = Field(
        None, title="Tipo de atendimento", description="De que atendimento se trata; dele dependem os prazos de resposta."
    )
    sexo: Sexo | None = Field(None, title="Sexo", description="O sexo para o qual há cobertura, F ou M; nulo é para ambos.")
    cpt_meses: Meses | None = Field(
        None,
        title="Cobertura parcial temporária",
        description="Meses de plano antes dos quais não cobre quem declarou doença preexistente; a lei permite até 24.",
    )
    valor_maximo: Reais | None = Field(None, title="Valor máximo", description="Em reais, o máximo que um pedido inteiro pode custar.")
    limites: list[FormaLimite] | None = Field(
        None, title="Limites por período", description="Quantas unidades em tantos dias, contado o que o beneficiário já usou."
    )
    documentos_alternativos: list[Annotated[list[TipoDeDocumento], AfterValidator(_without_repeats), Field(min_length=1)]] | None = Field(
        None, title="Documentos alternativos", description="Grupos de tipos de documento; de cada grupo, um basta."
    )


class FormaPolitica(Forma):
    """A document of rules."""

    model_config = ConfigDict(title="política")

    administradora_id: Id = Field(title="Administradora", description="Identificador da administradora, como vem nos pedidos.")
    documento: Annotated[str, Texto(200, _UMA_LINHA, str.strip)] = Field(
        title="Documento", description="Nome do documento de onde vêm as regras."
    )
    versao: Annotated[str, Texto(40, _UMA_LINHA, str.strip, exemplo="3.1")] = Field(
        title="Versão", description="Versão do documento; 3.10 é posterior a 3.9."
    )
    vigencia_inicio: Annotated[str, _DIA] = Field(title="Início da vigência", description="Primeiro dia em que as regras valem.")
    vigencia_fim: Annotated[str, _DIA_ABERTO] | None = Field(
        None, title="Fim da vigência", description="Último dia em que as regras valem; nulo é sem fim."
    )
    planos: Annotated[list[Id], AfterValidator(_without_repeats)] | None = Field(
        None,
        title="Planos",
        description="Todos os planos que a administradora tem; declarados, o pedido de outro plano não é avaliado e volta para corrigir.",
    )
    regras: list[FormaRegra] = Field(title="Regras", description="As regras do documento.", min_length=1)


def esquema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a política's document, with titles and descriptions in pt-BR.

    What a schema cannot say (real dates, order of bounds, unique ids) is checked by the validation on top. Source: design, RF3.
    """
    descricao = "Um documento de regras de uma administradora, com versão e vigência."
    return publish(FormaPolitica, "urn:crivo:politica", "Política", descricao)
