"""What a simulation says in words: one telling for the terminal and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from crivo.autorizacoes.motivos import frase
from crivo.autorizacoes.palavras import listing, nome_documento, number, verb
from crivo.autorizacoes.politicas.comparacao import CampoMudado
from crivo.autorizacoes.politicas.ditos import TITULOS, say
from crivo.autorizacoes.simulacao.resultado import Caso, Contagem, MesmaDecisao
from crivo.autorizacoes.simulacao.termos import ASPECTOS, Aspecto

PALAVRAS: Final[Mapping[Aspecto, str]] = {
    "motivos": "motivos",
    "quantidade": "quantidade aprovada",
    "coparticipacao": "coparticipação",
    "validade": "validade da autorização",
    "autorizacao_previa": "autorização prévia",
    "exigencias": "o que se pede",
}
"""What may change while the outcome stays."""
ILEGIVEL: Final = "Nenhum pedido do arquivo pôde ser lido"
VAZIO: Final = "O arquivo não traz nenhum pedido"


def say_change(campo: CampoMudado) -> str:
    """'Coparticipação: 30% → 40%'."""
    match campo.campo:
        case "documentos":
            antes, depois = (listing([nome_documento(tipo) for tipo in um]) or "nenhum" for um in (campo.antes, campo.depois))
            return f"Documentos que faltam: {antes} → {depois}"
        case "quantidade_aprovada":
            return f"Quantidade aprovada: {number(campo.antes)} → {number(campo.depois)}"
        case nome:
            return f"{TITULOS[nome]}: {say(nome, campo.antes)} → {say(nome, campo.depois)}"


def say_same(mesma: MesmaDecisao) -> str:
    """'39 ficam com a mesma decisão e mudam em outra coisa: coparticipação (15) e motivos (24).'; empty where none does."""
    if not mesma.total:
        return ""
    em = listing([f"{PALAVRAS[one]} ({number(mesma.por_aspecto[one])})" for one in ASPECTOS if one in mesma.por_aspecto])
    return f"{say_how_many(mesma)}: {em}."


def say_how_many(mesma: MesmaDecisao) -> str:
    """'39 ficam com a mesma decisão e mudam em outra coisa'."""
    ficam, mudam = verb(mesma.total, "fica", "ficam"), verb(mesma.total, "muda", "mudam")
    return f"{number(mesma.total)} {ficam} com a mesma decisão e {mudam} em outra coisa"


def say_why(caso: Caso) -> tuple[str, ...]:
    """What comes to stand against a pedido, what no longer does, and what else changes; one line each."""
    antes, depois = caso.motivos_antes, caso.motivos_depois
    come = [f"{frase(one)}." for one in depois if one not in antes]
    gone = [f"Deixa de pesar: {_lowered(frase(one))}." for one in antes if one not in depois]
    found = (*come, *gone, *[f"{say_change(um)}." for um in caso.mudancas])
    return found or ("Os motivos são os mesmos; muda o que se pode fazer a respeito.",)


def _lowered(texto: str) -> str:
    return texto[:1].lower() + texto[1:]


def say_faults(contagem: Contagem, de: str = "") -> str:
    """'2 linhas sem um pedido que se leia, de fora: 3 e 4.', of a file."""
    linhas: Sequence[str] = [str(one) for one in contagem.linhas_com_erro]
    mais = " e outras" if contagem.ilegiveis > len(linhas) else ""
    quais = ", ".join(linhas) if mais else listing(linhas)
    return (
        f"{number(contagem.ilegiveis)} {verb(contagem.ilegiveis, 'linha', 'linhas')}{de} sem um pedido que se leia, de fora: {quais}{mais}."
    )


def say_repeated(contagem: Contagem) -> str:
    """How many decisions are of a pedido that is counted already."""
    many = contagem.repetidos
    return (
        f"{number(many)} {verb(many, 'decisão é', 'decisões são')} de um pedido que veio de novo com o mesmo número: "
        f"{verb(many, 'conta', 'contam')} a cada vez."
    )
