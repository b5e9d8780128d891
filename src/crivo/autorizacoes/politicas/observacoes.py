"""What the free text of a regra names plainly: a code that may stand in for it, and the audit route for an age outside its bounds.

It would rather miss one than invent one: a code counts only right after words that offer it, in a clause that denies nothing.
"""

from __future__ import annotations

import re
from typing import Final

from crivo.autorizacoes.contracts import Alternativa, Excecao
from crivo.autorizacoes.motivos import IDADE
from crivo.autorizacoes.politicas.codigos import CURINGA, normalize_codigo
from crivo.autorizacoes.politicas.lexico import lexico
from crivo.kernel.linguagem.dobra import fold_in_place
from crivo.kernel.linguagem.frases import cut
from crivo.kernel.linguagem.lexico import says, words


def _any(*palavras: str) -> str:
    return f"(?:{'|'.join(palavras)})"


# All patterns read the text folded: lower case, no accents, and as long as the original, so that positions agree.
_CODE: Final = r"(?<![\w.,/-])(?:[0-9]{8}|[0-9]{7}-[0-9]|[0-9]\.[0-9]{2}\.[0-9]{2}\.[0-9]{2}-?[0-9])(?![\w*]|[.,/-][0-9])"
CODIGO: Final = re.compile(_CODE)
# A semicolon between codes goes on with the list, and the point of `cód.` ends nothing.
_CLAUSE_END: Final = re.compile(rf";(?!\s*{_CODE})|[\n\r?!]|(?<!\bcod)\.(?=\s|$)")
SENTENCE_END: Final = re.compile(r"[\n\r?!]|\.(?=\s|$)")

_COVERED: Final = _any("cobert[oa]s?", "com cobertura")
_ASKING: Final = _any("utilizar", "utilize", "usar", "use", "solicitar", "solicite", "pedir", "considerar", "autorizar")
_LIKE: Final = _any("similar(?:es)?", "equivalentes?")
_KINDS: Final = _any(
    "terapeutic[oa]s?", "diagnostic[oa]s?", "disponive(?:l|is)", "sugerid[oa]s?", "recomendad[oa]s?", "indicad[oa]s?", "previst[oa]s?"
)
_NOUNS: Final = _any("e", "o", "os", "codigos?", "cod", "procedimentos?", "exames?", "tuss", "n", "no", "numero")
# `alternativa ao código X` says the opposite of `alternativa: X`, so no preposition may come between.
_FILLER: Final = rf"(?:[\s:,=(\"'–—-]|\b{_any(_NOUNS, _COVERED, _LIKE, _KINDS, _ASKING)}\b\.?)*"
_INSTEAD: Final = _any("em seu lugar", "em sua substituicao", "em substituicao", "em vez dest[ea]", "em lugar dest[ea]", "no seu lugar")
_REPLACED: Final = _any("ir", "id[oa]s?", "ive(?:l|is)", "icao")
_THIS: Final = _any("este", "esse", "o procedimento", "o exame", "o codigo")
_OFFERING: Final = _any(
    r"\balternativ[oa]s?\b",
    rf"\b{_LIKE} {_COVERED}\b",
    rf"\bsubstitu{_REPLACED}(?: {_THIS})? (?:por|pel[oa])\b",
    rf"\b{_INSTEAD},? (?:deve-se |pode-se )?{_ASKING}\b",
)
_OFFER: Final = re.compile(rf"{_OFFERING}{_FILLER}(?P<codigo>{_CODE})")
_THE_CODE: Final = rf"(?:o codigo |codigo |o )?(?P<codigo>{_CODE})"
# A further code is offered too only where nothing is said of it: `; 40304388 exige laudo` is another matter.
_NEXT_CODE: Final = re.compile(rf"\s*(?:[,;/]|\bou\b|\be\b)\s*{_THE_CODE}(?=\s*(?:$|[,;/:(–—-]|\b(?:ou|e)\b))")
_DESCRICAO_END: Final = rf"(?=\s*(?:$|[,;(]|\b(?:ou|e)\s+{_THE_CODE}))"
_DESCRICAO: Final = re.compile(rf"\s*(?:[–—:-]\s*(?P<livre>[^,;(]{{1,200}}?)|\((?P<entre>[^)]{{1,200}})\)){_DESCRICAO_END}")

_LOSES_COVER: Final = re.compile(r"\bnao (?:(?:e|esta|tem|possui|ha) )?(?:cobert[oa]s?|cobertura)\b|\bsem cobertura\b")
# `sem` by itself denies nothing: `tomografia sem contraste`.
_WITHOUT_ANY: Final = rf"sem {_any('cobertura', 'alternativa', 'substitut[oa]', 'equivalente', 'similar')}"
_DENIED: Final = (
    *("nao", "nem", "nunca", "jamais", "exceto", "salvo", "menos", "excluindo", "inexistente", "deixou", "deixa", _WITHOUT_ANY),
    *("vedad[oa]s?", "proibid[oa]s?", "excluid[oa]s?", "revogad[oa]s?", "cancelad[oa]s?", "incompative(?:l|is)"),
)
_DENIAL: Final = re.compile(rf"\b{_any(*_DENIED)}\b")

_AGES: Final = _any("faixa etaria", "faixa de idade", "idades?", "etari[oa]s?", "m(?:en|ai)or(?:es)? de [0-9]+", "[0-9]+ anos")
_IDADE: Final = re.compile(rf"\b{_AGES}\b")
_EXAMINED: Final = r"(?:analise|avaliacao|parecer) (?:tecnic[oa]|clinic[oa]|medic[oa]|individual)"
_AUDITORIA: Final = _any("auditoria", "junta medica", "pericia medica", _EXAMINED)
_SENDING: Final = _any("encaminh", "submet", "envi", "remet", "direcion", "solicit")
_DEPENDING: Final = _any("sujeit", "exig", "requer", "mediante", "via", "por meio", "depende", "passa", "analisad", "avaliad")
_VIA: Final = re.compile(rf"\b{_any(_SENDING, _DEPENDING)}\w*\b[^.;]{{0,60}}?\b{_AUDITORIA}\b")
_ORDER: Final = re.compile(rf"\b{_SENDING}(?:ar|er|ir|e)\b")
_OUTSIDE: Final = re.compile(r"\bnao (?:atend\w+|previst[oa]s?|compreendid[oa]s?|enquadrad[oa]s?|cobert[oa]s?)\b")
_WITHOUT_ROUTE: Final = r"sem (?:necessidade|possibilidade|excec\w+|auditoria|encaminh\w+)"
_NO_ROUTE: Final = re.compile(
    rf"\b{_any('nao', 'nem', 'nunca', 'jamais', 'vedad[oa]s?', 'proibid[oa]s?', 'dispensa', 'independe', _WITHOUT_ROUTE)}"
)


def read_alternativas(codigo: str, observacoes: str) -> tuple[Alternativa, ...]:
    """The codes that the text offers in place of `codigo` (normalised; a prefix keeps its `*`), each once, in the text's order.

    Source: PRD RF5 5.2, "código alternativo similar coberto conforme observacoes".
    """
    found: dict[str, Alternativa] = {}
    folded = fold_in_place(observacoes)
    for start, end in cut(folded, _CLAUSE_END):
        offered = _offered(codigo, folded[start:end], observacoes[start:end])
        for alternativa in offered or _told_plainly(codigo, folded[start:end], folded[:end]):
            found.setdefault(alternativa.codigo, alternativa)
    return tuple(found.values())


def read_excecao_idade(observacoes: str) -> Excecao | None:
    """The audit route that the text gives for an age outside the bounds, None where it gives none.

    Source: PRD RF5 5.2, "alternativa descrita em observacoes (ex.: via auditoria clínica)".
    """
    folded = fold_in_place(observacoes)
    for start, end in cut(folded, SENTENCE_END):
        sentence = folded[start:end]
        by_pattern = _IDADE.search(sentence) and _VIA.search(sentence) and not _NO_ROUTE.search(_OUTSIDE.sub("", sentence))
        if by_pattern or _routes_plainly(sentence):
            order = _ORDER.search(sentence)
            instrucao = observacoes[start + order.start() if order else start : end].strip(" \t,;:–—-")
            return Excecao(IDADE, f"{instrucao[:1].upper()}{instrucao[1:]}.")
    return None


def _told_plainly(codigo: str, clause: str, until_here: str) -> list[Alternativa]:
    """The one code of a clause, where words right beside it offer it: before it, after it, or an order said to be instead."""
    known = lexico()
    others = [match for match in CODIGO.finditer(clause) if not is_own(codigo, normalize_codigo(match[0]))]
    if len(others) != 1 or _DENIAL.search(_LOSES_COVER.sub("", clause)):
        return []
    before = words(clause[: others[0].start()])
    while before and before[-1] in known.entre:
        before.pop()
    after = words(clause[others[0].end() :])
    ends = " " + " ".join(before)
    starts = " ".join(after) + " "
    ordered = any(ends.endswith(f" {verb}") for verb in known.pede_o_codigo) and says(until_here, known.em_vez)
    offered = any(ends.endswith(f" {phrase}") for phrase in known.antes_do_codigo)
    told = any(starts.startswith(f"{phrase} ") for phrase in known.depois_do_codigo)
    return [Alternativa(normalize_codigo(others[0][0]))] if ordered or offered or told else []


def _routes_plainly(sentence: str) -> bool:
    """Whether a sentence about age says that an audit decides, in words of the lexicon."""
    known = lexico()
    if not says(sentence, known.idade) or says(sentence, known.nega_via):
        return False
    text = f" {' '.join(words(sentence))} "
    if any(f" {leva} {orgao} " in text for leva in known.leva_a_auditoria for orgao in known.auditoria):
        return True
    decides = any(f" {orgao} {faz} " in text for orgao in known.auditoria for faz in known.auditoria_faz)
    # `Menores de 18 anos: auditoria clínica`
    _, colon, rest = sentence.partition(":")
    return decides or (bool(colon) and " ".join(words(rest)).startswith(known.auditoria))


def _offered(codigo: str, folded: str, original: str) -> list[Alternativa]:
    offer = _OFFER.search(folded)
    if offer is None:
        return []
    before, after = folded[: offer.start()], folded[offer.start() :]
    if _DENIAL.search(_LOSES_COVER.sub("", before)) or _DENIAL.search(after):
        return []
    # A clause that has spoken of another code may well be about that one.
    if any(not is_own(codigo, normalize_codigo(match[0])) for match in CODIGO.finditer(before)):
        return []
    found: list[Alternativa] = []
    match: re.Match[str] | None = offer
    while match is not None:
        descricao, end = _descricao(folded, original, match.end())
        outra = normalize_codigo(match["codigo"])
        if outra != codigo:
            found.append(Alternativa(outra, descricao))
        match = _NEXT_CODE.match(folded, end)
    return found


def _descricao(folded: str, original: str, at: int) -> tuple[str | None, int]:
    match = _DESCRICAO.match(folded, at)
    if match is None:
        return None, at
    group = "livre" if match["livre"] is not None else "entre"
    return original[match.start(group) : match.end(group)].strip() or None, match.end()


def is_own(codigo: str, other: str) -> bool:
    """Whether a code is the one that a regra is about, or under its prefix; a regra about all codes is about none of its own."""
    return len(codigo) > 1 and other.startswith(codigo[:-1]) if codigo.endswith(CURINGA) else other == codigo
