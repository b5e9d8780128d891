"""RF4: hold the pedido against the regra, check by check. Source: PRD RF4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

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
from crivo.autorizacoes.motivos import CARENCIA, DOCUMENTOS, IDADE, QUANTIDADE, REDE, REGRA_NAO_ENCONTRADA, SEM_COBERTURA

IDADE_NAO_CONFERIDA = "idade_desconhecida_restricao_nao_conferida"
URGENCIA = "urgencia_exige_prioridade_sem_flexibilizar_regra"

# The one finding that limits an approval without standing against it.
_NOT_AGAINST = frozenset({QUANTIDADE})

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
    for check in CHECKS:
        checked, motivo = check(caso)
        restricoes += checked
        if motivo is not None:
            motivos.append(motivo)
    if params.urgencia and regra.autorizacao_previa:
        restricoes.append(URGENCIA)
    acima = QUANTIDADE in motivos
    conforme = _NOT_AGAINST.issuperset(motivos)
    return Avaliacao(
        pedido.pedido_id,
        conforme,
        "NEGAR" if not conforme else "APROVAR_PARCIAL" if acima else "APROVAR_TOTAL",
        tuple(motivos),
        pendencias,
        (_TROCAR_PRESTADOR,) if REDE in motivos else (),
        regra.limite_quantidade if acima else params.quantidade if conforme else None,
        regra.coparticipacao_percentual,
        regra.prazo_validade_autorizacao_dias,
        tuple(restricoes),
        fonte,
        not conforme,
    )


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


def rede(params: ParamsConsulta, regra: Regra) -> Achado:
    """The provider belongs to the network where the regra asks it. Source: PRD RF4 "Rede"."""
    if regra.restricoes_rede != "APENAS_CREDENCIADA":
        return _NADA
    return (("restricoes_rede=APENAS_CREDENCIADA",), None if params.prestador_credenciado else REDE)


def quantidade(params: ParamsConsulta, regra: Regra) -> Achado:
    """The quantity asked stays within the limit. Source: PRD RF4 "Quantidade"."""
    limite = regra.limite_quantidade
    if limite is None:
        return _NADA
    acima = params.quantidade is not None and params.quantidade > limite
    return ((f"limite_quantidade={limite}",), QUANTIDADE if acima else None)


def documentos(pendencias: tuple[str, ...], regra: Regra) -> Achado:
    """Every document came, or the regra lets it follow. Source: PRD RF4 "Pendência documental"."""
    if not regra.documentos_obrigatorios:
        return _NADA
    against = pendencias and not regra.permite_autorizacao_condicionada
    return ((f"documentos_obrigatorios={','.join(regra.documentos_obrigatorios)}",), DOCUMENTOS if against else None)


def pendencias_documentais(pedido: PedidoNormalizado, regra: Regra) -> tuple[str, ...]:
    """The document types that the regra asks for and the pedido lacks, in the regra's order."""
    exigidos = regra.documentos_obrigatorios
    if not exigidos:
        return ()
    anexos = {documento.tipo for documento in pedido.documentos_anexos}
    return tuple([tipo for tipo in exigidos if tipo not in anexos])


# In the order in which motivos are told.
CHECKS: Final[tuple[Callable[[Caso], Achado], ...]] = (
    lambda caso: carencia(caso.params, caso.regra),
    lambda caso: idade(caso.params, caso.regra),
    lambda caso: rede(caso.params, caso.regra),
    lambda caso: quantidade(caso.params, caso.regra),
    lambda caso: documentos(caso.pendencias, caso.regra),
)
