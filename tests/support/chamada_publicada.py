"""An edital with notas of people, as an import, and its result published by a person: what anybody may then open."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from msgspec.structs import replace

from chamadas import Importacao, importacao
from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Classificacao, Vagas
from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.edital import AvaliacaoDada, Avaliador
from crivo.triagem.publicacao.guardados import Publicada

RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
REGRAS = Classificacao(vagas=(Vagas("*", 1),), suplentes=1)


def com_notas(notas: Iterable[int]) -> Importacao:
    """A project for each nota, given by Rita in both critérios."""
    values = list(notas)
    given = importacao(len(values), avaliadores=(RITA,))
    edital = replace(given.chamada.edital, classificacao=REGRAS)
    dadas = [
        AvaliacaoDada(f"P{at:04}", RITA.email, {"C1": Decimal(nota), "C2": Decimal(nota)}, "Parecer de Rita.")
        for at, nota in enumerate(values, 1)
    ]
    return Importacao(replace(given.chamada, edital=edital, avaliacoes=tuple(dadas)), given.arquivos)


async def publish(container: Container, gestora: Scope, motivo: str = "", fase: FaseDoResultado = "preliminar") -> Publicada:
    """Publish what stands now as a result of ED-1."""
    seen = await container.resultados.rascunho(gestora, "ED-1", fase)
    return await container.resultados.publicar(gestora, "ED-1", fase, seen.sha256, motivo)
