"""Everything that the environment or a `.env` may set; nothing else in crivo reads either."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, Self

from dotenv import dotenv_values
from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from crivo.kernel.clock import Clock, FixedClock, SystemClock
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.storage.urls import is_postgres
from crivo.kernel.tenancy import LOCAL_TENANT, InvalidTenant, Scope

PREFIX: Final = "CRIVO_"
TEST_PREFIX: Final = "CRIVO_TEST_"  # read by the tests alone
ENV_FILE: Final = Path(".env")

ModoAutorizacoes = Literal["codigo", "assistido", "sombra"]
LogNivel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

_MODELS: Final = ("openai:", "azure:")
_COMPATIBLE: Final = "openai-compatible"
# What would be right, told whenever a value is not.
_RIGHT: Final[Mapping[str, str]] = {
    "database_url": "use um endereço como postgresql://papel:senha@servidor:5432/banco, ou deixe vazio para o banco embutido",
    "data_dir": "use o caminho de uma pasta, como .crivo",
    "tenant": "use de 1 a 40 letras minúsculas, algarismos ou hífens, como local",
    "agora": "use uma data com hora, como 2026-03-10T09:00:00-03:00, ou deixe vazio para a hora certa",
    "modelo": "use openai:<modelo>, azure:<implantação> ou openai-compatible, ou deixe vazio para não usar modelo",
    "embeddings": "use local ou sentence-transformers:<pasta com o modelo>",
    "modo_autorizacoes": "use codigo, assistido ou sombra (os dois últimos pedem CRIVO_MODELO)",
    "limite_custo": "use um valor em dólares, como 10 ou 2.50, ou deixe vazio para não limitar",
    "trabalhadores": "use um número de 0 a 64 (0 deixa os trabalhos para 'crivo trabalhador')",
    "host": "use o endereço em que o servidor atende, como 127.0.0.1",
    "porta": "use um número de 1 a 65535",
    "porta_metricas": "use um número de 0 a 65535 (0 desliga)",
    "limite_corpo_bytes": "use um número inteiro de bytes, a partir de 1",
    "limite_por_minuto": "use um número inteiro de pedidos por minuto (0 não limita)",
    "log_nivel": "use DEBUG, INFO, WARNING ou ERROR",
}


class WrongSetting(CrivoError):
    """The environment or the `.env` says something that crivo cannot run with; every fault is told at once."""

    codigo: ClassVar[str] = "configuracao_invalida"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Configuração inválida"


class Settings(BaseSettings):
    """The settings, each under its `CRIVO_` name; an empty value is the default. Source: interfaces, Settings."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="ignore", hide_input_in_errors=True)

    database_url: str = Field(default="", repr=False)  # may hold a password
    data_dir: Path = Path(".crivo")
    tenant: str = LOCAL_TENANT
    agora: datetime | None = None
    modelo: str = ""
    modo_autorizacoes: ModoAutorizacoes = "codigo"
    embeddings: str = "local"
    limite_custo: Decimal | None = Field(default=None, ge=0, allow_inf_nan=False)
    trabalhadores: int = Field(default=2, ge=0, le=64)
    host: str = Field(default="127.0.0.1", min_length=1)
    porta: int = Field(default=8000, ge=1, le=65535)
    porta_metricas: int = Field(default=9464, ge=0, le=65535)
    limite_corpo_bytes: int = Field(default=1_000_000, ge=1)
    limite_por_minuto: int = Field(default=6000, ge=0)
    log_nivel: LogNivel = "INFO"

    @property
    def clock(self) -> Clock:
        """The machine's clock, or the one that `CRIVO_AGORA` stops."""
        return FixedClock(self.agora) if self.agora is not None else SystemClock()

    @field_validator("database_url")
    @classmethod
    def _a_postgres(cls, value: str) -> str:
        if value and not is_postgres(value):
            raise ValueError("não é o endereço de um PostgreSQL")
        return value

    @field_validator("tenant")
    @classmethod
    def _a_tenant(cls, value: str) -> str:
        try:
            return Scope(value, "").tenant_id
        except InvalidTenant:
            raise ValueError("não é nome de inquilino") from None

    @field_validator("agora", mode="before")
    @classmethod
    def _an_instant(cls, value: object) -> object:
        if isinstance(value, str):  # a bare number would pass for seconds since 1970
            try:
                return datetime.fromisoformat(value)
            except ValueError:
                raise ValueError("não é data com hora") from None
        return value

    @field_validator("modelo")
    @classmethod
    def _a_model(cls, value: str) -> str:
        named = any(value.startswith(prefix) and value != prefix for prefix in _MODELS)
        if value and not named and value != _COMPATIBLE:
            raise ValueError("não diz de quem é o modelo")
        return value

    @model_validator(mode="after")
    def _a_mode_that_can_work(self) -> Self:
        if self.modo_autorizacoes != "codigo" and not self.modelo:
            raise ValueError(self.modo_autorizacoes)
        return self


def load_settings(env_file: Path | None = ENV_FILE, **chosen: Any) -> Settings:
    """The settings of this process: what the command line chose, over the environment, over the `.env`.

    Raises WrongSetting, with a problem for each wrong value and each unknown `CRIVO_` name.
    """
    problems = [_unknown(name) for name in _given_names(env_file) if name not in names()]
    try:
        settings = Settings(_env_file=env_file, _env_file_encoding="utf-8", **chosen)
    except ValidationError as error:
        problems += [_wrong(fault["loc"], fault["type"], str(fault.get("ctx", {}).get("error", ""))) for fault in error.errors()]
    else:
        if not problems:
            return settings
    raise WrongSetting(" ".join(problem.mensagem for problem in problems), problems)


def names() -> tuple[str, ...]:
    """Every variable that crivo knows, by its full name."""
    return tuple(PREFIX + field.upper() for field in Settings.model_fields)


def _given_names(env_file: Path | None) -> list[str]:
    given = [*os.environ, *(dotenv_values(env_file, encoding="utf-8") if env_file else ())]
    return sorted({name.upper() for name in given if name.upper().startswith(PREFIX) and not name.upper().startswith(TEST_PREFIX)})


def _unknown(name: str) -> Problem:
    near = difflib.get_close_matches(name, names(), n=1, cutoff=0.7)
    meant = f"quis dizer {near[0]}?" if near else "as que existem estão em .env.example."
    return Problem(f"{name} não é uma configuração do crivo; {meant}", caminho=name, codigo="configuracao_desconhecida")


def _wrong(where: tuple[int | str, ...], kind: str, said: str) -> Problem:
    if not where:  # the one check across fields
        mensagem = f"{PREFIX}MODO_AUTORIZACOES={said} precisa de um modelo: preencha {PREFIX}MODELO ou use codigo."
        return Problem(mensagem, caminho=PREFIX + "MODO_AUTORIZACOES", codigo="configuracao_invalida")
    field = str(where[0])
    fault = said if kind == "value_error" else _FAULTS.get(kind, "não é um valor aceito")
    return Problem(f"{PREFIX}{field.upper()} {fault}: {_RIGHT[field]}.", caminho=PREFIX + field.upper(), codigo="configuracao_invalida")


_FAULTS: Final[Mapping[str, str]] = {
    "int_parsing": "não é um número inteiro",
    "decimal_parsing": "não é um valor",
    "greater_than_equal": "é menor que o mínimo",
    "less_than_equal": "é maior que o máximo",
    "literal_error": "não é uma das opções",
}
