"""What the rules between the values of an import are made of: its objects by position and by id, and its days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from crivo.kernel.formas.palavras import Caminho
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato

Lido = Mapping[str, Any]


def objects(pai: Lido, nome: str) -> Iterator[tuple[int, Lido]]:
    """The objects of a list that could be read, with their positions."""
    for indice, item in enumerate(pai.get(nome) or ()):
        if isinstance(item, dict):
            yield indice, item


@dataclass(frozen=True, slots=True)
class Indice:
    """The ids of a list, each with its object's `tipo`; not `completo` where some could not be read, so that an id which is not here
    may still be right.
    """

    por_id: Mapping[str, str]
    completo: bool


def check_ids(nome: str, lido: Lido, relato: Relato, dentro: Caminho = ()) -> Indice:
    """The objects of a list by id; an id that comes again, even in another case, is a problem. `dentro` is where the list stands."""
    by_id: dict[str, str] = {}
    first: dict[str, tuple[int, str]] = {}
    completo = all(isinstance(item, dict) and "id" in item for item in lido.get(nome) or ())
    for indice, item in objects(lido, nome):
        codigo = item.get("id")
        if codigo is None:
            continue
        primeira, escrito = first.setdefault(codigo.casefold(), (indice, codigo))
        if primeira == indice:
            by_id[codigo] = item.get("tipo", "")
            continue
        igual = "já é" if escrito == codigo else f"só difere por maiúsculas de `{cite(escrito)}`,"
        mensagem = (
            f"`{cite(codigo)}` {igual} o identificador de {relato.label((*dentro, nome, primeira))}; dê a este um identificador próprio."
        )
        relato.problemas.add("id_repetido", (*dentro, nome, indice, "id"), mensagem)
    return Indice(by_id, completo)


def check_projeto(projeto_id: str | None, projetos: Indice, caminho: Caminho, relato: Relato) -> None:
    """A projeto that something speaks of is in the import; None stands for one that was refused."""
    if projeto_id is not None and projeto_id not in projetos.por_id and projetos.completo:
        mensagem = f"Não há projeto `{cite(projeto_id)}` nesta importação.{relato.suggest(projeto_id, projetos.por_id)}"
        relato.problemas.add("projeto_desconhecido", caminho, mensagem)


def check_repeats(lista: Sequence[str | None] | None, caminho: Caminho, relato: Relato) -> None:
    """Each item comes once; None stands for one that was refused."""
    vistos: set[str] = set()
    for posicao, item in enumerate(lista or ()):
        if item in vistos:
            relato.fail("repetido", (*caminho, posicao), "repete um item anterior da lista")
        elif item is not None:
            vistos.add(item)


def day_of(pai: Lido, nome: str) -> date | None:
    """The day that a field says, where there is such a day."""
    escrito = pai.get(nome)
    return as_date(escrito) if isinstance(escrito, str) else None


def as_date(escrito: str) -> date | None:
    """The day, or None where the calendar has none such."""
    try:
        return date.fromisoformat(escrito)
    except ValueError:
        return None
