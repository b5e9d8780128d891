"""What a screening found, as its page shows it: everything in words, nothing left for the template to work out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from crivo.triagem.achados import Evidencia, HabilitacaoSugerida, ItemHabilitacao, ProjetoTriado, Resultado
from crivo.triagem.edital import Chamada, Criterio, Projeto
from crivo.triagem.palavras import MOTIVO, count, identifier, number, percent
from crivo.triagem.storage.avaliacoes import Avaliacao
from crivo.web.pages.palavras import Rotulo
from crivo.web.pages.triagem_palavras import CONFERENCIA, NAO_TRIADO, SEM_SUGESTAO, SITUACOES, SUGESTOES, place, shown

_TOLD: Final[Mapping[str, tuple[str, str]]] = {
    "habilitado": ("habilitado", "habilitados"),
    "pendencia": ("com pendência", "com pendência"),
    "inabilitado": ("inabilitado", "inabilitados"),
    "erro": ("não triado", "não triados"),
}


@dataclass(frozen=True, slots=True)
class Quem:
    """A project by its code, title and proponente, the CPF masked."""

    codigo: str
    titulo: str
    proponente: str
    identificador: str
    categoria: str

    @classmethod
    def of(cls, codigo: str, projeto: Projeto | None) -> Quem:
        """The project, of which only the code is known where it was withdrawn."""
        if projeto is None:
            return cls(codigo, "", "", "", "")
        proponente = projeto.proponente
        return cls(codigo, shown(projeto.titulo), shown(proponente.nome), identifier(proponente.cpf_cnpj), shown(projeto.categoria))


@dataclass(frozen=True, slots=True)
class Trecho:
    """A quote and where it stands."""

    texto: str
    lugar: str

    @classmethod
    def of(cls, evidencia: Evidencia) -> Trecho:
        """The quote of a finding."""
        return cls(shown(evidencia.trecho.strip()), place(evidencia))


@dataclass(frozen=True, slots=True)
class ItemVista:
    """A requisito of a project."""

    rotulo: Rotulo
    titulo: str
    clausula: str
    motivo: str
    achado: str
    elimina: bool
    trecho: Trecho | None
    autor: str

    @classmethod
    def of(cls, item: ItemHabilitacao) -> ItemVista:
        """The item as it is shown."""
        trecho = Trecho.of(item.evidencia) if item.evidencia else None
        return cls(
            SITUACOES[item.situacao],
            shown(item.descricao or item.requisito),
            shown(item.clausula),
            MOTIVO[item.motivo] if item.motivo else "",
            shown(item.achado),
            item.eliminatorio,
            trecho if trecho and (trecho.texto or trecho.lugar) else None,
            CONFERENCIA[item.autor],
        )


@dataclass(frozen=True, slots=True)
class HabilitacaoVista:
    """A project's line in the table of habilitação."""

    quem: Quem
    rotulo: Rotulo
    motivo: str
    confianca: str
    itens: tuple[ItemVista, ...]
    parecido: str

    @classmethod
    def of(cls, triado: ProjetoTriado, quem: Quem) -> HabilitacaoVista:
        """The line of a project."""
        read = sum(item.situacao != "nao_lido" for item in triado.itens)
        authors = sorted({CONFERENCIA[item.autor] for item in triado.itens})
        said = f"{' e '.join(authors)}: {number(read)} de {count(len(triado.itens), 'item lido', 'itens lidos')}" if authors else ""
        alike = ""
        if triado.projeto_similar and triado.similaridade_max is not None:
            alike = f"{triado.projeto_similar}, com semelhança de {number(round(triado.similaridade_max, 2))}"
        return cls(
            quem,
            rotulo_of(triado),
            shown(triado.erro or triado.habilitacao_motivo),
            said,
            tuple([ItemVista.of(item) for item in sorted(triado.itens, key=lambda item: item.situacao == "atende")]),
            alike,
        )


@dataclass(frozen=True, slots=True)
class CriterioVista:
    """What is said of a project by one critério; `sugerida`, `confianca` and `justificativa` are empty without a model."""

    nome: str
    descricao: str
    peso: str
    sugerida: str
    confianca: str
    justificativa: str
    trechos: tuple[Trecho, ...]
    humanas: str


@dataclass(frozen=True, slots=True)
class AvaliacaoVista:
    """A project's line in the table of avaliação."""

    quem: Quem
    resumo: str
    humanas: str
    criterios: tuple[CriterioVista, ...]

    @classmethod
    def of(cls, triado: ProjetoTriado, quem: Quem, criterios: Sequence[Criterio], humanas: Sequence[Avaliacao]) -> AvaliacaoVista:
        """The line of a project, with the notas that people gave it."""
        vistas = tuple([_criterio(one, triado, [h.nota for h in humanas if h.criterio == one.id]) for one in criterios])
        notas = {nota.criterio: nota.nota_sugerida for nota in triado.notas}
        if notas:
            resumo = f"Média sugerida: {number(_weighted(criterios, notas), 2)}"
        else:
            spoken = sum(bool(vista.trechos) for vista in vistas)
            resumo = f"{number(spoken)} de {count(len(vistas), 'critério', 'critérios')} com passagens"
        return cls(quem, resumo, _people(humanas), vistas)


def rotulo_of(triado: ProjetoTriado) -> Rotulo:
    """The badge of a project."""
    if triado.erro is not None:
        return NAO_TRIADO
    return SEM_SUGESTAO if triado.habilitacao_sugerida is None else SUGESTOES[triado.habilitacao_sugerida]


def group_of(triado: ProjetoTriado) -> HabilitacaoSugerida | str:
    """Under which filter a project is found."""
    return "erro" if triado.erro is not None else triado.habilitacao_sugerida or ""


def groups(triados: Iterable[ProjetoTriado]) -> tuple[tuple[str, str], ...]:
    """The filters that have projects, each with how many: `("pendencia", "3 com pendência")`."""
    counted = Counter(group_of(triado) for triado in triados)
    return tuple((name, count(counted[name], one, many)) for name, (one, many) in _TOLD.items() if counted[name])


def people_of(chamada: Chamada, resultado: Resultado) -> dict[str, Quem]:
    """Every project of a result, or that its signs name, by code."""
    projetos = {projeto.id: projeto for projeto in chamada.projetos}
    named = [one.projeto_id for one in resultado.projetos] + [codigo for sinal in resultado.irregularidades for codigo in sinal.projetos]
    return {codigo: Quem.of(codigo, projetos.get(codigo)) for codigo in named}


def _criterio(criterio: Criterio, triado: ProjetoTriado, humanas: Sequence[Decimal]) -> CriterioVista:
    nota = next((one for one in triado.notas if one.criterio == criterio.id), None)
    passagens = nota.evidencias if nota else next((one.passagens for one in triado.leitura if one.criterio == criterio.id), ())
    return CriterioVista(
        shown(criterio.nome),
        shown(criterio.descricao),
        f"peso {number(criterio.peso)}, de {number(criterio.nota_min)} a {number(criterio.nota_max)}",
        number(nota.nota_sugerida, 2) if nota else "",
        percent(float(nota.confianca)) if nota else "",
        shown(nota.justificativa) if nota else "",
        tuple([Trecho.of(one) for one in passagens]),
        f"{_mean(humanas)} ({count(len(humanas), 'pessoa', 'pessoas')})" if humanas else "",
    )


def _people(humanas: Sequence[Avaliacao]) -> str:
    judges = len({one.avaliador for one in humanas})
    return f"{count(judges, 'pessoa avaliou', 'pessoas avaliaram')}" if judges else ""


def _mean(notas: Sequence[Decimal]) -> str:
    return number(sum(notas, Decimal(0)) / len(notas), 2)


def _weighted(criterios: Sequence[Criterio], notas: Mapping[str, Decimal]) -> Decimal:
    """Σ weight × nota ÷ Σ weight. Source: design, An execução, 2."""
    graded = [one for one in criterios if one.id in notas]
    weights = sum((one.peso for one in graded), Decimal(0))
    return sum((one.peso * notas[one.id] for one in graded), Decimal(0)) / weights if weights else Decimal(0)
