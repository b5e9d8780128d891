"""What rules that nobody kept yet would give now: the places by category, who comes in and who goes out, and what deserves a look."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from crivo.kernel.errors import Problem
from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.classificacao.clausulas import category_said
from crivo.triagem.classificacao.concorrencia import Inscrito
from crivo.triagem.classificacao.condicoes import Quando
from crivo.triagem.classificacao.definicao import AMPLA, TODAS, PorCampo, Vagas
from crivo.triagem.classificacao.resultado import Ampla, Classificada, DaCota, DeCategoria, Grupo, Recebida, Situacao, SobraDeCota
from crivo.triagem.condicao import Condicao, Value
from crivo.triagem.habilitacao.condicoes import comparable
from crivo.triagem.palavras import count, shown

LISTADOS_MAXIMO: Final = 100
"""How many projects that come in or go out are named; the others are counted."""
_ONDE: Final = "edital.classificacao"


class VagasPrevistas(Value, frozen=True):
    """Places of one kind: how many there are and are taken, and the nota_final of the last that has one (None where nobody has).

    `id` is AMPLA or the cota's; `optantes` are those in the running who ask for the cota, None of the broad ones.
    """

    id: str
    total: int
    ocupadas: int
    corte: Decimal | None
    ultimo: str
    optantes: int | None = None


class CategoriaPrevista(Value, frozen=True):
    """Who competes together. `vagas` is None of a category without vagas; `remanejadas` places came from a cota or a category that did
    not fill them, and `vazias` nobody takes.
    """

    categoria: str
    concorrem: int
    vagas: int | None
    por_tipo: tuple[VagasPrevistas, ...]
    remanejadas: int
    vazias: int
    situacoes: Mapping[Situacao, int]


class Troca(Value, frozen=True):
    """A project whose place would be another; `antes` is None where no rules are kept."""

    projeto: str
    categoria: str
    antes: Situacao | None
    depois: Situacao


class Prevista(Value, frozen=True):
    """All of it: `fora` are the projects without a place, by situation; `entram` and `saem` of those selected, the first of so many."""

    projetos: int
    notas: int
    categorias: tuple[CategoriaPrevista, ...]
    fora: Mapping[Situacao, int]
    entram: tuple[Troca, ...]
    quantos_entram: int
    saem: tuple[Troca, ...]
    quantos_saem: int
    outras: int
    compara: bool
    avisos: tuple[Problem, ...]


def foresee(depois: Classificada, antes: Classificada | None) -> Prevista:
    """What `depois` comes to, beside the places of now (None where no rules are kept)."""
    before = {} if antes is None else {codigo: lugar.situacao for codigo, lugar in antes.por_id.items()}
    now = {codigo: lugar.situacao for codigo, lugar in depois.por_id.items()}
    changed = [
        Troca(lugar.inscrito.id, lugar.inscrito.categoria, before.get(codigo), lugar.situacao)
        for codigo, lugar in depois.por_id.items()
        if before.get(codigo) != now[codigo]
    ]
    come = [one for one in changed if one.depois == "selecionado"]
    leave = [one for one in changed if one.antes == "selecionado"]
    others = 0 if antes is None else len(changed) - len(come) - len(leave)
    outside = [lugar for lugar in depois.lugares if lugar.grupo is None]
    passed = Counter(lugar.via.de for lugar in depois.lugares if isinstance(lugar.via, DeCategoria))
    return Prevista(
        len(depois.concorrencia.inscritos),
        len(depois.concorrencia.avaliacoes),
        tuple([_category(depois, at, grupo, passed) for at, grupo in enumerate(depois.grupos)]),
        dict(Counter(lugar.situacao for lugar in outside)),
        tuple(come[:LISTADOS_MAXIMO]),
        len(come),
        tuple(leave[:LISTADOS_MAXIMO]),
        len(leave),
        others,
        antes is not None,
        tuple(_warnings(depois)),
    )


def _category(classificada: Classificada, at: int, grupo: Grupo, passed: Mapping[str, int]) -> CategoriaPrevista:
    """`passed`: how many places of each category went to another."""
    vias = Counter(type(lugar.via) for lugar in grupo.ordem if lugar.via is not None)
    own = sum(vias.values()) - vias[DeCategoria]
    vagas = grupo.vagas
    return CategoriaPrevista(
        grupo.categoria,
        len(grupo.ordem),
        None if vagas is None else vagas.total,
        () if vagas is None else tuple(_kinds(classificada, at, grupo, vagas)),
        vias[Recebida] + vias[SobraDeCota] + vias[DeCategoria],
        0 if vagas is None else vagas.total - own - passed.get(vagas.categoria, 0),
        dict(Counter(lugar.situacao for lugar in grupo.ordem)),
    )


def _kinds(classificada: Classificada, at: int, grupo: Grupo, vagas: Vagas) -> Iterator[VagasPrevistas]:
    taken = Counter(
        AMPLA if isinstance(lugar.via, Ampla) else lugar.via.cota for lugar in grupo.ordem if isinstance(lugar.via, Ampla | DaCota)
    )
    yield _kind(classificada, at, AMPLA, vagas.ampla, taken[AMPLA], None)
    for cota in vagas.cotas:
        quando = Quando(cota.quando)
        asking = sum(quando.holds(lugar.inscrito) for lugar in grupo.ordem)
        yield _kind(classificada, at, cota.id, cota.vagas, taken[cota.id], asking)


def _kind(classificada: Classificada, at: int, nome: str, total: int, taken: int, optantes: int | None) -> VagasPrevistas:
    last = classificada.last(at, nome)
    corte = None if last is None else classificada.final(last)
    return VagasPrevistas(nome, total, taken, corte, "" if last is None else last.inscrito.id, optantes)


def _warnings(classificada: Classificada) -> Iterator[Problem]:
    """What of the rules holds of nobody, and what projects say that the rules do not know; nothing where there are no projects."""
    regras, inscritos = classificada.concorrencia.classificacao, classificada.concorrencia.inscritos
    if not inscritos:
        return
    for at, bonus in enumerate(regras.bonus):
        if not _holds_of_any(inscritos, bonus.quando):
            yield _warn(
                "bonus_de_ninguem", f"bonus[{at}].quando.valor", f"Nenhum projeto ganha o bônus {bonus.id}. Confira o campo e o valor."
            )
    for at, tie in enumerate(regras.desempate):
        if isinstance(tie, PorCampo) and not any(_orders(one.campos.get(tie.campo)) for one in inscritos):
            mensagem = f"Nenhum projeto declara {shown(tie.campo)} com um número ou uma data: este desempate não decide nada."
            yield _warn("desempate_de_ninguem", f"desempate[{at}].campo", mensagem)
    yield from _of_vagas(regras.vagas, inscritos)


def _of_vagas(todas: Sequence[Vagas], inscritos: Sequence[Inscrito]) -> Iterator[Problem]:
    given = {fold(vagas.categoria) for vagas in todas}
    apart: defaultdict[str, list[Inscrito]] = defaultdict(list)
    for one in inscritos:
        name = fold(one.categoria)
        apart[TODAS if name not in given and TODAS in given else name].append(one)
    for at, vagas in enumerate(todas):
        theirs = apart.get(fold(vagas.categoria), [])
        if not theirs:
            mensagem = f"Há vagas para “{category_said(vagas.categoria)}”, e nenhum projeto concorre a elas."
            yield _warn("vagas_de_ninguem", f"vagas[{at}].categoria", mensagem)
            continue
        for place, cota in enumerate(vagas.cotas):
            if not _holds_of_any(theirs, cota.quando):
                mensagem = f"Nenhum projeto de “{category_said(vagas.categoria)}” concorre à cota {cota.id}. Confira o campo e o valor."
                yield _warn("cota_de_ninguem", f"vagas[{at}].cotas[{place}].quando.valor", mensagem)
    for name in sorted(apart.keys() - given) if todas else ():
        those = apart[name]
        where = f"na categoria “{shown(those[0].categoria)}”" if name else "sem categoria"
        told = "não há vagas para ele" if len(those) == 1 else "não há vagas para eles"
        yield _warn("categoria_sem_vagas", "vagas", f"{count(len(those), 'projeto', 'projetos')} {where}: {told}.")


def _holds_of_any(inscritos: Sequence[Inscrito], condicao: Condicao) -> bool:
    quando = Quando(condicao)
    return any(quando.holds(one) for one in inscritos)


def _orders(valor: object) -> bool:
    return valor is not None and not isinstance(valor, list | dict) and not isinstance(comparable(valor), str)


def _warn(codigo: str, onde: str, mensagem: str) -> Problem:
    return Problem(mensagem, f"{_ONDE}.{onde}", codigo=codigo)
