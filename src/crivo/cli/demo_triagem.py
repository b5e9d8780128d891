"""The demo on triagem: the sample call imported, screened, and held against what was planted in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from crivo.cli import demo_pessoas, demo_resultado, triagem
from crivo.cli.saida import say
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.cli.demo_resultado import Listado
    from crivo.triagem.achados import Resultado
    from crivo.triagem.andamento import Execucao
    from crivo.triagem.conferencia import Conferencia
    from crivo.triagem.custeio import Estimativa


@dataclass(frozen=True, slots=True)
class Triado:
    """All that the demo did with the sample call."""

    estimativa: Estimativa
    execucao: Execucao
    resultado: Resultado
    conferencia: Conferencia
    listado: Listado

    @property
    def holds(self) -> bool:
        """Whether the run was finished and found all that was planted, and nothing else."""
        return self.execucao.status == "concluida" and all(caso.certo for caso in self.conferencia.casos)


async def demonstrate(container: Container, scope: Scope, *, quiet: bool) -> Triado:
    """Import the sample call, screen it, compare, and publish its list; what an earlier run found is not looked for again.

    What people did in it comes once: a later run leaves what was done here since as it is.
    """
    import msgspec

    from crivo.triagem import amostra
    from crivo.triagem.conferencia import Gabarito, compare
    from crivo.triagem.importacao import read_chamada

    known = {one.edital_id for one in await container.triagem.editais(scope)}
    feito = None if amostra.EDITAL in known else amostra.done()
    with TemporaryDirectory(prefix="crivo-edital-") as folder:
        path = await asyncio.to_thread(amostra.write_sample, Path(folder), feito=feito)
        importada = await container.triagem.importar(scope, await asyncio.to_thread(read_chamada, path))
    estimativa = await container.triagem.estimar(scope, importada.edital_id)
    begun = await container.triagem.executar(scope, importada.edital_id)
    execucao = await triagem.run(container, scope, begun, quiet=quiet)
    resultado = await container.triagem.resultado(scope, importada.edital_id, execucao.id)
    conferencia = compare(resultado, msgspec.convert(amostra.gabarito(), Gabarito))
    gestora, outra = [await demo_pessoas.acting(container, scope, one) for one in (demo_pessoas.GESTORA, demo_pessoas.ADMINISTRADORA)]
    listado = await demo_resultado.demonstrate(container, scope, gestora, outra, importada.edital_id)
    return Triado(estimativa, execucao, resultado, conferencia, listado)


def show(triado: Triado) -> None:
    """Print the estimate, the run, the three tables, how they compare with what was planted, and the preliminary list."""
    from crivo.cli.mostra_triagem import show_estimate, show_execucao, show_resultado

    say("\nUm edital inventado, com documentos e irregularidades plantadas")
    show_estimate(triado.estimativa)
    show_execucao(triado.execucao)
    show_resultado(triado.resultado)
    wrong = [caso.id for caso in triado.conferencia.casos if not caso.certo]
    total = len(triado.conferencia.casos)
    say(
        f"✓ Tudo o que foi plantado foi achado, e nada mais: {total} conferências."
        if not wrong
        else f"✕ Diferente do plantado: {'; '.join(wrong)}."
    )
    demo_resultado.show(triado.listado)


def value(triado: Triado) -> dict[str, Any]:
    """The same, for machines."""
    return {
        "edital_id": triado.resultado.edital_id,
        "execucao": triado.execucao,
        "metricas": triado.conferencia.metricas,
        "divergentes": [caso.id for caso in triado.conferencia.casos if not caso.certo],
        "lugares": Counter(linha.lugar.situacao for linha in triado.listado.conteudo.linhas),
    }
