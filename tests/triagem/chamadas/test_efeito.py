"""What another wording would come to, over projects as they were read."""

from __future__ import annotations

import hashlib

import msgspec

from crivo.triagem.chamadas.efeito import LISTADOS_MAXIMO, Medidor, Mudanca, Passagem
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import (
    Chamada,
    Condicao,
    Criterio,
    DocumentoProprio,
    Edital,
    Projeto,
    Proponente,
    RequisitoCondicao,
    RequisitoDocumento,
)

SEDE = RequisitoCondicao("R1", "municipio", "em", ["Caucaia"], eliminatorio=True)
PORTFOLIO = RequisitoDocumento("R2", "PORTFOLIO")
ANTES = Chamada(Edital("E1", "N"), (SEDE, PORTFOLIO), (Criterio("C1", "Mérito"),))


def project(numero: int, municipio: str, texto: str = "Fotos da quadrilha junina") -> ProjetoLido:
    file = DocumentoLido("a.pdf", hashlib.sha256(texto.encode()).hexdigest(), 9, "pdf", "lido", (Pagina(1, texto),), requisito="R2")
    return ProjetoLido(Projeto(f"P{numero}", "T", Proponente("Ana"), campos={"municipio": municipio}), (file,))


LIDOS = [project(1, "Caucaia"), project(2, "Sobral"), project(3, "Maracanaú", "ATA DA RODA de mestres")]


def measured(depois: Chamada, lidos: list[ProjetoLido] = LIDOS) -> Medidor:
    medidor = Medidor(ANTES, depois)
    for lido in lidos:
        medidor.add(lido, por_ler=False)
    return medidor


def test_a_wider_condition_lets_projects_in_and_names_them() -> None:
    depois = msgspec.structs.replace(ANTES, requisitos=(msgspec.structs.replace(SEDE, valor=["Caucaia", "Sobral"]), PORTFOLIO))
    efeito = measured(depois).efeito(3)
    sede = efeito.requisitos[0]
    assert (sede.antes, sede.depois) == ({"atende": 1, "nao_atende": 2}, {"atende": 2, "nao_atende": 1})
    assert sede.mudam == (Passagem("P2", "nao_atende", "atende", "O que o projeto declara atende à condição."),)
    assert efeito.mudam == (Mudanca("P2", "inabilitado", "habilitado"),)
    assert (efeito.antes, efeito.depois) == ({"habilitado": 1, "inabilitado": 2}, {"habilitado": 2, "inabilitado": 1})


def test_a_new_requisito_has_no_before_and_one_asked_of_some_says_of_how_many_not() -> None:
    novo = RequisitoDocumento("R3", "ESTATUTO", quando=Condicao("municipio", "igual", "Sobral"))
    efeito = measured(msgspec.structs.replace(ANTES, requisitos=(*ANTES.requisitos, novo))).efeito(3)
    assert efeito.requisitos[2].antes is None
    assert efeito.requisitos[2].depois == {"nao_pedido": 2, "nao_atende": 1}


def test_a_type_of_ones_own_says_which_files_its_words_tell() -> None:
    edital = Edital("E1", "N", documentos_proprios=(DocumentoProprio("ATA", "Ata da roda", ("ata da roda",)),))
    efeito = measured(msgspec.structs.replace(ANTES, edital=edital)).efeito(3)
    assert [(one.tipo, one.conhecidos, one.quantos) for one in efeito.tipos] == [("ATA", (("P3", "R2"),), 1)]
    assert efeito.requisitos[1].mudam[0].projeto == "P3"  # what is the ata is no portfólio any more


def test_other_names_and_texts_change_no_project() -> None:
    edital = Edital("E1", "Outro nome", texto="Capítulo 1", categorias=("Música",))
    efeito = measured(Chamada(edital, tuple(msgspec.structs.replace(one, descricao="x") for one in ANTES.requisitos))).efeito(3)
    assert efeito.quantos_mudam == 0
    assert [one.quantos_mudam for one in efeito.requisitos] == [0, 0]


def test_of_many_that_change_some_are_named_and_all_counted() -> None:
    depois = msgspec.structs.replace(ANTES, requisitos=(msgspec.structs.replace(SEDE, valor=["Sobral"]), PORTFOLIO))
    many = [project(numero, "Sobral") for numero in range(LISTADOS_MAXIMO + 5)]
    efeito = measured(depois, many).efeito(1_000)
    assert (efeito.vistos, efeito.total) == (LISTADOS_MAXIMO + 5, 1_000)
    assert (len(efeito.mudam), efeito.quantos_mudam) == (LISTADOS_MAXIMO, LISTADOS_MAXIMO + 5)
    assert (len(efeito.requisitos[0].mudam), efeito.requisitos[0].quantos_mudam) == (LISTADOS_MAXIMO, LISTADOS_MAXIMO + 5)
