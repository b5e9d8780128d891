"""The gateway asks as each service wants to be asked, again where that can help, and ends with an answer or with one kind of fault."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any

import pytest
from pydantic_ai.exceptions import ModelConnectionError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from crivo.kernel.clock import SystemClock
from crivo.kernel.llm import provedores
from crivo.kernel.llm.gateway import Falhou, Gateway, Obtida
from crivo.kernel.llm.provedores import open_http, provedores_of
from crivo.kernel.settings import Settings
from crivo.kernel.storage.errors import unavailable
from limites_aqui import LimitesAqui
from perguntas import SEGREDO, Parecer, campos, pergunta
from provedor import FALTAS, Falta, Pedido, Provedor, always

Abre = Callable[..., Awaitable[Gateway]]
Configure = Callable[..., Settings]


@pytest.fixture
def pausas() -> list[float]:
    """What the gateway waited between calls, in seconds."""
    return []


@pytest.fixture
async def abre(configure: Configure, pausas: list[float]) -> AsyncIterator[Abre]:
    """Opens a gateway over the provider of the test, which waits in no time."""

    async def sleep(seconds: float) -> None:
        pausas.append(seconds)

    async with AsyncExitStack() as stack:

        async def make(
            modelo: str, roteiros: Mapping[str, Any] | None = None, limites: LimitesAqui | None = None, **chosen: Any
        ) -> Gateway:
            settings = configure(modelo, **chosen)
            http = await stack.enter_async_context(open_http(settings))
            return Gateway(
                provedores_of(settings, http, roteiros or {}),
                SystemClock(),
                limites=limites or LimitesAqui(settings.modelo_concorrencia),
                segundos=settings.modelo_segundos,
                sleep=sleep,
                sample=lambda: 0.5,
            )

        yield make


async def ask(gateway: Gateway, **question: Any) -> Obtida[Parecer] | Falhou:
    asked = pergunta(**question)
    return await gateway.ask(asked, asked.temperatura)


def last(provedor: Provedor) -> Pedido:
    return provedor.recebidos[-1]


# --- as each service wants to be asked


@pytest.mark.parametrize(
    ("modelo", "versao", "caminho", "chave"),
    [
        ("openai:gpt-4o", "", "/v1/responses", "authorization"),
        ("openai-chat:gpt-4o", "", "/v1/chat/completions", "authorization"),
        ("azure:gpt-4o", "2024-10-21", "/openai/deployments/gpt-4o/chat/completions", "api-key"),
        ("azure:gpt-4o", "", "/openai/v1/chat/completions", "authorization"),
        ("openai-compatible:llama3", "", "/v1/chat/completions", "authorization"),
    ],
)
async def test_each_service_is_asked_at_its_own_address(
    abre: Abre, provedor: Provedor, monkeypatch: pytest.MonkeyPatch, modelo: str, versao: str, caminho: str, chave: str
) -> None:
    """Blueprint 2.1, Triagem 1/5: Azure OpenAI and OpenAI, each by its own name."""
    monkeypatch.setenv("OPENAI_API_VERSION", versao)
    found = await ask(await abre(modelo))
    assert isinstance(found, Obtida)
    assert found.valor == Parecer("Um bom projeto.", 7)
    assert (found.modelo, last(provedor).caminho, last(provedor).chaves) == (modelo, caminho, (chave,))
    assert last(provedor).temperatura == 0.6


async def test_an_azure_endpoint_that_is_v1_already_is_taken_as_it_is_whatever_the_version(
    abre: Abre, configure: Configure, provedor: Provedor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_VERSION", "2024-10-21")
    configure("azure:gpt-4o")
    settings = configure("azure:gpt-4o").model_copy(update={"azure_openai_endpoint": f"{provedor.endereco}/openai/v1/"})
    async with open_http(settings) as http:
        gateway = Gateway(provedores_of(settings, http, {}), SystemClock(), limites=LimitesAqui(), segundos=5)
        assert isinstance(await ask(gateway), Obtida)
    assert last(provedor).caminho == "/openai/v1/chat/completions"


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "openai-chat:gpt-4o", "azure:gpt-4o", "openai-compatible:llama3"])
async def test_the_prompt_comes_first_and_the_form_is_sent_to_the_letter(abre: Abre, provedor: Provedor, modelo: str) -> None:
    """Triagem 4: the answer is asked for as structured JSON."""
    await ask(await abre(modelo))
    asked = last(provedor)
    assert asked.texto.startswith("Leia o projeto e dê uma nota.")
    assert "<dado 0123456789abcdef projeto>" in asked.texto
    assert asked.esquema is not None
    assert set(asked.esquema["required"]) == {"texto", "nota"}
    assert asked.esquema["additionalProperties"] is False
    sent = asked.corpo.get("response_format", {}).get("json_schema") or asked.corpo["text"]["format"]
    assert sent["strict"] is True


async def test_a_service_that_only_resembles_is_told_the_form_once(abre: Abre, provedor: Provedor) -> None:
    await ask(await abre("openai-compatible:llama3"))
    assert last(provedor).esquema is not None
    assert '"nota"' not in last(provedor).texto
    assert "max_tokens" in last(provedor).corpo


async def test_a_service_that_heeds_no_form_is_shown_it_when_it_answers_in_another(abre: Abre, provedor: Provedor) -> None:
    provedor.faltas.append("texto_nao_json")
    assert isinstance(await ask(await abre("openai-compatible:llama3")), Obtida)
    assert '"nota"' in last(provedor).texto


@pytest.mark.parametrize("modelo", ["azure:antigo", "openai-compatible:llama3"])
async def test_a_service_that_takes_no_form_is_told_it_in_words_from_then_on(abre: Abre, provedor: Provedor, modelo: str) -> None:
    provedor.nao_aceita = lambda pedido: "response_format: json_schema is not supported" if pedido.esquema else ""
    gateway = await abre(modelo)
    for _ in range(2):
        assert isinstance(await ask(gateway), Obtida)
        assert '"nota"' in last(provedor).texto
        assert last(provedor).texto.count("Leia o projeto") == 1
    assert len(provedor.recebidos) == 3


async def test_a_request_that_is_not_taken_however_it_is_put_is_not_taken(abre: Abre, provedor: Provedor) -> None:
    provedor.nao_aceita = lambda pedido: "Unknown parameter"
    gateway = await abre("openai-chat:gpt-5", modelo_esforco="alto")
    assert await ask(gateway, ao_escrever=lambda characters: None) == Falhou("nao_aceito", ())
    assert len(provedor.recebidos) == 3


# --- how hard it is to think


@pytest.mark.parametrize(
    ("modelo", "esforco", "told"),
    [
        ("openai:gpt-5", "alto", "high"),
        ("openai-chat:gpt-5", "minimo", "minimal"),
        ("azure:o4-mini", "minimo", "low"),
        ("openai-compatible:openai/gpt-5.1", "medio", "medium"),
        ("openai:gpt-5", None, None),
        ("openai:gpt-4o", "alto", None),
        ("openai-compatible:llama3", "alto", None),
    ],
)
async def test_a_model_that_thinks_is_told_how_hard_in_its_own_words(
    abre: Abre, provedor: Provedor, modelo: str, esforco: str | None, told: str | None
) -> None:
    assert isinstance(await ask(await abre(modelo, modelo_esforco=esforco)), Obtida)
    corpo = last(provedor).corpo
    assert (corpo.get("reasoning_effort") or corpo.get("reasoning", {}).get("effort")) == told


@pytest.mark.parametrize(("esforco", "told"), [(None, True), ("minimo", True), ("baixo", False)])
async def test_a_model_that_may_think_or_not_is_told_a_temperature_while_it_does_not(
    abre: Abre, provedor: Provedor, esforco: str | None, *, told: bool
) -> None:
    assert isinstance(await ask(await abre("openai:gpt-5.1", modelo_esforco=esforco)), Obtida)
    assert (last(provedor).temperatura == 0.6) is told


async def test_a_name_behind_a_gateway_tells_the_family(abre: Abre, provedor: Provedor) -> None:
    await ask(await abre("openai-compatible:openai/gpt-5"))
    assert "temperature" not in last(provedor).corpo
    assert last(provedor).corpo["max_tokens"] == 32_000


@pytest.mark.parametrize("modelo", ["openai:gpt-5", "openai-chat:o3", "azure:gpt-5"])
async def test_a_model_that_thinks_is_told_no_temperature(abre: Abre, provedor: Provedor, modelo: str) -> None:
    """PRD 1.3.3: GPT-5 refuses to be told a temperature, and is told none."""
    assert isinstance(await ask(await abre(modelo)), Obtida)
    assert "temperature" not in last(provedor).corpo


async def test_a_deployment_that_hides_a_model_that_thinks_is_told_no_temperature(abre: Abre, provedor: Provedor) -> None:
    await ask(await abre("azure:triagem-prod"))
    assert last(provedor).temperatura == 0.6
    await ask(await abre("azure:triagem-prod", modelo_familia="gpt-5"))
    assert "temperature" not in last(provedor).corpo


@pytest.mark.parametrize(("modelo", "limite"), [("openai:gpt-4o", "max_output_tokens"), ("openai-chat:gpt-4o", "max_completion_tokens")])
async def test_what_a_model_may_write_is_bounded(abre: Abre, provedor: Provedor, modelo: str, limite: str) -> None:
    await ask(await abre(modelo))
    assert last(provedor).corpo[limite] == 16_000


@pytest.mark.parametrize(("esforco", "most"), [(None, 32_000), ("alto", 64_000)])
async def test_a_model_that_thinks_has_room_for_its_thoughts(abre: Abre, provedor: Provedor, esforco: str | None, most: int) -> None:
    await ask(await abre("openai:gpt-5", modelo_esforco=esforco))
    assert last(provedor).corpo["max_output_tokens"] == most


async def test_a_question_that_says_no_time_is_waited_for_as_long_as_the_installation_has(abre: Abre, provedor: Provedor) -> None:
    limites = LimitesAqui()
    await ask(await abre("openai:gpt-4o", limites=limites), espera_seconds=None)
    assert limites.vezes == [pytest.approx(120, abs=1)]


@pytest.mark.parametrize(("modelo", "told"), [("openai:gpt-4o", True), ("openai-chat:gpt-5", True), ("azure:gpt-4o", False)])
async def test_openai_is_told_to_keep_nothing(abre: Abre, provedor: Provedor, modelo: str, *, told: bool) -> None:
    await ask(await abre(modelo))
    assert (last(provedor).corpo.get("store") is False) is told


async def test_without_a_key_nobody_is_asked(abre: Abre, configure: Configure, provedor: Provedor, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = configure("openai:gpt-4o").model_copy(update={"openai_api_key": None})
    async with open_http(settings) as http:
        gateway = Gateway(provedores_of(settings, http, {}), SystemClock(), limites=LimitesAqui(), segundos=5)
        assert await ask(gateway) == Falhou("nao_aceito", ())
    assert not provedor.recebidos


# --- each fault ends in one kind, after as many calls as can help

_ENDS: dict[Falta, tuple[str, int]] = {
    "limite_segundos": ("limite_de_uso", 4),
    "limite_data": ("limite_de_uso", 4),
    "erro_401": ("nao_aceito", 1),
    "erro_500": ("fora_do_ar", 4),
    "erro_502": ("fora_do_ar", 4),
    "erro_503": ("fora_do_ar", 4),
    "silencio": ("demorou", 1),
    "cortada": ("ilegivel", 4),
    "corpo_nao_json": ("ilegivel", 1),
    "vazia": ("fora_do_formato", 2),
    "texto_nao_json": ("fora_do_formato", 2),
    "truncada": ("ilegivel", 1),
    "sem_espaco": ("ilegivel", 1),
    "sem_contagem": ("", 1),
    "parametro_recusado": ("nao_aceito", 2),  # once more with the form in words: that may be what it does not know
    "esquema_errado": ("fora_do_formato", 2),
    "recusa": ("recusou", 1),
    "filtro_de_conteudo": ("recusou", 1),
    "dez_megabytes": ("ilegivel", 1),
    # The form is right: what is said is for whoever asked to check.
    "outra_lingua": ("", 1),
    "horarios_inventados": ("", 1),
    "numeros_errados": ("", 1),
    "obedece_injecao": ("", 1),
}


def test_every_fault_of_the_provider_is_in_the_table() -> None:
    assert set(_ENDS) == set(FALTAS)


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "openai-chat:gpt-4o", "azure:gpt-4o", "openai-compatible:llama3"])
@pytest.mark.parametrize("falta", FALTAS)
async def test_each_fault_ends_in_its_kind_after_as_many_calls_as_can_help(
    abre: Abre, provedor: Provedor, modelo: str, falta: Falta
) -> None:
    provedor.sempre, provedor.silencio_seconds = always(falta), 3
    found = await ask(await abre(modelo, modelo_segundos=1 if falta == "silencio" else 5))
    kind, calls = _ENDS[falta]
    assert (found.falha if isinstance(found, Falhou) else "", len(provedor.recebidos)) == (kind, calls)


@pytest.mark.parametrize("falta", ["limite_segundos", "limite_data", "erro_500", "erro_503", "cortada"])
async def test_what_passes_is_answered_in_the_end(abre: Abre, provedor: Provedor, falta: Falta) -> None:
    provedor.faltas.extend([falta] * 3)
    found = await ask(await abre("openai:gpt-4o"))
    assert isinstance(found, Obtida)
    assert len(provedor.recebidos) == 4


async def test_a_service_that_asks_for_time_is_given_it(abre: Abre, provedor: Provedor, pausas: list[float]) -> None:
    provedor.retry_after_seconds = 6
    provedor.faltas.extend(["limite_segundos", "limite_data"])
    assert isinstance(await ask(await abre("openai:gpt-4o")), Obtida)
    assert 6.0 <= pausas[0] <= 7.0
    assert 5.0 <= pausas[1] <= 8.0  # between two dates without fractions, and the spread


@pytest.mark.parametrize(("asked", "espera"), [(31, 600.0), (10, 8.0)])
async def test_a_service_that_asks_for_more_time_than_there_is_is_left_alone(
    abre: Abre, provedor: Provedor, pausas: list[float], asked: int, espera: float
) -> None:
    provedor.retry_after_seconds, provedor.sempre = asked, always("limite_segundos")
    found = await ask(await abre("openai:gpt-4o"), espera_seconds=espera)
    assert (found, len(provedor.recebidos), pausas) == (Falhou("limite_de_uso", ()), 1, [])


async def test_a_question_ends_when_its_time_does_whatever_a_call_may_take(abre: Abre, provedor: Provedor) -> None:
    provedor.sempre, provedor.silencio_seconds = always("silencio"), 20
    async with asyncio.timeout(10):
        found = await ask(await abre("openai:gpt-4o", modelo_segundos=60), espera_seconds=0.3)
    assert found == Falhou("demorou", ())


async def test_what_is_paid_is_counted_although_nothing_can_be_used(abre: Abre, provedor: Provedor) -> None:
    provedor.sempre = always("esquema_errado")
    found = await ask(await abre("openai:gpt-4o"))
    assert isinstance(found, Falhou)
    assert len(found.consumos) == 2
    assert all(one.entrada > 0 and one.saida > 0 for one in found.consumos)


# --- once more


async def test_a_wrong_form_is_told_and_may_be_mended(abre: Abre, provedor: Provedor) -> None:
    provedor.faltas.append("esquema_errado")
    found = await ask(await abre("openai:gpt-4o"))
    assert isinstance(found, Obtida)
    assert len(found.consumos) == 2
    assert "não tem a forma pedida" in last(provedor).texto
    assert "missing required field `texto`" in last(provedor).texto


async def test_a_complaint_is_told_and_the_second_answer_stands(abre: Abre, provedor: Provedor) -> None:
    notas = iter((3, 5))
    provedor.campos = lambda pedido: campos(nota=next(notas))
    found = await ask(await abre("openai:gpt-4o"), conferir=lambda parecer: "A nota tem de ser 9." if parecer.nota != 9 else None)
    assert isinstance(found, Obtida)
    assert found.valor.nota == 5
    assert "A nota tem de ser 9." in last(provedor).texto


_SECONDS: list[Falta] = [falta for falta, (kind, _) in _ENDS.items() if kind]


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "openai-compatible:llama3"])
@pytest.mark.parametrize("depois", _SECONDS)
async def test_an_answer_with_a_fault_is_provisional_when_no_other_can_be_had(
    abre: Abre, provedor: Provedor, modelo: str, depois: Falta
) -> None:
    provedor.sempre, provedor.silencio_seconds = (lambda pedido, earlier: depois if len(provedor.recebidos) > 1 else None), 3
    gateway = await abre(modelo, modelo_segundos=1 if depois == "silencio" else 5)
    found = await ask(gateway, conferir=lambda parecer: "Não serve.")
    assert isinstance(found, Obtida)
    assert (found.valor.nota, found.provisoria) == (7, True)
    calls = _ENDS[depois][1] if depois not in {"vazia", "texto_nao_json", "esquema_errado"} else 1
    assert len(provedor.recebidos) == 1 + calls  # the same patience as with any call, and no more


async def test_an_answer_with_a_fault_is_provisional_when_nobody_is_at_the_door_any_more(configure: Configure) -> None:
    settings = configure("openai-compatible:llama3")
    asked: list[str] = []

    def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if asked:
            raise ModelConnectionError("llama3", "ConnectError", phase="connect")
        asked.append("")
        return ModelResponse(parts=[TextPart('{"texto": "Bom.", "nota": 7}')])

    async def choose(agente: str) -> FunctionModel:
        return FunctionModel(speak)

    async def sleep(seconds: float) -> None:
        assert seconds >= 0

    one = provedores.Provedor("openai-compatible:llama3", "openai-compatible", "", choose)
    gateway = Gateway([one], SystemClock(), limites=LimitesAqui(), segundos=settings.modelo_segundos, sleep=sleep)
    found = await ask(gateway, conferir=lambda parecer: "Não serve.")
    assert isinstance(found, Obtida)
    assert found.provisoria


async def test_a_second_answer_of_the_right_form_is_final_whatever_is_said_of_it(abre: Abre, provedor: Provedor) -> None:
    found = await ask(await abre("openai:gpt-4o"), conferir=lambda parecer: "Não serve.")
    assert isinstance(found, Obtida)
    assert (found.provisoria, len(provedor.recebidos)) == (False, 2)


async def test_the_other_model_is_asked_when_the_first_could_not_mend_its_answer(abre: Abre, provedor: Provedor) -> None:
    firsts = {"gpt-4o": 3, "gpt-4o-mini": 9}
    provedor.campos = lambda pedido: campos(nota=firsts[pedido.modelo])
    provedor.sempre = lambda pedido, earlier: "erro_401" if "Não serve." in pedido.texto else None
    gateway = await abre("openai:gpt-4o", modelo_reserva="openai-chat:gpt-4o-mini")
    found = await ask(gateway, conferir=lambda parecer: None if parecer.nota == 9 else "Não serve.")
    assert isinstance(found, Obtida)
    assert (found.valor.nota, found.modelo, found.provisoria) == (9, "openai-chat:gpt-4o-mini", False)
    assert len(found.consumos) == 2


@pytest.mark.parametrize("reserva", ["erro_401", None])
async def test_the_first_models_provisional_answer_stands_when_the_other_does_no_better(
    abre: Abre, provedor: Provedor, reserva: Falta | None
) -> None:
    firsts = {"gpt-4o": 3, "gpt-4o-mini": 4}
    provedor.campos = lambda pedido: campos(nota=firsts[pedido.modelo])
    provedor.sempre = lambda pedido, earlier: (
        "erro_401" if "Não serve." in pedido.texto else reserva if pedido.modelo == "gpt-4o-mini" else None
    )
    found = await ask(await abre("openai:gpt-4o", modelo_reserva="openai-chat:gpt-4o-mini"), conferir=lambda parecer: "Não serve.")
    assert isinstance(found, Obtida)
    assert (found.valor.nota, found.modelo, found.provisoria) == (3, "openai:gpt-4o", True)


@pytest.mark.parametrize(
    ("texto", "falha"), [("Desculpe, mas não posso ajudar com isso.", "recusou"), ("O projeto parece bom.", "fora_do_formato")]
)
async def test_a_refusal_in_words_is_told_from_other_words(texto: str, falha: str) -> None:
    def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(texto)])

    async def choose(agente: str) -> FunctionModel:
        return FunctionModel(speak)

    one = provedores.Provedor("openai-compatible:llama3", "openai-compatible", "", choose)
    found = await ask(Gateway([one], SystemClock(), limites=LimitesAqui(), segundos=5))
    assert isinstance(found, Falhou)
    assert (found.falha, len(found.consumos)) == (falha, 2)


async def test_json_between_other_words_is_an_answer() -> None:
    def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart('Claro:\n```json\n{"texto": "Bom {mesmo}.", "nota": 7}\n```\nÉ isso.')])

    async def choose(agente: str) -> FunctionModel:
        return FunctionModel(speak)

    one = provedores.Provedor("openai-compatible:llama3", "openai-compatible", "", choose)
    found = await ask(Gateway([one], SystemClock(), limites=LimitesAqui(), segundos=5))
    assert isinstance(found, Obtida)
    assert found.valor == Parecer("Bom {mesmo}.", 7)


# --- the model that answers when the first fails


@pytest.mark.parametrize("falta", ["erro_401", "erro_500", "corpo_nao_json", "recusa", "silencio", "esquema_errado"])
async def test_the_other_model_answers_when_the_first_fails_and_is_named(abre: Abre, provedor: Provedor, falta: Falta) -> None:
    provedor.sempre, provedor.silencio_seconds = lambda pedido, earlier: falta if pedido.modelo == "gpt-4o" else None, 3
    gateway = await abre("openai:gpt-4o", modelo_reserva="openai-chat:gpt-4o-mini", modelo_segundos=1)
    found = await ask(gateway)
    assert isinstance(found, Obtida)
    assert found.modelo == "openai-chat:gpt-4o-mini"
    assert found.consumos[-1].provedor.nome == "openai-chat:gpt-4o-mini"


async def test_the_first_models_fault_is_told_when_both_fail(abre: Abre, provedor: Provedor) -> None:
    provedor.sempre = lambda pedido, earlier: "recusa" if pedido.modelo == "gpt-4o" else "erro_401"
    found = await ask(await abre("openai:gpt-4o", modelo_reserva="openai-chat:gpt-4o-mini"))
    assert isinstance(found, Falhou)
    assert found.falha == "recusou"


async def test_a_silent_model_leaves_time_for_the_other(abre: Abre, provedor: Provedor) -> None:
    provedor.sempre, provedor.silencio_seconds = lambda pedido, earlier: "silencio" if pedido.modelo == "gpt-4o" else None, 20
    gateway = await abre("openai:gpt-4o", modelo_reserva="openai-chat:gpt-4o-mini", modelo_segundos=60)
    assert isinstance(await ask(gateway, espera_seconds=4), Obtida)


# --- how many at once, how many a minute


async def test_no_more_are_asked_at_once_than_may_be(abre: Abre, provedor: Provedor) -> None:
    provedor.espera_seconds = 0.05
    gateway = await abre("openai:gpt-4o", modelo_concorrencia=4)
    found = await asyncio.gather(*(ask(gateway, texto=f"projeto {number}") for number in range(20)))
    assert all(isinstance(one, Obtida) for one in found)
    assert provedor.mais_em_curso == 4


async def test_whoever_waits_for_a_place_takes_nothing_of_the_service_yet() -> None:
    under_way, most = 0, 0

    async def choose(agente: str) -> FunctionModel:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        for _ in range(10):
            await asyncio.sleep(0)
        under_way -= 1
        return FunctionModel(lambda messages, info: ModelResponse(parts=[TextPart('{"texto": "Bom.", "nota": 7}')]))

    one = provedores.Provedor("simulado", "simulado", "", choose)
    gateway = Gateway([one], SystemClock(), limites=LimitesAqui(3), segundos=5)
    found = await asyncio.gather(*(ask(gateway) for _ in range(12)))
    assert all(isinstance(each, Obtida) for each in found)
    assert most == 3


async def test_a_call_that_is_repeated_takes_another_turn(abre: Abre, provedor: Provedor) -> None:
    limites = LimitesAqui()
    provedor.sempre = lambda pedido, earlier: "erro_503" if earlier < 2 else None
    assert isinstance(await ask(await abre("openai:gpt-4o", limites=limites), espera_seconds=90), Obtida)
    assert len(limites.vezes) == 3
    assert all(80 < patience <= 90 for patience in limites.vezes)


async def test_limits_that_nobody_can_tell_are_asked_again_and_then_the_model_is_away(abre: Abre, provedor: Provedor) -> None:
    limites = LimitesAqui(falha=unavailable())
    assert await ask(await abre("openai:gpt-4o", limites=limites)) == Falhou("fora_do_ar", ())
    assert (len(limites.vezes), provedor.recebidos) == (4, [])


# --- code in a model's place


async def test_code_plays_the_agents_that_it_has_a_part_for(abre: Abre) -> None:
    seen: list[str] = []

    def part(texto: str) -> dict[str, Any]:
        seen.append(texto)
        return campos(nota=4)

    gateway = await abre("simulado", roteiros={"teste.parecer": part})
    found = await ask(gateway)
    assert isinstance(found, Obtida)
    assert (found.valor.nota, found.modelo) == (4, "simulado")
    assert SEGREDO in seen[0]
    assert await ask(gateway, agente="teste.outro") == Falhou("nao_aceito", ())


async def test_a_fault_in_the_code_that_plays_is_no_fault_of_a_model(abre: Abre) -> None:
    def part(texto: str) -> dict[str, Any]:
        raise ZeroDivisionError

    gateway = await abre("simulado", roteiros={"teste.parecer": part})
    with pytest.raises(ZeroDivisionError):
        await ask(gateway)
