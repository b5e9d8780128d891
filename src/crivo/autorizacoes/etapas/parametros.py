"""RF2: prepare exactly what the look-up needs. Source: PRD RF2."""

from __future__ import annotations

from crivo.autorizacoes.contracts import Normalizacao, Parametros, ParamsConsulta
from crivo.autorizacoes.motivos import PEDIDO_INVALIDO


def preparar(normalizacao: Normalizacao) -> Parametros:
    """The parameters of the look-up, and whether it can be made. Source: PRD RF2 2.2, 2.3.2."""
    pedido = normalizacao.pedido_normalizado
    procedimento = pedido.procedimento
    beneficiario = pedido.beneficiario
    params = ParamsConsulta(
        pedido.administradora_id,
        pedido.plano_id,
        procedimento.codigo,
        procedimento.tabela,
        procedimento.quantidade,
        pedido.urgencia,
        beneficiario.idade,
        pedido.prestador.tipo == "CREDENCIADO",
        beneficiario.preexistencias,
        beneficiario.carencia_cumprida_dias,
        pedido.data_pedido,
        beneficiario.sexo,
        procedimento.valor,
        pedido.historico,
    )
    motivos = _motivos(normalizacao.pedido_valido, params)
    return Parametros(params, not motivos, motivos)


_NEEDED = ("administradora_id", "plano_id", "codigo_procedimento", "quantidade")


def _motivos(pedido_valido: bool, params: ParamsConsulta) -> tuple[str, ...]:
    if not pedido_valido:
        return (PEDIDO_INVALIDO,)
    values = (params.administradora_id, params.plano_id, params.codigo_procedimento, params.quantidade)
    if None not in values:
        return ()
    return tuple([f"parametro_ausente:{nome}" for nome, value in zip(_NEEDED, values, strict=True) if value is None])
