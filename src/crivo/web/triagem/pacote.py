"""An edital that comes in over HTTP: a zip with `edital.json` and its documents, or the JSON alone, laid out in a folder to be read.

A zip is from strangers: nothing is written outside of the folder, and nothing beyond the limits, whatever its headers claim.
"""

from __future__ import annotations

import asyncio
import errno
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, ClassVar, Final

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.storage.errors import DiscoCheio
from crivo.kernel.storage.locks import working_folder
from crivo.triagem.importacao import Importacao, read_chamada
from crivo.triagem.importacao.arquivos import DOCUMENTO_MAXIMO
from crivo.triagem.importacao.leitura import PRINCIPAL, Acolhedor
from crivo.triagem.importacao.leitura_json import TAMANHO_MAXIMO
from crivo.triagem.importacao.problemas import (
    LISTADOS_MAXIMO,
    ImportacaoGrandeDemais,
    ImportacaoIlegivel,
    ImportacaoRecusada,
    Ocorrencias,
    cite,
)
from crivo.triagem.service import Acolhida, Importada
from crivo.web.state import scope_of, state_of

FILE_FIELD: Final = "arquivo"
CONSENT_FIELD: Final = "aceitar_apagados"
YES: Final = "sim"
PACOTE_MAXIMO: Final = 512 * 1024**2  # bytes as they come in
DESCOMPACTADO_MAXIMO: Final = 2 * 1024**3
ENTRADAS_MAXIMO: Final = 50_000
_INDEX_MAXIMO: Final = 32 * 1024**2  # what the library reads into memory at once
_NAME_MAXIMO: Final = 200  # characters of a name between two bars: file systems take 255 bytes
_NOME: Final = "edital.zip"
_CHUNK: Final = 1 << 18
_ENCRYPTED: Final = 0x1
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END: Final = struct.Struct("<4s4H2LH")  # end of central directory. Source: APPNOTE.TXT 4.3.16
_END_MARK: Final = b"PK\x05\x06"
_ZIP64_MARK: Final = b"PK\x06\x07"
_ZIP64_SIZE: Final = 20
_LONGEST_COMMENT: Final = 65_535
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError, struct.error)


def unpack(source: IO[bytes], folder: Path) -> Path:
    """Lay what came in out in an empty folder, and return the one to read the edital from.

    Raises ImportacaoIlegivel, ImportacaoGrandeDemais, ImportacaoRecusada (with every problem of its names), DiscoCheio.
    """
    try:
        if source.read(4) not in (b"PK\x03\x04", _END_MARK):
            source.seek(0)
            _write(_at_most(source, TAMANHO_MAXIMO + 1), folder / PRINCIPAL)  # the reading itself says that it is too large
            return folder
        _check_index(source)
        with zipfile.ZipFile(source) as archive:
            entries = _check_entries(archive)
            _extract(archive, entries, folder)
    except _BROKEN:
        raise _unreadable("zip_danificado", "O arquivo .zip está danificado; gere-o de novo e envie outra vez.") from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiscoCheio("O disco do servidor está cheio. Libere espaço e tente de novo; nada foi importado.") from None
        raise
    return _root_of(folder)


def _check_index(source: IO[bytes]) -> None:
    """Refuses an index that would not fit in memory: the library reads it whole, and trusts an extended end over a plain one."""
    size = source.seek(0, 2)
    start = max(0, size - _END.size - _LONGEST_COMMENT - _ZIP64_SIZE)
    source.seek(start)
    tail = source.read()
    at = tail.rfind(_END_MARK)
    if at < 0 or at + _END.size > len(tail):
        raise zipfile.BadZipFile
    _, _, _, _, total, index_bytes, _, _ = _END.unpack_from(tail, at)
    if tail[max(0, at - _ZIP64_SIZE) : at].startswith(_ZIP64_MARK) or total > ENTRADAS_MAXIMO or index_bytes > _INDEX_MAXIMO:
        raise _too_large(f"O arquivo .zip tem mais de {ENTRADAS_MAXIMO} arquivos, o limite: divida os projetos em mais de um edital.")
    source.seek(0)


def _check_entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files to extract. Raises before a byte of them is read where a name or a size will not do."""
    problems = Ocorrencias()
    entries = [one for one in archive.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX/")]
    times = Counter(one.filename for one in entries)
    folders = {parent for one in entries for parent in _parents(one.filename)}
    for one in entries:
        fault = _fault_of(one, repeated=times[one.filename] > 1, is_folder=one.filename in folders)
        if fault is not None:
            problems.add("arquivo_invalido", (one.filename,), fault)
    if problems.total:
        raise ImportacaoRecusada(_NOME, problems.as_tuple()[: LISTADOS_MAXIMO + 1], problems.total)
    return entries


def _fault_of(entry: zipfile.ZipInfo, *, repeated: bool, is_folder: bool) -> str | None:
    parts = entry.filename.split("/")
    if any(part in {"", ".", ".."} for part in parts) or "\\" in entry.filename or entry.filename[1:2] == ":":
        return "O nome leva para fora da pasta do edital; use só pastas dentro dela, separadas por `/`."
    if not entry.filename.isprintable() or any(len(part) > _NAME_MAXIMO for part in parts) or len(entry.filename) > 4 * _NAME_MAXIMO:
        return f"O nome tem caracteres invisíveis ou passa de {_NAME_MAXIMO} letras; renomeie o arquivo."
    if repeated or is_folder:
        return "Há outro arquivo, ou uma pasta, com este mesmo nome."
    if entry.flag_bits & _ENCRYPTED:
        return "O arquivo pede senha; gere o .zip sem senha."
    if entry.compress_type not in _METHODS:
        return "O arquivo foi comprimido de um jeito que não é lido aqui; gere o .zip com a compressão comum."
    if entry.file_size > _most_of(entry.filename):
        return f"O arquivo passa de {_most_of(entry.filename) // 1024**2} MB, o limite."
    return None


def _extract(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], folder: Path) -> None:
    left = DESCOMPACTADO_MAXIMO
    for entry in entries:
        target = folder / entry.filename
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as part:
            most = min(_most_of(entry.filename), left)
            written = _write(_at_most(part, most + 1), target)
        if written > most:  # whatever its header said
            raise _too_large(
                f"Descompactado, o edital passa de {DESCOMPACTADO_MAXIMO // 1024**3} GB, o limite, ou um arquivo passa do seu."
            )
        left -= written


def _root_of(folder: Path) -> Path:
    """Where the edital is: people zip the folder as often as what is in it."""
    inside = [path for path in folder.iterdir() if not path.name.startswith(".")]
    has_json = any(path.suffix.lower() == ".json" and path.is_file() for path in inside)
    return inside[0] if not has_json and len(inside) == 1 and inside[0].is_dir() else folder


def _write(chunks: Iterator[bytes], target: Path) -> int:
    with target.open("xb") as file:
        return sum(file.write(chunk) for chunk in chunks)


def _at_most(source: IO[bytes], most: int) -> Iterator[bytes]:
    while most > 0 and (chunk := source.read(min(_CHUNK, most))):
        most -= len(chunk)
        yield chunk


def _most_of(nome: str) -> int:
    return TAMANHO_MAXIMO if nome.lower().endswith(".json") else DOCUMENTO_MAXIMO


def _parents(nome: str) -> Iterator[str]:
    while "/" in nome:
        nome = nome.rpartition("/")[0]
        yield nome


def _too_large(mensagem: str) -> ImportacaoGrandeDemais:
    return ImportacaoGrandeDemais(_NOME, [Problem(mensagem, codigo="pacote_grande")])


def _unreadable(codigo: str, mensagem: str) -> ImportacaoIlegivel:
    return ImportacaoIlegivel(cite(_NOME), [Problem(mensagem, codigo=codigo)])


class SemArquivo(CrivoError):
    """A form without the file of an edital."""

    codigo: ClassVar[str] = "sem_arquivo"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta o arquivo do edital"


def consents(form: FormData) -> bool:
    """Whether a form says that people who were erased consented anew."""
    return form.get(CONSENT_FIELD) == YES


async def take_in(request: Request, sent: object, *, aceitar_apagados: bool, motivo: str = "") -> tuple[Importada, Importacao]:
    """The edital in the file of a form. Raises SemArquivo, and what reading and importing raise."""
    if not isinstance(sent, UploadFile) or not sent.size:
        raise SemArquivo(f"Envie no campo '{FILE_FIELD}' um .zip com edital.json e os documentos, ou só o JSON.")
    return await receive(request, sent.file, aceitar_apagados=aceitar_apagados, motivo=motivo)


async def receive(request: Request, received: IO[bytes], *, aceitar_apagados: bool, motivo: str = "") -> tuple[Importada, Importacao]:
    """Import the edital that came in, whole or not at all; `motivo` says why published rules change.

    Raises what reading and importing raise.
    """
    container = state_of(request).container
    container.settings.data_dir.mkdir(parents=True, exist_ok=True)
    with working_folder(container.settings.data_dir, "edital-") as folder:
        lida = await asyncio.to_thread(_read, received, folder)
        importada = await container.triagem.importar(scope_of(request), lida, aceitar_apagados=aceitar_apagados, motivo=motivo)
        return importada, await container.chamadas.conferir_importada(scope_of(request), lida)


async def bring(request: Request, edital_id: str, sent: object, *, retirar: bool, aceitar_apagados: bool) -> tuple[Importada, Importacao]:
    """The same as `bring_in`, of the file of a form. Raises SemArquivo too."""
    if not isinstance(sent, UploadFile) or not sent.size:
        raise SemArquivo("Escolha o arquivo dos projetos: um .zip com o JSON e os documentos, ou só o JSON.")
    return await bring_in(request, edital_id, sent.file, retirar=retirar, aceitar_apagados=aceitar_apagados)


async def bring_in(
    request: Request, edital_id: str, received: IO[bytes], *, retirar: bool, aceitar_apagados: bool
) -> tuple[Importada, Importacao]:
    """Bring the projects that came in into an edital, all or none; `retirar` takes out those that it has and that do not come.

    Raises EditalNotFound, and what reading and importing raise.
    """
    container, scope = state_of(request).container, scope_of(request)
    container.settings.data_dir.mkdir(parents=True, exist_ok=True)
    acolhedor, visto = await container.chamadas.acolher(scope, edital_id)
    with working_folder(container.settings.data_dir, "edital-") as folder:
        lida = await asyncio.to_thread(_read, received, folder, acolhedor)
        acolhida = Acolhida(visto, retirar)
        return await container.triagem.importar(scope, lida, aceitar_apagados=aceitar_apagados, acolhida=acolhida), lida


def _read(received: IO[bytes], folder: Path, acolhedor: Acolhedor | None = None) -> Importacao:
    return read_chamada(unpack(received, folder), folder, acolhedor)
