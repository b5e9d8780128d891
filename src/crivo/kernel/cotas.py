"""What one organisation may take of an installation: each quota is one record; what is used of it is counted where it is kept.

A quota that an organisation has none of its own for is the installation's, where it has one, or limits nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import ClassVar, Final, Literal

from crivo.kernel.clock import BRASILIA
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import UnitOfWork

Nome = Literal[
    "decisoes_por_dia",
    "editais",
    "projetos",
    "bytes_documentos",
    "pessoas",
    "chaves",
    "custo_mes",
    "conversas",
    "pedidos_por_minuto",
]
Renova = Literal["dia", "mes", "minuto"]
Unidade = Literal["", "bytes", "dolares"]
Valores = Mapping[Nome, Decimal]
Medidor = Callable[[UnitOfWork, datetime], Awaitable[Valores]]
"""Counts what an organisation uses of some quotas, as of an instant: of each day and month by the clock of Brasília."""

MAXIMO: Final = 10**15
MAXIMO_DOLARES: Final = 10**9
QUASE: Final = Decimal("0.8")
_NONE: Final[Valores] = MappingProxyType({})
_CENT: Final = Decimal("0.01")
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]{1,2})?")
_WHOLE: Final = re.compile(r"[0-9]{1,16}")
_SIZE: Final = re.compile(r"(.+?) ?(B|KB|MB|GB|TB)", re.IGNORECASE)
_DECIMAL: Final = re.compile(r"[0-9]{1,12}(?:[.,][0-9]{1,3})?")
_UNITS: Final = ("B", "KB", "MB", "GB", "TB")
_DOLLARS: Final = re.compile(r"[0-9]{1,10}(?:[.,][0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class Cota:
    """One quota: its code, its words, what it is counted in, and when it is whole again, where it ever is by itself.

    `uso` says what is used, with `{usado}` and `{limite}`; `de_um` so where the limit is one; `livra`, what an organisation can do
    about it.
    """

    codigo: Nome
    nome: str
    uso: str
    livra: str
    unidade: Unidade = ""
    renova: Renova | None = None
    de_um: str = ""


COTAS: Final = (
    Cota(
        "decisoes_por_dia",
        "Decisões guardadas por dia",
        "{usado} das {limite} decisões de hoje",
        "",
        renova="dia",
        de_um="{usado} de {limite} decisão de hoje",
    ),
    Cota("editais", "Editais", "{usado} dos {limite} editais", "", de_um="{usado} de {limite} edital"),
    Cota(
        "projetos",
        "Projetos em editais",
        "{usado} dos {limite} projetos",
        "Tire dos editais os que não concorrem mais.",
        de_um="{usado} de {limite} projeto",
    ),
    Cota("bytes_documentos", "Espaço de documentos", "{usado} dos {limite} de documentos", "Tire os documentos que sobram.", "bytes"),
    Cota(
        "pessoas",
        "Pessoas com acesso, sem pacientes",
        "{usado} das {limite} pessoas",
        "Tire o acesso de quem não trabalha mais aqui.",
        de_um="{usado} de {limite} pessoa",
    ),
    Cota(
        "chaves",
        "Chaves de API em uso",
        "{usado} das {limite} chaves",
        "Revogue uma que ninguém usa mais.",
        de_um="{usado} de {limite} chave",
    ),
    Cota("custo_mes", "Modelos de linguagem por mês", "{usado} dos {limite} do mês", "", "dolares", "mes"),
    Cota(
        "conversas",
        "Conversas abertas ao mesmo tempo",
        "{usado} das {limite} conversas",
        "Espere que alguma termine.",
        de_um="{usado} de {limite} conversa",
    ),
    Cota(
        "pedidos_por_minuto",
        "Pedidos por minuto, por todas as chaves",
        "{usado} dos {limite} pedidos do minuto",
        "",
        renova="minuto",
        de_um="{usado} de {limite} pedido do minuto",
    ),
)
POR_NOME: Final[Mapping[Nome, Cota]] = {one.codigo: one for one in COTAS}
NA_HORA: Final[frozenset[Nome]] = frozenset({"conversas", "pedidos_por_minuto"})
"""What each process counts for itself, as it is asked for; of these nobody says how much is used."""
_OWN: Final = """
    select decisoes_por_dia, editais, projetos, bytes_documentos, pessoas, chaves, custo_mes, conversas, pedidos_por_minuto
    from cotas where tenant_id = %s"""
_SET: Final = """
    insert into cotas (tenant_id, decisoes_por_dia, editais, projetos, bytes_documentos, pessoas, chaves, custo_mes, conversas,
        pedidos_por_minuto, versao)
    values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 1)
    on conflict (tenant_id) do update set decisoes_por_dia = excluded.decisoes_por_dia, editais = excluded.editais,
        projetos = excluded.projetos, bytes_documentos = excluded.bytes_documentos, pessoas = excluded.pessoas, chaves = excluded.chaves,
        custo_mes = excluded.custo_mes, conversas = excluded.conversas, pedidos_por_minuto = excluded.pedidos_por_minuto,
        versao = cotas.versao + 1"""
_ONE_AT_A_TIME: Final = "select pg_advisory_xact_lock(hashtextextended('crivo.cota:' || %s || ':' || %s, 0))"
_RENOVA: Final[Mapping[Renova | None, str]] = {
    "dia": "Elas se renovam à meia-noite, no horário de Brasília.",
    "mes": "O limite se renova no começo do mês.",
    "minuto": "Tente de novo em instantes.",
    None: "",
}
PECA: Final = "Se precisa de mais, fale com quem cuida desta instalação."


class CotaInvalida(CrivoError):
    """A quota that is no number, or is below nothing."""

    codigo: ClassVar[str] = "cota_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Cota inválida"

    def __init__(self, mensagem: str, faltas: Sequence[tuple[Nome, str]] = (), *, campo: str = "") -> None:
        super().__init__(mensagem, campo=campo)
        self.faltas = tuple(faltas)


class CotaEsgotada(CrivoError):
    """An organisation used up a quota that is whole again by itself, in `retry_after_seconds`."""

    codigo: ClassVar[str] = "cota_esgotada"
    kind: ClassVar[Kind] = Kind.LIMITED
    titulo: ClassVar[str] = "A cota da sua organização acabou por agora"

    def __init__(self, mensagem: str, retry_after_seconds: int) -> None:
        super().__init__(mensagem)
        self.retry_after_seconds = retry_after_seconds


class CotaAtingida(CrivoError):
    """An organisation would hold more than its quota, which only it or whoever looks after the installation can change."""

    codigo: ClassVar[str] = "cota_atingida"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Não cabe na cota da sua organização"


@dataclass(frozen=True, slots=True)
class Uso:
    """What is used of a quota and how much there may be; `limite` None limits nothing, `usado` None is counted elsewhere.

    `teto` is what the installation holds everybody to besides: of conversations, in one process; of requests, for one key.
    """

    cota: Cota
    usado: Decimal | None
    limite: Decimal | None
    propria: bool
    teto: Decimal | None = None

    @property
    def parte(self) -> Decimal | None:
        """The share that is used, 1 where it is full or over; None where nothing can be said."""
        if self.limite is None or self.usado is None:
            return None
        return Decimal(1) if self.usado >= self.limite else self.usado / self.limite

    @property
    def quase(self) -> bool:
        """Whether four fifths or more are used."""
        return self.parte is not None and self.parte >= QUASE

    @property
    def cheia(self) -> bool:
        """Whether nothing is left."""
        return self.parte == 1


def read_cota(cota: Cota, text: str) -> Decimal | None:
    """A quota as people write it; None for an empty text, which limits nothing by itself. Raises CotaInvalida."""
    said = " ".join(text.split())
    if not said:
        return None
    value = _size(said) if cota.unidade == "bytes" else _number(said, _DOLLARS if cota.unidade == "dolares" else _WHOLE)
    if value is None or value > (MAXIMO_DOLARES if cota.unidade == "dolares" else MAXIMO):
        raise CotaInvalida(f"{cota.nome}: use {escreve_se(cota)}, ou deixe vazio para não ter cota própria.", campo=cota.codigo)
    return value.quantize(_CENT) if cota.unidade == "dolares" else value


def read_cotas(
    escritas: Mapping[Nome, str],
    chamada: Callable[[Cota], str] = lambda cota: cota.nome,
    senao: str = "ou deixe vazio para não ter cota própria",
) -> Mapping[Nome, Decimal | None]:
    """Quotas as people write them, each by what it is `chamada` where they do; all that are wrong are told at once. Raises CotaInvalida."""
    read: dict[Nome, Decimal | None] = {}
    wrong: list[tuple[Nome, str]] = []
    for name, text in escritas.items():
        try:
            read[name] = read_cota(POR_NOME[name], text)
        except CotaInvalida:
            wrong.append((name, f"{chamada(POR_NOME[name])}: use {escreve_se(POR_NOME[name])}, {senao}."))
    if wrong:
        raise CotaInvalida(" ".join(told for _, told in wrong), wrong, campo=wrong[0][0])
    return read


def escreve_se(cota: Cota) -> str:
    """How a quota is written, to whoever wrote it otherwise."""
    match cota.unidade:
        case "dolares":
            return "um valor em dólares, como 20 ou 12,50"
        case "bytes":
            return "um número inteiro, a partir de 0, ou um tamanho, como 10 MB ou 1,5 GB"
        case _:
            return "um número inteiro, a partir de 0"


def _number(said: str, form: re.Pattern[str]) -> Decimal | None:
    plain = said.replace(".", "") if _GROUPED.fullmatch(said) else said
    return Decimal(plain.replace(",", ".")) if form.fullmatch(plain) else None


def _size(said: str) -> Decimal | None:
    """Bytes, or a size with its unit (a thousand of the one before) that comes to whole bytes."""
    written = _SIZE.fullmatch(said)
    if written is None:
        return _number(said, _WHOLE)
    value = _number(written[1], _DECIMAL)
    size = None if value is None else value * 1000 ** _UNITS.index(written[2].upper())
    return None if size is None or size != size.to_integral_value() else size.to_integral_value()


async def own_cotas(uow: UnitOfWork) -> Valores:
    """The quotas of the scope's organisation's own."""
    row = (await uow.connection.exec_driver_sql(_OWN, (uow.scope.tenant_id,))).one_or_none()
    return _NONE if row is None else {name: Decimal(value) for name, value in zip(POR_NOME, row, strict=True) if value is not None}


async def set_cotas(uow: UnitOfWork, proprias: Valores) -> None:
    """Keep the quotas of the scope's organisation's own, in the place of those that it had."""
    await uow.connection.exec_driver_sql(_SET, (uow.scope.tenant_id, *[proprias.get(name) for name in POR_NOME]))


async def require_room(uow: UnitOfWork, nome: Nome, usado: Callable[[UnitOfWork], Awaitable[int]], mais: int = 1) -> None:
    """Raises CotaAtingida where `mais` more would be over the organisation's own quota; to be asked in the transaction that adds them.

    Of those who ask at once each waits for the one before to end, so that the last place is given once. `usado` is counted only where
    there is such a quota.
    """
    limite = await hold_cota(uow, nome) if mais > 0 else None
    if limite is None:
        return
    used = Decimal(await usado(uow))
    if used + mais > limite:
        raise CotaAtingida(refusal(POR_NOME[nome], used, limite, mais))


async def hold_cota(uow: UnitOfWork, nome: Nome) -> Decimal | None:
    """The organisation's own quota, None where it has none; until the unit of work ends nobody else counts against it."""
    if nome not in await own_cotas(uow):
        return None
    await uow.connection.exec_driver_sql(_ONE_AT_A_TIME, (uow.scope.tenant_id, nome))
    return (await own_cotas(uow)).get(nome)


def refusal(cota: Cota, usado: Decimal, limite: Decimal, mais: int = 1, de: str = "") -> str:
    """What somebody is told whose organisation has no room for `mais` more: what is used, how much fits, and what can be done.

    `de` names the organisation to whoever looks after it from outside, and may change its quotas.
    """
    used = used_of(cota, usado, limite)
    fits = max(Decimal(0), limite - usado)
    told = "nada mais cabe" if not fits else f"só {'cabe' if fits == 1 else 'cabem'} mais {said(cota, fits)}"
    asked = f", e aqui vêm {said(cota, Decimal(mais))}" if mais > 1 else ""
    if de:
        return f"{de} usa {used}: {told}{asked}. Para que caiba mais, mude a cota."
    return " ".join(filter(None, (f"Sua organização usa {used}: {told}{asked}.", cota.livra, _RENOVA[cota.renova], PECA)))


def used_of(cota: Cota, usado: Decimal, limite: Decimal) -> str:
    """What is used of how much, in words (pt-BR): `3 dos 10 editais`, `1 de 1 edital`."""
    return (cota.de_um if limite == 1 and cota.de_um else cota.uso).format(usado=said(cota, usado), limite=said(cota, limite))


def limite_em_palavras(uso: Uso, de_todas: str) -> str:
    """What limits an organisation, in words (pt-BR); `de_todas` follows what holds for all of the installation."""
    cota = uso.cota
    if cota.codigo == "conversas" and uso.teto is not None:
        own = uso.propria and uso.limite is not None and uso.limite <= uso.teto
        holds = uso.limite if own and uso.limite is not None else uso.teto
        return f"{said(cota, holds)} em todos os servidores{'' if own else de_todas}"
    together = "sem limite" if uso.limite is None else said(cota, uso.limite) + ("" if uso.propria else de_todas)
    if cota.codigo == "pedidos_por_minuto" and uso.teto is not None:
        return f"{together} juntas; {said(cota, uso.teto)} para cada chave{de_todas}"
    return together


def exhausted(nome: Nome, usado: Decimal, limite: Decimal, now: datetime) -> CotaEsgotada:
    """What somebody is told who comes after the last of a quota that renews itself."""
    cota = POR_NOME[nome]
    return CotaEsgotada(refusal(cota, usado, limite), seconds_to_renew(cota.renova, now))


def seconds_to_renew(renova: Renova | None, now: datetime) -> int:
    """Seconds, at least 1, until a quota is whole again; 60 for one of the minute."""
    here = now.astimezone(BRASILIA)
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    if renova == "mes":
        midnight = (here.replace(day=1, hour=0, minute=0, second=0, microsecond=0) + timedelta(days=32)).replace(day=1)
    return 60 if renova not in {"dia", "mes"} else max(1, math.ceil((midnight - here).total_seconds()))


def said(cota: Cota, valor: Decimal) -> str:
    """A value of a quota in words (pt-BR)."""
    match cota.unidade:
        case "dolares":
            return f"US$ {_grouped(valor, 2)}"
        case "bytes":
            size, unit = valor, "B"
            for larger in ("kB", "MB", "GB", "TB"):
                if size < 1000:
                    break
                size, unit = size / 1000, larger
            return f"{_grouped(size, 0 if unit == 'B' or size == size.to_integral_value() else 1)} {unit}"
        case _:
            return _grouped(valor, 0)


def usos_of(usados: Valores, proprias: Valores, instalacao: Valores = _NONE, por_chave: Decimal | None = None) -> Sequence[Uso]:
    """Every quota of an organisation: what is used, its own limit or else the installation's; `por_chave` are requests of one key."""
    tetos = {"conversas": instalacao.get("conversas"), "pedidos_por_minuto": por_chave}
    return tuple(
        [
            Uso(one, usados.get(one.codigo), _limit(one.codigo, proprias, instalacao), one.codigo in proprias, tetos.get(one.codigo))
            for one in COTAS
        ]
    )


def _limit(nome: Nome, proprias: Valores, instalacao: Valores) -> Decimal | None:
    return proprias.get(nome, instalacao.get(nome))


def _grouped(valor: Decimal, casas: int) -> str:
    return f"{valor:,.{casas}f}".translate(str.maketrans(",.", ".,"))
