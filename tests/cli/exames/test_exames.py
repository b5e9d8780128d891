"""What `crivo doutor` makes of what it finds: every look in every state, and an act for each that is not well."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from crivo.cli.exames import banco, catalogo, clinicas, maquina, modelo, pasta, rede
from crivo.cli.exames.catalogo import OLHARES, Olhar, examine
from crivo.cli.exames.exame import Exame
from crivo.cli.main import app
from crivo.kernel.copia.pasta import Chegada, Marca
from crivo.kernel.portas import Dono
from crivo.kernel.settings import Settings, names
from crivo.kernel.storage import cluster
from crivo.kernel.storage.embedded import EmbeddedStatus
from crivo.kernel.storage.migrating import HEAD
from crivo.kernel.storage.sondagem import Fila, Parada, Sondagem

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
ROOMY = pasta.Pasta(Path("/dados"), Path("/dados"), gravavel=True, livres=10**10)
SOUND = Sondagem(180004, "18.4", NOW, 5, 97, HEAD, dict.fromkeys(("politicas", "autorizacoes", "chaves_api", "auditoria"), 0), NOW)
UP = clinicas.Clinica("clinic_a", "Clínica A", conhecida=True, responde=True, pid=7, porta=8011, cadastrada=8001)
CONTA = maquina.Conta(1000, "ana", "/home/ana", casa_gravavel=True)
PORTA = rede.Porta(8000, livre=True, escolhida=False)
RELOGIOS = banco.Relogios(NOW, NOW)
STATUS = EmbeddedStatus(Path("/dados"), created=True, running=True, pid=7, handles=1)


def _settings(**given: Any) -> Settings:
    return Settings(_env_file=None, **given)


def _cases() -> list[tuple[str, str, Sequence[Exame]]]:
    """What comes of what is found: the code, the state, and what was told."""
    return [
        ("pasta_de_dados", "bem", tuple(pasta.judge(ROOMY))),
        ("pasta_de_dados", "bem", tuple(pasta.judge(replace(ROOMY, usada=Path("/"))))),
        ("pasta_de_dados", "mal", tuple(pasta.judge(replace(ROOMY, gravavel=False)))),
        ("pasta_de_dados", "mal", tuple(pasta.judge(replace(ROOMY, gravavel=False, so_leitura=True)))),
        ("pasta_de_dados", "mal", tuple(pasta.judge(replace(ROOMY, livres=1)))),
        ("pasta_de_dados", "mal", tuple(pasta.judge(replace(ROOMY, usada=Path("/proc"), livres=0, capacidade=0)))),
        ("acesso_a_pasta", "opcional", tuple(pasta.judge(replace(ROOMY, aberta=True)))),
        ("dono_da_pasta", "opcional", tuple(pasta.judge(replace(ROOMY, dono=4_000_000)))),
        ("banco_embutido", "bem", tuple(banco.judge_embedded(STATUS))),
        ("banco_embutido", "bem", tuple(banco.judge_embedded(replace(STATUS, running=False)))),
        ("banco_embutido", "opcional", tuple(banco.judge_embedded(replace(STATUS, handles=0)))),
        ("banco", "bem", tuple(banco.judge(SOUND))),
        ("banco", "mal", tuple(banco.judge(replace(SOUND, numero=140011)))),
        ("banco", "opcional", tuple(banco.judge(replace(SOUND, numero=190000)))),
        ("esquema", "bem", tuple(banco.judge(SOUND))),
        ("esquema", "opcional", tuple(banco.judge(replace(SOUND, migracao=None)))),
        ("esquema", "opcional", tuple(banco.judge(replace(SOUND, migracao="0001")))),
        ("esquema", "mal", tuple(banco.judge(replace(SOUND, migracao="9999")))),
        ("conexoes", "bem", (banco.judge_connections(5, 97),)),
        ("conexoes", "opcional", (banco.judge_connections(80, 97),)),
        ("conexoes", "mal", (banco.judge_connections(96, 97),)),
        ("espaco_do_banco", "bem", (banco.judge_room(10**10),)),
        ("espaco_do_banco", "mal", (banco.judge_room(1),)),
        ("copia", "opcional", (banco.judge_copy(_settings(), None),)),
        ("copia", "bem", (banco.judge_copy(_settings(agora=NOW), NOW - timedelta(days=2)),)),
        ("copia", "opcional", (banco.judge_copy(_settings(agora=NOW), NOW - timedelta(days=9)),)),
        ("copia", "mal", (banco.judge_copy(_settings(agora=NOW, database_url="postgresql:///x"), NOW - timedelta(days=9)),)),
        ("guardado", "bem", (banco.judge_tenant("local", SOUND),)),
        ("guardado", "mal", (banco.judge_tenant("local", replace(SOUND, conhece=False)),)),
        ("relogio", "bem", tuple(banco.judge_clocks(RELOGIOS, NOW))),
        ("relogio", "mal", tuple(banco.judge_clocks(RELOGIOS, NOW + timedelta(hours=1)))),
        ("relogio", "mal", tuple(banco.judge_clocks(banco.Relogios(NOW, datetime(1970, 1, 1, tzinfo=UTC)), None))),
        ("relogio_do_banco", "bem", tuple(banco.judge_clocks(replace(RELOGIOS, adiante_s=3), None))),
        ("relogio_do_banco", "mal", tuple(banco.judge_clocks(replace(RELOGIOS, adiante_s=-3600), None))),
        ("trabalhadores", "bem", tuple(banco.judge_queue(Fila(1, 0, 0, 0), 2))),
        ("trabalhadores", "opcional", tuple(banco.judge_queue(Fila(0, 0, 0, 0), 0))),
        ("trabalhadores", "opcional", tuple(banco.judge_queue(Fila(0, 3, 0, 10), 2))),
        ("trabalhadores", "mal", tuple(banco.judge_queue(Fila(0, 3, 0, 4000), 2))),
        ("fila", "bem", tuple(banco.judge_queue(Fila(1, 1, 2, 0), 2))),
        ("fila", "opcional", tuple(banco.judge_queue(Fila(1, 1, 0, 8000), 2))),
        ("entregas", "bem", (banco.judge_deliveries(()),)),
        ("entregas", "opcional", (banco.judge_deliveries([Parada("A", desligado=False, esperam=3)]),)),
        ("entregas", "mal", (banco.judge_deliveries([Parada("A", desligado=True, esperam=0), Parada("B", desligado=False, esperam=3)]),)),
        ("cadastro_das_clinicas", "bem", (clinicas.judge_registry(None, 6),)),
        ("clinicas", "opcional", tuple(clinicas.judge([replace(UP, responde=False, pid=0, porta=0)]))),
        ("clinica", "bem", tuple(clinicas.judge([UP]))),
        ("clinica", "opcional", (clinicas.judge_one(replace(UP, responde=False, pid=0, porta=0)),)),
        ("clinica", "mal", (clinicas.judge_one(replace(UP, responde=False)),)),
        ("clinica", "mal", (clinicas.judge_one(replace(UP, provada=False)),)),
        ("clinica", "mal", (clinicas.judge_one(replace(UP, fora=True, responde=False)),)),
        ("clinica", "mal", (clinicas.judge_one(replace(UP, fora=True, responde=False, conhecida=False)),)),
        ("clinica", "bem", (clinicas.judge_one(replace(UP, fora=True)),)),
        ("endereco", "bem", (rede.judge_exposure(_settings()),)),
        ("endereco", "opcional", (rede.judge_exposure(_settings(host="0.0.0.0")),)),  # noqa: S104 - what is told of
        ("porta_das_paginas", "bem", (_port(PORTA),)),
        ("porta_das_paginas", "bem", (_port(replace(PORTA, numero=0)),)),
        ("porta_das_paginas", "bem", (_port(replace(PORTA, livre=False, nossa=True, dono=Dono(7, "crivo"))),)),
        ("porta_das_paginas", "opcional", (_port(replace(PORTA, livre=False)),)),
        ("porta_das_paginas", "mal", (_port(replace(PORTA, livre=False, escolhida=True, dono=Dono(7, "nginx"))),)),
        ("porta_das_paginas", "mal", (_port(replace(PORTA, livre=None)),)),
        ("cartas", "opcional", (rede.letters(_settings()),)),
        ("cartas", "bem", (rede.letters(_settings(smtp_url="smtp://carteiro:25", smtp_de="Edital <edital@exemplo.org>")),)),
        ("modelo", "bem", (modelo.judge_model("Modelo", "modelo", "openai:gpt-5", "responde", "preço conhecido"),)),
        ("modelo", "mal", (modelo.judge_model("Modelo", "modelo", "azure:x", "sem_chave", ""),)),
        ("modelo", "mal", (modelo.judge_model("Modelo", "modelo", "openai:gpt-5", "fora_do_ar", ""),)),
        ("modelo", "opcional", modelo.look(_settings())),
        ("comparacao_de_textos", "opcional", (modelo.judge_texts("local", ""),)),
        ("comparacao_de_textos", "bem", (modelo.judge_texts("semantico", ""),)),
        ("comparacao_de_textos", "mal", (modelo.judge_texts("semantico", "Falta o pacote."),)),
        ("ancoras", "bem", (modelo.judge_anchors(Path("/dados/ancoras.jsonl"), 10.0),)),
        ("ancoras", "opcional", (modelo.judge_anchors(Path("/dados/ancoras.jsonl"), 10 * 86_400.0),)),
        ("ancoras", "opcional", (modelo.judge_anchors(Path("/dados/ancoras.jsonl"), None),)),
        ("digitalizacoes", "bem", (maquina.judge_scans(None, "/usr/bin/tesseract", "", None),)),
        ("digitalizacoes", "opcional", (maquina.judge_scans("programa", None, "rode: apt-get", "apt-get"),)),
        ("digitalizacoes", "opcional", (maquina.judge_scans("portugues", None, "instale o tesseract", None),)),
        ("chromium", "bem", (maquina.judge_optional("chromium", "Chromium", "testes", "/usr/bin/chromium"),)),
        ("chromium", "opcional", (maquina.judge_optional("chromium", "Chromium", "testes", None),)),
        ("texto", "bem", (maquina.judge_text("utf-8", {}),)),
        ("texto", "opcional", (maquina.judge_text("ascii", {"LC_ALL": "POSIX"}),)),
        ("fuso_horario", "bem", (maquina.judge_zone(found=True),)),
        ("fuso_horario", "mal", (maquina.judge_zone(found=False),)),
        ("conta", "bem", (maquina.judge_account(CONTA, embutido=True),)),
        ("conta", "bem", (maquina.judge_account(replace(CONTA, nome=""), embutido=False),)),
        ("conta", "mal", (maquina.judge_account(replace(CONTA, nome=""), embutido=True),)),
        ("conta", "opcional", (maquina.judge_account(replace(CONTA, uid=0), embutido=True),)),
        ("casa", "bem", tuple(maquina.judge_home(CONTA))),
        ("casa", "opcional", tuple(maquina.judge_home(replace(CONTA, casa="", casa_gravavel=False)))),
        ("temporaria", "bem", (maquina.judge_temporary("/tmp", "", 10**10),)),  # noqa: S108 - a name, and no file
        ("temporaria", "opcional", (maquina.judge_temporary("/tmp", "/nada", 10**10),)),  # noqa: S108
        ("temporaria", "mal", (maquina.judge_temporary("/tmp", "", 1),)),  # noqa: S108
        ("temporaria", "mal", (maquina.judge_temporary(None, "", 0),)),
        ("memoria", "bem", (maquina.judge_memory(10**10),)),
        ("memoria", "opcional", (maquina.judge_memory(None),)),
        ("memoria", "opcional", (maquina.judge_memory(400_000_000),)),
        ("memoria", "mal", (maquina.judge_memory(10**8),)),
        ("descritores", "bem", (maquina.judge_files(1_048_576),)),
        ("descritores", "opcional", (maquina.judge_files(512),)),
        ("descritores", "mal", (maquina.judge_files(64),)),
        ("relogio_anda", "bem", (maquina.judge_jump(0.001),)),
        ("relogio_anda", "mal", (maquina.judge_jump(-3600),)),
        ("pacotes", "bem", (maquina.judge_python((3, 11), {"mcp": "2.3"}),)),
        ("pacotes", "mal", (maquina.judge_python((3, 11), {"mcp": None}),)),
    ]


def _port(porta: rede.Porta) -> Exame:
    return rede.judge_port("porta_das_paginas", "Porta das páginas", "CRIVO_PORTA", porta)


CASES = _cases()


@pytest.mark.parametrize(("codigo", "estado", "told"), CASES)
def test_each_look_comes_out_in_each_of_its_states(codigo: str, estado: str, told: Sequence[Exame]) -> None:
    """Design, operacao: `crivo doutor` looks at everything and says the command that mends each."""
    assert [exame.estado for exame in told if exame.codigo == codigo] == [estado]


def test_what_is_not_well_has_an_act_and_each_command_and_setting_in_it_exists() -> None:
    root = typer.main.get_command(app)
    told = [exame for *_, exames in CASES for exame in exames]
    assert all(exame.ato for exame in told if exame.estado == "mal"), [exame for exame in told if exame.estado == "mal" and not exame.ato]
    assert not any(exame.ato for exame in told if exame.estado == "bem")
    for exame in told:
        for words in re.findall(r"(?<![\w/])crivo ((?:[a-z-]+ ?)+)", exame.ato):
            command: object = root
            for word in words.split():
                if not isinstance(command, typer.core.TyperGroup):
                    break
                assert word in command.commands, exame.ato
                command = command.commands[word]
            assert not isinstance(command, typer.core.TyperGroup), exame.ato
        for setting in re.findall(r"CRIVO_\w+", f"{exame.ato} {exame.detalhe}"):
            assert setting in names(), exame


def test_a_file_system_that_keeps_nothing_is_told_as_that_and_not_as_full() -> None:
    told = pasta.look(_settings(data_dir=Path("/proc/x")))[0]
    assert told.estado == "mal"
    assert "0,0 GB" not in told.detalhe
    assert "nada se guarda" in told.detalhe or "não se pode gravar" in told.detalhe


def test_a_master_key_that_is_gone_has_an_act_that_puts_it_back(tmp_path: Path) -> None:
    told = banco.judge_key(_settings(data_dir=tmp_path), b"x" * 32)
    assert (told.estado, told.ato) == ("mal", f"install -m 600 CHAVE-GUARDADA {tmp_path / 'chave-mestra'}")


def test_of_a_folder_that_a_copy_did_not_come_back_to_whole_only_that_is_told(tmp_path: Path) -> None:
    Chegada(tmp_path).folder.mkdir()
    Chegada(tmp_path).mark(Marca("c-1", ()))
    (told,) = banco.look(_settings(data_dir=tmp_path))
    assert (told.codigo, told.estado, told.ato) == ("restauracao", "mal", "crivo banco restaurar ARQ")
    assert "migrar" not in told.detalhe


def test_the_page_of_troubles_has_a_row_for_everything_that_is_looked_at() -> None:
    page = (Path(__file__).parents[3] / "docs/problemas.md").read_text(encoding="utf-8")
    assert {codigo for codigo, *_ in CASES} - set(re.findall(r"`([a-z_]+)`", page)) == set()


def test_a_look_that_hangs_or_breaks_is_told_in_its_place_and_keeps_nobody_waiting() -> None:
    def sleeps(_: Settings) -> Sequence[Exame]:
        threading.Event().wait(30)
        return ()

    def breaks(_: Settings) -> Sequence[Exame]:
        raise ValueError("12345678909")

    olhares = (
        Olhar("dorme", "Dorme", sleeps, 0.1),
        Olhar("quebra", "Quebra", breaks),
        Olhar("anda", "Anda", lambda _: (Exame("anda", "Anda", "bem", "sim"),)),
    )
    began = time.monotonic()
    dorme, quebra, anda = examine(_settings(), olhares)
    assert time.monotonic() - began < 10
    assert (dorme.codigo, dorme.estado, quebra.codigo, quebra.estado, anda.estado) == ("dorme", "mal", "quebra", "mal", "bem")
    assert "não respondeu" in dorme.detalhe
    assert "ValueError" in quebra.detalhe
    assert "12345678909" not in quebra.detalhe  # a fault may quote anything


def test_doutor_makes_nothing_where_there_is_nothing(terminal: Terminal, tmp_path: Path) -> None:
    del terminal.environment["CRIVO_DATABASE_URL"]
    terminal.environment["CRIVO_TENANT"] = "local"
    told = json.loads(terminal.run("doutor", "--json").stdout)
    assert told["ok"]
    assert {set_of_keys for exame in told["exames"] for set_of_keys in exame} == {"codigo", "nome", "estado", "detalhe", "ato"}
    assert next(exame for exame in told["exames"] if exame["codigo"] == "banco")["ato"] == "crivo banco migrar"
    assert not (tmp_path / "dados").exists()


def test_without_the_embedded_server_an_address_that_was_not_filled_in_is_what_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where it was taken out of an installation that serves: nothing is well on a database that would be made anew."""
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    (told,) = banco.look(_settings())
    assert (told.codigo, told.estado, told.ato) == ("banco_embutido", "mal", "CRIVO_DATABASE_URL")
    assert "CRIVO_DATABASE_URL" in told.detalhe


def test_another_master_key_than_the_database_s_is_told(terminal: Terminal) -> None:
    assert terminal.run("banco", "migrar").exit_code == 0
    terminal.environment["CRIVO_CHAVE_MESTRA"] = "7sWn0aWb0H2u2hZBqYk1vQd3Jk4uVt5m8yLxP6rC9wE="
    told = json.loads(terminal.run("doutor", "--json").stdout)
    key = next(exame for exame in told["exames"] if exame["codigo"] == "chave_mestra")
    assert (told["ok"], key["estado"]) == (False, "mal")


def test_a_tenant_that_is_not_there_is_told_with_the_command_that_makes_it(terminal: Terminal) -> None:
    terminal.environment["CRIVO_TENANT"] = "ninguem"
    told = json.loads(terminal.run("doutor", "--json").stdout)
    kept = next(exame for exame in told["exames"] if exame["codigo"] == "guardado")
    assert (kept["estado"], kept["ato"]) == ("mal", "crivo organizacoes criar ninguem --nome NOME")


def test_the_catalogue_names_each_look_once() -> None:
    assert len({olhar.codigo for olhar in OLHARES}) == len(OLHARES)
    assert catalogo.OLHARES is OLHARES


def test_each_destination_that_does_not_receive_is_named_and_none_hides_another() -> None:
    told = banco.judge_deliveries([Parada("Central", desligado=True, esperam=14), Parada("Clínica", desligado=False, esperam=1)])
    assert told.estado == "mal"
    assert "“Central” foi desligado, e 14 avisos esperam; “Clínica” não está recebendo, e 1 aviso espera" in told.detalhe
