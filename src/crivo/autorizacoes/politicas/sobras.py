"""What of a regra's observações code could not read, and which decisions it could have changed.

Source: design, "Right, on what customers really send".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from crivo.autorizacoes.contracts import Limite, Regra, RestricoesIdade
from crivo.autorizacoes.motivos import IDADE
from crivo.autorizacoes.politicas.codigos import normalize_codigo
from crivo.autorizacoes.politicas.decisivas import decides, has_unread_matter, leaves_open
from crivo.autorizacoes.politicas.lexico import lexico
from crivo.autorizacoes.politicas.observacoes import CODIGO, SENTENCE_END, is_own, read_excecao_idade
from crivo.kernel.linguagem.dobra import fold_in_place
from crivo.kernel.linguagem.frases import cut
from crivo.kernel.linguagem.lexico import says

NAO_LIDA: Final = "observacao_nao_lida"
Assunto = Literal["alternativa", "idade", "restricao"]
Stated = frozenset[tuple[str, frozenset[int]]]
# `1.500,00` is one number.
_NUMBER: Final = re.compile(r"\d{1,3}(?:\.\d{3})+(?!\d)|\d{1,9}")
_DAYS_A_MONTH: Final = 30


class NaoLida(NamedTuple):
    """A sentence that was not read, and what it seems to be about."""

    assunto: Assunto
    frase: str


def nao_lidas(regra: Regra) -> tuple[NaoLida, ...]:
    """The sentences of a regra's observações that seem to rule something and that nothing read; a gloss of what it states is none."""
    if regra.observacoes is None:
        return ()
    stated = frozenset((campo, _numbers(valor)) for campo in lexico().assunto_de if (valor := _stated(regra, campo)))
    alternativas = frozenset(alternativa.codigo for alternativa in regra.alternativas)
    has_route = any(excecao.motivo == IDADE for excecao in regra.excecoes)
    is_covered = regra.cobertura != "NAO_COBERTA"
    return _of_text(regra.codigo, regra.observacoes, alternativas, stated, has_route=has_route, is_covered=is_covered)


def _stated(regra: Regra, campo: str) -> object:
    """What the regra states of a field; of `field.value` only where that is its value."""
    nome, _, valor = campo.partition(".")
    stated = getattr(regra, nome)
    return stated if not valor or stated == valor else None


@lru_cache(maxsize=4096)
def _of_text(
    codigo: str, observacoes: str, alternativas: frozenset[str], stated: Stated, *, has_route: bool, is_covered: bool
) -> tuple[NaoLida, ...]:
    folded = fold_in_place(observacoes)
    found = []
    for start, end in cut(folded, SENTENCE_END):
        assunto = _assunto(codigo, folded[start:end], alternativas, stated, has_route=has_route, is_covered=is_covered)
        if assunto is not None:
            found.append(NaoLida(assunto, observacoes[start:end].strip()))
    return tuple(found)


def _assunto(
    codigo: str, sentence: str, alternativas: frozenset[str], stated: Stated, *, has_route: bool, is_covered: bool
) -> Assunto | None:
    """What an unread sentence is about; None where it was read, rules nothing, or says no more than the regra states."""
    known = lexico()
    codes = {normalize_codigo(match[0]) for match in CODIGO.finditer(sentence)}
    codes = {code for code in codes if not is_own(codigo, code)}
    if codes:
        return None if codes <= alternativas or says(sentence, known.nega_alternativa) else "alternativa"
    if says(sentence, known.idade) and says(sentence, known.auditoria):
        return None if has_route or read_excecao_idade(sentence) else "idade"
    fields = frozenset(campo for campo, _ in stated)
    if leaves_open(sentence, fields):
        return None
    if has_unread_matter(sentence, fields, is_covered=is_covered):
        return "restricao"
    counts = any(char.isdigit() for char in sentence) and says(sentence, known.restringe_com_numero)
    if not counts and not says(sentence, known.restringe) and not decides(sentence):
        return None
    told = [numbers for campo, numbers in stated if says(sentence, known.assunto_de[campo])]
    said = {int(match[0].replace(".", "")) for match in _NUMBER.finditer(sentence) if not _is_cents(sentence, match)}
    return None if told and said <= frozenset[int]().union(*told) else "restricao"


def _is_cents(sentence: str, match: re.Match[str]) -> bool:
    """Whether a number is the `00` of `1.500,00`."""
    return match[0] == "00" and sentence[match.start() - 1 : match.start()] == ","


def _numbers(value: object) -> frozenset[int]:
    """The numbers by which a gloss may tell a value of a regra; of days also the months."""
    if isinstance(value, RestricoesIdade):
        return _numbers(value.min) | _numbers(value.max)
    if isinstance(value, tuple):
        return frozenset[int]().union(*[_numbers(one.quantidade) | _numbers(one.periodo_dias) for one in value if isinstance(one, Limite)])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return frozenset()
    return frozenset({int(value), int(value) // _DAYS_A_MONTH}) if value == int(value) else frozenset()


def could_change(regra: Regra, idade: int | None) -> bool:
    """Whether what was not read could have changed the decision that the regra gives to somebody of that age."""
    assuntos = {lida.assunto for lida in nao_lidas(regra)}
    if not assuntos:
        return False
    if regra.cobertura == "NAO_COBERTA":
        return "alternativa" in assuntos and not regra.alternativas
    faixa = regra.restricoes_idade
    outside = (
        faixa is not None
        and idade is not None
        and ((faixa.min is not None and idade < faixa.min) or (faixa.max is not None and idade > faixa.max))
    )
    return "restricao" in assuntos or ("idade" in assuntos and outside)
