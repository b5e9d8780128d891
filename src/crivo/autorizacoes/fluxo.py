"""The journey of a pedido: orders the six stages, and does nothing else. Source: PRD section 4."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from operator import itemgetter
from typing import Final, Protocol

from crivo.autorizacoes import agentes
from crivo.autorizacoes.campos import TabelaDeCampos, base_table
from crivo.autorizacoes.contracts import Ajustes, Avaliacao, Consulta, Normalizacao, PedidoNormalizado
from crivo.autorizacoes.etapas.ajustes import sugerir
from crivo.autorizacoes.etapas.avaliacao import avaliar
from crivo.autorizacoes.etapas.consulta import Normas, consultar
from crivo.autorizacoes.etapas.normalizacao import Recebido, normalizar
from crivo.autorizacoes.etapas.parametros import preparar
from crivo.autorizacoes.etapas.ressalvas import Acervo
from crivo.autorizacoes.etapas.sintese import sintetizar
from crivo.autorizacoes.extracao import Extrator
from crivo.autorizacoes.leitura import Bruto, read_pedido
from crivo.autorizacoes.motivos import QUANTIDADE_INVALIDA
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.trilha import BY_CODE, BY_CODE_WITHOUT_AJUSTES, Etapas, Trilha
from crivo.kernel.agents.runner import Pipeline, Stage

_in_order: Final = itemgetter(*Etapas.__struct_fields__)


class Publicadas(Acervo, Normas, Protocol):
    """The published políticas, as the stages ask them."""

    def plano_de_todos(self, administradora_id: str, data_referencia: str) -> str | None:
        """The plano of a pedido that does not say it, where it can be no other or does not matter; None where it must be asked."""
        ...


class Fluxo:
    """The six stages over one set of published políticas and field tables; a pure function of pedido and date."""

    def __init__(self, normas: Publicadas, campos: Mapping[str, Mapping[str, str]] | None = None) -> None:
        """`campos` holds, by administradora, the table of equivalent fields that extends the base one."""
        self._normas = normas
        base = Extrator(TabelaDeCampos.of(base_table()))
        extratores = {fold_id(adm): Extrator(TabelaDeCampos.of(tabela, base_table())) for adm, tabela in (campos or {}).items()}
        self._pipeline = Pipeline(
            "pedido",
            (
                Stage(agentes.NORMALIZACAO, lambda recebido: normalizar(recebido, extratores, base, normas)),
                Stage(agentes.PARAMETROS, preparar),
                Stage(agentes.CONSULTA, lambda parametros: consultar(parametros, normas)),
                Stage(agentes.AVALIACAO, avaliar),
                Stage(agentes.AJUSTES, self._sugerir, when=_nao_conforme),
                Stage(agentes.SINTESE, sintetizar),
            ),
        )

    def plano_de_todos(self, administradora_id: str, data_referencia: str) -> str | None:
        """The plano of a pedido that does not say it, by the políticas of this set; None where it must be asked."""
        return self._normas.plano_de_todos(administradora_id, data_referencia)

    def decide(self, raw: bytes, received_on: date) -> Trilha:
        """The decision with its trail. Raises `PedidoIlegivel` when the bytes hold no pedido that can be read."""
        return self.decide_bruto(read_pedido(raw), received_on)

    def decide_bruto(self, bruto: Bruto, received_on: date) -> Trilha:
        """`decide`, from an object already parsed."""
        execution = self._pipeline.run(Recebido(bruto, received_on.isoformat()))
        etapas = Etapas(*_in_order(execution.answers))
        author = BY_CODE if etapas.ajustes is not None else BY_CODE_WITHOUT_AJUSTES
        return Trilha(etapas.sintese.pedido_id, etapas, author, execution.tempos_us)

    def _sugerir(self, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> Ajustes:
        return sugerir(normalizacao, consulta, avaliacao, self._normas, self._reavaliar)

    def _reavaliar(self, pedido: PedidoNormalizado) -> Avaliacao:
        """RF2 to RF4 once more, for the proof of the adjustments."""
        # The one thing of RF1 that an adjustment can break: a regra whose limit is 0.
        erros = () if (pedido.procedimento.quantidade or 0) > 0 else (QUANTIDADE_INVALIDA,)
        normalizacao = Normalizacao(pedido, erros, (), not erros)
        parametros = preparar(normalizacao)
        return avaliar(normalizacao, parametros, consultar(parametros, self._normas))


def _nao_conforme(normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> bool:
    """RF5 runs only on its trigger. Source: PRD RF5 5.3.1, `gatilho_pedido_nao_conforme`."""
    return avaliacao.gatilho_pedido_nao_conforme
