"""A result held against an answer key."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crivo.triagem.achados import Irregularidade, ItemHabilitacao, Motivo, ProjetoTriado, Resultado, Situacao, TipoIrregularidade
from crivo.triagem.conferencia import Conferencia, compare, read_gabarito


def triado(projeto_id: str, **itens: tuple[Situacao, Motivo | None]) -> ProjetoTriado:
    found = tuple(
        ItemHabilitacao(requisito=requisito, situacao=situacao, motivo=motivo, eliminatorio=False, evidencia=None)
        for requisito, (situacao, motivo) in itens.items()
    )
    return ProjetoTriado(projeto_id, "pendencia", "", True, found, ())


def sign(tipo: TipoIrregularidade, *projetos: str, arquivo: str | None = None) -> Irregularidade:
    return Irregularidade(tipo=tipo, projetos=projetos, arquivo=arquivo)


def compared(gabarito: dict[str, Any], projetos: tuple[ProjetoTriado, ...] = (), signs: tuple[Irregularidade, ...] = ()) -> Conferencia:
    return compare(Resultado("ED-1", "x", projetos, signs), read_gabarito(msgspec.json.encode(gabarito)))


def test_an_item_is_right_when_both_its_outcome_and_its_reason_are() -> None:
    itens = [
        {"requisito": "A", "situacao": "atende"},
        {"requisito": "B", "situacao": "nao_atende", "motivo": "documento_vencido"},
        {"requisito": "C", "situacao": "nao_atende", "motivo": "documento_vazio"},
        {"requisito": "D", "situacao": "atende"},
    ]
    got = triado("P1", A=("atende", None), B=("nao_atende", "documento_vencido"), C=("nao_atende", "documento_corrompido"))
    found = compared({"projetos": [{"projeto_id": "P1", "itens": itens}]}, (got,))
    assert (found.metricas.itens.certos, found.metricas.itens.total) == (2, 4)
    assert [caso.id for caso in found.casos if not caso.certo] == ["P1 C", "P1 D"]


def test_a_project_that_was_not_screened_is_wrong_in_all_that_is_asked() -> None:
    wanted = {
        "projeto_id": "P9",
        "itens": [{"requisito": "A", "situacao": "atende"}],
        "habilitacao_sugerida": "habilitado",
        "docs_completos": True,
    }
    found = compared({"projetos": [wanted]})
    assert [(caso.id, caso.certo) for caso in found.casos] == [("P9 A", False), ("P9", False), ("P9 docs_completos", False)]


def test_what_the_key_leaves_out_is_not_judged() -> None:
    found = compared({"projetos": [{"projeto_id": "P1"}]}, (triado("P1", A=("atende", None)),), (sign("similaridade", "P1", "P2"),))
    assert (found.metricas.itens.valor, found.metricas.habilitacao.total, found.metricas.irregularidades) == (None, 0, {})


def test_coverage_and_precision_are_counted_by_kind() -> None:
    gabarito = {
        "irregularidades": [
            {"tipo": "texto_reutilizado", "projetos": ["P2", "P1"]},
            {"tipo": "texto_reutilizado", "projetos": ["P3", "P4"]},
        ]
    }
    found = compared(gabarito, signs=(sign("texto_reutilizado", "P1", "P2"), sign("texto_reutilizado", "P5", "P6")))
    acerto = found.metricas.irregularidades["texto_reutilizado"]
    assert (acerto.cobertura.certos, acerto.cobertura.total, acerto.precisao.certos, acerto.precisao.total) == (1, 2, 1, 2)
    assert [caso.id for caso in found.casos if not caso.certo] == ["texto_reutilizado P3 P4", "texto_reutilizado P5 P6"]


def test_a_group_stands_for_all_its_pairs() -> None:
    gabarito = {"irregularidades": [{"tipo": "proponente_repetido", "projetos": ["P1", "P2", "P3"]}]}
    found = compared(gabarito, signs=(sign("proponente_repetido", "P1", "P2"), sign("proponente_repetido", "P2", "P3")))
    assert found.metricas.irregularidades["proponente_repetido"].cobertura.certos == 2


@pytest.mark.parametrize(("arquivo", "caught"), [("a.pdf", True), ("b.pdf", False)])
def test_a_flag_on_another_file_is_no_find(arquivo: str, caught: bool) -> None:
    gabarito = {"irregularidades": [{"tipo": "texto_oculto", "projetos": ["P1"], "arquivo": "a.pdf"}]}
    acerto = compared(gabarito, signs=(sign("texto_oculto", "P1", arquivo=arquivo),)).metricas.irregularidades["texto_oculto"]
    assert (acerto.cobertura.valor, acerto.precisao.valor) == ((1.0, 1.0) if caught else (0.0, 0.0))


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"projetos": [{"itens": []}]}', b'{"irregularidades": [{"tipo": "outra", "projetos": []}]}'])
def test_a_key_that_is_none_is_refused(raw: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        read_gabarito(raw)
