"""Documents, sources and laws that a text names. Fault `documento` where one is no input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from crivo.autorizacoes.palavras import documentos_conhecidos
from crivo.autorizacoes.redacao.fatos import Fatos, stem, stems
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.frases import Span

_TYPE: Final = re.compile(r"(?<![\w])[A-Z]{3,}(?:_[A-Z0-9]+)+(?!\w)")
# Sources are known by their capitals, which folding loses.
_CAPITAL: Final = r"[A-ZÀ-Ý][\wÀ-ÿ]*"
_SOURCE: Final = re.compile(
    r"(?<!\w)(?P<name>(?:Manual|Guia|Regulamento|Cartilha|Tabela|Diretriz(?:es)?|Regimento|Norma|Política|Protocolo|Rol|Caderno|Contrato|"
    r"Instrução|Circular|Catálogo|Comunicado|Calendário|Campanha)"
    rf"(?:\s+(?:d[aeo]s?|[Nn]acional|{_CAPITAL}))*\s+(?:{_CAPITAL}|n[.ºo°]+\s*\d+)"
    r"|(?:Código|Acordo|Convenção|Consenso|Estatuto|Portaria|Termo de Adesão|Condições Gerais|Lista|Regras?)"
    rf"\s+(?:d[aeo]s?\s+)+{_CAPITAL}(?:\s+{_CAPITAL})*"
    r"|(?<!análise )(?<!analise )(?:manual|cartilha|regimento|caderno|circular)\s+d[aeo]s?\s+\w+"
    r"|(?:tabela|norma|regra|diretriz|protocolo)s?\s+d[aeo]s?\s+[A-ZÀ-Ý]{2,})"
)
_QUOTED: Final = re.compile(r"documento\s+[“\"«](?P<name>[^”\"»\n]{3,80})[”\"»]")
_NAMED: Final = re.compile(rf"(?<!\w)(?P<name>[A-ZÀ-Ý][a-zà-ÿ]+(?:\s+(?:d[aeo]s?\s+)?{_CAPITAL})+)")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|(?<!\w)[\w-]+\.(?:com|gov|org|net)(?:\.br)?(?!\w)")
_BEFORE_A_LAW: Final = re.compile(r"^(?:a|o|na|no|da|pela|pelo|por)\s+(?=\w+\s)")
_VERSION: Final = re.compile(r"(?<!\w)(?:versao|v\.|edicao)\s*(?P<version>\d[\w.]*\w|\d)(?!\w)")
_GLOSS: Final = re.compile(r"\s*[,(–-]\s*")  # what parts a document from what it is
_GOES_ON: Final = re.compile(r"[^.;:!?]{0,40}?\se\s+(?:um|uma|o|a|os|as)\s")
_QUALIFIERS: Final = 3  # at most, after what a document is
_POSSESSIVE: Final = frozenset({"seu", "sua"})
_BEFORE: Final = 90  # letters before a document in which another of its list stands
_NO_DOCUMENTS: Final = frozenset(stem(word) for word in LEXICO["alheios_a_documentos"])
_SAME: Final = tuple(frozenset(group.split()) for group in LEXICO["documentos_iguais"])


class Mencao(msgspec.Struct, frozen=True):
    """A document named in a text, and the types of the inputs that it may be."""

    start: int
    end: int
    tipos: frozenset[str]


def find_documentos(pagina: Pagina, folded: str, fatos: Fatos) -> tuple[Mencao, ...]:
    """Every document named, by its type or in words, with the types it fits."""
    found = [
        Mencao(*match.span(), frozenset({match.group()} & fatos.documentos.keys()))
        for match in _TYPE.finditer(pagina.text)
        if _is_tipo(match.group(), fatos)
    ]
    for match in LEXICO.find("documento", folded):
        start, end = match.start(), _qualified(folded, match.end())
        words = [word for word in stems(folded[start:end]) if word not in _POSSESSIVE] or [match.group()]
        found.append(Mencao(start, end, _fitting(words, fatos)))
    for match in LEXICO.find("documento_se_pedido", folded):
        if not any(mencao.start == match.start() for mencao in found) and _is_new(pagina, folded, match.start()):
            found.append(Mencao(*match.span(), _fitting([next(stems(match.group()), "")], fatos)))
    found += _listed(folded, fatos, tuple(found))
    for tipo in {*fatos.documentos, *documentos_conhecidos()}:
        found += [
            Mencao(*span, frozenset({tipo} & fatos.documentos.keys()))
            for span in pagina.places(_name(tipo))
            if folded[slice(*span)].strip() and (tipo in fatos.documentos or _may_be_no_procedure(pagina, folded, span))
        ]
    return _with_glosses(folded, tuple(sorted(found, key=lambda mencao: (mencao.start, -mencao.end))))


def _with_glosses(folded: str, mencoes: tuple[Mencao, ...]) -> tuple[Mencao, ...]:
    """What right after a document says what it is, is that document: "a gasometria, que é um exame de sangue".

    Only of a document that we have no words of our own for.
    """
    told: list[Mencao] = []
    for mencao in mencoes:
        named = max((other for other in told if other.tipos and other.end <= mencao.start), key=lambda other: other.end, default=None)
        if not mencao.tipos and named and not named.tipos & documentos_conhecidos().keys():
            gloss = _GLOSS.match(folded, named.end, mencao.start)
            says = gloss and LEXICO.begins("e_glosa", folded, gloss.end())
            if says and (" " in says.group().strip() or _closes(folded, mencao.end)):
                mencao = msgspec.structs.replace(mencao, tipos=named.tipos)
        told.append(mencao)
    return tuple(told)


def _closes(folded: str, end: int) -> bool:
    """Whether nothing more is listed: the sentence ends, or goes on of the same thing."""
    return _GOES_ON.match(folded, end) is None


def _is_tipo(word: str, fatos: Fatos) -> bool:
    known = word in fatos.documentos or word in documentos_conhecidos()
    return known or LEXICO.begins("documento", fold_letters(word.replace("_", " "))) is not None


def _qualified(folded: str, end: int) -> int:
    """Where a document's name ends, with what says whose or of what it is."""
    for _ in range(_QUALIFIERS):
        match = LEXICO.begins("qualifica_documento", folded, end, past=",")
        if match is None:
            break
        end = match.end()
    return end


def _fitting(words: list[str], fatos: Fatos) -> frozenset[str]:
    return frozenset(tipo for tipo, known in fatos.documentos.items() if all(_among(word, known) for word in words))


def _is_new(pagina: Pagina, folded: str, place: int) -> bool:
    """Whether it is asked for, and not pointed at: "leve esta lista"."""
    return _is_asked_for(pagina, folded, place) and not LEXICO.ends("ja_apresentado", folded[:place])


def _is_asked_for(pagina: Pagina, folded: str, place: int) -> bool:
    return LEXICO.has("pede_documento", folded[pagina.sentence_at(place)[0] : place])


def _listed(folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Mencao]:
    """What is named in one breath with a document, where it is nothing else that a decision speaks of."""
    for mencao in mencoes:
        after = LEXICO.begins("na_mesma_lista", folded, mencao.end, past=",")
        before = folded[max(0, mencao.start - _BEFORE) : mencao.start]
        listed = next(LEXICO.find("na_lista_antes", before), None) if LEXICO.ends("na_lista_antes", before) else None
        last = folded[: after.end()].split()[-1] if after else ""
        heads = [(after.end() - len(last), last)] if after else []
        if listed:
            verb, noun = LEXICO.begins("pede_um", before, listed.start()), None
            noun = before[verb.end() :].split()[0] if verb else ""
            heads.append((mencao.start - len(before) + before.index(noun, listed.start()), noun))
        for start, head in heads:
            if len(head) > 4 and head.isalpha() and stem(head) not in _NO_DOCUMENTS and not _among(stem(head), fatos.palavras):
                yield Mencao(start, start + len(head), _fitting([stem(head)], fatos))


def check_documentos(pagina: Pagina, folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """The documents that are no input."""
    for mencao in mencoes:
        within = any(other.tipos and other.start <= mencao.start and mencao.end <= other.end for other in mencoes)
        left = folded[mencao.start : mencao.end].strip()
        words = [*stems(left)] or ([left] if left else [])  # nothing is left of a quotation, and a name as short as RG has no stem
        if not mencao.tipos and not within and not all(_among(word, fatos.palavras) for word in words):
            told = "este documento não está entre os do pedido nem os da regra"
            yield Achado("documento", pagina.quote((mencao.start, mencao.end)), told)


def find_fontes(pagina: Pagina, folded: str, fatos: Fatos) -> tuple[tuple[Span, bool], ...]:
    """Sources, laws, versions and addresses: where each stands, and whether it is an input; `folded` is without the decision's own."""
    laws = [(match.start(), (LEXICO.begins("numero_da_lei", folded, match.end()) or match).end()) for match in LEXICO.find("lei", folded)]
    laws += [match.span() for match in _ADDRESS.finditer(folded)]
    found = [((start, end), _is_repeated(folded[start:end], fatos)) for start, end in laws]
    for pattern in (_SOURCE, _QUOTED, _NAMED):
        for match in pattern.finditer(pagina.text):
            start, end = match.span("name")
            if pattern is _NAMED and not LEXICO.ends("cita", pagina.folded[:start]):
                continue
            named = fold_letters(match["name"])
            free = folded[start : start + 4].strip() and folded[end - 4 : end].strip() and not LEXICO.begins("tabela_de_codigos", named)
            of_pedido = any(all(_among(word, known) for word in stems(named)) for known in fatos.documentos.values())
            if free and not of_pedido:
                found.append(((start, end), _is_repeated(named, fatos)))
    versao = fatos.fonte.versao.lower() if fatos.fonte else None
    found += [(match.span(), match["version"] == versao) for match in _VERSION.finditer(folded)]
    return tuple(found)


def check_fontes(pagina: Pagina, fontes: tuple[tuple[Span, bool], ...]) -> Iterator[Achado]:
    """The sources, laws and versions that are no input."""
    for span, known in fontes:
        if not known:
            yield Achado("documento", pagina.quote(span), "esta fonte não é a da decisão")


def _name(tipo: str) -> str:
    known = documentos_conhecidos().get(tipo)
    return known.nome if known else tipo.replace("_", " ")


def _may_be_no_procedure(pagina: Pagina, folded: str, span: Span) -> bool:
    """Whether a name is a document's for sure; an exam is one only where the sentence asks for it."""
    return not folded.startswith("exame", span[0]) or _is_asked_for(pagina, folded, span[0])


def _is_repeated(folded: str, fatos: Fatos) -> bool:
    told = _BEFORE_A_LAW.sub("", folded.strip())
    return any(told in text for text in fatos.textos)


def _among(word: str, known: frozenset[str]) -> bool:
    """Whether a stem, or one that means the same, is known; any specialist is a physician."""
    if word in known or stem(word) in known:
        return True
    specialist = LEXICO.begins("especialista", word)
    if specialist and known & {"medico", "medica"} and not any(LEXICO.begins("especialista", other) for other in known):
        return True
    return any(word in same and same & known for same in _SAME)
