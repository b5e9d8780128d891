"""Pydantic's errors as complaints in pt-BR: where, what came, what would be right, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from crivo.kernel.formas.esquema import CHAVE, Json, find_no, name_of_object, shape_of
from crivo.kernel.formas.palavras import Caminho, grouped, letters, nearest, seen
from crivo.kernel.formas.tipos import TAG

M = TypeVar("M", bound=BaseModel)
_KNOWN: Final = 64  # characters of a name that may be known by another
_MUITAS: Final = 10_000
_BILHAO: Final = 1_000_000_000
_OBJETO: Final = "um objeto com campos"
_DEVE: Final = {
    "model_type": _OBJETO,
    "dict_type": _OBJETO,
    "variante": _OBJETO,
    "list_type": "uma lista",
    "string_type": "um texto entre aspas",
    "bool_type": "`true` (sim) ou `false` (não), sem aspas",
}


@dataclass(frozen=True, slots=True)
class Voz:
    """How an application speaks: its fields' names, what it may repeat of a document, where it says the fields are listed."""

    label: Callable[[Caminho], str]
    cite: Callable[[str], str]
    cita: bool  # texts too; else only words of a closed list
    aponta: str
    sugere: str
    cheia: Callable[[], bool]  # whether anybody reads further complaints
    curta: str = "lista_curta"
    apelidos: Mapping[str, Mapping[str, str]] | None = None


class Queixa(NamedTuple):
    """One complaint: its code, the path of the value, the whole sentence."""

    codigo: str
    caminho: Caminho
    mensagem: str


class Lido(NamedTuple):
    """A document as far as it could be read: absent and refused values left out, None in a list where an item was refused."""

    valor: Any
    queixas: Iterable[Queixa]
    omitidas: int = 0  # complaints that are only counted, of a document with thousands


def read(modelo: type[BaseModel], valor: object, voz: Voz, caminho: Caminho = ()) -> Lido:
    """The document as its shape keeps it, with every complaint; `caminho` is where it stands in the whole of which it is a part."""
    try:
        return Lido(modelo.model_validate(valor).model_dump(by_alias=True, exclude_none=True, exclude_unset=True), ())
    except ValidationError as error:
        total = error.error_count()
        if total <= _MUITAS:
            return _refused(error, shape_of(modelo), valor, voz, caminho)
    # Each error told costs ten times what the value did: of very many only the first are made.
    shape = shape_of(modelo)
    menor = _trimmed(valor, shape)
    try:
        modelo.model_validate(menor)
    except ValidationError as error:
        lido = _refused(error, shape, menor, voz, caminho)
        return lido._replace(omitidas=total - error.error_count())
    return Lido(None, (), total)


def _refused(error: ValidationError, shape: Json, valor: object, voz: Voz, caminho: Caminho) -> Lido:
    faltas = error.errors(include_url=False)
    recusados = {path_of(falta["loc"]) for falta in faltas}
    return Lido(without(valor, recusados), (_say(falta, shape, voz, caminho) for falta in faltas))


def _trimmed(valor: Any, no: Json) -> Any:
    """The value with at most so many unknown names in an object, and items in a list."""
    if isinstance(valor, list):
        return [_trimmed(item, no.get("items", {})) for item in valor[:_MUITAS]]
    if not isinstance(valor, dict):
        return valor
    campos = no.get("properties", {})
    unknown = set([nome for nome in valor if nome not in campos][:_MUITAS])
    return {nome: _trimmed(item, campos.get(nome, {})) for nome, item in valor.items() if nome in campos or nome in unknown}


def path_of(loc: Caminho) -> Caminho:
    """The path in the document of where Pydantic found something."""
    return tuple(passo for passo in loc if isinstance(passo, int) or not (passo == CHAVE or passo.startswith(TAG)))


def without(valor: Any, recusados: Collection[Caminho], caminho: Caminho = ()) -> Any:
    """The value without nulls and what was refused; a list keeps its length."""
    if caminho in recusados:
        return None
    if isinstance(valor, dict):
        kept = ((nome, without(item, recusados, (*caminho, nome))) for nome, item in valor.items())
        return {nome: item for nome, item in kept if item is not None}
    if isinstance(valor, list):
        return [without(item, recusados, (*caminho, posicao)) for posicao, item in enumerate(valor)]
    return valor


def _say(falta: ErrorDetails, shape: Json, voz: Voz, caminho: Caminho) -> Queixa:
    """The complaint of one error."""
    tipo, loc, valor = falta["type"], falta["loc"], falta["input"]
    onde = (*caminho, *path_of(loc))
    if tipo == "variante" and isinstance(valor, dict):
        return _variante(falta, find_no(shape, loc), voz, onde)
    if tipo == "missing":
        return _ausente(onde, find_no(shape, loc)["description"], voz)
    if tipo == "extra_forbidden":
        return _desconhecido(str(loc[-1]), find_no(shape, loc[:-1]), voz, onde)
    if tipo == "string_unicode" and "enum" not in find_no(shape, loc):  # half a character in a name
        return _desconhecido(str(valor), find_no(shape, loc), voz, (*onde, str(valor)))
    codigo, resto = _wrong(falta, find_no(shape, loc), voz)
    return Queixa(codigo, onde, f"{voz.label(onde)} {resto}")


def _wrong(falta: ErrorDetails, no: Json, voz: Voz) -> tuple[str, str]:
    """The code, and what follows the field's name."""
    tipo, valor, contexto = falta["type"], falta["input"], falta.get("ctx", {})
    if "mensagem" in contexto:
        return tipo, _own_words(contexto, valor, voz)
    if tipo in ("literal_error", "string_unicode"):
        return _escolha(no["enum"], valor, voz)
    if tipo == "too_long":
        tem, nomes = grouped(contexto["actual_length"]), ("item", "itens") if contexto["field_type"] == "List" else ("campo", "campos")
        return "lista_longa", f"pode ter até {_count(contexto['max_length'], *nomes)}, e tem {tem}."
    if tipo == "too_short":
        return voz.curta, f"precisa de ao menos {_count(contexto['min_length'], 'item', 'itens')}."
    aqui = seen(valor, voz.cite, cita=voz.cita)
    if tipo in _DEVE:
        return "tipo_errado", f"deve ser {_DEVE[tipo]}; {aqui}."
    if isinstance(valor, int | float | Decimal) and not isinstance(valor, bool):
        return "valor_fora_da_faixa", f"deve ser {_number(no)}; {aqui}."
    como = "só com algarismos e sem aspas" if _is_integer(no) else "sem aspas e com ponto no lugar da vírgula"
    return "tipo_errado", f"deve ser {_number(no)}, {como}; {aqui}."


def _own_words(contexto: Mapping[str, Any], valor: object, voz: Voz) -> str:
    cita = voz.cita or contexto["citavel"]
    shows = contexto["citavel"] or (contexto["mostra"] and (cita or not isinstance(valor, str)))
    aqui = f"; {seen(valor, voz.cite, cita=cita)}" if shows else ""
    return f"{contexto['mensagem']}{aqui}.{contexto['depois']}"


def _number(no: Json) -> str:
    faixa = f"maior que {_bound(no['exclusiveMinimum'])} e até" if "exclusiveMinimum" in no else f"de {_bound(no['minimum'])} a"
    return f"um número {'inteiro ' if _is_integer(no) else ''}{faixa} {_bound(no['maximum'])}"


def _bound(limite: float) -> str:
    # As one would write it in the file: a bound with points would invite a value with points.
    return "1 bilhão" if limite == _BILHAO else f"{limite:.0f}"


def _is_integer(no: Json) -> bool:
    return "integer" in no["type"]


def _count(many: int, one: str, more: str) -> str:
    return f"{grouped(many)} {one if many == 1 else more}"


def _escolha(valores: Collection[str | None], valor: object, voz: Voz) -> tuple[str, str]:
    words = [opcao for opcao in valores if opcao is not None]
    opcoes = ", ".join(f"`{opcao}`" for opcao in words)
    meant = nearest(valor, words) if isinstance(valor, str) and not voz.cheia() else None
    hint = f" Quis dizer `{meant}`?" if meant else ""
    codigo = "valor_fora_da_lista" if isinstance(valor, str) else "tipo_errado"
    return codigo, f"deve ser um destes valores: {opcoes}; {seen(valor, voz.cite, cita=True)}.{hint}"


def _variante(falta: ErrorDetails, no: Json, voz: Voz, onde: Caminho) -> Queixa:
    """Of an object that is one of several: its mark is absent, or says none of them."""
    marca, objeto = falta["msg"], falta["input"]
    opcoes = [opcao["properties"][marca]["const"] for opcao in no["oneOf"] if "properties" in opcao]
    onde = (*onde, marca)
    if marca not in objeto:
        return _ausente(onde, f"Diga qual é: {' ou '.join(f'`{opcao}`' for opcao in opcoes)}.", voz)
    codigo, resto = _escolha(opcoes, objeto[marca], voz)
    return Queixa(codigo, onde, f"{voz.label(onde)} {resto}")


def _ausente(onde: Caminho, descricao: str, voz: Voz) -> Queixa:
    em = f" em {voz.label(onde[:-1])}" if len(onde) > 1 else ""
    return Queixa("campo_ausente", onde, f"Falta {voz.label(onde)}{em}. {descricao}")


def _desconhecido(chave: str, no: Json, voz: Voz, onde: Caminho) -> Queixa:
    nome = name_of_object(no)
    meant = (
        None if voz.cheia() else (voz.apelidos or {}).get(nome, {}).get(letters(chave[:_KNOWN])) or nearest(chave, no.get("properties", ()))
    )
    hint = voz.sugere.format(meant) if meant else voz.aponta
    return Queixa("campo_desconhecido", onde, f"`{voz.cite(chave)}` não existe em {nome}{hint}")
