"""Values as the Mapas Culturais API writes them: PHP dates, numbers within quotes, lists that came out as objects, HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from html.parser import HTMLParser
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.importacao.itens import Itens

# The platform's own default, for dates that say no zone.
FUSO: Final = "America/Sao_Paulo"
_OFFSET: Final = re.compile(r"[+-][0-9]{2}:[0-9]{2}")
_BLOCKS: Final = frozenset({"p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6"})


def as_object(valor: Any) -> Mapping[str, Any]:
    """The object, or an empty one: PHP writes an empty object as a list."""
    return valor if isinstance(valor, dict) else {}


def as_items(valor: Any) -> Iterator[tuple[int | str, Any]]:
    """The items of a list with their positions, or of an object with their names, as PHP writes a list with holes."""
    if isinstance(valor, dict):
        yield from valor.items()
    elif isinstance(valor, list | Itens):
        yield from enumerate(valor)


def as_text(valor: Any) -> Any:
    """The text, a number as text; null is empty; anything else is left for the validation to tell."""
    if valor is None:
        return ""
    return str(valor) if isinstance(valor, int | Decimal) and not isinstance(valor, bool) else valor


def as_number(valor: Any) -> Any:
    """The number, also within quotes; what cannot be read is left for the validation to tell."""
    if not isinstance(valor, str):
        return valor
    try:
        return Decimal(valor.strip().replace(",", "."))
    except InvalidOperation:
        return valor


def as_moment(valor: Any) -> Any:
    """A moment with its offset, from `{"date", "timezone"}` or a text; what cannot be read is left for the validation to tell."""
    escrito, fuso = (valor.get("date"), valor.get("timezone")) if isinstance(valor, dict) else (valor, FUSO)
    if escrito is None:
        return None
    try:
        moment = datetime.fromisoformat(escrito)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=_zone(str(fuso)))
    except (TypeError, ValueError, ZoneInfoNotFoundError):
        return escrito
    return moment.isoformat()


def as_day(valor: Any) -> Any:
    """The calendar day of a moment, where it was written."""
    moment = as_moment(valor)
    return moment[:10] if isinstance(moment, str) else moment


def _zone(fuso: str) -> Any:
    if _OFFSET.fullmatch(fuso):
        return datetime.fromisoformat(f"2000-01-01T00:00:00{fuso}").tzinfo
    return ZoneInfo(fuso)


def as_declared(valor: Any) -> Any:
    """The value of a form's field as a declared one: a scalar, or a list of scalars with what was nested written out."""
    if isinstance(valor, list | dict):
        return [item if not isinstance(item, list | dict) else written_out(item) for _, item in as_items(valor)]
    return valor


def written_out(valor: Any) -> str:
    """All that is said in a nested value, in one line."""
    if isinstance(valor, list | dict):
        return "; ".join(filter(None, (written_out(item) for _, item in as_items(valor))))
    return "" if valor is None else str(valor)


def plain_text(valor: Any) -> Any:
    """The text of HTML, a line for each paragraph; text without tags as it is."""
    texto = as_text(valor)
    if not isinstance(texto, str) or "<" not in texto:
        return texto
    reader = _TextOnly()
    reader.feed(texto)
    reader.close()
    return re.sub(r"\n{3,}", "\n\n", "".join(reader.parts)).strip()


class _TextOnly(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def slug(titulo: str) -> str:
    """A field's title as a name: `Município de atuação` is `municipio_de_atuacao`."""
    return re.sub(r"[^0-9a-z]+", "_", fold(titulo)).strip("_")[:80] or "campo"
