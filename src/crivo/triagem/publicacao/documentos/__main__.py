"""`python -m crivo.triagem.publicacao.documentos`, as `Impressora` starts it: a document comes in, its PDF goes out, and nothing else."""

from __future__ import annotations

import os
import resource
import sys
from typing import Final

import msgspec

from crivo.triagem.documentos.tesseract import die_with_parent
from crivo.triagem.publicacao.documentos.em_pdf import compose
from crivo.triagem.publicacao.documentos.folha import Folha

_CPU_SECONDS: Final = 120
_MEMORY_BYTES: Final = 4 * 1024**3


def main() -> None:
    """Make one PDF, within limits that the system keeps."""
    die_with_parent()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library may print is no document
    for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CPU, _CPU_SECONDS)):
        resource.setrlimit(limit, (value, value))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    folha = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Folha)
    with out:
        out.write(compose(folha))


if __name__ == "__main__":
    main()
