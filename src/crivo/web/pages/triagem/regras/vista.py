"""What the page of the rules for places shows: the form with what is wrong in it, the rules in words, and what would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.classificacao.clausulas import PARTE, Clausula, category_said, state_rules
from crivo.triagem.classificacao.declarados import CampoDeclarado
from crivo.triagem.classificacao.definicao import TODAS, Classificacao
from crivo.triagem.edital import Criterio, Edital
from crivo.triagem.palavras import count, shown
from crivo.web.pages.formatos import numero
from crivo.web.pages.triagem.chamada.escrito import Linha, one
from crivo.web.pages.triagem.chamada.leitura import Erro
from crivo.web.pages.triagem.chamada.palavras import OPERADOR
from crivo.web.pages.triagem.chamada.valores import read_number
from crivo.web.pages.triagem.chamada.vista import LinhaVista, places_of
from crivo.web.pages.triagem.regras.escrito import COTAS, REGRAS, Escrito, in_force

_ORDEM: Mapping[str, str] = {
    "criterio": "A maior média em",
    "campo": "O que o projeto declara em",
    "inscricao": "Quem enviou primeiro",
    "sorteio": "Sorteio",
}


@dataclass(frozen=True, slots=True)
class CampoVisto:
    """A field that projects declare: how many, and its values; `lista` is the id on the page of the list of these."""

    nome: str
    quantos: str
    valores: tuple[tuple[str, str], ...]
    lista: str
    muitos: bool


@dataclass(frozen=True, slots=True)
class VagasVistas:
    """A row of vagas, and those of its cotas."""

    linha: LinhaVista
    cotas: tuple[LinhaVista, ...]
    titulo: str
    resumo: str


@dataclass(frozen=True, slots=True)
class Formulario:
    """The whole form. `erros`: where (an id), in which row, and what; `categorias` are those without vagas, and how many projects."""

    regras: LinhaVista
    cortes: tuple[LinhaVista, ...]
    bonus: tuple[LinhaVista, ...]
    desempate: tuple[LinhaVista, ...]
    vagas: tuple[VagasVistas, ...]
    criterios: tuple[tuple[str, str], ...]
    campos: tuple[CampoVisto, ...]
    categorias: tuple[tuple[str, str], ...]
    com_todas: bool
    erros: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(
        cls,
        escrito: Escrito,
        criterios: Sequence[Criterio],
        campos: Sequence[CampoDeclarado],
        categorias: Sequence[tuple[str, int]],
        erros: Sequence[Erro] = (),
    ) -> Formulario:
        """The form as it stands; `categorias` are those of the edital and of its projects, with how many projects say each."""
        wrong: dict[str, str] = {}
        for erro in erros:
            wrong.setdefault(erro.campo, erro.mensagem)

        def rows_of(lugar: str, rows: Sequence[Linha]) -> tuple[LinhaVista, ...]:
            return tuple([LinhaVista(f"{lugar}.{at}", row, wrong) for at, row in enumerate(rows)])

        vagas = tuple(
            [
                VagasVistas(
                    LinhaVista(f"vagas.{at}", row.campos, wrong),
                    rows_of(f"vagas.{at}.{COTAS}", row.cotas),
                    category_said(one(row.campos, "categoria")) if one(row.campos, "categoria") else "",
                    _summed(row.campos, row.cotas),
                )
                for at, row in enumerate(escrito.vagas)
            ]
        )
        given = {fold(one(row.campos, "categoria")) for row in escrito.vagas if in_force(row.campos)}
        return cls(
            LinhaVista(REGRAS, escrito.regras, wrong),
            rows_of("cortes", escrito.cortes),
            rows_of("bonus", escrito.bonus),
            rows_of("desempate", escrito.desempate),
            vagas,
            _options(escrito, criterios),
            tuple([_field(at, campo) for at, campo in enumerate(campos)]),
            tuple([(nome, count(quantos, "projeto", "projetos")) for nome, quantos in categorias if fold(nome) not in given]),
            TODAS in given,
            places_of(erros),
        )

    def criterio(self, codigo: str) -> str:
        """What a critério is called, with its code."""
        return dict(self.criterios).get(codigo, codigo)

    def valores_de(self, campo: str) -> str:
        """The id of the list of values that projects declare in a field; empty where there is none."""
        return next((one.lista for one in self.campos if one.nome == campo.strip() and one.valores), "")

    def quando(self, linha: LinhaVista) -> str:
        """Of whom a bônus or a cota is, in words; empty where nobody said."""
        campo = linha.um("quando.campo")
        operador = next((words for nome, words in OPERADOR.items() if nome == (linha.um("quando.operador") or "igual")), "")
        return f"{campo} {operador} {linha.um('quando.valor')}".strip() if campo else ""

    def desempata(self, linha: LinhaVista) -> str:
        """What a tie-break goes by."""
        words = _ORDEM.get(linha.um("por"), "")
        match linha.um("por"):
            case "criterio":
                return f"{words} {self.criterio(linha.um('criterio'))}" if linha.um("criterio") else ""
            case "campo":
                side = "menor" if linha.um("maior") == "nao" else "maior"
                return f"O {side} valor declarado em {linha.um('campo')}" if linha.um("campo") else ""
            case _:
                return words


@dataclass(frozen=True, slots=True)
class ParteVista:
    """A part of the rules in words: what it is called, and each rule with the edital's clause."""

    nome: str
    clausulas: tuple[Clausula, ...]

    @classmethod
    def all_of(cls, regras: Classificacao, criterios: Sequence[Criterio], edital: Edital) -> tuple[ParteVista, ...]:
        """The rules, part by part."""
        said = state_rules(regras, criterios, edital.id)
        return tuple([cls(PARTE[parte], tuple(those)) for parte, those in groupby(said, lambda one: one.parte)])


@dataclass(frozen=True, slots=True)
class MudancasVistas:
    """What the rules no longer say, and what they say now, sentence by sentence with its clause."""

    saem: tuple[Clausula, ...]
    entram: tuple[Clausula, ...]
    outras: bool

    @classmethod
    def between(
        cls, antes: Classificacao | None, depois: Classificacao, criterios: Sequence[Criterio], edital: Edital
    ) -> MudancasVistas | None:
        """The change in words; None where nothing is another. `outras`: something changes that no sentence says."""
        if antes == depois:
            return None
        was = () if antes is None else state_rules(antes, criterios, edital.id)
        now = state_rules(depois, criterios, edital.id)
        gone, come = tuple([one for one in was if one not in now]), tuple([one for one in now if one not in was])
        return cls(gone, come, not gone and not come)


def _field(at: int, campo: CampoDeclarado) -> CampoVisto:
    valores = tuple([(valor, numero(quantos)) for valor, quantos in campo.valores or ()])
    return CampoVisto(shown(campo.nome), count(campo.quantos, "projeto", "projetos"), valores, f"valores-{at}", campo.valores is None)


def _options(escrito: Escrito, criterios: Sequence[Criterio]) -> tuple[tuple[str, str], ...]:
    """The critérios that a row may name: those of the edital, and then what some row names that is none of them."""
    found = {criterio.id: f"{criterio.id} · {shown(criterio.nome)}" if criterio.nome else criterio.id for criterio in criterios}
    for row in (*escrito.desempate, *escrito.cortes):
        codigo = one(row, "criterio")
        if codigo:
            found.setdefault(codigo, f"{codigo} (não está no edital)")
    return tuple(found.items())


def _summed(campos: Linha, cotas: Sequence[Linha]) -> str:
    """How many vagas a row gives, and how many of them by cotas, as far as it can be read."""
    total = read_number(one(campos, "total"))
    if total is None:
        return ""
    kept = sum((read_number(one(cota, "vagas")) or 0) for cota in cotas if in_force(cota))
    said = count(int(total), "vaga", "vagas")
    return f"{said}, {numero(kept)} de cotas" if kept else said
