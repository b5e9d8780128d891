"""Every motivo of a decision, one record each: its code and how each reader is told it. Source: PRD RF1, RF4; record 0037."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crivo.autorizacoes.contracts import Value
from crivo.autorizacoes.palavras import campo_com_artigo

PEDIDO_INVALIDO: Final = "pedido_invalido"
REGRA_NAO_ENCONTRADA: Final = "regra_nao_encontrada"
SEM_COBERTURA: Final = "procedimento_sem_cobertura"
CARENCIA: Final = "carencia_nao_cumprida"
IDADE: Final = "restricao_idade"
REDE: Final = "rede_nao_credenciada"
QUANTIDADE: Final = "acima_do_limite_quantitativo"
DOCUMENTOS: Final = "documentacao_pendente"
CPT: Final = "cobertura_parcial_temporaria"
SEXO: Final = "restricao_sexo"
SEM_SEXO: Final = "sexo_nao_informado"
VALOR: Final = "acima_do_valor_maximo"
SEM_VALOR: Final = "valor_nao_informado"
PERIODO: Final = "acima_do_limite_por_periodo"
ESGOTADO: Final = "limite_por_periodo_esgotado"
SEM_HISTORICO: Final = "historico_nao_informado"
HISTORICO_INCOMPLETO: Final = "historico_incompleto"
CAMPO_AUSENTE: Final = "campo_obrigatorio_ausente"
VALOR_DESCONHECIDO: Final = "valor_fora_do_dominio"
DATA_DO_PEDIDO: Final = "data_pedido_invalida"
DATA_NO_FUTURO: Final = "data_pedido_no_futuro"
DATA_PREVISTA: Final = "data_prevista_invalida"
PLANO_DESCONHECIDO: Final = "plano_desconhecido"
QUANTIDADE_INVALIDA: Final = "quantidade_invalida"
SEM_COBERTURA_EM_VIGOR: Final = "cobertura_fora_de_vigencia"
BENEFICIARIO_INATIVO: Final = "beneficiario_inativo"
NASCIMENTO_ILEGIVEL: Final = "data_nascimento_ilegivel"
IDADE_NAO_LIDA: Final = "idade_nao_lida"
CARENCIA_NAO_LIDA: Final = "carencia_nao_lida"
CARENCIA_NAO_INICIADA: Final = "carencia_nao_iniciada"


class Motivo(Value, frozen=True, gc=False, kw_only=True):
    """Why a pedido does not pass as it is. The texts are pt-BR and start in lower case, save whole sentences.

    `frase` is a clause for a page and `rotulo` a few words for a table; both may name `{campo}`, the field after the colon of a code.
    `tecnico` tells whoever asked and `simples` the beneficiário, where no figure is needed; `resta` names what is still to be settled.
    `campo` is the field at fault and `instrucao` how to mend it. `da_regra`: a regra gives it, and may name a way out of it.
    """

    codigo: str
    frase: str
    rotulo: str
    tecnico: str = ""
    simples: str = ""
    resta: str = ""
    campo: str = ""
    instrucao: str = ""
    da_regra: bool = False


MOTIVOS: Final = (
    Motivo(codigo=PEDIDO_INVALIDO, frase="O pedido não pôde ser avaliado", rotulo="pedido incompleto ou com erro"),
    Motivo(
        codigo=REGRA_NAO_ENCONTRADA,
        frase="Nenhuma regra publicada trata deste procedimento, neste plano e nesta data",
        rotulo="nenhuma regra para este caso",
        tecnico="nenhuma regra publicada trata do procedimento neste plano e nesta data",
        resta="a falta de regra aplicável",
    ),
    Motivo(
        codigo=SEM_COBERTURA,
        frase="O plano não cobre este procedimento",
        rotulo="sem cobertura",
        tecnico="procedimento sem cobertura no plano",
        simples="O seu plano não cobre este procedimento.",
        resta="a falta de cobertura",
        da_regra=True,
    ),
    Motivo(
        codigo=CARENCIA,
        frase="A carência ainda não foi cumprida, ou o pedido não diz quanto já se cumpriu",
        rotulo="carência por cumprir",
        resta="a carência a cumprir",
        da_regra=True,
    ),
    Motivo(
        codigo=IDADE, frase="A idade está fora da faixa da regra", rotulo="idade fora da faixa", resta="a restrição de idade", da_regra=True
    ),
    Motivo(
        codigo=REDE,
        frase="A regra pede a rede credenciada, e o pedido não mostra um prestador dela",
        rotulo="rede credenciada exigida",
        resta="a rede credenciada",
        da_regra=True,
    ),
    Motivo(codigo=QUANTIDADE, frase="A quantidade pedida passa do limite da regra", rotulo="acima do limite de quantidade", da_regra=True),
    Motivo(codigo=DOCUMENTOS, frase="Faltam documentos", rotulo="falta de documento", resta="documentos a anexar", da_regra=True),
    Motivo(
        codigo=CPT,
        frase="A cobertura parcial temporária, por doença preexistente declarada, ainda não terminou",
        rotulo="cobertura parcial temporária",
        resta="a cobertura parcial temporária",
        da_regra=True,
    ),
    Motivo(
        codigo=SEXO,
        frase="A regra é para beneficiários do outro sexo",
        rotulo="sexo fora da regra",
        resta="a restrição de sexo",
        da_regra=True,
    ),
    Motivo(
        codigo=SEM_SEXO,
        frase="A regra depende do sexo do beneficiário, e o pedido não o informa de um jeito que se leia",
        rotulo="sexo não informado",
        resta="o sexo a informar",
        campo="beneficiario.sexo",
        da_regra=True,
    ),
    Motivo(
        codigo=VALOR,
        frase="O valor do pedido passa do máximo da regra",
        rotulo="acima do valor máximo",
        resta="o valor máximo",
        da_regra=True,
    ),
    Motivo(
        codigo=SEM_VALOR,
        frase="A regra tem um valor máximo, e o pedido não informa o valor de um jeito que se leia",
        rotulo="valor não informado",
        resta="o valor a informar",
        campo="procedimento.valor",
        da_regra=True,
    ),
    Motivo(
        codigo=PERIODO,
        frase="A quantidade pedida passa do que ainda resta do limite por período",
        rotulo="acima do limite por período",
        da_regra=True,
    ),
    Motivo(
        codigo=ESGOTADO,
        frase="O limite por período já foi todo usado",
        rotulo="limite por período esgotado",
        resta="o limite por período",
        da_regra=True,
    ),
    Motivo(
        codigo=SEM_HISTORICO,
        frase="A regra tem um limite por período, e não se sabe o que o beneficiário já usou",
        rotulo="histórico não informado",
        resta="o histórico a informar",
        campo="historico",
        da_regra=True,
    ),
    Motivo(
        codigo=HISTORICO_INCOMPLETO,
        frase="O histórico traz um uso sem código, data ou quantidade que se leia, e o limite por período não pôde ser conferido",
        rotulo="histórico incompleto",
        resta="o histórico a completar",
        campo="historico",
        da_regra=True,
    ),
    Motivo(
        codigo=CAMPO_AUSENTE,
        frase="Falta informar {campo}",
        rotulo="falta {campo}",
        instrucao="Informe este campo, que é obrigatório e veio vazio.",
    ),
    Motivo(
        codigo=DATA_DO_PEDIDO,
        frase="A data do pedido não existe ou não pôde ser lida",
        rotulo="data do pedido inválida",
        tecnico="data do pedido inexistente ou ilegível",
        campo="data_pedido",
        instrucao="Informe uma data do pedido que exista no calendário, como 20/11/2026.",
    ),
    Motivo(
        codigo=DATA_NO_FUTURO,
        frase="A data do pedido é depois do dia em que ele chegou",
        rotulo="data do pedido no futuro",
        tecnico="data do pedido posterior ao dia em que ele chegou",
        campo="data_pedido",
        instrucao="Confira a data do pedido, que é depois do dia em que ele chegou, e envie de novo com a data certa.",
    ),
    Motivo(
        codigo=DATA_PREVISTA,
        frase="A data prevista não existe ou não pôde ser lida",
        rotulo="data prevista inválida",
        tecnico="data prevista inexistente ou ilegível",
        campo="data_prevista",
        instrucao="Informe uma data prevista que exista no calendário, como 20/11/2026, ou deixe-a em branco.",
    ),
    Motivo(
        codigo=PLANO_DESCONHECIDO,
        frase="O plano não é um dos que a administradora declara",
        rotulo="plano desconhecido",
        tecnico="plano que a administradora não declara",
        campo="plano_id",
        instrucao="Informe um dos planos que a administradora declara; o que veio não é nenhum deles.",
    ),
    Motivo(
        codigo=VALOR_DESCONHECIDO,
        frase="Não se entende {campo}",
        rotulo="{campo} sem valor conhecido",
        tecnico="urgência que não diz nem sim nem não",
        campo="urgencia",
        instrucao="Diga se o pedido é urgente com sim ou com não; o que veio não diz nem um nem outro.",
    ),
    Motivo(
        codigo=QUANTIDADE_INVALIDA,
        frase="A quantidade não é um número maior que zero",
        rotulo="quantidade inválida",
        tecnico="quantidade que não é um número maior que zero",
        campo="procedimento.quantidade",
        instrucao="Informe a quantidade como um número maior que zero.",
    ),
    Motivo(
        codigo=SEM_COBERTURA_EM_VIGOR,
        frase="A cobertura que o pedido traz não está em vigor na data dele",
        rotulo="cobertura fora de vigência",
        tecnico="cobertura que não está em vigor na data do pedido",
        campo="plano_id",
        instrucao="Confira a cobertura do beneficiário, e envie de novo com a que está em vigor na data do pedido.",
    ),
    Motivo(
        codigo=BENEFICIARIO_INATIVO,
        frase="O cadastro que o pedido traz diz que o beneficiário faleceu, ou que não está mais ativo",
        rotulo="beneficiário inativo no cadastro",
        tecnico="cadastro que diz que o beneficiário faleceu, ou que não está mais ativo",
        campo="beneficiario.id",
        instrucao="Confira o cadastro do beneficiário, e envie de novo com o que está certo.",
    ),
    Motivo(
        codigo=NASCIMENTO_ILEGIVEL,
        frase="A regra tem faixa de idade, e a data de nascimento veio incompleta ou não existe",
        rotulo="data de nascimento ilegível",
        tecnico="data de nascimento incompleta ou que não existe, em uma regra com faixa de idade",
        campo="beneficiario.data_nascimento",
        instrucao="Informe a data de nascimento inteira, como 31/05/1980.",
    ),
    Motivo(
        codigo=IDADE_NAO_LIDA,
        frase="A data de nascimento não está escrita como o formato diz, e a regra depende da idade",
        rotulo="idade que não se lê",
        tecnico="data de nascimento que não está escrita como o formato diz, com regra que depende da idade",
        campo="beneficiario.idade",
        instrucao="Mande a data de nascimento escrita como o formato diz, ou corrija o formato: a regra depende da idade.",
    ),
    Motivo(
        codigo=CARENCIA_NAO_LIDA,
        frase="A data de início do plano não está escrita como o formato diz, e a regra exige carência",
        rotulo="início do plano que não se lê",
        tecnico="data de início do plano que não está escrita como o formato diz, com regra que exige carência",
        campo="beneficiario.carencia_cumprida_dias",
        instrucao="Mande a data de início do plano escrita como o formato diz, ou corrija o formato: dela se conta a carência.",
    ),
    Motivo(
        codigo=CARENCIA_NAO_INICIADA,
        frase="A data de início do plano é depois da data do pedido, e a regra exige carência",
        rotulo="plano que não começou",
        tecnico="data de início do plano posterior à data do pedido, com regra que exige carência",
        campo="beneficiario.carencia_cumprida_dias",
        instrucao="Confira a data de início do plano: ela é depois da data do pedido, e a carência ainda não começou a contar.",
    ),
)
DA_REGRA: Final = tuple(motivo.codigo for motivo in MOTIVOS if motivo.da_regra)
COM_SAIDA: Final = (IDADE, SEXO)
"""The motivos whose exceção in the regra is suggested as a way out. Source: PRD RF5 5.2."""
SEM_SAIDA: Final = (SEM_COBERTURA, CARENCIA, CPT, REDE, VALOR, QUANTIDADE, DOCUMENTOS)
"""Those for which people write an exceção that nothing suggests."""
_BY_CODE: Final[Mapping[str, Motivo]] = {motivo.codigo: motivo for motivo in MOTIVOS}


def find_motivo(codigo: str) -> Motivo | None:
    """The record of a code as decisions hold it, also one that names a field after a colon; None where no record has it."""
    return _BY_CODE.get(codigo.partition(":")[0])


def alvo(codigo: str) -> str:
    """The field at fault: the one that the code names, else the record's own; empty where it is no field's fault."""
    known = find_motivo(codigo)
    return codigo.partition(":")[2] or (known.campo if known else "")


def frase(codigo: str) -> str:
    """A motivo as a clause for a page; a code without a record is told by its own words."""
    known = find_motivo(codigo)
    if known is None:
        return codigo.partition(":")[0].replace("_", " ").capitalize()
    return known.frase.replace("{campo}", campo_com_artigo(alvo(codigo)))


def rotulo(codigo: str) -> str:
    """A motivo in a few words; a code without a record is told as it is."""
    known = find_motivo(codigo)
    return known.rotulo.replace("{campo}", alvo(codigo)) if known else codigo
