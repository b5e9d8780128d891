"""Why a project stands where it does, in words: one sentence (`motivo`), and the whole way (`por que ficou aqui`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Final, assert_never

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.classificacao import passos
from crivo.triagem.classificacao.definicao import AMPLA, TODAS, Desempate, PorCampo, PorCriterio, PorInscricao, PorSorteio
from crivo.triagem.classificacao.numeros import exact_said, nota_said, percent_said, points_said
from crivo.triagem.classificacao.porque import explain, fact_of, name_of
from crivo.triagem.classificacao.resultado import Ampla, Classificada, DaCota, DeCategoria, Grupo, Lugar, Recebida, Situacao, SobraDeCota
from crivo.triagem.condicao import Condicao, Operador
from crivo.triagem.palavras import count, day, moment, number, shown

SITUACAO: Final[Mapping[Situacao, str]] = {
    "selecionado": "Selecionado",
    "suplente": "Suplente",
    "nao_classificado": "Não classificado",
    "desclassificado": "Desclassificado",
    "inabilitado": "Inabilitado",
    "pendente": "Pendente",
}
_DECIDIDO: Final[Mapping[HabilitacaoSugerida | None, str]] = {
    "habilitado": "Habilitado por uma pessoa.",
    "pendencia": "Uma pessoa decidiu que a habilitação tem pendência, o que não tira da disputa.",
    "inabilitado": "Inabilitado por uma pessoa.",
    None: "Ninguém decidiu a habilitação ainda, o que não tira da disputa.",
}
_OPERADOR: Final[Mapping[Operador, str]] = {
    "igual": "igual a",
    "diferente": "diferente de",
    "em": "entre",
    "minimo": "de ao menos",
    "maximo": "de no máximo",
    "existe": "declarado:",
}
_NAMED: Final = 4  # of those who took the places of a cota: of more, the first and the last
_DRAWN: Final = 12  # of the 64 digits of a draw: enough to tell any two of a call apart


def motivo(classificada: Classificada, lugar: Lugar) -> str:
    """What became of a project and why, in one sentence."""
    if lugar.grupo is None:
        return " ".join(said(fact_of(classificada, lugar, fora)) for fora in lugar.fora)
    grupo = classificada.grupos[lugar.grupo]
    where = "" if grupo.categoria in {TODAS, ""} else f" em {shown(grupo.categoria)}"
    tie = lugar.desempate
    equal = f", a mesma de {tie.outro} (desempate por {tie_said(tie.por, name_of(classificada, tie.por))})" if tie else ""
    final = nota_said(classificada.final(lugar))
    return f"{number(lugar.posicao or 0)}º de {number(len(grupo.ordem))}{where}, com {final}{equal}: {_became(classificada, grupo, lugar)}."


def por_que(classificada: Classificada, projeto_id: str) -> tuple[tuple[str, str], ...]:
    """Each rule that a project went through, as the edital's clause (empty where it has none) and a sentence."""
    return tuple([(passo.clausula, said(passo.fato)) for passo in explain(classificada, projeto_id).passos])


def mudaria(classificada: Classificada, projeto_id: str) -> tuple[str, ...]:
    """What would have changed it, in sentences."""
    return tuple([change_said(one) for one in explain(classificada, projeto_id).mudaria])


def tie_said(por: Desempate | None, nome: str) -> str:
    """By what a tie is broken; `nome` is the critério's or the field's."""
    match por:
        case PorCriterio() | PorCampo():
            return shown(nome)
        case PorInscricao():
            return "ordem de inscrição"
        case PorSorteio() | None:
            return "sorteio"
        case _:
            assert_never(por)


def change_said(change: passos.Mudanca) -> str:
    """What would have changed the result, or would change it."""
    match change:
        case passos.FaltouParaAmpla():
            return f"{_lacked(change.pontos, 'da ampla concorrência', change.ultimo)}."
        case passos.FaltouParaCota():
            return f"{_lacked(change.pontos, f'da cota {change.cota}', change.ultimo)}."
        case passos.FaltouNoCorte():
            least = f"a média mínima em {shown(change.criterio)}" if change.criterio else "a nota mínima"
            return f"{points_said(change.pontos)} para {least}."
        case passos.SaiSeHouverOptante():
            return f"Se aparecer mais um optante da cota {change.cota}, este projeto pode perder a vaga."
        case passos.SaiSeHouverNaCategoria():
            return f"Se mais um projeto se classificar em {shown(change.categoria)}, este pode perder a vaga."
        case _:
            assert_never(change)


def said(fato: passos.Fato) -> str:  # noqa: C901 - one kind of fact after another
    """A fact of the trace, as a sentence."""
    match fato:
        case passos.Desistencia():
            return f"Desistiu em {day(fato.em)} e saiu da disputa."
        case passos.Habilitacao():
            return f"Inabilitado: {_sentence(fato.motivo)}" if fato.situacao == "inabilitado" and fato.motivo else _DECIDIDO[fato.situacao]
        case passos.Avaliadores():
            return _avaliadores(fato)
        case passos.Distantes():
            notas = f"{nota_said(fato.menor)} e {nota_said(fato.maior)}"
            allowed = percent_said(Fraction(fato.limite))
            return (
                f"As duas notas de {shown(fato.criterio)}, {notas}, distam {percent_said(fato.distancia)} da escala; o limite é {allowed}."
            )
        case passos.NotaBase():
            return _nota_base(fato)
        case passos.Cortado():
            return _cortado(fato)
        case passos.Passou():
            return _passou(fato)
        case passos.UmBonus():
            told, declares = (f"vale, +{nota_said(fato.pontos)}", "declara") if fato.valeu else ("não vale", "não declara")
            return f"Bônus {fato.id}: {told}, pois o projeto {declares} {condition_said(fato.quando)}."
        case passos.NotaFinal():
            return _nota_final(fato)
        case passos.Empate():
            stands = "fica atrás" if fato.atras else "fica à frente"
            compared = f"{_compared(fato, fato.meu)} contra {_compared(fato, fato.dele)}"
            return f"Mesma nota final de {fato.outro}: {stands} no desempate por {tie_said(fato.por, fato.nome)} ({compared})."
        case passos.Posicao():
            return f"{number(fato.posicao)}º lugar de {number(fato.de)}{f' em {shown(fato.categoria)}' if fato.categoria else ''}."
        case passos.DeCotas():
            return _de_cotas(fato)
        case passos.Vaga() | passos.VagaDeCota() | passos.VagaRecebida() | passos.VagaRevertida() | passos.VagaDeOutra():
            return _vaga(fato)
        case passos.Suplencia():
            return f"{number(fato.ordem)}º suplente de {number(fato.de)}."
        case passos.Depois():
            return f"Fica depois {_suplentes(fato.suplentes)}."
        case passos.SemVagas():
            return f"{_no_vagas(fato.categoria)}."
        case _:
            assert_never(fato)


def condition_said(condicao: Condicao) -> str:
    """A condition on a declared field: `regiao igual a interior`."""
    valor = condicao.valor
    if valor is None and condicao.operador == "existe":
        return shown(condicao.campo)
    listed = ", ".join(map(_value, valor)) if isinstance(valor, list | tuple) else _value(valor)
    return f"{shown(condicao.campo)} {_OPERADOR[condicao.operador]} {shown(listed)}"


def _value(valor: object) -> str:
    match valor:
        case bool():
            return "sim" if valor else "não"
        case int() | float() | Decimal():
            return number(Decimal(str(valor)))
        case _:
            return str(valor)


def _became(classificada: Classificada, grupo: Grupo, lugar: Lugar) -> str:
    match lugar.via:
        case Ampla():
            return "vaga da ampla concorrência"
        case DaCota():
            return f"vaga da {_cota(grupo, lugar.via.cota)}"
        case Recebida():
            return f"vaga da {_cota(grupo, lugar.via.de)}, que ficou sem optantes e passou à {_cota(grupo, lugar.via.cota)}"
        case SobraDeCota():
            return f"vaga da {_cota(grupo, lugar.via.de)}, que ficou sem optantes e passou à ampla concorrência"
        case DeCategoria():
            de = "de todas as categorias" if lugar.via.de == TODAS else f"de {shown(lugar.via.de)}"
            return f"vaga que sobrou {de}, na ampla concorrência"
        case None:
            return _without(classificada, grupo, lugar)
        case _:
            assert_never(lugar.via)


def _without(classificada: Classificada, grupo: Grupo, lugar: Lugar) -> str:
    if grupo.vagas is None or lugar.grupo is None:
        told = _no_vagas(grupo.categoria)
        return told[0].lower() + told[1:]
    suplentes = classificada.concorrencia.classificacao.suplentes
    stands = f"{number(lugar.suplencia)}º suplente" if lugar.suplencia is not None else f"fica depois {_suplentes(suplentes)}"
    last = classificada.last(lugar.grupo, AMPLA)
    if last is None:
        return stands
    lacked = _lacked(classificada.final(last) - classificada.final(lugar), "da ampla concorrência", last.inscrito.id)
    return f"{stands}; {lacked[0].lower()}{lacked[1:]}"


def _lacked(pontos: Decimal, whose: str, ultimo: str) -> str:
    if not pontos:
        return f"Teve a mesma nota de {ultimo}, que ficou com a última vaga {whose}, e perdeu no desempate"
    return f"{points_said(pontos)} para a última vaga {whose}, de {ultimo}"


def _cota(grupo: Grupo, cota: str) -> str:
    clausula = next((one.clausula for one in grupo.vagas.cotas if one.id == cota), "") if grupo.vagas else ""
    return f"cota {cota} ({shown(clausula)})" if clausula else f"cota {cota}"


def _suplentes(quantos: int) -> str:
    if not quantos:
        return "das vagas"
    return "das vagas e do suplente" if quantos == 1 else f"das vagas e dos {number(quantos)} suplentes"


def _no_vagas(categoria: str) -> str:
    return f"O edital não dá vagas a {shown(categoria)}" if categoria.strip() else "O projeto não diz em qual categoria concorre"


def _sentence(motivo: str) -> str:
    told = shown(motivo).strip()
    return told if told.endswith((".", "!", "?")) else f"{told}."


def _avaliadores(fato: passos.Avaliadores) -> str:
    have = count(fato.completas, "avaliação completa", "avaliações completas") if fato.completas else "Nenhuma avaliação completa"
    told = f"{have}; o edital pede {'ao menos ' if fato.completas >= fato.minimo else ''}{number(fato.minimo)}."
    if fato.incompletas:
        told += f" {count(fato.incompletas, 'outra tem', 'outras têm')} critério sem nota e não conta{'m' * (fato.incompletas > 1)}."
    if fato.distancia is not None:
        told += f" A maior distância num critério foi de {percent_said(fato.distancia)} da escala, em {shown(fato.criterio)}."
    return told


def _nota_base(fato: passos.NotaBase) -> str:
    terms = " + ".join(f"{exact_said(one.media)} × {number(one.peso)}" for one in fato.parcelas)
    exact = Fraction(fato.escala) * sum((one.media * Fraction(one.peso) for one in fato.parcelas), Fraction(0)) / Fraction(fato.maxima)
    sign, how = ("=", "") if exact == Fraction(fato.valor) else ("≈", ", meio para cima")
    return f"Nota base: {number(fato.escala)} × ({terms}) ÷ {number(fato.maxima)} {sign} {nota_said(fato.valor)}{how}."


def _cortado(fato: passos.Cortado) -> str:
    if fato.zero:
        return f"Média zero em {shown(fato.criterio)}, que elimina."
    least = nota_said(fato.minima)
    if fato.criterio:
        return f"Média {exact_said(fato.valor)} em {shown(fato.criterio)}; a mínima é {least}."
    return f"Nota base {exact_said(fato.valor)}; a mínima é {least}."


def _passou(fato: passos.Passou) -> str:
    told = [] if fato.minima is None else [f"alcança a nota mínima, de {nota_said(fato.minima)}"]
    told += [f"a média mínima em {shown(nome)}, de {nota_said(least)}, com {exact_said(media)}" for nome, media, least in fato.criterios]
    told += [f"não tem zero em {shown(nome)}" for nome in fato.sem_zero]
    return f"Passa nos cortes: {'; '.join(told)}."


def _nota_final(fato: passos.NotaFinal) -> str:
    if not fato.somados:
        return f"Nota final: {nota_said(fato.valor)}."
    capped = fato.maximo is not None and fato.somados > fato.maximo
    limit = f" Os bônus somam {nota_said(fato.somados)} e contam até {nota_said(fato.bonus)}." if capped else ""
    return f"Nota final: {nota_said(fato.base)} + {nota_said(fato.bonus)} = {nota_said(fato.valor)}.{limit}"


def _compared(fato: passos.Empate, value: Fraction | str | datetime | None) -> str:
    match value:
        case None:
            return "não consta"
        case Fraction():
            return exact_said(value)
        case datetime():
            return moment(value)
        case str():
            return shown(value) if isinstance(fato.por, PorCampo) else value[:_DRAWN]
        case _:
            assert_never(value)


def _vaga(fato: passos.Vaga | passos.VagaDeCota | passos.VagaRecebida | passos.VagaRevertida | passos.VagaDeOutra) -> str:
    match fato:
        case passos.Vaga():
            return _ampla(fato)
        case passos.VagaDeCota():
            return _da_cota(fato)
        case passos.VagaRecebida():
            return f"Uma vaga da cota {fato.de} ficou sem optantes e passou à primeira cota que ainda os tem: {fato.cota}. Ficou com este."
        case passos.VagaRevertida():
            return f"Uma vaga da cota {fato.de} ficou sem optantes e passou à ampla concorrência. Ficou com este projeto."
        case passos.VagaDeOutra():
            de = "Uma vaga de todas as categorias" if fato.de == TODAS else f"Uma vaga de {shown(fato.de)}"
            return f"{de} não tinha quem a ocupasse e passou a esta categoria. Ficou com este projeto."
        case _:
            assert_never(fato)


def _ampla(fato: passos.Vaga) -> str:
    have = f"Há {count(fato.total, 'vaga', 'vagas')}, {number(fato.ampla)} de ampla concorrência."
    if fato.ficou:
        return f"{have} Ficou com uma destas."
    if fato.ultimo is None:
        return have
    return f"{have} Estas foram até {fato.ultimo[0]} ({nota_said(fato.ultimo[1])})."


def _de_cotas(fato: passos.DeCotas) -> str:
    total = sum(one.vagas for one in fato.cotas)
    kept = ", ".join([f"{one.cota} {number(one.vagas)}{_whom(one.levaram)}" for one in fato.cotas])
    passed = [_passed(one, vaga) for one in fato.cotas for vaga in dict.fromkeys(to for _, to in one.passaram)]
    told = "; ".join([f"{count(total, 'vaga é de cota', 'vagas são de cotas')}: {kept}", *passed])
    opted = f"pela cota {' e pela cota '.join(fato.optou)}" if fato.optou else "por nenhuma cota" if total > 1 else "por ela"
    return f"{told}. Este projeto {'optou' if fato.optou else 'não optou'} {opted}."


def _passed(cota: passos.UmaCota, vaga: str) -> str:
    """Where places went that no optant was left for: `a de PCD ficou sem optantes e passou à NEGRAS (P4)`."""
    whom = tuple([codigo for codigo, to in cota.passaram if to == vaga])
    which = f"a de {cota.cota}" if cota.vagas == 1 else f"{number(len(whom))} de {cota.cota}"
    went = "ficou sem optantes e passou" if len(whom) == 1 else "ficaram sem optantes e passaram"
    return f"{which} {went} à {'ampla concorrência' if vaga == AMPLA else vaga}{_whom(whom)}"


def _whom(codigos: tuple[str, ...]) -> str:
    if len(codigos) > _NAMED:
        return f" ({number(len(codigos))} projetos, de {codigos[0]} a {codigos[-1]})"
    return f" ({', '.join(codigos)})" if codigos else ""


def _da_cota(fato: passos.VagaDeCota) -> str:
    have = f"Concorre à cota {fato.cota}, de {count(fato.vagas, 'vaga', 'vagas')}."
    if fato.ficou:
        return f"{have} Ficou com uma delas." if fato.vagas > 1 else f"{have} Ficou com ela."
    if not fato.levaram:
        return have
    took = [f"{codigo} ({nota_said(nota)})" for codigo, nota in (fato.levaram[0], *fato.levaram[1:_NAMED], fato.levaram[-1])]
    if len(fato.levaram) > _NAMED:
        return f"{have} Foram para {number(len(fato.levaram))} projetos, de {took[0]} a {took[-1]}."
    return f"{have} Foi para {took[0]}." if len(fato.levaram) == 1 else f"{have} Foram para {', '.join(took[:-2])} e {took[-1]}."
