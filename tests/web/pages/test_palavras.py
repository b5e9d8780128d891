"""What a person reads instead of codes."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.contracts import Ajuste, Condicao, DecisaoFinal, Entrega
from crivo.autorizacoes.etapas.sintese import describe
from crivo.autorizacoes.motivos import frase
from crivo.autorizacoes.palavras import DECISOES
from crivo.kernel.agents.contract import Author
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.web.pages.cpf import mask_document
from crivo.web.pages.palavras import AUTORES, ETAPAS, condicao


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("529.982.247-25", "***.982.247-**"),
        ("cpf 52998224725.", "cpf ***.982.247-**."),
        ("111.444.777-35 e 529.982.247-25", "***.444.777-** e ***.982.247-**"),
        ("529.982.247-26", "***.982.247-**"),
        ("11111111111", "11111111111"),
        ("1529982247250", "1529982247250"),
        ("41101014", "41101014"),
        ("", ""),
    ],
)
def test_cpfs_alone_are_covered(text: str, shown: str) -> None:
    assert mask_cpfs(text) == shown


def test_a_number_is_masked_where_it_is_a_cpf_also_one_that_lost_its_noughts() -> None:
    document = b'{"cpf": 10000046, "a": [11987654321, 10000046, 1.5, true, {"529.982.247-25": 52998224725}]}'
    listed = [11987654321, 10000046, 1.5, True, {"***.982.247-**": "***.982.247-**"}]
    assert msgspec.json.decode(mask_document(document)) == {"cpf": "***.100.000-**", "a": listed}


def test_every_outcome_stage_and_author_has_its_word() -> None:
    assert set(DECISOES) == set(get_args(DecisaoFinal))
    assert len({rotulo.marca for rotulo in DECISOES.values()}) == len(DECISOES)
    assert {contract.stage for contract in AGENTES} <= set(ETAPAS)
    assert {seen for contract in AGENTES for seen in contract.sees} <= set(ETAPAS)
    assert set(AUTORES) == {str(author) for author in Author}


@pytest.mark.parametrize(
    ("codigo", "shown"),
    [
        ("carencia_nao_cumprida", "A carência ainda não foi cumprida, ou o pedido não diz quanto já se cumpriu"),
        ("campo_obrigatorio_ausente:plano_id", "Falta informar o plano"),
        ("campo_obrigatorio_ausente:outro.campo", "Falta informar “outro.campo”"),
        ("motivo_de_amanha", "Motivo de amanha"),
    ],
)
def test_a_motivo_is_told_in_words(codigo: str, shown: str) -> None:
    assert frase(codigo) == shown


@pytest.mark.parametrize(
    ("valor", "shown"),
    [
        (Ajuste("ANEXAR_DOCUMENTO", "documentos_anexos", "LAUDO_MEDICO", "", "RESOLVE_TOTAL"), "Anexar: laudo médico"),
        (Entrega("LAUDO_MEDICO"), "Apresentar: laudo médico"),
        (Ajuste("ALTERAR_PRESTADOR", "prestador.tipo", "CREDENCIADO", "", "RESOLVE_TOTAL"), "Escolher um prestador da rede credenciada"),
        (Ajuste("OUTRO", "data_pedido", None, "", "RESOLVE_TOTAL"), "Informar corretamente a data do pedido"),
        (Ajuste("REDUZIR_QUANTIDADE", "procedimento.quantidade", 2, "", "RESOLVE_TOTAL"), "Reduzir a quantidade para 2"),
    ],
)
def test_a_condition_is_told_in_words(valor: Condicao, shown: str) -> None:
    assert condicao(valor, describe(valor)) == shown
