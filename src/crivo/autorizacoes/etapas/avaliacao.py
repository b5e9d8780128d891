"""RF4: hold the pedido against the regra, check by check. Source: PRD RF4."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from crivo.autorizacoes.contracts import (
    AjusteMinimo,
    Avaliacao,
    Consulta,
    FonteRegras,
    Normalizacao,
    Parametros,
    ParamsConsulta,
    PedidoNormalizado,
    Regra,
    Value,
)
from crivo.autorizacoes.etapas.limites import is_complete, sobra
from crivo.autorizacoes.etapas.valores import preexistencias_declaradas
from crivo.autorizacoes.motivos import (
    CARENCIA,
    CPT,
    DOCUMENTOS,
    ESGOTADO,
    HISTORICO_INCOMPLETO,
    IDADE,
    PERIODO,
    QUANTIDADE,
    REDE,
    REGRA_NAO_ENCONTRADA,
    SEM_COBERTURA,
    SEM_HISTORICO,
    SEM_SEXO,
    SEM_VALOR,
    SEXO,
    VALOR,
)
from crivo.autorizacoes.palavras import OU

IDADE_NAO_CONFERIDA = "idade_desconhecida_restricao_nao_conferida"
_DAYS_OF_A_YEAR: Final = 365
_MONTHS_OF_A_YEAR: Final = 12
URGENCIA = "urgencia_exige_prioridade_sem_flexibilizar_regra"

CPT_NAO_CONFERIDA = "preexistencias_desconhecidas_cpt_nao_conferida"
# What limits an approval without standing against it.
SO_LIMITAM = frozenset({QUANTIDADE, PERIODO})

_TROCAR_PRESTADOR = AjusteMinimo(
    "prestador.tipo", "CREDENCIADO", "A regra só autoriza o procedimento na rede credenciada; indique um prestador credenciado."
)


class Caso(Value, frozen=True, gc=False):
    """What a check may look at; `pendencias` are the document types that the regra asks for and the pedido lacks."""

    pedido: PedidoNormalizado
    params: ParamsConsulta
    regra: Regra
    pendencias: tuple[str, ...]


# What one check found: the restrictions it looked at, and the motivo when one does not hold.
Achado = tuple[tuple[str, ...], str | None]
_NADA: Achado = ((), None)


def avaliar(normalizacao: Normalizacao, parametros: Parametros, consulta: Consulta) -> Avaliacao:
    """Whether the pedido conforms, why not, and what could be approved. Source: PRD RF4 4.2, 4.3.2."""
    pedido = normalizacao.pedido_normalizado
    if not parametros.consulta_pronta:
        return _negada(pedido.pedido_id, (*parametros.motivos_nao_pronto[:1], *normalizacao.erros_bloqueantes), None, None)
    regra, fonte = consulta.regras_recuperadas, consulta.fonte_regras
    if regra is None:
        return _negada(pedido.pedido_id, (REGRA_NAO_ENCONTRADA,), None, None)
    if regra.cobertura == "NAO_COBERTA":
        return _negada(pedido.pedido_id, (SEM_COBERTURA,), regra, fonte)
    return _avaliada(pedido, parametros.params_consulta_regras, regra, fonte)


def _avaliada(pedido: PedidoNormalizado, params: ParamsConsulta, regra: Regra, fonte: FonteRegras | None) -> Avaliacao:
    pendencias = pendencias_documentais(pedido, regra)
    caso = Caso(pedido, params, regra, pendencias)
    motivos: list[str] = []
    restricoes: list[str] = []
    for check in checks_of(regra):
        checked, motivo = check(caso)
        restricoes += checked
        if motivo is not None:
            motivos.append(motivo)
    if params.urgencia and regra.autorizacao_previa:
        restricoes.append(URGENCIA)
    acima = QUANTIDADE in motivos or PERIODO in motivos
    conforme = not motivos or SO_LIMITAM.issuperset(motivos)
    return Avaliacao(
        pedido.pedido_id,
        conforme,
        "NEGAR" if not conforme else "APROVAR_PARCIAL" if acima else "APROVAR_TOTAL",
        tuple(motivos),
        pendencias,
        (_TROCAR_PRESTADOR,) if REDE in motivos else (),
        _limite(pedido, regra, motivos) if acima else params.quantidade if conforme else None,
        regra.coparticipacao_percentual,
        regra.prazo_validade_autorizacao_dias,
        tuple(restricoes),
        fonte,
        not conforme,
    )


def _limite(pedido: PedidoNormalizado, regra: Regra, motivos: list[str]) -> int | float | None:
    """The most that the exceeded limits leave."""
    if PERIODO not in motivos:
        return regra.limite_quantidade
    resta = sobra(pedido, regra)
    return resta if QUANTIDADE not in motivos or regra.limite_quantidade is None else min(resta, regra.limite_quantidade)


def _negada(pedido_id: str | None, motivos: tuple[str, ...], regra: Regra | None, fonte: FonteRegras | None) -> Avaliacao:
    """The answer where one motivo settles the matter and nothing else is checked."""
    coparticipacao = regra.coparticipacao_percentual if regra else None
    prazo = regra.prazo_validade_autorizacao_dias if regra else None
    return Avaliacao(pedido_id, False, "NEGAR", motivos, (), (), None, coparticipacao, prazo, (), fonte, True)


def carencia_exigida(urgencia: bool, regra: Regra) -> tuple[str, int] | None:
    """The waiting period that applies, by its name in the regra, in days; None when there is none to serve.

    Source: PRD RF4 "Carência"; Lei 9.656/1998 art. 12 V, as far as the regra states it.
    """
    if urgencia and regra.carencia_urgencia_dias is not None:
        nome, dias = "carencia_urgencia_dias", regra.carencia_urgencia_dias
    elif regra.carencia_min_dias is not None:
        nome, dias = "carencia_min_dias", regra.carencia_min_dias
    else:
        return None
    return (nome, dias) if dias > 0 else None


def carencia(params: ParamsConsulta, regra: Regra) -> Achado:
    """The waiting period served so far reaches the one required. Source: PRD RF4 "Carência"."""
    exigida = carencia_exigida(params.urgencia, regra)
    if exigida is None:
        return _NADA
    nome, dias = exigida
    cumprida = params.carencia_cumprida_dias
    return ((f"{nome}={dias}",), CARENCIA if cumprida is None or dias > cumprida else None)


def cpt_exigida_dias(regra: Regra) -> int | None:
    """The days of plano before which pre-existing conditions are not covered, a month as 365/12 days; None where the regra states none."""
    return None if regra.cpt_meses is UNSET else math.ceil(regra.cpt_meses * _DAYS_OF_A_YEAR / _MONTHS_OF_A_YEAR)


def cpt(params: ParamsConsulta, regra: Regra) -> Achado:
    """Whoever declared a pre-existing condition has been in the plano for long enough; one not told is held against nobody.

    Source: Lei 9.656/1998 art. 11; RN ANS 558/2022, as far as the regra states it.
    """
    exigidos = cpt_exigida_dias(regra)
    if exigidos is None:
        return _NADA
    declaradas = preexistencias_declaradas(params.preexistencias)
    if declaradas is None:
        return ((CPT_NAO_CONFERIDA,), None)
    cumpridos = params.carencia_cumprida_dias
    against = declaradas and (cumpridos is None or exigidos > cumpridos)
    return ((f"cpt_meses={regra.cpt_meses}",), CPT if against else None)


def idade(params: ParamsConsulta, regra: Regra) -> Achado:
    """A known age lies within the bounds; an unknown one is held against nobody, and is told as not checked. Source: PRD RF4 "Idade"."""
    faixa = regra.restricoes_idade
    anos = params.idade
    if faixa is None or (faixa.min is None and faixa.max is None):
        return _NADA
    if anos is None:
        return ((IDADE_NAO_CONFERIDA,), None)
    checked = tuple(
        [f"restricoes_idade.{nome}={limite}" for nome, limite in (("min", faixa.min), ("max", faixa.max)) if limite is not None]
    )
    fora = (faixa.min is not None and anos < faixa.min) or (faixa.max is not None and anos > faixa.max)
    return (checked, IDADE if fora else None)


def sexo(params: ParamsConsulta, regra: Regra) -> Achado:
    """The beneficiário is of the sex that the regra is for; one not told is asked for, and never taken for the other."""
    if regra.sexo is UNSET:
        return _NADA
    motivo = SEM_SEXO if params.sexo is UNSET else SEXO if params.sexo != regra.sexo else None
    return ((f"sexo={regra.sexo}",), motivo)


def rede(params: ParamsConsulta, regra: Regra) -> Achado:
    """The provider belongs to the network where the regra asks it. Source: PRD RF4 "Rede"."""
    if regra.restricoes_rede != "APENAS_CREDENCIADA":
        return _NADA
    return (("restricoes_rede=APENAS_CREDENCIADA",), None if params.prestador_credenciado else REDE)


def valor(params: ParamsConsulta, regra: Regra) -> Achado:
    """The whole pedido costs no more than the regra allows, in R$; a value not told is asked for."""
    if regra.valor_maximo is UNSET:
        return _NADA
    motivo = SEM_VALOR if params.valor is UNSET else VALOR if params.valor > regra.valor_maximo else None
    return ((f"valor_maximo={regra.valor_maximo}",), motivo)


def quantidade(params: ParamsConsulta, regra: Regra) -> Achado:
    """The quantity asked stays within the limit. Source: PRD RF4 "Quantidade"."""
    limite = regra.limite_quantidade
    if limite is None:
        return _NADA
    acima = params.quantidade is not None and params.quantidade > limite
    return ((f"limite_quantidade={limite}",), QUANTIDADE if acima else None)


def periodo(pedido: PedidoNormalizado, regra: Regra) -> Achado:
    """What is asked fits in what the limits by period still leave; a history with gaps is never taken as nothing used."""
    if not regra.limites:
        return _NADA
    checked = tuple([f"limite_por_periodo={um.quantidade}/{um.periodo_dias}/{um.por}" for um in regra.limites])
    if pedido.historico is UNSET:
        return (checked, SEM_HISTORICO)
    if not is_complete(pedido, regra):
        return (checked, HISTORICO_INCOMPLETO)
    resta = sobra(pedido, regra)
    pedida = pedido.procedimento.quantidade or 0
    return (checked, None if pedida <= resta else PERIODO if resta > 0 else ESGOTADO)


def documentos(pendencias: tuple[str, ...], regra: Regra) -> Achado:
    """Every document came, or the regra lets it follow. Source: PRD RF4 "Pendência documental"."""
    exigidos, grupos = regra.documentos_obrigatorios, regra.documentos_alternativos
    if not exigidos and not grupos:
        return _NADA
    checked: tuple[str, ...] = (f"documentos_obrigatorios={','.join(exigidos)}",) if exigidos else ()
    if grupos:
        checked = (*checked, f"documentos_alternativos={','.join(map(OU.join, grupos))}")
    against = pendencias and not regra.permite_autorizacao_condicionada
    return (checked, DOCUMENTOS if against else None)


def pendencias_documentais(pedido: PedidoNormalizado, regra: Regra) -> tuple[str, ...]:
    """The document types that the regra asks for and the pedido lacks, in the regra's order.

    A group of which none came is one of them, its types joined by `|`, after those that are asked for by themselves.
    """
    exigidos, grupos = regra.documentos_obrigatorios, regra.documentos_alternativos
    if not exigidos and not grupos:
        return ()
    anexos = {documento.tipo for documento in pedido.documentos_anexos}
    faltam = [tipo for tipo in exigidos if tipo not in anexos]
    if grupos:
        faltam += [OU.join(grupo) for grupo in grupos if anexos.isdisjoint(grupo)]
    return tuple(faltam)


def checks_of(regra: Regra) -> tuple[Callable[[Caso], Achado], ...]:
    """The checks that a regra may call for, in the order in which motivos are told; most regras state nothing that came after the PRD."""
    return CHECKS if states_later(regra) else _WITHOUT_LATER


def states_later(regra: Regra) -> bool:
    """Whether a regra states a restriction that came after the PRD."""
    return not (regra.cpt_meses is regra.sexo is regra.valor_maximo is regra.limites is UNSET)


def _cpt(caso: Caso) -> Achado:
    return cpt(caso.params, caso.regra)


def _sexo(caso: Caso) -> Achado:
    return sexo(caso.params, caso.regra)


def _valor(caso: Caso) -> Achado:
    return valor(caso.params, caso.regra)


def _periodo(caso: Caso) -> Achado:
    return periodo(caso.pedido, caso.regra)


# In the order in which motivos are told.
CHECKS: Final[tuple[Callable[[Caso], Achado], ...]] = (
    lambda caso: carencia(caso.params, caso.regra),
    _cpt,
    lambda caso: idade(caso.params, caso.regra),
    _sexo,
    lambda caso: rede(caso.params, caso.regra),
    _valor,
    lambda caso: quantidade(caso.params, caso.regra),
    _periodo,
    lambda caso: documentos(caso.pendencias, caso.regra),
)
_LATER: Final = (_cpt, _sexo, _valor, _periodo)
_WITHOUT_LATER: Final = tuple([check for check in CHECKS if check not in _LATER])
