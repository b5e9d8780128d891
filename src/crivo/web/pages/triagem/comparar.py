"""`/admin/editais/{id}/comparar`: two projects side by side, sentence by sentence. Source: design, the mesa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.errors import CrivoError
from crivo.triagem.comparar import Comparados
from crivo.triagem.erros import MesmoProjeto, ProjetoNotFound
from crivo.triagem.irregularidades.lado_a_lado import Alinhada, EmComum, Liga, Perto
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.palavras import SINAL, count, number, shown
from crivo.web.pages.formatos import instante
from crivo.web.pages.listas import link
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.enderecos import comparar_address
from crivo.web.pages.triagem.palavras import campo_name
from crivo.web.pages.triagem.realce import Segmento, differ
from crivo.web.pages.triagem.vista import Quem
from crivo.web.problems import status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/comparar"
_LONGEST_CODE: Final = 64
Mostrar = Literal["", "palavras", "ideia", "um"]
_KINDS: Final[Mapping[Liga, Mostrar]] = {
    "mesmas_palavras": "palavras",
    "mesma_ideia": "ideia",
    "so_em_a": "um",
    "so_em_b": "um",
}
_FICHAS: Final[tuple[tuple[Mostrar, str], ...]] = (
    ("", "Tudo"),
    ("ideia", "Mesma ideia, outras palavras"),
    ("palavras", "Mesmas palavras"),
    ("um", "Só em um"),
)
_CLASSES: Final[Mapping[Liga, str]] = {"mesmas_palavras": "iguais", "mesma_ideia": "ideia", "so_em_a": "so", "so_em_b": "so"}
_WIDTH: Final = 380  # of the figure, in its own units
_HEIGHT: Final = 60
_Lado = tuple[Segmento, ...]


@dataclass(frozen=True, slots=True)
class FraseVista:
    """A line of the table: a sentence of each, word by word, or none; what ties them, and by how much."""

    classe: str
    liga: str
    quanto: str
    a: _Lado
    b: _Lado
    lugar_a: str
    lugar_b: str


@dataclass(frozen=True, slots=True)
class PertoVista:
    """A figure of all pairs, and the same in words; `barras` are (x, y, width, height), `este` where this pair stands."""

    barras: tuple[tuple[float, float, float, float], ...]
    este: float
    ancora: Literal["start", "middle", "end"]
    valor: str
    pares: str
    dito: str
    seguinte: str
    seguinte_endereco: str


@dataclass(frozen=True, slots=True)
class LadoVista:
    """All that is said of the two."""

    a: Quem
    b: Quem
    quando: Mapping[str, str]
    fichas: tuple[tuple[str, str, bool], ...]
    frases: tuple[FraseVista, ...]
    sem_texto: bool
    em_comum: tuple[EmComum, ...]
    perto: PertoVista | None
    sem_perto: str
    outra_medida: bool
    observacao: str
    sinais: tuple[str, ...]


@router.get(_PAGE, response_class=Response)
async def ver(
    request: Request,
    edital_id: EditalId,
    a: Annotated[str, Query(max_length=_LONGEST_CODE)] = "",
    b: Annotated[str, Query(max_length=_LONGEST_CODE)] = "",
    mostrar: Mostrar = "",
) -> Response:
    """The two that the address names, or a form to choose them by; what cannot be compared is told beside it."""
    comparar, scope = state_of(request).container.comparar, scope_of(request)
    lado: LadoVista | None = None
    recusa: CrivoError | None = None
    edital, codigos = await comparar.codigos(scope, edital_id)
    written = {codigo.casefold(): codigo for codigo in codigos}  # nobody minds capitals where they type a code
    a, b = written.get(a.strip().casefold(), a.strip()), written.get(b.strip().casefold(), b.strip())
    if a and b:
        try:
            lado = _side(edital_id, await comparar.comparar(scope, edital_id, a, b), mostrar)
        except (ProjetoNotFound, MesmoProjeto) as error:
            recusa = error
    return page(
        request,
        "triagem/comparar.html",
        200 if recusa is None else status_of(recusa),
        edital_id=edital_id,
        edital=shown(edital.nome),
        endereco=comparar_address(edital_id),
        triagem=f"/admin/editais/{quote(edital_id, safe='')}/triagem-ia",
        a=a,
        b=b,
        mostrar=mostrar,
        codigos=list(codigos.items()),
        lado=lado,
        recusa="" if recusa is None else recusa.mensagem,
        sinal=SINAL,
        pelo_sentido=comparar.pelo_sentido,
    )


def _side(edital_id: str, found: Comparados, mostrar: Mostrar) -> LadoVista:
    lado = found.lado
    counted = Counter(_KINDS[one.liga] for one in lado.frases)
    counted[""] = len(lado.frases)
    query = {"a": lado.a, "b": lado.b}
    here = comparar_address(edital_id)
    fichas = tuple(
        [
            (f"{nome} ({number(counted[kind])})", here + link(query, mostrar=kind), kind == mostrar)
            for kind, nome in _FICHAS
            if counted[kind] or kind in ("", mostrar)
        ]
    )
    one, other = found.cabecalhos[lado.a], found.cabecalhos[lado.b]
    return LadoVista(
        Quem.of(lado.a, one),
        Quem.of(lado.b, other),
        {codigo: instante(quando) for codigo, quando in found.enviados.items()},
        fichas,
        tuple([_sentence(of, lado.a, lado.b) for of in lado.frases if not mostrar or _KINDS[of.liga] == mostrar]),
        not lado.frases,
        lado.em_comum,
        None if lado.perto is None else _near(edital_id, lado.perto),
        lado.sem_perto,
        lado.outra_medida,
        lado.observacao,
        tuple([SINAL_DE[tipo].palavra for tipo in lado.sinais]),
    )


def _sentence(of: Alinhada, a: str, b: str) -> FraseVista:
    one, other = (_plain(of.a.texto) if of.a else ()), (_plain(of.b.texto) if of.b else ())
    quanto = ""
    match of.liga:
        case "mesmas_palavras" if of.a and of.b:
            one, other, many = differ(of.a.texto, of.b.texto)
            liga = "mesmas palavras"
            quanto = count(many, "palavra muda", "palavras mudam") if many else "iguais"
        case "mesma_ideia":
            liga = "mesma ideia, outras palavras"
            quanto = number(round(of.semelhanca or 0, 2), 2)
        case "so_em_a":
            liga = f"só em {a}"
        case _:
            liga = f"só em {b}"
    return FraseVista(
        _CLASSES[of.liga],
        liga,
        quanto,
        one,
        other,
        campo_name(of.a.campo) if of.a else "",
        campo_name(of.b.campo) if of.b else "",
    )


def _plain(texto: str) -> _Lado:
    return ((texto, ""),)


def _near(edital_id: str, perto: Perto) -> PertoVista:
    most = max(perto.faixas) or 1
    step = _WIDTH / len(perto.faixas)
    barras = tuple(
        [
            (round(at * step + 1, 1), round(_HEIGHT - height, 1), round(step - 2, 1), round(height, 1))
            for at, many in enumerate(perto.faixas)
            if (height := max(_HEIGHT * many / most, 1.0 if many else 0.0))
        ]
    )
    este = round(_WIDTH * (perto.este - perto.de) / (perto.ate - perto.de), 1)
    este = min(max(este, 2.0), _WIDTH - 2.0)
    others = perto.pares - 1
    if perto.mais_perto == 0:
        dito = f"É o par mais próximo entre os {number(perto.pares)} deste edital."
    elif perto.mais_perto == 1:
        dito = f"Dos outros {number(others)} pares deste edital, um está mais perto do que este."
    else:
        dito = f"Dos outros {number(others)} pares deste edital, {number(perto.mais_perto)} estão mais perto do que este."
    seguinte = seguinte_endereco = ""
    if perto.seguinte is not None:
        first, second, value = perto.seguinte
        seguinte = f"{first} e {second}, em {number(round(value, 2), 2)}"
        seguinte_endereco = comparar_address(edital_id, first, second)
    ancora: Literal["start", "middle", "end"] = "start" if este < _WIDTH / 5 else "end" if este > 4 * _WIDTH / 5 else "middle"
    return PertoVista(
        barras, este, ancora, number(round(perto.este, 2), 2), count(perto.pares, "par", "pares"), dito, seguinte, seguinte_endereco
    )
