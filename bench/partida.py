"""How long a person waits: for the first help text, and for a server on a database that exists."""

from __future__ import annotations

import subprocess
from pathlib import Path
from statistics import median
from typing import Final

from bench.instalacao import Instalacao, python
from bench.linhas import Linha, Meta, measured
from bench.medida import interleaved
from bench.servidor import Servidor

META_AJUDA: Final = Meta("<=", 0.3, "nosso")
META_SERVIR: Final = Meta("<=", 3, "nosso")


def run(instalacao: Instalacao, rodadas: int) -> list[Linha]:
    """Seconds of `crivo --help`, beside a Python that does nothing, and of `crivo servir` until it is ready."""
    return [_help(rodadas, instalacao.pasta), _serve(instalacao, rodadas)]


def _help(rodadas: int, pasta: Path) -> Linha:
    def command(*arguments: str) -> None:
        subprocess.run(python(*arguments), check=True, stdout=subprocess.DEVNULL, cwd=pasta)

    nosso, par = interleaved(rodadas, lambda: command("-m", "crivo", "--help"), lambda: command("-c", ""))
    return measured(
        "crivo --help × Python vazio", "s", nosso, par, meta=META_AJUDA, execucoes=rodadas, nota="Do começo ao fim do processo."
    )


def _serve(instalacao: Instalacao, rodadas: int) -> Linha:
    taken = []
    for _ in range(rodadas):
        servidor = Servidor(instalacao)
        try:
            taken.append(servidor.start())
        finally:
            servidor.stop()
    nota = "Até /readyz responder 200; inclui subir o PostgreSQL embutido, que estava parado."
    return measured("crivo servir em banco existente", "s", median(taken), None, meta=META_SERVIR, execucoes=rodadas, nota=nota)
