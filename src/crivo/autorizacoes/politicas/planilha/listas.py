"""Cells that hold several things: documents, limits by period, alternatives, exceptions and planos."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, Final

from crivo.autorizacoes.motivos import DA_REGRA
from crivo.autorizacoes.palavras import documentos_conhecidos
from crivo.autorizacoes.politicas.codigos import fold_documento
from crivo.autorizacoes.politicas.planilha.celulas import Falha, Lido, NaoDita, days_of, number_in, plain_number, text, yes_no
from crivo.kernel.formas.palavras import cut
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.planilha.celulas import Valor

_BETWEEN: Final = re.compile(r"[;,\n/•|]|\s\+\s|^\s*[-*]\s", re.MULTILINE)
_OU: Final = re.compile(r"\s+ou\s+", re.IGNORECASE)
_NONE: Final = frozenset({"nenhum", "nenhuma", "nao ha", "sem documentos", "sem exigencia", "livre", "nao exige", "dispensado"})
_TODOS: Final = frozenset({"*", "todos", "todos os planos", "todas", "qualquer", "geral"})

_QUANTOS: Final = r"(?P<q>[\d.,]+|uma?|duas|dois|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze)"
_COISAS: Final = (
    r"(?:\s*(?:x|vez(?:es)?|un(?:id(?:ades?)?)?\.?|sess(?:ao|oes)|exames?|consultas?|procedimentos?|aplicac(?:ao|oes)|diarias?))?"
)
_POR: Final = r"(?:\s*(?:/|por|a cada|ao|no|na|em|cada)\s*)"
_UNIDADE: Final = r"(?P<u>dias?|semanas?|mes|meses|bimestre|trimestre|quadrimestre|semestre|anos?)"
_LIMITE: Final = re.compile(
    rf"(?:(?:ate|maximo(?: de)?|max\.?|limite(?: de)?)\s+)?{_QUANTOS}{_COISAS}"
    rf"(?:{_POR}(?:(?P<n>\d+|cada)\s*)?{_UNIDADE}|\s+(?P<adv>diari[ao]s?|semana(?:l|is)|mensa(?:l|is)|anua(?:l|is)))?"
    rf"(?:\s+corridos)?(?P<regra>\s*\(?por regra\)?)?"
)
_POR_PEDIDO: Final = re.compile(
    rf"(?:(?:ate|maximo(?: de)?|max\.?|limite(?: de)?)\s+)?{_QUANTOS}{_COISAS}"
    r"\s*(?:/|por)\s*(?:pedido|solicitacao|guia|autorizacao|requisicao)"
)
_PERIODOS: Final[Mapping[str, int]] = {"bimestre": 60, "trimestre": 90, "quadrimestre": 120, "semestre": 180}
_ADVERBIOS: Final[Mapping[str, int]] = {"diari": 1, "seman": 7, "mensa": 30, "anua": 365}
_NO_TITULO: Final = (("anua", 365), ("ano", 365), ("mensa", 30), ("mes", 30), ("seman", 7), ("dia", 1))
_SEM_LIMITE: Final = frozenset(
    {"livre", "sem limite", "s/ limite", "s/limite", "sem limites", "ilimitado", "ilimitada", "sem restricao", "nao ha", "nao tem", "sem"}
)


@cache
def _tipos() -> Mapping[str, str]:
    """Each document by what it is called, folded."""
    return {fold(conhecido.nome): tipo for tipo, conhecido in documentos_conhecidos().items()}


def tipo_do_documento(escrito: str) -> str:
    """The type of a document by what it is called; empty where no letter or digit is left."""
    return _tipos().get(fold(escrito).rstrip(" .")) or fold_documento(escrito)


def nome_do_documento(tipo: str) -> str:
    """What a document is called; its type where nobody knows it by a name."""
    known = documentos_conhecidos().get(tipo)
    return known.nome if known else tipo


def documentos(celula: Valor, titulo: str) -> Lido:
    """The documents that are asked for, and the groups of which one is enough: `Pedido médico; laudo ou relatório`.

    A yes in a column that is named as a document asks for that one.
    """
    said = yes_no(celula)
    if said is not None:
        return ([tipo_do_documento(titulo)], []) if said else None
    todos: list[str] = []
    grupos: list[list[str]] = []
    others: list[str] = []
    for part in _BETWEEN.split(text(celula)):
        if fold(part).strip() in _NONE or not fold_documento(part):
            continue
        if _UM_PRAZO.match(fold(part).strip()):
            others.append(part.strip())
            continue
        pieces = [piece for piece in _OU.split(part.strip()) if fold_documento(piece)]
        if len(pieces) > 1:
            grupos.append(list(dict.fromkeys(_alike(pieces))))
        else:
            todos += _also(part)
    read = (list(dict.fromkeys(todos)), grupos) if todos or grupos else None
    return NaoDita("; ".join(others), read) if others else read


_UM_PRAZO: Final = re.compile(r"\d+\s*(?:h|horas?|dias?|semanas?|mes|meses|anos?)\b")  # `60 dias de reflexão` is nothing to attach


def is_documento(escrito: str) -> bool:
    """Whether a text is the name of a known document."""
    return fold(escrito) in _tipos()


def _alike(pieces: Sequence[str]) -> list[str]:
    """Each document of a choice; `laudo ou relatório médico` is one of two that are médico."""
    _, blank, kind = pieces[-1].strip().partition(" ")
    return [
        tipo_do_documento(f"{one} {kind}") if blank and is_documento(f"{one} {kind}") else tipo_do_documento(one)
        for one in map(str.strip, pieces)
    ]


@cache
def _inicios() -> frozenset[str]:
    """The first word of each known document: `pedido`, `laudo`, `guia`."""
    return frozenset(nome.split()[0] for nome in _tipos())


def _begins_as_one(piece: str) -> bool:
    word = fold(piece).split()[0]
    return word in _inicios() or word.removesuffix("s") in _inicios()


def _also(part: str) -> list[str]:
    """Two documents that an `e` joins, where each begins as a document does; else the one."""
    pieces = [piece.strip() for piece in re.split(r"\s+e\s+", part.strip(), flags=re.IGNORECASE)]
    joined = len(pieces) > 1 and not is_documento(part.strip())
    if joined and all(tipo_do_documento(piece) in documentos_conhecidos() or _begins_as_one(piece) for piece in pieces):
        return [tipo_do_documento(piece) for piece in pieces]
    return [tipo_do_documento(part)]


def grupos(celula: Valor) -> Lido:
    """Groups of documents: `A ou B; C ou D`."""
    found = [[piece for piece in _OU.split(part) if fold_documento(piece)] for part in re.split(r"[;\n]", text(celula))]
    return [list(dict.fromkeys(_alike(pieces))) for pieces in found if pieces] or None


def planos(celula: Valor) -> Lido:
    """The planos in a cell; `*` for all of them."""
    escrito = text(celula)
    if fold(escrito) in _TODOS:
        return "*"
    parts = [part.strip() for part in re.split(r"[;,\n/|]|\s+e\s+", escrito) if part.strip()]
    if any(fold(part) in _TODOS for part in parts):
        return "*"
    parts = list(dict.fromkeys(parts))
    return parts[0] if len(parts) == 1 else parts or None


def limite(celula: Valor) -> Lido:
    """(units a pedido, limits by period): `2`, `até 2 por ano`, `1 por dia e 12 ao ano`; what has no such limit is told as not said."""
    if isinstance(celula, Decimal):
        return (plain_number(celula), [])
    folded = fold(text(celula)).strip(" .")
    if folded in _SEM_LIMITE:
        return None
    por_pedido: int | float | None = None
    periodos: list[dict[str, Any]] = []
    for part in re.split(r"\s*[;\n]\s*|,\s+|\s+e\s+(?=(?:ate\s+)?\d)", folded):
        if not part:
            continue
        found = _limit_of(part)
        if found is None or (found[1] is None and por_pedido is not None):
            return NaoDita(text(celula))
        quantos, periodo = found
        if periodo is None:
            por_pedido = quantos
        else:
            periodos.append(periodo)
    return (por_pedido, periodos)


def _limit_of(part: str) -> tuple[int | float, dict[str, Any] | None] | None:
    match = _POR_PEDIDO.fullmatch(part)
    if match is not None:
        numero = number_in(match["q"])
        return None if numero is None else (plain_number(numero), None)
    match = _LIMITE.fullmatch(part)
    numero = number_in(match["q"]) if match else None
    if match is None or numero is None:
        return None
    quantos = plain_number(numero)
    periodo = _period(match)
    if periodo is None:
        return quantos, None
    return quantos, {"quantidade": quantos, "periodo_dias": periodo} | ({"por": "REGRA"} if match["regra"] else {})


def _period(match: re.Match[str]) -> int | float | None:
    if match["adv"]:
        return next(dias for beginning, dias in _ADVERBIOS.items() if match["adv"].startswith(beginning))
    if not match["u"]:
        return None
    times = Decimal(match["n"]) if (match["n"] or "").isdigit() else Decimal(1)
    if match["u"] in _PERIODOS:
        return plain_number(times * _PERIODOS[match["u"]])
    return days_of(times, match["u"])


def limites(celula: Valor, titulo: str) -> Lido:
    """Limits by period; a number alone takes its period from the heading: `Limite anual`."""
    found = limite(celula)
    if not isinstance(found, tuple):
        return found
    por_pedido, periodos = found
    if por_pedido is None:
        return periodos
    plain = fold(titulo)
    dias = next(
        (dias for word, dias in (("anua", 365), ("ano", 365), ("mensa", 30), ("mes", 30), ("seman", 7), ("dia", 1)) if word in plain), 0
    )
    if not dias or periodos:
        return Falha("limite_sem_periodo", f"“{cut(text(celula))}” não diz em quanto tempo. Escreva como 12 por ano.")
    return [{"quantidade": por_pedido, "periodo_dias": dias}]


_ALTERNATIVA: Final = re.compile(r"(?P<codigo>[^\s,;]+?)(?:\s*[-–—:(]\s*(?P<nome>.*?)\)?)?")


def alternativas(celula: Valor) -> Lido:
    """Codes that may stand in, one a line or parted by semicolons, each with its name or without: `40304370 - Hemograma`."""
    found = []
    for part in re.split(r"[;\n]", text(celula)):
        if not part.strip():
            continue
        match = re.match(r"(?P<codigo>[\d.\-/]*\d|[^\s\-–—:(]\S*?)(?:\s+[-–—:]\s*|\s*\(|\s+|:\s*|$)(?P<nome>.*)", part.strip())
        if match is None or not match["codigo"]:
            return NaoDita(text(celula))
        nome = match["nome"].strip().removesuffix(")") if "(" in part else match["nome"].strip()
        found.append({"codigo": match["codigo"]} | ({"descricao": nome} if nome else {}))
    if any(not any(char.isdigit() for char in one["codigo"]) for one in found):
        return NaoDita(text(celula))
    return found or None


def excecoes(celula: Valor) -> Lido:
    """Ways out, one a line: `restricao_idade: encaminhar à auditoria`."""
    found = []
    for part in text(celula).split("\n"):
        if not part.strip():
            continue
        motivo, colon, instrucao = part.partition(":")
        known = fold(motivo).replace(" ", "_")
        if not colon or known not in DA_REGRA or not instrucao.strip():
            return NaoDita(text(celula))
        found.append({"motivo": known, "instrucao": instrucao.strip()})
    return found or None
