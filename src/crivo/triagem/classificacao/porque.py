"""The trace of a project, made when somebody asks for it. Source: design, After the notas ("por que ficou aqui")."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import assert_never

from crivo.triagem.classificacao import passos
from crivo.triagem.classificacao.condicoes import Quando
from crivo.triagem.classificacao.definicao import AMPLA, TODAS, Cota, Desempate, PorCampo, PorCriterio, PorInscricao, PorSorteio, Vagas
from crivo.triagem.classificacao.exato import scaled, unscaled
from crivo.triagem.classificacao.passos import Explicacao, Fato, Mudanca, Passo
from crivo.triagem.classificacao.regua import Contas
from crivo.triagem.classificacao.resultado import (
    AbaixoDaMinima,
    AbaixoNoCriterio,
    Ampla,
    Classificada,
    DaCota,
    DeCategoria,
    Desempatado,
    Desistiu,
    Divergem,
    Faltam,
    Fora,
    Grupo,
    Inabilitado,
    Lugar,
    Recebida,
    SobraDeCota,
    ZeroElimina,
)


def explain(classificada: Classificada, projeto_id: str) -> Explicacao:
    """Every rule that a project went through. Raises KeyError where it is none of the call."""
    lugar = classificada.por_id[projeto_id]
    return Explicacao(tuple(_Trace(classificada, lugar).steps()), tuple(changes_for(classificada, lugar)))


def changes_for(classificada: Classificada, lugar: Lugar) -> Iterator[Mudanca]:
    """What would have changed what became of a project, where it is cheap to say."""
    regua = classificada.regua
    for fora in lugar.fora:
        if lugar.contas is not None and isinstance(fora, AbaixoNoCriterio):
            criterio = regua.criterios[fora.criterio]
            minima = classificada.concorrencia.classificacao.corte.por_criterio[criterio.id]
            yield passos.FaltouNoCorte(criterio.nome, Fraction(minima) - regua.media(lugar.contas, fora.criterio))
        elif lugar.contas is not None and isinstance(fora, AbaixoDaMinima):
            least = classificada.concorrencia.classificacao.corte.nota_final_minima
            yield passos.FaltouNoCorte("", Fraction(least or 0) - Fraction(regua.base(lugar.contas)))
    match lugar.via:
        case Recebida() | SobraDeCota():
            yield passos.SaiSeHouverOptante(lugar.via.de)
        case DeCategoria():
            yield passos.SaiSeHouverNaCategoria(lugar.via.de)
        case Ampla() | DaCota():
            pass
        case None:
            yield from _lacking(classificada, lugar)
        case _:
            assert_never(lugar.via)


def _lacking(classificada: Classificada, lugar: Lugar) -> Iterator[Mudanca]:
    if lugar.grupo is None or lugar.contas is None:
        return
    grupo, mine = classificada.grupos[lugar.grupo], lugar.contas.final
    last = classificada.last(lugar.grupo, AMPLA)
    if last is not None and last.contas is not None:
        yield passos.FaltouParaAmpla(classificada.regua.pontos(last.contas.final - mine), last.inscrito.id)
    for cota in grupo.vagas.cotas if grupo.vagas else ():
        last = classificada.last(lugar.grupo, cota.id)
        if last is not None and last.contas is not None and Quando(cota.quando).holds(lugar.inscrito):
            yield passos.FaltouParaCota(cota.id, classificada.regua.pontos(last.contas.final - mine), last.inscrito.id)


class _Trace:
    """One project's way through the rules."""

    def __init__(self, classificada: Classificada, lugar: Lugar) -> None:
        self._classificada = classificada
        self._regras = classificada.concorrencia.classificacao
        self._regua = classificada.regua
        self._lugar = lugar

    def steps(self) -> Iterator[Passo]:
        lugar = self._lugar
        desistencia = [one for one in lugar.fora if isinstance(one, Desistiu)]
        if desistencia:
            yield from (Passo(1, fact_of(self._classificada, lugar, one)) for one in desistencia)
            return
        yield Passo(1, self._habilitacao())
        if lugar.situacao == "inabilitado":
            return
        yield Passo(1, self._avaliadores())
        yield from (Passo(1, fact_of(self._classificada, lugar, one)) for one in lugar.fora if isinstance(one, Divergem))
        if lugar.contas is None:
            return
        yield Passo(2, self._nota_base(lugar.contas))
        yield from self._cortes(lugar.contas)
        if lugar.grupo is None:
            return
        yield from self._bonus(lugar.contas)
        yield from self._posicao(self._classificada.grupos[lugar.grupo], lugar.contas)
        yield from self._vagas(self._classificada.grupos[lugar.grupo])

    def _habilitacao(self) -> passos.Habilitacao:
        one = self._classificada.decididas.get(self._lugar.inscrito.id)
        return passos.Habilitacao(None) if one is None else passos.Habilitacao(one.situacao, one.motivo)

    def _avaliadores(self) -> passos.Avaliadores:
        given = self._classificada.avaliadas.get(self._lugar.inscrito.id, ())
        dadas = [notas for notas in map(self._regua.notas_of, given) if notas is not None]
        minimo = max(1, self._regras.minimo_avaliadores)
        told = (len(dadas), minimo, len(given) - len(dadas))
        if len(dadas) != 2:  # of more, the mean stands however far apart they are
            return passos.Avaliadores(*told)
        ranges = [scaled(one.nota_max - one.nota_min, self._regua.casas_notas) for one in self._regua.criterios]
        apart = [Fraction(100 * abs(one - other), range_) for one, other, range_ in zip(*dadas, ranges, strict=True)]
        widest = max(range(len(apart)), key=apart.__getitem__)
        return passos.Avaliadores(*told, apart[widest], self._regua.criterios[widest].nome)

    def _nota_base(self, contas: Contas) -> passos.NotaBase:
        parcelas = [passos.Parcela(one.nome, self._regua.media(contas, at), one.peso) for at, one in enumerate(self._regua.criterios)]
        maxima = sum((one.peso * one.nota_max for one in self._regua.criterios), Decimal(0))
        return passos.NotaBase(tuple(parcelas), self._regras.escala, maxima, self._regua.base(contas))

    def _cortes(self, contas: Contas) -> Iterator[Passo]:
        corte = self._regras.corte
        if self._lugar.fora:
            yield from (Passo(3, fact_of(self._classificada, self._lugar, one)) for one in self._lugar.fora)
            return
        reached = [
            (one.nome, self._regua.media(contas, at), corte.por_criterio[one.id])
            for at, one in enumerate(self._regua.criterios)
            if one.id in corte.por_criterio
        ]
        zeros = [one.nome for one in self._regua.criterios if one.id in corte.zero_elimina]
        if reached or zeros or corte.nota_final_minima is not None:
            yield Passo(3, passos.Passou(corte.nota_final_minima, tuple(reached), tuple(zeros)))

    def _bonus(self, contas: Contas) -> Iterator[Passo]:
        total = Decimal(0)
        for bonus in self._regras.bonus:
            held = bonus.id in contas.valeram
            total += bonus.pontos if held else 0
            yield Passo(4, passos.UmBonus(bonus.id, bonus.quando, held, bonus.pontos), bonus.clausula)
        base, most = self._regua.base(contas), self._regras.bonus_maximo
        yield Passo(4, passos.NotaFinal(base, total, most, self._regua.pontos(contas.bonus), self._regua.pontos(contas.final)))

    def _posicao(self, grupo: Grupo, contas: Contas) -> Iterator[Passo]:
        tie = self._lugar.desempate
        if tie is not None:
            other = self._classificada.por_id[tie.outro]
            shown = (self._compared(tie, self._lugar, contas), self._compared(tie, other, other.contas or contas))
            yield Passo(5, passos.Empate(tie.por, name_of(self._classificada, tie.por), tie.outro, tie.atras, *shown))
        categoria = "" if grupo.categoria == TODAS else grupo.categoria
        yield Passo(5, passos.Posicao(self._lugar.posicao or 0, len(grupo.ordem), categoria))

    def _compared(self, tie: Desempatado, lugar: Lugar, contas: Contas) -> Fraction | datetime | str | None:
        """What a tie-break compares of a project, as far as it can be shown."""
        match tie.por:
            case PorCriterio():
                at = next(place for place, one in enumerate(self._regua.criterios) if one.id == tie.por.criterio)
                return self._regua.media(contas, at)
            case PorCampo():
                declared = lugar.inscrito.campos.get(tie.por.campo)
                return None if declared is None else str(declared)
            case PorInscricao():
                return lugar.inscrito.enviado_em
            case PorSorteio() | None:
                return self._classificada.drawn(lugar)
            case _:
                assert_never(tie.por)

    def _vagas(self, grupo: Grupo) -> Iterator[Passo]:
        if grupo.vagas is None:
            yield Passo(7, passos.SemVagas(grupo.categoria))
            return
        lugar, vagas = self._lugar, grupo.vagas
        yield Passo(6, self._ampla(grupo, vagas))
        if lugar.via is None and vagas.cotas:
            yield Passo(6, self._de_cotas(grupo, vagas))
        if not isinstance(lugar.via, Ampla):
            yield from (self._cota(grupo, cota) for cota in vagas.cotas if Quando(cota.quando).holds(lugar.inscrito))
        clausulas = {cota.id: cota.clausula for cota in vagas.cotas}
        match lugar.via:
            case Recebida():
                yield Passo(6, passos.VagaRecebida(lugar.via.de, lugar.via.cota), clausulas[lugar.via.de])
            case SobraDeCota():
                yield Passo(6, passos.VagaRevertida(lugar.via.de), clausulas[lugar.via.de])
            case DeCategoria():
                yield Passo(6, passos.VagaDeOutra(lugar.via.de))
            case None if lugar.suplencia is not None:
                yield Passo(7, passos.Suplencia(lugar.suplencia, self._regras.suplentes))
            case None:
                yield Passo(7, passos.Depois(self._regras.suplentes))
            case Ampla() | DaCota():
                pass
            case _:
                assert_never(lugar.via)

    def _ampla(self, grupo: Grupo, vagas: Vagas) -> passos.Vaga:
        took = [one for one in grupo.ordem if isinstance(one.via, Ampla)]
        last = (took[-1].inscrito.id, self._classificada.final(took[-1])) if took else None
        return passos.Vaga(vagas.total, vagas.ampla, isinstance(self._lugar.via, Ampla), last)

    def _de_cotas(self, grupo: Grupo, vagas: Vagas) -> passos.DeCotas:
        optou = tuple([cota.id for cota in vagas.cotas if Quando(cota.quando).holds(self._lugar.inscrito)])
        return passos.DeCotas(tuple([_went(grupo, cota) for cota in vagas.cotas]), optou)

    def _cota(self, grupo: Grupo, cota: Cota) -> Passo:
        took = [(one.inscrito.id, self._classificada.final(one)) for one in grupo.ordem if one.via == DaCota(cota.id)]
        return Passo(6, passos.VagaDeCota(cota.id, cota.vagas, self._lugar.via == DaCota(cota.id), tuple(took)), cota.clausula)


def _went(grupo: Grupo, cota: Cota) -> passos.UmaCota:
    """Who took the places of a cota."""
    levaram = tuple([one.inscrito.id for one in grupo.ordem if one.via == DaCota(cota.id)])
    passed = [one for one in grupo.ordem if isinstance(one.via, Recebida | SobraDeCota) and one.via.de == cota.id]
    return passos.UmaCota(cota.id, cota.vagas, levaram, tuple([(one.inscrito.id, one.vaga or AMPLA) for one in passed]))


def name_of(classificada: Classificada, por: Desempate | None) -> str:
    """Of a tie-break by critério or field, the name of that."""
    if isinstance(por, PorCriterio):
        return next((one.nome for one in classificada.regua.criterios if one.id == por.criterio), por.criterio)
    return por.campo if isinstance(por, PorCampo) else ""


def fact_of(classificada: Classificada, lugar: Lugar, fora: Fora) -> Fato:
    """A reason for no place, with its figures."""
    regua, regras = classificada.regua, classificada.concorrencia.classificacao
    match fora:
        case Desistiu():
            return passos.Desistencia(fora.desistencia.em)
        case Inabilitado():
            return passos.Habilitacao("inabilitado", fora.decidida.motivo)
        case Faltam():
            return passos.Avaliadores(fora.completas, fora.minimo)
        case Divergem():
            criterio = regua.criterios[fora.criterio]
            low, high = unscaled(fora.menor, regua.casas_notas), unscaled(fora.maior, regua.casas_notas)
            distance = 100 * (Fraction(high) - Fraction(low)) / (Fraction(criterio.nota_max) - Fraction(criterio.nota_min))
            return passos.Distantes(criterio.nome, low, high, distance, regras.divergencia_maxima or Decimal(0))
        case ZeroElimina():
            return passos.Cortado(regua.criterios[fora.criterio].nome, Fraction(0), Decimal(0), zero=True)
        case AbaixoNoCriterio():
            criterio = regua.criterios[fora.criterio]
            media = Fraction(0) if lugar.contas is None else regua.media(lugar.contas, fora.criterio)
            return passos.Cortado(criterio.nome, media, regras.corte.por_criterio[criterio.id])
        case AbaixoDaMinima():
            base = Decimal(0) if lugar.contas is None else regua.base(lugar.contas)
            return passos.Cortado("", Fraction(base), regras.corte.nota_final_minima or Decimal(0))
        case _:
            assert_never(fora)
