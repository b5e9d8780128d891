"""Text that speaks to whoever grades: orders to ignore instructions, to give the top nota, to approve, in Portuguese, English and Spanish.

Patterns and the honest uses that look like them are data (`instrucoes.json`). Source: design, Hidden or instructing text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain
from typing import Final

import msgspec

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.documentos.disfarces import Plain, Undresser, decoded
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Projeto, Value

_ENOUGH: Final = 2
_CLOSE: Final = 80  # letters within which two weak signs make a strong one
_AROUND: Final = 160  # letters looked at before and after a sign
_LONGEST_PASSAGE: Final = 400
_MOST_PASSAGES: Final = 10
_QUOTES: Final = re.compile("[\"“«‘']([^\"”»’']{3,400})[\"”»’']")
_SENTENCE_END: Final = re.compile(r"[.!?;](?:\s|$)")
_SENTENCE_BREAK: Final = re.compile(r"[.!?](?:\s|$)")  # what is said after a semicolon is said of the same matter
_BLANK: Final = r"[^\w.!?]+"  # between words of one sentence
_NO_BLANK: Final = r"\W*"  # where letters were set apart, and blanks between words are lost
_LETTERS_A_WORD: Final = 7
_CONTROL: Final = re.compile(r"\{(\w+)\}|~(\d)~| ")


class _Padrao(Value, frozen=True):
    nome: str
    forma: str
    forca: int
    salvo: tuple[str, ...] = ()
    cru: bool = False


class _Conjunto(Value, frozen=True):
    """Roles that make a sign where one sentence plays them all, in whatever order; the first is where the sign stands."""

    nome: str
    papeis: tuple[str, ...]
    forca: int
    salvo: tuple[str, ...] = ()


_Match = tuple[_Padrao | _Conjunto, re.Match[str]]


class _Lexico(Value, frozen=True):
    sobre: str
    classes: Mapping[str, tuple[str, ...]]
    padroes: tuple[_Padrao, ...]
    salvos: Mapping[str, str]
    homoglifos: Mapping[str, str]
    marcas: tuple[str, ...]
    conjuntos: tuple[_Conjunto, ...] = ()


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern as it is looked for in text with blanks between words, and in text without."""

    padrao: _Padrao
    loose: re.Pattern[str]
    tight: re.Pattern[str]


class Instrucao(Value, frozen=True):
    """A passage that speaks to whoever grades, where it stands in the text, and by what signs it was known."""

    inicio: int
    fim: int
    sinais: tuple[str, ...]


class _Sign(Value, frozen=True):
    start: int
    end: int
    strength: int
    name: str


def find_texto_instrucional(lidos: Sequence[ProjetoLido]) -> tuple[Irregularidade, ...]:
    """The documents and fields in which somebody speaks to whoever grades: one sign for each, with the passages."""
    return tuple(sign for lido in lidos for sign in (*_in_fields(lido.projeto), *_in_documents(lido)))


def find_instrucoes(texto: str, *, oculto: bool = False) -> tuple[Instrucao, ...]:
    """The passages of a text that speak to whoever grades. Where it is `oculto`, quoting excuses nothing: nobody hides a quotation."""
    seen, unseen = split_unseen(texto)
    signs = list(_signs(texto, oculto))
    for said, (start, end) in decoded(seen):
        signs += (_Sign(start, end, sign.strength, sign.name) for sign in _signs(said, hidden=True))
    if unseen and any(find_instrucoes(said, oculto=True) for said in unseen):
        signs.append(_Sign(0, len(texto), _ENOUGH, "escrito sem largura"))
    return tuple(_together(sorted(signs, key=lambda sign: (sign.start, sign.end))))


def passage(texto: str, instrucao: Instrucao) -> str:
    """The passage, verbatim, with the sentence around it as far as it fits."""
    start = max((match.end() for match in _SENTENCE_END.finditer(texto, max(0, instrucao.inicio - _AROUND), instrucao.inicio)), default=-1)
    if start < 0:
        start = max(0, instrucao.inicio - _AROUND)
    end = _SENTENCE_END.search(texto, instrucao.fim)
    stop = min(end.start() + 1 if end else len(texto), instrucao.fim + _AROUND)
    return texto[start:stop].strip()[:_LONGEST_PASSAGE]


def fields_of(projeto: Projeto) -> Iterator[tuple[str, str]]:
    """The texts that a project itself declares, by the name of the field."""
    yield from (("titulo", projeto.titulo), ("resumo", projeto.resumo), ("descricao_tecnica", projeto.descricao_tecnica))
    yield from (("orcamento_itens", item.descricao) for item in projeto.orcamento_itens)
    yield from (("cronograma_etapas", etapa.nome) for etapa in projeto.cronograma_etapas)
    yield from ((campo, valor) for campo, valor in projeto.campos.items() if isinstance(valor, str))


def _in_fields(projeto: Projeto) -> Iterator[Irregularidade]:
    found: dict[str, list[Evidencia]] = {}
    for campo, texto in fields_of(projeto):
        for instrucao in find_instrucoes(texto):
            found.setdefault(campo, []).append(Evidencia(trecho=passage(texto, instrucao), projeto=projeto.id, campo=campo))
    for campo, evidencia in found.items():
        yield _told(projeto.id, evidencia, "Um campo do projeto", campo=campo)


def _in_documents(lido: ProjetoLido) -> Iterator[Irregularidade]:
    for documento in lido.documentos:
        texts: list[tuple[str, int | None, bool]] = [(pagina.texto, pagina.numero, False) for pagina in documento.paginas]
        texts += [(trecho.texto, trecho.pagina, True) for trecho in documento.ocultos]
        evidencia = [
            Evidencia(arquivo=documento.arquivo, pagina=numero, trecho=passage(texto, instrucao), projeto=lido.projeto.id)
            for texto, numero, hidden in texts
            for instrucao in find_instrucoes(texto, oculto=hidden)
        ]
        if evidencia:
            yield _told(lido.projeto.id, evidencia, "Um documento do projeto", arquivo=documento.arquivo)


def _told(
    projeto_id: str, evidencia: list[Evidencia], where: str, *, arquivo: str | None = None, campo: str | None = None
) -> Irregularidade:
    return Irregularidade(
        tipo="texto_instrucional",
        projetos=(projeto_id,),
        arquivo=arquivo,
        campo=campo,
        evidencia=tuple(evidencia[:_MOST_PASSAGES]),
        achado=f"{where} traz texto que parece dirigido a quem avalia, para mudar a nota ou o parecer. Leia o trecho antes de avaliar.",
    )


def _signs(texto: str, hidden: bool) -> Iterator[_Sign]:
    lexico, undresser = _lexicon(), _undresser()
    quoted: list[tuple[int, int]] | None = None
    for plain in undresser.undress(texto):
        for rule, match in chain[_Match](_by_pattern(plain), _by_roles(plain)):
            start, end = plain.span(*match.span())
            if quoted is None:
                quoted = [] if hidden else [found.span(1) for found in _QUOTES.finditer(texto)]
            if not any(_excused(name, plain, match, (start, end), quoted, lexico.salvos) for name in rule.salvo):
                yield _Sign(start, end, rule.forca, rule.nome)


def _by_pattern(plain: Plain) -> Iterator[_Match]:
    for pattern in _patterns():
        for match in (pattern.tight if plain.joined else pattern.loose).finditer(plain.text):
            yield pattern.padrao, match


def _by_roles(plain: Plain) -> Iterator[_Match]:
    if plain.joined:
        return
    for conjunto, first, others in _roles():
        for match in first.finditer(plain.text):
            ends = _SENTENCE_BREAK.finditer(plain.text, max(0, match.start() - _AROUND), match.start())
            start = max((end.end() for end in ends), default=max(0, match.start() - _AROUND))
            closing = _SENTENCE_BREAK.search(plain.text, match.end(), match.end() + _AROUND)
            end = closing.start() if closing else match.end() + _AROUND
            if all(role.search(plain.text, start, end) for role in others):
                yield conjunto, match


def _excused(
    name: str, plain: Plain, match: re.Match[str], span: tuple[int, int], quoted: Sequence[tuple[int, int]], salvos: Mapping[str, str]
) -> bool:
    """Whether what matched is one of the honest uses that a pattern is excused for."""
    text, start, end = plain.text, match.start(), match.end()
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    match name:
        case "citacao":
            return any(low <= span[0] and span[1] <= high for low, high in quoted) and _says(salvos[name], before + " " + after)
        case "alunos":
            return _says(salvos[name], _last_sentence(before) + match.group() + _first_sentence(after))
        case "alunos_no_alvo":
            return _says(salvos["alunos"], match.group())
        case "condicao" | "pergunta":
            return _says(salvos[name], after)
        case _:
            return _says(salvos[name], before)


def _says(pattern: str, text: str) -> bool:
    return re.search(pattern, text) is not None


def _last_sentence(text: str) -> str:
    return _SENTENCE_END.split(text)[-1]


def _first_sentence(text: str) -> str:
    return _SENTENCE_END.split(text)[0]


def _together(signs: Sequence[_Sign]) -> Iterator[Instrucao]:
    """Passages out of signs: strong ones, and weak ones of different kinds that stand close, in one passage where they touch."""
    groups: list[list[_Sign]] = []
    for sign in signs:
        if groups and sign.start - max(other.end for other in groups[-1]) <= _CLOSE:
            groups[-1].append(sign)
        else:
            groups.append([sign])
    for group in groups:
        strongest: dict[str, int] = {}
        for sign in group:
            strongest[sign.name] = max(sign.strength, strongest.get(sign.name, 0))
        if sum(strongest.values()) >= _ENOUGH:
            yield Instrucao(min(sign.start for sign in group), max(sign.end for sign in group), tuple(strongest))


@cache
def _lexicon() -> _Lexico:
    return msgspec.json.decode(resources.files(__package__).joinpath("instrucoes.json").read_bytes(), type=_Lexico)


@cache
def _undresser() -> Undresser:
    return Undresser(_lexicon().homoglifos, _lexicon().marcas)


@cache
def _patterns() -> tuple[_Pattern, ...]:
    lexico = _lexicon()
    return tuple(
        _Pattern(padrao, _compile(padrao, lexico.classes, _BLANK), _compile(padrao, lexico.classes, _NO_BLANK)) for padrao in lexico.padroes
    )


@cache
def _roles() -> tuple[tuple[_Conjunto, re.Pattern[str], tuple[re.Pattern[str], ...]], ...]:
    lexico = _lexicon()

    def compiled(papel: str) -> re.Pattern[str]:
        return _compile(_Padrao(papel, f"{{{papel}}}", 0), lexico.classes, _BLANK)

    return tuple(
        (conjunto, compiled(conjunto.papeis[0]), tuple(compiled(papel) for papel in conjunto.papeis[1:])) for conjunto in lexico.conjuntos
    )


def _compile(padrao: _Padrao, classes: Mapping[str, tuple[str, ...]], blank: str) -> re.Pattern[str]:
    if padrao.cru:
        return re.compile(padrao.forma)
    gap = r"(?:[^\W_]+[^\w.!?]+){0,%d}?" if blank == _BLANK else r"[\w ]{0,%d}?"

    def spell(match: re.Match[str]) -> str:
        if match[1]:
            return f"(?:{'|'.join(form.replace(' ', blank) for form in classes[match[1]])})"
        if match[2]:
            return gap % (int(match[2]) * (1 if blank == _BLANK else _LETTERS_A_WORD))
        return blank

    edge = (r"(?<!\w)", r"(?!\w)") if blank == _BLANK else ("", "")
    forma = re.sub(r" ~(\d)~ ", r" ~\1~", padrao.forma)
    return re.compile(edge[0] + _CONTROL.sub(spell, forma) + edge[1])
