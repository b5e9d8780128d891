"""A simulation as its page shows it: the matrix, what each regra changes, and the cases in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.motivos import frase
from crivo.autorizacoes.palavras import DECISOES, count, day, listing, number, verb
from crivo.autorizacoes.politicas.ditos import TITULOS, codigo, say
from crivo.autorizacoes.simulacao.avaliacao import DESFECHOS
from crivo.autorizacoes.simulacao.ditos import PALAVRAS, say_faults, say_repeated, say_why
from crivo.autorizacoes.simulacao.resultado import Caso, MesmaDecisao, PorRegra, Simulacao
from crivo.autorizacoes.simulacao.service import SEM_A_CASA, Simulada
from crivo.autorizacoes.simulacao.termos import ASPECTOS
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.autorizacoes.politicas.fluxo_vista import CURTAS
from crivo.web.pages.formatos import instante
from crivo.web.pages.listas import link

SEM_REGRA: Final = "nenhuma"
TUDO: Final = "tudo"
"""Any aspect that changes while the outcome stays, in an address."""
_NO_OUTCOMES: Final[Mapping[str, str]] = {"antes": "", "depois": ""}
_BAR: Final = 60.0


@dataclass(frozen=True, slots=True)
class Celula:
    """A place of the matrix: how many, where their cases are, and whether they get better; an empty `sentido` is of what stays."""

    quantos: str
    endereco: str
    sentido: str
    dito: str
    escolhida: bool


@dataclass(frozen=True, slots=True)
class Matriz:
    """Outcomes before, in the rows, against those after, in the columns."""

    titulos: tuple[str, ...]
    linhas: tuple[tuple[str, tuple[Celula, ...]], ...]

    @classmethod
    def of(cls, pares: Mapping[tuple[DecisaoFinal, DecisaoFinal], int], query: Mapping[str, str]) -> Matriz:
        """The matrix, each change leading to its cases."""
        titulos = tuple([CURTAS[one] for one in DESFECHOS])
        rows = [(CURTAS[antes], tuple([_cell(pares, antes, depois, query) for depois in DESFECHOS])) for antes in DESFECHOS]
        return cls(titulos, tuple(rows))


def _cell(
    pares: Mapping[tuple[DecisaoFinal, DecisaoFinal], int], antes: DecisaoFinal, depois: DecisaoFinal, query: Mapping[str, str]
) -> Celula:
    many = pares.get((antes, depois), 0)
    if antes == depois or not many:
        return Celula(number(many) if many else "", "", "", "", escolhida=False)
    sentido = "melhor" if DESFECHOS.index(depois) < DESFECHOS.index(antes) else "pior"
    dito = f"{verb(many, 'caso', 'casos')} de {CURTAS[antes].lower()} para {CURTAS[depois].lower()}"
    chosen = (query.get("antes"), query.get("depois")) == (antes, depois)
    return Celula(number(many), link(query, antes=antes, depois=depois, so="", pagina="") + "#casos", sentido, dito, chosen)


@dataclass(frozen=True, slots=True)
class RegraSimulada:
    """What a regra changes: in the text, how many pedidos it reaches, and how many get better and worse; bars are in SVG units."""

    nome: str
    regra_id: str
    texto: tuple[str, ...]
    alcanca: str
    melhoram: int
    pioram: int
    mesma: int
    barra_melhor: float
    barra_pior: float
    endereco: str
    escolhida: bool

    @classmethod
    def of(cls, uma: PorRegra, largest: int, query: Mapping[str, str]) -> RegraSimulada:
        """A line of the table of regras; `largest` is the most that any of them changes one way."""
        regra_id = uma.regra_id or ""
        named = regra_id or SEM_REGRA
        return cls(
            uma.regra.descricao or codigo(uma.regra.codigo) if uma.regra else "Sem regra no rascunho",
            regra_id,
            _text_of(uma),
            number(uma.alcancados),
            uma.melhoram,
            uma.pioram,
            uma.mesma_decisao,
            _BAR * uma.melhoram / max(1, largest),
            _BAR * uma.pioram / max(1, largest),
            _cases_of(uma, named, query),
            query.get("regra") == named,
        )

    @property
    def dito(self) -> str:
        """How many get better and worse, in words."""
        told = []
        if self.melhoram:
            told.append(count(self.melhoram, "melhora", "melhoram"))
        if self.pioram:
            told.append(count(self.pioram, "piora", "pioram"))
        if self.mesma:
            told.append(f"{number(self.mesma)} com a mesma decisão")
        return listing(told) or "não muda nenhum"


def _cases_of(uma: PorRegra, named: str, query: Mapping[str, str]) -> str:
    """Where the cases of a regra stand: those that change their outcome, else those that change otherwise."""
    if not uma.mudam and not uma.mesma_decisao:
        return ""
    return link(query, regra=named, so="" if uma.mudam else TUDO, pagina="", **({} if uma.mudam else _NO_OUTCOMES)) + "#casos"


def _text_of(uma: PorRegra) -> tuple[str, ...]:
    match uma.mudanca:
        case "acrescentada":
            return ("Regra nova.",)
        case "retirada":
            return ("Sai do documento.",)
        case "mudada":
            return tuple([f"{TITULOS[one.campo]}: {say(one.campo, one.antes)} → {say(one.campo, one.depois)}" for one in uma.campos])
        case None:
            return ("O texto não muda.",) if uma.regra else ("Um plano que o rascunho não traz, ou um pedido que fica sem regra.",)


def regras_vistas(simulacao: Simulacao, query: Mapping[str, str]) -> list[RegraSimulada]:
    """The regras that change, or change something."""
    largest = max((max(one.melhoram, one.pioram) for one in simulacao.por_regra), default=1)
    return [RegraSimulada.of(one, largest, query) for one in simulacao.por_regra]


@dataclass(frozen=True, slots=True)
class CasoVisto:
    """A pedido whose outcome changes, with why; `endereco` is empty for a line of a file."""

    numero: str
    endereco: str
    sobre: str
    antes: Rotulo
    depois: Rotulo
    porque: tuple[str, ...]
    motivos_antes: tuple[str, ...]
    motivos_depois: tuple[str, ...]
    regra_antes: str
    regra_depois: str

    @classmethod
    def of(cls, caso: Caso) -> CasoVisto:
        """A case in words."""
        referencia, chave = caso.referencia, caso.chave
        numero = mask_cpfs(referencia.pedido_id or "sem número")
        sobre = [mask_cpfs(one) for one in (chave.codigo, chave.plano_id) if one]
        if caso.data:
            sobre.append(day(caso.data))
        if referencia.linha is not None:
            sobre.append(f"linha {referencia.linha}")
        if referencia.recebida_em is not None:
            sobre.append(f"recebido em {instante(referencia.recebida_em)}")
        return cls(
            numero,
            f"/autorizacoes/{referencia.autorizacao_id}" if referencia.autorizacao_id else "",
            " · ".join(sobre),
            DECISOES[caso.antes],
            DECISOES[caso.depois],
            say_why(caso),
            tuple([frase(one) for one in caso.motivos_antes]),
            tuple([frase(one) for one in caso.motivos_depois]),
            caso.regra_antes.regra_id if caso.regra_antes else "",
            caso.regra_depois.regra_id if caso.regra_depois else "",
        )


@dataclass(frozen=True, slots=True)
class AspectoVisto:
    """What changes of decisions that stay: in words, how many, and where their cases are; `endereco` is empty for a file."""

    palavra: str
    quantos: str
    endereco: str
    escolhido: bool


def aspectos(mesma: MesmaDecisao, query: Mapping[str, str], *, de_arquivo: bool) -> list[AspectoVisto]:
    """The aspects that change, each leading to its cases."""
    found: list[tuple[str, str, int]] = [(one, PALAVRAS[one], mesma.por_aspecto[one]) for one in ASPECTOS if one in mesma.por_aspecto]
    if len(found) > 1:
        found = [(TUDO, "tudo", mesma.total), *found]
    return [
        AspectoVisto(
            palavra,
            number(many),
            "" if de_arquivo else link(query, so=so, pagina="", **_NO_OUTCOMES) + "#casos",
            query.get("so") == so,
        )
        for so, palavra, many in found
    ]


def lembretes(simulada: Simulada) -> list[str]:
    """What is to be known to read a simulation."""
    contagem = simulada.simulacao.contagem
    found = ["“Antes” é cada pedido decidido de novo pelo que está publicado agora; o que uma pessoa reviu depois não entra na conta."]
    if simulada.sem_publicada:
        found.append("Nada desta administradora está publicado: antes do rascunho, nenhuma regra alcança os pedidos dela.")
    if simulada.nunca_vale:
        found.append("Uma versão posterior do documento já está publicada: este rascunho não valeria em dia nenhum.")
    if simulada.sem_a_casa:
        found.append(SEM_A_CASA)
    if simulada.trazidos:
        pedidos = count(simulada.trazidos, "pedido é", "pedidos são")
        found.append(f"{pedidos} de antes do início do rascunho: contam como se ele já valesse no lugar da versão que sucede.")
    if contagem.repetidos:
        found.append(say_repeated(contagem))
    if contagem.apagados:
        found.append(
            f"{count(contagem.apagados, 'decisão ficou', 'decisões ficaram')} de fora: os dados foram apagados a pedido da pessoa."
        )
    if contagem.ilegiveis:
        found.append(_unread(simulada))
    if contagem.relidos:
        relidas = count(contagem.relidos, "decisão antiga foi relida", "decisões antigas foram relidas")
        found.append(f"{relidas} do registro; da próxima vez é mais rápido.")
    if contagem.pelas_etapas:
        pedidos = count(contagem.pelas_etapas, "pedido passou", "pedidos passaram")
        found.append(f"{pedidos} pelas etapas, um a um: o que pedem não cabe em colunas.")
    return found


def _unread(simulada: Simulada) -> str:
    contagem = simulada.simulacao.contagem
    if simulada.periodo is not None:
        return f"{count(contagem.ilegiveis, 'decisão ficou', 'decisões ficaram')} de fora, por não poder ser lida. Confira-a na auditoria."
    return say_faults(contagem, " do arquivo")
