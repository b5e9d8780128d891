"""What a política's document may hold, field by field, and the JSON Schema published from it."""

from __future__ import annotations

from typing import Any, Final, assert_never

from crivo.autorizacoes.politicas.codigos import fold_documento, normalize_codigo, normalize_padrao
from crivo.autorizacoes.politicas.tipos import (
    NAO_VAZIO,
    SEM_CONTROLE,
    SEM_CONTROLE_LONGO,
    Campo,
    Data,
    Escolha,
    ListaDe,
    Logico,
    Numero,
    Objeto,
    Padrao,
    Texto,
    Tipo,
)

DIAS_MAXIMO: Final = 36_500
QUANTIDADE_MAXIMA: Final = 1_000_000_000
IDADE_MAXIMA: Final = 130
DATA: Final = Padrao(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "data_invalida", "deve ser uma data no formato AAAA-MM-DD, como 2026-01-31")

_ASTERISCO_NO_MEIO: Final = Padrao(r"\*\s*\S", "codigo_invalido", "só pode ter `*` no fim, como em `4030*`", recusa=True)
_ASTERISCO: Final = Padrao(r"\*", "codigo_invalido", "deve ser um código inteiro, sem `*`", recusa=True)
_ID: Final = Texto(100)
_LONGO: Final = Texto(20_000, (SEM_CONTROLE_LONGO,))
_DIAS: Final = Numero(0, DIAS_MAXIMO)
_CODIGO: Final = Texto(64, (NAO_VAZIO, SEM_CONTROLE, _ASTERISCO), normalize_codigo, "40304361")

ALTERNATIVA: Final = Objeto(
    "alternativa",
    (
        Campo("codigo", "Código", "Código do procedimento que pode ser pedido no lugar deste.", _CODIGO, "obrigatorio"),
        Campo("descricao", "Descrição", "Nome do procedimento alternativo.", Texto(500, (SEM_CONTROLE_LONGO,))),
    ),
)
EXCECAO: Final = Objeto(
    "exceção",
    (
        Campo("motivo", "Motivo", "Motivo de não conformidade para o qual há uma saída, como restricao_idade.", _ID, "obrigatorio"),
        Campo(
            "instrucao",
            "Instrução",
            "O que fazer nesse caso, escrito para quem pede.",
            Texto(2_000, (NAO_VAZIO, SEM_CONTROLE_LONGO)),
            "obrigatorio",
        ),
    ),
)
RESTRICOES_IDADE: Final = Objeto(
    "faixa de idade",
    (
        Campo("min", "Idade mínima", "Em anos completos, inclusive; nulo é sem mínimo.", Numero(0, IDADE_MAXIMA)),
        Campo("max", "Idade máxima", "Em anos completos, inclusive; nulo é sem máximo.", Numero(0, IDADE_MAXIMA)),
    ),
)
REGRA: Final = Objeto(
    "regra",
    (
        Campo("regra_id", "Identificador da regra", "Único dentro do documento.", _ID, "obrigatorio"),
        Campo("plano_id", "Plano", "O plano a que a regra se aplica, ou * para todos.", _ID, "omissivel"),
        Campo("tabela", "Tabela", "A tabela do código, ou * para todas.", Escolha(("TUSS", "CBHPM", "OUTRA", "*")), "omissivel"),
        Campo(
            "codigo",
            "Código",
            "Um código, um prefixo terminado em * (4030*) ou * para todos.",
            Texto(64, (NAO_VAZIO, SEM_CONTROLE, _ASTERISCO_NO_MEIO), normalize_padrao, "40304361"),
            "obrigatorio",
        ),
        Campo("cobertura", "Cobertura", "Se o procedimento é coberto.", Escolha(("COBERTA", "NAO_COBERTA", "CONDICIONAL")), "obrigatorio"),
        Campo(
            "documentos_obrigatorios",
            "Documentos obrigatórios",
            "Tipos de documento que o pedido deve trazer, como LAUDO_MEDICO.",
            ListaDe(Texto(100, normaliza=fold_documento, exemplo="LAUDO_MEDICO"), sem_repetir=True),
        ),
        Campo("carencia_min_dias", "Carência", "Dias de plano que o beneficiário deve ter cumprido.", _DIAS),
        Campo("carencia_urgencia_dias", "Carência em urgência", "Dias de carência quando o pedido é urgente.", _DIAS),
        Campo("restricoes_idade", "Faixa de idade", "Idades para as quais há cobertura.", RESTRICOES_IDADE),
        Campo("restricoes_rede", "Rede", "Quem pode realizar o procedimento.", Escolha(("APENAS_CREDENCIADA", "LIVRE"))),
        Campo("limite_quantidade", "Limite de quantidade", "O máximo que um pedido pode ter.", Numero(0, QUANTIDADE_MAXIMA, fracao=True)),
        Campo("autorizacao_previa", "Autorização prévia", "Se o procedimento só se realiza depois de autorizado.", Logico()),
        Campo("coparticipacao_percentual", "Coparticipação", "Parte paga pelo beneficiário, de 0 a 100.", Numero(0, 100, fracao=True)),
        Campo("prazo_validade_autorizacao_dias", "Validade da autorização", "Por quantos dias a autorização vale.", _DIAS),
        Campo(
            "permite_autorizacao_condicionada",
            "Autorização condicionada",
            "Se o pedido pode ser aprovado antes de chegarem os documentos.",
            Logico(),
        ),
        Campo("alternativas", "Alternativas", "Procedimentos que podem ser pedidos no lugar deste.", ListaDe(ALTERNATIVA)),
        Campo("excecoes", "Exceções", "Saídas para um motivo de não conformidade.", ListaDe(EXCECAO)),
        Campo(
            "observacoes",
            "Observações",
            "Texto livre; um código alternativo ou uma via de auditoria citados só aqui são lidos na importação.",
            _LONGO,
        ),
    ),
)
POLITICA: Final = Objeto(
    "política",
    (
        Campo("administradora_id", "Administradora", "Identificador da administradora, como vem nos pedidos.", _ID, "obrigatorio"),
        Campo("documento", "Documento", "Nome do documento de onde vêm as regras.", Texto(200), "obrigatorio"),
        Campo("versao", "Versão", "Versão do documento; 3.10 é posterior a 3.9.", Texto(40, exemplo="3.1"), "obrigatorio"),
        Campo("vigencia_inicio", "Início da vigência", "Primeiro dia em que as regras valem.", Data(), "obrigatorio"),
        Campo("vigencia_fim", "Fim da vigência", "Último dia em que as regras valem; nulo é sem fim.", Data(aberta=True)),
        Campo(
            "planos",
            "Planos",
            "Todos os planos que a administradora tem; declarados, o pedido de outro plano não é avaliado e volta para corrigir.",
            ListaDe(_ID, sem_repetir=True),
        ),
        Campo("regras", "Regras", "As regras do documento.", ListaDe(REGRA, minimo=1), "obrigatorio"),
    ),
)


def esquema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a política's document, with titles and descriptions in pt-BR.

    What a schema cannot say (real dates, order of bounds, unique ids) is checked by the validation on top. Source: design, RF3.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:crivo:politica",
        "title": "Política",
        "description": "Um documento de regras de uma administradora, com versão e vigência.",
        **_render(POLITICA),
    }


def _render(tipo: Tipo) -> dict[str, Any]:
    match tipo:
        case Texto():
            exemplos = {"examples": [tipo.exemplo]} if tipo.exemplo else {}
            return {"type": "string", "maxLength": tipo.maximo, "allOf": [_render_padrao(padrao) for padrao in tipo.padroes], **exemplos}
        case Escolha():
            return {"type": "string", "enum": list(tipo.valores)}
        case Data():
            return {"type": "string", "format": "date", "maxLength": 10, "pattern": DATA.expressao}
        case Numero():
            return {"type": "number" if tipo.fracao else "integer", "minimum": tipo.minimo, "maximum": tipo.maximo}
        case Logico():
            return {"type": "boolean"}
        case ListaDe():
            return {"type": "array", "items": _render(tipo.item), "minItems": tipo.minimo}
        case Objeto():
            return {
                "type": "object",
                "properties": {campo.nome: _render_campo(campo) for campo in tipo.campos},
                "required": [campo.nome for campo in tipo.campos if campo.presenca == "obrigatorio"],
                "additionalProperties": False,
            }
        case _:
            assert_never(tipo)


def _render_campo(campo: Campo) -> dict[str, Any]:
    rendered = {"title": campo.titulo, "description": campo.descricao, **_render(campo.tipo)}
    if campo.presenca == "opcional":
        rendered["type"] = [rendered["type"], "null"]
        if "enum" in rendered:
            rendered["enum"] = [*rendered["enum"], None]
    return rendered


def _render_padrao(padrao: Padrao) -> dict[str, Any]:
    # A pattern says nothing of a null, so its plain negation would refuse one.
    return {"not": {"type": "string", "pattern": padrao.expressao}} if padrao.recusa else {"pattern": padrao.expressao}
