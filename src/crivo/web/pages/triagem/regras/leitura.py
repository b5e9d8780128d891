"""The form of the rules for places into the tree of an import, and what is wrong with them back to the field in which it was typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

import msgspec

from crivo.kernel.errors import Problem
from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.chamadas.definicao import documento_of
from crivo.triagem.classificacao.clausulas import category_said
from crivo.triagem.classificacao.definicao import Bonus, Classificacao, Corte, Cota, Desempate, PorCampo, Vagas
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import Chamada
from crivo.triagem.importacao.leitura import read_definicao
from crivo.triagem.importacao.relato import Relato
from crivo.web.pages.formatos import numero
from crivo.web.pages.triagem.chamada.escrito import EDITAL, YES, Linha, one
from crivo.web.pages.triagem.chamada.leitura import DITO, DITO_DO_VALOR, Erro, bare, plain, put, reads_alike
from crivo.web.pages.triagem.chamada.valores import read_number, read_valor
from crivo.web.pages.triagem.regras.escrito import COTAS, REGRAS, Escrito, in_force
from crivo.web.pages.triagem.regras.mostra import NO

_HERE: Final = "edital.classificacao"
_STEP: Final = re.compile(r"([^.\[\]]+)(?:\[([0-9]+)\])?\.?")
_NUMBERS: Final = ("minimo_avaliadores", "divergencia_maxima", "escala", "casas", "bonus_maximo", "suplentes")
_IN_REGRAS: Final = (*_NUMBERS, "semente", "remanejamento")
_ORDINALS: Final[Mapping[str, str]] = {
    "cortes": "Corte por critério",
    "bonus": "Bônus",
    "desempate": "Desempate",
    "vagas": "Vagas",
}
_CAMPO: Final[Mapping[str, str]] = {
    "minimo_avaliadores": "Avaliações por projeto",
    "divergencia_maxima": "Divergência máxima",
    "nota_final_minima": "Nota base mínima",
    "escala": "Escala",
    "casas": "Casas depois da vírgula",
    "bonus_maximo": "Teto dos bônus",
    "remanejamento": "Vagas que sobram",
    "suplentes": "Suplentes",
    "semente": "Semente do sorteio",
}
_OWN_WORDS: Final[Mapping[str, str]] = {
    "cotas_demais": "As cotas guardam mais vagas do que a categoria tem. Aumente o total, ou guarde menos.",
    "criterio_desconhecido": "Este critério não está no edital. Escolha outro, ou tire este.",
    "categoria_repetida": "Esta categoria já tem vagas em outra linha. Junte as duas em uma.",
    "cota_reservada": "Este nome é o da ampla concorrência. Dê à cota outro código.",
    "corte_fora_da_escala": "É maior que a escala: ninguém a alcançaria.",
    "pontos_alem_das_casas": "Tem mais casas depois da vírgula do que as notas do edital.",
}


class _Relato(Relato):
    """What is wrong stands under its field, and needs no name of it."""

    def label(self, caminho: Caminho) -> str:
        return "Este campo"


@dataclass(frozen=True, slots=True)
class Lidas:
    """The edital with the rules that a form says, or None with every reason; `avisos` keep nothing back."""

    chamada: Chamada | None
    erros: tuple[Erro, ...]
    avisos: tuple[Erro, ...] = ()

    @property
    def regras(self) -> Classificacao | None:
        """The rules, where nothing is wrong."""
        return self.chamada.edital.classificacao if self.chamada else None


@dataclass(slots=True)
class _Arvore:
    """The tree as it grows, which row of the form each of its rows came from, and what could not be read at all."""

    escrito: Escrito
    lugares: dict[tuple[str, int], int] = field(default_factory=dict)
    erros: list[Erro] = field(default_factory=list)
    zeros: list[int] = field(default_factory=list)

    def number(self, objeto: dict[str, Any], nome: str, linha: Linha, lugar: str, campo: str = "") -> None:
        """Put the number that was typed, or note that it is none."""
        text = one(linha, campo or nome)
        if not text.strip():
            return
        number = read_number(text)
        if number is None:
            where = f"{lugar}.{campo or nome}"
            self.erros.append(Erro(where, "Escreva um número, como 2 ou 7,5.", row_said(where, self.escrito)))
        else:
            objeto[nome] = int(number) if number == number.to_integral_value() else number


def read_regras(escrito: Escrito, antes: Chamada) -> Lidas:
    """The edital `antes` with the rules that stand in a form. What was said before and the form shows alike is kept as it was."""
    arvore = _Arvore(escrito)
    documento = documento_of(antes)
    documento[EDITAL]["classificacao"] = _classificacao(arvore)
    relato = _Relato()
    chamada = read_definicao(documento, relato)
    known = {erro.campo for erro in arvore.erros}
    told = dict.fromkeys(_told(problem, arvore) for problem in relato.problemas.as_tuple())
    erros = (*arvore.erros, *(erro for erro in told if erro.campo not in known))
    if chamada is None or erros:
        return Lidas(None, erros)
    avisos = tuple([_told(one, arvore) for one in relato.avisos.as_tuple() if (one.caminho or "").startswith(_HERE)])
    read = chamada.edital.classificacao or Classificacao()
    regras = read if antes.edital.classificacao is None else _as_they_were(read, antes.edital.classificacao)
    return Lidas(msgspec.structs.replace(antes, edital=msgspec.structs.replace(antes.edital, classificacao=regras)), (), avisos)


def tell(problemas: Iterable[Problem], escrito: Escrito) -> tuple[Erro, ...]:
    """Problems of rules that could be read, at the fields of the form."""
    arvore = _Arvore(escrito)
    _classificacao(arvore)
    return tuple([_told(problem, arvore) for problem in problemas])


def row_said(campo: str, escrito: Escrito) -> str:
    """Which row a field is in, or which field of the rules it is, as people see it: `Cota NEGRAS, em Música`."""
    secao, _, rest = campo.partition(".")
    if secao == REGRAS:
        return _CAMPO.get(rest, "")
    if secao not in _ORDINALS or not rest:
        return ""
    steps = rest.split(".")
    at = int(steps[0])
    if secao == "vagas":
        row = escrito.vagas[at]
        categoria = category_said(one(row.campos, "categoria") or f"linha {at + 1}")
        if len(steps) > 2 and steps[1] == COTAS:
            return f"Cota {one(row.cotas[int(steps[2])], 'id') or int(steps[2]) + 1}, em {categoria}"
        return f"Vagas, {categoria}"
    rows = {"cortes": escrito.cortes, "bonus": escrito.bonus, "desempate": escrito.desempate}[secao]
    called = one(rows[at], "criterio") if secao == "cortes" else one(rows[at], "id") if secao == "bonus" else f"{at + 1}"
    return f"{_ORDINALS[secao]} {called}".strip()


def _classificacao(arvore: _Arvore) -> dict[str, Any]:
    escrito = arvore.escrito
    regras: dict[str, Any] = {}
    for nome in _NUMBERS:
        arvore.number(regras, nome, escrito.regras, REGRAS)
    put(regras, "semente", one(escrito.regras, "semente").strip())
    put(regras, "remanejamento", list(dict.fromkeys(escrito.regras.get("remanejamento", []))))
    put(regras, "corte", _corte(arvore))
    put(regras, "bonus", [_bonus(row, f"bonus.{at}", arvore) for at, row in _kept("bonus", escrito.bonus, arvore)])
    put(regras, "desempate", [_desempate(row) for _, row in _kept("desempate", escrito.desempate, arvore)])
    vagas = _kept("vagas", [row.campos for row in escrito.vagas], arvore)
    put(regras, "vagas", [_vagas(at, arvore) for at, _ in vagas])
    return regras


def _kept(secao: str, rows: Sequence[Linha], arvore: _Arvore) -> list[tuple[int, Linha]]:
    found = [(at, row) for at, row in enumerate(rows) if in_force(row)]
    arvore.lugares |= {(secao, made): at for made, (at, _) in enumerate(found)}
    return found


def _corte(arvore: _Arvore) -> dict[str, Any]:
    corte: dict[str, Any] = {}
    arvore.number(corte, "nota_final_minima", arvore.escrito.regras, REGRAS)
    minimas: dict[str, Any] = {}
    zeros: list[str] = []
    for at, row in enumerate(arvore.escrito.cortes):
        codigo = one(row, "criterio")
        arvore.number(minimas, codigo, row, f"cortes.{at}", "minima")
        if one(row, "zero") == YES:
            zeros.append(codigo)
            arvore.zeros.append(at)
    put(corte, "por_criterio", minimas)
    put(corte, "zero_elimina", zeros)
    return corte


def _bonus(linha: Linha, lugar: str, arvore: _Arvore) -> dict[str, Any]:
    bonus: dict[str, Any] = {"quando": _quando(linha)}
    for nome in ("id", "clausula"):
        put(bonus, nome, one(linha, nome).strip())
    arvore.number(bonus, "pontos", linha, lugar)
    return bonus


def _desempate(linha: Linha) -> dict[str, Any]:
    desempate: dict[str, Any] = {"por": one(linha, "por")}
    if desempate["por"] == "criterio":
        put(desempate, "criterio", one(linha, "criterio"))
    if desempate["por"] == "campo":
        put(desempate, "campo", one(linha, "campo").strip())
        desempate["maior"] = one(linha, "maior") != NO
    return desempate


def _vagas(at: int, arvore: _Arvore) -> dict[str, Any]:
    row = arvore.escrito.vagas[at]
    vagas: dict[str, Any] = {}
    put(vagas, "categoria", one(row.campos, "categoria").strip())
    for nome in ("total", "valor"):
        arvore.number(vagas, nome, row.campos, f"vagas.{at}")
    cotas = _kept(f"vagas.{at}.{COTAS}", row.cotas, arvore)
    put(vagas, COTAS, [_cota(cota, f"vagas.{at}.{COTAS}.{place}", arvore) for place, cota in cotas])
    return vagas


def _cota(linha: Linha, lugar: str, arvore: _Arvore) -> dict[str, Any]:
    cota: dict[str, Any] = {"quando": _quando(linha)}
    for nome in ("id", "clausula"):
        put(cota, nome, one(linha, nome).strip())
    arvore.number(cota, "vagas", linha, lugar)
    return cota


def _quando(linha: Linha) -> dict[str, Any]:
    operador = one(linha, "quando.operador") or "igual"
    quando: dict[str, Any] = {"operador": operador}
    put(quando, "campo", one(linha, "quando.campo").strip())
    put(quando, "valor", read_valor(one(linha, "quando.valor"), operador))
    return quando


def _told(problem: Problem, arvore: _Arvore) -> Erro:
    caminho = problem.caminho or ""
    if not caminho.startswith(_HERE):
        return Erro("", f"O edital tem um problema fora destas regras. {plain(problem.mensagem)}", "Edital")
    campo = _field_of([(found[1], found[2]) for found in _STEP.finditer(caminho.removeprefix(_HERE).lstrip("."))], arvore)
    codigo = problem.codigo or ""
    if codigo == "valor_incompativel":
        words = DITO_DO_VALOR.get(_operador_at(campo, arvore.escrito), "Escreva um só valor.")
    else:
        words = _OWN_WORDS.get(codigo) or DITO.get(codigo) or plain(problem.mensagem)
    return Erro(campo, words, row_said(campo, arvore.escrito))


def _field_of(steps: Sequence[tuple[str, str]], arvore: _Arvore) -> str:
    """The field of the form for a path of the import, step by step: `vagas[1].cotas[0].id` is `vagas.1.cotas.0.id`."""
    if not steps:
        return REGRAS
    nome, at = steps[0]
    if nome == "corte":
        return _field_of_corte(steps[1:], arvore)
    if nome in _IN_REGRAS:
        return f"{REGRAS}.{nome}"
    if not at:
        return nome
    row = arvore.lugares.get((nome, int(at)), int(at))
    inside = steps[1:]
    if nome == "vagas" and inside and inside[0][0] == COTAS:
        if not inside[0][1]:
            return f"vagas.{row}.total"
        place = arvore.lugares.get((f"vagas.{row}.{COTAS}", int(inside[0][1])), int(inside[0][1]))
        return f"vagas.{row}.{COTAS}.{place}.{_within(inside[1:])}"
    if nome == "desempate" and not inside:
        return f"desempate.{row}"
    return f"{nome}.{row}.{_within(inside)}"


def _within(steps: Sequence[tuple[str, str]]) -> str:
    names = [nome for nome, _ in steps]
    return ".".join(names if names != ["quando"] else ["quando", "campo"]) or "id"


def _field_of_corte(steps: Sequence[tuple[str, str]], arvore: _Arvore) -> str:
    nome, at = steps[0] if steps else ("", "")
    if nome == "zero_elimina" and at and int(at) < len(arvore.zeros):
        return f"cortes.{arvore.zeros[int(at)]}.zero"
    if nome == "por_criterio" and len(steps) > 1:
        codigo = ".".join(step for step, _ in steps[1:])  # an id may have points
        rows = (place for place, row in enumerate(arvore.escrito.cortes) if one(row, "criterio") == codigo)
        return f"cortes.{next(rows, 0)}.minima"
    return f"{REGRAS}.nota_final_minima"


def _operador_at(campo: str, escrito: Escrito) -> str:
    """The operador beside a valor."""
    return dict(escrito.fields()).get(f"{campo.rpartition('.')[0]}.operador", "igual")


def _as_they_were(now: Classificacao, was: Classificacao) -> Classificacao:
    bonus = {fold(one.id): one for one in was.bonus}
    vagas = {fold(one.categoria): one for one in was.vagas}
    ties = [_tie_as_it_was(one, was.desempate[at] if at < len(was.desempate) else None) for at, one in enumerate(now.desempate)]
    return msgspec.structs.replace(
        now,
        divergencia_maxima=_number_as_it_was(now.divergencia_maxima, was.divergencia_maxima),
        escala=_number_as_it_was(now.escala, was.escala),
        corte=_corte_as_it_was(now.corte, was.corte),
        bonus=tuple([_bonus_as_it_was(one, bonus.get(fold(one.id))) for one in now.bonus]),
        bonus_maximo=_number_as_it_was(now.bonus_maximo, was.bonus_maximo),
        desempate=tuple(ties),
        vagas=tuple([_vagas_as_they_were(one, vagas.get(fold(one.categoria))) for one in now.vagas]),
        remanejamento=was.remanejamento if set(now.remanejamento) == set(was.remanejamento) else now.remanejamento,
        semente=_text_as_it_was(now.semente, was.semente),
    )


def _corte_as_it_was(now: Corte, was: Corte) -> Corte:
    return Corte(
        _number_as_it_was(now.nota_final_minima, was.nota_final_minima),
        {codigo: _number_as_it_was(nota, was.por_criterio.get(codigo)) or nota for codigo, nota in now.por_criterio.items()},
        was.zero_elimina if set(now.zero_elimina) == set(was.zero_elimina) else now.zero_elimina,
    )


def _bonus_as_it_was(now: Bonus, was: Bonus | None) -> Bonus:
    if was is None:
        return now
    quando, clausula = _quando_as_it_was(now.quando, was.quando), _text_as_it_was(now.clausula, was.clausula)
    return msgspec.structs.replace(now, quando=quando, clausula=clausula, pontos=_number_as_it_was(now.pontos, was.pontos))


def _vagas_as_they_were(now: Vagas, was: Vagas | None) -> Vagas:
    if was is None:
        return now
    cotas = {fold(one.id): one for one in was.cotas}
    return msgspec.structs.replace(
        now,
        categoria=_text_as_it_was(now.categoria, was.categoria),
        valor=_number_as_it_was(now.valor, was.valor),
        cotas=tuple([_cota_as_it_was(one, cotas.get(fold(one.id))) for one in now.cotas]),
    )


def _cota_as_it_was(now: Cota, was: Cota | None) -> Cota:
    if was is None:
        return now
    return msgspec.structs.replace(
        now, quando=_quando_as_it_was(now.quando, was.quando), clausula=_text_as_it_was(now.clausula, was.clausula)
    )


def _tie_as_it_was(now: Desempate, was: Desempate | None) -> Desempate:
    if isinstance(now, PorCampo) and isinstance(was, PorCampo):
        return msgspec.structs.replace(now, campo=_text_as_it_was(now.campo, was.campo))
    return now


def _quando_as_it_was(now: Condicao, was: Condicao) -> Condicao:
    valor = was.valor if reads_alike(now, was) else now.valor
    return msgspec.structs.replace(now, campo=_text_as_it_was(now.campo, was.campo), valor=valor)


def _text_as_it_was(now: str, was: str) -> str:
    """The text of before where a field of one line shows it alike."""
    return was if bare(now) in {bare(was), bare(was.replace("\n", ""))} else now


def _number_as_it_was(now: Any, was: Decimal | None) -> Any:
    """The number of before where the form shows it alike: it may have more places than are shown."""
    return was if now is not None and was is not None and numero(now) == numero(was) else now
