"""What goes out of some projects alone: those that somebody marked, with what was found of them and what people concluded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from crivo.triagem.achados import ProjetoTriado, Resultado
from crivo.triagem.conclusoes import Concluido
from crivo.triagem.edital import Chamada


def only(resultado: Resultado, concluido: Concluido, codigos: Sequence[str]) -> tuple[Resultado, Concluido]:
    """The same of these projects alone, in the order in which they were found; one that was never screened has a line that says so.

    A sign or a case belongs to it where one of its projects does.
    """
    kept = set(codigos)
    found = [one for one in resultado.projetos if one.projeto_id in kept]
    unseen = sorted(kept - {one.projeto_id for one in found})
    triados = (*found, *[ProjetoTriado(one, None, "", None, (), ()) for one in unseen])
    sinais = tuple([one for one in resultado.irregularidades if kept & set(one.projetos)])
    mine = replace(
        concluido,
        decisoes={codigo: one for codigo, one in concluido.decisoes.items() if codigo in kept},
        desfeitas={codigo: those for codigo, those in concluido.desfeitas.items() if codigo in kept},
        avaliacoes=[one for one in concluido.avaliacoes if one.projeto_id in kept],
        casos=[one for one in concluido.casos if kept & set(one.projetos)],
        recursos=[one for one in concluido.recursos if one.projeto_id in kept],
        ranking=[one for one in concluido.ranking if one.codigo in kept],
    )
    return msgspec.structs.replace(resultado, projetos=triados, irregularidades=sinais), mine


def known_in(chamada: Chamada, codigos: Sequence[str]) -> tuple[str, ...]:
    """Those of the codes that are projects in force, each once, in the order of the call."""
    asked = set(codigos)
    return tuple([one.id for one in chamada.projetos if one.id in asked])
