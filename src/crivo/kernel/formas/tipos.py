"""The kinds of value that a shape is made of, beside Pydantic's own; each knows what it takes and how the published schema says it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any, ClassVar, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, PydanticKnownError, ValidationError, core_schema

from crivo.kernel.formas.palavras import Caminho, grouped

_WORTH_IT: Final = 10**18
TAG: Final = "="  # before the tag of a variant, so that no field has its name


class Forma(BaseModel):
    """An object of these fields and no other; its `title` completes "não existe em …"."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


@cache
def _search(expressao: str) -> Callable[[str], object]:
    return re.compile(expressao).search


@dataclass(frozen=True, slots=True)
class Padrao:
    """A regular expression that a text must meet, or must not; written so that ECMA and Python read it alike."""

    expressao: str
    codigo: str
    mensagem: str
    recusa: bool = False

    def fails(self, texto: str) -> bool:
        """True where the text breaks this pattern."""
        return (_search(self.expressao)(texto) is not None) == self.recusa

    def schema(self) -> dict[str, Any]:
        """The pattern as JSON Schema says it."""
        # A pattern says nothing of a null, so its plain negation would refuse one.
        return {"not": {"type": "string", "pattern": self.expressao}} if self.recusa else {"pattern": self.expressao}


NAO_VAZIO: Final = Padrao(r"\S", "texto_vazio", "não pode ficar em branco")


@dataclass(frozen=True, slots=True)
class Texto:
    """A text of up to `maximo` characters; every pattern that it breaks is told. `normaliza` gives the spelling that is kept.

    `citavel`: it names nobody, and a complaint may repeat it.
    """

    maximo: int
    padroes: tuple[Padrao, ...] = ()
    normaliza: Callable[[str], str] = str
    citavel: bool = False
    exemplo: str | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        padroes = {"allOf": [padrao.schema() for padrao in self.padroes]} if self.padroes else {}
        exemplos = {"examples": [self.exemplo]} if self.exemplo else {}
        return {"type": "string", "maxLength": self.maximo, **padroes, **exemplos}

    def read(self, valor: object) -> str:
        """The text as it is kept. Raises ValidationError with all that is wrong with it."""
        if not isinstance(valor, str):
            raise PydanticKnownError("string_type")
        faults: list[Falta] = [
            (told(padrao.codigo, padrao.mensagem, citavel=self.citavel), (), valor) for padrao in self.padroes if padrao.fails(valor)
        ]
        if len(valor) > self.maximo:
            faults.append((too_long(self.maximo, valor, citavel=self.citavel), (), valor))
        normalizado = self.normaliza(valor)
        if not faults and not normalizado and NAO_VAZIO in self.padroes:
            faults.append((told("texto_sem_letras", "não tem letra nem algarismo"), (), valor))
        if faults:
            raise refusal(faults)
        return normalizado


@dataclass(frozen=True, slots=True)
class Calendario:
    """A day or a moment, kept as the text that says it; `parse` raises ValueError where there is no such day or hour."""

    padrao: Padrao
    inexistente: str
    dito: str
    parse: Callable[[str], object]
    formato: Mapping[str, Any] = field(hash=False)
    depois: str = ""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", **self.formato, "pattern": self.padrao.expressao}

    def read(self, valor: object) -> str:
        """The text itself. Raises PydanticCustomError where it is written otherwise, or says no day."""
        # Of the whole text, so that a final line break is not overlooked.
        if not isinstance(valor, str) or re.fullmatch(self.padrao.expressao, valor) is None:
            raise told(self.padrao.codigo, self.padrao.mensagem, mostra=True, depois=self.depois)
        try:
            self.parse(valor)
        except ValueError as error:
            raise told(self.inexistente, f"{self.dito}: {valor}") from error
        return valor


def _whole(valor: Any) -> Any:
    """A number without a fraction as an integer; one too long to be worth it, and anything else, as it is."""
    if isinstance(valor, float | Decimal) and math.isfinite(valor) and -_WORTH_IT < valor < _WORTH_IT and valor == int(valor):
        return int(valor)
    return valor


def _exact(valor: object) -> object:
    return Decimal(valor) if isinstance(valor, int) and not isinstance(valor, bool) else valor


INTEIRO: Final = BeforeValidator(_whole)
"""Of an `int`: 180.0 is 180."""
COMO_INTEIRO: Final = AfterValidator(_whole)
"""Of a `float`: 2.0 is kept as 2."""


@dataclass(frozen=True, slots=True)
class Exato:
    """Of a `Decimal`: integers too, and at most `casas` places after the comma."""

    casas: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        few = core_schema.no_info_after_validator_function(self._few, handler(source))
        return core_schema.no_info_before_validator_function(_exact, few)

    def _few(self, valor: Decimal) -> Decimal:
        exponent = valor.as_tuple().exponent
        if isinstance(exponent, int) and -exponent > self.casas:
            raise told("casas_demais", f"pode ter até {self.casas} casas depois da vírgula")
        return valor


def marcado(marca: str) -> Discriminator:
    """A union of objects of which the field `marca` says which; the tag of each is its value after `=`."""

    def tag_of(valor: Any) -> str | None:
        dito = valor.get(marca) if isinstance(valor, dict) else getattr(valor, marca, None)
        return f"{TAG}{dito}" if isinstance(dito, str) else None

    return Discriminator(tag_of, custom_error_type="variante", custom_error_message=marca)


Falta: TypeAlias = tuple[PydanticCustomError, Caminho, object]


def refusal(faltas: Sequence[Falta]) -> ValidationError:
    """Several complaints of one value, each at its path within it."""
    return ValidationError.from_exception_data("", [InitErrorDetails(type=falta, loc=loc, input=valor) for falta, loc, valor in faltas])


def told(codigo: str, mensagem: str, *, mostra: bool = False, citavel: bool = False, depois: str = "") -> PydanticCustomError:
    """A complaint in our own words, to follow the field's name; `mostra` or `citavel` add what stands there, `depois` a last sentence."""
    return PydanticCustomError(codigo, "{mensagem}", {"mensagem": mensagem, "mostra": mostra, "citavel": citavel, "depois": depois})


def too_long(maximo: int, texto: str, *, citavel: bool = False) -> PydanticCustomError:
    """The complaint of a text beyond its limit."""
    return told("texto_longo", f"pode ter até {grouped(maximo)} caracteres, e tem {grouped(len(texto))}", citavel=citavel)
