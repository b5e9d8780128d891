"""What an edital asks for, without its projects, as the JSON of an import says it; written one way only, so that it comes back the same."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, Final

import msgspec

from crivo.triagem.edital import Chamada

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")
_INDENT: Final = 2

Documento = dict[str, Any]


def documento_of(chamada: Chamada) -> Documento:
    """The edital, its requisitos and its critérios as an import has them; what says no more than its default is left out."""
    return {
        "edital": _plain(chamada.edital),
        "requisitos": [_plain(one) for one in chamada.requisitos],
        "criterios": [_plain(one) for one in chamada.criterios],
    }


def to_json(chamada: Chamada) -> bytes:
    """The same as a file, in UTF-8: imported and written again, it is the same bytes."""
    return msgspec.json.format(_ENCODER.encode(documento_of(chamada)), indent=_INDENT) + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return _object(value)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {nome: _plain(one) for nome, one in value.items()}
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else value.normalize()
    if isinstance(value, date):
        return value.isoformat()
    return value


def _object(value: msgspec.Struct) -> Documento:
    config = type(value).__struct_config__
    found: Documento = {config.tag_field: config.tag} if config.tag_field else {}
    for field in msgspec.structs.fields(value):
        said = getattr(value, field.name)
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if field.required or said != default:
            found[field.name] = _plain(said)
    return found
