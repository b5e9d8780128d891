"""What the published políticas have to say of a pedido before any of them is applied: its plano, and observações nobody could read.

Source: design, "Right, on what customers really send".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from crivo.autorizacoes.contracts import FonteRegras, PedidoNormalizado, Regra
from crivo.autorizacoes.etapas.avaliacao import carencia_exigida
from crivo.autorizacoes.extracao import FUTURO, NAO_LIDO
from crivo.autorizacoes.motivos import (
    BENEFICIARIO_INATIVO,
    CARENCIA_NAO_INICIADA,
    CARENCIA_NAO_LIDA,
    IDADE_NAO_LIDA,
    NASCIMENTO_ILEGIVEL,
    PLANO_DESCONHECIDO,
    SEM_COBERTURA_EM_VIGOR,
)
from crivo.autorizacoes.politicas.planos import SituacaoDoPlano
from crivo.autorizacoes.politicas.sobras import NAO_LIDA, could_change

DITOS = frozenset({PLANO_DESCONHECIDO, NAO_LIDA})

Ressalvas = tuple[tuple[str, ...], tuple[str, ...]]
_NENHUMA: Ressalvas = ((), ())


class Acervo(Protocol):
    """The published políticas, as RF1 asks them."""

    def knows(self, administradora_id: str) -> bool:
        """Whether any published política is of the administradora."""
        ...

    def nothing_to_say(self, administradora_id: str, plano_id: str) -> bool:
        """True where ids spelled as the catalogue does leave nothing to be told of them."""
        ...

    def situacao_do_plano(self, administradora_id: str, plano_id: str, data_referencia: str) -> SituacaoDoPlano:
        """Whether the administradora knows the plano on an ISO date."""
        ...

    def observa(self, administradora_id: str) -> bool:
        """Whether any regra of the administradora has observações."""
        ...

    def pede(self, administradora_id: str) -> frozenset[str]:
        """Which of `sexo`, `valor` and `historico` some regra of the administradora asks of a pedido."""
        ...

    def find_regra(
        self, administradora_id: str, plano_id: str, codigo: str, tabela: str | None, data_referencia: str
    ) -> tuple[Regra, FonteRegras] | None:
        """The most specific regra in force on an ISO date, with where it stands; None when there is none."""
        ...


def ressalvas(pedido: PedidoNormalizado, acervo: Acervo) -> Ressalvas:
    """What blocks the pedido, and what it is worth knowing of it, by the políticas; nothing where its plano or date is missing."""
    erros, alertas = _das_politicas(pedido, acervo)
    erros = (*_da_porta(pedido, acervo), *erros)
    return ((*erros, *_needed_and_unread(pedido, acervo)), alertas) if "beneficiario" in pedido.extras else (erros, alertas)


def _da_porta(pedido: PedidoNormalizado, acervo: Acervo) -> tuple[str, ...]:
    """What the door of FHIR found that must not be decided over: it can only make a pedido wait."""
    de = pedido.extras.get("fhir")
    ditas = de.get("ressalvas") if isinstance(de, dict) else None
    if not isinstance(ditas, list):
        return ()
    erros = tuple([um for um in (SEM_COBERTURA_EM_VIGOR, BENEFICIARIO_INATIVO) if um in ditas])
    waits = NASCIMENTO_ILEGIVEL in ditas and pedido.beneficiario.idade is None and _asks_for_age(pedido, acervo)
    return (*erros, NASCIMENTO_ILEGIVEL) if waits else erros


def _asks_for_age(pedido: PedidoNormalizado, acervo: Acervo) -> bool:
    administradora_id, plano_id, codigo, data_pedido = (
        pedido.administradora_id,
        pedido.plano_id,
        pedido.procedimento.codigo,
        pedido.data_pedido,
    )
    if administradora_id is None or plano_id is None or codigo is None or data_pedido is None:
        return False
    achada = acervo.find_regra(administradora_id, plano_id, codigo, pedido.procedimento.tabela, data_pedido)
    faixa = None if achada is None else achada[0].restricoes_idade
    return faixa is not None and (faixa.min is not None or faixa.max is not None)


def _needed_and_unread(pedido: PedidoNormalizado, acervo: Acervo) -> Iterator[str]:
    """What a mapping was told to read of the beneficiário and could not, where the regra asks it: a guess would decide."""
    extras, codigo, quem = pedido.extras["beneficiario"], pedido.procedimento.codigo, pedido.beneficiario
    unread = {nome: valor for nome, valor in extras.items() if type(valor) is dict and NAO_LIDO in valor} if type(extras) is dict else {}
    ids = pedido.administradora_id, pedido.plano_id, codigo, pedido.data_pedido
    if not unread or None in ids:
        return
    achada = acervo.find_regra(
        pedido.administradora_id or "", pedido.plano_id or "", codigo or "", pedido.procedimento.tabela, pedido.data_pedido or ""
    )
    if achada is None or achada[0].cobertura == "NAO_COBERTA":
        return
    regra, faixa = achada[0], achada[0].restricoes_idade
    limits_age = faixa is not None and (faixa.min is not None or faixa.max is not None)
    if limits_age and quem.idade is None and not unread.keys().isdisjoint(("idade", "data_nascimento")):
        yield IDADE_NAO_LIDA
    desde = unread.get("carencia_cumprida_dias")
    if desde is not None and quem.carencia_cumprida_dias is None and carencia_exigida(pedido.urgencia, regra) is not None:
        yield CARENCIA_NAO_INICIADA if FUTURO in desde else CARENCIA_NAO_LIDA


def _das_politicas(pedido: PedidoNormalizado, acervo: Acervo) -> Ressalvas:
    administradora_id, plano_id, data_pedido = pedido.administradora_id, pedido.plano_id, pedido.data_pedido
    if administradora_id is None or plano_id is None or data_pedido is None:
        return _NENHUMA
    if acervo.nothing_to_say(administradora_id, plano_id):
        return _NENHUMA
    situacao = acervo.situacao_do_plano(administradora_id, plano_id, data_pedido)
    if situacao == "fora_dos_declarados":
        return (PLANO_DESCONHECIDO,), ()
    alertas: tuple[str, ...] = () if situacao == "conhecido" else (PLANO_DESCONHECIDO,)
    codigo = pedido.procedimento.codigo
    if codigo is not None and acervo.observa(administradora_id):
        achada = acervo.find_regra(administradora_id, plano_id, codigo, pedido.procedimento.tabela, data_pedido)
        if achada is not None and could_change(achada[0], pedido.beneficiario.idade):
            alertas = (*alertas, NAO_LIDA)
    return (), alertas
