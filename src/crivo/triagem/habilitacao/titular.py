"""Whose name a document is in. Source: design, Shapes (`em_nome_do_proponente`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rapidfuzz import fuzz

from crivo.kernel.linguagem.dobra import fold, fold_in_place
from crivo.kernel.linguagem.identificadores import CPF_DIGITS, digits_of, find_cnpjs, find_cpfs
from crivo.kernel.linguagem.nomes import folded_name
from crivo.triagem.edital import Proponente

# Papers of a person: an organisation's are those of whoever answers for it.
_OF_A_PERSON: Final = frozenset({"DOCUMENTO_IDENTIDADE", "COMPROVANTE_RESIDENCIA", "CURRICULO"})
_NOT_ALNUM: Final = re.compile(r"[^a-z0-9]+")
_CNPJ_ROOT: Final = 8
_NEAR_AFTER_CHARS: Final = 90
_NEAR_BEFORE_CHARS: Final = 45
_SEPARATOR: Final = re.compile("[,;]")
# As public bodies print a CPF: its middle digits alone.
_MASKED_CPF: Final = re.compile(r"(?<![\d*x])[*x]{3}\.?(\d{3})\.?(\d{3})-?[*x]{2}(?![\d*x])")
_OCR_SLIPS: Final = 93.0  # of 100: "MARlA DA S1LVA" is Maria da Silva read badly
_MAY_BE: Final = 72.0  # of 100, from which a name in an image may be another one or the same read very badly


def belongs_to(texto: str, proponente: Proponente, tipo: str) -> bool:
    """Whether a document's text is in the proponente's name: by CPF or CNPJ, or by the whole name with nobody else's number beside it."""
    cpfs, cnpjs = set(find_cpfs(texto)), set(find_cnpjs(texto))
    names = tuple(_names_of(proponente, tipo))
    for _, own_id in names:
        if own_id in cpfs or any(cnpj[:_CNPJ_ROOT] == own_id[:_CNPJ_ROOT] for cnpj in cnpjs if len(own_id) > CPF_DIGITS):
            return True
    if tipo == "CARTAO_CNPJ" and cnpjs:
        return False  # it is of the CNPJ that it bears, whatever the names in it
    words = folded_name(texto)
    return any(_names(words, texto, name, own_id) for name, own_id in names)


def may_be_named(texto: str, proponente: Proponente, tipo: str) -> bool:
    """Whether a text that was read in an image has something like a name of the proponente's: that is no proof of another's paper."""
    words = folded_name(texto)
    return any(fuzz.partial_ratio(folded_name(name), words) >= _MAY_BE for name, _ in _names_of(proponente, tipo) if name.strip())


def line_that_names(texto: str) -> str:
    """The line that best shows whose document it is: the first with a CPF or CNPJ, else the first that says nome or titular."""
    lines = [line.strip() for line in texto.splitlines() if line.strip()]
    for line in lines:
        if find_cpfs(line) or find_cnpjs(line):
            return line
    for line in lines:
        if re.search(r"\b(nome|titular|razao social|contribuinte|cliente)\b", fold(line)):
            return line
    return lines[0] if lines else ""


def _names_of(proponente: Proponente, tipo: str) -> Iterator[tuple[str, str]]:
    """The names under which a document may be, each with its CPF or CNPJ, empty where it is not declared."""
    yield proponente.nome, _NOT_ALNUM.sub("", proponente.cpf_cnpj.lower()).upper()
    if tipo in _OF_A_PERSON and proponente.responsavel:
        yield proponente.responsavel.nome, digits_of(proponente.responsavel.cpf)


def _names(words: str, texto: str, name: str, own_id: str) -> bool:
    wanted = folded_name(name)
    if len(wanted.split()) < 2:
        return False
    if f" {wanted} " not in f" {words} ":
        return _nearly(words, wanted)
    # A namesake, or an organisation whose name begins alike: the name is there, with another's number beside it.
    plain = fold_in_place(texto)
    found = re.search(r"[\W_]+".join(map(re.escape, wanted.split())), plain)
    return found is None or not _is_numbered_otherwise(plain, found.start(), found.end(), own_id)


def _is_numbered_otherwise(plain: str, start: int, end: int, own_id: str) -> bool:
    """Whether a number of the same kind stands right after a name, or right before it on its line: its own was looked for already.

    A masked CPF is another's where the digits that it shows are.
    """
    line = plain.rfind("\n", 0, start) + 1
    before = _SEPARATOR.split(plain[max(line, start - _NEAR_BEFORE_CHARS) : start])[-1]
    find = find_cnpjs if len(own_id) > CPF_DIGITS else find_cpfs
    for beside in (plain[end : end + _NEAR_AFTER_CHARS], before):
        masked = _MASKED_CPF.search(beside)
        if find(beside) or (masked and len(own_id) == CPF_DIGITS and masked[1] + masked[2] != own_id[3:9]):
            return True
    return False


def _nearly(words: str, wanted: str) -> bool:
    found = fuzz.partial_ratio_alignment(wanted, words, score_cutoff=_OCR_SLIPS)
    if found is None:
        return False
    # The same number of words on both sides: "Ana Souza" is not "Mariana Souza".
    start, end = words.rfind(" ", 0, found.dest_start + 1) + 1, words.find(" ", max(found.dest_end - 1, 0))
    window = words[start : end if end >= 0 else len(words)]
    return fuzz.ratio(window, wanted) >= _OCR_SLIPS
