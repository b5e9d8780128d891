"""An agent is data: what it may see, what it answers, what it says to a model, and who may write each field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from crivo.kernel.agents.prompts import Prompt, load_prompt


class Author(StrEnum):
    """Who wrote a field."""

    CODE = "codigo"
    MODEL = "modelo"
    PERSON = "pessoa"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The generation settings that the source document names."""

    modelo: str
    temperatura: float


@dataclass(frozen=True, slots=True)
class Budget:
    """Characters that an agent must be able to hold; a capacity, never a reason to cut."""

    entrada_caracteres: int
    saida_caracteres: int


@dataclass(frozen=True, slots=True)
class AgentContract:
    """One agent.

    `sees` names the earlier answers that the runner hands it, in order, and nothing else reaches it.
    `titulo` is what people call its stage (pt-BR). `textos` is the file of what a model is told that writes nothing but the texts of an
    answer that code has made, empty where none is asked for them.
    `model_writes` and `person_writes` are dotted field paths of `output`; code writes every field, and alone the rest.
    """

    name: str
    stage: str
    tarefa: str
    source: str
    package: str
    sees: tuple[str, ...]
    output: type[msgspec.Struct]
    model: ModelSettings
    budget: Budget
    model_writes: tuple[str, ...] = ()
    person_writes: tuple[str, ...] = ()
    titulo: str = ""
    textos: str = ""

    def __post_init__(self) -> None:
        known = set(field_paths(self.output))
        unknown = [path for path in (*self.model_writes, *self.person_writes) if path not in known]
        if unknown:
            raise ValueError(f"{self.name}: no such field to write: {', '.join(unknown)}")

    @property
    def prompt(self) -> Prompt:
        """What a model would be told that gives the whole answer. It stays in the contract: no stage is ever handed one."""
        return load_prompt(self.package, f"{self.stage}.md")

    @property
    def prompt_textos(self) -> Prompt | None:
        """What a model is told that writes the texts of a decided answer; None where none is asked for them."""
        return load_prompt(self.package, self.textos) if self.textos else None

    def authors(self) -> Mapping[str, tuple[Author, ...]]:
        """Who may write each field of the answer, by dotted path; a field that code alone writes is named as a whole."""
        shared = (*self.model_writes, *self.person_writes)
        return {path: self._authors_of(path) for path in _split_where(field_paths(self.output), shared)}

    def _authors_of(self, path: str) -> tuple[Author, ...]:
        extra = ((Author.MODEL, self.model_writes), (Author.PERSON, self.person_writes))
        return (Author.CODE, *(author for author, paths in extra if path in paths))


def _split_where(paths: Iterable[str], shared: tuple[str, ...]) -> list[str]:
    """Leaf paths, those under one parent folded into it unless somebody beside code may write one of them."""
    parents = {path.partition(".")[0] for path in shared}
    return list(dict.fromkeys(path if path.partition(".")[0] in parents else path.partition(".")[0] for path in paths))


def field_paths(struct: type[msgspec.Struct], prefix: str = "", *, always: bool = False) -> Iterator[str]:
    """Dotted paths of the leaf fields of a struct; lists are entered, free-form objects are leaves.

    `always`: only of those that every answer has, not of those that are left out where they are unset.
    """
    for field in msgspec.structs.fields(struct):
        if always and field.default is msgspec.UNSET:
            continue
        path = f"{prefix}{field.encode_name}"
        inner = _struct_inside(field.type)
        if inner is None:
            yield path
        else:
            yield from field_paths(inner, f"{path}.", always=always)


def _struct_inside(annotation: Any) -> type[msgspec.Struct] | None:
    """The struct that an annotation holds, directly, optionally or in a tuple."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        inner = _struct_inside(argument)
        if inner is not None:
            return inner
    return None
