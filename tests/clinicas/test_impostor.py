"""Whoever listens where a clinic should hears nothing: neither a token nor what a patient said."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from cenario import clinic_on, free_port
from crivo.clinicas.caminho import Local, door_of, way_to
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.keys import ensure_keys
from crivo.clinicas.clinica.probe import answers
from crivo.clinicas.clinica.serving import opened
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller, http_transport
from crivo.clinicas.orquestrador.contracts import Step
from crivo.clinicas.registro import CadastroComDefeito, Clinica, Registro, read_registro
from crivo.clinicas.service import Clinicas
from federacao import ANA, Federation, http

OFFERED = Step(1, "clinic_c", "book_appointment", {"doctor": "x", "date": "2025-07-18", "time": "10:00"})
PONG = msgspec.json.encode({"jsonrpc": "2.0", "id": "ping", "result": {}})


@dataclass
class Listener:
    """A program on a port, and every byte that it was sent."""

    port: int = 0
    heard: bytearray = field(default_factory=bytearray)
    connections: int = 0


@asynccontextmanager
async def listening(tls: ssl.SSLContext | None = None, path: str | None = None) -> AsyncIterator[Listener]:
    listener = Listener()

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.connections += 1
        with closing(writer):
            while chunk := await reader.read(65536):
                listener.heard += chunk
                if chunk.endswith(b"}"):  # the end of what is asked
                    writer.write(http(PONG))
                    return

    if path is not None:
        server = await asyncio.start_unix_server(hear, path)
    else:
        server = await asyncio.start_server(hear, "127.0.0.1", 0, ssl=tls)
        listener.port = server.sockets[0].getsockname()[1]
    async with server:
        yield listener


@pytest.fixture
def clinicas(tmp_path: Path) -> Clinicas:
    """A clinic that has run here, and is down."""
    own = Clinicas(tmp_path, cadastro=Registro((clinic_on(free_port()),)))
    folder = own.folder("clinic_c")
    folder.create()
    ensure_keys(folder, lambda size: b"\7" * size)
    return own


def at(clinicas: Clinicas, clinica: Clinica) -> Clinicas:
    return Clinicas(clinicas.data_dir, cadastro=Registro((clinica,)))


async def booked(clinicas: Clinicas) -> Answer:
    async with http_transport(clinicas.registro, clinicas.way, clinicas.token, lambda: "1") as transport:
        return await transport.call(OFFERED, "book_appointment", Caller(paciente=ANA), 5.0)


async def pinged(clinicas: Clinicas) -> bool:
    clinica = clinicas.registro.clinics[0]
    return await asyncio.to_thread(answers, clinica, clinicas.folder(clinica.id), clinicas.way(clinica))


async def test_an_impostor_on_the_port_of_a_clinic_that_is_down_hears_nothing_at_all(clinicas: Clinicas) -> None:
    """Source: design/sujeito.md, table, 4."""
    async with listening() as impostor:
        down = at(clinicas, clinic_on(impostor.port))
        answer = await booked(down)
        assert not await pinged(down)
        assert [order.clinica.id for order in await down.away()] == ["clinic_c"]
    assert not answer.reached
    assert not answer.may_have_run
    assert (impostor.connections, bytes(impostor.heard)) == (0, b"")


async def test_a_clinic_that_comes_back_at_its_door_is_spoken_to_again(clinicas: Clinicas) -> None:
    door = door_of(clinicas.registro.clinics[0], clinicas.folder("clinic_c").path)
    assert not await pinged(clinicas)
    with door.address() as address:
        async with listening(path=address) as clinic:
            assert await pinged(clinicas)
            assert (await booked(clinicas)).may_have_run
    assert b"Authorization: Bearer ey" in clinic.heard


@pytest.mark.parametrize("mode", [0o701, 0o770, 0o777])
async def test_a_door_in_a_folder_that_others_may_enter_is_not_knocked_at(clinicas: Clinicas, mode: int) -> None:
    folder = clinicas.folder("clinic_c").path
    with door_of(clinicas.registro.clinics[0], folder).address() as address:
        async with listening(path=address) as impostor:
            folder.chmod(mode)
            assert not (await booked(clinicas)).may_have_run
            assert not await pinged(clinicas)
    assert impostor.connections == 0


def test_a_door_is_for_its_owner_alone_takes_the_place_of_what_a_kill_left_and_goes_with_the_clinic(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)  # longer than a socket's name may be
    folder.mkdir(mode=0o700)
    door = Local(folder, "8003.sock")
    (folder / door.name).write_text("left over")
    with opened(door):
        assert (folder / door.name).is_socket()
        assert (folder / door.name).stat().st_mode & 0o777 == 0o600
    assert not (folder / door.name).exists()


def certificate(folder: Path) -> tuple[ssl.SSLContext, str]:
    """What a server on this machine may show, signed by itself, and its fingerprint."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")]), datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    signed = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    held = signed.public_bytes(pem) + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    (folder / "servidor.pem").write_bytes(held)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "servidor.pem")
    return context, signed.fingerprint(hashes.SHA256()).hex()


@pytest.mark.parametrize(
    ("shown", "spoken_to"), [("own", True), ("own, with colons", True), ("another", False), ("none, and no authority signed it", False)]
)
async def test_a_clinic_of_another_machine_shows_its_certificate_first(
    clinicas: Clinicas, tmp_path: Path, shown: str, spoken_to: bool
) -> None:
    """Source: design/sujeito.md, table, 4."""
    context, own = certificate(tmp_path)
    impressao = {"own": own, "own, with colons": ":".join(own[at : at + 2] for at in range(0, 64, 2)).upper()}.get(shown)
    impressao = hashlib.sha256(b"another").hexdigest() if shown == "another" else impressao or ""
    async with listening(context) as listener:
        url = f"https://127.0.0.1:{listener.port}/mcp"
        there = at(clinicas, msgspec.structs.replace(clinic_on(listener.port), url=url, impressao=impressao))
        assert await pinged(there) is spoken_to
        assert (b"Bearer " in listener.heard) is spoken_to
        listener.heard.clear()
        assert (await booked(there)).may_have_run is spoken_to
    assert (b"529.982.247-25" in listener.heard) is spoken_to
    assert spoken_to or not listener.heard
    assert await there.away() == (), "a clinic of another machine is not started on this one"


@pytest.mark.parametrize(
    ("url", "impressao", "told"),
    [
        ("http://clinica.example/mcp", "", "em clinics[0].url (clinic_c): fora desta máquina o endereço começa com https"),
        ("http://10.0.0.5:8003/mcp", "", "em clinics[0].url"),
        ("https://clinica.example/mcp", "ab", "em clinics[0].impressao (clinic_c)"),
        ("http://127.0.0.1:8003/mcp", "ab" * 32, "em clinics[0].impressao"),
        ("http://[::1", "", ""),
        ("https://clinica.example/mcp", "ab" * 32, ""),
    ],
)
def test_an_address_at_which_nothing_could_be_proven_is_refused_with_its_field(url: str, impressao: str, told: str) -> None:
    registro = Registro((msgspec.structs.replace(clinic_on(8003), url=url, impressao=impressao),))
    if not told:
        assert read_registro(msgspec.json.encode(registro)) == registro
        return
    with pytest.raises(CadastroComDefeito, match="clinics") as refused:
        read_registro(msgspec.json.encode(registro))
    assert told in str(refused.value)


async def test_a_key_exchanged_in_the_middle_of_a_conversation_is_not_noticed(federation: Federation) -> None:
    async with federation.speaking() as session:
        await session.say("quero marcar uma consulta com cardiologista")
        (exchanged,) = federation.clinicas.exchange_keys("clinic_c", at_once=True)
        assert exchanged[0] == "clinic_c"
        assert "Pronto" in (await session.say("pode ser com o Dr. Fernando dia 18 as 10h")).texto
    assert list(federation.held()) == ["clinic_c"]


def test_the_way_to_a_clinic_is_told_by_its_address(tmp_path: Path) -> None:
    own = ClinicFolder(tmp_path)
    assert way_to(clinic_on(8003), own.path) == Local(tmp_path, "8003.sock")
