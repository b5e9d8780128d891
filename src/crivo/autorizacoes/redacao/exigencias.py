"""What a text says of each requirement and document, beside what the decision rests on. Faults `resultado` and `sem_fonte`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.motivos import DOCUMENTOS, IDADE, PEDIDO_INVALIDO, SEM_COBERTURA, SEXO, alvo
from crivo.autorizacoes.palavras import documentos_conhecidos, nome_documento
from crivo.autorizacoes.redacao.documentos import Mencao
from crivo.autorizacoes.redacao.fatos import Fatos, stems
from crivo.autorizacoes.redacao.insumos import Campo
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.lugar import Lugar
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.numeros import find_numeros

_NEAR: Final = 8  # letters from a side to how many years, which may be of either bound
_NEVER_ENOUGH: Final = frozenset({IDADE, SEXO})  # no change of a pedido settles them
_ENOUGH: Final = 2  # words of an explanation, and half of them, by which it is known again


def check_exigencias(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """Requirements told otherwise than they are, or passed over; `folded` is without names of sources."""
    for mencao in mencoes:
        if mencao.tipos:
            porque = _misplaced(Lugar(pagina, folded, fatos, campo, mencao.start, mencao.end), mencao, mencoes)
            if porque:
                yield Achado("resultado", pagina.quote((mencao.start, mencao.end)), porque)
    if IDADE in fatos.motivos:
        yield from _wrong_bound(pagina, folded, fatos)
    if fatos.final == "PENDENTE_AJUSTES":
        yield from _only_one(pagina, folded, fatos, campo, mencoes)
    if campo in ("para_beneficiario", "para_solicitante") and folded.strip():
        yield from _passed_over(pagina, folded, fatos, mencoes)


def _misplaced(lugar: Lugar, mencao: Mencao, mencoes: tuple[Mencao, ...]) -> str | None:
    """Why a document is told otherwise than it is: one that came as asked for or absent, one that is owed as received."""
    fatos, sentence = lugar.fatos, lugar.sentence
    owed = mencao.tipos & frozenset(fatos.pendentes)
    if not owed and mencao.tipos <= frozenset(fatos.insumos.documentos.anexos):
        after = lugar.folded[: lugar.pagina.sentence_at(lugar.start)[1]]
        if LEXICO.ends("ausente_antes", lugar.before) or LEXICO.begins("ausente_depois", after, lugar.end, past=","):
            return "este documento veio com o pedido"
        asked = LEXICO.has("exigido", lugar.before) and not LEXICO.has("recebido", sentence)
        return "este documento já veio com o pedido" if asked and not LEXICO.has("nao_nem", lugar.before) else None
    told_as_received = LEXICO.has("recebido", sentence) and not LEXICO.has("em_aberto_curto", sentence)
    received = owed == mencao.tipos and told_as_received and not LEXICO.has("exigido", sentence)
    return "este documento ainda não veio" if received and not _another_came(lugar, mencoes) else None


def _another_came(lugar: Lugar, mencoes: tuple[Mencao, ...]) -> bool:
    """Whether what the sentence tells as received is another document, named again in a clause of its own."""
    start, end = lugar.pagina.sentence_at(lugar.start)
    came = frozenset(lugar.fatos.insumos.documentos.anexos)
    clauses = [lugar.pagina.clause_at(match.start()) for match in LEXICO.find("recebido", lugar.folded, start, end)]
    return all(
        left > lugar.end and any(other.tipos and other.tipos <= came and left <= other.start < right for other in mencoes)
        for left, right in clauses
    )


def _wrong_bound(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """A person said to be too old who is too young, and a least age told as the greatest."""
    limites = fatos.limites
    if limites.idade is None or (limites.idade_min is None) == (limites.idade_max is None):
        return
    too_young = limites.idade_min is not None
    own, other = ("mais_novo", "mais_velho") if too_young else ("mais_velho", "mais_novo")
    for left, right in pagina.sentences:
        sentence = folded[left:right]
        if not LEXICO.has("de_idade", sentence):
            continue
        numeros = find_numeros(sentence)
        bound = next(LEXICO.find("idade_maxima_dita" if too_young else "idade_minima_dita", sentence), None)
        side = next(LEXICO.find(other, sentence), None)
        counted = side and any(0 <= numero.start - side.end() <= _NEAR for numero in numeros)
        found = bound or (None if counted or LEXICO.has(own, sentence) else side)
        places = [found.span()] if found else []
        if not too_young:
            told = (numero for numero in numeros if numero.value == limites.idade_max)
            places += [
                (numero.start, numero.end)
                for numero in told
                if LEXICO.ends("a_partir_de", sentence[: numero.start]) and not LEXICO.has("negacao", sentence[: numero.start])
            ]
        for start, end in places:
            yield Achado("resultado", pagina.quote((left + start, left + end)), "a idade está do outro lado do limite")


def _only_one(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """One adjustment told as all that is missing, where there are others."""
    owed, others = frozenset(fatos.pendentes), [motivo for motivo in fatos.motivos if motivo != DOCUMENTOS]
    for match in LEXICO.find("so_falta_isto", folded):
        lugar = Lugar(pagina, folded, fatos, campo, *match.span())
        if LEXICO.has("junto_com_outros", lugar.sentence) or LEXICO.has("nao_nem", lugar.before[-16:]):
            continue
        left, right = pagina.sentence_at(match.start())
        named = {tipo for mencao in mencoes if left <= mencao.start < right for tipo in mencao.tipos}
        if named & owed and (owed - named or not all(tells(motivo, lugar.sentence, fatos) for motivo in others)):
            yield lugar.fault("não é só isto que falta")


def _passed_over(pagina: Pagina, folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """What the reader has to do and is not told; a denial without its reason and its source. Source: design, RF6 `sintese`."""
    whole = pagina.quote((0, len(pagina.text)))
    if (fatos.aprovado or DOCUMENTOS in fatos.motivos) and _untold(pagina, fatos, mencoes):
        yield Achado("resultado", whole, "deixa de fora um documento a entregar")
    if fatos.final == "PENDENTE_AJUSTES" and not all(tells(motivo, folded, fatos) for motivo in fatos.motivos if motivo != DOCUMENTOS):
        yield Achado("resultado", whole, "deixa de fora um dos ajustes de que o pedido precisa")
    if fatos.final == "PENDENTE_AJUSTES":
        if _some_fields_alone(folded, fatos):
            yield Achado("resultado", whole, "deixa de fora um dos ajustes de que o pedido precisa")
        if _hides_another_rule(folded, fatos):
            yield Achado("resultado", whole, "esconde que outra regra continua sem ser cumprida")
    if fatos.final != "NEGADO":
        return
    if not all(tells(motivo, folded, fatos) for motivo in fatos.motivos):
        yield Achado("sem_fonte", whole, "nega sem dizer o motivo")
    if fatos.fonte is not None and not pagina.has(fatos.fonte.documento):
        yield Achado("sem_fonte", whole, "nega sem dizer de que documento vem a regra")


def _some_fields_alone(folded: str, fatos: Fatos) -> bool:
    """Whether some of the fields to be corrected are named as the pedido has them, and another is told by no word."""
    campos = dict.fromkeys(alvo(motivo) for motivo in fatos.decidido.artefato_registro.motivos if motivo != PEDIDO_INVALIDO)
    if PEDIDO_INVALIDO not in fatos.motivos or not any(campo and campo in folded for campo in campos):
        return False
    entries = ((campo, f"campo_{campo.replace('.', '_')}") for campo in campos)
    return not all(campo in folded or entry not in LEXICO or LEXICO.has(entry, folded) for campo, entry in entries)


def _hides_another_rule(folded: str, fatos: Fatos) -> bool:
    """Whether a pedido that no adjustment brings through is told to go on once they are made, and not that this is not enough."""
    if fatos.insumos.efeito_ajustes != "nenhum" or not _NEVER_ENOUGH.intersection(fatos.motivos) or len(fatos.motivos) == 1:
        return False
    return LEXICO.has("assim_que", folded) and not LEXICO.has("nao_basta", folded)


def tells(motivo: str, folded: str, fatos: Fatos) -> bool:
    """Whether a folded text tells a motivo so that its reader would know; a motivo without words of its own is always told."""
    if f"diz_{motivo}" not in LEXICO or LEXICO.has(f"diz_{motivo}", folded):
        return True
    if motivo == IDADE:
        return fatos.final != "NEGADO" and LEXICO.has("saida_da_idade", folded)
    return motivo == SEM_COBERTURA and fatos.alternativa is not None and LEXICO.has("em_lugar_disso", folded)


def _untold(pagina: Pagina, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> bool:
    """Whether a text passes over a document owed, and does not speak of all of them together."""
    if LEXICO.has("documentos_em_geral", pagina.folded):
        return False
    common = _stems_of("palavras_comuns")
    told = frozenset(stems(pagina.folded)) - common - frozenset(stems(fold_letters(fatos.insumos.descricao or "")))
    named = {tipo for mencao in mencoes for tipo in mencao.tipos}
    owed = [tipo for tipo in fatos.pendentes if tipo not in named and not told & frozenset(stems(fold_letters(nome_documento(tipo))))]
    return not all(_is_explained(tipo, told, common | _stems_of("palavras_pequenas")) for tipo in owed)


def _is_explained(tipo: str, told: frozenset[str], common: frozenset[str]) -> bool:
    """Whether a text says what the document is, in most of the words of its explanation."""
    known = documentos_conhecidos().get(tipo)
    words = frozenset(stems(fold_letters(known.explicacao))) - common if known else frozenset()
    return len(words & told) >= max(_ENOUGH, len(words) / 2)


def _stems_of(entry: str) -> frozenset[str]:
    return frozenset(stem for word in LEXICO[entry] for stem in stems(fold_letters(word)))
