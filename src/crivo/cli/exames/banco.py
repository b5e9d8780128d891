"""The database: whether it is reached, its version, schema, room, connections, key and clock, and the jobs that wait in it."""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from crivo.autorizacoes.palavras import count, listing
from crivo.cli.exames.exame import LITTLE_SPACE, Exame, gigabytes
from crivo.cli.saida import moment
from crivo.kernel.clock import SystemClock
from crivo.kernel.copia.pasta import half_restored
from crivo.kernel.errors import CrivoError
from crivo.kernel.instalacao import command_for
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.relogio import FIRST_DAY
from crivo.kernel.settings import Settings
from crivo.kernel.sigilo.mestra import FILE as MESTRA
from crivo.kernel.storage.cluster import RUNTIME_ROLE, require_installed
from crivo.kernel.storage.embedded import EmbeddedPostgres, EmbeddedStatus, embedded_status
from crivo.kernel.storage.migrating import HEAD
from crivo.kernel.storage.sondagem import Fila, Parada, Sondagem, ask

_NAME: Final = "Banco de dados"
_COPY_DAYS: Final = 7  # beyond which a copy is too old
_EMBEDDED: Final = "PostgreSQL embutido"
_OLDEST: Final = 15  # the major versions of PostgreSQL that this program is tried with
_NEWEST: Final = 18
_ALMOST_ALL: Final = 0.95
_MANY: Final = 0.75
_HOURS_FROM: Final = 120  # minutes
_SKEW_SECONDS: Final = 60.0  # by which clocks may differ before a token or a session is over too soon
_LATE_SECONDS: Final = 900.0
_LEFT_SECONDS: Final = 300.0
_STORED: Final = {
    "politicas": ("política", "políticas"),
    "autorizacoes": ("decisão", "decisões"),
    "chaves_api": ("chave de API", "chaves de API"),
    "auditoria": ("registro de auditoria", "registros de auditoria"),
}


@dataclass(frozen=True, slots=True)
class Relogios:
    """The clock that the program goes by, the machine's, and how many seconds the database's is ahead of that."""

    programa: datetime
    maquina: datetime
    adiante_s: float = 0.0


def look(settings: Settings) -> Sequence[Exame]:
    """The database as it stands; an embedded one that was made and is stopped runs for as long as it is looked at."""
    if (unfinished := half_restored(settings.data_dir)) is not None:  # what stands in the database by now tells nothing
        return (Exame("restauracao", "Restauração", "mal", unfinished, "crivo banco restaurar ARQ"),)
    if settings.database_url:
        return tuple(_asked(settings, settings.database_url))
    try:
        require_installed()
    except CrivoError as error:
        return (Exame("banco_embutido", _EMBEDDED, "mal", error.mensagem, "CRIVO_DATABASE_URL"),)
    try:
        status = embedded_status(settings.data_dir)
    except CrivoError as error:
        return (Exame("banco_embutido", _EMBEDDED, "mal", error.mensagem, "crivo banco migrar"),)
    told = list(judge_embedded(status))
    if not (settings.data_dir.expanduser() / "postgres" / "PG_VERSION").exists():
        return (*told, Exame("banco", _NAME, "opcional", "ainda não foi criado; é criado ao primeiro uso", "crivo banco migrar"))
    server = EmbeddedPostgres(settings.data_dir)
    try:
        server.start()
    except CrivoError as error:
        return (*told, Exame("banco", _NAME, "mal", error.mensagem, "crivo banco migrar"))
    try:
        return (*told, *_room(settings), *_asked(settings, server.admin_url))
    finally:
        server.release()


def judge_embedded(status: EmbeddedStatus) -> Iterator[Exame]:
    """Whether the embedded server runs, and for whom."""
    told = "banco_embutido", _EMBEDDED
    if not status.running:
        yield Exame(*told, "bem", "parado; começa com o primeiro comando que precisar dele e para com o último")
    elif status.handles:
        users = count(status.handles, "processo o usa", "processos o usam")
        yield Exame(*told, "bem", f"em execução, processo {status.pid}; {users}")
    else:
        why = f"em execução, processo {status.pid}, e ninguém o usa: quem o começou foi morto. O próximo comando o usa, e o encerra"
        yield Exame(*told, "opcional", why, "crivo auditoria listar")


def judge(found: Sondagem) -> Iterator[Exame]:
    """The server, its schema and its connections."""
    told = "banco", _NAME
    major = found.numero // 10_000
    if major < _OLDEST:
        why = f"PostgreSQL {found.servidor}: o crivo precisa do {_OLDEST} ou mais novo; atualize o servidor, ou indique outro"
        yield Exame(*told, "mal", why, "CRIVO_DATABASE_URL")
    elif major > _NEWEST:
        why = f"PostgreSQL {found.servidor}: mais novo do que o {_NEWEST}, o último com que o crivo foi experimentado"
        yield Exame(*told, "opcional", why, "CRIVO_DATABASE_URL")
    else:
        version = f", versão {found.migracao} do esquema" if found.migracao else ""
        yield Exame(*told, "bem", f"PostgreSQL {found.servidor}, papel {RUNTIME_ROLE}{version}")
    yield judge_schema(found.migracao)
    yield judge_connections(found.conexoes, found.maximo)


def judge_schema(migracao: str | None) -> Exame:
    """The schema of the database, beside the one of this program."""
    told = "esquema", "Esquema do banco"
    if migracao is None:
        return Exame(*told, "opcional", f"vazio; o primeiro comando o prepara, na versão {HEAD}", "crivo banco migrar")
    if migracao < HEAD:
        why = f"está na versão {migracao}, e este programa usa a {HEAD}; o primeiro comando o traz até ela"
        return Exame(*told, "opcional", why, "crivo banco migrar")
    if migracao > HEAD:
        why = f"está na versão {migracao}, de um crivo mais novo; este conhece até a {HEAD}. Instale o pacote daquela versão"
        return Exame(*told, "mal", why, command_for("crivo"))
    return Exame(*told, "bem", f"versão {migracao}, a deste programa")


def judge_connections(used: int, most: int) -> Exame:
    """How many connections are left."""
    told = "conexoes", "Conexões do banco"
    said = f"{used} de {most} em uso"
    mend = "; aumente max_connections no PostgreSQL, ou rode menos servidores e trabalhadores"
    if used >= _ALMOST_ALL * most:
        return Exame(*told, "mal", said + mend, "CRIVO_TRABALHADORES")
    if used >= _MANY * most:
        return Exame(*told, "opcional", said + mend, "CRIVO_TRABALHADORES")
    return Exame(*told, "bem", said)


def judge_tenant(tenant: str, found: Sondagem) -> Exame:
    """What the organisation has here."""
    told = "guardado", "Guardado nesta organização"
    if not found.conhece:
        why = f"a organização '{tenant}' não existe neste banco; confira CRIVO_TENANT, ou crie-a"
        return Exame(*told, "mal", why, f"crivo organizacoes criar {tenant} --nome NOME")
    return Exame(*told, "bem", listing([count(found.linhas[table], one, many) for table, (one, many) in _STORED.items()]))


def judge_clocks(clocks: Relogios, ultimo: datetime | None) -> Iterator[Exame]:
    """The clock beside the audit's newest entry, the calendar and the database's own."""
    told = "relogio", "Relógio"
    if ultimo is not None and clocks.programa < ultimo:
        why = f"marca {moment(clocks.programa)}, antes do último registro da auditoria, de {moment(ultimo)}; acerte-o, ou CRIVO_AGORA"
        yield Exame(*told, "mal", why, "timedatectl set-ntp true")
    elif clocks.maquina < FIRST_DAY:
        yield Exame(*told, "mal", f"marca {moment(clocks.maquina)}; acerte-o antes de usar o crivo", "timedatectl set-ntp true")
    else:
        yield Exame(*told, "bem", f"marca {moment(clocks.programa)}")
    told = "relogio_do_banco", "Relógio do banco"
    if abs(clocks.adiante_s) > _SKEW_SECONDS:
        where = "adiantado" if clocks.adiante_s > 0 else "atrasado"
        by = f"{where} {abs(clocks.adiante_s):.0f} segundos em relação ao desta máquina"
        why = f"{by}: sessões e prazos vencem na hora errada; acerte os dois"
        yield Exame(*told, "mal", why, "timedatectl set-ntp true")
    else:
        yield Exame(*told, "bem", "concorda com o desta máquina")


def judge_queue(fila: Fila, trabalhadores: int) -> Iterator[Exame]:
    """Who works, and what waits. `trabalhadores` is how many jobs a server does by itself."""
    told = "trabalhadores", "Trabalhadores"
    waiting = count(fila.esperam, "trabalho espera", "trabalhos esperam")
    if fila.trabalhadores:
        yield Exame(*told, "bem", f"{fila.trabalhadores} no ar")
    elif fila.esperam and fila.espera_s >= _LEFT_SECONDS:
        yield Exame(*told, "mal", f"nenhum no ar, e {waiting} há {_ago(fila.espera_s)}", "crivo trabalhador")
    else:
        own = "o servidor traz os seus" if trabalhadores else "com CRIVO_TRABALHADORES=0 o servidor não traz nenhum"
        yield Exame(*told, "opcional", f"nenhum no ar agora; {own}", "crivo trabalhador")
    told = "fila", "Fila de trabalhos"
    failed = f"; {count(fila.falharam, 'falhou', 'falharam')}" if fila.falharam else ""
    if fila.trabalhadores and fila.espera_s >= _LATE_SECONDS:
        why = f"{waiting}, o mais velho há {_ago(fila.espera_s)}{failed}: rode mais trabalhadores"
        yield Exame(*told, "opcional", why, "crivo trabalhador --processos 2")
    else:
        yield Exame(*told, "bem", (waiting if fila.esperam else "nada espera") + failed)


def judge_deliveries(paradas: Sequence[Parada]) -> Exame:
    """Whether decisions reach those who asked to be told of them; each that does not is named."""
    told, mend = ("entregas", "Avisos de decisões"), "crivo entregas listar"
    if not paradas:
        return Exame(*told, "bem", "nenhum está preso")
    why = "; ".join([_stopped(one) for one in paradas])
    if any(one.desligado for one in paradas):
        return Exame(*told, "mal", f"{why}: veja o motivo em /admin/entregas e retome", mend)
    return Exame(*told, "opcional", f"{why}; há novas tentativas", mend)


def _stopped(parada: Parada) -> str:
    waiting = count(parada.esperam, "aviso espera", "avisos esperam")
    return f"“{mask_cpfs(parada.nome)}” {'foi desligado' if parada.desligado else 'não está recebendo'}, e {waiting}"


def judge_key(settings: Settings, impressao: bytes | None) -> Exame:
    """Whether the master key at hand is the one that what is stored was sealed with."""
    from crivo.kernel.sigilo.mestra import fingerprint, master_key, same

    told = "chave_mestra", "Chave mestra"
    if impressao is None:
        return Exame(*told, "bem", "nada foi selado ainda")
    try:
        key = master_key(settings, may_create=False)
    except CrivoError as error:
        return Exame(*told, "mal", error.mensagem, _return_the_key(settings))
    if not same(impressao, fingerprint(key)):
        why = "não é a deste banco: o que está guardado não abre. Use a que estava em CRIVO_CHAVE_MESTRA, ou devolva o arquivo chave-mestra"
        return Exame(*told, "mal", why, _return_the_key(settings))
    where = "CRIVO_CHAVE_MESTRA" if settings.chave_mestra is not None else "o arquivo chave-mestra da pasta de dados"
    return Exame(*told, "bem", f"é a deste banco ({where})")


def _return_the_key(settings: Settings) -> str:
    """What puts the right master key in the place of what is there."""
    if settings.chave_mestra is not None:
        return "CRIVO_CHAVE_MESTRA"
    path = shlex.quote(str(settings.data_dir.expanduser().absolute() / MESTRA))
    return f"install -m 600 CHAVE-GUARDADA {path}"


def judge_copy(settings: Settings, em: datetime | None, por: str = "") -> Exame:
    """How old the newest copy is. One of more than a week is a fault where a database of its own tells of more than a trial."""
    told, mend = ("copia", "Cópia de segurança"), "crivo banco backup ARQ"
    if em is None:
        return Exame(*told, "opcional", "nenhuma foi feita", mend)
    days = (settings.clock.now() - em).days
    ago = "hoje" if days < 1 else f"há {count(days, 'dia', 'dias')}"
    said = f"a última {ago}, em {moment(em)}{f', por {por}' if por else ''}"
    if days > _COPY_DAYS:
        return Exame(*told, "mal" if settings.database_url else "opcional", said, mend)
    return Exame(*told, "bem", said)


def judge_room(livres: int) -> Exame:
    """Room where the embedded database lies."""
    told = "espaco_do_banco", "Espaço do banco"
    if livres < LITTLE_SPACE:
        return Exame(*told, "mal", f"só {gigabytes(livres)} livres onde o banco está; libere espaço", "df -h")
    return Exame(*told, "bem", f"{gigabytes(livres)} livres")


def _room(settings: Settings) -> Iterator[Exame]:
    yield judge_room(shutil.disk_usage((settings.data_dir.expanduser() / "postgres").resolve()).free)


def _asked(settings: Settings, url: str) -> Iterator[Exame]:
    began = time.monotonic()
    try:
        found = ask(url, settings.tenant)
    except CrivoError as error:
        yield Exame("banco", _NAME, "mal", error.mensagem, "CRIVO_DATABASE_URL" if settings.database_url else "crivo banco migrar")
        return
    took = timedelta(seconds=time.monotonic() - began)
    yield from judge(found)
    now = SystemClock().now()
    ahead = (found.agora - (now - took)).total_seconds()
    ahead = 0.0 if 0 <= ahead <= took.total_seconds() else ahead
    if found.linhas or found.fila is not None:
        yield judge_tenant(settings.tenant, found)
        yield judge_key(settings, found.impressao)
        yield judge_copy(settings, found.copiado_em, found.copiado_por)
    yield from judge_clocks(Relogios(settings.clock.now(), now, ahead), found.ultimo_registro)
    if found.fila is not None:
        yield from judge_queue(found.fila, settings.trabalhadores)
    if found.entregas is not None:
        yield judge_deliveries(found.entregas)


def _ago(seconds: float) -> str:
    minutes = round(seconds / 60)
    return count(minutes, "minuto", "minutos") if minutes < _HOURS_FROM else count(round(minutes / 60), "hora", "horas")
