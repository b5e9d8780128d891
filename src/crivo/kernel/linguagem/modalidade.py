"""How a thing is said: denied, supposed, asked, or told as another's words."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.kernel.linguagem.lexico import any_of, read_lexico


class Modalidade(msgspec.Struct, frozen=True):
    """`negado`: it is denied; `suposto`: it hangs on a condition; `perguntado`: it is asked; `relatado`: another is said to say it."""

    negado: bool = False
    suposto: bool = False
    perguntado: bool = False
    relatado: bool = False


class _Palavras(msgspec.Struct, frozen=True):
    negado: tuple[str, ...]
    suposto: tuple[str, ...]
    relatado: tuple[str, ...]


def _whole(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{any_of(words)})(?!\w)")  # `encontra-se` supposes nothing


_PALAVRAS: Final = read_lexico("crivo.kernel.linguagem", "modalidade", _Palavras)
_NEGADO, _SUPOSTO, _RELATADO = _whole(_PALAVRAS.negado), _whole(_PALAVRAS.suposto), _whole(_PALAVRAS.relatado)
_DENIED_AFTER: Final = re.compile(r"\s+(?:eu\s+)?(?:nao|not|no)(?:\s+(?:posso|quero|da|consigo|serve|rola|tem|vai))?\s*(?:$|[,.;!?])")
_DOUBLE: Final = re.compile(r"(?<!\w)(?:nao|nada)\s+(?:ha|tem)\s+(?:nenhum|nada)(?!\w)|(?<!\w)nao\s+(?:so|apenas|somente)(?!\w)")
_SURE: Final = re.compile(r"(?<!\w)(?:com certeza|sem (?:duvidas?|falta|problemas?))(?!\w)")


def modality_of(folded: str, at: int | None = None) -> Modalidade:
    """How a folded clause, with the closing mark of its sentence, says what stands at `at`; the whole of it where that is None.

    A denial counts before the place, or right after it (`sexta não`); `não só` and `sem dúvida` deny nothing.
    """
    place = len(folded) if at is None else at
    plain = _SURE.sub(_blanked, _DOUBLE.sub(_emptied, folded))
    denied = _NEGADO.search(plain, 0, place) is not None or (at is not None and _is_denied_after(plain, place))
    return Modalidade(
        denied, _SUPOSTO.search(plain, 0, place) is not None, folded.rstrip().endswith("?"), _RELATADO.search(plain, 0, place) is not None
    )


def _is_denied_after(plain: str, place: int) -> bool:
    word = re.compile(r"\w*").match(plain, place)
    return word is not None and _DENIED_AFTER.match(plain, word.end()) is not None


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _emptied(match: re.Match[str]) -> str:
    """`não há nada` denies once; `não só` not at all."""
    said = match[0]
    return " " * len(said) if said.split()[-1] in {"so", "apenas", "somente"} else said
