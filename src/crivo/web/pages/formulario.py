"""A small form of our own page: read within bounds, and only where it came from our page and this session.

A NUL is left out of what was written: no text of the database can hold one.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from crivo.web.body import limited
from crivo.web.pages import csrf

_FORM_BYTES: Final = 20_000


async def read_form(request: Request, max_fields: int = 40) -> dict[str, str]:
    """The fields of a form, each once, as text. Raises FormularioDeFora, CorpoGrandeDemais."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=max_fields) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        return {name: value.replace("\0", "") for name, value in form.items() if isinstance(value, str)}


async def read_choices(
    request: Request, name: str, *, max_bytes: int = _FORM_BYTES, max_fields: int = 60
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The fields of a form, and every value of the one that may be given several times. Raises as `read_form`."""
    csrf.check_origin(request)
    async with limited(request, max_bytes).form(max_files=0, max_fields=max_fields) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        fields = {key: value.replace("\0", "") for key, value in form.items() if isinstance(value, str)}
        return fields, tuple(value for value in form.getlist(name) if isinstance(value, str))
