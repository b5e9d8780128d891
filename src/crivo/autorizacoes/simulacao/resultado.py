"""What a draft changes, counted: outcomes before and after, by regra, and the cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from crivo.autorizacoes.contracts import DecisaoFinal, Politica, Regra
from crivo.autorizacoes.politicas.comparacao import CampoMudado, Comparacao, Mudanca
from crivo.autorizacoes.simulacao.avaliacao import DESFECHOS, Avaliadas
from crivo.autorizacoes.simulacao.colunas import Chave, Colunas, Logicos
from crivo.autorizacoes.simulacao.termos import ASPECTOS, Aspecto, Sentidas, changes, felt

_KINDS: Final = len(DESFECHOS)


@dataclass(frozen=True, slots=True)
class Recorte:
    """Which cases are asked for; None is any. At most `quantos`, after the first `pulando`. `aspecto` narrows those whose outcome stays."""

    antes: DecisaoFinal | None = None
    depois: DecisaoFinal | None = None
    regra_id: str | None = None
    aspecto: Aspecto | None = None
    pulando: int = 0
    quantos: int = 1_000


@dataclass(frozen=True, slots=True)
class Referencia:
    """Where a pedido stands: its number, and the decision in the store with when it came, or the line of the file, from 1."""

    pedido_id: str | None
    autorizacao_id: UUID | None = None
    linha: int | None = None
    recebida_em: datetime | None = None


@dataclass(frozen=True, slots=True)
class Caso:
    """A pedido of which something changes; `mudancas` are the terms that do, and what is asked otherwise for motivos that stay."""

    referencia: Referencia
    chave: Chave
    data: str | None
    antes: DecisaoFinal
    depois: DecisaoFinal
    motivos_antes: tuple[str, ...]
    motivos_depois: tuple[str, ...]
    regra_antes: Regra | None
    regra_depois: Regra | None
    mudancas: tuple[CampoMudado, ...] = ()


@dataclass(frozen=True, slots=True)
class MesmaDecisao:
    """The pedidos whose outcome stays and of which something else changes: how many, of which aspects (one pedido may have several), and
    those asked for, of `casos_total`.
    """

    total: int
    por_aspecto: Mapping[Aspecto, int]
    casos: tuple[Caso, ...]
    casos_total: int


@dataclass(frozen=True, slots=True)
class PorRegra:
    """A regra of the draft, or one that goes: what of it changes, how many pedidos it decides, and for how many the outcome changes, or
    stays and something else does (`mesma_decisao`).

    `regra` is None for changes that no regra makes: a plano that the draft no longer knows, or a pedido that no regra reaches any more.
    """

    regra: Regra | None
    mudanca: Mudanca | None
    campos: tuple[CampoMudado, ...]
    alcancados: int
    mudam: int
    melhoram: int
    pioram: int
    mesma_decisao: int = 0

    @property
    def regra_id(self) -> str | None:
        """The regra's id."""
        return self.regra.regra_id if self.regra else None


@dataclass(frozen=True, slots=True)
class Contagem:
    """How many pedidos stood where, besides those that were decided.

    `repetidos`: of a pedido that is among them already, sent again. `apagados`: their person asked to be forgotten. `ilegiveis`: spoiled
    in the store, or lines of a file that hold no pedido, of which `linhas_com_erro` names the first, and `erro` says why. `relidos`: read
    from their trail, being older than the columns. `pelas_etapas`: what no column says.
    """

    apagados: int = 0
    ilegiveis: int = 0
    relidos: int = 0
    pelas_etapas: int = 0
    linhas_com_erro: tuple[int, ...] = ()
    repetidos: int = 0
    erro: str = ""


@dataclass(frozen=True, slots=True)
class Simulacao:
    """What a draft would have decided otherwise. `mudam` counts outcomes that differ; `so_motivos` and `so_quantidade` the outcomes that
    stay, for other motivos or with another quantity; `mesma` all that stay and change otherwise. `casos` are those asked for, of
    `casos_total`.
    """

    total: int
    mudam: int
    melhoram: int
    pioram: int
    so_motivos: int
    so_quantidade: int
    antes: Mapping[DecisaoFinal, int]
    depois: Mapping[DecisaoFinal, int]
    pares: Mapping[tuple[DecisaoFinal, DecisaoFinal], int]
    por_regra: tuple[PorRegra, ...]
    regras_iguais: int
    casos: tuple[Caso, ...]
    casos_total: int
    mesma: MesmaDecisao
    contagem: Contagem = field(default=Contagem())
    segundos: float = 0.0

    @property
    def matriz(self) -> dict[str, int]:
        """How many went from one outcome to another, by `ANTES→DEPOIS`; those that stay are left out."""
        return {f"{antes}→{depois}": quantos for (antes, depois), quantos in self.pares.items() if antes != depois}


def compare(
    colunas: Colunas,
    referencias: Sequence[Referencia],
    antes: Avaliadas,
    depois: Avaliadas,
    rascunho: Politica,
    comparacao: Comparacao,
    recorte: Recorte,
) -> Simulacao:
    """What is decided otherwise under the draft than under what is published, of the same pedidos."""
    mudou = antes.desfecho != depois.desfecho
    # From the best to the worst: what comes later in the order is worse.
    melhora = depois.desfecho < antes.desfecho
    pares = np.bincount(antes.desfecho.astype(np.int64) * _KINDS + depois.desfecho, minlength=_KINDS * _KINDS).reshape(_KINDS, _KINDS)
    culpadas = _Culpadas.of(rascunho, comparacao, antes, depois)
    sentidas = felt(colunas, antes, depois)
    dela = np.ones(len(colunas), np.bool_) if recorte.regra_id is None else culpadas.named(recorte.regra_id)
    casos, casos_total = _cases(colunas, referencias, antes, depois, mudou & _of_outcomes(antes, depois, recorte) & dela, recorte)
    iguais, iguais_total = _cases(colunas, referencias, antes, depois, sentidas.of(recorte.aspecto) & dela, recorte)
    por_aspecto = {one: many for one in ASPECTOS if (many := int(sentidas.of(one).sum()))}
    return Simulacao(
        total=len(colunas),
        mudam=int(mudou.sum()),
        melhoram=int(melhora.sum()),
        pioram=int((mudou & ~melhora).sum()),
        so_motivos=por_aspecto.get("motivos", 0),
        so_quantidade=por_aspecto.get("quantidade", 0),
        antes={one: int(many) for one, many in zip(DESFECHOS, pares.sum(axis=1), strict=True) if many},
        depois={one: int(many) for one, many in zip(DESFECHOS, pares.sum(axis=0), strict=True) if many},
        pares={(DESFECHOS[a], DESFECHOS[d]): int(pares[a, d]) for a in range(_KINDS) for d in range(_KINDS) if pares[a, d]},
        por_regra=culpadas.counted(mudou, melhora, sentidas),
        regras_iguais=comparacao.iguais,
        casos=casos,
        casos_total=casos_total,
        mesma=MesmaDecisao(int(sentidas.of(None).sum()), por_aspecto, iguais, iguais_total),
    )


def _cases(
    colunas: Colunas, referencias: Sequence[Referencia], antes: Avaliadas, depois: Avaliadas, asked: Logicos, recorte: Recorte
) -> tuple[tuple[Caso, ...], int]:
    """Those asked for, and how many there are."""
    places = np.flatnonzero(asked)
    shown = places[recorte.pulando : recorte.pulando + recorte.quantos]
    return tuple([_case(colunas, referencias[at], antes, depois, at) for at in shown.tolist()]), len(places)


def _of_outcomes(antes: Avaliadas, depois: Avaliadas, recorte: Recorte) -> Logicos:
    asked = np.ones(len(antes.desfecho), np.bool_)
    if recorte.antes is not None:
        asked &= antes.desfecho == DESFECHOS.index(recorte.antes)
    if recorte.depois is not None:
        asked &= depois.desfecho == DESFECHOS.index(recorte.depois)
    return asked


def _case(colunas: Colunas, referencia: Referencia, antes: Avaliadas, depois: Avaliadas, at: int) -> Caso:
    before, after = antes.regra_de(at), depois.regra_de(at)
    return Caso(
        referencia,
        colunas.chaves[colunas.chave[at]],
        colunas.datas[colunas.data[at]],
        DESFECHOS[antes.desfecho[at]],
        DESFECHOS[depois.desfecho[at]],
        antes.motivos_de(at),
        depois.motivos_de(at),
        before and before[0],
        after and after[0],
        changes(colunas, antes, depois, at),
    )


# --- which regra made the difference


@dataclass(frozen=True, slots=True)
class _Culpadas:
    """Of each row the regra that its change is put down to: the draft's that decides it now, else the one that decided it before.

    `regras` are those of the draft in their order, then those that go; `de` a place in them, their number where it is none of them.
    `alcance` counts the pedidos that each of them decides, or decided.
    """

    regras: tuple[Regra, ...]
    mudancas: Mapping[str, tuple[Mudanca, tuple[CampoMudado, ...]]]
    de: NDArray[np.int64]
    alcance: NDArray[np.int64]

    @classmethod
    def of(cls, rascunho: Politica, comparacao: Comparacao, antes: Avaliadas, depois: Avaliadas) -> _Culpadas:
        changed = comparacao.regras
        gone = tuple([one.regra for one in changed if one.mudanca == "retirada"])
        regras = (*rascunho.regras, *gone)
        de_depois = _places(depois, {id(regra): at for at, regra in enumerate(rascunho.regras)}, len(regras))
        de_antes = _places(antes, {id(regra): at for at, regra in enumerate(gone, len(rascunho.regras))}, len(regras))
        alcance = np.bincount(de_depois, minlength=len(regras) + 1) + np.bincount(de_antes, minlength=len(regras) + 1)
        mudancas = {one.regra_id: (one.mudanca, one.campos) for one in changed}
        return cls(regras, mudancas, np.where(de_depois < len(regras), de_depois, de_antes), alcance)

    def named(self, regra_id: str) -> Logicos:
        """The rows whose change is put down to the regra of that id; to none, where the id is empty."""
        if not regra_id:
            return np.asarray(self.de == len(self.regras), np.bool_)
        return np.isin(self.de, [at for at, regra in enumerate(self.regras) if regra.regra_id == regra_id])

    def counted(self, mudou: Logicos, melhora: Logicos, sentidas: Sentidas) -> tuple[PorRegra, ...]:
        """The regras that change, or that change something, those that change most first."""
        size = len(self.regras) + 1
        mesma = np.bincount(self.de[sentidas.of(None)], minlength=size)
        mudam, melhoram = np.bincount(self.de[mudou], minlength=size), np.bincount(self.de[melhora], minlength=size)
        found = []
        for at in range(size):
            regra = self.regras[at] if at < len(self.regras) else None
            mudanca, campos = self.mudancas.get(regra.regra_id, (None, ())) if regra else (None, ())
            if mudam[at] or mesma[at] or mudanca is not None:
                many, same = (int(mudam[at]), int(melhoram[at])), int(mesma[at])
                alcance = int(self.alcance[at]) if regra else many[0] + same
                found.append(PorRegra(regra, mudanca, campos, alcance, many[0], many[1], many[0] - many[1], same))
        return tuple(sorted(found, key=lambda one: (-one.mudam, -one.mesma_decisao)))


def _places(avaliadas: Avaliadas, known: Mapping[int, int], none: int) -> NDArray[np.int64]:
    places = np.array([*[known.get(id(regra), none) for regra, _ in avaliadas.achadas], none], np.int64)
    return np.asarray(places[avaliadas.regra], np.int64)


def value_of(simulacao: Simulacao) -> dict[str, Any]:
    """A simulation as JSON has it. Source: design, "The workbench"."""
    contagem = simulacao.contagem
    return {
        "total": simulacao.total,
        "mudam": simulacao.mudam,
        "matriz": simulacao.matriz,
        "por_regra": [
            {
                "regra_id": one.regra_id,
                "mudanca": one.mudanca,
                "campos": _fields(one.campos),
                "alcancados": one.alcancados,
                "mudam": one.mudam,
                "melhoram": one.melhoram,
                "pioram": one.pioram,
                "mesma_decisao": one.mesma_decisao,
            }
            for one in simulacao.por_regra
        ],
        "casos": [_case_value(one) for one in simulacao.casos],
        "segundos": round(simulacao.segundos, 3),
        "melhoram": simulacao.melhoram,
        "pioram": simulacao.pioram,
        "so_motivos": simulacao.so_motivos,
        "so_quantidade": simulacao.so_quantidade,
        "antes": dict(simulacao.antes),
        "depois": dict(simulacao.depois),
        "casos_total": simulacao.casos_total,
        "apagados": contagem.apagados,
        "ilegiveis": contagem.ilegiveis,
        "linhas_com_erro": list(contagem.linhas_com_erro),
        "relidos": contagem.relidos,
        "pelas_etapas": contagem.pelas_etapas,
        "repetidos": contagem.repetidos,
        "mesma_decisao": {
            "total": simulacao.mesma.total,
            "por_aspecto": dict(simulacao.mesma.por_aspecto),
            "casos": [_case_value(one) for one in simulacao.mesma.casos],
            "casos_total": simulacao.mesma.casos_total,
        },
    }


def _case_value(caso: Caso) -> dict[str, Any]:
    return {
        "pedido_id": caso.referencia.pedido_id,
        "antes": caso.antes,
        "depois": caso.depois,
        "motivos_antes": list(caso.motivos_antes),
        "motivos_depois": list(caso.motivos_depois),
        "autorizacao_id": caso.referencia.autorizacao_id,
        "linha": caso.referencia.linha,
        "regra_antes": caso.regra_antes and caso.regra_antes.regra_id,
        "regra_depois": caso.regra_depois and caso.regra_depois.regra_id,
        "mudancas": _fields(caso.mudancas),
        "recebida_em": caso.referencia.recebida_em,
    }


def _fields(campos: Sequence[CampoMudado]) -> list[dict[str, Any]]:
    return [{"campo": um.campo, "antes": um.antes, "depois": um.depois} for um in campos]
