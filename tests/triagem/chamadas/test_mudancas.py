"""What one wording of an edital says otherwise than another."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from crivo.triagem.chamadas.mudancas import Campo, changes_between, check_notas
from crivo.triagem.edital import Chamada, Criterio, DocumentoProprio, Edital, RequisitoCondicao, RequisitoDocumento

R1, R2 = RequisitoDocumento("R1", "ESTATUTO", descricao="Estatuto"), RequisitoDocumento("R2", "PORTFOLIO")
C1, C2 = Criterio("C1", "Mérito"), Criterio("C2", "Alcance", peso=Decimal(2))
ANTES = Chamada(Edital("E1", "Edital"), (R1, R2), (C1, C2))


def with_(**partes: object) -> Chamada:
    return msgspec.structs.replace(ANTES, **partes)


def told(depois: Chamada) -> list[tuple[str, str, str]]:
    return [(one.parte, one.que, one.id) for one in changes_between(ANTES, depois)]


def test_the_same_wording_changes_nothing() -> None:
    assert changes_between(ANTES, with_()) == ()


def test_each_part_that_differs_is_told_with_its_fields() -> None:
    depois = with_(requisitos=(msgspec.structs.replace(R1, eliminatorio=True), RequisitoCondicao("R3", "idade", "minimo", 18)))
    assert told(depois) == [("requisitos", "mudada", "R1"), ("requisitos", "nova", "R3"), ("requisitos", "retirada", "R2")]
    assert changes_between(ANTES, depois)[0].campos == (Campo("eliminatorio", False, True),)


def test_a_requisito_of_another_kind_is_told_by_what_it_was_and_is() -> None:
    depois = with_(requisitos=(RequisitoCondicao("R1", "idade", "minimo", 18, descricao="Estatuto"), R2))
    fields = {campo.nome: (campo.antes, campo.depois) for campo in changes_between(ANTES, depois)[0].campos}
    assert fields["documento"] == ("ESTATUTO", None)
    assert fields["campo"] == (None, "idade")


def test_the_editals_own_parts_are_told_apart() -> None:
    edital = Edital("E1", "Outro nome", categorias=("Música",), documentos_proprios=(DocumentoProprio("ATA", "Ata"),))
    assert told(with_(edital=edital)) == [("categorias", "mudada", ""), ("edital", "mudada", ""), ("documentos_proprios", "nova", "ATA")]


def test_another_order_is_a_change() -> None:
    assert told(with_(requisitos=(R2, R1))) == [("requisitos", "mudada", "")]


def test_a_criterio_with_notas_stays_and_keeps_its_scale() -> None:
    dadas = {"C1": 3}
    assert check_notas(ANTES.criterios, (msgspec.structs.replace(C1, nome="Outro", peso=Decimal(3)),), dadas) == ()
    (gone,) = check_notas(ANTES.criterios, (C2,), dadas)
    assert (gone.caminho, gone.codigo) == ("criterios", "criterio_com_notas")
    assert "3 notas dadas por pessoas" in gone.mensagem
    (scale,) = check_notas(ANTES.criterios, (C2, msgspec.structs.replace(C1, nota_max=Decimal(5))), dadas)
    assert (scale.caminho, scale.codigo) == ("criterios[1].nota_max", "escala_com_notas")
