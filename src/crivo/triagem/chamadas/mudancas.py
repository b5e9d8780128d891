"""What one wording of an edital says otherwise than another, part by part; and what people did that a change may not take away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from crivo.kernel.errors import Problem
from crivo.triagem.edital import Chamada, Criterio, Value
from crivo.triagem.palavras import count

Parte = Literal["edital", "categorias", "documentos_proprios", "fases", "classificacao", "requisitos", "criterios"]
_OF_EDITAL = ("categorias", "documentos_proprios", "fases", "classificacao")


class Campo(Value, frozen=True):
    """A field that is said otherwise; None where it was not, or is no longer said."""

    nome: str
    antes: Any
    depois: Any


class Alterada(Value, frozen=True):
    """A part that is new (`campos` all without `antes`), gone, or says something otherwise; `id` is empty of the edital itself."""

    parte: Parte
    que: Literal["nova", "retirada", "mudada"]
    id: str
    nome: str
    campos: tuple[Campo, ...]


def changes_between(antes: Chamada, depois: Chamada) -> tuple[Alterada, ...]:
    """Every difference, in the order in which an edital is read."""
    found = list(_edital(antes, depois))
    found += _rows("documentos_proprios", antes.edital.documentos_proprios, depois.edital.documentos_proprios)
    found += _rows("requisitos", antes.requisitos, depois.requisitos)
    found += _rows("criterios", antes.criterios, depois.criterios)
    return tuple(found)


def check_notas(antes: Sequence[Criterio], depois: Sequence[Criterio], dadas: Mapping[str, int]) -> tuple[Problem, ...]:
    """What may not change of critérios because people gave notas (`dadas`, how many by critério): that they are there, and their scale."""
    now = {one.id: (place, one) for place, one in enumerate(depois)}
    problems = []
    for one in antes:
        given = dadas.get(one.id, 0)
        if not given:
            continue
        notas = count(given, "nota dada por pessoas", "notas dadas por pessoas")
        if one.id not in now:
            mensagem = f"O critério {one.id} tem {notas} e não pode sair. Ponha-o de volta, com o mesmo código."
            problems.append(Problem(mensagem, "criterios", codigo="criterio_com_notas"))
            continue
        place, other = now[one.id]
        for campo in ("nota_min", "nota_max"):
            if getattr(one, campo) != getattr(other, campo):
                mensagem = f"Este critério tem {notas} nesta escala: ela não muda mais."
                problems.append(Problem(mensagem, f"criterios[{place}].{campo}", codigo="escala_com_notas"))
    return tuple(problems)


def _edital(antes: Chamada, depois: Chamada) -> Iterator[Alterada]:
    fields = _fields(antes.edital, depois.edital, ("documentos_proprios",))
    for parte in ("categorias", "fases", "classificacao"):
        of = tuple(one for one in fields if one.nome == parte)
        if of:
            yield Alterada(parte, "mudada", "", "", of)
    own = tuple(one for one in fields if one.nome not in _OF_EDITAL)
    if own:
        yield Alterada("edital", "mudada", "", depois.edital.nome, own)


def _rows(parte: Parte, antes: Sequence[Any], depois: Sequence[Any]) -> Iterator[Alterada]:
    was, now = {one.id: one for one in antes}, {one.id: one for one in depois}
    for codigo, one in now.items():
        if codigo not in was:
            yield Alterada(parte, "nova", codigo, _name_of(one), ())
        elif was[codigo] != one:
            yield Alterada(parte, "mudada", codigo, _name_of(one), _fields(was[codigo], one))
    for codigo, one in was.items():
        if codigo not in now:
            yield Alterada(parte, "retirada", codigo, _name_of(one), ())
    before, after = [one for one in was if one in now], [one for one in now if one in was]
    if before != after:
        yield Alterada(parte, "mudada", "", "", (Campo("ordem", tuple(before), tuple(after)),))


def _name_of(value: Any) -> str:
    return str(getattr(value, "nome", "") or getattr(value, "descricao", ""))


def _fields(antes: msgspec.Struct, depois: msgspec.Struct, but: Sequence[str] = ()) -> tuple[Campo, ...]:
    names = dict.fromkeys([*antes.__struct_fields__, *depois.__struct_fields__])
    pairs = ((nome, getattr(antes, nome, None), getattr(depois, nome, None)) for nome in names if nome not in but)
    return tuple([Campo(nome, before, after) for nome, before, after in pairs if before != after])
