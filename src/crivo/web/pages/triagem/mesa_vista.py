"""A project on the mesa in words: its requisitos, notas, decision and history, nothing left for a template to work out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.triagem.achados import Evidencia, HabilitacaoSugerida, ItemHabilitacao, ProjetoTriado, Situacao
from crivo.triagem.decisao import LONGEST_REASON
from crivo.triagem.diligencias.depois import DoProjeto, Respondido, stand_after
from crivo.triagem.edital import Criterio, Requisito
from crivo.triagem.guardados import Avaliacao, Cabecalho, DecisaoHabilitacao
from crivo.triagem.mesa import NaMesa
from crivo.triagem.palavras import HABILITACAO, MOTIVO, count, number, shown
from crivo.web.pages.formatos import instante, reais
from crivo.web.pages.triagem.diligencias_vista import paper_address
from crivo.web.pages.triagem.fila_vista import Sinalizado
from crivo.web.pages.triagem.folha import first_place, place_of
from crivo.web.pages.triagem.mesa_endereco import Endereco
from crivo.web.pages.triagem.palavras import CONFERENCIA
from crivo.web.pages.triagem.vista import Quem

_REVISED: Final = " (revista em recurso)"
MAIOR_DIFERENCA: Final = 30  # percent of a critério's range between two people, from where on the page points at it
_ITEM: Final[Mapping[Situacao, tuple[str, str, str]]] = {
    "nao_atende": ("er", "recusado", "Não atende"),
    "nao_lido": ("al", "duvida", "A conferir"),
    "atende": ("ok", "feito", "Atende"),
}
_NOT_ASKED: Final = ("na", "nada", "Não se pede")  # of this project
_WIDTH: Final = 134  # of a critério's scale, in units of its drawing; it begins at 8


@dataclass(frozen=True, slots=True)
class DepoisVisto:
    """What an answer made of a requisito: how it stands, of which diligência, and the papers that say so, each with where it is kept."""

    palavra: str
    diligencia: str
    endereco: str
    papeis: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RequisitoVista:
    """A requisito in one line: the edital's own words first, then what was found, and where that is read."""

    id: str
    tom: str
    icone: str
    palavra: str
    clausula: str
    palavras: str
    curto: str
    achado: str
    endereco: str
    atual: bool
    depois: DepoisVisto | None


@dataclass(frozen=True, slots=True)
class Tira:
    """A critério's notas on its scale: places of people's, from 8 to 142, the place of the model's or None, and the same in words."""

    gente: tuple[float, ...]
    sugestao: float | None
    palavras: str
    larga: bool


@dataclass(frozen=True, slots=True)
class NotaVista:
    """The notas of a critério, and where the passages are read that speak to it."""

    id: str
    nome: str
    endereco: str
    atual: bool
    peso: str
    tira: Tira
    media: str
    sugestao: str


@dataclass(frozen=True, slots=True)
class Passo:
    """Something that was done to a project: what, by whom and when, and the reason."""

    palavra: str
    quem: str
    motivo: str


@dataclass(frozen=True, slots=True)
class ProjetoNaMesa:
    """A project as it is decided upon. `contagem`: how many requisitos fail, are to be looked at, are met, in words with their tones.

    `respondida` says which answer changed a requisito, empty where none did; `superada`: it came after the decision, which had asked.
    """

    quem: Quem
    linha: str
    requisitos: tuple[RequisitoVista, ...]
    contagem: tuple[tuple[str, str], ...]
    autores: tuple[str, ...]
    nao_triado: str
    notas: tuple[NotaVista, ...]
    base: str
    diverge: str
    pessoas: str
    avaliadores: str
    com_sugestao: bool
    sugestao: Sinalizado | None
    respondida: str
    superada: bool
    decisao: Sinalizado | None
    decisao_de: str
    escolhida: str
    visto: str
    motivo: str
    prefilled: Mapping[HabilitacaoSugerida, str]
    historia: tuple[Passo, ...]

    @classmethod
    def of(cls, na_mesa: NaMesa, endereco: Endereco, diligencias: Sequence[DoProjeto] = (), base: str = "") -> ProjetoNaMesa:
        """The project in words; `diligencias` of it, the newest first, whose pages are under `base`."""
        projeto, triado, decidida = na_mesa.projeto, na_mesa.triado, na_mesa.decisao
        quem = Quem.of(projeto.id, _header(na_mesa))
        found = triado.itens if triado else ()
        depois = stand_after(found, triado.habilitacao_sugerida if triado else None, na_mesa.requisitos, diligencias)
        itens, sugestao = _by_weight(depois.itens), depois.sugestao
        pointed = {one.requisito: one.evidencia for one in found}
        motivos = _reasons(itens, sugestao, depois.respondidos)
        superada = _overtaken(decidida, depois.respondidos)
        stands = None if superada else decidida
        escolhida: str = stands.decisao if stands else sugestao or ""
        notas = tuple([_nota(one, na_mesa, endereco) for one in na_mesa.criterios])
        mean, diverge, judges = _base(na_mesa)
        return cls(
            quem=quem,
            linha=" · ".join(part for part in (quem.proponente, _tax_id(quem), quem.categoria, _asks(na_mesa)) if part),
            requisitos=tuple(
                [
                    _requisito(one, pointed[one.requisito], na_mesa, endereco, _after(depois.respondidos.get(one.requisito), base))
                    for one in itens
                ]
            ),
            contagem=_counted(itens),
            autores=tuple(sorted({CONFERENCIA[one.autor] for one in itens})),
            nao_triado=_not_screened(triado, na_mesa.requisitos),
            notas=notas,
            base=mean,
            diverge=diverge,
            pessoas=", ".join(judges),
            avaliadores=_judging(na_mesa),
            com_sugestao=any(one.sugestao for one in notas),
            sugestao=Sinalizado.of(HABILITACAO[sugestao]) if sugestao else None,
            respondida=", ".join(sorted({f"nº {one.numero}" for one in depois.respondidos.values()})),
            superada=superada,
            decisao=Sinalizado.of(HABILITACAO[decidida.decisao]) if decidida else None,
            decisao_de=_signed(decidida.decidido_por, decidida.decidido_em, na_mesa) if decidida else "",
            escolhida=escolhida,
            visto=decidida.versao if decidida else "",
            motivo=shown(stands.motivo) if stands else motivos.get(sugestao, "") if sugestao else "",
            prefilled={**motivos, stands.decisao: shown(stands.motivo)} if stands else motivos,
            historia=_history(na_mesa),
        )


def _header(na_mesa: NaMesa) -> Cabecalho:
    projeto = na_mesa.projeto
    return Cabecalho(projeto.id, projeto.titulo, projeto.proponente, projeto.categoria, ())


def _tax_id(quem: Quem) -> str:
    kind = "CPF " if quem.identificador.startswith("*") else "CNPJ " if "/" in quem.identificador else ""
    return f"{kind}{quem.identificador}" if quem.identificador else ""


def _asks(na_mesa: NaMesa) -> str:
    total = sum((one.total for one in na_mesa.projeto.orcamento_itens), Decimal(0))
    return f"orçamento de {reais(total)}" if total else ""


def _by_weight(itens: Sequence[ItemHabilitacao]) -> list[ItemHabilitacao]:
    """What fails first, what excludes before what can be mended; then what is to be looked at, then what is met."""
    order: tuple[Situacao, ...] = ("nao_atende", "nao_lido", "atende")
    return sorted(itens, key=lambda one: (not one.pedido, order.index(one.situacao), not one.eliminatorio))


def _after(one: Respondido | None, base: str) -> DepoisVisto | None:
    if one is None:
        return None
    papers = tuple([(shown(papel.nome), paper_address(base, one.numero, papel)) for papel in one.papeis])
    return DepoisVisto(_ITEM[one.item.situacao][2].lower(), f"nº {one.numero}", f"{base}/diligencias/{one.numero}", papers)


def _overtaken(decidida: DecisaoHabilitacao | None, respondidos: Mapping[str, Respondido]) -> bool:
    """Whether what was asked by a decision was answered after it: it is not what is decided next by itself."""
    return decidida is not None and decidida.decisao == "pendencia" and any(one.em > decidida.decidido_em for one in respondidos.values())


def _requisito(
    item: ItemHabilitacao, evidencia: Evidencia | None, na_mesa: NaMesa, endereco: Endereco, depois: DepoisVisto | None
) -> RequisitoVista:
    """`evidencia` is what the screening points at in the project's own papers, which those of an answer are none of."""
    tom, icone, palavra = _ITEM[item.situacao] if item.pedido else _NOT_ASKED
    achado = shown(item.achado)
    declared = _declared(item.evidencia)
    curto = MOTIVO[item.motivo] if item.motivo else (declared or achado) if item.situacao == "atende" else ""
    if not item.pedido:
        curto = palavra.lower()
    doc, pag = place_of(evidencia, na_mesa)
    return RequisitoVista(
        item.requisito,
        tom,
        icone,
        palavra,
        shown(item.clausula),
        shown(item.descricao or item.requisito),
        curto,
        achado,
        endereco.projeto(na_mesa.projeto.id, doc=doc, pag=pag, req=item.requisito, vista="pagina"),
        endereco.req == item.requisito,
        depois,
    )


def _declared(found: Evidencia | None) -> str:
    """What the project declares, where that is what was found; a number as people write it."""
    if found is None or not found.campo:
        return ""
    if re.fullmatch(r"-?\d{1,15}(\.\d+)?", found.trecho.strip()):
        return number(Decimal(found.trecho.strip()), 2 if "." in found.trecho else None)
    return shown(found.trecho)


def _counted(itens: Sequence[ItemHabilitacao]) -> tuple[tuple[str, str], ...]:
    many: dict[Situacao, int] = {}
    for one in itens:
        if one.pedido:
            many[one.situacao] = many.get(one.situacao, 0) + 1
    unasked = sum(not one.pedido for one in itens)
    fails, doubts, met = many.get("nao_atende", 0), many.get("nao_lido", 0), many.get("atende", 0)
    found = [
        ("er", count(fails, "não atende", "não atendem") if fails else ""),
        ("al", f"{number(doubts)} a conferir" if doubts else ""),
        ("", count(met, "atende", "atendem") if met else ""),
        ("", count(unasked, "não se pede", "não se pedem") if unasked else ""),
    ]
    return tuple([one for one in found if one[1]])


def _not_screened(triado: ProjetoTriado | None, requisitos: Sequence[Requisito]) -> str:
    if triado is None:
        return "A última triagem não tratou deste projeto. Execute a triagem, e os requisitos aparecem aqui."
    if triado.erro is not None:
        return shown(triado.erro)
    if not triado.itens:
        return "Este edital não tem requisitos." if not requisitos else "Nenhum requisito foi conferido na última triagem."
    return ""


def _reasons(
    itens: Sequence[ItemHabilitacao], sugestao: HabilitacaoSugerida | None, respondidos: Mapping[str, Respondido]
) -> dict[HabilitacaoSugerida, str]:
    """A reason in the edital's words for what is suggested; whoever decides otherwise writes their own.

    What an answer settled is a reason too: what the screening had suggested before it was something else.
    """
    unmet = [one for one in itens if one.situacao != "atende"]
    fatal = [one for one in unmet if one.eliminatorio and one.situacao == "nao_atende"]
    reasons: dict[HabilitacaoSugerida, str] = {"habilitado": "", "pendencia": "", "inabilitado": ""}
    if sugestao == "pendencia":
        reasons[sugestao] = _told([one for one in unmet if one not in fatal] or unmet)
    elif sugestao == "habilitado" and respondidos:
        reasons[sugestao] = _settled(respondidos)
    elif sugestao == "inabilitado":
        reasons[sugestao] = _told(fatal or [one for one in unmet if one.situacao == "nao_atende"])
    return reasons


def _settled(respondidos: Mapping[str, Respondido]) -> str:
    said = []
    for one in respondidos.values():
        where = f"cláusula {shown(one.item.clausula)}, " if one.item.clausula else ""
        named = shown(one.item.descricao or one.item.requisito).rstrip(".")
        said.append(
            f"A diligência nº {one.numero}, respondida em {instante(one.em)}, resolveu: {where}{named}. {shown(one.item.achado)}".strip()
        )
    return "\n".join(said)[:LONGEST_REASON]


def _told(itens: Sequence[ItemHabilitacao]) -> str:
    said = []
    for one in itens:
        where = f"Cláusula {shown(one.clausula)}: " if one.clausula else ""
        found = " ".join(part for part in (f"{MOTIVO[one.motivo]}." if one.motivo else "", shown(one.achado)) if part)
        said.append(f"{where}{shown(one.descricao or one.requisito).rstrip('.')}. {found}".strip())
    return "\n".join(said)[:LONGEST_REASON]


def _nota(criterio: Criterio, na_mesa: NaMesa, endereco: Endereco) -> NotaVista:
    given = [one for one in na_mesa.avaliacoes if one.criterio == criterio.id]
    nota = next((one for one in na_mesa.triado.notas if one.criterio == criterio.id), None) if na_mesa.triado else None
    suggested = nota.nota_sugerida if nota else None
    span = criterio.nota_max - criterio.nota_min

    def at(valor: Decimal) -> float:
        return round(8 + float((valor - criterio.nota_min) / span) * _WIDTH, 1)

    values = [one.nota for one in given]
    larga = bool(values) and (max(values) - min(values)) * 100 >= MAIOR_DIFERENCA * span
    said = [f"{_name(one.avaliador, na_mesa.nomes)} {number(one.nota, 2)}{_REVISED if one.revisada else ''}" for one in given]
    said += [f"sugestão {number(suggested, 2)}"] if suggested is not None else ["sem sugestão"]
    doc, pag = first_place(criterio, na_mesa)
    return NotaVista(
        criterio.id,
        shown(criterio.nome),
        endereco.projeto(na_mesa.projeto.id, doc=doc, pag=pag, crit=criterio.id, vista="pagina") if doc else "",
        endereco.crit == criterio.id,
        number(criterio.peso),
        Tira(tuple([at(one) for one in values]), None if suggested is None else at(suggested), "; ".join(said), larga),
        number(sum(values, Decimal(0)) / len(values), 2) if values else "",
        number(suggested, 2) if suggested is not None else "",
    )


def _base(na_mesa: NaMesa) -> tuple[str, str, list[str]]:
    """The mean of those who sent all their notas; the largest difference between two people, where it is large; who they are."""
    by_person: dict[UUID, list[Avaliacao]] = {}
    for one in na_mesa.avaliacoes:
        by_person.setdefault(one.avaliador, []).append(one)
    pesos = {one.id: one.peso for one in na_mesa.criterios}
    whole = [of for of in by_person.values() if len(of) == len(pesos)]
    base = ""
    if whole and sum(pesos.values()):
        means = [sum((one.nota * pesos[one.criterio] for one in of), Decimal(0)) / sum(pesos.values()) for of in whole]
        base = number(sum(means, Decimal(0)) / len(means), 2)
    apart = max([_apart(one, na_mesa.avaliacoes) for one in na_mesa.criterios], default=0)
    names = [_name(one, na_mesa.nomes) for one in by_person]
    return base, f"{apart}%" if apart >= MAIOR_DIFERENCA else "", names


def _apart(criterio: Criterio, avaliacoes: Sequence[Avaliacao]) -> int:
    values = [one.nota for one in avaliacoes if one.criterio == criterio.id]
    return int((max(values) - min(values)) * 100 / (criterio.nota_max - criterio.nota_min)) if values else 0


def _judging(na_mesa: NaMesa) -> str:
    given, whole = len(na_mesa.incumbencias), len(na_mesa.criterios)
    sent = sum(one.enviadas >= whole > 0 for one in na_mesa.incumbencias)
    if not given:
        return "Ninguém avalia este projeto ainda"
    return f"{number(sent)} de {count(given, 'avaliação enviada', 'avaliações enviadas')}"


def _history(na_mesa: NaMesa) -> tuple[Passo, ...]:
    decidida, all_of = na_mesa.decisao, len(na_mesa.criterios)
    steps = [step for one in ((decidida, *decidida.anteriores) if decidida else na_mesa.desfeitas) for step in _steps(one, na_mesa)]
    steps += [
        (one.enviada_em, Passo("Avaliação enviada", f"{shown(one.nome)}, {instante(one.enviada_em)}", ""))
        for one in na_mesa.incumbencias
        if one.enviada_em is not None and one.enviadas >= all_of
    ]
    return tuple([passo for _, passo in sorted(steps, key=lambda step: step[0], reverse=True)])


def _steps(one: DecisaoHabilitacao, na_mesa: NaMesa) -> list[tuple[datetime, Passo]]:
    said = Passo(HABILITACAO[one.decisao].palavra, _signed(one.decidido_por, one.decidido_em, na_mesa), shown(one.motivo))
    if one.desfeita_por is None or one.desfeita_em is None:
        return [(one.decidido_em, said)]
    return [(one.decidido_em, said), (one.desfeita_em, Passo("Desfeito", _signed(one.desfeita_por, one.desfeita_em, na_mesa), ""))]


def _signed(usuario_id: UUID, em: datetime, na_mesa: NaMesa) -> str:
    return f"{_name(usuario_id, na_mesa.nomes)}, {instante(em)}"


def _name(usuario_id: UUID, nomes: Mapping[UUID, str]) -> str:
    return shown(nomes.get(usuario_id, "")) or "alguém que não está mais aqui"
