"""An edital that was sent, by whatever way it came: as a body or in a form."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import IO, ClassVar, Final

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.locks import working_folder
from crivo.triagem.importacao import Importacao, read_chamada
from crivo.triagem.service import Importada
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.pacote import unpack

FILE_FIELD: Final = "arquivo"
CONSENT_FIELD: Final = "aceitar_apagados"
YES: Final = "sim"


class SemArquivo(CrivoError):
    """A form without the file of an edital."""

    codigo: ClassVar[str] = "sem_arquivo"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta o arquivo do edital"


def consents(form: FormData) -> bool:
    """Whether a form says that people who were erased consented anew."""
    return form.get(CONSENT_FIELD) == YES


async def take_in(request: Request, sent: object, *, aceitar_apagados: bool) -> tuple[Importada, Importacao]:
    """The edital in the file of a form. Raises SemArquivo, and what reading and importing raise."""
    if not isinstance(sent, UploadFile) or not sent.size:
        raise SemArquivo(f"Envie no campo '{FILE_FIELD}' um .zip com edital.json e os documentos, ou só o JSON.")
    return await receive(request, sent.file, aceitar_apagados=aceitar_apagados)


async def receive(request: Request, received: IO[bytes], *, aceitar_apagados: bool) -> tuple[Importada, Importacao]:
    """Import the edital that came in, whole or not at all. Raises what reading and importing raise."""
    container = state_of(request).container
    container.settings.data_dir.mkdir(parents=True, exist_ok=True)
    with working_folder(container.settings.data_dir, "edital-") as folder:
        lida = await asyncio.to_thread(_read, received, folder)
        return await container.triagem.importar(scope_of(request), lida, aceitar_apagados=aceitar_apagados), lida


def _read(received: IO[bytes], folder: Path) -> Importacao:
    return read_chamada(unpack(received, folder), folder)
