"""What may go wrong between an installation, its copy and the place that it comes back to."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind

_NOTHING: str = "Nada foi mudado."


class NaoECopia(CrivoError):
    """The file is no copy of crivo at all."""

    codigo: ClassVar[str] = "nao_e_copia"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "O arquivo não é uma cópia do crivo"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} não foi feito por 'crivo banco backup'. Confira o nome do arquivo. {_NOTHING}")


class CopiaDanificada(CrivoError):
    """The file is a copy, and not as it was written: cut short, altered, or put together from others."""

    codigo: ClassVar[str] = "copia_danificada"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "A cópia está danificada"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} Busque o arquivo de novo de onde ele foi guardado, ou use outra cópia. {_NOTHING}")


class CopiaMaisNova(CrivoError):
    """The copy was written by a newer program, in a way or of a schema that this one does not know."""

    codigo: ClassVar[str] = "copia_mais_nova"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A cópia é de um crivo mais novo"

    def __init__(self, theirs: str, ours: str) -> None:
        super().__init__(
            f"Esta cópia está na versão {theirs}, e este crivo conhece até a {ours}. Atualize o crivo e restaure com ele. {_NOTHING}"
        )


class ChaveDaCopiaErrada(CrivoError):
    """The key of copies is away, or not the one that this copy was sealed under."""

    codigo: ClassVar[str] = "chave_da_copia_errada"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "A chave da cópia não serve"


class FaltamChaves(CrivoError):
    """A key that what comes back is sealed under is not at hand, or is another one."""

    codigo: ClassVar[str] = "faltam_chaves"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Faltam chaves para abrir o que seria restaurado"


class ArquivoDeChavesRuim(CrivoError):
    """What was given as a file of keys is none, is cut, or cannot be read."""

    codigo: ClassVar[str] = "arquivo_de_chaves_ruim"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "O arquivo de chaves não serve"


class ChavesIncompletas(CrivoError):
    """The keys were to be guarded, and one that something is sealed under would not be among them."""

    codigo: ClassVar[str] = "chaves_incompletas"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "As chaves não foram guardadas"


class LugarOcupado(CrivoError):
    """Something stands where a copy would come back to."""

    codigo: ClassVar[str] = "lugar_ocupado"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O lugar não está vazio"


class OutraRestauracao(CrivoError):
    """Somebody else is bringing a copy back to the same place right now."""

    codigo: ClassVar[str] = "outra_restauracao"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Outra restauração está em andamento"

    def __init__(self) -> None:
        super().__init__(f"Outro processo restaura uma cópia, ou prepara o banco, neste mesmo lugar. Espere que termine. {_NOTHING}")


class RestauracaoPelaMetade(CrivoError):
    """A copy was coming back here, and did not arrive."""

    codigo: ClassVar[str] = "restauracao_pela_metade"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Uma restauração ficou pela metade"


class CopiaNaoGravada(CrivoError):
    """The file of a copy could not be written, or what it is made from could not be read."""

    codigo: ClassVar[str] = "copia_nao_gravada"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Não foi possível gravar a cópia"


class ChavesNaCopia(CrivoError):
    """The keys were to be written where the copy is."""

    codigo: ClassVar[str] = "chaves_na_copia"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "As chaves vão em outro arquivo"

    def __init__(self) -> None:
        super().__init__("A cópia e as chaves iriam para o mesmo arquivo. Dê outro a --chaves, de preferência em outro disco.")


class RestauracaoImpossivel(CrivoError):
    """The database or the folder does not take what the copy holds."""

    codigo: ClassVar[str] = "restauracao_impossivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Não foi possível restaurar"


class NadaACopiar(CrivoError):
    """There is no installation here yet."""

    codigo: ClassVar[str] = "nada_a_copiar"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Ainda não há o que copiar"
