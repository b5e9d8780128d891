"""What of a regra's observações code could not read, and which decisions it could have changed.

Source: design, "Right, on what customers really send".
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.politicas.codigos import normalize_codigo
from crivo.autorizacoes.politicas.lexico import lexico, says
from crivo.autorizacoes.politicas.observacoes import CODIGO, RESTRICAO_IDADE, SENTENCE_END, fold_text, is_own, read_excecao_idade, spans

NAO_LIDA: Final = "observacao_nao_lida"
Assunto = Literal["alternativa", "idade", "restricao"]


class NaoLida(NamedTuple):
    """A sentence that was not read, and what it seems to be about."""

    assunto: Assunto
    frase: str


def nao_lidas(regra: Regra) -> tuple[NaoLida, ...]:
    """The sentences of a regra's observações that seem to rule something and that nothing read; a gloss of what it states is none."""
    if regra.observacoes is None:
        return ()
    stated = frozenset(campo for campo in lexico().assunto_de if getattr(regra, campo))
    alternativas = frozenset(alternativa.codigo for alternativa in regra.alternativas)
    has_route = any(excecao.motivo == RESTRICAO_IDADE for excecao in regra.excecoes)
    return _of_text(regra.codigo, regra.observacoes, alternativas, stated, has_route)


@lru_cache(maxsize=4096)
def _of_text(codigo: str, observacoes: str, alternativas: frozenset[str], stated: frozenset[str], has_route: bool) -> tuple[NaoLida, ...]:
    folded = fold_text(observacoes)
    found = []
    for start, end in spans(folded, SENTENCE_END):
        assunto = _assunto(codigo, folded[start:end], alternativas, stated, has_route)
        if assunto is not None:
            found.append(NaoLida(assunto, observacoes[start:end].strip()))
    return tuple(found)


def _assunto(codigo: str, sentence: str, alternativas: frozenset[str], stated: frozenset[str], has_route: bool) -> Assunto | None:
    """What an unread sentence is about; None where it was read, or rules nothing."""
    known = lexico()
    codes = {normalize_codigo(match[0]) for match in CODIGO.finditer(sentence)}
    codes = {code for code in codes if not is_own(codigo, code)}
    if codes:
        return None if codes <= alternativas or says(sentence, known.nega_alternativa) else "alternativa"
    if says(sentence, known.idade) and says(sentence, known.auditoria):
        return None if has_route or read_excecao_idade(sentence) else "idade"
    counts = any(char.isdigit() for char in sentence) and says(sentence, known.restringe_com_numero)
    if not counts and not says(sentence, known.restringe):
        return None
    return None if any(says(sentence, known.assunto_de[campo]) for campo in stated) else "restricao"


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
