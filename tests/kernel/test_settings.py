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
        if name.upper().startswith(("CRIVO_", "OPENAI_", "AZURE_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_with_nothing_set_the_defaults_hold() -> None:
    settings = load_settings()
    assert (settings.database_url, settings.data_dir, settings.tenant) == ("", Path(".crivo"), "local")
    assert (settings.modelo, settings.tem_modelo, settings.modo, settings.planeja) == ("", False, "codigo", "embutido")
    assert (settings.modelo_concorrencia, settings.modelo_por_minuto, settings.modelo_segundos) == (25, 0, 60)
    assert settings.openai_base_url == "https://api.openai.com/v1"
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
        ("MODELO_RESERVA", "llama3", "como em CRIVO_MODELO"),
        ("MODELO_TEMPERATURA", "3", "de 0 a 2"),
        ("MODELO_ESFORCO", "máximo", "minimo, baixo, medio ou alto"),
        ("MODELO_CONCORRENCIA", "0", "de 1 a 500"),
        ("MODELO_POR_MINUTO", "-1", "0 não limita"),
        ("MODELO_SEGUNDOS", "0", "de 1 a 600"),
        ("PLANEJADOR", "livre", "embutido, modelo ou modelo_raciocinio"),
        ("EMBEDDINGS", "openai:", "openai:<modelo>"),
        ("LIMITE_CUSTO", "dez", "em dólares"),
        ("LIMITE_CUSTO", "-1", "em dólares"),
        ("MODO_AUTORIZACOES", "livre", "codigo, assistido ou sombra"),
        ("SMTP_URL", "correio.exemplo.org", "smtp+starttls://"),
        ("SMTP_URL", "smtp://u:segredo@correio.exemplo.org", "smtp+starttls://"),
        ("SMTP_DE", "Secretaria", "edital@cultura"),
        ("UF", "XX", "como CE"),
        ("DIAS_SEM_EXPEDIENTE", "amanhã", "06-13"),
        ("PRAZO_AVISO", "1", "entre 0 e 1"),
        ("PORTA", "oitenta", "de 1 a 65535"),
        ("PORTA", "0", "de 1 a 65535"),
        ("PORTA_METRICAS", "70000", "0 desliga"),
        ("LIMITE_CORPO_BYTES", "-1", "a partir de 1"),
        ("LIMITE_POR_MINUTO", "-1", "0 não limita"),
        ("ENDERECO_PUBLICO", "crivo.exemplo.org", "https://crivo.exemplo.org"),
        ("ENDERECO_PUBLICO", "https://crivo.exemplo.org/crivo", "https://crivo.exemplo.org"),
        ("HOSTS", "a b", "separados por vírgula"),
        ("PROXIES", "10.0.0.0/8,todos", "10.0.0.0/8"),
        ("SEGUNDO_FATOR", "sim", "administra, todos ou ninguem"),
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


@pytest.mark.parametrize("planejador", ["modelo", "modelo_raciocinio"])
def test_a_planner_that_needs_a_model_says_so(monkeypatch: pytest.MonkeyPatch, planejador: str) -> None:
    monkeypatch.setenv("CRIVO_PLANEJADOR", planejador)
    with pytest.raises(WrongSetting, match=f"CRIVO_PLANEJADOR={planejador} precisa de um modelo: preencha CRIVO_MODELO"):
        load_settings()


@pytest.mark.parametrize(
    ("chosen", "name", "what_to_do"),
    [
        ({"MODELO": "openai-compatible:llama3"}, "CRIVO_MODELO_URL", "preencha CRIVO_MODELO_URL"),
        ({"MODELO": "openai-compatible"}, "CRIVO_MODELO_URL", "preencha CRIVO_MODELO_URL"),
        ({"MODELO": "openai:gpt-5", "MODELO_RESERVA": "openai-compatible:llama3"}, "CRIVO_MODELO_URL", "preencha CRIVO_MODELO_URL"),
        ({"MODELO": "azure:triagem"}, "AZURE_OPENAI_ENDPOINT", "preencha AZURE_OPENAI_ENDPOINT"),
        ({"MODELO": "openai:gpt-5", "MODELO_RESERVA": "azure:triagem"}, "AZURE_OPENAI_ENDPOINT", "preencha AZURE_OPENAI_ENDPOINT"),
        ({"MODELO_RESERVA": "openai:gpt-5"}, "CRIVO_MODELO_RESERVA", "preencha também CRIVO_MODELO"),
        ({"MODELO": "openai:gpt-5", "MODELO_RESERVA": "simulado"}, "CRIVO_MODELO_RESERVA", "Deixe vazio"),
    ],
)
def test_what_a_model_needs_and_does_not_have_is_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, chosen: dict[str, str], name: str, what_to_do: str
) -> None:
    for setting, value in chosen.items():
        monkeypatch.setenv(f"CRIVO_{setting}", value)
    with pytest.raises(WrongSetting) as wrong:
        load_settings()
    (problem,) = wrong.value.problemas
    assert problem.caminho == name
    assert what_to_do in problem.mensagem


def test_a_real_model_turns_its_part_on_everywhere_and_the_simulated_one_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIVO_MODELO", "openai:gpt-5")
    real = load_settings()
    assert (real.tem_modelo, real.modo, real.planeja) == (True, "assistido", "modelo")
    monkeypatch.setenv("CRIVO_MODELO", "simulado")
    played = load_settings()
    assert (played.tem_modelo, played.modo, played.planeja) == (False, "codigo", "embutido")


def test_the_keys_of_providers_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Triagem 6/1: OPENAI_API_KEY comes from the environment, and is shown nowhere."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-xyzzy-um")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "xyzzy-dois")
    settings = load_settings()
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "sk-xyzzy-um"
    assert "xyzzy" not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"


def test_links_begin_with_the_public_address_or_with_where_this_machine_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().endereco == "http://127.0.0.1:8000"
    assert load_settings(host="0.0.0.0", porta=81).endereco == "http://127.0.0.1:81"  # noqa: S104 - a value to read, nothing listens
    assert load_settings(host="::1").endereco == "http://[::1]:8000"
    monkeypatch.setenv("CRIVO_ENDERECO_PUBLICO", "https://Crivo.exemplo.org/")
    monkeypatch.setenv("CRIVO_HOSTS", "Crivo.interno, 10.0.0.5:80")
    monkeypatch.setenv("CRIVO_PROXIES", "127.0.0.1, 10.0.0.0/8")
    settings = load_settings()
    assert (settings.endereco, settings.hosts) == ("https://crivo.exemplo.org", ("crivo.interno", "10.0.0.5"))
    assert [str(one) for one in settings.proxies] == ["127.0.0.1/32", "10.0.0.0/8"]


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
    monkeypatch.setenv("CRIVO_DATABASE_URL", "postgresql://u:xyzzy@h/b")
    assert "xyzzy" not in repr(load_settings())


def test_the_example_lists_every_setting_and_no_other() -> None:
    listed = [line.split("=", 1)[0] for line in _EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    assert sorted(listed) == sorted(names())


def test_the_example_as_it_stands_is_the_defaults() -> None:
    assert load_settings(_EXAMPLE) == Settings()
