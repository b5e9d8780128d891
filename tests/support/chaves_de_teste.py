"""The keys that every test of one run shares, under a master key that seals nothing else."""

from __future__ import annotations

import os
import tempfile
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

from crivo.kernel.sigilo import Cofre
from crivo.kernel.sigilo.destruidas import Destruidas

MESTRA = sha256(b"a chave mestra dos testes").digest()
PASTA = Path(tempfile.gettempdir()) / f"crivo-chaves-{os.getpid()}"  # of the list of destroyed keys
CHAVE_MESTRA = b64encode(MESTRA).decode()  # as CRIVO_CHAVE_MESTRA has it


@cache
def cofre_de_teste() -> Cofre:
    """One keeper for the process; its list of destroyed keys is in a folder of its own."""
    return Cofre(MESTRA, Destruidas(PASTA))
