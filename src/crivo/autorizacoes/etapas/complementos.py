"""RF1, of what came after the PRD: sex, value and history, read only where some regra of the administradora asks for them.

Elsewhere they stay under `extras`, as any field that nobody asks for: what was decided before stays what it was. Record 0076.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from crivo.autorizacoes.campos import TabelaDeCampos, fold_field
from crivo.autorizacoes.contracts import Normalizacao, PedidoNormalizado, Uso, Value
from crivo.autorizacoes.etapas.valores import read_number, read_reais, read_sexo, text_of
from crivo.autorizacoes.motivos import VALOR_DESCONHECIDO
from crivo.autorizacoes.politicas.codigos import fold_id, normalize_codigo
from crivo.kernel.linguagem.datas_escritas import read_date
from crivo.kernel.linguagem.lexico import read_lexico

SEXO_ILEGIVEL: Final = f"{VALOR_DESCONHECIDO}:beneficiario.sexo"
VALOR_ILEGIVEL: Final = f"{VALOR_DESCONHECIDO}:procedimento.valor"
HISTORICO_ILEGIVEL: Final = f"{VALOR_DESCONHECIDO}:historico"
NO_FUTURO: Final = "historico_no_futuro"
REPETIDO: Final = "historico_repetido"
SO_DA_CASA: Final = "historico_so_da_casa"
NO_LUGAR: Final = "no_lugar_do_aprovado_antes"
_DESTINOS: Final = {"sexo": "beneficiario.sexo", "valor": "procedimento.valor", "historico": "historico"}
_MOST_USES: Final = 5_000


class _Nomes(msgspec.Struct, frozen=True):
    """What the fields of a use are called."""

    codigo: tuple[str, ...]
    data: tuple[str, ...]
    quantidade: tuple[str, ...]


class _Palavras(msgspec.Struct, frozen=True):
    uso: _Nomes


class _Achado(Value, frozen=True, gc=False):
    """A value that may be the field's, and where it stands in `extras`; the lowest rank wins."""

    rank: int
    chaves: tuple[str, ...]
    valor: Any


def complementar(
    normalizacao: Normalizacao, tabela: TabelaDeCampos, pede: Collection[str], da_casa: tuple[Uso, ...] | None = None
) -> Normalizacao:
    """The normalised pedido with those of `sexo`, `valor` and `historico` that are in `pede`, read out of its `extras`.

    `da_casa` are the uses that this house knows of, None where nobody asked it. What is not said or cannot be read stays unset.
    """
    reader = _Reader(normalizacao.pedido_normalizado, tabela, pede)
    pedido = reader.pedido(da_casa)
    return replace(normalizacao, pedido_normalizado=pedido, alertas=(*normalizacao.alertas, *reader.alertas))


class _Reader:
    """One reading of the extras of one pedido; it lives as long as a call of `complementar`."""

    def __init__(self, pedido: PedidoNormalizado, tabela: TabelaDeCampos, pede: Collection[str]) -> None:
        self._pedido = pedido
        self._extras: dict[str, Any] = {chave: dict(valor) if type(valor) is dict else valor for chave, valor in pedido.extras.items()}
        self._pede = pede
        self._achados: dict[str, list[_Achado]] = {}
        for destino, achado in _find(pedido.extras, tabela.complementos):
            self._achados.setdefault(destino, []).append(achado)
        self.alertas: list[str] = []

    def pedido(self, da_casa: tuple[Uso, ...] | None) -> PedidoNormalizado:
        """The pedido with what was read; what could not be read stays in its extras."""
        pedido = self._pedido
        if "sexo" in self._pede and (sexo := self._take("sexo", read_sexo, SEXO_ILEGIVEL)) is not None:
            pedido = replace(pedido, beneficiario=replace(pedido.beneficiario, sexo=sexo))
        if "valor" in self._pede and (valor := self._take("valor", read_reais, VALOR_ILEGIVEL)) is not None:
            pedido = replace(pedido, procedimento=replace(pedido.procedimento, valor=valor))
        if "historico" in self._pede:
            pedido = replace(pedido, historico=self._historico(da_casa))
        return replace(pedido, extras=self._extras)

    def _take(self, nome: str, read: Any, alerta: str) -> Any:
        """The value of a field; None where there is none, or none that can be read."""
        destino = _DESTINOS[nome]
        achados = sorted((um for um in self._achados.get(destino, ()) if not _blank(um.valor)), key=lambda um: um.rank)
        if not achados:
            return None
        vale, *outros = achados
        lido = read(vale.valor)
        self.alertas += [f"campo_divergente:{destino}<-{'.'.join(um.chaves)}" for um in outros if read(um.valor) != lido]
        if lido is None:
            self.alertas.append(alerta)
            return None
        if vale.rank:
            self.alertas.append(f"campo_mapeado:{destino}<-{'.'.join(vale.chaves)}")
        self._drop(vale.chaves)
        return lido

    def _drop(self, chaves: tuple[str, ...]) -> None:
        *ate, ultima = chaves
        inner = self._extras[ate[0]] if ate else self._extras
        del inner[ultima]
        if ate and not inner:
            del self._extras[ate[0]]

    def _historico(self, da_casa: tuple[Uso, ...] | None) -> tuple[Uso, ...] | UnsetType:
        """What the pedido tells with what the house knows besides; a use that both have counts once."""
        ditos: tuple[Uso, ...] | None = self._take("historico", read_usos, HISTORICO_ILEGIVEL)
        if ditos is None and (da_casa is None or HISTORICO_ILEGIVEL in self.alertas):
            return UNSET
        if ditos is None:
            self.alertas.append(SO_DA_CASA)
        ditos = ditos or ()
        if any(None in (uso.codigo, uso.data, uso.quantidade) for uso in ditos):
            self.alertas.append(HISTORICO_ILEGIVEL)
        if len(set(ditos)) < len(ditos):
            self.alertas.append(REPETIDO)
        antes = tuple([uso for uso in da_casa or () if uso.substituido is True])
        if antes:
            self.alertas.append(NO_LUGAR)
        usos = _joined(ditos, tuple([uso for uso in da_casa or () if uso.substituido is UNSET]))
        hoje = self._pedido.data_pedido
        if hoje is not None and any(uso.data is not None and uso.data > hoje for uso in usos):
            self.alertas.append(NO_FUTURO)
        return (*usos, *antes)


def read_usos(value: Any) -> tuple[Uso, ...] | None:
    """The uses that a list tells, in its order; None where it is no list of at most 5,000. What of a use cannot be read is null in it."""
    if type(value) is not list or len(value) > _MOST_USES:
        return None
    return tuple([_read_uso(item) for item in value])


def _read_uso(item: Any) -> Uso:
    if type(item) is not dict:
        return Uso(None, None, None)
    by_name = {fold_field(nome): valor for nome, valor in item.items() if not _blank(valor)}
    nomes = _nomes()
    codigo, data, quantidade = (
        next((by_name[nome] for nome in them if nome in by_name), None) for them in (nomes.codigo, nomes.data, nomes.quantidade)
    )
    if type(codigo) is dict:
        codigo = codigo.get("codigo")
    texto = text_of(codigo)
    quantas = read_number(quantidade)
    return Uso(
        normalize_codigo(texto) or None if type(texto) is str else None,
        read_date(data),
        quantas if quantas is not None and quantas >= 0 else None,
    )


def _joined(ditos: tuple[Uso, ...], da_casa: tuple[Uso, ...]) -> tuple[Uso, ...]:
    """The uses that the pedido tells and then those that the house alone knows; where both have one, the house's stands for it."""
    known: dict[tuple[str | None, str | None, int | float | None], list[Uso]] = {}
    for uso in da_casa:
        known.setdefault(_key(uso), []).append(uso)
    joined = [of_casa.pop(0) if (of_casa := known.get(_key(uso))) else uso for uso in ditos]
    left = [uso for usos in known.values() for uso in usos]
    return (*joined, *left)


def _key(uso: Uso) -> tuple[str | None, str | None, int | float | None]:
    return (fold_id(uso.codigo) if uso.codigo is not None else None, uso.data, uso.quantidade)


def _find(extras: Mapping[str, Any], nomes: Mapping[str, tuple[str, int]]) -> Iterator[tuple[str, _Achado]]:
    """Everything in the extras that stands under a name of a complementary field, with the field."""
    for chave, valor in extras.items():
        folded = fold_field(chave)
        if folded in nomes:
            destino, rank = nomes[folded]
            yield destino, _Achado(rank, (chave,), valor)
        elif type(valor) is dict:
            for interna, dentro in valor.items():
                alvo = nomes.get(f"{folded}.{fold_field(interna)}")
                if alvo is not None:
                    yield alvo[0], _Achado(alvo[1], (chave, interna), dentro)


def _blank(value: Any) -> bool:
    return value is None or (type(value) is str and not value.strip())


@cache
def _nomes() -> _Nomes:
    return read_lexico("crivo.autorizacoes", "valores", _Palavras).uso
