"""What the form of an edital shows: its fields with what is wrong in them, what a change would be, and what it would come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.chamadas.efeito import ESTADOS, Efeito, EfeitoDoRequisito, Estado
from crivo.triagem.chamadas.mudancas import Alterada
from crivo.triagem.edital import Edital, RequisitoDocumento
from crivo.triagem.habilitacao.tipos import Tipos, catalogue, tipos_of
from crivo.triagem.palavras import HABILITACAO, count
from crivo.web.pages.formatos import numero
from crivo.web.pages.triagem.chamada.escrito import EDITAL, ERA, FORA, SECOES, YES, Escrito, Linha, one, uses
from crivo.web.pages.triagem.chamada.leitura import Erro
from crivo.web.pages.triagem.chamada.nomes import documents_of, title_of
from crivo.web.pages.triagem.chamada.palavras import CAMPO, OPERADOR, PARTE, in_words

_ESTADO: Final[Mapping[Estado, str]] = {
    "atende": "atende",
    "nao_atende": "não atende",
    "nao_lido": "não foi lido",
    "nao_pedido": "não se pede",
}
_QUE: Final = {
    "nova": Rotulo("Entra", "+", "aprovado"),
    "retirada": Rotulo("Sai", "–", "negado"),
    "mudada": Rotulo("Muda", "◐", "parcial"),
}


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A row, or the edital's own fields: each value by its name, the name and the id that it has in the form, and what is wrong in it."""

    lugar: str
    linha: Linha
    erros: Mapping[str, str]

    @property
    def id(self) -> str:
        """The row on the page."""
        return self.lugar.replace(".", "-")

    @property
    def fora(self) -> bool:
        """Whether it was taken out, and may be put back."""
        return one(self.linha, FORA) == YES

    @property
    def errada(self) -> bool:
        """Whether something in it is wrong."""
        return any(campo.startswith(f"{self.lugar}.") for campo in self.erros)

    @property
    def todos(self) -> list[tuple[str, str]]:
        """Every field with its name in the form, for a row that is only kept."""
        return [(self.nome(nome), value) for nome, values in self.linha.items() if nome != FORA for value in values]

    def um(self, nome: str) -> str:
        """The value."""
        return one(self.linha, nome)

    def varios(self, nome: str) -> Sequence[str]:
        """The values of one that may be given several times."""
        return self.linha.get(nome, [])

    def nome(self, nome: str) -> str:
        """The name in the form."""
        return f"{self.lugar}.{nome}"

    def alvo(self, nome: str) -> str:
        """The id on the page."""
        return id_of(self.nome(nome))

    def erro(self, nome: str) -> str:
        """What is wrong, in a sentence; empty where nothing is."""
        return self.erros.get(self.nome(nome), "")


@dataclass(frozen=True, slots=True)
class Formulario:
    """The whole form. `erros`: where (an id), in which row, and what."""

    escrito: Escrito
    edital: LinhaVista
    linhas: Mapping[str, tuple[LinhaVista, ...]]
    documentos: tuple[tuple[str, str], ...]
    erros: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, escrito: Escrito, erros: Sequence[Erro] = ()) -> Formulario:
        """The form as it stands, with what is wrong in it."""
        by_field: dict[str, str] = {}
        for erro in erros:
            by_field.setdefault(erro.campo, erro.mensagem)
        linhas = {
            secao: tuple(LinhaVista(f"{secao}.{at}", row, by_field) for at, row in enumerate(escrito.linhas[secao])) for secao in SECOES
        }
        documentos = (("", "Escolha"), *documents_of(escrito).items())
        return cls(escrito, LinhaVista(EDITAL, escrito.edital, by_field), linhas, documentos, places_of(erros))

    def titulo(self, secao: str, linha: LinhaVista) -> str:
        """What a row is called before it is opened."""
        return title_of(self.escrito, secao, linha.linha)

    def renomeado(self, linha: LinhaVista) -> bool:
        """Whether a type of document is still asked for by the code that it had before."""
        return bool(linha.um("id").strip()) and linha.um(ERA) != linha.um("id").strip() and bool(uses(self.escrito, linha.um(ERA)))

    def quando(self, linha: LinhaVista) -> str:
        """Of whom a requisito is asked, in words; empty where of all."""
        campo = linha.um("quando.campo")
        operador = next((words for nome, words in OPERADOR.items() if nome == (linha.um("quando.operador") or "igual")), "")
        colon = ":" if linha.um("quando.operador") == "em" else ""
        return f"{campo} {operador}{colon} {linha.um('quando.valor')}".strip() if campo else ""


@dataclass(frozen=True, slots=True)
class MudancaVista:
    """A part that changes: how, what it is, and each field before and after."""

    rotulo: Rotulo
    parte: str
    nome: str
    campos: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, mudanca: Alterada, antes: Edital, depois: Edital) -> MudancaVista:
        """The change in words."""
        named = " ".join(filter(None, (PARTE[mudanca.parte], mudanca.id)))
        tipos = (tipos_of(antes.documentos_proprios), tipos_of(depois.documentos_proprios))
        nomes = [{codigo: of.nome(codigo) for codigo in _codes_of(edital)} for of, edital in zip(tipos, (antes, depois), strict=True)]
        fields = [(CAMPO.get(one.nome, ""), in_words(one.antes, nomes[0]), in_words(one.depois, nomes[1])) for one in mudanca.campos]
        return cls(_QUE[mudanca.que], named, mudanca.nome, tuple(one for one in fields if one[0]))


@dataclass(frozen=True, slots=True)
class RequisitoMedido:
    """A requisito: how many projects of each state before and after, and those that change."""

    nome: str
    novo: bool
    contagens: tuple[tuple[str, str, bool], ...]
    mudam: tuple[tuple[str, str, str, str], ...]
    quantos_mudam: int


@dataclass(frozen=True, slots=True)
class EfeitoVista:
    """The effect of a wording over the projects, in words and numbers."""

    visto: str
    ressalvas: tuple[str, ...]
    sugestoes: tuple[tuple[Rotulo, str, str], ...]
    mudam: tuple[tuple[str, Rotulo, Rotulo], ...]
    quantos_mudam: int
    colunas: tuple[str, ...]
    requisitos: tuple[RequisitoMedido, ...]
    tipos: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, efeito: Efeito, edital: Edital) -> EfeitoVista:
        """The effect as it is shown."""
        tipos = tipos_of(edital.documentos_proprios)
        return cls(
            visto=f"Sobre {count(efeito.vistos, 'projeto', 'projetos')}, do jeito que já foram lidos. Nada foi gravado.",
            ressalvas=_caveats(efeito),
            sugestoes=tuple((HABILITACAO[one], numero(efeito.antes.get(one, 0)), numero(efeito.depois.get(one, 0))) for one in HABILITACAO),
            mudam=tuple((one.projeto, HABILITACAO[one.antes], HABILITACAO[one.depois]) for one in efeito.mudam),
            quantos_mudam=efeito.quantos_mudam,
            colunas=tuple(_ESTADO[one].capitalize() for one in ESTADOS),
            requisitos=tuple([_measured(one, _name_of(one, tipos)) for one in efeito.requisitos]),
            tipos=tuple([(one.nome, count(one.quantos, "arquivo", "arquivos"), _files(one.conhecidos)) for one in efeito.tipos]),
        )


def places_of(erros: Iterable[Erro]) -> tuple[tuple[str, str, str], ...]:
    """What is to be told of fields: where each is on the page (an id), in which row, and what."""
    return tuple([(id_of(erro.campo), erro.onde, erro.mensagem) for erro in erros])


def id_of(campo: str) -> str:
    """The id on the page of a field of the form."""
    return campo.replace(".", "-") or "conteudo"


def _codes_of(edital: Edital) -> Iterable[str]:
    return [*catalogue(), *(one.id for one in edital.documentos_proprios)]


def _caveats(efeito: Efeito) -> tuple[str, ...]:
    told = []
    if efeito.vistos < efeito.total:
        told.append(f"Houve tempo para {numero(efeito.vistos)} de {numero(efeito.total)} projetos: os outros não estão nestas contas.")
    if efeito.por_ler:
        told.append(
            f"{count(efeito.por_ler, 'projeto tem papéis que ninguém leu', 'projetos têm papéis que ninguém leu')} ainda: "
            "contam como não lidos até a próxima triagem."
        )
    return tuple(told)


def _measured(efeito: EfeitoDoRequisito, nome: str) -> RequisitoMedido:
    counts = []
    for state in ESTADOS:
        now = efeito.depois.get(state, 0)
        was = None if efeito.antes is None else efeito.antes.get(state, 0)
        changed = was is not None and was != now
        counts.append(
            (_ESTADO[state].capitalize(), f"{numero(was)} → {numero(now)}" if was is not None and changed else numero(now), changed)
        )
    changes = tuple((one.projeto, _ESTADO[one.antes], _ESTADO[one.depois], one.achado) for one in efeito.mudam)
    return RequisitoMedido(nome, efeito.antes is None, tuple(counts), changes, efeito.quantos_mudam)


def _name_of(efeito: EfeitoDoRequisito, tipos: Tipos) -> str:
    requisito = efeito.requisito
    named = requisito.descricao or (tipos.nome(requisito.documento) if isinstance(requisito, RequisitoDocumento) else requisito.campo)
    return " · ".join(filter(None, (requisito.id, named)))


def _files(conhecidos: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{projeto} ({requisito})" if requisito else projeto for projeto, requisito in conhecidos[:20])
