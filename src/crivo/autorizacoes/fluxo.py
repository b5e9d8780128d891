"""The journey of a pedido: orders the six stages, and does nothing else. Source: PRD section 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from operator import itemgetter
from typing import Final, Protocol

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from crivo.autorizacoes import agentes
from crivo.autorizacoes.campos import TabelaDeCampos, base_table
from crivo.autorizacoes.contracts import Ajustes, Avaliacao, Consulta, Normalizacao, PedidoNormalizado, Uso
from crivo.autorizacoes.etapas.ajustes import sugerir
from crivo.autorizacoes.etapas.avaliacao import avaliar
from crivo.autorizacoes.etapas.complementos import complementar
from crivo.autorizacoes.etapas.consulta import Normas, consultar
from crivo.autorizacoes.etapas.normalizacao import Recebido, normalizar
from crivo.autorizacoes.etapas.parametros import preparar
from crivo.autorizacoes.etapas.ressalvas import Acervo
from crivo.autorizacoes.extracao import Extrator
from crivo.autorizacoes.leitura import Bruto, PedidoIlegivel, read_pedido
from crivo.autorizacoes.mapeamento.entrada import Chegado, Formato, Formatos, MapeamentoPublicado, translated, with_guess
from crivo.autorizacoes.moldes import Documento, Moldes, nao_conforme
from crivo.autorizacoes.motivos import QUANTIDADE_INVALIDA
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.trilha import BY_CODE, BY_CODE_WITHOUT_AJUSTES, Etapas, Trilha
from crivo.kernel.agents.runner import Pipeline, Stage

MOLDES: Final = 2_000
_in_order: Final = itemgetter(*Etapas.__struct_fields__)


class Publicadas(Acervo, Normas, Protocol):
    """The published políticas, as the stages ask them."""

    def plano_de_todos(self, administradora_id: str, data_referencia: str) -> str | None:
        """The plano of a pedido that does not say it, where it can be no other or does not matter; None where it must be asked."""
        ...


class _ComoLido(msgspec.Struct, frozen=True):
    """Of a stored trail, how its pedido was read."""

    formato: Formato | None = None


_EVALUATING: Final = 4  # the stages from RF1 to RF4, which come before anything is written


class Fluxo:
    """The six stages over one set of published políticas, field tables and mappings; a pure function of what came and its date."""

    def __init__(
        self,
        normas: Publicadas,
        campos: Mapping[str, Mapping[str, str]] | None = None,
        formatos: Sequence[MapeamentoPublicado] = (),
        moldes: int = MOLDES,
    ) -> None:
        """`campos` holds, by administradora, the table of equivalent fields that extends the base one; `moldes` are kept at most."""
        self._normas = normas
        self.formatos = Formatos(formatos)
        base = Extrator(TabelaDeCampos.of(base_table()))
        extratores = {fold_id(adm): Extrator(TabelaDeCampos.of(tabela, base_table())) for adm, tabela in (campos or {}).items()}
        self._normalizar: Callable[[Recebido], Normalizacao] = lambda recebido: normalizar(recebido, extratores, base, normas)
        self._tabelas = {adm: extrator.tabela for adm, extrator in extratores.items()}, base.tabela
        self._moldes = Moldes(self._sugerir, moldes)
        stages = (
            Stage(agentes.NORMALIZACAO, self._normalizar),
            Stage(agentes.PARAMETROS, preparar),
            Stage(agentes.CONSULTA, lambda parametros: consultar(parametros, normas)),
            Stage(agentes.AVALIACAO, avaliar),
            Stage(agentes.AJUSTES, self._moldes.sugerir, when=nao_conforme),
            Stage(agentes.SINTESE, self._moldes.sintetizar),
        )
        self._pipeline = Pipeline("pedido", stages)
        self._evaluation = Pipeline("pedido", stages[:_EVALUATING])

    def plano_de_todos(self, administradora_id: str, data_referencia: str) -> str | None:
        """The plano of a pedido that does not say it, by the políticas of this set; None where it must be asked."""
        return self._normas.plano_de_todos(administradora_id, data_referencia)

    def decide(self, raw: bytes, received_on: date, historico: tuple[Uso, ...] | None = None) -> Trilha:
        """The decision with its trail of bytes that hold one pedido as RF1 reads it. Raises `PedidoIlegivel` where they hold none.

        `historico` are the uses of the beneficiário that this house knows of, None where nobody asked it.
        """
        return self._decide(read_pedido(raw), received_on, historico, last_day(received_on))

    def partes(self, raw: bytes, received_on: date) -> tuple[Chegado, ...]:
        """The pedidos in what came, read by the mapping that recognises it, or the one that it is. Raises `PedidoIlegivel`."""
        if not self.formatos:
            return (Chegado(read_pedido(raw), raw),)
        return self.formatos.read(raw, None, received_on.isoformat())

    def decide_parte(self, parte: Chegado, received_on: date, historico: tuple[Uso, ...] | None = None) -> Trilha:
        """`decide`, of one pedido among those that came; refused, it is by the sender's own paths."""
        if parte.formato is None:
            return self._decide_native(parte, received_on, historico)
        try:
            trilha = self._decide(parte.bruto, received_on, historico, last_day(received_on))
        except PedidoIlegivel as error:
            raise translated(error, parte.formato.origem) from None
        return replace(trilha, formato=parte.formato)

    def _decide_native(self, parte: Chegado, received_on: date, historico: tuple[Uso, ...] | None) -> Trilha:
        try:
            return self._decide(parte.bruto, received_on, historico, last_day(received_on))
        except PedidoIlegivel as error:
            raise (with_guess(error, parte.parece) if parte.parece else error) from None

    def decide_again(self, pedido: bytes, trilha: bytes, received_on: date, historico: tuple[Uso, ...] | None = None) -> Trilha:
        """The decision of a stored pedido once more, read by the mapping that its trail names. Raises `PedidoIlegivel`."""
        formato = formato_of(trilha)
        if formato is None:
            return self.decide(pedido, received_on, historico)
        bruto = self.formatos.read_again(pedido, formato, received_on.isoformat())
        return self.decide_parte(Chegado(bruto, pedido, formato), received_on, historico)

    def normalizar(self, bruto: Bruto, received_on: date) -> Normalizacao:
        """RF1's answer alone. Raises `PedidoIlegivel` where a value cannot be read."""
        return self._normalizar(Recebido(bruto, received_on.isoformat()))

    def complementada(self, normalizacao: Normalizacao) -> Normalizacao:
        """What RF1 answered, with all that some regra may come to ask of the pedido and that none of today does."""
        pedido = normalizacao.pedido_normalizado
        if not pedido.extras:
            return normalizacao
        said = {"sexo": pedido.beneficiario.sexo, "valor": pedido.procedimento.valor, "historico": pedido.historico}
        suas, base = self._tabelas
        tabela = suas.get(fold_id(pedido.administradora_id or ""), base)
        return complementar(normalizacao, tabela, [nome for nome, valor in said.items() if valor is UNSET])

    def decide_bruto(self, bruto: Bruto, received_on: date, historico: tuple[Uso, ...] | None = None) -> Trilha:
        """`decide`, from an object already parsed, of a pedido that may be dated on any day, as those that try the rules are."""
        return self._decide(bruto, received_on, historico, None)

    def _decide(self, bruto: Bruto, received_on: date, historico: tuple[Uso, ...] | None, ate: str | None) -> Trilha:
        execution = self._pipeline.run(Recebido(bruto, received_on.isoformat(), historico, ate))
        etapas = Etapas(*_in_order(execution.answers))
        author = BY_CODE if etapas.ajustes is not None else BY_CODE_WITHOUT_AJUSTES
        return Trilha(etapas.sintese.pedido_id, etapas, author, execution.tempos_us)

    def decide_each(self, brutos: Sequence[Bruto], received_on: date) -> Sequence[Documento]:
        """Of objects already parsed, in their order: the RF6 document that `decide` makes, as JSON, and how it ends.

        Raises `PedidoIlegivel` where a value of any of them cannot be read.
        """
        recebido_em, ate = received_on.isoformat(), last_day(received_on)
        answers = self._evaluation.run_each([Recebido(bruto, recebido_em, None, ate) for bruto in brutos])
        return list(map(self._moldes.documento, answers["normalizacao"], answers["consulta"], answers["avaliacao"]))

    def asks_for_history(self, trilha: Trilha) -> bool:
        """Whether some regra of the pedido's administradora counts over what the beneficiário already had."""
        return "historico" in self._normas.pede(trilha.etapas.normalizacao.pedido_normalizado.administradora_id or "")

    def is_strange(self, administradora_id: str | None) -> bool:
        """Whether an administradora was named, and no published política is of it: a slip of the pen passes for a missing regra."""
        return administradora_id is not None and not self._normas.knows(administradora_id)

    def _sugerir(self, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao) -> Ajustes:
        return sugerir(normalizacao, consulta, avaliacao, self._normas, self._reavaliar)

    def _reavaliar(self, pedido: PedidoNormalizado) -> Avaliacao:
        """RF2 to RF4 once more, for the proof of the adjustments."""
        # The one thing of RF1 that an adjustment can break: a regra whose limit is 0.
        erros = () if (pedido.procedimento.quantidade or 0) > 0 else (QUANTIDADE_INVALIDA,)
        normalizacao = Normalizacao(pedido, erros, (), not erros)
        parametros = preparar(normalizacao)
        return avaliar(normalizacao, parametros, consultar(parametros, self._normas))


def last_day(received_on: date) -> str:
    """The last ISO date that a pedido received on a day may have: where it was written it may be tomorrow already."""
    return (received_on + timedelta(days=1)).isoformat()


def formato_of(trilha: bytes) -> Formato | None:
    """How a stored pedido was read; None of one that came as RF1 reads it, and where the trail is no longer readable."""
    try:
        return msgspec.json.decode(trilha, type=_ComoLido).formato
    except msgspec.DecodeError:
        return None
