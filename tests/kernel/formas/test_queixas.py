"""Pydantic's errors, told to whoever wrote the file."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Final, Literal

import pytest
from pydantic import Field, Tag

from crivo.kernel.formas.esquema import publish
from crivo.kernel.formas.palavras import Caminho, cut, name_of
from crivo.kernel.formas.queixas import Queixa, Voz, read
from crivo.kernel.formas.tipos import INTEIRO, NAO_VAZIO, Exato, Forma, Padrao, Texto, marcado

SO_LETRAS: Final = Padrao(r"^[A-Za-z ]*$", "so_letras", "só pode ter letras")


class Gato(Forma, title="gato"):
    """A cat."""

    especie: Literal["gato"] = Field(title="Espécie", description="Que bicho é.")
    vidas: Annotated[int, Field(ge=0, le=7), INTEIRO] = Field(title="Vidas", description="Quantas vidas lhe restam.")


class Peixe(Forma, title="peixe"):
    """A fish."""

    especie: Literal["peixe"] = Field(title="Espécie", description="Que bicho é.")
    peso: Annotated[Decimal, Field(gt=0, le=1_000_000_000), Exato(casas=2)] | None = Field(None, title="Peso", description="Em quilos.")


Bicho = Annotated[Annotated[Gato, Tag("=gato")] | Annotated[Peixe, Tag("=peixe")], marcado("especie")]


class Casa(Forma, title="casa"):
    """A house."""

    nome: Annotated[str, Texto(5, (NAO_VAZIO, SO_LETRAS), str.strip)] = Field(title="Nome", description="Como se chama.")
    cor: Literal["azul", "verde"] | None = Field(None, title="Cor", description="A cor da porta.")
    aberta: bool | None = Field(None, title="Aberta", description="Se há alguém.")
    bichos: Annotated[list[Bicho], Field(min_length=1, max_length=2)] | None = Field(None, title="Bichos", description="Quem mora nela.")


def told(valor: object, caminho: Caminho = (), *, cita: bool = True) -> list[Queixa]:
    voz = Voz(
        label=lambda onde: name_of(onde, "O arquivo"),
        cite=cut,
        cita=cita,
        aponta="; veja a lista.",
        sugere="; quis dizer `{}`?",
        cheia=lambda: False,
        apelidos={"casa": {"porta": "cor"}},
    )
    return list(read(Casa, valor, voz, caminho).queixas)


@pytest.mark.parametrize(
    ("valor", "codigo", "onde", "mensagem"),
    [
        ([], "tipo_errado", (), "O arquivo deve ser um objeto com campos; aqui há uma lista."),
        ({}, "campo_ausente", ("nome",), "Falta `nome`. Como se chama."),
        ({"nome": 3}, "tipo_errado", ("nome",), "`nome` deve ser um texto entre aspas; aqui está `3`."),
        ({"nome": " "}, "texto_vazio", ("nome",), "`nome` não pode ficar em branco."),
        ({"nome": "A", "nme": 1}, "campo_desconhecido", ("nme",), "`nme` não existe em casa; quis dizer `nome`?"),
        ({"nome": "A", "Porta": 1}, "campo_desconhecido", ("Porta",), "`Porta` não existe em casa; quis dizer `cor`?"),
        ({"nome": "A", "xyz": 1}, "campo_desconhecido", ("xyz",), "`xyz` não existe em casa; veja a lista."),
        (
            {"nome": "A", "cor": "azull"},
            "valor_fora_da_lista",
            ("cor",),
            "`cor` deve ser um destes valores: `azul`, `verde`; aqui está `azull`. Quis dizer `azul`?",
        ),
        (
            {"nome": "A", "aberta": "sim"},
            "tipo_errado",
            ("aberta",),
            "`aberta` deve ser `true` (sim) ou `false` (não), sem aspas; aqui está `sim`.",
        ),
        ({"nome": "A", "bichos": []}, "lista_curta", ("bichos",), "`bichos` precisa de ao menos 1 item."),
        ({"nome": "A", "bichos": [1, 2, 3]}, "lista_longa", ("bichos",), "`bichos` pode ter até 2 itens, e tem 3."),
        ({"nome": "A", "bichos": "Mia"}, "tipo_errado", ("bichos",), "`bichos` deve ser uma lista; aqui está `Mia`."),
        (
            {"nome": "A", "bichos": [{"especie": "gato", "vidas": 8}]},
            "valor_fora_da_faixa",
            ("bichos", 0, "vidas"),
            "`vidas` deve ser um número inteiro de 0 a 7; aqui está `8`.",
        ),
        (
            {"nome": "A", "bichos": [{"especie": "gato", "vidas": True}]},
            "tipo_errado",
            ("bichos", 0, "vidas"),
            "`vidas` deve ser um número inteiro de 0 a 7, só com algarismos e sem aspas; aqui está `true`.",
        ),
        (
            {"nome": "A", "bichos": [{"especie": "peixe", "peso": Decimal("NaN")}]},
            "valor_fora_da_faixa",
            ("bichos", 0, "peso"),
            "`peso` deve ser um número maior que 0 e até 1 bilhão; aqui está `NaN`.",
        ),
        (
            {"nome": "A", "bichos": [{"especie": "peixe", "peso": Decimal("0.001")}]},
            "casas_demais",
            ("bichos", 0, "peso"),
            "`peso` pode ter até 2 casas depois da vírgula.",
        ),
        ({"nome": "A", "bichos": [7]}, "tipo_errado", ("bichos", 0), "`bichos[0]` deve ser um objeto com campos; aqui está `7`."),
        (
            {"nome": "A", "bichos": [{"vidas": 1}]},
            "campo_ausente",
            ("bichos", 0, "especie"),
            "Falta `especie` em `bichos[0]`. Diga qual é: `gato` ou `peixe`.",
        ),
        (
            {"nome": "A", "bichos": [{"especie": "gata"}]},
            "valor_fora_da_lista",
            ("bichos", 0, "especie"),
            "`especie` deve ser um destes valores: `gato`, `peixe`; aqui está `gata`. Quis dizer `gato`?",
        ),
        ({"nome": "A", "\ud83d": 1}, "campo_desconhecido", ("\ud83d",), "`\ud83d` não existe em casa; veja a lista."),
        (
            {"nome": "A", "cor": "\ud83d"},
            "valor_fora_da_lista",
            ("cor",),
            "`cor` deve ser um destes valores: `azul`, `verde`; aqui está `\ud83d`.",
        ),
    ],
)
def test_a_fault_says_where_what_came_and_what_would_be_right(valor: object, codigo: str, onde: Caminho, mensagem: str) -> None:
    assert told(valor) == [Queixa(codigo, onde, mensagem)]


def test_every_pattern_that_a_text_breaks_is_told_with_its_length() -> None:
    assert [queixa.codigo for queixa in told({"nome": "123456"})] == ["so_letras", "texto_longo"]


def test_of_tens_of_thousands_of_faults_the_first_are_told_and_the_rest_counted() -> None:
    voz = Voz(str, cut, True, "", "", lambda: True)
    lido = read(Casa, {"nome": "A", **{f"novo{n}": n for n in range(30_000)}}, voz)
    told_first = list(lido.queixas)
    assert (len(told_first), lido.omitidas) == (10_000, 20_000)
    assert told_first[0].caminho == ("novo0",)
    assert lido.valor == {"nome": "A"}


def test_a_part_of_a_document_is_told_by_its_place_in_the_whole() -> None:
    (queixa,) = told({}, ("casas", 3))
    assert queixa == Queixa("campo_ausente", ("casas", 3, "nome"), "Falta `nome` em `casas[3]`. Como se chama.")


def test_a_text_that_may_name_somebody_is_not_repeated() -> None:
    assert "Joana" not in "".join(queixa.mensagem for queixa in told({"nome": "A", "aberta": "Joana", "bichos": "Joana"}, cita=False))


def test_what_was_right_is_kept_beside_what_was_refused() -> None:
    documento: dict[str, Any] = {
        "nome": "1",
        "cor": None,
        "aberta": True,
        "bichos": [{"especie": "cobra"}, {"especie": "gato", "vidas": 7}],
    }
    voz = Voz(str, cut, True, "", "", lambda: False)
    assert read(Casa, documento, voz).valor == {"aberta": True, "bichos": [None, {"especie": "gato", "vidas": 7}]}


def test_a_document_that_is_right_comes_in_the_spelling_that_is_kept() -> None:
    lido = read(
        Casa, {"nome": " A ", "cor": None, "bichos": [{"especie": "gato", "vidas": 3.0}]}, Voz(str, cut, True, "", "", lambda: False)
    )
    assert (lido.valor, list(lido.queixas)) == ({"nome": "A", "bichos": [{"especie": "gato", "vidas": 3}]}, [])


def test_the_published_schema_has_each_field_in_its_place_and_null_as_a_type_of_it() -> None:
    schema = publish(Casa, "urn:casa", "Casa", "Uma casa.")
    assert "$defs" not in schema
    assert schema["properties"]["cor"] == {
        "type": ["string", "null"],
        "enum": ["azul", "verde", None],
        "title": "Cor",
        "description": "A cor da porta.",
    }
    assert [opcao["properties"]["especie"]["const"] for opcao in schema["properties"]["bichos"]["items"]["oneOf"]] == ["gato", "peixe"]
