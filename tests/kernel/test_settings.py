"""Settings come from the environment and `.env`; what is wrong in them is told by name, all at once."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crivo.kernel.clock import FixedClock, SystemClock
from crivo.kernel.errors import Kind
from crivo.kernel.settings import Settings, WrongSetting, load_settings, names

_EXAMPLE = Path(__file__).parents[2] / ".env.example"


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.upper().startswith("CRIVO_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_with_nothing_set_the_defaults_hold() -> None:
    settings = load_settings()
    assert (settings.database_url, settings.data_dir, settings.tenant, settings.modo_autorizacoes) == (
        "",
        Path(".crivo"),
        "local",
        "codigo",
    )
    assert (settings.host, settings.porta, settings.porta_metricas) == ("127.0.0.1", 8000, 9464)
    assert (settings.limite_corpo_bytes, settings.limite_por_minuto, settings.log_nivel) == (1_000_000, 6000, "INFO")
    assert isinstance(settings.clock, SystemClock)


def test_the_environment_counts_over_the_file_and_the_command_line_over_both(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("CRIVO_PORTA=1001\nCRIVO_HOST=0.0.0.0\nCRIVO_TENANT=arquivo\n")
    monkeypatch.setenv("CRIVO_PORTA", "1002")
    monkeypatch.setenv("CRIVO_TENANT", "ambiente")
    settings = load_settings(tenant="comando")
    assert (settings.host, settings.porta, settings.tenant) == ("0.0.0.0", 1002, "comando")  # noqa: S104 - a value to read, nothing listens


def test_an_empty_value_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in names():
        monkeypatch.setenv(name, "")
    assert load_settings() == Settings()


def test_a_fixed_clock_without_a_zone_is_brasilias(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIVO_AGORA", "2026-03-10T09:00:00")
    clock = load_settings().clock
    assert isinstance(clock, FixedClock)
    assert clock.now() == datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("DATABASE_URL", "mysql://u:segredo@h/b", "postgresql://"),
        ("TENANT", "Não Pode", "letras minúsculas"),
        ("AGORA", "ontem", "2026-03-10T09:00:00-03:00"),
        ("AGORA", "1700000000", "2026-03-10T09:00:00-03:00"),
        ("MODELO", "gpt-5", "openai:<modelo>"),
        ("MODELO", "openai:", "openai:<modelo>"),
        ("MODO_AUTORIZACOES", "livre", "codigo, assistido ou sombra"),
        ("PORTA", "oitenta", "de 1 a 65535"),
        ("PORTA", "0", "de 1 a 65535"),
        ("PORTA_METRICAS", "70000", "0 desliga"),
        ("LIMITE_CORPO_BYTES", "-1", "a partir de 1"),
        ("LIMITE_POR_MINUTO", "-1", "0 não limita"),
        ("LOG_NIVEL", "alto", "DEBUG, INFO"),
    ],
)
def test_a_wrong_value_is_told_with_its_name_and_what_would_be_right(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, right: str
) -> None:
    monkeypatch.setenv(f"CRIVO_{name}", value)
    with pytest.raises(WrongSetting) as wrong:
        load_settings()
    (problem,) = wrong.value.problemas
    assert problem.caminho == f"CRIVO_{name}"
    assert problem.mensagem.startswith(f"CRIVO_{name} ")
    assert right in problem.mensagem
    assert "segredo" not in wrong.value.mensagem
    assert wrong.value.kind is Kind.MISUSE


@pytest.mark.parametrize("modo", ["assistido", "sombra"])
def test_a_mode_that_needs_a_model_says_so(monkeypatch: pytest.MonkeyPatch, modo: str) -> None:
    monkeypatch.setenv("CRIVO_MODO_AUTORIZACOES", modo)
    with pytest.raises(WrongSetting, match=f"CRIVO_MODO_AUTORIZACOES={modo} precisa de um modelo"):
        load_settings()
    monkeypatch.setenv("CRIVO_MODELO", "openai:gpt-5")
    assert load_settings().modo_autorizacoes == modo


def test_an_unknown_name_is_a_fault_with_the_nearest_known_one() -> None:
    Path(".env").write_text("CRIVO_PORTTA=80\nOUTRA_COISA=1\nCRIVO_TEST_DATABASE_URL=x\n")
    with pytest.raises(WrongSetting, match=r"CRIVO_PORTTA não é uma configuração do crivo; quis dizer CRIVO_PORTA\?"):
        load_settings()


def test_all_faults_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIVO_PORTA", "x")
    monkeypatch.setenv("CRIVO_LOG_NIVEL", "x")
    monkeypatch.setenv("CRIVO_ZZZZ", "x")
    with pytest.raises(WrongSetting) as wrong:
        load_settings()
    assert {problem.caminho for problem in wrong.value.problemas} == {"CRIVO_PORTA", "CRIVO_LOG_NIVEL", "CRIVO_ZZZZ"}


def test_the_password_of_the_database_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIVO_DATABASE_URL", "postgresql://u:segredo@h/b")
    assert "segredo" not in repr(load_settings())


def test_the_example_lists_every_setting_and_no_other() -> None:
    listed = [line.split("=", 1)[0] for line in _EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    assert sorted(listed) == sorted(names())


def test_the_example_as_it_stands_is_the_defaults() -> None:
    assert load_settings(_EXAMPLE) == Settings()
