"""A decision's trail in words: who wrote each field, and why a model's text was not kept."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.trilha import CampoEscrito, Escrita, with_escritas
from crivo.kernel.agents.contract import Author
from crivo.web.pages.autorizacoes.etapas import EtapaVista, etapas_vistas, read_trilha
from crivo.web.pages.autorizacoes.trilha import alerta, campo_da_trilha, falha_do_modelo, falha_do_texto

LAUDO = regra(documentos_obrigatorios=["LAUDO_MEDICO"])


def escrita(etapa: str, campos: dict[str, CampoEscrito], **fields: Any) -> Escrita:
    """What an agent asked of a model that is played."""
    base: dict[str, Any] = {
        "modelo": "openai:gpt-5",
        "simulado": True,
        "prompt_versao": "3",
        "prompt_digest": "x",
        "duracao_ms": 1234,
        "tokens_entrada": 2000,
        "tokens_saida": 150,
        "custo": "0.0042",
        "repetida": False,
        "falha": None,
    }
    return msgspec.convert({"etapa": etapa, "campos": campos, **base, **fields}, Escrita, strict=False)


def shown(*escritas: Escrita) -> dict[str, EtapaVista]:
    """The timeline of a pedido without its laudo, as it is read from the store, by stage."""
    trilha = decide(pedido(), LAUDO)
    trilha = msgspec.structs.replace(trilha, escritas=escritas, autoria=with_escritas(trilha.autoria, escritas))
    return {one.nome: one for one in etapas_vistas(read_trilha(trilha.encode()))}


def test_by_code_alone_every_field_says_so_and_no_model_is_named() -> None:
    etapas = shown()
    assert {autor for one in etapas.values() for autor in one.autores} == {"codigo"}
    assert [one.modelo for one in etapas.values()] == [""] * 6
    assert "Faltam documentos." in etapas["avaliacao"].conclusoes
    assert etapas["consulta"].conclusoes == ("Regra R-1, de “Manual de Coberturas”, versão 2.0.",)


def test_a_field_that_the_model_wrote_names_it_and_one_that_was_dropped_says_why() -> None:
    """PRD: the trail says who wrote each text, and why one was not kept."""
    kept = CampoEscrito(Author.MODEL)
    dropped = CampoEscrito(Author.CODE, ("numero", "sem_fonte"))
    sintese = shown(escrita("sintese", {"mensagens.para_beneficiario": kept, "mensagens.para_solicitante": dropped}))["sintese"]
    campos = {one.nome: one for one in sintese.campos}
    assert campos["Mensagem para o beneficiário"].autor == "modelo"
    assert campos["Mensagem para o beneficiário"].falhas == ()
    assert campos["Mensagem para o solicitante"].autor == "codigo"
    assert campos["Mensagem para o solicitante"].falhas == (falha_do_texto("numero"), falha_do_texto("sem_fonte"))
    assert ("Modelo", "openai:gpt-5 (simulado)") in sintese.pergunta
    assert ("Tokens", "2.000 lidos, 150 escritos") in sintese.pergunta
    assert ("Custo", "US$ 0,0042") in sintese.pergunta


def test_texts_of_one_list_by_two_authors_are_told_one_by_one() -> None:
    two = {
        "ajustes_sugeridos[0].justificativa": CampoEscrito(Author.CODE, ("data",)),
        "ajustes_sugeridos[1].justificativa": CampoEscrito(Author.MODEL),
    }
    trilha = decide(pedido(prestador__tipo="NAO_CREDENCIADO"), regra(**{**LAUDO, "restricoes_rede": "APENAS_CREDENCIADA"}))
    asked = (escrita("ajustes", two),)
    trilha = msgspec.structs.replace(trilha, escritas=asked, autoria=with_escritas(trilha.autoria, asked))
    ajustes = next(one for one in etapas_vistas(read_trilha(trilha.encode())) if one.nome == "ajustes")
    told = {one.nome: (one.autor, one.falhas) for one in ajustes.campos if "Justificativa" in one.nome}
    assert told == {
        "Justificativa de cada ajuste (1º)": ("codigo", (falha_do_texto("data"),)),
        "Justificativa de cada ajuste (2º)": ("modelo", ()),
    }


def test_a_model_that_did_not_answer_is_said_so() -> None:
    campo = {"resumo_efeito": CampoEscrito(Author.CODE)}
    etapa = shown(escrita("ajustes", campo, falha="demorou", custo=None))["ajustes"]
    assert etapa.falha == "o modelo demorou demais"
    assert "Custo" not in dict(etapa.pergunta)


@pytest.mark.parametrize("contract", AGENTES, ids=lambda contract: contract.stage)
def test_every_field_of_a_contract_has_words(contract: Any) -> None:
    for path in contract.authors():
        told = campo_da_trilha(path)
        assert ("_" in told, ":" in told) == (False, False), path


@pytest.mark.parametrize(
    ("codigo", "told"),
    [
        ("campo_mapeado:pedido_id<-numero_guia", "“numero_guia” foi lido como o número do pedido."),
        ("campo_divergente:procedimento.codigo<-codigo", "“codigo” diz outra coisa que o que foi usado para o código do procedimento"),
        ("valor_fora_do_dominio:prestador.tipo", "Não é um valor conhecido: o tipo de prestador."),
        ("carencia_nao_informada", "O pedido não diz quanto da carência foi cumprido."),
    ],
)
def test_alerts_are_told_in_words(codigo: str, told: str) -> None:
    assert alerta(codigo).startswith(told)


@pytest.mark.parametrize(
    ("codigo", "extras", "told"),
    [
        (
            "valor_fora_do_dominio:prestador.tipo",
            {"prestador": {"tipo": "IN"}},
            "Não é um valor conhecido: o tipo de prestador (veio “IN”).",
        ),
        ("carencia_invalida", {"beneficiario": {"carencia_cumprida_dias": "6 meses"}}, "como número de dias (veio “6 meses”)."),
        ("idade_nao_informada", {"beneficiario": {"idade": "x"}}, "Não se sabe a idade."),
        ("documento_vencido:LAUDO_MEDICO", {}, "O laudo médico está vencido na data do pedido e não foi contado."),
        ("quantidade_fracionada", {}, "A quantidade pedida não é um número inteiro; confira se é isso mesmo."),
    ],
)
def test_what_a_field_held_that_nobody_could_read_is_shown_with_its_alert(codigo: str, extras: dict[str, Any], told: str) -> None:
    assert alerta(codigo, extras).endswith(told)


def test_a_fault_that_is_new_is_told_without_its_name() -> None:
    assert "_" not in falha_do_modelo("algo_novo") + falha_do_texto("outra_coisa")
