"""What a model is asked of one critério: edital and project first, the same for every critério of a project, the critério last.

Source: design, Avaliação ("providers' prompt caches serve the shared prefix").
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from crivo.kernel.agents.prompts import Prompt, load_prompt
from crivo.kernel.llm.port import Dado, Parte
from crivo.triagem.avaliacao.material import Material, Parcial
from crivo.triagem.edital import Criterio, Edital, Nivel

AGENTE: Final = "triagem.criterio"
_MOST_OF_AN_EDITAL: Final = 12_000
_PARCIAIS: Final[Mapping[Parcial, str]] = {
    "frases": "Pode faltar acima alguma frase do projeto. O que não está acima não conta contra nem a favor dele.",
    "partes": (
        "O que está acima são partes do projeto, e não o projeto inteiro. O que não está nelas não conta contra nem a favor: "
        "dê a nota que estas partes sustentam."
    ),
}


def criterio_prompt() -> Prompt:
    """The prompt of the agent that grades."""
    return load_prompt("crivo.triagem", "criterio.md")


def edital_parts(edital: Edital) -> tuple[Parte, ...]:
    """The edital, the same for every question of a run; where it is too long, how much of it is there."""
    told = edital_text(edital)
    begin = Dado("edital", told[:_MOST_OF_AN_EDITAL])
    if len(told) <= _MOST_OF_AN_EDITAL:
        return (begin,)
    return begin, f"O edital tem {len(told)} caracteres; acima estão os primeiros {_MOST_OF_AN_EDITAL}."


def common_parts(edital: Edital, material: Material) -> tuple[Parte, ...]:
    """What every critério of a project is asked after: the edital, then the project, and that it is not all of it where it is not.

    What stayed out, and why, is not hinted at: two readings to be compared are told the same.
    """
    parts: list[Parte] = [*edital_parts(edital), *(Dado(secao.rotulo, secao.texto) for secao in material.secoes)]
    if material.parcial:
        parts.append(_PARCIAIS[material.parcial])
    if material.deixados:
        left = "\n".join(f"- {one}" for one in material.deixados)
        parts.append(f"Ficou fora desta leitura, e não conta contra nem a favor do projeto:\n{left}")
    return tuple(parts)


def criterio_parts(criterio: Criterio) -> tuple[Parte, ...]:
    """The critério with its anchors, and what is asked."""
    low, high = nota_text(criterio.nota_min), nota_text(criterio.nota_max)
    return (Dado("critério", criterio_text(criterio)), f"Avalie o projeto acima só por este critério. A nota vai de {low} a {high}.")


def alien_texts(edital: Edital, criterio: Criterio) -> tuple[str, str]:
    """What a question holds that is not of the project."""
    return edital_text(edital), criterio_text(criterio)


def edital_text(edital: Edital) -> str:
    """The edital as it is read: name, who publishes it, aim and text."""
    told = (f"Edital: {edital.nome}", edital.orgao, f"Objetivo: {edital.objetivo}" if edital.objetivo else "", edital.texto)
    return "\n".join(one for one in told if one)


def criterio_text(criterio: Criterio) -> str:
    """The critério as it is read: name, description, range and up to three anchors."""
    lines = [f"Critério: {criterio.nome}", criterio.descricao, f"Nota: de {nota_text(criterio.nota_min)} a {nota_text(criterio.nota_max)}"]
    lines += [f"Nível {nota_text(nivel.nota)}: {nivel.descricao}" for nivel in anchors(criterio)]
    return "\n".join(line for line in lines if line)


def anchors(criterio: Criterio) -> tuple[Nivel, ...]:
    """The levels at the bottom, nearest the middle, and at the top of the rubric; all where there are up to three."""
    niveis = sorted(criterio.niveis, key=lambda nivel: nivel.nota)
    if len(niveis) <= 3:
        return tuple(niveis)
    middle = (criterio.nota_min + criterio.nota_max) / 2
    return (niveis[0], min(niveis[1:-1], key=lambda nivel: abs(nivel.nota - middle)), niveis[-1])


def nota_text(nota: Decimal) -> str:
    """A nota as Brazilians write it, without idle zeros: `7,5`."""
    return f"{nota.normalize():f}".replace(".", ",")
