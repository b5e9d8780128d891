"""Projects of the sample call graded by a model, beside the notas that people gave them there."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from crivo.gravadas.medidas import Medida, counted, spread
from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.port import Modelo
from crivo.kernel.tenancy import Scope
from crivo.triagem import amostra
from crivo.triagem.achados import NotaSugerida
from crivo.triagem.avaliacao.avaliador import AvaliadorModelo
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada, Criterio

_ORIGEM: Final = "avaliar-modelo:notas"
_SAMPLES: Final = 3
_AGREE: Final = Decimal("0.10")  # of the range, among readings of one model
_NEAR: Final = Decimal("0.20")  # of the range, from the mean of people

Dada = tuple[str, Criterio, NotaSugerida]  # a project's id, by what it is graded, and the nota


async def graded(modelo: Modelo, scope: Scope, how_many: int, on_case: Callable[[], None]) -> list[Medida]:
    """Some projects of the sample, evenly out of all, by every critério, three readings each."""
    if not how_many:
        return []
    with TemporaryDirectory(prefix="crivo-gravadas-") as folder:
        chamada = msgspec.json.decode(amostra.write_sample(Path(folder)).read_bytes(), type=Chamada)
    edital = msgspec.structs.replace(chamada.edital, amostras=_SAMPLES)
    avaliador, nonce = AvaliadorModelo(modelo), new_nonce()
    dadas: list[Dada] = []
    for projeto in spread(chamada.projetos, how_many):
        notas = await avaliador.avaliar(scope, edital, chamada.criterios, ProjetoLido(projeto), _ORIGEM, nonce)
        dadas += [(projeto.id, criterio, nota) for criterio, nota in zip(chamada.criterios, notas, strict=True)]
        on_case()
    given = [dada for dada in dadas if _has_nota(dada)]
    read = [dada for dada in dadas if len(dada[2].amostras) > 1]
    people = _of_people()
    known = [dada for dada in given if (dada[0], dada[1].id) in people]
    return [
        counted("triagem", "critérios com nota", dadas, _has_nota, "Os outros: sem resposta, ou nota suspensa"),
        counted("triagem", "notas com citação encontrada", given, lambda dada: bool(dada[2].evidencias), "Palavra por palavra, no projeto"),
        counted("triagem", "leituras que concordam", read, _agrees, f"{_SAMPLES} leituras, da maior à menor no máximo 10 % da escala"),
        counted(
            "triagem",
            "notas perto das de pessoas",
            known,
            lambda dada: _is_near(dada, people[dada[0], dada[1].id]),
            "No máximo 20 % da escala longe da média das notas da amostra",
        ),
    ]


def _has_nota(dada: Dada) -> bool:
    return dada[2].nota_sugerida is not None


def _agrees(dada: Dada) -> bool:
    _, criterio, nota = dada
    return max(nota.amostras) - min(nota.amostras) <= _AGREE * (criterio.nota_max - criterio.nota_min)


def _is_near(dada: Dada, people: Decimal) -> bool:
    _, criterio, nota = dada
    return nota.nota_sugerida is not None and abs(nota.nota_sugerida - people) <= _NEAR * (criterio.nota_max - criterio.nota_min)


def _of_people() -> dict[tuple[str, str], Decimal]:
    """The mean of the notas that the sample's people gave, by project and critério."""
    given: dict[tuple[str, str], list[Decimal]] = {}
    for avaliacao in amostra.done()["avaliacoes"]:
        for criterio, nota in avaliacao["notas"].items():
            given.setdefault((avaliacao["projeto"], criterio), []).append(Decimal(str(nota)))
    return {key: mean(notas) for key, notas in given.items()}
