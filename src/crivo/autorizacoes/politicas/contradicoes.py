"""Where a regra says against itself, or against the law that it stands under, of what came after the PRD. Record 0076."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from msgspec import UNSET

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.motivos import COM_SAIDA, SEM_SAIDA
from crivo.autorizacoes.palavras import count, nome_documento, number
from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id

Contradicao = tuple[str, str, str]
"""The field, the code of the aviso, and what to do about it (pt-BR)."""
CPT_LEGAL_MESES: Final = 24
SEM_CONDICAO: Final = "condicional_sem_condicao"
_WITH_CPT: Final = frozenset({"ALTA_COMPLEXIDADE", "INTERNACAO_ELETIVA", "HOSPITAL_DIA"})


def contradicoes(regra: Regra) -> Iterator[Contradicao]:
    """Each doubt with its field; none keeps a regra from being imported. Source of the limits of CPT: Lei 9.656/1998 art. 11."""
    yield from _of_planos(regra)
    yield from _of_cpt(regra)
    yield from _of_limites(regra)
    yield from _of_documentos(regra)
    yield from _of_excecoes(regra)
    if regra.cobertura == "CONDICIONAL" and not _has_condition(regra):
        mensagem = (
            "`CONDICIONAL` sem nenhuma condição aprova como `COBERTA`. Escreva a condição em um campo (documentos, carência, idade, rede, "
            "quantidade, limite, valor, sexo ou CPT); uma análise que só uma pessoa pode fazer não se escreve aqui."
        )
        yield "cobertura", SEM_CONDICAO, mensagem
    if regra.cobertura == "NAO_COBERTA" and (regra.limites or regra.valor_maximo or regra.sexo or regra.cpt_meses):
        mensagem = "A regra não cobre o procedimento, e o que ela restringe nunca será conferido; apague a restrição ou mude a cobertura."
        yield "cobertura", "restricao_sem_cobertura", mensagem


def _has_condition(regra: Regra) -> bool:
    """Whether some check may hold a pedido back or limit it; a share to pay, a validity and autorização prévia do not."""
    faixa = regra.restricoes_idade
    return bool(
        regra.documentos_obrigatorios
        or regra.documentos_alternativos
        or regra.carencia_min_dias
        or (faixa is not None and (faixa.min is not None or faixa.max is not None))
        or regra.restricoes_rede == "APENAS_CREDENCIADA"
        or regra.limite_quantidade is not None
        or regra.limites
        or regra.valor_maximo is not UNSET
        or regra.sexo
        or regra.cpt_meses
    )


def _of_excecoes(regra: Regra) -> Iterator[Contradicao]:
    for excecao in regra.excecoes:
        if excecao.motivo in SEM_SAIDA:
            mensagem = (
                f"A exceção de `{excecao.motivo}` fica guardada e nada muda: só as de {' e '.join(COM_SAIDA)} são sugeridas a quem pediu. "
                "O que foge à regra por outro motivo, uma pessoa decide na revisão."
            )
            yield "excecoes", "excecao_sem_efeito", mensagem


def _of_planos(regra: Regra) -> Iterator[Contradicao]:
    planos = regra.planos or ()
    if planos and regra.plano_id != CURINGA:
        yield "plano_id", "plano_e_planos", "A regra diz `plano_id` e também `planos`, e vale para todos eles; deixe só `planos`."
    if CURINGA in planos:
        yield "planos", "plano_repetido_em_planos", "`*` em `planos` já é todos os planos; deixe só ele, em `plano_id`, ou apague-o."
    elif len({fold_id(plano) for plano in planos}) < len(planos):
        yield "planos", "plano_repetido_em_planos", "O mesmo plano está em `planos` mais de uma vez, em grafias diferentes; deixe uma só."


def _of_cpt(regra: Regra) -> Iterator[Contradicao]:
    if regra.cpt_meses and regra.cpt_meses > CPT_LEGAL_MESES:
        mensagem = f"A lei permite no máximo {CPT_LEGAL_MESES} meses de cobertura parcial temporária, e aqui são {regra.cpt_meses}."
        yield "cpt_meses", "cpt_acima_da_lei", mensagem
    if regra.cpt_meses and regra.tipo_atendimento and regra.tipo_atendimento not in _WITH_CPT:
        mensagem = "A lei só permite cobertura parcial temporária em alta complexidade, cirurgia e leito; confira `tipo_atendimento`."
        yield "cpt_meses", "cpt_fora_da_lei", mensagem


def _of_limites(regra: Regra) -> Iterator[Contradicao]:
    limites = regra.limites or ()
    for um, outro in combinations(limites, 2):
        curto, longo = (um, outro) if um.periodo_dias <= outro.periodo_dias else (outro, um)
        if um.por == outro.por and curto.quantidade >= longo.quantidade:
            mensagem = (
                f"O limite de {number(curto.quantidade)} em {count(curto.periodo_dias, 'dia', 'dias')} nunca pesa, porque o de "
                f"{number(longo.quantidade)} em {count(longo.periodo_dias, 'dia', 'dias')} é mais apertado; apague um deles."
            )
            yield "limites", "limite_contraditorio", mensagem
    menor = min((limite.quantidade for limite in limites), default=None)
    if menor is not None and regra.limite_quantidade is not None and regra.limite_quantidade > menor:
        mensagem = (
            f"Um pedido pode ter até {number(regra.limite_quantidade)}, mas o limite por período é de {number(menor)}, e é ele que vale; "
            "confira qual dos dois está certo."
        )
        yield "limite_quantidade", "limite_contraditorio", mensagem


def _of_documentos(regra: Regra) -> Iterator[Contradicao]:
    for grupo in regra.documentos_alternativos or ():
        always = [tipo for tipo in grupo if tipo in regra.documentos_obrigatorios]
        if always:
            mensagem = f"`{always[0]}` já é obrigatório por si, e o grupo em que ele está nunca falta; apague um dos dois."
            yield "documentos_alternativos", "documento_repetido", mensagem
        elif len(grupo) == 1:
            mensagem = f"Um grupo de um documento só ({nome_documento(grupo[0])}) é um documento obrigatório; ponha-o entre eles."
            yield "documentos_alternativos", "documento_repetido", mensagem
