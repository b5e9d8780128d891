"""From notas to places, rule by rule in their order. Source: design, After the notas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.classificacao.concorrencia import Concorrencia
from crivo.triagem.classificacao.condicoes import Quando
from crivo.triagem.classificacao.definicao import TODAS, Classificacao, Vagas
from crivo.triagem.classificacao.juizo import Juizo, NoPareo
from crivo.triagem.classificacao.ordem import Ordem
from crivo.triagem.classificacao.regua import Regua
from crivo.triagem.classificacao.resultado import Classificada, Desempatado, Grupo, Lugar, Situacao, Via, by_projeto
from crivo.triagem.classificacao.vagas import Sala, pass_between


def classify(concorrencia: Concorrencia) -> Classificada:
    """The place of every project. The same values give the same places, in whatever order they come."""
    regras = concorrencia.classificacao
    regua = Regua(concorrencia)
    competing, fora = _judged(concorrencia, regua)
    ordem = Ordem(concorrencia, regua, competing)
    apart = _grouped(regras.vagas, competing)
    ordered = [(categoria, vagas, *ordem.sort(those)) for categoria, vagas, those in apart]
    salas = [
        Sala(vagas, [one.inscrito for one in those], [Quando(cota.quando) for cota in vagas.cotas])
        for _, vagas, those, _ in ordered
        if vagas is not None
    ]
    for sala in salas:
        sala.seat(regras.remanejamento)
    if "categorias" in regras.remanejamento:
        pass_between(salas)
    seated = iter(salas)
    grupos = []
    for at, (categoria, vagas, those, ties) in enumerate(ordered):
        vias = next(seated).vias if vagas is not None else None
        grupos.append(Grupo(categoria, vagas, tuple(_places(regras, at, those, ties, vias))))
    return Classificada(concorrencia, regua, grupos, fora)


def _judged(concorrencia: Concorrencia, regua: Regua) -> tuple[list[NoPareo], list[Lugar]]:
    decided = {one.projeto: one for one in concorrencia.habilitacoes}
    desistencias = {one.projeto: one for one in concorrencia.desistencias}
    given = by_projeto(concorrencia.avaliacoes)
    juizo = Juizo(concorrencia, regua)
    competing: list[NoPareo] = []
    fora: list[Lugar] = []
    for inscrito in concorrencia.inscritos:
        found = juizo.judge(inscrito, decided.get(inscrito.id), given.get(inscrito.id, ()), desistencias.get(inscrito.id))
        if isinstance(found, NoPareo):
            competing.append(found)
        else:
            fora.append(found)
    return competing, fora


def _grouped(todas: Sequence[Vagas], competing: Sequence[NoPareo]) -> list[tuple[str, Vagas | None, list[NoPareo]]]:
    """Who competes together: for the vagas of their category, else for those of all; without any, with their own category alone."""
    by_name = {fold(vagas.categoria): vagas for vagas in todas}
    of_all = by_name.get(TODAS)
    groups: dict[str, list[NoPareo]] = {name: [] for name in by_name}
    without: dict[str, list[NoPareo]] = {}
    for one in competing:
        name = fold(one.inscrito.categoria)
        if name in by_name:
            groups[name].append(one)
        elif of_all is not None:
            groups[TODAS].append(one)
        else:
            without.setdefault(name, []).append(one)
    named = [(by_name[name].categoria, by_name[name], those) for name, those in groups.items()]
    return [*named, *[(without[name][0].inscrito.categoria, None, without[name]) for name in sorted(without)]]


def _places(
    regras: Classificacao, grupo: int, those: Sequence[NoPareo], ties: Sequence[Desempatado | None], vias: Sequence[Via | None] | None
) -> Iterator[Lugar]:
    """The places of a group, in their order. Source: rule 7."""
    waiting = 0
    for at, one in enumerate(those):
        via = vias[at] if vias is not None else None
        waiting += via is None
        suplencia = waiting if via is None and vias is not None and waiting <= regras.suplentes else None
        situacao: Situacao = "selecionado" if via is not None else "nao_classificado" if suplencia is None else "suplente"
        yield Lugar(one.inscrito, situacao, one.contas, (), grupo, at + 1, ties[at], via, suplencia)
