"""A mapping proved on many pedidos: what is read, left over, at fault and without translation is counted, and nothing stops it."""

from __future__ import annotations

import json
from typing import Any

from casos import HOJE
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.mapeamento.leitura import read_mapeamento
from crivo.autorizacoes.mapeamento.montagem import Palavra
from crivo.autorizacoes.mapeamento.muitos import MOST, ProvaDeMuitos, prove_many, split_samples
from crivo.autorizacoes.politicas.catalogo import Catalogo

MAPA: dict[str, Any] = {
    "mapeamento": "acme",
    "administradora": "ADM-1",
    "reconhecer": {"$.de": "ACME"},
    "campos": {
        "pedido_id": "$.n",
        "plano_id": "$.plano",
        "beneficiario.id": "$.quem",
        "procedimento.codigo": "$.cod",
        "procedimento.quantidade": "$.qtd",
        "documentos_anexos": "$.docs[*]",
    },
}
UM: dict[str, Any] = {"de": "ACME", "n": "G-1", "plano": "PRATA", "quem": "B-1", "cod": "41101014", "qtd": 1}


def prove(*samples: Any) -> ProvaDeMuitos:
    raw = b"\n".join([um if isinstance(um, bytes) else json.dumps(um).encode() for um in samples])
    mapeamento = read_mapeamento(json.dumps(MAPA).encode(), "json").mapeamento
    return prove_many(mapeamento, split_samples(raw), Fluxo(Catalogo.of(())), HOJE)


def test_each_line_counts_once_and_what_cannot_be_read_is_told_beside_the_others() -> None:
    prova = prove(UM, {**UM, "docs": ["XRAY IMG", "LAUDO MEDICO"], "obs": "x"}, {**UM, "de": "OUTRA"}, {**UM, "n": [1]}, b"{quebrado")
    assert (prova.amostras, prova.lidos, prova.pedidos, prova.fora) == (5, 2, 4, 0)
    assert prova.palavras == ((Palavra("documentos_anexos", "XRAY IMG"), 1),)
    assert prova.nao_reconhecidos == 1
    assert prova.sobras == (("$.obs", 1),)
    assert set(prova.problemas) >= {("nao_reconhecido", "$.de", 1), ("lista_em_vez_de_valor", "$.n", 1), ("json_invalido", "", 1)}


def test_more_than_two_hundred_are_counted_and_not_tried() -> None:
    assert (prove(*[UM] * (MOST + 3)).fora, prove(*[UM] * (MOST + 3)).amostras) == (3, MOST)


def test_a_file_is_a_line_each_or_one_document_or_a_table() -> None:
    assert len(split_samples(b'{"a": 1}\n\n{"a": 2}\n')) == 2
    assert split_samples(b'{\n"a": 1}') == (b'{\n"a": 1}',)
    assert split_samples(b"n;plano\n1;P\n2;Q\n") == (b"n;plano\n1;P\n2;Q\n",)
