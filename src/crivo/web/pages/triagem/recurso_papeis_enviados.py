"""Reading a form that brings the papers of a recurso: never more than the bounds, whatever it claims."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import UploadFile
from starlette.requests import Request

from crivo.triagem.recursos.contratos import Anexo
from crivo.triagem.recursos.erros import RecursoInvalido
from crivo.triagem.recursos.recebimento import LARGEST_PAPER, MOST_BYTES
from crivo.web.body import limited
from crivo.web.pages import csrf

_OVERHEAD_BYTES: Final = 200_000
_FIELD_BYTES: Final = 120_000
_MOST_FILES: Final = 100  # beyond what is taken in, so that too many are told with what was written
FILES: Final = "papeis"


async def read_with_papers(request: Request, *, com_sessao: bool) -> tuple[dict[str, str], tuple[Anexo, ...]]:
    """The fields and the files of a form; of a session (`com_sessao`) it carries that session's token.

    Raises FormularioDeFora, CorpoGrandeDemais; RecursoInvalido where a file is too large.
    """
    csrf.check_origin(request)
    body = limited(request, MOST_BYTES + _OVERHEAD_BYTES)
    async with body.form(max_files=_MOST_FILES, max_fields=20, max_part_size=_FIELD_BYTES) as form:
        if com_sessao:
            csrf.check_token(request, form.get(csrf.FIELD))
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        sent = [one for one in form.getlist(FILES) if isinstance(one, UploadFile) and (one.filename or one.size)]
        if any((one.size or 0) > LARGEST_PAPER for one in sent):
            raise RecursoInvalido(f"Um dos arquivos passa de {LARGEST_PAPER // 1_000_000} MB. Envie uma versão menor.", campo=FILES)
        return fields, tuple([Anexo(one.filename or "", await one.read()) for one in sent])
