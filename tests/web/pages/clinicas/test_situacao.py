"""What is shown when a clinic is away: its status, and an answer that says what it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from atendimento import Attended, attended
from cenario import MORNING
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope

START = "/clinicas/conversa"


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento")) as running:
        yield running


@pytest.fixture
def settings(scope: Scope, clinics: Attended) -> Settings:
    """Those of the application, where the clinics are."""
    folder = clinics.clinicas.data_dir
    return Settings(
        _env_file=None,
        data_dir=folder,
        tenant=scope.tenant_id,
        limite_por_minuto=0,
        agora=MORNING,
        log_nivel="ERROR",
        endereco_publico="http://crivo.teste",
    )


async def test_clinics_that_answer_and_one_that_does_not_are_told_apart(
    browser: httpx.AsyncClient, clinics: Attended, csrf_of: Callable[[str], str]
) -> None:
    up = (await browser.get("/clinicas/situacao")).text
    assert "Todas as 2 clínicas respondem." in up
    assert up.count("Responde</span>") == 2
    away = clinics.servers["clinic_c"].process
    away.kill()
    away.wait()
    page = (await browser.get("/clinicas/situacao")).text
    assert "1 de 2 clínicas responde." in page
    assert page.count("Responde</span>") == 1
    assert page.count("Não responde</span>") == 1
    assert "a resposta sai em parte" in page
    token = csrf_of((await browser.get(START)).text)
    person = {"nome": "Ana Braga", "cpf": "529.982.247-25"}
    conversation = (await browser.post(START, data={"csrf": token, "papel": "paciente", **person})).headers["location"]
    await browser.post(conversation, data={"csrf": token, "texto": "quero um cardiologista"})
    partial = (await browser.get(conversation)).text
    assert "<strong>Resposta em parte.</strong> Não respondeu a tempo: Clínica C." in partial
    assert 'value="quero um cardiologista"' in partial.split("Perguntar de novo")[0].rpartition("<form")[2]
