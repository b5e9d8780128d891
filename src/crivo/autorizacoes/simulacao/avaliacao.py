"""RF3, RF4 and RF6's outcome for many pedidos at once, by columns; equal to the stages on every pedido, which its tests hold it to.

Each distinct question to the catalogue (administradora, plano, código, tabela and stretch of time in which no vigência begins or ends)
is asked once, of the catalogue itself; the checks are then arithmetic over columns. What no column says goes through the stages.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from crivo.autorizacoes import motivos as razoes
from crivo.autorizacoes.contracts import Avaliacao, DecisaoFinal, FonteRegras, Normalizacao, Regra
from crivo.autorizacoes.etapas.ajustes import sugerir
from crivo.autorizacoes.etapas.avaliacao import SO_LIMITAM, avaliar, cpt_exigida_dias
from crivo.autorizacoes.etapas.consulta import NADA_CONSULTADO, consultar
from crivo.autorizacoes.etapas.parametros import preparar
from crivo.autorizacoes.etapas.sintese import decisao_final
from crivo.autorizacoes.politicas.catalogo import Achada, Catalogo
from crivo.autorizacoes.simulacao.colunas import DECLARADAS, SEM_IDADE, SEXOS, Chave, Colunas, Inteiros, Logicos, Reais

DESFECHOS: Final[tuple[DecisaoFinal, ...]] = ("APROVADO", "APROVADO_PARCIAL", "PENDENTE_AJUSTES", "NEGADO")
"""The outcomes, from the best to the worst, each by its place."""
_APROVADO, _PARCIAL, _PENDENTE, _NEGADO = range(4)

# Bits of the motivos, in the order in which they are told.
_INVALIDO, _PLANO, _SEM_REGRA, _SEM_COBERTURA = (1 << place for place in range(4))
_CHECKED: Final = (
    razoes.CARENCIA,
    razoes.CPT,
    razoes.IDADE,
    razoes.SEM_SEXO,
    razoes.SEXO,
    razoes.REDE,
    razoes.SEM_VALOR,
    razoes.VALOR,
    razoes.QUANTIDADE,
    razoes.SEM_HISTORICO,
    razoes.HISTORICO_INCOMPLETO,
    razoes.ESGOTADO,
    razoes.PERIODO,
    razoes.DOCUMENTOS,
)
_BIT: Final = {motivo: 1 << place for place, motivo in enumerate(_CHECKED, 4)}
_TOLD: Final = (
    (_SEM_REGRA, razoes.REGRA_NAO_ENCONTRADA),
    (_SEM_COBERTURA, razoes.SEM_COBERTURA),
    *[(bit, one) for one, bit in _BIT.items()],
)
_AGAINST: Final = sum(bit for motivo, bit in _BIT.items() if motivo not in SO_LIMITAM)
# What somebody may do something about, whatever the regra says. Source: RF5.
_MENDABLE: Final = sum(bit for motivo, bit in _BIT.items() if motivo not in (razoes.IDADE, razoes.SEXO, razoes.ESGOTADO, razoes.DOCUMENTOS))


def bit_of(motivo: str) -> int:
    """The bit of a motivo that RF4 finds by a check, or of a code that is not covered."""
    return _SEM_COBERTURA if motivo == razoes.SEM_COBERTURA else _BIT[motivo]


_ROWS_AT_ONCE: Final = 65_536
_MOST_PLACES: Final = 4_000_000
_WORD: Final = 64
_DAY_END: Final = "~"
SEM_REGRA: Final = -1


@dataclass(frozen=True, slots=True)
class Prazo:
    """How a draft that is still to begin decides pedidos of before: those of its administradora that came while what it succeeds held, from
    `desde` on (None is always), are decided on its first day, `inicio`. ISO dates.
    """

    pertence: Callable[[str], bool]
    desde: str | None
    inicio: str

    def moved(self, chave: Chave, data: str | None) -> str | None:
        """The ISO date on which a pedido is decided."""
        if data is None or chave.administradora_id is None or not self.pertence(chave.administradora_id):
            return data
        return self.within(data)

    def within(self, data: str) -> str:
        """The same of a pedido of that administradora."""
        return self.inicio if data < self.inicio and (self.desde is None or self.desde <= data) else data

    @property
    def marks(self) -> set[str]:
        """The dates on which it begins and ceases to move pedidos."""
        return {self.inicio} if self.desde is None else {self.desde, self.inicio}


@dataclass(frozen=True, slots=True)
class Avaliadas:
    """What was decided of each row. `regra` is a place in `achadas`, or `SEM_REGRA`; `aprovavel` is NaN where nothing may be approved.
    `alternativa` is which of the regra's is offered in the place of a code that is not covered, from 1; 0 where none is.

    `pelas_etapas` counts the rows that went through the stages.
    """

    achadas: tuple[Achada, ...]
    desfecho: NDArray[np.uint8]
    motivos: NDArray[np.uint32]
    regra: Inteiros
    aprovavel: Reais
    alternativa: NDArray[np.uint8]
    pelas_etapas: int
    _erros: Inteiros
    _todos_erros: tuple[tuple[str, ...], ...]

    def motivos_de(self, at: int) -> tuple[str, ...]:
        """The motivos of a row, as RF4 tells them."""
        bits = int(self.motivos[at])
        if bits & _INVALIDO:
            plano = (razoes.PLANO_DESCONHECIDO,) if bits & _PLANO else ()
            return (razoes.PEDIDO_INVALIDO, *self._todos_erros[self._erros[at]], *plano)
        return tuple([motivo for bit, motivo in _TOLD if bits & bit])

    def regra_de(self, at: int) -> Achada | None:
        """The regra that decided a row, with where it stands."""
        place = int(self.regra[at])
        return None if place == SEM_REGRA else self.achadas[place]


def evaluate(colunas: Colunas, catalogo: Catalogo, prazo: Prazo | None = None, *, threads: int = 2) -> Avaliadas:
    """Decide every row under a catalogue; with `prazo`, some rows on another day than theirs."""
    onde = _Lugares.of(colunas, catalogo, prazo)
    regras = _Regras.of(colunas, [regra for regra, _ in onde.achadas])
    total = len(colunas)
    desfecho, motivos = np.empty(total, np.uint8), np.empty(total, np.uint32)
    regra, aprovavel, alternativa = np.empty(total, np.int32), np.empty(total, np.float64), np.empty(total, np.uint8)

    def part(rows: slice) -> None:
        lugar = onde.places(colunas, rows)
        # A pedido that is not valid is looked up for its plano alone.
        regra[rows] = np.where(colunas.erros[rows] != 0, SEM_REGRA, onde.regra[lugar])
        dito = onde.dito[lugar]
        alternativa[rows] = onde.alternativa[lugar]
        desfecho[rows], motivos[rows], aprovavel[rows] = _decide(colunas, rows, regras, regra[rows], dito)

    parts = [slice(start, min(start + _ROWS_AT_ONCE, total)) for start in range(0, total, _ROWS_AT_ONCE)]
    if threads > 1 and len(parts) > 1:
        # NumPy lets go of the interpreter while it works through a column.
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(part, parts))
    else:
        for rows in parts:
            part(rows)
    outras = [at for at, linha in colunas.especiais.items() if linha.so_etapas or regras.limites[regra[at]]]
    for at in outras:
        data = colunas.datas[colunas.data[at]]
        chave = colunas.chaves[colunas.chave[at]]
        desfecho[at], motivos[at], aprovavel[at] = _by_stages(colunas, at, catalogo, prazo.moved(chave, data) if prazo else data)
    return Avaliadas(onde.achadas, desfecho, motivos, regra, aprovavel, alternativa, len(outras), colunas.erros, colunas.todos_erros)


def moved(colunas: Colunas, prazo: Prazo) -> int:
    """How many rows are decided on another day than their own."""
    if not len(colunas):
        return 0
    theirs = np.array([one.administradora_id is not None and prazo.pertence(one.administradora_id) for one in colunas.chaves], np.bool_)
    other = np.array([data is not None and prazo.within(data) != data for data in colunas.datas], np.bool_)
    return int((theirs[colunas.chave] & other[colunas.data]).sum())


# --- RF3: one question for each place


@dataclass(frozen=True, slots=True)
class _Lugares:
    """A place is a key in a stretch of time. Of each: its regra, whether its plano is none that is declared, whether a procedure that
    is not covered has an alternative that is, and which.
    """

    achadas: tuple[Achada, ...]
    trecho: Inteiros  # by place of `datas`
    trechos: int
    known: NDArray[np.int64] | None  # the places that there are, in order; None where every one has its own
    regra: Inteiros
    dito: NDArray[np.uint8]
    alternativa: NDArray[np.uint8]

    @classmethod
    def of(cls, colunas: Colunas, catalogo: Catalogo, prazo: Prazo | None) -> _Lugares:
        trecho, dates = _stretches(colunas.datas, catalogo, prazo.marks if prazo else set())
        trechos = max(1, len(dates))
        places = colunas.chave.astype(np.int64) * trechos + trecho[colunas.data] if len(colunas) else np.empty(0, np.int64)
        total = len(colunas.chaves) * trechos
        if total <= _MOST_PLACES:
            seen = np.zeros(max(1, total), np.bool_)
            seen[places] = True
            used, known = np.flatnonzero(seen), None
        else:
            used = known = np.unique(places)
        size = len(used) if known is not None else max(1, total)
        regra, dito, alternativa = np.full(size, SEM_REGRA, np.int32), np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        achadas: dict[int, tuple[int, Achada]] = {}
        for at, place in enumerate(used.tolist()):
            chave, data = colunas.chaves[place // trechos], dates[place % trechos]
            achada, said, outra = _ask(catalogo, chave, prazo.moved(chave, data) if prazo else data)
            into = place if known is None else at
            dito[into], alternativa[into] = said, outra
            if achada is not None:
                regra[into] = achadas.setdefault(id(achada[0]), (len(achadas), achada))[0]
        return cls(tuple([achada for _, achada in achadas.values()]), trecho, trechos, known, regra, dito, alternativa)

    def places(self, colunas: Colunas, rows: slice) -> NDArray[np.int64]:
        place = colunas.chave[rows].astype(np.int64) * self.trechos + self.trecho[colunas.data[rows]]
        return place if self.known is None else np.searchsorted(self.known, place)


_DITO_PLANO, _DITO_ALTERNATIVA = 1, 2
MOST_ALTERNATIVES: Final = 255
"""Of a regra with more alternatives, those beyond are told apart no further."""


def _stretches(datas: Sequence[str | None], catalogo: Catalogo, more: set[str]) -> tuple[Inteiros, list[str | None]]:
    """Of each date the stretch it lies in, and one date of each stretch: within one, the catalogue answers the same."""
    marks = more | {one.vigencia_inicio for one in catalogo.politicas}
    marks |= {one.vigencia_fim + _DAY_END for one in catalogo.politicas if one.vigencia_fim is not None}
    ordered = sorted(marks)
    found: dict[int, int] = {}
    dates: list[str | None] = []
    trecho = np.zeros(max(1, len(datas)), np.int32)
    for at, data in enumerate(datas):
        mark = -1 if data is None else bisect_right(ordered, data)
        if mark not in found:
            found[mark] = len(dates)
            dates.append(data)
        trecho[at] = found[mark]
    return trecho, dates


def _ask(catalogo: Catalogo, chave: Chave, data: str | None) -> tuple[Achada | None, int, int]:
    """The regra, what is said of it, and which of its alternatives stands in for a code that is not covered, from 1."""
    administradora_id, plano_id, codigo, tabela = chave.administradora_id, chave.plano_id, chave.codigo, chave.tabela
    if administradora_id is None or plano_id is None or data is None:
        return None, 0, 0
    if _is_undeclared(catalogo, administradora_id, plano_id, data):
        return None, _DITO_PLANO, 0
    if codigo is None:
        return None, 0, 0
    achada = catalogo.find_regra(administradora_id, plano_id, codigo, tabela, data)
    if achada is None or achada[0].cobertura != "NAO_COBERTA":
        return achada, 0, 0
    for place, one in enumerate(achada[0].alternativas, 1):
        outra = catalogo.find_regra(administradora_id, plano_id, one.codigo, tabela, data)
        if outra is not None and outra[0].cobertura != "NAO_COBERTA":
            return achada, _DITO_ALTERNATIVA, min(place, MOST_ALTERNATIVES)
    return achada, 0, 0


def _is_undeclared(catalogo: Catalogo, administradora_id: str | None, plano_id: str | None, data: str | None) -> bool:
    if administradora_id is None or plano_id is None or data is None:
        return False
    if catalogo.nothing_to_say(administradora_id, plano_id):
        return False
    return catalogo.situacao_do_plano(administradora_id, plano_id, data) == "fora_dos_declarados"


# --- RF4 and RF6: arithmetic over columns


@dataclass(frozen=True, slots=True)
class _Regras:
    """What each regra asks, by its place; the last place is of no regra, and asks nothing."""

    nao_coberta: Logicos
    carencia: Reais
    carencia_urgencia: Reais  # NaN where the regra states none
    idade_min: Inteiros
    idade_max: Inteiros
    idade_excecao: Logicos
    cpt: Reais  # days, 0 where none
    sexo: NDArray[np.int8]  # a place in `SEXOS`, 0 where both are covered
    sexo_excecao: Logicos
    valor: Reais  # NaN where the regra states none
    limites: Logicos  # by period
    rede: Logicos
    limite: Reais
    condicionada: Logicos
    exigidos: NDArray[np.uint64]  # words of bits, one for each document type that some regra asks for
    grupos: tuple[NDArray[np.uint64], ...]  # the same of the first group of which one is enough, of the second, and so on
    anexos: NDArray[np.uint64]  # the same of each set of documents that came

    @classmethod
    def of(cls, colunas: Colunas, regras: Sequence[Regra]) -> _Regras:
        faixas = [(faixa.min, faixa.max) if (faixa := regra.restricoes_idade) else (None, None) for regra in regras]
        grupos = [regra.documentos_alternativos or () for regra in regras]
        tipos = sorted({tipo for regra in regras for tipo in regra.documentos_obrigatorios} | {t for g in grupos for um in g for t in um})
        bits = {tipo: place for place, tipo in enumerate(tipos)}
        return cls(
            _flags([regra.cobertura == "NAO_COBERTA" for regra in regras]),
            _reals([regra.carencia_min_dias or 0 for regra in regras], 0),
            _reals([np.nan if regra.carencia_urgencia_dias is None else regra.carencia_urgencia_dias for regra in regras], np.nan),
            _bounds([menor for menor, _ in faixas], SEM_IDADE),
            _bounds([maior for _, maior in faixas], np.iinfo(np.int32).max),
            _flags([any(one.motivo == razoes.IDADE for one in regra.excecoes) for regra in regras]),
            _reals([cpt_exigida_dias(regra) or 0 for regra in regras], 0),
            np.array([*[SEXOS.index(regra.sexo or None) for regra in regras], 0], np.int8),
            _flags([any(one.motivo == razoes.SEXO for one in regra.excecoes) for regra in regras]),
            _reals([np.nan if regra.valor_maximo is UNSET else regra.valor_maximo for regra in regras], np.nan),
            _flags([bool(regra.limites) for regra in regras]),
            _flags([regra.restricoes_rede == "APENAS_CREDENCIADA" for regra in regras]),
            _reals([np.inf if regra.limite_quantidade is None else regra.limite_quantidade for regra in regras], np.inf),
            _flags([bool(regra.permite_autorizacao_condicionada) for regra in regras]),
            _words([*[regra.documentos_obrigatorios for regra in regras], ()], bits),
            tuple(
                [
                    _words([*[um[place] if place < len(um) else () for um in grupos], ()], bits)
                    for place in range(max(map(len, grupos), default=0))
                ]
            ),
            _words(colunas.conjuntos or ((),), bits),
        )


def _flags(values: Sequence[bool]) -> Logicos:
    return np.array([*values, False], np.bool_)


def _reals(values: Sequence[float], none: float) -> Reais:
    return np.array([*values, none], np.float64)


def _bounded(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf


def _bounds(values: Sequence[int | None], none: int) -> Inteiros:
    largest = np.iinfo(np.int32).max
    return np.array([none if value is None else max(-largest, min(value, largest)) for value in (*values, None)], np.int32)


def _words(sets: Sequence[Sequence[str]], bits: dict[str, int]) -> NDArray[np.uint64]:
    words = np.zeros((max(1, -(-len(bits) // _WORD)), len(sets)), np.uint64)
    for at, tipos in enumerate(sets):
        for tipo in tipos:
            bit = bits.get(tipo)
            if bit is not None:
                words[bit // _WORD, at] |= np.uint64(1 << (bit % _WORD))
    return words


def _decide(colunas: Colunas, rows: slice, regras: _Regras, regra: Inteiros, dito: NDArray[np.uint8]) -> tuple[Any, Any, Any]:
    """Outcome, motivos and what could be approved, of some rows whose regras are known."""
    invalido = (colunas.erros[rows] != 0) | ((dito & _DITO_PLANO) != 0)
    sem_regra = regra == SEM_REGRA
    nao_coberta = regras.nao_coberta[regra]
    motivos, pendente = _checked(colunas, rows, regras, regra)
    only = invalido | sem_regra | nao_coberta
    quantidade = colunas.quantidade[rows]
    acima = (motivos & _BIT[razoes.QUANTIDADE]) != 0
    conforme = (motivos & _AGAINST) == 0
    mendable = ((motivos & _MENDABLE) != 0) | pendente
    mendable |= ((motivos & _BIT[razoes.IDADE]) != 0) & regras.idade_excecao[regra]
    mendable |= ((motivos & _BIT[razoes.SEXO]) != 0) & regras.sexo_excecao[regra]
    desfecho = np.where(conforme, np.where(acima, _PARCIAL, _APROVADO), np.where(mendable, _PENDENTE, _NEGADO))
    coberto_por_outro = (dito & _DITO_ALTERNATIVA) != 0
    unmet = np.where(invalido | sem_regra | coberto_por_outro, _PENDENTE, _NEGADO)
    aprovavel = np.where(acima, regras.limite[regra], np.where(conforme, quantidade, np.nan))
    plano = np.where((dito & _DITO_PLANO) != 0, _PLANO, 0)
    alone = np.where(invalido, _INVALIDO | plano, np.where(sem_regra, _SEM_REGRA, _SEM_COBERTURA))
    return np.where(only, unmet, desfecho), np.where(only, alone, motivos), np.where(only, np.nan, aprovavel)


def _checked(colunas: Colunas, rows: slice, regras: _Regras, regra: Inteiros) -> tuple[NDArray[np.uint32], Logicos]:
    """The motivos of RF4's checks, and whether any document is owed."""
    urgente = colunas.urgencia[rows] & ~np.isnan(regras.carencia_urgencia[regra])
    exigida = np.where(urgente, regras.carencia_urgencia[regra], regras.carencia[regra])
    cumprida, idade = colunas.carencia[rows], colunas.idade[rows]
    pendente = _owed(colunas, rows, regras, regra)
    motivos = np.zeros(len(regra), np.uint32)

    def found(motivo: str, against: Logicos) -> None:
        np.bitwise_or(motivos, np.uint32(_BIT[motivo]), out=motivos, where=against)

    # A carência that was not told is NaN, which nothing reaches: it is asked the other way round.
    found(razoes.CARENCIA, (exigida > 0) & ~(cumprida >= exigida))
    found(razoes.IDADE, (idade != SEM_IDADE) & ((idade < regras.idade_min[regra]) | (idade > regras.idade_max[regra])))
    found(razoes.REDE, regras.rede[regra] & ~colunas.credenciado[rows])
    found(razoes.QUANTIDADE, colunas.quantidade[rows] > regras.limite[regra])
    found(razoes.DOCUMENTOS, pendente & ~regras.condicionada[regra])
    # What most catalogues ask nowhere is not looked for.
    if regras.cpt.any():
        declared = colunas.declaradas[rows] == DECLARADAS.index(True)
        found(razoes.CPT, declared & (regras.cpt[regra] > 0) & ~(cumprida >= regras.cpt[regra]))
    if regras.sexo.any():
        pede, sexo = regras.sexo[regra], colunas.sexo[rows]
        found(razoes.SEM_SEXO, (pede != 0) & (sexo == 0))
        found(razoes.SEXO, (pede != 0) & (sexo != 0) & (sexo != pede))
    if not np.isnan(regras.valor).all():
        teto, valor = regras.valor[regra], colunas.valor[rows]
        found(razoes.SEM_VALOR, ~np.isnan(teto) & np.isnan(valor))
        found(razoes.VALOR, valor > teto)
    if regras.limites.any():
        found(razoes.SEM_HISTORICO, regras.limites[regra])  # a pedido with a history goes through the stages
    return motivos, pendente


def _owed(colunas: Colunas, rows: slice, regras: _Regras, regra: Inteiros) -> Logicos:
    """Whether a document that the regra asks for did not come, or none of those of which one is enough."""
    conjunto = colunas.conjunto[rows]
    pendente = np.zeros(len(regra), np.bool_)
    for exigidos, anexos in zip(regras.exigidos, regras.anexos, strict=True):
        pendente |= (exigidos[regra] & ~anexos[conjunto]) != 0
    for grupo in regras.grupos:
        asked, came = np.zeros(len(regra), np.bool_), np.zeros(len(regra), np.bool_)
        for tipos, anexos in zip(grupo, regras.anexos, strict=True):
            asked |= tipos[regra] != 0
            came |= (tipos[regra] & anexos[conjunto]) != 0
        pendente |= asked & ~came
    return pendente


# --- what no column says


@dataclass(frozen=True, slots=True)
class Decidida:
    """A row as the stages decide it."""

    desfecho: DecisaoFinal
    avaliacao: Avaliacao


def decide_by_stages(colunas: Colunas, at: int, catalogo: Catalogo, data: str | None) -> Decidida:
    """A row through RF2 to RF6, its regra looked up on an ISO date."""
    normalizacao = colunas.linha(at).normalizacao()
    pedido = normalizacao.pedido_normalizado
    if _is_undeclared(catalogo, pedido.administradora_id, pedido.plano_id, data):
        normalizacao = Normalizacao(pedido, (*normalizacao.erros_bloqueantes, razoes.PLANO_DESCONHECIDO), (), False)
    parametros = preparar(normalizacao)
    normas = _OnDate(catalogo, data)
    consulta = consultar(parametros, normas) if data is not None else NADA_CONSULTADO
    avaliacao = avaliar(normalizacao, parametros, consulta)
    ajustes = sugerir(normalizacao, consulta, avaliacao, normas, lambda _: avaliacao) if avaliacao.gatilho_pedido_nao_conforme else None
    return Decidida(decisao_final(avaliacao, ajustes.ajustes_sugeridos if ajustes else ()), avaliacao)


@dataclass(frozen=True, slots=True)
class _OnDate:
    """The catalogue as it answers on one date, whatever date it is asked for."""

    catalogo: Catalogo
    data: str | None

    def find_regra(
        self, administradora_id: str, plano_id: str, codigo: str, tabela: str | None, data_referencia: str
    ) -> tuple[Regra, FonteRegras] | None:
        return self.catalogo.find_regra(administradora_id, plano_id, codigo, tabela, self.data or data_referencia)


def _by_stages(colunas: Colunas, at: int, catalogo: Catalogo, data: str | None) -> tuple[int, int, float]:
    decidida = decide_by_stages(colunas, at, catalogo, data)
    told = decidida.avaliacao.motivos
    bits = sum(_bits(told))
    aprovavel = decidida.avaliacao.quantidade_aprovavel
    return DESFECHOS.index(decidida.desfecho), bits, np.nan if aprovavel is None else _bounded(aprovavel)


def _bits(told: Sequence[str]) -> Iterator[int]:
    if razoes.PEDIDO_INVALIDO in told:
        yield _INVALIDO
        if razoes.PLANO_DESCONHECIDO in told:
            yield _PLANO
        return
    for bit, motivo in _TOLD:
        if motivo in told:
            yield bit
