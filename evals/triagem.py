"""Screening held against two answer keys: a labelled call of its own, written apart from the product, and the sample that comes with it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from bench.linhas import Linha, Meta, measured

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))  # where the labelled set lives, outside the product

from crivo.kernel.taxas import Taxa, taxa
from crivo.triagem import amostra
from crivo.triagem.achados import Irregularidade
from crivo.triagem.conferencia import Caso, Conferencia, Gabarito, compare
from crivo.triagem.edital import Chamada
from edital_rotulado import EditalRotulado, Metade, build_edital
from edital_rotulado.triado import judge, read_projects, readable_here

ITENS: Final = Meta(">=", 0.98)
SINAIS: Final = Meta(">=", 0.95)
ALARMES: Final = Meta("<=", 0.02)
TUDO: Final = Meta(">=", 1)
_DE_TEXTO: Final = frozenset({"texto_oculto", "texto_instrucional"})
_CAMPOS: Final = ("resumo", "descricao_tecnica")
_SHOWN: Final = 4


@dataclass(frozen=True, slots=True)
class Medida:
    """A labelled call held against its key. `alarmes`: honest documents and fields flagged as hiding or instructing text, of all of them."""

    conferencia: Conferencia
    alarmes: Taxa

    @property
    def ocultos(self) -> Taxa:
        """How many of the planted hidden and instructing passages were found, both kinds together."""
        found = [self.conferencia.metricas.irregularidades[tipo].cobertura for tipo in sorted(_DE_TEXTO)]
        return taxa(sum(one.certos for one in found), sum(one.total for one in found))

    @property
    def faults(self) -> tuple[Caso, ...]:
        """What did not come out as labelled."""
        return tuple(caso for caso in self.conferencia.casos if not caso.certo)


def screening() -> list[Linha]:
    """The rows of both halves of the labelled call and of the sample."""
    rules = measure("ajuste").conferencia.metricas.itens
    relato = measure("relato")
    return [
        *rows_of(relato),
        _row("habilitação: itens, na metade em que se corrigem regras", "itens", rules, None, "Para comparar com a outra metade."),
        sample(),
    ]


def measure(metade: Metade) -> Medida:
    """Screen one half as a worker does, and hold it against its key."""
    edital = build_edital(metade)
    resultado = judge(edital.chamada, asyncio.run(read_projects(edital.chamada, edital.arquivos)))
    conferencia = compare(resultado, readable_here(edital.gabarito, edital.fotografados))
    return Medida(conferencia, false_alarms(edital, resultado.irregularidades))


def false_alarms(edital: EditalRotulado, found: Sequence[Irregularidade]) -> Taxa:
    """Honest documents and fields flagged as hiding or instructing text, of all that are honest."""
    planted = {(one.projetos[0], one.arquivo or one.campo) for one in edital.gabarito.irregularidades if one.tipo in _DE_TEXTO}
    flagged = {(one.projetos[0], one.arquivo or one.campo) for one in found if one.tipo in _DE_TEXTO}
    places = {(projeto.id, documento.arquivo) for projeto in edital.chamada.projetos for documento in projeto.documentos}
    places |= {(projeto.id, campo) for projeto in edital.chamada.projetos for campo in _CAMPOS}
    return taxa(len(flagged - planted), len(places - planted))


def rows_of(medida: Medida) -> list[Linha]:
    """The figures that have a target, then the rest."""
    metricas = medida.conferencia.metricas
    reuso = metricas.irregularidades["texto_reutilizado"]
    others = {tipo: acerto for tipo, acerto in metricas.irregularidades.items() if tipo not in {*_DE_TEXTO, "texto_reutilizado"}}
    return [
        _row("habilitação: itens", "itens", metricas.itens, ITENS, _told(medida.faults)),
        _row("habilitação: sugestão por projeto", "projetos", metricas.habilitacao, None),
        _row("habilitação: documentos completos", "projetos", metricas.docs_completos, None),
        _row("edital rotulado, texto reutilizado: revocação", "pares", reuso.cobertura, SINAIS),
        _row("edital rotulado, texto reutilizado: precisão", "pares", reuso.precisao, SINAIS),
        _row("texto oculto ou instrucional: revocação", "sinais", medida.ocultos, SINAIS),
        _row("texto oculto ou instrucional: alarmes falsos", "documentos e campos honestos", medida.alarmes, ALARMES),
        *(_row(f"{tipo}: revocação", "sinais", acerto.cobertura, None) for tipo, acerto in others.items()),
        *(_row(f"{tipo}: precisão", "sinais", acerto.precisao, None) for tipo, acerto in others.items()),
    ]


def sample() -> Linha:
    """The sample call against its own key, in which nothing may be wrong."""
    with TemporaryDirectory() as folder:
        path = amostra.write_sample(Path(folder))
        chamada = msgspec.json.decode(path.read_bytes(), type=Chamada)
        arquivos = _files(chamada, path.parent)
    resultado = judge(chamada, asyncio.run(read_projects(chamada, arquivos)))
    casos = compare(resultado, msgspec.convert(amostra.gabarito(), Gabarito)).casos
    right = taxa(sum(caso.certo for caso in casos), len(casos))
    return _row("amostra contra o seu gabarito", "casos", right, TUDO, _told([caso for caso in casos if not caso.certo]))


def _files(chamada: Chamada, folder: Path) -> Mapping[str, bytes]:
    return {d.arquivo: (folder / d.arquivo).read_bytes() for projeto in chamada.projetos for d in projeto.documentos}


def _row(linha: str, unidade: str, found: Taxa, meta: Meta | None, nota: str = "") -> Linha:
    low, high = (f"{100 * (bound or 0):.1f}".replace(".", ",") for bound in (found.de, found.ate))
    interval = f"Intervalo de 95 % (Wilson): {low} % a {high} %."
    return measured(linha, unidade, found.certos, found.total, meta=meta, execucoes=found.total, nota=f"{interval} {nota}".strip())


def _told(faults: Sequence[Caso]) -> str:
    """The first of what went wrong, by name."""
    more = f" e mais {len(faults) - _SHOWN}" if len(faults) > _SHOWN else ""
    return f"Não conferem: {', '.join(fault.id for fault in faults[:_SHOWN])}{more}." if faults else ""
