"""Every planted defect is found, with a pedido that shows it and none of whose fields can go; what is right is left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casos import HOJE, politica, regra
from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.etapas.valores import fold_enum
from crivo.autorizacoes.politicas.conferir.achados import Achado, Gravidade, grouped, may_change_a_decision, ordered
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.conferencia import conferir, errors_of
from crivo.autorizacoes.politicas.conferir.exemplos import campos_de
from crivo.autorizacoes.politicas.conferir.historico import Procurado
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.sucessao import Publicada
from crivo.autorizacoes.trilha import Trilha
from plantadas import DEFEITOS, limpa

_ABOVE = (("acima_do_limite_quantitativo",), ("acima_do_limite_por_periodo",), ("acima_do_valor_maximo",))
_AMOSTRA = Path(__file__).parents[4] / "src/crivo/autorizacoes/amostra/politicas"


def _of(documento: dict[str, Any]) -> Politica:
    return msgspec.convert(documento, Politica)


def _bancada(uma: Politica, *publicadas: Politica) -> Bancada:
    return Bancada(uma, [Publicada(outra, encerra=True) for outra in publicadas], HOJE)


def _only(achados: tuple[Achado, ...]) -> Achado:
    (achado,) = achados
    return achado


def _shown(trilha: Trilha) -> tuple[object, ...]:
    decisao = trilha.etapas.sintese
    return decisao.decisao_final, decisao.detalhe_decisao.quantidade_aprovada, trilha.etapas.avaliacao.motivos


@pytest.mark.parametrize("tamanho", [0, 40])
@pytest.mark.parametrize("defeito", DEFEITOS)
def test_a_planted_defect_is_found_and_nothing_else_is(defeito: str, tamanho: int) -> None:
    codigo, plant = DEFEITOS[defeito]
    documento = limpa(len(defeito), tamanho)
    alvo = plant(documento)
    bancada = _bancada(_of(documento))
    achado = _only(conferir(bancada))
    assert (achado.codigo, achado.regra) == (codigo, alvo)
    assert achado.exemplo is not None
    primeiro = achado.resultados[0]
    assert _shown(bancada.decide(achado.exemplo, bancada.sozinha)) == (
        primeiro.decisao_final,
        primeiro.quantidade_aprovada,
        primeiro.motivos,
    )


@pytest.mark.parametrize("semente", range(6))
def test_a_política_that_is_right_is_left_alone(semente: int) -> None:
    assert conferir(_bancada(_of(limpa(semente, 60)))) == ()


def test_the_sample_políticas_have_no_errors_and_one_alternative_that_is_not_covered() -> None:
    todas = [read_politica(file.read_bytes()).politica for file in sorted(_AMOSTRA.iterdir())]
    achados = [achado for uma in todas for achado in conferir(_bancada(uma, *todas))]
    assert [(achado.codigo, achado.regra) for achado in achados] == [("alternativa_nao_coberta", "V410-19")]


@pytest.mark.parametrize("defeito", DEFEITOS)
def test_without_any_field_an_example_no_longer_shows_its_finding(defeito: str) -> None:
    """Each finding's own claim, told here once more and apart from the code that searched."""
    documento = limpa(0, 3)
    DEFEITOS[defeito][1](documento)
    uma = _of(documento)
    achado = _only(conferir(_bancada(uma)))
    assert achado.exemplo is not None
    assert _claims(uma, achado, achado.exemplo)
    assert [menos for menos in campos_de(achado.exemplo) if _claims(uma, achado, menos)] == []


def _claims(uma: Politica, achado: Achado, pedido: dict[str, Any]) -> bool:
    trilha = _bancada(uma).decide(pedido)
    fonte = trilha.etapas.consulta.fonte_regras
    alvo = next(um for um in uma.regras if um.regra_id == achado.regra)
    match achado.codigo:
        case "regras_conflitantes":
            sem = _bancada(msgspec.structs.replace(uma, regras=(alvo,)))
            return fonte is not None and fonte.regra_id == "ALVO" and _shown(trilha) != _shown(sem.decide(pedido))
        case "regra_inalcancavel":
            sem = _bancada(msgspec.structs.replace(uma, regras=(alvo,), planos=()))
            meant = sem.decide(pedido).etapas.consulta.regras_recuperadas == alvo
            return meant and (fonte is None or fonte.regra_id != alvo.regra_id)
        case "alternativa_nao_coberta":
            asked = trilha.etapas.parametros.params_consulta_regras.codigo_procedimento
            return asked == "ZZZ-77" and trilha.etapas.avaliacao.motivos == ("regra_nao_encontrada",)
        case codigo:
            return fonte is not None and fonte.regra_id == "ALVO" and _of_alvo(codigo, alvo, trilha, pedido)


def _of_alvo(codigo: str, alvo: Regra, trilha: Trilha, pedido: dict[str, Any]) -> bool:
    """What the harmed regra, which decided, is claimed to do."""
    params, avaliacao = trilha.etapas.parametros.params_consulta_regras, trilha.etapas.avaliacao
    served = params.carencia_cumprida_dias if params.carencia_cumprida_dias is not None else -1
    teto = 1 if params.urgencia else 300 if alvo.codigo == "31309127" else 180
    anexos = {fold_enum(um["tipo"]) for um in pedido.get("documentos_anexos", ())}
    owed = {um for pendencia in avaliacao.pendencias_documentais for um in pendencia.split("|")}
    claims = {
        "teto_legal_carencia": avaliacao.motivos == ("carencia_nao_cumprida",) and served >= teto,
        "cpt_acima_da_lei": avaliacao.motivos == ("cobertura_parcial_temporaria",) and served >= 730,
        "limite_invalido": avaliacao.motivos in _ABOVE and (avaliacao.quantidade_aprovavel in {0, 2.5, 4} or alvo.valor_maximo == 0),
        "faixa_etaria_vazia": avaliacao.motivos == ("restricao_idade",) and (params.idade or 0) >= 60,
        "documento_desconhecido": "CERTIDAO_DE_BATISMO_ANTIGO" in owed or ("LAUDO_MEDCO" in owed and "LAUDO_MEDICO" in anexos),
        "condicional_sem_condicao": avaliacao.motivos == (),
        "observacao_nao_lida": "observacao_nao_lida" in trilha.etapas.normalizacao.alertas,
    }
    return claims[codigo]


def test_a_gap_between_two_versions_is_told_with_a_pedido_of_its_first_day() -> None:
    antes = politica(regra(), versao="1.0", vigencia_inicio="2026-01-01", vigencia_fim="2026-06-30")
    depois = politica(regra(), versao="2.0", vigencia_inicio="2026-07-11")
    achado = _only(conferir(_bancada(depois, antes)))
    assert (achado.codigo, achado.gravidade) == ("lacuna_de_vigencia", "aviso")
    assert achado.exemplo is not None
    assert achado.exemplo["data_pedido"] == "2026-07-01"
    assert "de 01/07/2026 a 10/07/2026 (10 dias)" in achado.explicacao
    assert achado.resultados[0].motivos == ("regra_nao_encontrada",)


def test_a_new_version_that_follows_the_earlier_one_leaves_no_gap() -> None:
    antes = politica(regra(), versao="1.0", vigencia_fim="2026-06-30")
    assert conferir(_bancada(politica(regra(), versao="2.0", vigencia_inicio="2026-07-01"), antes)) == ()
    assert conferir(_bancada(politica(regra(), versao="2.0", vigencia_inicio="2026-03-01"), antes)) == ()


def test_days_that_another_document_governs_are_no_gap() -> None:
    antes = politica(regra(), versao="1.0", vigencia_fim="2026-06-30")
    outro = politica(regra(regra_id="G"), documento="Geral", versao="1", vigencia_inicio="2025-01-01")
    assert conferir(_bancada(politica(regra(), versao="2.0", vigencia_inicio="2026-07-11"), antes, outro)) == ()


def test_two_documents_that_say_otherwise_on_the_same_days_are_told_once_with_what_each_would_say() -> None:
    outro = politica(regra(regra_id="G-1", limite_quantidade=1), regra(regra_id="G-2", codigo="1"), documento="Geral", versao="7")
    minha = politica(regra(limite_quantidade=3), regra(regra_id="R-2", codigo="1", limite_quantidade=5), vigencia_inicio="2026-02-01")
    achado = _only(conferir(_bancada(minha, outro)))
    assert (achado.codigo, achado.regra) == ("sobreposicao_de_vigencia", "R-1")
    assert achado.exemplo is not None
    assert achado.exemplo["procedimento"]["quantidade"] == 3
    assert [(um.sob, um.quantidade_aprovada) for um in achado.resultados] == [("R-1", 3), ("G-1", 1)]
    assert "2 regras" in achado.explicacao


def test_a_version_that_a_later_one_closes_before_it_begins_is_told_once() -> None:
    depois = politica(regra(), versao="3.0", vigencia_inicio="2026-01-01")
    achado = _only(conferir(_bancada(politica(regra(), regra(regra_id="R-2", codigo="2"), versao="2.0"), depois)))
    assert (achado.codigo, achado.regra, achado.exemplo) == ("regra_inalcancavel", None, None)


def test_codes_of_the_past_without_a_regra_are_told_by_how_often_they_were_asked_for() -> None:
    procurados = [Procurado("PRATA", "41101014", "TUSS", 9), Procurado("PRATA", "999", None, 2), Procurado("OURO", "888", "TUSS", 17)]
    achados = conferir(_bancada(politica(regra())), procurados)
    assert [(um.codigo, um.exemplo and um.exemplo["procedimento"]["codigo"]) for um in achados] == [
        ("procedimento_sem_regra", "888"),
        ("procedimento_sem_regra", "999"),
    ]
    assert "17 vezes" in achados[0].explicacao


def test_birth_may_wait_three_hundred_days_and_a_family_of_codes_that_holds_it_is_but_an_aviso() -> None:
    parto = regra(codigo="31309054", carencia_min_dias=300)
    dito = regra(codigo="PACOTE-7", carencia_min_dias=300, observacoes="Pacote de parto e puerpério.")
    assert conferir(_bancada(politica(parto))) == ()
    assert conferir(_bancada(politica(dito))) == ()
    achado = _only(conferir(_bancada(politica(regra(codigo="3130*", carencia_min_dias=300)))))
    assert (achado.codigo, achado.gravidade) == ("teto_legal_carencia", "aviso")


def test_regras_that_share_some_of_their_planos_conflict_in_those_and_repeat_only_where_nothing_is_left() -> None:
    primeira = regra(plano_id="OURO", limite_quantidade=2)
    igual = regra(regra_id="R-2", planos=["PRATA", "Ouro"], limite_quantidade=2)
    assert conferir(_bancada(politica(primeira, igual))) == ()
    achado = _only(conferir(_bancada(politica(primeira, {**igual, "limite_quantidade": 5}))))
    assert (achado.codigo, achado.regra) == ("regras_conflitantes", "R-2")
    assert "plano Ouro)" in achado.explicacao
    assert achado.exemplo is not None
    assert achado.exemplo["plano_id"] == "Ouro"
    achado = _only(conferir(_bancada(politica(primeira, regra(regra_id="R-3", plano_id="ouro", limite_quantidade=2)))))
    assert (achado.codigo, achado.regra) == ("regra_inalcancavel", "R-3")


def test_the_smallest_pedido_of_a_conflict_shows_two_decisions_that_look_otherwise_where_there_are_such() -> None:
    """Both approve at first sight, with another coparticipação: only over the limit do they part before whoever looks."""
    primeira = regra(coparticipacao_percentual=10, limite_quantidade=2)
    achado = _only(conferir(_bancada(politica(primeira, regra(regra_id="R-2", coparticipacao_percentual=30, limite_quantidade=5)))))
    assert (achado.codigo, len(set(achado.resultados))) == ("regras_conflitantes", 2)
    assert len({(um.decisao_final, um.quantidade_aprovada, um.motivos) for um in achado.resultados}) == 2


def test_a_version_that_was_published_beside_the_earlier_one_is_looked_at_beside_it() -> None:
    antes = politica(regra(limite_quantidade=1), versao="1.0")
    depois = politica(regra(limite_quantidade=3), versao="2.0")
    ao_lado = Bancada(depois, [Publicada(antes, encerra=True), Publicada(depois, encerra=False)], HOJE)
    assert [um.codigo for um in conferir(ao_lado)] == ["sobreposicao_de_vigencia"]
    assert conferir(_bancada(depois, antes)) == ()


def test_what_a_regra_without_cover_says_besides_does_no_harm() -> None:
    nada = regra(cobertura="NAO_COBERTA", carencia_min_dias=999, limite_quantidade=0, documentos_obrigatorios=["XYZ"])
    assert conferir(_bancada(politica(nada))) == ()


def test_what_stands_in_the_way_of_publishing_are_the_errors_of_the_whole_conferência() -> None:
    documento = limpa(1, 20)
    for nome in ("duas regras contrárias", "documento mal escrito"):
        documento["regras"] = [um for um in documento["regras"] if um["regra_id"] != "ALVO"]
        DEFEITOS[nome][1](documento)
    bancada = _bancada(_of(documento))
    assert errors_of(bancada) == tuple([achado for achado in conferir(bancada) if achado.gravidade == "erro"])


def test_the_example_can_be_sent_as_it_is() -> None:
    documento = limpa(3, 5)
    DEFEITOS["limite zero"][1](documento)
    bancada = _bancada(_of(documento))
    achado = _only(conferir(bancada))
    decisao = bancada.fluxo.decide(json.dumps(achado.exemplo).encode(), HOJE).etapas.sintese
    assert (decisao.decisao_final, decisao.detalhe_decisao.quantidade_aprovada) == ("APROVADO_PARCIAL", 0)


def test_avisos_that_may_change_a_decision_come_before_those_that_only_give_work_and_equal_ones_are_one_group() -> None:
    muitos = [um_achado("procedimento_sem_regra", None, f"{numero} já foi pedido 9 vezes.") for numero in range(27)]
    iguais = [um_achado("documento_desconhecido", regra_id, f"{regra_id} exige “LAUDO”.") for regra_id in ("R-2", "R-22", "R-7")]
    mudam = [um_achado("observacao_nao_lida", "R-9", "R-9 diz nas observações “só com biópsia”.", linha=900)]
    erro = [um_achado("limite_invalido", "R-5", "R-5 tem limite zero.", gravidade="erro", linha=7)]
    achados = ordered([*muitos, *iguais, *mudam, *erro])
    assert [um.codigo for um in achados[:3]] == ["limite_invalido", "observacao_nao_lida", "documento_desconhecido"]
    assert sum(1 for um in achados if may_change_a_decision(um)) == 4
    groups = grouped(achados)
    assert [[um.regra for um in group] for group in groups[:3]] == [["R-5"], ["R-9"], ["R-2", "R-22", "R-7"]]
    assert len(groups) == 3 + 27


def um_achado(codigo: str, de: str | None, explicacao: str, gravidade: Gravidade = "aviso", linha: int | None = None) -> Achado:
    return Achado(codigo=codigo, gravidade=gravidade, regra=de, linha=linha, explicacao=explicacao, exemplo=None)
