"""Which política a command is about: a file, a folder, or the beginning of an id."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from crivo.cli.arquivos import STANDARD
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.guardadas import PoliticaGuardada
    from crivo.autorizacoes.politicas.service import Politicas

LARGEST_DOCUMENT: Final = 50_000_000
_DOCUMENTS: Final = (".json", ".yaml", ".yml")


class IdAmbiguo(CrivoError):
    """The beginning of an id that several políticas share."""

    codigo: ClassVar[str] = "id_ambiguo"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O começo do id serve a mais de uma política"


class PastaSemPolitica(CrivoError):
    """A folder in which there is not exactly one document."""

    codigo: ClassVar[str] = "pasta_sem_politica"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A pasta não tem uma política"


def is_file(named: str) -> bool:
    """Whether what was named is a file rather than the beginning of an id."""
    return named == STANDARD or Path(named).is_file() or Path(named).suffix.lower() in _DOCUMENTS


def formato_of(arquivo: str) -> Literal["json", "yaml"] | None:
    """The format that a file's name states."""
    suffix = arquivo.lower().rpartition(".")[2]
    return "json" if suffix == "json" else "yaml" if suffix in ("yaml", "yml") else None


def document_in(pasta: Path) -> Path:
    """The one document of a folder; its cases stand in `casos/`. Raises PastaSemPolitica."""
    found = sorted(file for file in pasta.iterdir() if file.is_file() and file.suffix.lower() in _DOCUMENTS) if pasta.is_dir() else []
    if len(found) != 1:
        what = "não há" if not found else f"há {len(found)} ({', '.join(file.name for file in found[:5])})"
        raise PastaSemPolitica(f"Em {pasta} deve haver um só arquivo .json ou .yaml, o da política, e os casos em casos/; {what}.")
    return found[0]


def case_files(pasta: Path) -> list[Path]:
    """The files of test cases of a folder, by name; those proposed and not yet accepted are none."""
    casos = pasta / "casos"
    return sorted(file for file in casos.iterdir() if file.is_file() and file.suffix.lower() in _DOCUMENTS) if casos.is_dir() else []


async def find_politica(politicas: Politicas, scope: Scope, beginning: str) -> PoliticaGuardada:
    """The one política whose id begins so. Raises PoliticaNotFound, IdAmbiguo."""
    from crivo.autorizacoes.politicas.service import PoliticaNotFound

    found = [politica for politica in await politicas.listar(scope) if str(politica.id).startswith(beginning.lower())]
    if not beginning or not found:
        raise PoliticaNotFound("Não há política com este id. Veja as que existem com 'crivo politicas listar'.")
    if len(found) > 1:
        raise IdAmbiguo(f"{len(found)} políticas têm id começado assim. Escreva mais dele.")
    return found[0]
