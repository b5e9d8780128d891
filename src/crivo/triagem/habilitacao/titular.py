"""Whose name a document is in. Source: design, Shapes (`em_nome_do_proponente`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rapidfuzz import fuzz

from crivo.kernel.text.folding import fold
from crivo.triagem.documentos.identificadores import find_cnpjs, find_cpfs
from crivo.triagem.edital import Proponente, TipoDocumento

# Papers of a person: an organisation's are those of whoever answers for it.
_OF_A_PERSON: Final = frozenset({"DOCUMENTO_IDENTIDADE", "COMPROVANTE_RESIDENCIA", "CURRICULO"})
_NOT_ALNUM: Final = re.compile(r"[^a-z0-9]+")
_CNPJ_ROOT: Final = 8
_CPF_NEAR_CHARS: Final = 90
_OCR_SLIPS: Final = 93.0  # of 100: "MARlA DA S1LVA" is Maria da Silva read badly


def belongs_to(texto: str, proponente: Proponente, tipo: TipoDocumento) -> bool:
    """Whether a document's text is in the proponente's name: by CPF or CNPJ, or by the whole name with nobody else's CPF beside it."""
    cpfs, cnpjs = set(find_cpfs(texto)), set(find_cnpjs(texto))
    for own_id in _ids_of(proponente, tipo):
        if own_id in cpfs or any(cnpj[:_CNPJ_ROOT] == own_id[:_CNPJ_ROOT] for cnpj in cnpjs if len(own_id) > 11):
            return True
    words = _words(texto)
    return any(_names(words, texto, name, cpfs) for name in _names_of(proponente, tipo))


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


def _ids_of(proponente: Proponente, tipo: TipoDocumento) -> Iterator[str]:
    own = re.sub(r"\W", "", proponente.cpf_cnpj).upper()
    if own:
        yield own
    if tipo in _OF_A_PERSON and proponente.responsavel and proponente.responsavel.cpf:
        yield re.sub(r"\D", "", proponente.responsavel.cpf)


def _names_of(proponente: Proponente, tipo: TipoDocumento) -> Iterator[str]:
    yield proponente.nome
    if tipo in _OF_A_PERSON and proponente.responsavel and proponente.responsavel.nome:
        yield proponente.responsavel.nome


def _names(words: str, texto: str, name: str, cpfs: set[str]) -> bool:
    wanted = _words(name)
    if len(wanted.split()) < 2:
        return False
    at = f" {words} ".find(f" {wanted} ")
    if at < 0:
        return _nearly(words, wanted)
    if not cpfs:
        return True
    # A namesake: the name is there, with another person's CPF right after it.
    found = re.search(r"\W+".join(map(re.escape, wanted.split())), fold(texto))
    after = fold(texto)[found.end() : found.end() + _CPF_NEAR_CHARS] if found else ""
    return not find_cpfs(after)


def _nearly(words: str, wanted: str) -> bool:
    found = fuzz.partial_ratio_alignment(wanted, words, score_cutoff=_OCR_SLIPS)
    if found is None:
        return False
    # The same number of words on both sides: "Ana Souza" is not "Mariana Souza".
    start, end = words.rfind(" ", 0, found.dest_start + 1) + 1, words.find(" ", max(found.dest_end - 1, 0))
    window = words[start : end if end >= 0 else len(words)]
    return fuzz.ratio(window, wanted) >= _OCR_SLIPS


def _words(text: str) -> str:
    return _NOT_ALNUM.sub(" ", fold(text)).strip()
