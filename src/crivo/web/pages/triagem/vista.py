"""What a screening found, as its page shows it: everything in words, nothing left for the template to work out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.achados import SEM_LEITURA, Evidencia, HabilitacaoSugerida, ItemHabilitacao, ProjetoTriado
from crivo.triagem.edital import Criterio
from crivo.triagem.guardados import Avaliacao, Cabecalho, DecisaoHabilitacao, Incumbencia
from crivo.triagem.media import media_of
from crivo.triagem.palavras import (
    HABILITACAO,
    MOTIVO,
    confianca,
    count,
    identifier,
    media_said,
    modelo_name,
    nota_reason,
    number,
    shown,
    situation_of,
)
from crivo.web.pages.formatos import instante
from crivo.web.pages.triagem.caso_marca import CasosMarca
from crivo.web.pages.triagem.enderecos import Enderecos
from crivo.web.pages.triagem.palavras import CONFERENCIA, NAO_TRIADO, SEM_SUGESTAO, place

_TOLD: Final[Mapping[str, tuple[str, str]]] = {
    "habilitado": ("habilitado", "habilitados"),
    "pendencia": ("com pendência", "com pendência"),
    "inabilitado": ("inabilitado", "inabilitados"),
    "erro": ("não triado", "não triados"),
}
_NUMBER: Final = re.compile(r"\d{1,15}(?:\.\d{1,6})?")
# Why there was nothing to read.


@dataclass(frozen=True, slots=True)
class Quem:
    """A project by its code, title and proponente, the CPF masked."""

    codigo: str
    titulo: str
    proponente: str
    identificador: str
    categoria: str

    @classmethod
    def of(cls, codigo: str, projeto: Cabecalho | None) -> Quem:
        """The project, of which only the code is known where it was withdrawn."""
        if projeto is None:
            return cls(codigo, "", "", "", "")
        proponente = projeto.proponente
        return cls(codigo, shown(projeto.titulo), shown(proponente.nome), identifier(proponente.cpf_cnpj), shown(projeto.categoria))


@dataclass(frozen=True, slots=True)
class Trecho:
    """A quote, where it stands, and the address of that document; empty where it is in none."""

    texto: str
    lugar: str
    endereco: str

    @classmethod
    def of(cls, evidencia: Evidencia, projeto_id: str, enderecos: Enderecos) -> Trecho:
        """The quote of a finding about a project."""
        endereco = enderecos.documento(evidencia.projeto or projeto_id, evidencia.arquivo, evidencia.pagina)
        said = evidencia.trecho.strip()
        is_number = bool(evidencia.campo) and _NUMBER.fullmatch(said) is not None  # a field that the project declares
        return cls(number(Decimal(said), 2 if "." in said else None) if is_number else shown(said), place(evidencia), endereco)


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
    def of(cls, item: ItemHabilitacao, projeto_id: str, enderecos: Enderecos) -> ItemVista:
        """The item as it is shown."""
        trecho = Trecho.of(item.evidencia, projeto_id, enderecos) if item.evidencia else None
        return cls(
            situation_of(item),
            shown(item.descricao or item.requisito),
            shown(item.clausula),
            MOTIVO[item.motivo] if item.motivo else "",
            shown(item.achado),
            item.eliminatorio,
            trecho if trecho and (trecho.texto or trecho.lugar) else None,
            item.autor,
        )


@dataclass(frozen=True, slots=True)
class DecisaoVista:
    """What a person decided; `difere` from what was suggested to them. `anteriores` are what it took the place of, or what was undone:
    `desfeita` says by whom and when. `ato` is what whoever looks may undo, empty where they may not.
    """

    decisao: HabilitacaoSugerida
    rotulo: Rotulo
    motivo: str
    assinatura: str
    difere: bool
    visto: str
    anteriores: tuple[DecisaoVista, ...] = ()
    desfeita: str = ""
    ato: str = ""

    @classmethod
    def of(cls, decisao: DecisaoHabilitacao, nomes: Mapping[UUID, str], *, mine: bool = False) -> DecisaoVista:
        """The decision, signed; `mine`: whoever looks may undo it."""
        gone = ""
        if decisao.desfeita_por is not None and decisao.desfeita_em is not None:
            gone = f"{_signed(decisao.desfeita_por, nomes)}, {instante(decisao.desfeita_em)}"
        return cls(
            decisao.decisao,
            HABILITACAO[decisao.decisao],
            shown(decisao.motivo),
            f"{_signed(decisao.decidido_por, nomes)}, {instante(decisao.decidido_em)}",
            decisao.difere,
            decisao.versao,
            tuple([cls.of(one, nomes) for one in decisao.anteriores]),
            gone,
            str(decisao.ato) if mine and decisao.ato else "",
        )


@dataclass(frozen=True, slots=True)
class HabilitacaoVista:
    """A project's line in the table of habilitação; `lidos` is the share of its items that were read, 0 to 1, by `quem_leu`.

    `desfeitas` are what was decided of one that has no decision now.
    """

    quem: Quem
    rotulo: Rotulo
    motivo: str
    confianca: str
    lidos: float
    quem_leu: str
    itens: tuple[ItemVista, ...]
    parecido: str
    sugestao: str
    decisao: DecisaoVista | None
    casos: CasosMarca | None
    desfeitas: tuple[DecisaoVista, ...] = ()

    @classmethod
    def of(
        cls,
        triado: ProjetoTriado,
        quem: Quem,
        enderecos: Enderecos,
        decisao: DecisaoVista | None,
        casos: CasosMarca | None,
        desfeitas: tuple[DecisaoVista, ...] = (),
    ) -> HabilitacaoVista:
        """The line of a project."""
        authors = sorted({CONFERENCIA[item.autor] for item in triado.itens})
        read = _read(triado)
        said = f"{number(read)} de {count(len(triado.itens), 'lido', 'lidos')}" if read else "nada foi lido" if authors else ""
        alike = ""
        if triado.projeto_similar and triado.similaridade_max is not None:
            alike = f"{triado.projeto_similar}, com semelhança de {number(round(triado.similaridade_max, 2))}"
        return cls(
            quem,
            rotulo_of(triado),
            shown(triado.erro or triado.habilitacao_motivo),
            said,
            read_share(triado),
            " e ".join(authors),
            tuple(
                [
                    ItemVista.of(item, triado.projeto_id, enderecos)
                    for item in sorted(triado.itens, key=lambda item: item.situacao == "atende")
                ]
            ),
            alike,
            triado.habilitacao_sugerida or "",
            decisao,
            casos,
            desfeitas,
        )


@dataclass(frozen=True, slots=True)
class CriterioVista:
    """What is said of a project by one critério; with no model, all that is suggested is empty.

    `ressalva` says why there is no nota, or why it is not to be leaned on; `modelo` who wrote it.
    """

    nome: str
    descricao: str
    peso: str
    sugerida: str
    confianca: str
    ressalva: str
    justificativa: str
    modelo: str
    simulado: bool
    trechos: tuple[Trecho, ...]
    humanas: str


@dataclass(frozen=True, slots=True)
class PessoaVista:
    """An evaluator of a project; `quando` is when they sent their notas, None until then."""

    id: str
    nome: str
    quando: datetime | None

    @classmethod
    def of(cls, one: Incumbencia, criterios: int) -> PessoaVista:
        """The evaluator; drafts are hidden."""
        sent = sent_of(one, criterios)
        return cls(str(one.avaliador), shown(one.nome), one.enviada_em if sent else None)


@dataclass(frozen=True, slots=True)
class AvaliacaoVista:
    """A project's line in the table of avaliação; `posicao` in the order of the suggested means, empty where it has none."""

    quem: Quem
    posicao: str
    resumo: str
    simulado: bool
    humanas: str
    criterios: tuple[CriterioVista, ...]
    pessoas: tuple[PessoaVista, ...]
    casos: CasosMarca | None

    @classmethod
    def of(
        cls,
        triado: ProjetoTriado,
        quem: Quem,
        posicao: str,
        criterios: Sequence[Criterio],
        enderecos: Enderecos,
        humanas: Sequence[Avaliacao],
        incumbencias: Sequence[Incumbencia],
        casos: CasosMarca | None,
    ) -> AvaliacaoVista:
        """The line of a project, with the notas that people sent."""
        vistas = tuple([_criterio(one, triado, enderecos, [h.nota for h in humanas if h.criterio == one.id]) for one in criterios])
        if triado.notas:
            resumo = media_said(media_of(criterios, triado.notas))
        else:
            spoken = sum(bool(vista.trechos) for vista in vistas)
            resumo = f"{number(spoken)} de {count(len(vistas), 'critério', 'critérios')} com passagens"
        return cls(
            quem,
            posicao,
            resumo,
            any(nota.simulado for nota in triado.notas),
            _people(humanas, len(incumbencias)),
            vistas,
            tuple([PessoaVista.of(one, len(criterios)) for one in incumbencias]),
            casos,
        )


def rotulo_of(triado: ProjetoTriado) -> Rotulo:
    """The badge of a project."""
    if triado.erro is not None:
        return NAO_TRIADO
    return SEM_SUGESTAO if triado.habilitacao_sugerida is None else HABILITACAO[triado.habilitacao_sugerida]


def groups(counted: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """The filters that have projects, each with how many: `("pendencia", "3 com pendência")`."""
    return tuple((name, count(counted[name], one, many)) for name, (one, many) in _TOLD.items() if counted[name])


def sent_of(one: Incumbencia, criterios: int) -> bool:
    """True if a person sent a nota for each of `criterios` critérios."""
    return criterios > 0 and one.enviadas >= criterios


def read_share(triado: ProjetoTriado) -> float:
    """How much of what habilitação asks could be read at all, 0 to 1: a file that does not open, or did not come, was not read."""
    return _read(triado) / len(triado.itens) if triado.itens else 0.0


def _read(triado: ProjetoTriado) -> int:
    return sum(item.situacao != "nao_lido" and item.motivo not in SEM_LEITURA for item in triado.itens)


def _criterio(criterio: Criterio, triado: ProjetoTriado, enderecos: Enderecos, humanas: Sequence[Decimal]) -> CriterioVista:
    nota = next((one for one in triado.notas if one.criterio == criterio.id), None)
    lida = next((one.passagens for one in triado.leitura if one.criterio == criterio.id), ())
    passagens = nota.evidencias if nota and nota.nota_sugerida is not None else lida
    return CriterioVista(
        shown(criterio.nome),
        shown(criterio.descricao),
        f"peso {number(criterio.peso)}, de {number(criterio.nota_min)} a {number(criterio.nota_max)}",
        number(nota.nota_sugerida, 2) if nota and nota.nota_sugerida is not None else "",
        confianca(nota.confianca) if nota and nota.nota_sugerida is not None else "",
        shown(nota_reason(nota)) if nota else "",
        shown(nota.justificativa) if nota else "",
        shown(modelo_name(nota)) if nota else "",
        nota is not None and nota.simulado,
        tuple([Trecho.of(one, triado.projeto_id, enderecos) for one in passagens]),
        f"{_mean(humanas)} ({count(len(humanas), 'pessoa', 'pessoas')})" if humanas else "",
    )


def _signed(por: UUID, nomes: Mapping[UUID, str]) -> str:
    return shown(nomes.get(por, "")) or "alguém que não está mais aqui"


def _people(humanas: Sequence[Avaliacao], given: int) -> str:
    judges = len({one.avaliador for one in humanas})
    if judges and given > judges:
        return f"{judges} de {count(given, 'pessoa avaliou', 'pessoas avaliaram')}"
    return f"{count(judges, 'pessoa avaliou', 'pessoas avaliaram')}" if judges else ""


def _mean(notas: Sequence[Decimal]) -> str:
    return number(sum(notas, Decimal(0)) / len(notas), 2)
