"""What no text about a decision may say: one list for the prompts of whoever writes and for the check that reads.

Each kind is a line of the prompts (pt-BR), in this order, and the complaints of the check that fall under it. A complaint that is of no
kind, or a prompt without these lines, fails a test: neither can drift from the other.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.autorizacoes.redacao.insumos import Falha


class Proibido(msgspec.Struct, frozen=True):
    """One kind of thing that may not be said; `porques` are what the check says where it is, in full or as they begin."""

    nome: str
    falha: Falha
    linha: str
    porques: tuple[str, ...]


PROIBIDOS: Final[tuple[Proibido, ...]] = (
    Proibido(
        "números",
        "numero",
        "número, percentual, valor ou prazo que não está na entrada, ou que lá é outra coisa; valem as contas diretas (quanto falta, "
        "quantas ficaram de fora). Aprovação em parte diz sempre quantas.",
        (
            "este número não está nos dados da decisão",
            "este valor não está nos dados da decisão",
            "este prazo não está nos dados da decisão",
            "esta frequência não está nos dados da decisão",
            "dá por sabido o que não se sabe",
            "não diz quantas unidades foram aprovadas",
        ),
    ),
    Proibido("códigos", "codigo", "código que não está na entrada.", ("este código não está nos dados da decisão",)),
    Proibido(
        "datas",
        "data",
        "data, dia da semana, mês ou feriado que não está na entrada, ou que lá é outra coisa.",
        ("esta data não está nos dados da decisão", "este dia não está nos dados da decisão"),
    ),
    Proibido(
        "documentos e fontes",
        "documento",
        "documento, lei, norma, manual, versão ou endereço que não está na entrada.",
        ("este documento não está entre os do pedido nem os da regra", "esta fonte não é a da decisão"),
    ),
    Proibido(
        "desfecho",
        "resultado",
        "desfecho que não é o da decisão, nem amaciado nem endurecido: “em espera” ou “nova tentativa” do que foi negado, “definitivo” do "
        "que está pendente; quantidade, procedimento ou parte do corpo que não são os do pedido.",
        (
            "a decisão é ",
            "a decisão já foi tomada",
            "a aprovação não tem condição",
            "a idade está do outro lado do limite",
            "amacia uma negativa",
            "dá por definitivo o que ainda tem saída",
            "não diz que a aprovação é só em parte",
            "não foi isto o que se decidiu",
            "não é esta a parte do corpo do procedimento pedido",
            "não é esta a quantidade aprovada",
            "não é este o procedimento pedido",
            "o limite da regra é menor que esta quantidade",
            "o pedido foi aprovado",
            "o pedido foi negado",
            "o pedido não foi aprovado",
            "o pedido não foi negado: há o que ajustar",
        ),
    ),
    Proibido(
        "o que falta",
        "resultado",
        "texto que esquece um ajuste ou um documento a entregar, ou não diz o que foi pedido e o que se decidiu; “só falta”, “basta” ou "
        "“assim que isso chegar” quando outra regra continua sem ser cumprida; documento que veio dado como falta, ou o contrário; "
        "documento com mais exigência do que a regra faz.",
        (
            "ainda há documentos a entregar",
            "deixa de fora um documento a entregar",
            "deixa de fora um dos ajustes de que o pedido precisa",
            "esconde que outra regra continua sem ser cumprida",
            "este documento ainda não veio",
            "este documento já veio com o pedido",
            "este documento veio com o pedido",
            "há o que ajustar no pedido",
            "há um procedimento que fica no lugar",
            "não diz o que foi pedido",
            "não diz o que se decidiu",
            "não é só isto que falta",
            "pede mais do que a regra pede",
            "o texto está vazio",
            "é preciso atender a tudo o que falta",
        ),
    ),
    Proibido(
        "motivos e efeitos",
        "resultado",
        "motivo que não é da decisão, e efeito dos ajustes que não é o provado.",
        (
            "a decisão não sustenta o que esta frase diz",
            "a regra é para o outro sexo",
            "este não é um motivo da decisão",
            "não é este o efeito provado dos ajustes",
            "os ajustes não levam à aprovação",
        ),
    ),
    Proibido(
        "promessas",
        "resultado",
        "promessa de aprovação, do que uma análise vai concluir ou de quando: “garantido”, “em breve”, “poucos dias”, “na hora”, “costuma "
        "dar certo”; unidade, vaga ou horário que ficaria guardado.",
        (
            "a aprovação não foi decidida, e não pode ser prometida",
            "dá um prazo que não está nos dados da decisão",
            "diz guardado o que não foi aprovado",
            "promete o que não foi decidido",
        ),
    ),
    Proibido(
        "dispensas",
        "resultado",
        "o que desfaz uma exigência: “do mesmo jeito”, “opcional”, “já está resolvido” do que falta; carta, urgência ou insistência que "
        "faria a regra não valer, se ela não prevê isso.",
        ("desfaz uma exigência da decisão", "esta exigência continua a valer", "é justamente o que falta cumprir"),
    ),
    Proibido(
        "custos",
        "resultado",
        "custo, cobrança, desconto ou gratuidade além da coparticipação da entrada.",
        ("fala de um custo que não está nos dados da decisão", "não foi decidido que não há custo"),
    ),
    Proibido(
        "atos e canais",
        "resultado",
        "ato que a entrada não conta, feito ou por fazer: avisar, ligar, lembrar, marcar, reservar, corrigir o pedido; telefone, "
        "aplicativo, site, ouvidoria ou recurso que não está nela.",
        ("conta um ato que não está nos dados da decisão", "indica um canal que não está nos dados da decisão"),
    ),
    Proibido(
        "saúde",
        "resultado",
        "nome de doença ou diagnóstico de quem vai ser atendido, mesmo que a entrada deixe adivinhar; conselho de saúde; que se pode ou "
        "não esperar.",
        ("dá um conselho de saúde", "fala da doença de quem vai ser atendido"),
    ),
    Proibido(
        "juízos",
        "resultado",
        "culpa (“o seu médico esqueceu”, “por falha do hospital”), juízo sobre o pedido ou sobre alguém, elogio a lugar ou profissional.",
        ("elogia ou julga alguém", "põe a culpa em alguém"),
    ),
    Proibido(
        "jargão",
        "jargao",
        "para quem vai ser atendido: códigos, siglas, nomes de campos e palavras do ofício ("
        "“auditoria” sem dizer o que é, “carência”, “coparticipação”, “indeferido”, “elegível”, “reanálise”, “conformidade”). Nunca outra "
        "língua.",
        (
            "não está em português",
            "o beneficiário não precisa de códigos",
            "é um nome interno do sistema",
            "é uma palavra do ofício",
        ),
    ),
    Proibido(
        "negativa sem fonte",
        "sem_fonte",
        "negativa que não diz o motivo e o documento da regra.",
        (
            "nega sem dizer de que documento vem a regra",
            "nega sem dizer o motivo",
            "não diz o que se decidiu",
            "não diz o que foi pedido",
            "o texto está vazio",
        ),
    ),
)


def secao() -> str:
    """The list as it stands in the prompts, one kind to a line."""
    return "\n".join(f"- **{proibido.nome}**: {proibido.linha}" for proibido in PROIBIDOS)


def find_proibido(falha: Falha, porque: str) -> Proibido | None:
    """The kind that a complaint of the check falls under; None where the list has none for it."""
    own = (proibido for proibido in PROIBIDOS if proibido.falha == falha)
    return next((proibido for proibido in own if porque.startswith(proibido.porques)), None)
