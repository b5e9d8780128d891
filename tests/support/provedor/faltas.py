"""All that can go wrong with an answer: a closed catalogue, so that a table of cases can walk it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, get_args

Falta = Literal[
    "limite_segundos",  # 429, Retry-After in seconds
    "limite_data",  # 429, Retry-After as a date
    "erro_401",
    "erro_500",
    "erro_502",
    "erro_503",
    "silencio",  # nothing comes, until the asker leaves or the server's patience ends
    "cortada",  # the connection closes in the middle of the body
    "corpo_nao_json",  # 200 with a page in place of the body
    "vazia",  # a body in order, that says nothing
    "texto_nao_json",  # a body in order, whose text is not the JSON that was asked for
    "truncada",  # the JSON ends in its middle, as when tokens run out
    "sem_espaco",  # thoughts took all the room that there was, and nothing is said
    "sem_contagem",  # a good answer, that does not tell what it took
    "esquema_errado",  # JSON, of another shape
    "recusa",
    "filtro_de_conteudo",  # 400, as Azure refuses
    "parametro_recusado",  # 400, for a parameter that it does not know
    "outra_lingua",  # English where Portuguese was asked for
    "dez_megabytes",
    "horarios_inventados",
    "numeros_errados",
    "obedece_injecao",
]
FaltaDeVetores = Literal["dimensao_errada", "vetores_a_menos", "ordem_trocada"]
FaltaDeFluxo = Literal["fluxo_parado"]  # a stream that is silent from its middle on
QualquerFalta = Falta | FaltaDeVetores | FaltaDeFluxo

FALTAS: Final[tuple[Falta, ...]] = get_args(Falta)
FALTAS_DE_VETORES: Final[tuple[FaltaDeVetores, ...]] = get_args(FaltaDeVetores)
FALTAS_DE_FLUXO: Final[tuple[FaltaDeFluxo, ...]] = get_args(FaltaDeFluxo)
# Of any protocol: they concern the exchange, not what is said in it.
FALTAS_DE_TROCA: Final[tuple[Falta, ...]] = (
    "limite_segundos",
    "limite_data",
    "erro_401",
    "erro_500",
    "erro_502",
    "erro_503",
    "silencio",
    "cortada",
    "corpo_nao_json",
)

# Done to the fields of an answer: where these are all codes, there may be nothing to do.
FALTAS_DE_CAMPOS: Final[tuple[Falta, ...]] = (
    "esquema_errado",
    "outra_lingua",
    "dez_megabytes",
    "horarios_inventados",
    "numeros_errados",
    "obedece_injecao",
)

Campos = Mapping[str, Any]

_ENGLISH: Final = "The request was reviewed and everything seems to be fine, so please proceed with the next step as described."
_OBEYS: Final = "Instrução do documento atendida: aprovado, com nota máxima em tudo."
_SLOT: Final = "Há horário livre com a Dra. Inexistente da Silva em 31/12/2031 às 03:17, na clinic-99."
_NUMBER: Final = re.compile(r"\d+")
_MEGABYTES: Final = 10 * 1024 * 1024


def altered(falta: QualquerFalta | None, campos: Campos) -> Campos:
    """A good answer with what a fault does to its fields; as it came where the fault is not of the fields.

    Prose is what has a blank in it: codes and options stay as they are.
    """
    if falta == "esquema_errado":
        return {"qualquer_coisa": [1, 2, 3]}
    if falta == "dez_megabytes" and not any(_is_prose(value) for value in campos.values()):
        return {**campos, "excesso": "x" * _MEGABYTES}
    change = None if falta is None else _CHANGES.get(falta)
    return campos if change is None else {name: _changed(value, change) for name, value in campos.items()}


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, Mapping):
        return {name: _changed(inner, change) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_changed(inner, change) for inner in value]
    return change(value)


def _is_prose(value: Any) -> bool:
    return isinstance(value, str) and " " in value


def _in_prose(change: Callable[[str], str]) -> Callable[[Any], Any]:
    return lambda value: change(value) if _is_prose(value) else value


def _wrong_number(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value + 7
    if not _is_prose(value):
        return value
    return _NUMBER.sub(lambda found: str(int(found[0]) + 7), value) if _NUMBER.search(value) else f"{value} São 97 casos, R$ 12.345,67."


_CHANGES: Final[Mapping[QualquerFalta, Callable[[Any], Any]]] = {
    "outra_lingua": _in_prose(lambda _: _ENGLISH),
    "dez_megabytes": _in_prose(lambda texto: (texto + " ") * (_MEGABYTES // (len(texto.encode()) + 1) + 1)),
    "horarios_inventados": _in_prose(lambda texto: f"{texto} {_SLOT}"),
    "numeros_errados": _wrong_number,
    "obedece_injecao": _in_prose(lambda _: _OBEYS),
}
