"""What another version would make of stored pedidos counts each of them, those of one body too."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.mapeamento.documento import Mapeamento
from crivo.autorizacoes.mapeamento.efeito import Efeito, Lembrado, effect_in_words, replay
from crivo.autorizacoes.mapeamento.entrada import Formatos, MapeamentoPublicado
from crivo.autorizacoes.mapeamento.leitura import read_mapeamento
from crivo.autorizacoes.politicas.catalogo import Catalogo

TODAY = date(2026, 11, 27)


def mapa(quantidade: str) -> Mapeamento:
    documento: dict[str, Any] = {
        "mapeamento": "acme",
        "administradora": "ADM-1",
        "reconhecer": {"$.de": "ACME"},
        "itens": "$.guias[*].itens[*]",
        "campos": {"pedido_id": "$.guias[*].n", "beneficiario.id": "$.guias[*].quem", "procedimento.quantidade": quantidade},
    }
    return read_mapeamento(json.dumps(documento).encode()).mapeamento


def test_each_pedido_of_a_body_about_several_people_is_read_again_by_both_versions() -> None:
    guias = [{"n": f"G{n}", "quem": f"B{n}", "itens": [{"q": 1, "x": 2}, {"q": 2, "x": 3}]} for n in range(3)]
    raw = json.dumps({"de": "ACME", "guias": guias}).encode()
    partes = Formatos([MapeamentoPublicado("1", 1, mapa("$item.q"))]).read(raw, None, TODAY.isoformat())
    stored = [Lembrado(parte.raw, parte.formato.item, TODAY) for parte in partes if parte.formato is not None]
    assert len(stored) == 6
    efeito = replay(mapa("$item.q"), mapa("$item.x"), stored, Fluxo(Catalogo.of(())))
    assert (efeito.pedidos, efeito.leem, efeito.perdem, efeito.campos) == (6, 6, 0, (("procedimento.quantidade", 6),))
    gone = replay(mapa("$item.q"), mapa("$.guias[*].itens"), stored, Fluxo(Catalogo.of(())))
    assert (gone.pedidos, gone.perdem) == (6, 6)


def test_a_version_that_writes_people_otherwise_says_that_what_they_used_counts_no_more() -> None:
    """Both sides are decided over the same history, so no decision of the preview can tell it."""
    told = effect_in_words(Efeito(7, 7, 0, (("beneficiario.id", 7),), ()), 1)
    assert "Em 7 pedidos muda o número do beneficiário: nos limites por período, o que já foi aprovado aqui sob o número antigo" in told
    assert "beneficiário" not in effect_in_words(Efeito(7, 7, 0, (("urgencia", 7),), ()), 1)
