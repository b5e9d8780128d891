"""What projects declare, counted for whoever writes rules about it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from crivo.triagem.classificacao.declarados import CAMPOS_MAXIMO, VALORES_MAXIMO, Declarados
from inscritos import projeto


def counted(*declaradas: dict[str, Any]) -> Declarados:
    declarados = Declarados()
    for at, campos in enumerate(declaradas):
        declarados.add(replace(projeto(f"P{at}"), campos=campos))
    return declarados


def test_each_field_says_how_many_have_it_and_with_which_values() -> None:
    found = counted({"cota": ["negra", "pcd"], "idade": 40}, {"cota": "negra", "idade": None}, {"cota": "  ", "ativo": True}).campos()
    assert [(one.nome, one.quantos, one.valores) for one in found] == [
        ("cota", 2, (("negra", 2), ("pcd", 1))),
        ("ativo", 1, (("sim", 1),)),
        ("idade", 1, (("40", 1),)),
    ]


def test_a_field_of_too_many_values_or_too_long_ones_is_told_without_them() -> None:
    many = counted(*[{"cep": str(number), "carta": "a" * 200} for number in range(VALORES_MAXIMO + 1)]).campos()
    assert [(one.nome, one.quantos, one.valores) for one in many] == [("carta", 31, None), ("cep", 31, None)]


def test_no_call_makes_the_list_of_fields_grow_without_end() -> None:
    wild = counted(*[{f"campo_{number}": number} for number in range(CAMPOS_MAXIMO + 50)])
    assert (wild.vistos, len(wild.campos())) == (CAMPOS_MAXIMO + 50, CAMPOS_MAXIMO)
