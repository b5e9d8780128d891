"""The labelled call, and the sample that comes with the product, each screened and held against its key."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from crivo.kernel.taxas import Taxa, taxa
from crivo.triagem import amostra
from crivo.triagem.achados import Irregularidade
from crivo.triagem.conferencia import Caso, Conferencia, Gabarito, compare
from crivo.triagem.edital import Chamada
from edital_rotulado import EditalRotulado, Metade, build_edital
from edital_rotulado.triado import judge, read_projects, readable_here

DE_TEXTO: Final = frozenset({"texto_oculto", "texto_instrucional"})
_CAMPOS: Final = ("resumo", "descricao_tecnica")


@dataclass(frozen=True, slots=True)
class Medida:
    """A labelled call held against its key. `alarmes`: honest documents and fields flagged as hiding or instructing text, of them all."""

    conferencia: Conferencia
    alarmes: Taxa

    @property
    def faults(self) -> tuple[Caso, ...]:
        """What did not come out as labelled."""
        return tuple(caso for caso in self.conferencia.casos if not caso.certo)


def measure(metade: Metade) -> Medida:
    """Screen one half as a worker does, and hold it against its key."""
    edital = build_edital(metade)
    resultado = judge(edital.chamada, asyncio.run(read_projects(edital.chamada, edital.arquivos)))
    conferencia = compare(resultado, readable_here(edital.gabarito, edital.fotografados))
    return Medida(conferencia, false_alarms(edital, resultado.irregularidades))


def false_alarms(edital: EditalRotulado, found: Sequence[Irregularidade]) -> Taxa:
    """Honest documents and fields flagged as hiding or instructing text, of all that are honest."""
    planted = {(one.projetos[0], one.arquivo or one.campo) for one in edital.gabarito.irregularidades if one.tipo in DE_TEXTO}
    flagged = {(one.projetos[0], one.arquivo or one.campo) for one in found if one.tipo in DE_TEXTO}
    places = {(projeto.id, documento.arquivo) for projeto in edital.chamada.projetos for documento in projeto.documentos}
    places |= {(projeto.id, campo) for projeto in edital.chamada.projetos for campo in _CAMPOS}
    return taxa(len(flagged - planted), len(places - planted))


def measure_sample() -> Conferencia:
    """The sample against its own key."""
    with TemporaryDirectory() as folder:
        path = amostra.write_sample(Path(folder))
        chamada = msgspec.json.decode(path.read_bytes(), type=Chamada)
        sent = [documento.arquivo for projeto in chamada.projetos for documento in projeto.documentos]
        arquivos = {arquivo: (path.parent / arquivo).read_bytes() for arquivo in sent}
    resultado = judge(chamada, asyncio.run(read_projects(chamada, arquivos)))
    return compare(resultado, msgspec.convert(amostra.gabarito(), Gabarito))
