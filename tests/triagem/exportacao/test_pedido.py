"""A requisito that is not asked of a project is told apart wherever items are shown."""

from __future__ import annotations

import json

from crivo.triagem.achados import ItemHabilitacao, ProjetoTriado, Resultado
from crivo.triagem.exportacao import to_json
from crivo.triagem.palavras import situation_of


def test_what_is_not_asked_is_said_in_words_and_in_the_export() -> None:
    asked = ItemHabilitacao(requisito="R1", situacao="atende", motivo=None, eliminatorio=False, evidencia=None)
    not_asked = ItemHabilitacao(requisito="R2", situacao="atende", motivo=None, eliminatorio=True, evidencia=None, pedido=False)
    assert [situation_of(one).palavra for one in (asked, not_asked)] == ["Atende", "Não se pede"]
    written = json.loads(to_json(Resultado("E", "X", (ProjetoTriado("P", "habilitado", "", True, (asked, not_asked), ()),), ())))
    assert [item.get("pedido") for item in written["projetos"][0]["itens"]] == [None, False]
