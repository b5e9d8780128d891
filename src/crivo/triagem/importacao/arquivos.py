"""The document files of an import: found inside its folder and nowhere else, and read only when asked."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.dobra import composed
from crivo.triagem.importacao.relato import Relato

DOCUMENTO_MAXIMO: Final = 50 * 1024 * 1024
_ABSENT: Final = "aponta para um arquivo que não está na pasta"
_MENDED: Final = "; ponha-o lá, ou corrija o nome e o caminho a partir da pasta do JSON"
_OUTSIDE: Final = "leva para fora da pasta do edital; copie o arquivo para dentro dela"


class ArquivoMudou(CrivoError):
    """A document that is no longer what the import found."""

    codigo: ClassVar[str] = "arquivo_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Um arquivo mudou durante a importação"

    def __init__(self) -> None:
        super().__init__("Um arquivo mudou ou sumiu depois de conferido. Importe de novo, sem mexer na pasta enquanto isso.")


@dataclass(frozen=True, slots=True)
class Arquivo:
    """A document of the import; `nome` is how its projetos call it. Its bytes stay on disk until they are read."""

    nome: str
    tamanho_bytes: int
    _lugar: Path = field(repr=False)

    def read(self) -> bytes:
        """The whole content. Raises ArquivoMudou where it is no longer the file that was found."""
        try:
            descriptor = os.open(self._lugar, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise ArquivoMudou from error
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            content = file.read(self.tamanho_bytes + 1) if stat.S_ISREG(found.st_mode) else b""
        if len(content) != self.tamanho_bytes:
            raise ArquivoMudou
        return content


class Pasta:
    """The folder from which an import names its files."""

    def __init__(self, raiz: Path, relato: Relato) -> None:
        self._raiz = raiz.resolve()
        self._relato = relato
        self._folders = cache(self._resolve_folder)
        self._listings = cache(self._list_folder)
        self._found: dict[str, Arquivo | None] = {}
        self._by_folded: dict[str, str] = {}

    def check(self, nome: str, caminho: Caminho) -> None:
        """Finds the file of this name, or tells why not; each name is looked for once, and told wherever it stands."""
        fault = _fault_of_name(nome)
        if fault is not None:
            self._relato.fail("arquivo_invalido", caminho, fault)
            return
        if self._by_folded.setdefault(_folded(nome), nome) != nome:
            mensagem = "tem o nome de outro arquivo com maiúsculas, minúsculas ou acentos diferentes; em muitos computadores seriam um só"
            self._relato.fail("arquivo_ambiguo", caminho, mensagem)
        elif self._found.get(nome) is None:
            self._found[nome] = self._find(nome, caminho)

    def arquivos(self) -> Mapping[str, Arquivo]:
        """All that were found, by name."""
        return {nome: arquivo for nome, arquivo in self._found.items() if arquivo is not None}

    def _find(self, nome: str, caminho: Caminho) -> Arquivo | None:
        parent, _, last = nome.rpartition("/")
        folder = self._folders(parent)
        if folder is None or not folder.is_relative_to(self._raiz):
            fora = folder is not None
            self._relato.fail("arquivo_fora_da_pasta" if fora else "arquivo_ausente", caminho, _OUTSIDE if fora else _ABSENT + _MENDED)
            return None
        try:
            place = folder / last
            found = place.lstat()
            if stat.S_ISLNK(found.st_mode):
                place = place.resolve(strict=True)
                found = place.lstat()
        except FileNotFoundError:
            return self._find_alike(nome, folder, last, caminho)
        except (OSError, RuntimeError):  # RuntimeError: links that go in a circle
            self._relato.fail("arquivo_invalido", caminho, "aponta para um arquivo que não pode ser aberto; confira o nome e as permissões")
            return None
        return self._accept(nome, place, found, caminho)

    def _find_alike(self, nome: str, folder: Path, last: str, caminho: Caminho) -> Arquivo | None:
        """A name whose accents are written in the other of Unicode's two ways is the same name; one in another case is not."""
        alike = [] if self._relato.problemas.cheia else self._listings(folder).get(_folded(last), [])
        for name in alike:
            if composed(name) == composed(last) and name != last:
                return self._accept(nome, folder / name, (folder / name).lstat(), caminho)
        hint = "; há um cujo nome só difere em maiúsculas e minúsculas" if alike else _MENDED
        self._relato.fail("arquivo_ausente", caminho, _ABSENT + hint)
        return None

    def _accept(self, nome: str, place: Path, found: os.stat_result, caminho: Caminho) -> Arquivo | None:
        if not place.is_relative_to(self._raiz):
            self._relato.fail("arquivo_fora_da_pasta", caminho, _OUTSIDE)
        elif not stat.S_ISREG(found.st_mode):
            self._relato.fail("arquivo_invalido", caminho, "aponta para algo que não é um arquivo")
        elif found.st_size > DOCUMENTO_MAXIMO:
            limite = DOCUMENTO_MAXIMO // 1024**2
            self._relato.fail("arquivo_grande", caminho, f"aponta para um arquivo de mais de {limite} MB, o limite de um documento")
        else:
            return Arquivo(nome, found.st_size, place)
        return None

    def _resolve_folder(self, parent: str) -> Path | None:
        try:
            return (self._raiz / parent).resolve(strict=True)
        except (OSError, RuntimeError):
            return None

    def _list_folder(self, folder: Path) -> Mapping[str, list[str]]:
        names: dict[str, list[str]] = {}
        for place in folder.iterdir():
            names.setdefault(_folded(place.name), []).append(place.name)
        return names


def _folded(nome: str) -> str:
    return composed(nome).casefold()


def _fault_of_name(nome: str) -> str | None:
    if not nome.strip():
        return "não pode ficar em branco"
    if "\\" in nome:
        return "deve separar as pastas com `/`, e não com `\\`"
    if "://" in nome:
        return "é um endereço da internet; baixe o arquivo para a pasta do edital e indique o caminho dele"
    if nome.startswith(("/", "~")) or nome[1:2] == ":":
        return "deve ser um caminho a partir da pasta do JSON, e não do computador"
    if any(part in {"", ".", ".."} for part in nome.split("/")):
        return "não pode ter `..`, `.` nem `//`: os arquivos ficam dentro da pasta do edital"
    return None


def check_arquivos(lido: dict[str, Any], pasta: Pasta) -> None:
    """Looks for every document that the projetos name."""
    for indice, projeto in enumerate(lido.get("projetos") or ()):
        for posicao, documento in enumerate((projeto or {}).get("documentos") or ()):
            nome = (documento or {}).get("arquivo")
            if isinstance(nome, str):
                pasta.check(nome, ("projetos", indice, "documentos", posicao, "arquivo"))
