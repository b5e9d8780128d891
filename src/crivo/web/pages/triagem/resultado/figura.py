"""The notas of a category and its cuts as a figure, and its places as seats; the same figures stand in words beside both."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from crivo.triagem.classificacao.definicao import AMPLA, Classificacao
from crivo.triagem.palavras import count, number, shown
from crivo.triagem.publicacao.conteudo import Linha
from crivo.triagem.publicacao.quadro import Ocupacao, Reunidos
from crivo.web.pages.triagem.resultado.linhas import tone_of
from crivo.web.pages.triagem.resultado.palavras import place_of, points_of, vaga_said

_SEATS: Final = 12  # of a kind: of more, the first ones and the last
_LEFT: Final = 108
_RIGHT: Final = 396
_TOP: Final = 42
_LANE: Final = 30
_LANES: Final = 9
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000)
_TICKS: Final = 6
_LABEL: Final = 13  # letters of a lane's name
_NEAR: Final = 30  # pixels in which two words would run into each other


@dataclass(frozen=True, slots=True)
class Assento:
    """A place and who has it: how they stand, their nota and title; `recebido` from elsewhere. A gap stands for those left out."""

    codigo: str
    titulo: str
    lugar: str
    nota: str
    recebido: bool = False


@dataclass(frozen=True, slots=True)
class VagasVista:
    """The places of one kind: how many of how many were filled, who has them; `sobra` says where those went that nobody took."""

    nome: str
    tom: str
    quantas: str
    assentos: tuple[Assento, ...]
    salto: int
    sobra: str
    total: int


@dataclass(frozen=True, slots=True)
class Ponto:
    """A nota in its lane; equal ones in one lane are one point."""

    x: float
    y: int
    tom: str
    dito: str


@dataclass(frozen=True, slots=True)
class FiguraVista:
    """Lanes by name, points, ticks, the cuts, and what a screen reader is told of it all."""

    altura: int
    raias: tuple[tuple[str, int], ...]
    pontos: tuple[Ponto, ...]
    marcas: tuple[tuple[float, str], ...]
    minima: tuple[float, str] | None
    ampla: tuple[float, str] | None
    dito: str

    @property
    def baixo(self) -> int:
        """Where the lines end."""
        return self.altura - 28


def seats_of(grupo: Reunidos) -> tuple[VagasVista, ...]:
    """The places of a category, the broad ones first."""
    return tuple([_seats(grupo, one) for one in grupo.ocupacoes if one.vagas or one.levaram])


def figure_of(grupo: Reunidos, regras: Classificacao) -> FiguraVista | None:
    """The notas of a category; None where nobody has one."""
    lanes = [(_short(vaga_said(one.vaga)), tone_of(grupo, one.vaga), list(one.levaram)) for one in grupo.ocupacoes if one.levaram]
    lanes += [
        (name, tone, [one for one in grupo.ordem if one.lugar.situacao == situacao])
        for name, tone, situacao in (("Suplentes", "suplente", "suplente"), ("Não classif.", "fora", "nao_classificado"))
    ]
    lanes.append(("Desclassif.", "cortado", [one for one in grupo.fora if one.lugar.nota_base is not None]))
    lanes = [lane for lane in lanes if lane[2]][:_LANES]
    values = [_nota(one) for _, _, those in lanes for one in those]
    if not values:
        return None
    least = regras.corte.nota_final_minima
    bounds = [*values, *([least] if least is not None else [])]
    scale = _Escala(min(bounds), max(bounds))
    pontos = [point for at, (_, tone, those) in enumerate(lanes) for point in _points(those, scale, _TOP + at * _LANE, tone)]
    ampla = None if grupo.corte is None else Decimal(grupo.corte)
    minima = None if least is None else (scale.x(least), f"mínima {points_of(least)}")
    cut = None if ampla is None else (scale.x(ampla), f"ampla {points_of(ampla)}")
    if minima and cut and abs(minima[0] - cut[0]) < _NEAR * 3:
        minima = (minima[0], "")  # the line stays, and its words are told below
    told = "; ".join(f"{name}: {points_of(max(map(_nota, those)))} a {points_of(min(map(_nota, those)))}" for name, _, those in lanes)
    floor = f" Nota mínima: {points_of(least)}." if least is not None else ""
    return FiguraVista(
        _TOP + len(lanes) * _LANE + 24,
        tuple([(name, _TOP + at * _LANE) for at, (name, _, _) in enumerate(lanes)]),
        tuple(pontos),
        scale.ticks,
        minima,
        cut,
        f"Notas por tipo de vaga, da maior à menor. {told}.{floor}",
    )


class _Escala:
    def __init__(self, least: Decimal, most: Decimal) -> None:
        room = max((most - least) / 20, Decimal("0.5"))
        self._least, self._most = least - room, most + room
        step = next((one for one in _STEPS if (self._most - self._least) / one <= _TICKS), _STEPS[-1])
        first = -(-self._least // step) * step
        marks = [first + at * step for at in range(int((self._most - first) / step) + 1)]
        self.ticks = tuple([(self.x(one), number(one)) for one in marks])

    def x(self, value: Decimal) -> float:
        share = (value - self._least) / (self._most - self._least)
        return round(_LEFT + float(share) * (_RIGHT - _LEFT), 1)


def _points(those: list[Linha], scale: _Escala, y: int, tone: str) -> list[Ponto]:
    at: dict[float, list[Linha]] = {}
    for one in those:
        at.setdefault(round(scale.x(_nota(one)) / 2) * 2.0, []).append(one)
    return [Ponto(x, y, tone, _told(found)) for x, found in at.items()]


def _told(those: list[Linha]) -> str:
    first = those[0]
    said = f"{shown(first.projeto.titulo) or first.lugar.projeto_id}: {points_of(_nota(first))}"
    return f"{said} e mais {number(len(those) - 1)} por perto" if len(those) > 1 else said


def _nota(linha: Linha) -> Decimal:
    found = linha.lugar.nota_final if linha.lugar.nota_final is not None else linha.lugar.nota_base
    return Decimal(found or 0)


def _seats(grupo: Reunidos, one: Ocupacao) -> VagasVista:
    seats = [
        Assento(
            linha.lugar.projeto_id,
            shown(linha.projeto.titulo) or linha.lugar.projeto_id,
            place_of(linha.lugar),
            points_of(linha.lugar.nota_final),
            one.is_recebida(at),
        )
        for at, linha in enumerate(one.levaram)
    ]
    left_out = max(0, len(seats) - _SEATS)
    shown_seats = seats if not left_out else [*seats[: _SEATS - 1], seats[-1]]
    own = min(len(one.levaram), one.vagas)
    filled = f"{number(own)} de {number(one.vagas)}"
    filled += f" e mais {count(one.recebidas, 'recebida', 'recebidas')}" if one.recebidas else ""
    sobra = ""
    if one.faltaram:
        went = "sem projetos" if one.vaga == AMPLA else "sem optantes"
        many = count(one.faltaram, "vaga", "vagas")
        sobra = (
            f"{many} {went}: {'passou adiante' if one.faltaram == 1 else 'passaram adiante'}" if _went_on(grupo, one) else f"{many} {went}"
        )
    tom = tone_of(grupo, one.vaga)
    return VagasVista(vaga_said(one.vaga), tom, filled, tuple(shown_seats), left_out, sobra, len(seats))


def _went_on(grupo: Reunidos, one: Ocupacao) -> bool:
    """Whether somebody of the category received what was left of a cota."""
    return one.vaga != AMPLA and any(other.recebidas for other in grupo.ocupacoes)


def _short(name: str) -> str:
    bare = {"Ampla concorrência": "Ampla"}.get(name, name.removeprefix("Cota "))
    return bare if len(bare) <= _LABEL else f"{bare[: _LABEL - 1]}…"
