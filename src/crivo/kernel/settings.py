"""Everything that the environment or a `.env` may set; nothing else in crivo reads either."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Self

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from crivo.kernel.clock import Clock, FixedClock, SystemClock
from crivo.kernel.enderecos import Rede, read_host, read_public, read_rede
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.portas import Faixa, read_faixa
from crivo.kernel.sistema import explain
from crivo.kernel.storage.urls import is_postgres
from crivo.kernel.tenancy import LOCAL_TENANT, InvalidTenant, Scope

if TYPE_CHECKING:
    from crivo.kernel.prazos import Calendario

PREFIX: Final = "CRIVO_"
TEST_PREFIX: Final = "CRIVO_TEST_"  # read by the tests alone
ENV_FILE: Final = Path(".env")

ModoAutorizacoes = Literal["codigo", "assistido", "sombra"]
Planejador = Literal["embutido", "modelo", "modelo_raciocinio"]
SegundoFator = Literal["administra", "todos", "ninguem"]
Esforco = Literal["minimo", "baixo", "medio", "alto"]
LogNivel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

SIMULADO: Final = "simulado"  # code in a model's place, for demonstrations; nothing sets it but whoever asks for it by name
_MODELS: Final = ("openai:", "openai-chat:", "azure:", "openai-compatible:")
_COMPATIBLE: Final = "openai-compatible"
_EMBEDDINGS: Final = ("openai:", "http://", "https://", "sentence-transformers:")
_EVERYWHERE: Final[Mapping[str, str]] = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what listens everywhere is reached here
# What would be right, told whenever a value is not.
_RIGHT: Final[Mapping[str, str]] = {
    "database_url": (
        "use um endereço como postgresql://papel:senha@servidor:5432/banco, com mais servidores separados por vírgula onde houver, "
        "ou deixe vazio para o banco embutido"
    ),
    "data_dir": "use o caminho de uma pasta, como .crivo",
    "tenant": "use de 1 a 40 letras minúsculas, algarismos ou hífens, como local",
    "agora": "use uma data com hora, como 2026-03-10T09:00:00-03:00, ou deixe vazio para a hora certa",
    "modelo": (
        "use openai:<modelo>, openai-chat:<modelo>, azure:<implantação>, openai-compatible:<modelo> com CRIVO_MODELO_URL, "
        "ou simulado para demonstrações; vazio não usa modelo"
    ),
    "modelo_url": "use o endereço de um serviço compatível, como http://localhost:11434/v1",
    "modelo_reserva": "use um modelo escrito como em CRIVO_MODELO, ou deixe vazio para não ter reserva",
    "modelo_familia": "use o nome do modelo que está por trás da implantação, como gpt-5",
    "modelo_esforco": "use minimo, baixo, medio ou alto, ou deixe vazio para o modelo pensar do jeito dele",
    "modelo_temperatura": "use um número de 0 a 2, ou deixe vazio para a temperatura de cada agente",
    "modelo_concorrencia": "use um número de 1 a 500",
    "modelo_por_minuto": "use um número inteiro de chamadas por minuto (0 não limita)",
    "modelo_segundos": "use um número de segundos, de 1 a 600",
    "planejador": "use embutido, modelo ou modelo_raciocinio, ou deixe vazio: o modelo planeja quando há um",
    "embeddings": (
        "use local, semantico, openai:<modelo>, o endereço de um serviço compatível seguido de #<modelo>, "
        "ou sentence-transformers:<pasta com o modelo>"
    ),
    "modo_autorizacoes": "use codigo, assistido ou sombra (os dois últimos pedem CRIVO_MODELO); vazio é assistido onde há um modelo",
    "limite_custo": "use um valor em dólares, como 10 ou 2.50, ou deixe vazio para não limitar",
    "trabalhadores": "use um número de 0 a 64 (0 deixa os trabalhos para 'crivo trabalhador')",
    "host": "use o endereço em que o servidor atende, como 127.0.0.1",
    "porta": "use um número de 1 a 65535",
    "clinicas_portas": "use uma primeira porta, como 9001, uma faixa, como 9001-9020, ou uma lista; vazio usa as do cadastro das clínicas",
    "endereco_publico": "use o endereço do site, como https://crivo.exemplo.org, ou deixe vazio para o desta máquina",
    "hosts": "use nomes separados por vírgula, como crivo.interno,10.0.0.5",
    "proxies": "use endereços ou redes separados por vírgula, como 127.0.0.1,10.0.0.0/8",
    "entrega_redes": "use endereços ou redes separados por vírgula, como 10.20.0.0/16, ou deixe vazio para entregar só pela Internet",
    "porta_metricas": "use um número de 0 a 65535 (0 desliga)",
    "limite_corpo_bytes": "use um número inteiro de bytes, a partir de 1",
    "limite_por_minuto": "use um número inteiro de pedidos por minuto (0 não limita)",
    "segundo_fator": "use administra, todos ou ninguem",
    "oidc_emissor": "use o endereço do provedor de identidade, como https://entrada.exemplo.org",
    "oidc_cliente": "use o nome com que o crivo foi registrado no provedor de identidade",
    "oidc_segredo": "use o segredo que o provedor de identidade deu ao crivo",
    "auditoria_ancora": "use o caminho de um arquivo ou um endereço http(s), ou deixe vazio para ancoras.jsonl na pasta de dados",
    "smtp_url": (
        "use o endereço do servidor de e-mail, como smtp+starttls://usuario:senha@servidor:587, ou deixe vazio para gravar as cartas "
        "na pasta de dados"
    ),
    "smtp_de": "use de quem as cartas vêm, como Secretaria de Cultura <edital@cultura.exemplo.gov.br>",
    "tiss_xsd": "use a pasta com os .xsd do Padrão TISS 4.03.00, ou deixe vazio para não conferir as mensagens pelo esquema",
    "uf": "use a sigla de um estado, como CE, ou deixe vazio para contar só os feriados nacionais",
    "dias_sem_expediente": "use datas separadas por vírgula, como 2027-06-14, 06-13 (todo ano), carnaval, cinzas, corpus-christi",
    "prazo_aviso": "use uma parte do prazo entre 0 e 1, como 0.75: quando ela passou, quem cuida do pedido é avisado",
    "chave_mestra": "use 32 bytes em base64, como os de 'openssl rand -base64 32', ou deixe vazio para o arquivo na pasta de dados",
    "backup_chave": "use 32 bytes em base64, como os de 'openssl rand -base64 32', ou deixe vazio para cópias que não são cifradas",
    "retencao_autorizacoes": "use um número de dias, a partir de 1, ou deixe vazio para guardar sem prazo",
    "retencao_clinicas": "use um número de dias, a partir de 1, ou deixe vazio para guardar sem prazo",
    "retencao_triagem": "use um número de dias, a partir de 1, ou deixe vazio para guardar sem prazo",
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
    modelo_url: str = ""
    modelo_reserva: str = ""
    modelo_familia: str = ""
    modelo_esforco: Esforco | None = None
    modelo_temperatura: float | None = Field(default=None, ge=0, le=2)
    modelo_concorrencia: int = Field(default=25, ge=1, le=500)
    modelo_por_minuto: int = Field(default=0, ge=0)
    modelo_segundos: float = Field(default=60, ge=1, le=600)
    modo_autorizacoes: ModoAutorizacoes | None = None
    planejador: Planejador | None = None
    embeddings: str = "local"
    limite_custo: Decimal | None = Field(default=None, ge=0, allow_inf_nan=False)
    trabalhadores: int = Field(default=2, ge=0, le=64)
    host: str = Field(default="127.0.0.1", min_length=1)
    porta: int = Field(default=8000, ge=1, le=65535)
    endereco_publico: str = ""
    hosts: Annotated[tuple[str, ...], NoDecode] = ()
    proxies: Annotated[tuple[Rede, ...], NoDecode] = ()
    entrega_redes: Annotated[tuple[Rede, ...], NoDecode] = ()
    porta_metricas: int = Field(default=9464, ge=0, le=65535)
    clinicas_portas: str = ""
    limite_corpo_bytes: int = Field(default=1_000_000, ge=1)
    limite_por_minuto: int = Field(default=6000, ge=0)
    smtp_url: SecretStr | None = None
    smtp_de: str = ""
    tiss_xsd: Path | None = None
    uf: str = ""
    dias_sem_expediente: str = ""
    prazo_aviso: float = Field(default=0.75, gt=0, lt=1)
    chave_mestra: SecretStr | None = None
    backup_chave: SecretStr | None = None
    retencao_autorizacoes: int | None = Field(default=None, ge=1)
    retencao_clinicas: int | None = Field(default=None, ge=1)
    retencao_triagem: int | None = Field(default=None, ge=1)
    log_nivel: LogNivel = "INFO"
    auditoria_ancora: str = Field(default="", repr=False)  # an address may hold a password
    segundo_fator: SegundoFator = "administra"
    oidc_emissor: str = ""
    oidc_cliente: str = ""
    oidc_segredo: SecretStr | None = None
    # The providers' own names, as their own documentation gives them.
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str = Field(default="https://api.openai.com/v1", validation_alias="OPENAI_BASE_URL")
    azure_openai_endpoint: str = Field(default="", validation_alias="AZURE_OPENAI_ENDPOINT")
    azure_openai_api_key: SecretStr | None = Field(default=None, validation_alias="AZURE_OPENAI_API_KEY")
    azure_openai_api_version: str = Field(default="", validation_alias="OPENAI_API_VERSION")
    # OpenTelemetry's own names, as its documentation gives them.
    otel_endpoint: str = Field(default="", validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT", repr=False)  # may hold a password
    otel_traces_endpoint: str = Field(default="", validation_alias="OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", repr=False)
    otel_service_name: str = Field(default="crivo", validation_alias="OTEL_SERVICE_NAME")
    otel_disabled: str = Field(default="", validation_alias="OTEL_SDK_DISABLED")

    @property
    def tem_modelo(self) -> bool:
        """Whether a real model is configured; the simulated one turns nothing on by itself."""
        return self.modelo not in {"", SIMULADO}

    @property
    def modo(self) -> ModoAutorizacoes:
        """How authorizations are written: as chosen, or else assisted where there is a model."""
        return self.modo_autorizacoes or ("assistido" if self.tem_modelo else "codigo")

    @property
    def planeja(self) -> Planejador:
        """Who plans the turns of a conversation: as chosen, or else the model where there is one."""
        return self.planejador or ("modelo" if self.tem_modelo else "embutido")

    @property
    def rastros_para(self) -> str:
        """Where spans are posted to; empty where they are not exported. Source: OpenTelemetry, OTLP Exporter Configuration."""
        if self.otel_disabled.lower() == "true":
            return ""
        return self.otel_traces_endpoint or (f"{self.otel_endpoint.rstrip('/')}/v1/traces" if self.otel_endpoint else "")

    @property
    def endereco(self) -> str:
        """Where people reach the pages, without a slash at its end: every link of ours begins with it."""
        if self.endereco_publico:
            return self.endereco_publico
        return self.endereco_local

    @property
    def endereco_local(self) -> str:
        """Where this machine itself reaches the pages."""
        host = _EVERYWHERE.get(self.host, self.host)
        return f"http://[{host}]:{self.porta}" if ":" in host else f"http://{host}:{self.porta}"

    @property
    def portas_das_clinicas(self) -> Faixa | None:
        """Where the clinics of this machine listen; None for the ports of their registry."""
        return read_faixa(self.clinicas_portas) if self.clinicas_portas else None

    def chose(self, name: str) -> bool:
        """Whether somebody gave a setting a value, that of its default included."""
        return name in self.model_fields_set

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
            raise ValueError("não é código de organização") from None

    @field_validator("chave_mestra", "backup_chave")
    @classmethod
    def _a_key(cls, value: SecretStr | None) -> SecretStr | None:
        from crivo.kernel.sigilo.mestra import read_key  # here, as hardly any command is given one

        if value is not None:
            read_key(value.get_secret_value())
        return value

    @property
    def calendario(self) -> Calendario:
        """Which days count in deadlines of business days."""
        from crivo.kernel.prazos import read_folgas

        return replace(read_folgas(self.dias_sem_expediente), uf=self.uf)

    @field_validator("uf")
    @classmethod
    def _a_state(cls, value: str) -> str:
        from crivo.kernel.prazos import ufs  # here, as no command but those that count days is in need of them

        if value and value.upper() not in ufs():
            raise ValueError("não é a sigla de um estado")
        return value.upper()

    @field_validator("dias_sem_expediente")
    @classmethod
    def _some_days(cls, value: str) -> str:
        from crivo.kernel.prazos import read_folgas

        try:
            if value:
                read_folgas(value)
        except ValueError:
            raise ValueError("tem um dia que não se lê") from None
        return value

    @field_validator("smtp_url")
    @classmethod
    def _a_server(cls, value: SecretStr | None) -> SecretStr | None:
        from crivo.kernel.cartas.smtp import read_servidor  # here, as hardly any command is given one

        if value is not None:
            read_servidor(value.get_secret_value())
        return value

    @field_validator("smtp_de")
    @classmethod
    def _a_sender(cls, value: str) -> str:
        from crivo.kernel.cartas.carta import EnderecoInvalido
        from crivo.kernel.cartas.mensagem import read_remetente

        try:
            return value and str(read_remetente(value))
        except (EnderecoInvalido, ValueError):
            raise ValueError("não é um endereço de e-mail") from None

    @field_validator("agora", mode="before")
    @classmethod
    def _an_instant(cls, value: object) -> object:
        if isinstance(value, str):  # a bare number would pass for seconds since 1970
            try:
                return datetime.fromisoformat(value)
            except ValueError:
                raise ValueError("não é data com hora") from None
        return value

    @field_validator("clinicas_portas")
    @classmethod
    def _some_ports(cls, value: str) -> str:
        if value:
            read_faixa(value)
        return value

    @field_validator("endereco_publico")
    @classmethod
    def _a_public_address(cls, value: str) -> str:
        return read_public(value) if value else value

    @field_validator("hosts", mode="before")
    @classmethod
    def _some_hosts(cls, value: object) -> object:
        return tuple([_host(one) for one in value.split(",") if one.strip()]) if isinstance(value, str) else value

    @field_validator("proxies", "entrega_redes", mode="before")
    @classmethod
    def _some_networks(cls, value: object) -> object:
        try:
            return tuple([read_rede(one) for one in value.split(",") if one.strip()]) if isinstance(value, str) else value
        except ValueError:
            raise ValueError("não é uma lista de endereços") from None

    @field_validator("modelo", "modelo_reserva")
    @classmethod
    def _a_model(cls, value: str) -> str:
        if value and value not in {_COMPATIBLE, SIMULADO} and not _names_one(value, _MODELS):
            raise ValueError("não diz de quem é o modelo")
        return value

    @field_validator("embeddings")
    @classmethod
    def _an_embedder(cls, value: str) -> str:
        if value not in {"local", "semantico"} and not _names_one(value, _EMBEDDINGS):
            raise ValueError("não diz com que os textos são comparados")
        return value

    @model_validator(mode="after")
    def _what_can_work_together(self) -> Self:
        lacking = next(_lacking(self), None)
        if lacking is not None:
            raise PydanticCustomError("conjunto", "{mensagem}", {"mensagem": lacking[1], "nome": lacking[0]})
        return self


def load_settings(env_file: Path | None = ENV_FILE, **chosen: Any) -> Settings:
    """The settings of this process: what the command line chose, over the environment, over the `.env`.

    Raises WrongSetting, with a problem for each wrong value and each unknown `CRIVO_` name.
    """
    _require_readable(env_file)
    problems = [_unknown(name) for name in _given_names(env_file) if name not in names()]
    try:
        settings = Settings(_env_file=env_file, _env_file_encoding="utf-8", **chosen)
    except ValidationError as error:
        problems += [_wrong(dict(fault)) for fault in error.errors()]
    else:
        if not problems:
            return settings
    raise WrongSetting(" ".join(problem.mensagem for problem in problems), problems)


def of_the_machine(*given: str) -> dict[str, str]:
    """What the environment says under the names of others, such as LANG or TMPDIR, for whoever examines the machine."""
    return {name: os.environ[name] for name in given if os.environ.get(name)}


def names() -> tuple[str, ...]:
    """Every variable that crivo knows, by its full name."""
    return tuple(PREFIX + name.upper() for name, field in Settings.model_fields.items() if field.validation_alias is None)


def _require_readable(env_file: Path | None) -> None:
    """Raises WrongSetting where there is a file of settings that this account may not open: to go on without it would be another
    installation.
    """
    if env_file is None:
        return
    try:
        env_file.open("rb").close()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return
    except OSError as error:
        place = env_file.absolute()
        raise WrongSetting(
            f"O arquivo de configurações {place} {explain(error)}. Rode o comando com a conta de quem roda o crivo, ou de outra pasta.",
            [Problem(f"{place} {explain(error)}", codigo="configuracao_ilegivel")],
        ) from None


def _given_names(env_file: Path | None) -> list[str]:
    given = [*os.environ, *(dotenv_values(env_file, encoding="utf-8") if env_file else ())]
    return sorted({name.upper() for name in given if name.upper().startswith(PREFIX) and not name.upper().startswith(TEST_PREFIX)})


def _unknown(name: str) -> Problem:
    near = difflib.get_close_matches(name, names(), n=1, cutoff=0.7)
    meant = f"quis dizer {near[0]}?" if near else "as que existem estão em .env.example."
    return Problem(f"{name} não é uma configuração do crivo; {meant}", caminho=name, codigo="configuracao_desconhecida")


def _host(text: str) -> str:
    host = read_host(text.strip())
    if host is None:
        raise ValueError("não é uma lista de nomes")
    return host


def _names_one(value: str, prefixes: tuple[str, ...]) -> bool:
    return any(value.startswith(prefix) and value != prefix for prefix in prefixes)


def _lacking(settings: Settings) -> Iterator[tuple[str, str]]:
    """What a choice needs and does not have: the name of the setting at fault, and what to do (pt-BR)."""
    if settings.modo_autorizacoes in {"assistido", "sombra"} and not settings.modelo:
        said = f"{PREFIX}MODO_AUTORIZACOES={settings.modo_autorizacoes} precisa de um modelo: preencha {PREFIX}MODELO ou use codigo."
        yield PREFIX + "MODO_AUTORIZACOES", said
    if settings.planejador in {"modelo", "modelo_raciocinio"} and not settings.modelo:
        said = f"{PREFIX}PLANEJADOR={settings.planejador} precisa de um modelo: preencha {PREFIX}MODELO ou use embutido."
        yield PREFIX + "PLANEJADOR", said
    if settings.smtp_url is not None and not settings.smtp_de:
        yield PREFIX + "SMTP_DE", f"{PREFIX}SMTP_URL precisa de quem as cartas vêm: preencha {PREFIX}SMTP_DE."
    if settings.oidc_emissor and not (settings.oidc_cliente and settings.oidc_segredo):
        said = f"{PREFIX}OIDC_EMISSOR precisa de {PREFIX}OIDC_CLIENTE e {PREFIX}OIDC_SEGREDO: preencha os três, ou nenhum."
        yield PREFIX + "OIDC_EMISSOR", said
    for name, value in ((PREFIX + "MODELO", settings.modelo), (PREFIX + "MODELO_RESERVA", settings.modelo_reserva)):
        if value.startswith(_COMPATIBLE) and not settings.modelo_url:
            yield PREFIX + "MODELO_URL", f"{name}={value} precisa de um endereço: preencha {PREFIX}MODELO_URL."
        if value.startswith("azure:") and not settings.azure_openai_endpoint:
            yield "AZURE_OPENAI_ENDPOINT", f"{name}={value} precisa do endereço do recurso: preencha AZURE_OPENAI_ENDPOINT."
    if settings.modelo_reserva and not settings.modelo:
        said = f"{PREFIX}MODELO_RESERVA={settings.modelo_reserva} responde no lugar de outro: preencha também {PREFIX}MODELO."
        yield PREFIX + "MODELO_RESERVA", said
    if settings.modelo_reserva == SIMULADO:
        said = f"{PREFIX}MODELO_RESERVA=simulado não pode ser: código não responde por um modelo sem que ninguém saiba. Deixe vazio."
        yield PREFIX + "MODELO_RESERVA", said


def _wrong(fault: Mapping[str, Any]) -> Problem:
    context = fault.get("ctx", {})
    if fault["type"] == "conjunto":
        return Problem(str(context["mensagem"]), caminho=str(context["nome"]), codigo="configuracao_invalida")
    kind, said = fault["type"], str(context.get("error", ""))
    field = str(fault["loc"][0]).lower()
    told = said if kind == "value_error" else _FAULTS.get(kind, "não é um valor aceito")
    return Problem(f"{PREFIX}{field.upper()} {told}: {_RIGHT[field]}.", caminho=PREFIX + field.upper(), codigo="configuracao_invalida")


_FAULTS: Final[Mapping[str, str]] = {
    "int_parsing": "não é um número inteiro",
    "decimal_parsing": "não é um valor",
    "greater_than_equal": "é menor que o mínimo",
    "less_than_equal": "é maior que o máximo",
    "literal_error": "não é uma das opções",
}
