"""RF3: look the regra up; never a model. Source: PRD RF3."""

from __future__ import annotations

from typing import Protocol

from crivo.autorizacoes.contracts import Consulta, FonteRegras, Parametros, Regra


class Normas(Protocol):
    """The published políticas, as RF3 asks them."""

    def find_regra(
        self, administradora_id: str, plano_id: str, codigo: str, tabela: str | None, data_referencia: str
    ) -> tuple[Regra, FonteRegras] | None:
        """The most specific regra in force on an ISO date, with where it stands; None when there is none."""
        ...


NADA_CONSULTADO = Consulta(None, None)


def consultar(parametros: Parametros, normas: Normas) -> Consulta:
    """The most specific regra in force at `data_referencia`; both answers null when none applies. Source: PRD RF3 3.2."""
    params = parametros.params_consulta_regras
    administradora_id, plano_id, codigo = params.administradora_id, params.plano_id, params.codigo_procedimento
    if not parametros.consulta_pronta or administradora_id is None or plano_id is None or codigo is None or params.data_referencia is None:
        return NADA_CONSULTADO
    achada = normas.find_regra(administradora_id, plano_id, codigo, params.tabela, params.data_referencia)
    return NADA_CONSULTADO if achada is None else Consulta(*achada)
