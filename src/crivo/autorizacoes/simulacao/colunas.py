"""Many pedidos as columns: numbers as they are, texts by their place in a dictionary of the few that there are."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crivo.autorizacoes.contracts import Tabela
from crivo.autorizacoes.simulacao.linha import Linha

SEM_IDADE: Final = -1
SEXOS: Final[tuple[Literal["F", "M"] | None, ...]] = (None, "F", "M")
DECLARADAS: Final = (None, False, True)
Inteiros: TypeAlias = NDArray[np.int32]
Reais: TypeAlias = NDArray[np.float64]
Logicos: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Chave:
    """What a look-up is asked with, but for the date."""

    administradora_id: str | None
    plano_id: str | None
    codigo: str | None
    tabela: Tabela | None


@dataclass(frozen=True, slots=True)
class Colunas:
    """Pedidos, one a place in every column. NaN is a number that was not told, `SEM_IDADE` an age; `datas`, `documentos` and `erros` are
    places in the tuples of the same name in the plural; `sexo` and `declaradas` are places in `SEXOS` and `DECLARADAS`. `especiais` are the
    rows that columns do not hold whole: a number that no float is, or a history.
    """

    chaves: tuple[Chave, ...]
    datas: tuple[str | None, ...]
    conjuntos: tuple[tuple[str, ...], ...]
    todos_erros: tuple[tuple[str, ...], ...]
    chave: Inteiros
    data: Inteiros
    conjunto: Inteiros
    erros: Inteiros
    quantidade: Reais
    carencia: Reais
    idade: NDArray[np.int16]
    urgencia: Logicos
    credenciado: Logicos
    sexo: NDArray[np.int8]
    valor: Reais
    declaradas: NDArray[np.int8]
    especiais: Mapping[int, Linha]

    def __len__(self) -> int:
        return len(self.chave)

    def linha(self, at: int) -> Linha:
        """The row of a place, as it came."""
        special = self.especiais.get(at)
        if special is not None:
            return special
        chave = self.chaves[self.chave[at]]
        idade = int(self.idade[at])
        return Linha(
            chave.administradora_id,
            chave.plano_id,
            chave.codigo,
            chave.tabela,
            self.datas[self.data[at]],
            _number(self.quantidade[at]),
            None if idade == SEM_IDADE else idade,
            _number(self.carencia[at]),
            bool(self.urgencia[at]),
            bool(self.credenciado[at]),
            self.conjuntos[self.conjunto[at]],
            self.todos_erros[self.erros[at]],
            sexo=SEXOS[self.sexo[at]],
            valor=_number(self.valor[at]),
            declaradas=DECLARADAS[self.declaradas[at]],
        )


def _number(value: Any) -> int | float | None:
    number = float(value)
    return None if number != number else int(number) if number.is_integer() else number


class Coletor:
    """Columns being filled, row by row; of a million rows it holds some 46 MB."""

    def __init__(self) -> None:
        self._chaves: dict[tuple[Any, ...], int] = {}
        self._datas: dict[str | None, int] = {}
        # The empty one first, in both: the most frequent of all.
        self._conjuntos: dict[tuple[str, ...], int] = {(): 0}
        self._erros: dict[tuple[str, ...], int] = {(): 0}
        self._chave, self._data, self._conjunto, self._erro = array("i"), array("i"), array("i"), array("i")
        self._quantidade, self._carencia = array("d"), array("d")
        self._idade, self._urgencia, self._credenciado = array("h"), array("b"), array("b")
        self._sexo, self._valor, self._declaradas = array("b"), array("d"), array("b")
        self._especiais: dict[int, Linha] = {}

    def __len__(self) -> int:
        return len(self._chave)

    def add(self, linha: Linha) -> None:
        """One row more."""
        chaves, datas, conjuntos, erros = self._chaves, self._datas, self._conjuntos, self._erros
        chave = (linha.administradora_id, linha.plano_id, linha.codigo, linha.tabela)
        if linha.so_etapas or linha.historico is not None:
            self._especiais[len(self._chave)] = linha
        self._chave.append(chaves.setdefault(chave, len(chaves)))
        self._data.append(datas.setdefault(linha.data, len(datas)))
        self._conjunto.append(conjuntos.setdefault(linha.documentos, len(conjuntos)))
        self._erro.append(erros.setdefault(linha.erros, len(erros)))
        self._quantidade.append(_real(linha.quantidade, special=linha.so_etapas))
        self._carencia.append(_real(linha.carencia, special=linha.so_etapas))
        self._idade.append(SEM_IDADE if linha.idade is None else linha.idade)
        self._urgencia.append(linha.urgencia)
        self._credenciado.append(linha.credenciado)
        self._sexo.append(SEXOS.index(linha.sexo))
        self._valor.append(_real(linha.valor, special=linha.so_etapas))
        self._declaradas.append(DECLARADAS.index(linha.declaradas))

    def done(self) -> Colunas:
        """The columns."""
        return Colunas(
            tuple([Chave(*one) for one in self._chaves]),
            tuple(self._datas),
            tuple(self._conjuntos),
            tuple(self._erros),
            np.array(self._chave, np.int32),
            np.array(self._data, np.int32),
            np.array(self._conjunto, np.int32),
            np.array(self._erro, np.int32),
            np.array(self._quantidade, np.float64),
            np.array(self._carencia, np.float64),
            np.array(self._idade, np.int16),
            np.array(self._urgencia, np.bool_),
            np.array(self._credenciado, np.bool_),
            np.array(self._sexo, np.int8),
            np.array(self._valor, np.float64),
            np.array(self._declaradas, np.int8),
            self._especiais,
        )


def _real(number: int | float | None, *, special: bool) -> float:
    return float("nan") if number is None or special else float(number)


def columns_of(linhas: Iterable[Linha]) -> Colunas:
    """The columns of these rows, in their order."""
    coletor = Coletor()
    for linha in linhas:
        coletor.add(linha)
    return coletor.done()
