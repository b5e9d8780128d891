"""Text that speaks to whoever grades: orders to ignore instructions, to give the top nota, to approve, in Portuguese, English and Spanish.

Sentences are weighed by what was learned (`leitura_de_frases`); where one is plausible, known wordings (`redacoes`) are looked for as well.

Source: design, Hidden or instructing text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from crivo.kernel.linguagem.frases import sentence_around
from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.documentos.disfarces import decoded
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import TRUQUES_COMUNS, DocumentoLido, ProjetoLido
from crivo.triagem.edital import Projeto, Value
from crivo.triagem.irregularidades.leitura_de_frases import Frase, find_told, is_doubtful, is_plausible, read_sentences
from crivo.triagem.irregularidades.redacoes import Sign, find_wordings, undresser

_ENOUGH: Final = 2
_WEIGHED: Final = "redação"
_SURE: Final = 0.97
_CLOSE: Final = 80  # letters within which two weak signs make a strong one
_AROUND: Final = 160  # letters looked at before and after a sign
_LONGEST_PASSAGE: Final = 400
_MOST_PASSAGES: Final = 10
_OF_A_NAME: Final = 6  # words, of a field that names a thing ("Análise completa de solo") rather than says something
_RUN_TOGETHER: Final = re.compile(r"(?<!\w)[a-z]{28,}(?!\w)")  # words without blanks between them


class Instrucao(Value, frozen=True):
    """A passage that speaks to whoever grades, where it stands in the text, and by what signs it was known.

    `certeza`, 0 to 1, is what its sentence weighs; 1 for a wording that is known.
    """

    inicio: int
    fim: int
    sinais: tuple[str, ...]
    certeza: float = 1.0


Lidas = Mapping[str, tuple[Instrucao, ...]]  # hidden texts, with what in each speaks to whoever grades
Ler = Callable[[str], tuple[Instrucao, ...]]  # what in a text that anybody sees speaks to whoever grades


def find_texto_instrucional(lidos: Sequence[ProjetoLido]) -> tuple[Irregularidade, ...]:
    """The documents and fields in which somebody speaks to whoever grades: one sign for each, with the passages."""
    return tuple(sign for lido in lidos for sign in find_no_projeto(lido))


def find_no_projeto(lido: ProjetoLido, ocultas: Lidas | None = None, ler: Ler | None = None) -> tuple[Irregularidade, ...]:
    """Those of one project, which depend on nothing else; `ocultas` where its hidden texts were read before.

    `ler` reads its texts, where meaning is told too (`segunda_leitura`); else words alone are.
    """
    read = ler or find_instrucoes
    return (*_in_fields(lido.projeto, read), *_in_documents(lido, read_hidden(lido) if ocultas is None else ocultas, read))


def read_hidden(lido: ProjetoLido) -> Lidas:
    """What in each hidden text of a project's documents speaks to whoever grades."""
    hidden: dict[str, bool] = {}
    for documento in lido.documentos:
        for trecho in documento.ocultos:
            hidden[trecho.texto] = hidden.get(trecho.texto, False) or trecho.truque not in TRUQUES_COMUNS
    return {texto: find_instrucoes(texto, oculto=True) if oculto else find_certain(texto) for texto, oculto in hidden.items()}


def find_certain(texto: str) -> tuple[Instrucao, ...]:
    """Those of a known wording or as good as certain: labels of forms tell people what to do all day, names of things have few words to
    weigh, and who grades speaks of grading.
    """
    return _certain(find_instrucoes(texto))


def find_instrucoes(texto: str, *, oculto: bool = False) -> tuple[Instrucao, ...]:
    """The passages of a text that speak to whoever grades. Where it is `oculto`, quoting excuses nothing: nobody hides a quotation."""
    seen, unseen = split_unseen(texto)
    signs = list(_signs(texto, oculto))
    for said, (start, end) in decoded(seen):
        signs += (Sign(start, end, sign.strength, sign.name, sign.certainty) for sign in _signs(said, hidden=True))
    if unseen and any(find_instrucoes(said, oculto=True) for said in unseen):
        signs.append(Sign(0, len(texto), _ENOUGH, "escrito sem largura"))
    return tuple(_together(sorted(signs, key=lambda sign: (sign.start, sign.end))))


def find_doubtful(texto: str) -> tuple[Instrucao, ...]:
    """The sentences that come near, and would be told if their meaning said the same."""
    plain = next(undresser().undress(texto))
    frases = read_sentences(plain.text)
    told = find_told(plain.text, frases, oculto=False, a_conferir=True)
    return tuple(Instrucao(*plain.span(frase.inicio, frase.fim), (_WEIGHED,), frase.certeza) for frase in told)


def find_duvidas(texto: str, *, citada: bool = False) -> Iterator[tuple[int, int]]:
    """The spans of the sentences that might speak to whoever grades: far more than do, and never a sign by themselves.

    More are doubted of a passage on which a nota rests (`citada`).
    """
    plain = next(undresser().undress(texto))
    yield from (plain.span(frase.inicio, frase.fim) for frase in read_sentences(plain.text) if is_doubtful(frase, citada=citada))


def plain_of(texto: str) -> str:
    """A text in plain letters, as sentences are weighed."""
    return next(undresser().undress(texto)).text


def readings_of(texto: str) -> int:
    """In how many ways a text reads: more than one where letters stand for others, apart, or turned around."""
    return sum(1 for _ in undresser().undress(texto))


def passage(texto: str, instrucao: Instrucao) -> str:
    """The passage, verbatim, with the sentence around it as far as it fits."""
    start, stop = sentence_around(texto, instrucao.inicio, instrucao.fim, _AROUND)
    return texto[start : stop + 1].strip()[:_LONGEST_PASSAGE]


def fields_of(projeto: Projeto) -> Iterator[tuple[str, str]]:
    """The texts that a project itself declares, by the name of the field."""
    yield from (("titulo", projeto.titulo), ("resumo", projeto.resumo), ("descricao_tecnica", projeto.descricao_tecnica))
    yield from (("orcamento_itens", item.descricao) for item in projeto.orcamento_itens)
    yield from (("cronograma_etapas", etapa.nome) for etapa in projeto.cronograma_etapas)
    yield from ((campo, valor) for campo, valor in projeto.campos.items() if isinstance(valor, str))


def _certain(found: Sequence[Instrucao]) -> tuple[Instrucao, ...]:
    return tuple(one for one in found if set(one.sinais) != {_WEIGHED} or one.certeza >= _SURE)


def _in_fields(projeto: Projeto, ler: Ler) -> Iterator[Irregularidade]:
    found: dict[str, list[Evidencia]] = {}
    for campo, texto in fields_of(projeto):
        for instrucao in _certain(ler(texto)) if len(texto.split()) <= _OF_A_NAME else ler(texto):
            found.setdefault(campo, []).append(Evidencia(trecho=passage(texto, instrucao), projeto=projeto.id, campo=campo))
    for campo, evidencia in found.items():
        yield _told(projeto.id, evidencia, "Um campo do projeto", campo=campo)


def _in_documents(lido: ProjetoLido, ocultas: Lidas, ler: Ler) -> Iterator[Irregularidade]:
    for documento in lido.documentos:
        found: list[tuple[str, int | None, tuple[Instrucao, ...]]] = [
            (pagina.texto, pagina.numero, ler(pagina.texto)) for pagina in documento.paginas
        ]
        found += _by_line(documento, {numero for _, numero, instrucoes in found if instrucoes}, ler)
        found += [(trecho.texto, trecho.pagina, ocultas[trecho.texto]) for trecho in documento.ocultos]
        evidencia = [
            Evidencia(arquivo=documento.arquivo, pagina=numero, trecho=passage(texto, instrucao), projeto=lido.projeto.id)
            for texto, numero, instrucoes in found
            for instrucao in instrucoes
        ]
        if evidencia:
            yield _told(lido.projeto.id, evidencia, "Um documento do projeto", arquivo=documento.arquivo)


def _by_line(documento: DocumentoLido, known: Container[int | None], ler: Ler) -> Iterator[tuple[str, int | None, tuple[Instrucao, ...]]]:
    """The lines of scanned pages one by one, as what is read in an image has no stops to tell sentences by."""
    for pagina in documento.paginas:
        if pagina.por_ocr and pagina.numero not in known:
            yield from ((line, pagina.numero, _certain(ler(line))) for line in pagina.texto.splitlines())


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


def _signs(texto: str, hidden: bool) -> Iterator[Sign]:
    for plain in undresser().undress(texto):
        frases = read_sentences(plain.text) if " " in plain.text else ()  # without blanks there are no words to weigh
        for frase in find_told(plain.text, frases, oculto=hidden or plain.joined):
            yield Sign(*plain.span(frase.inicio, frase.fim), _ENOUGH, _WEIGHED, frase.certeza)
        for start, end in [(0, len(plain.text))] if plain.joined else _plausible(frases, hidden):
            yield from find_wordings(texto, plain, start, end, oculto=hidden)
        for match in _RUN_TOGETHER.finditer(plain.text):
            yield from find_wordings(texto, replace(plain, joined=True), *match.span(), oculto=True)


def _plausible(frases: Sequence[Frase], hidden: bool) -> Iterator[tuple[int, int]]:
    """Where known wordings are looked for: around the plausible sentences, any where hidden, those close together as one."""
    found: list[tuple[int, int]] = []
    for frase in frases:
        if hidden or is_plausible(frase):
            start, end = max(0, frase.inicio - _CLOSE), frase.fim + _CLOSE
            if found and start <= found[-1][1]:
                start = found.pop()[0]
            found.append((start, end))
    yield from found


def _together(signs: Sequence[Sign]) -> Iterator[Instrucao]:
    """Passages out of signs: strong ones, and weak ones of different kinds that stand close, in one passage where they touch."""
    groups: list[list[Sign]] = []
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
            start, end = min(sign.start for sign in group), max(sign.end for sign in group)
            known = sum(strength for name, strength in strongest.items() if name != _WEIGHED) >= _ENOUGH
            yield Instrucao(start, end, tuple(strongest), 1.0 if known else max(sign.certainty for sign in group))
