"""The table of claims: what is said, beside which decision it is untrue, and how it may be said all the same.

A claim is known by its phrases (`lexico.json`). It is a fault where `falso` holds of the decision, unless one of `salvo` holds of the
place: there it is denied, supposed, or said of something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from crivo.autorizacoes.motivos import (
    CARENCIA,
    CPT,
    DOCUMENTOS,
    ESGOTADO,
    IDADE,
    PEDIDO_INVALIDO,
    PERIODO,
    QUANTIDADE,
    REDE,
    REGRA_NAO_ENCONTRADA,
    SEM_COBERTURA,
    SEXO,
    VALOR,
)
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo, Falha
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.lugar import Lugar
from crivo.autorizacoes.redacao.pagina import Achado, Pagina

Falso = Callable[[Fatos, Campo], bool]
Salvo = Callable[[Lugar], bool]
_TO_BE_CHANGED: Final = frozenset({REDE, QUANTIDADE, DOCUMENTOS, PEDIDO_INVALIDO, PERIODO, ESGOTADO, VALOR})
_NEAR: Final = 40  # letters on both sides of a motivo within which a word denies it
# The motivos that came after the PRD and are told in the words of one that is in it.
_ALSO: Final = {CARENCIA: frozenset({CPT}), QUANTIDADE: frozenset({PERIODO, ESGOTADO, VALOR})}
# The requirements that a text may call met or waived, by the entry of what they are called.
EXIGENCIAS: Final = {
    CARENCIA: "assunto_carencia",
    IDADE: "assunto_idade",
    REDE: "assunto_rede",
    QUANTIDADE: "assunto_quantidade",
    DOCUMENTOS: "assunto_documentos",
}


class Regra(msgspec.Struct, frozen=True):
    """One kind of claim; `porque` is said to whoever wrote the text (pt-BR)."""

    frases: str
    porque: str
    falso: Falso
    salvo: tuple[Salvo, ...] = ()
    falha: Falha = "resultado"


def check_regras(pagina: Pagina, unsourced: str, unnamed: str, fatos: Fatos, campo: Campo) -> Iterator[Achado]:
    """The claims that the decision does not bear out; `unsourced` is without names of sources, `unnamed` without the procedure's too."""
    for regra in REGRAS:
        if regra.falso(fatos, campo):
            folded = unnamed if regra.falha == "jargao" else unsourced
            for match in LEXICO.find(regra.frases, folded):
                lugar = Lugar(pagina, folded, fatos, campo, *match.span())
                if not any(salvo(lugar) for salvo in regra.salvo):
                    yield lugar.fault(regra.porque, regra.falha)


# --- beside which decision a claim is untrue


def _sempre(fatos: Fatos, campo: Campo) -> bool:
    return True


def _aprovado(fatos: Fatos, campo: Campo) -> bool:
    return fatos.aprovado


def _nao_aprovado(fatos: Fatos, campo: Campo) -> bool:
    return not fatos.aprovado


def _decidido(fatos: Fatos, campo: Campo) -> bool:
    return fatos.aprovado or fatos.final == "NEGADO"


def _por_inteiro(fatos: Fatos, campo: Campo) -> bool:
    return fatos.final == "APROVADO"


def _nao_por_inteiro(fatos: Fatos, campo: Campo) -> bool:
    return fatos.final != "APROVADO"


def _so_em_parte(fatos: Fatos, campo: Campo) -> bool:
    return fatos.final == "APROVADO_PARCIAL"


def _sem_condicao(fatos: Fatos, campo: Campo) -> bool:
    return fatos.final == "APROVADO" and not fatos.detalhe.condicionantes


def _ha_documentos_a_entregar(fatos: Fatos, campo: Campo) -> bool:
    return bool(fatos.pendentes)


def _ha_o_que_ajustar(fatos: Fatos, campo: Campo) -> bool:
    return fatos.final == "PENDENTE_AJUSTES" and bool(_TO_BE_CHANGED.intersection(fatos.motivos))


def _ha_alternativa(fatos: Fatos, campo: Campo) -> bool:
    return fatos.alternativa is not None and not fatos.aprovado


def _falta_mais_de_um(fatos: Fatos, campo: Campo) -> bool:
    return not fatos.aprovado and len({*fatos.motivos, *fatos.pendentes} - {DOCUMENTOS}) > 1


def _custo_nao_foi_dispensado(fatos: Fatos, campo: Campo) -> bool:
    return fatos.detalhe.coparticipacao_percentual != 0


def _ha_custo(fatos: Fatos, campo: Campo) -> bool:
    return bool(fatos.detalhe.coparticipacao_percentual)


def _ha_carencia(fatos: Fatos, campo: Campo) -> bool:
    return bool(fatos.limites.carencia_min_dias)


def _ha_o_que_cumprir(fatos: Fatos, campo: Campo) -> bool:
    return not fatos.aprovado or bool(fatos.pendentes or fatos.detalhe.condicionantes)


def _sem_regra(fatos: Fatos, campo: Campo) -> bool:
    return REGRA_NAO_ENCONTRADA in fatos.motivos


def _outro_efeito(efeito: str) -> Falso:
    def falso(fatos: Fatos, campo: Campo) -> bool:
        return campo == "resumo_efeito" and fatos.insumos.efeito_ajustes not in (None, efeito)

    return falso


def _sem_efeito(fatos: Fatos, campo: Campo) -> bool:
    return campo == "resumo_efeito" and fatos.insumos.efeito_ajustes == "nenhum"


def _motivo_alheio(motivo: str) -> Falso:
    def falso(fatos: Fatos, campo: Campo) -> bool:
        known = motivo in fatos.motivos or (motivo == DOCUMENTOS and fatos.pendentes)
        known = known or not _ALSO[motivo].isdisjoint(fatos.motivos) if motivo in _ALSO else known
        served = motivo == CARENCIA and fatos.limites.carencia_min_dias is not None
        return not known and not served and not any(LEXICO.has(f"alega_{motivo}", text) for text in fatos.textos)

    return falso


def _sem_restricao_de_sexo(fatos: Fatos, campo: Campo) -> bool:
    return fatos.insumos.adiante.sexo is None and not any(LEXICO.has(f"alega_{SEXO}", text) for text in fatos.textos)


def _de_outro_sexo(sexo: str) -> Falso:
    """Whether neither the regra nor the person is of a sex."""

    def falso(fatos: Fatos, campo: Campo) -> bool:
        adiante = fatos.insumos.adiante
        return adiante.sexo is not None and sexo not in (adiante.sexo, adiante.sexo_do_beneficiario)

    return falso


def _sem_cpt(fatos: Fatos, campo: Campo) -> bool:
    return CPT not in fatos.motivos and not any(LEXICO.has(f"alega_{CPT}", text) for text in fatos.textos)


def _sem_periodo(fatos: Fatos, campo: Campo) -> bool:
    return fatos.insumos.adiante.periodo is None and not any(LEXICO.has(f"alega_{PERIODO}", text) for text in fatos.textos)


def _falta_cumprir(motivo: str) -> Falso:
    return lambda fatos, campo: motivo in fatos.motivos or (motivo == DOCUMENTOS and bool(fatos.pendentes))


def _ainda_vale(motivo: str) -> Falso:
    return lambda fatos, campo: not fatos.aprovado and _falta_cumprir(motivo)(fatos, campo)


def _para_leigo(fatos: Fatos, campo: Campo) -> bool:
    return campo == "para_beneficiario"


def _negado_de_vez(fatos: Fatos, campo: Campo) -> bool:
    return fatos.final == "NEGADO"


def _tem_saida(fatos: Fatos, campo: Campo) -> bool:
    return fatos.final == "PENDENTE_AJUSTES"


def _espera_correcao(fatos: Fatos, campo: Campo) -> bool:
    return PEDIDO_INVALIDO in fatos.motivos


def _nao_ha_troca(fatos: Fatos, campo: Campo) -> bool:
    return SEM_COBERTURA in fatos.motivos and fatos.alternativa is None


def _carencia_desconhecida(fatos: Fatos, campo: Campo) -> bool:
    return CARENCIA in fatos.motivos and fatos.limites.carencia_cumprida_dias is None


def _so_na_rede(fatos: Fatos, campo: Campo) -> bool:
    return fatos.limites.rede == "APENAS_CREDENCIADA"


# --- how it may be said all the same


def _negado(lugar: Lugar) -> bool:
    return lugar.negado


def _em_aberto(lugar: Lugar) -> bool:
    return lugar.em_aberto


def _sem_ser_de_outros(lugar: Lugar) -> bool:
    """ "Garantidas" of what was approved, and of nothing beyond it."""
    return lugar.fatos.aprovado and not LEXICO.has("alem", lugar.folded[lugar.end - len(lugar.said) - len(lugar.before) :])


def _de_documentos(lugar: Lugar) -> bool:
    """Pending documents, not a pending decision."""
    after = LEXICO.begins("papel_depois", lugar.folded, lugar.end)
    return LEXICO.ends("papel_antes", lugar.before) or after is not None


def _de_nenhum_outro(lugar: Lugar) -> bool:
    return LEXICO.begins("alem_depois", lugar.folded, lugar.end) is None


def _de_coisa_que_nao_o_procedimento(lugar: Lugar) -> bool:
    if LEXICO.begins("em_geral", lugar.folded, lugar.end):
        return True
    subject = lugar.before.split()[-1:]
    return not subject or not (LEXICO.ends("o_que_se_faz", lugar.before) or lugar.fatos.fala_de(subject[0]))


def _nao_e_aprovacao(lugar: Lugar) -> bool:
    return not LEXICO.has("aprovado", lugar.clause) or LEXICO.has("negacao", lugar.clause)


def _um_so_ajuste(lugar: Lugar) -> bool:
    return LEXICO.has("sozinho", lugar.clause)


def _depende_de_pessoa(lugar: Lugar) -> bool:
    return LEXICO.has("depende_de_pessoa", lugar.sentence)


def _motivo_negado(motivo: str) -> Salvo:
    def salvo(lugar: Lugar) -> bool:
        own = lugar.said if motivo in (CARENCIA, DOCUMENTOS) else " "
        after = lugar.sentence[len(lugar.before) + len(lugar.said) :]
        return LEXICO.has("nao_alega", lugar.before[-_NEAR:] + own + after[:_NEAR])

    return salvo


def _livre_de_rede(lugar: Lugar) -> bool:
    """Outside the network it may be done, where the regra says so."""
    return lugar.fatos.limites.rede == "LIVRE" and LEXICO.has("pode_ser", lugar.sentence)


def _do_que_ficou_de_fora(lugar: Lugar) -> bool:
    return lugar.fatos.final == "APROVADO_PARCIAL" and LEXICO.has("resto_curto", lugar.sentence)


def _cumprido_so_em_parte(lugar: Lugar) -> bool:
    how_many = LEXICO.begins("quantos", lugar.folded, lugar.end)
    return how_many is not None or LEXICO.has("em_aberto", lugar.clause)


def _alem_do_que_pede(lugar: Lugar) -> bool:
    """ "No other": what is owed has been asked for before."""
    other = any(match.start() < lugar.end and lugar.start < match.end() for match in LEXICO.find("outra_pendencia", lugar.folded))
    return other and (LEXICO.has("exigido", lugar.folded, 0, lugar.start) or lugar.nomeia_o_que_falta)


def _ha_aprovacao(lugar: Lugar) -> bool:
    return LEXICO.has("alguma_aprovacao", lugar.folded)


def _dos_dados(lugar: Lugar) -> bool:
    """In words of the inputs: of the regra, of the procedure, of what we say ourselves that a document is."""
    said = lugar.said.strip()
    return any(said in text for text in lugar.fatos.textos) or any(said in text for text in lugar.fatos.explicacoes)


def _logo_negado(lugar: Lugar) -> bool:
    """A denial stands right before."""
    return LEXICO.ends("negacao", lugar.before)


def _so_se_nega_o_sentido(lugar: Lugar) -> bool:
    """It is what the decision is said not to mean."""
    return LEXICO.has("quer_dizer", lugar.before)


def _de_novo_pedido(lugar: Lugar) -> bool:
    """It is said of a pedido still to be made."""
    return LEXICO.has("novo_pedido", lugar.sentence)


def _como_esta(lugar: Lugar) -> bool:
    """It is said of the pedido as it is, and not of what the adjustments make of it."""
    return LEXICO.has("como_esta", lugar.sentence)


def _do_proprio_pedido(lugar: Lugar) -> bool:
    """What is kept is the pedido, and nothing that it asked for."""
    return LEXICO.ends("o_pedido", lugar.before)


def _so_nao_consta(lugar: Lugar) -> bool:
    """The regra states none, which is not to say that there is none."""
    return not lugar.fatos.detalhe.coparticipacao_percentual and LEXICO.begins("nao_consta_depois", lugar.folded, lugar.end) is not None


def _explicado(lugar: Lugar) -> bool:
    return LEXICO.begins("explica_depois", lugar.folded, lugar.end, past=",(") is not None


def _explicado_como(entry: str) -> Salvo:
    return lambda lugar: LEXICO.has(entry, lugar.sentence) or LEXICO.ends("nada_disso", lugar.before)


_PROMETE: Final = "promete o que não foi decidido"
_NAO_PROMETIDA: Final = "a aprovação não foi decidida, e não pode ser prometida"
_NAO_APROVADO: Final = "o pedido não foi aprovado"
_A_ENTREGAR: Final = "ainda há documentos a entregar"
_VALE: Final = "esta exigência continua a valer"
_OFICIO: Final = "é uma palavra do ofício, e não está explicada"
_DESFAZ: Final = "desfaz uma exigência da decisão"
_ALHEIO: Final = "este não é um motivo da decisão"
_NADA_SE_SABE: Final = "não foi isto o que se decidiu"
_OUTRO_PRAZO: Final = "este prazo não está nos dados da decisão"
_PRAZO: Final = "dá um prazo que não está nos dados da decisão"

REGRAS: Final[tuple[Regra, ...]] = (
    # the outcome and its extent
    Regra("em_analise", "a decisão já foi tomada", _decidido, (_de_documentos, _de_novo_pedido)),
    Regra("so_se", "a aprovação não tem condição", _sem_condicao),
    Regra("em_parte", "o pedido foi aprovado por inteiro", _por_inteiro),
    Regra("por_inteiro", "o pedido foi aprovado só em parte", _so_em_parte, (_nao_e_aprovacao,)),
    Regra("negado", "o pedido foi aprovado em parte", _so_em_parte, (_ha_aprovacao,)),
    # the effect of the adjustments
    Regra("efeito_total", "não é este o efeito provado dos ajustes", _outro_efeito("total"), (_negado,)),
    Regra("efeito_parcial", "não é este o efeito provado dos ajustes", _outro_efeito("parcial"), (_negado,)),
    Regra("efeito_nenhum", "não é este o efeito provado dos ajustes", _outro_efeito("nenhum"), (_negado, _um_so_ajuste, _como_esta)),
    Regra("passa_a_valer", "os ajustes não levam à aprovação", _sem_efeito, (_negado, _depende_de_pessoa)),
    # promises and favours
    Regra("promessa", _PROMETE, _sempre, (_negado,)),
    Regra("tranquiliza", _PROMETE, _nao_por_inteiro, (_negado,)),
    Regra("garantido", _PROMETE, _sempre, (_negado, _sem_ser_de_outros)),
    Regra("sem_custo", "não foi decidido que não há custo", _custo_nao_foi_dispensado),
    Regra("sem_coparticipacao", "não foi decidido que não há custo", _custo_nao_foi_dispensado, (_so_nao_consta,)),
    Regra("vai_aprovar", "não foi isto o que se decidiu", _aprovado, (_de_nenhum_outro, _em_aberto)),
    Regra("sem_novo_pedido", _PROMETE, _aprovado),
    Regra("reenvio_sozinho", _PROMETE, _nao_aprovado, (_dos_dados,)),
    Regra("fica_livre", _NAO_PROMETIDA, _nao_aprovado, (_negado,)),
    Regra("incluido", _PROMETE, _sempre, (_negado, _dos_dados)),
    Regra("ja_se_faz", _NAO_APROVADO, _nao_aprovado),
    Regra("vai_aprovar", _NAO_PROMETIDA, _nao_aprovado, (_em_aberto,)),
    Regra("acontece", _NAO_PROMETIDA, _nao_aprovado, (_em_aberto, _de_coisa_que_nao_o_procedimento)),
    Regra("pode_comecar", _NAO_PROMETIDA, _nao_aprovado, (_em_aberto,)),
    Regra("ja_ajustamos", _NAO_PROMETIDA, _nao_aprovado, (_em_aberto,)),
    Regra("prazo_vago", _PRAZO, _sempre, (_negado, _dos_dados)),
    Regra("fica_guardado", "diz guardado o que não foi aprovado", _sempre, (_negado, _de_documentos, _do_proprio_pedido)),
    Regra("prazo_contado", _OUTRO_PRAZO, _sempre, (_dos_dados,), "numero"),
    Regra("limite_de_periodo", _OUTRO_PRAZO, _sem_periodo, (_dos_dados,), "numero"),
    Regra("custo_de_outra_base", "fala de um custo que não está nos dados da decisão", _ha_custo, (_dos_dados,)),
    Regra("custo_alheio", "fala de um custo que não está nos dados da decisão", _sempre, (_dos_dados,)),
    # a denial is told as one, and what may still be settled is not told as settled
    Regra("negativa_amaciada", "amacia uma negativa", _negado_de_vez, (_dos_dados,)),
    Regra("definitivo", "dá por definitivo o que ainda tem saída", _tem_saida, (_negado, _dos_dados)),
    Regra("segue_em_analise", "conta um ato que não está nos dados da decisão", _espera_correcao, (_logo_negado,)),
    Regra("recusou", "o pedido não foi negado: há o que ajustar", _tem_saida),
    Regra("sugere_codigo", "não foi isto o que se decidiu", _nao_ha_troca, (_negado, _logo_negado)),
    Regra("dias_por_zero", "dá por sabido o que não se sabe", _carencia_desconhecida, (), "numero"),
    Regra("requisito", "pede mais do que a regra pede", _sempre, (_negado, _dos_dados)),
    # what was done, where to turn, and what is said of people and of health
    Regra("ato_nao_feito", "conta um ato que não está nos dados da decisão", _sempre, (_logo_negado, _dos_dados)),
    Regra("canal", "indica um canal que não está nos dados da decisão", _sempre, (_negado, _dos_dados)),
    Regra("doenca", "fala da doença de quem vai ser atendido", _sempre, (_dos_dados,)),
    Regra("conselho_de_saude", "dá um conselho de saúde", _sempre, (_dos_dados,)),
    Regra("dita_o_laudo", "pede mais do que a regra pede", _sempre, (_dos_dados,)),
    Regra("merito", _ALHEIO, _sempre, (_dos_dados,)),
    Regra("culpa", "põe a culpa em alguém", _sempre, (_negado, _dos_dados)),
    Regra("juizo", "elogia ou julga alguém", _sempre, (_dos_dados,)),
    # what is still to be done
    Regra("desfaz", _DESFAZ, _sempre, (_negado, _dos_dados)),
    Regra("espera_dispensada", _DESFAZ, _ha_carencia, (_negado, _dos_dados)),
    Regra("a_qualquer_tempo", _DESFAZ, _ha_o_que_cumprir, (_negado, _dos_dados)),
    Regra("outro_no_lugar", _DESFAZ, _ha_documentos_a_entregar, (_negado, _dos_dados)),
    Regra("serve_assim", _DESFAZ, _ha_documentos_a_entregar, (_em_aberto,)),
    Regra("atalho", _DESFAZ, _nao_aprovado, (_dos_dados,)),
    Regra("sem_a_rede", _VALE, _so_na_rede, (_negado,)),
    Regra("nada_a_entregar", _A_ENTREGAR, _ha_documentos_a_entregar, (_alem_do_que_pede,)),
    Regra("opcional", _A_ENTREGAR, _ha_documentos_a_entregar),
    Regra("nada_a_fazer", "há o que ajustar no pedido", _ha_o_que_ajustar),
    Regra("sem_alternativa", "há um procedimento que fica no lugar", _ha_alternativa),
    Regra("basta_um", "é preciso atender a tudo o que falta", _falta_mais_de_um, (_negado,)),
    Regra("fora_da_rede_ainda_assim", _VALE, _ainda_vale(REDE)),
    *(
        Regra(f"{entry}_cumprido", "é justamente o que falta cumprir", _falta_cumprir(motivo), (_cumprido_so_em_parte,))
        for motivo, entry in EXIGENCIAS.items()
    ),
    *(Regra(f"{entry}_dispensado", _VALE, _ainda_vale(motivo)) for motivo, entry in EXIGENCIAS.items()),
    # where there is no regra, nothing is known of cover
    Regra("sem_regra_e_coberto", _NADA_SE_SABE, _sem_regra, (_negado, _em_aberto, _dos_dados)),
    Regra("sem_regra_e_negado", _NADA_SE_SABE, _sem_regra, (_so_se_nega_o_sentido,)),
    # motivos that are none of the decision's
    *(
        Regra(f"alega_{motivo}", _ALHEIO, _motivo_alheio(motivo), (_motivo_negado(motivo), *salvo))
        for motivo, salvo in (
            (CARENCIA, ()),
            (IDADE, ()),
            (REDE, (_livre_de_rede,)),
            (SEM_COBERTURA, (_do_que_ficou_de_fora, _so_se_nega_o_sentido)),
            (QUANTIDADE, ()),
            (DOCUMENTOS, ()),
            (REGRA_NAO_ENCONTRADA, ()),
        )
    ),
    Regra(f"alega_{SEXO}", _ALHEIO, _sem_restricao_de_sexo),
    Regra("sexo_feminino", "a regra é para o outro sexo", _de_outro_sexo("F")),
    Regra("sexo_masculino", "a regra é para o outro sexo", _de_outro_sexo("M")),
    Regra(f"alega_{CPT}", _ALHEIO, _sem_cpt),
    Regra(f"alega_{PERIODO}", _ALHEIO, _sem_periodo),
    # words that the beneficiário cannot be expected to know
    Regra("oficio", "é uma palavra do ofício", _para_leigo, (_explicado,), "jargao"),
    Regra("coparticipacao", _OFICIO, _para_leigo, (_explicado_como("explica_coparticipacao"),), "jargao"),
    Regra("auditoria", _OFICIO, _para_leigo, (_explicado_como("explica_auditoria"), _dos_dados), "jargao"),
    Regra("carencia", _OFICIO, _para_leigo, (_explicado_como("explica_carencia"),), "jargao"),
)
