"""What the form of whoever judges gives to be kept, and what of it cannot be kept as it is: pure, the page keeps it and tells the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from typing import Final

from crivo.triagem.julgamento import NotaDada, ParaAvaliar
from crivo.triagem.palavras import number, shown

_SEAL_CHARS: Final = 16
_SHOWN_CHARS: Final = 160


@dataclass(frozen=True, slots=True)
class Escrita:
    """What was typed for a critério and could not be kept as it is, and why; `mudou`: another tab has stored something else since."""

    nota: str
    texto: str
    recusa: str
    mudou: bool = False


@dataclass(frozen=True, slots=True)
class Gravada:
    """What stands stored for a critério, with or without a nota."""

    nota: Decimal | None = None
    texto: str = ""

    @property
    def selo(self) -> str:
        """By this a form says what it was filled in over."""
        return _seal(self.nota, self.texto)


_NADA: Final = Gravada()


def stored_of(para: ParaAvaliar) -> Mapping[str, Gravada]:
    """What stands stored of the person's own, by critério; those that nothing was written for are left out."""
    return {one.criterio: Gravada(None, one.texto) for one in para.sem_nota} | {
        one.criterio: Gravada(one.nota, one.texto) for one in para.minhas
    }


def review_seal(para: ParaAvaliar) -> str:
    """By this whoever sends says what they looked over."""
    stored = stored_of(para)
    return _seal(None, "\0".join(f"{one.id} {stored.get(one.id, _NADA).selo}" for one in para.criterios))


def read_written(para: ParaAvaliar, fields: Mapping[str, str]) -> tuple[list[NotaDada], dict[str, Escrita]]:
    """What a form gives, a nota or a text or both, and what of it cannot be kept: a critério with nothing in it is left as it was.

    What another tab has stored since this form was filled in is left as it is where this one changed nothing, and told where it did.
    """
    stored = stored_of(para)
    dadas, escritas = [], {}
    for criterio in para.criterios:
        if f"nota-{criterio.id}" not in fields:
            continue
        nota, texto = typed_of(fields, criterio.id)
        value = _value(nota)
        gravada, visto = stored.get(criterio.id, _NADA), fields.get(f"visto-{criterio.id}")
        if value is None and nota:
            escritas[criterio.id] = Escrita(nota, texto, "Escreva a nota com algarismos, como 7 ou 7,5.")
        elif visto is not None and visto != gravada.selo:
            if _seal(value, texto) not in (visto, gravada.selo):
                escritas[criterio.id] = Escrita(nota, texto, _overtaken(gravada), mudou=True)
        elif nota or texto or criterio.id in stored:
            dadas.append(NotaDada(criterio.id, value, texto))
    return dadas, escritas


def missing(para: ParaAvaliar, fields: Mapping[str, str], escritas: Mapping[str, Escrita]) -> dict[str, Escrita]:
    """The critérios that keep a project from being sent, beyond those already told."""
    stored = stored_of(para)
    found = {}
    for criterio in para.criterios:
        gravada = stored.get(criterio.id, _NADA)
        nota, texto = typed_of(fields, criterio.id)
        has_nota = bool(nota)
        if f"nota-{criterio.id}" not in fields:
            has_nota, texto = gravada.nota is not None, gravada.texto
        if not has_nota and criterio.id not in escritas:
            kept = " O que você escreveu está gravado no rascunho." if texto else ""
            found[criterio.id] = Escrita("", texto, f"Falta a nota deste critério.{kept}")
    return found


def lost(para: ParaAvaliar | None, fields: Mapping[str, str]) -> dict[str, Escrita]:
    """What was typed and is stored nowhere, where nothing can be kept any more; `para` is None where the project is no longer hers."""
    stored = stored_of(para) if para else {}
    found = {}
    for name in fields:
        criterio = name.removeprefix("nota-")
        if criterio == name:
            continue
        nota, texto = typed_of(fields, criterio)
        if (nota or texto) and _seal(_value(nota), texto) != stored.get(criterio, _NADA).selo:
            found[criterio] = Escrita(nota, texto, "")
    return found


def typed_of(fields: Mapping[str, str], criterio: str) -> tuple[str, str]:
    """The nota and the text that were typed for a critério."""
    return fields.get(f"nota-{criterio}", "").strip(), fields.get(f"texto-{criterio}", "").strip()


def _value(nota: str) -> Decimal | None:
    try:
        return Decimal(nota.replace(",", ".")) if nota else None
    except InvalidOperation:
        return None


def _seal(nota: Decimal | None, texto: str) -> str:
    figure = "" if nota is None else str(nota.normalize()) if nota.is_finite() else str(nota)
    return sha256(f"{figure}\0{texto.replace(chr(13), '').strip()}".encode("utf-8", "replace")).hexdigest()[:_SEAL_CHARS]


def _overtaken(gravada: Gravada) -> str:
    nota = "sem nota" if gravada.nota is None else f"nota {number(gravada.nota)}"
    texto = " ".join(shown(gravada.texto).split())
    said = f", “{texto[:_SHOWN_CHARS]}{'…' if len(texto) > _SHOWN_CHARS else ''}”" if texto else ""
    return (
        f"Isto mudou em outra aba ou aparelho depois que você abriu esta: lá ficou gravado {nota}{said}. "
        "O que está aqui ainda não foi gravado: confira, e salve de novo para ficar com isto."
    )
