"""How much of one file is read: what passes is cut off or said to be too large, never swallowed."""

from __future__ import annotations

from typing import Final

from crivo.triagem.edital import Value


class Limites(Value, frozen=True):
    """Limits for one file. Sizes in bytes, times in seconds; `segundos` by the clock on the wall, `segundos_cpu` of one process.

    Pages past `max_paginas` and text past `max_letras` are left unread, and `total_paginas` still says how many there are.
    """

    max_bytes: int = 50_000_000
    max_paginas: int = 200
    max_paginas_ocr: int = 12
    max_letras: int = 2_000_000
    max_pixels: int = 250_000_000  # of one image; an A0 sheet scanned at 300 dpi has 140 million
    max_entradas: int = 10_000  # of a package (DOCX, XLSX, ODT)
    max_parte: int = 40_000_000  # one part of a package, decompressed
    max_descompactado: int = 200_000_000  # all parts of a package
    max_razao: int = 250  # decompressed over compressed, for a part of a megabyte or more
    segundos: float = 90.0
    segundos_cpu: int = 45
    segundos_ocr: float = 70.0  # of `segundos`, for the images of a file; those that are left then stay unread
    memoria: int = 1_000_000_000  # that a reader may take beyond its own


PADRAO: Final = Limites()
