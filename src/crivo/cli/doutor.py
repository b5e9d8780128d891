"""`crivo doutor`: what is configured, what is reachable, and what to do about what is not."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import typer

from crivo.autorizacoes.palavras import count, listing
from crivo.cli.ambiente import Ambiente, AsJson, Tenant, scope_of
from crivo.cli.exposicao import exposure_of
from crivo.cli.saida import FAILED, emit_value, moment, say
from crivo.kernel.errors import CrivoError
from crivo.kernel.sigilo.guarda import exposed, is_exposed, is_open

if TYPE_CHECKING:
    from crivo.kernel.copia.servico import Ultima
    from crivo.kernel.llm.sonda import Sonda
    from crivo.kernel.settings import Settings
    from crivo.kernel.storage.inspection import Inspection

Estado = Literal["bem", "opcional", "mal"]

_MARKS: Final[dict[Estado, str]] = {"bem": "✓", "opcional": "–", "mal": "✗"}
_LITTLE_SPACE: Final = 200_000_000  # bytes: below this, a full disk is near
_STORED: Final = {
    "politicas": ("política", "políticas"),
    "autorizacoes": ("decisão", "decisões"),
    "chaves_api": ("chave de API", "chaves de API"),
    "auditoria": ("registro de auditoria", "registros de auditoria"),
}
_KEYS: Final = ("chave-mestra", "ancoras.chave", "clinicas/registro.chave", "clinicas/*/chave-mestra", "clinicas/*/chaves.json")
_MODEL: Final = "Modelo de linguagem"
_COPY: Final = "Cópia de segurança"
_COPY_DAYS: Final = 7  # beyond which one is too old
_SCANS: Final = "Leitura de digitalizações"
_REACHED: Final[Mapping[Sonda, str]] = {
    "responde": "responde",
    "responde_sem_lista": "responde, sem dizer que modelos tem",
}
_NOT_REACHED: Final[Mapping[Sonda, str]] = {
    "sem_chave": "falta a chave; preencha {chave}",
    "chave_recusada": "o serviço não aceita a chave; confira {chave}",
    "modelo_desconhecido": "o serviço não tem um modelo com esse nome; confira o nome",
    "fora_do_ar": "o serviço não respondeu; confira o endereço e a rede. Enquanto isso, o código faz a parte dele",
}
_OPTIONAL: Final = (
    (("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"), "Chromium", "testes das páginas"),
    (("node",), "Node", "conferência de protocolos"),
)


@dataclass(frozen=True, slots=True)
class Exame:
    """One thing that was looked at: `mal` is broken and needed, `opcional` is absent and can be done without."""

    nome: str
    estado: Estado
    detalhe: str


def doutor(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Examina a instalação: o que está configurado, o que responde e o que falta.

    Termina com código 1 quando algo necessário não funciona.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    exames = _examine(ambiente)
    healthy = all(exame.estado != "mal" for exame in exames)
    if ambiente.json:
        emit_value({"ok": healthy, "exames": exames})
    else:
        for exame in exames:
            say(f"{_MARKS[exame.estado]} {exame.nome}: {exame.detalhe}")
        say("Tudo o que é necessário funciona." if healthy else "Algo necessário não funciona; veja as linhas com ✗.")
    if not healthy:
        raise typer.Exit(FAILED)


def _examine(ambiente: Ambiente) -> Sequence[Exame]:
    try:
        settings = ambiente.settings()
    except CrivoError as error:
        return [*(Exame("Configuração", "mal", problem.mensagem) for problem in error.problemas)]
    return [
        Exame("Configuração", "bem", f"organização {settings.tenant}, modo {settings.modo}"),
        *_folder(settings.data_dir),
        *_keys(settings.data_dir.expanduser().absolute()),
        *_network(settings),
        *_database(settings),
        *_models(settings),
        _texts(settings),
        _letters(settings),
        _scans(),
        *_optional(),
    ]


def _models(settings: Settings) -> Iterator[Exame]:
    if not settings.modelo:
        yield Exame(_MODEL, "opcional", "nenhum configurado; o código escreve todos os textos")
        return
    yield _model(settings, _MODEL, settings.modelo, settings.modelo_familia)
    if settings.modelo_reserva:
        yield _model(settings, "Modelo de reserva", settings.modelo_reserva, "")


def _model(settings: Settings, nome: str, modelo: str, familia: str) -> Exame:
    # Here, for the sake of every command that asks no model.
    from crivo.kernel.llm.precos import estimate_cost
    from crivo.kernel.llm.sonda import probe

    found = asyncio.run(probe(settings, modelo))
    if found not in _REACHED:
        return Exame(nome, "mal", f"{modelo}: {_NOT_REACHED[found].format(chave=_key_of(modelo))}")
    if not settings.tem_modelo:
        return Exame(nome, "bem", f"{modelo}: código no lugar do modelo, só para demonstrações")
    if estimate_cost(modelo, 1, 1, familia=familia) is not None:
        price = "preço conhecido"
    elif settings.limite_custo is None:
        price = "preço desconhecido"
    else:
        price = "preço desconhecido: CRIVO_LIMITE_CUSTO não conta o que ele gasta"
    return Exame(nome, "bem", f"{modelo} {_REACHED[found]}; {price}")


def _texts(settings: Settings) -> Exame:
    """What the texts of projects are compared by, and what that cannot see."""
    from crivo.triagem.embeddings.escolha import LOCAL
    from crivo.triagem.embeddings.semantico import NAO_VE, SEMANTICO, semantico_lacking

    nome, lacking = "Comparação de textos", semantico_lacking()
    if settings.embeddings == LOCAL:
        mend = lacking.removesuffix(", ou use CRIVO_EMBEDDINGS=local.") if lacking else "Para ver o sentido, use CRIVO_EMBEDDINGS=semantico"
        return Exame(nome, "opcional", f"por letras (local), que {NAO_VE}. {mend}")
    if settings.embeddings == SEMANTICO:
        return Exame(nome, "mal", lacking) if lacking else Exame(nome, "bem", "pelo sentido (semantico), nesta máquina")
    return Exame(nome, "bem", settings.embeddings.partition("#")[2] or settings.embeddings)


def _letters(settings: Settings) -> Exame:
    """By which way letters go out; no server is asked, as to be asked is to be greeted by strangers."""
    if settings.smtp_url is None:
        return Exame(
            "Cartas", "opcional", "sem servidor de e-mail: cada uma é gravada na pasta de dados, em cartas/. Preencha CRIVO_SMTP_URL"
        )
    from crivo.kernel.cartas.smtp import read_servidor

    found = read_servidor(settings.smtp_url.get_secret_value())
    return Exame("Cartas", "bem", f"por {found.host}:{found.porta}, em nome de {settings.smtp_de}")


def _key_of(modelo: str) -> str:
    return "AZURE_OPENAI_API_KEY" if modelo.startswith("azure:") else "OPENAI_API_KEY"


def _folder(data_dir: Path) -> Iterator[Exame]:
    shown = data_dir.expanduser().absolute()
    existing = next(folder for folder in (shown, *shown.parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        yield Exame("Pasta de dados", "mal", f"não se pode gravar em {existing}; indique outra pasta em CRIVO_DATA_DIR")
        return
    free = shutil.disk_usage(existing).free
    amount = f"{free / 1e9:.1f}".replace(".", ",")
    if free < _LITTLE_SPACE:
        yield Exame("Pasta de dados", "mal", f"{shown} tem só {amount} GB livres; libere espaço")
        return
    note = "" if existing == shown else ", será criada ao primeiro uso"
    yield Exame("Pasta de dados", "bem", f"{shown}{note}, {amount} GB livres")
    if existing == shown and is_open(shown):
        told = f"outras contas desta máquina podem abri-la; se não for de propósito, rode: chmod 700 {shlex.quote(str(shown))}"
        yield Exame("Acesso à pasta de dados", "opcional", told)


def _keys(data_dir: Path) -> Iterator[Exame]:
    """The keys that lie in the data folder and in those of its clinics, where others may read them."""
    kept = sorted(path for pattern in _KEYS for path in data_dir.glob(pattern))
    for path in filter(is_exposed, kept):
        yield Exame("Chaves", "mal", exposed(path))


def _network(settings: Settings) -> Iterator[Exame]:
    exposed = exposure_of(settings)
    if exposed is not None:
        yield Exame("Endereço", "opcional", exposed)


def _database(settings: Settings) -> Iterator[Exame]:
    if not settings.database_url:
        yield _embedded(settings.data_dir)
    try:
        found, copia = asyncio.run(_inspect(settings))
    except CrivoError as error:
        yield Exame("Banco de dados", "mal", error.mensagem)
        return
    yield Exame("Banco de dados", "bem", f"PostgreSQL {found.servidor}, papel {found.papel}, versão {found.migracao} do esquema")
    linhas = found.linhas
    counted = [count(linhas[table], one, many) for table, (one, many) in _STORED.items()]
    yield Exame("Guardado nesta organização", "bem", listing(counted))
    yield _copy(settings, copia)
    now = settings.clock.now()
    if found.ultimo_registro is not None and now < found.ultimo_registro:
        told = f"marca {moment(now)}, antes do último registro da auditoria, de {moment(found.ultimo_registro)}; acerte-o, ou CRIVO_AGORA"
        yield Exame("Relógio", "mal", told)


def _embedded(data_dir: Path) -> Exame:
    from crivo.kernel.storage.embedded import embedded_status

    try:
        status = embedded_status(data_dir)
    except CrivoError as error:
        return Exame("PostgreSQL embutido", "mal", error.mensagem)
    if status.running:
        users = count(status.handles, "processo o usa", "processos o usam")
        return Exame("PostgreSQL embutido", "bem", f"em execução, processo {status.pid}; {users}")
    return Exame("PostgreSQL embutido", "bem", "parado; começa com o primeiro comando que precisar dele e para com o último")


def _copy(settings: Settings, found: Ultima | None) -> Exame:
    """How old the newest copy is. One of more than a week is a fault where a database of its own tells of more than a trial."""
    mend = "crivo banco backup ARQ"
    if found is None:
        return Exame(_COPY, "opcional", f"nenhuma foi feita; rode: {mend}")
    days = (settings.clock.now() - found.feita_em).days
    ago = "hoje" if days < 1 else f"há {count(days, 'dia', 'dias')}"
    told = f"a última {ago}, em {moment(found.feita_em)}, por {found.feita_por}"
    if days > _COPY_DAYS:
        return Exame(_COPY, "mal" if settings.database_url else "opcional", f"{told}; rode: {mend}")
    return Exame(_COPY, "bem", told)


async def _inspect(settings: Settings) -> tuple[Inspection, Ultima | None]:
    from crivo.bootstrap import open_container
    from crivo.kernel.copia.servico import last_copy
    from crivo.kernel.storage.inspection import inspect

    async with open_container(settings) as container, container.database.unit_of_work(scope_of(settings)) as uow:
        return await inspect(uow), await last_copy(uow)


def _optional() -> Iterator[Exame]:
    for programs, nome, use in _OPTIONAL:
        found = next((path for path in map(shutil.which, programs) if path), None)
        yield Exame(nome, "bem", found) if found else Exame(nome, "opcional", f"não encontrado; só serve para {use}")


def _scans() -> Exame:
    """Whether papers that are images are read: without that, each of them is left to people."""
    from crivo.triagem.documentos.instalacao import how_to_install, install_command
    from crivo.triagem.documentos.tesseract import missing

    match missing():
        case None:
            return Exame(_SCANS, "bem", f"tesseract com português, em {shutil.which('tesseract')}")
        case "programa":
            lacking = "não há tesseract"
        case "portugues":
            lacking = "o tesseract não tem o português"
    mend = how_to_install(install_command())
    return Exame(_SCANS, "opcional", f"{lacking}: fotos e digitalizações ficam por conferir à mão. Para lê-las, {mend}")
