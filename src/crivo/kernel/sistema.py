"""What the operating system refused, as people read it."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Final

_COMMON: Final[Mapping[int, str]] = {
    errno.ENOENT: "não existe",
    errno.ENOTDIR: "não existe: parte do caminho não é uma pasta",
    errno.EISDIR: "é uma pasta, e não um arquivo",
    errno.EACCES: "não pode ser aberto: falta permissão",
    errno.EPERM: "não pode ser aberto: falta permissão",
    errno.EROFS: "está em um disco só de leitura",
    errno.ENOSPC: "não coube: o disco está cheio",
    errno.EDQUOT: "não coube: a cota de disco acabou",
    errno.ENAMETOOLONG: "tem um nome longo demais",
}


def explain(error: OSError) -> str:
    """What the system refused, in words."""
    return _COMMON.get(error.errno or 0, f"não pode ser usado ({error.strerror or type(error).__name__})")
