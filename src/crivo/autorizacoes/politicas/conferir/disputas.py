"""`regras_conflitantes` and `regra_inalcancavel`: regras for the very same pedidos, and regras that no pedido meets. Source: PRD RF3."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.motivos import PLANO_DESCONHECIDO
from crivo.autorizacoes.palavras import listing
from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id
from crivo.autorizacoes.politicas.conferir.achados import Achado
from crivo.autorizacoes.politicas.conferir.bancada import Bancada, Chave, Pedido, chaves, outcome, resultado
from crivo.autorizacoes.politicas.conferir.exemplos import menor
from crivo.autorizacoes.politicas.ditos import TITULOS, say
from crivo.autorizacoes.politicas.planos import planos_da

_SAME_PEDIDOS = frozenset({"regra_id", "codigo", "plano_id", "planos", "tabela", "observacoes", "descricao"})
_DECIDE = tuple(campo for campo in Regra.__struct_fields__ if campo not in _SAME_PEDIDOS)


def conflitantes(bancada: Bancada) -> Iterator[Achado]:
    """Regras behind one for the same code, plano and table: an error where they would say otherwise, else one too many."""
    for posicao, primeira in disputed(bancada.politica).items():
        regra, dona = bancada.politica.regras[posicao], bancada.politica.regras[primeira]
        conflito = _conflict(bancada, posicao, regra, dona)
        if conflito is not None:
            yield conflito
        elif bancada.reach(regra) is None:  # for other planos of its own it may be met still
            yield _repeated(bancada, posicao, regra, dona)


def disputed(politica: Politica) -> dict[int, int]:
    """By position of a regra all of whose pedidos, or some, an earlier one takes: the position of that one."""
    primeiras: dict[Chave, int] = {}
    found: dict[int, int] = {}
    for posicao, regra in enumerate(politica.regras):
        for chave in chaves(regra):
            primeira = primeiras.setdefault(chave, posicao)
            if primeira != posicao:
                found.setdefault(posicao, primeira)
    return found


def _conflict(bancada: Bancada, posicao: int, regra: Regra, dona: Regra) -> Achado | None:
    campos = [campo for campo in _DECIDE if getattr(regra, campo) != getattr(dona, campo)]
    if not campos:
        return None
    segunda, sozinha = bancada.apenas(regra), bancada.sozinha

    def differs(pedido: Bruto) -> bool:
        antes, depois = bancada.decide(pedido, sozinha), bancada.decide(pedido, segunda)
        return bancada.decided_by(antes, dona) and bancada.decided_by(depois, regra) and outcome(antes) != outcome(depois)

    def seen(pedido: Bruto) -> bool:
        """Whether the two decisions differ in what is shown of them, too."""
        antes, depois = (resultado("", bancada.decide(pedido, fluxo)) for fluxo in (sozinha, segunda))
        return antes != depois and differs(pedido)

    shared = list(_shared(bancada, regra, dona))
    exemplo = next((menor(um, shows) for shows in (seen, differs) for um in shared if shows(um)), None)
    if exemplo is None:
        return None
    nomes = listing([TITULOS[campo].lower() for campo in campos])
    return Achado(
        codigo="regras_conflitantes",
        gravidade="erro",
        regra=regra.regra_id,
        linha=bancada.linha(("regras", posicao)),
        explicacao=(
            f"{regra.regra_id} é para os mesmos pedidos que {dona.regra_id} ({_for(regra, dona)}) e diz outra coisa em {nomes}. "
            f"Só {dona.regra_id} vale, porque vem antes. Junte as duas, ou corrija o código, o plano ou a tabela de uma."
        ),
        exemplo=exemplo,
        resultados=(
            resultado(dona.regra_id, bancada.decide(exemplo, sozinha)),
            resultado(regra.regra_id, bancada.decide(exemplo, segunda)),
        ),
    )


def _shared(bancada: Bancada, regra: Regra, dona: Regra) -> Iterator[Bruto]:
    """Pedidos that both regras are for, from those that pass one of them on."""
    common = set(chaves(regra)) & set(chaves(dona))
    for um in bancada.pedidos_de(regra):
        if not any(chave in common for chave in chaves(_narrowed(regra, um))):
            continue
        for passes in (dona, regra):
            yield from bancada.varied(bancada.conforme(passes, um), dona, regra)
        return


def _narrowed(regra: Regra, pedido: Pedido) -> Regra:
    if planos_da(regra) == (CURINGA,):
        return regra
    return Regra(regra_id="", codigo=regra.codigo, cobertura="COBERTA", plano_id=pedido.plano_id, tabela=regra.tabela)


def _repeated(bancada: Bancada, posicao: int, regra: Regra, dona: Regra) -> Achado:
    sozinha = bancada.sozinha
    meets = _Meets(bancada, regra, bancada.apenas(regra), sozinha, dona)
    um = next((um for um in bancada.pedidos_de(regra) if meets(bancada.conforme(regra, um))), None)
    exemplo = menor(bancada.conforme(regra, um), meets) if um else None
    return _unreachable(
        bancada,
        posicao,
        f"{regra.regra_id} repete o que {dona.regra_id} já diz para os mesmos pedidos ({_for(regra)}), e nunca é usada. "
        "Apague uma das duas.",
        exemplo,
        sozinha,
    )


def inalcancaveis(bancada: Bancada) -> Iterator[Achado]:
    """Regras that no pedido meets once the document is published, save those that stand behind one for the very same pedidos."""
    if not bancada.dias:
        yield _never_in_force(bancada)
        return
    atras = disputed(bancada.politica)
    for posicao, regra in enumerate(bancada.politica.regras):
        if posicao not in atras and bancada.reach(regra) is None:
            yield _behind(bancada, posicao, regra)


def _behind(bancada: Bancada, posicao: int, regra: Regra) -> Achado:
    apenas = bancada.apenas(regra)
    for um in bancada.pedidos_de(regra):
        achada = bancada.find(um)
        base = bancada.conforme(regra, um)
        if achada is None:
            exemplo = menor(base, partial(_refused_by_plano, bancada, regra, apenas))
            plano = say("plano_id", um.plano_id)
            explicacao = (
                f"{regra.regra_id} é do plano {plano}, que não está em `planos`: o pedido desse plano volta para corrigir "
                "e nunca chega à regra. Declare o plano, ou corrija-o na regra."
            )
        else:
            outra, fonte = achada
            onde = "" if fonte.documento == bancada.politica.documento else f", de “{fonte.documento}”, versão {fonte.versao}"
            meets = _Meets(bancada, regra, apenas, bancada.fluxo, outra)
            exemplo = menor(base, meets)
            explicacao = (
                f"{regra.regra_id} ({_for(regra)}) fica sempre atrás de {fonte.regra_id}{onde}, e nunca é usada. "
                "Apague-a, ou corrija o código, o plano ou a tabela."
            )
        if exemplo is not None:
            return _unreachable(bancada, posicao, explicacao, exemplo, bancada.fluxo)
    return _unreachable(bancada, posicao, f"{regra.regra_id} ({_for(regra)}) nunca é usada por nenhum pedido.", None, bancada.fluxo)


class _Meets:
    """Whether a pedido that the regra is for is decided by another one."""

    def __init__(self, bancada: Bancada, regra: Regra, apenas: Fluxo, fluxo: Fluxo, outra: Regra) -> None:
        self._bancada, self._regra, self._apenas, self._fluxo, self._outra = bancada, regra, apenas, fluxo, outra

    def __call__(self, pedido: Bruto) -> bool:
        decided = self._bancada.decide(pedido, self._fluxo).etapas.consulta.regras_recuperadas
        return decided == self._outra and self._bancada.decided_by(self._bancada.decide(pedido, self._apenas), self._regra)


def _refused_by_plano(bancada: Bancada, regra: Regra, apenas: Fluxo, pedido: Bruto) -> bool:
    refused = bancada.decide(pedido).etapas.normalizacao.erros_bloqueantes == (PLANO_DESCONHECIDO,)
    return refused and bancada.decided_by(bancada.decide(pedido, apenas), regra)


def _never_in_force(bancada: Bancada) -> Achado:
    politica = bancada.politica
    return Achado(
        codigo="regra_inalcancavel",
        gravidade="aviso",
        regra=None,
        linha=bancada.linha(("vigencia_inicio",)),
        explicacao=(
            f"Nenhuma regra da versão {politica.versao} chega a valer: outra versão de “{politica.documento}”, já publicada, "
            "a encerra antes de ela começar. Corrija a vigência ou a versão."
        ),
        exemplo=None,
    )


def _unreachable(bancada: Bancada, posicao: int, explicacao: str, exemplo: Bruto | None, fluxo: Fluxo) -> Achado:
    regra = bancada.politica.regras[posicao]
    return Achado(
        codigo="regra_inalcancavel",
        gravidade="aviso",
        regra=regra.regra_id,
        linha=bancada.linha(("regras", posicao)),
        explicacao=explicacao,
        exemplo=exemplo,
        resultados=(resultado("", bancada.decide(exemplo, fluxo)),) if exemplo else (),
    )


def _for(regra: Regra, outra: Regra | None = None) -> str:
    """Which pedidos a regra is for, in words; with another one, those that both are for."""
    dobrados = {fold_id(plano) for plano in planos_da(outra or regra)}
    nomes = [plano for plano in planos_da(regra) if fold_id(plano) in dobrados]
    planos = "todos os planos" if nomes == [CURINGA] else f"plano {listing(nomes)}"
    tabela = "" if regra.tabela == CURINGA else f", tabela {regra.tabela}"
    return f"{say('codigo', regra.codigo)}, {planos}{tabela}"
