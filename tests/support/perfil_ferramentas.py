"""The tools that the official conformance suite calls by name. No clinic has them; a profile of the clinic's server does, in tests alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.types import (
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    CallToolRequestParams,
    CallToolResult,
    ClientCapabilities,
    ContentBlock,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    InputResponses,
    ListRootsRequest,
    MissingRequiredClientCapabilityErrorData,
    SamplingMessage,
    TextContent,
    TextResourceContents,
    Tool,
)

from espera import takes

Context = ServerRequestContext[Any, Any]
Answer = CallToolResult | InputRequiredResult
Run = Callable[[Context, CallToolRequestParams], Awaitable[Answer]]
Ask = ElicitRequest | CreateMessageRequest | ListRootsRequest

PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
_WAV: Final = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
_TEXT: Final = {"type": "string"}
_PAUSE: Final = 0.05  # seconds between news of one call, which the suite wants apart
_ANYTHING: Final[dict[str, Any]] = {"type": "object"}
_DEFAULTS: Final = {
    "name": _TEXT | {"default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": _TEXT | {"enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_TITLED: Final = [{"const": f"value{number}", "title": f"{word} Option"} for number, word in enumerate(("First", "Second", "Third"), 1)]
_ENUMS: Final = {
    "untitledSingle": _TEXT | {"enum": ["option1", "option2", "option3"]},
    "titledSingle": _TEXT | {"oneOf": _TITLED},
    "legacyEnum": _TEXT | {"enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
    "untitledMulti": {"type": "array", "items": _TEXT | {"enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
}
_ADDRESS: Final = {"type": "object", "properties": {"street": _TEXT, "city": _TEXT}}
# The keywords that a server must hand on as they are.
_SCHEMA_2020_12: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef"} | _ADDRESS},
    "properties": {
        "name": _TEXT,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": _TEXT,
        "email": _TEXT,
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def embedded(uri: str, text: str, media_type: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(resource=TextResourceContents(uri=uri, mime_type=media_type, text=text))


def says(*content: ContentBlock | str, is_error: bool = False) -> Run:
    """A tool that always says the same."""
    blocks = [TextContent(text=block) if isinstance(block, str) else block for block in content]

    async def run(_: Context, __: CallToolRequestParams) -> Answer:
        return CallToolResult(content=blocks, is_error=is_error)

    return run


def _text(said: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=said)])


async def _with_logging(context: Context, _: CallToolRequestParams) -> Answer:
    for news in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", news, related_request_id=context.request_id)
        await asyncio.sleep(_PAUSE)
    return _text("done")


async def _with_progress(context: Context, _: CallToolRequestParams) -> Answer:
    for percent in (0, 50, 100):
        await context.session.report_progress(percent, 100)
        await asyncio.sleep(_PAUSE)
    return _text("done")


async def _sampling(context: Context, params: CallToolRequestParams) -> Answer:
    asked = SamplingMessage(role="user", content=TextContent(text=(params.arguments or {})["prompt"]))
    answered = await context.session.create_message([asked], max_tokens=100, related_request_id=context.request_id)
    return _text(f"LLM response: {answered.content.text if isinstance(answered.content, TextContent) else ''}")


def _elicits(properties: Mapping[str, Any], required: tuple[str, ...] = ()) -> Run:
    schema = {"type": "object", "properties": dict(properties), "required": list(required)}

    async def run(context: Context, params: CallToolRequestParams) -> Answer:
        message = (params.arguments or {}).get("message", "Please answer")
        answered = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
        return _text(f"User response: action={answered.action}, content={answered.content}")

    return run


async def _reconnection(context: Context, _: CallToolRequestParams) -> Answer:
    if context.close_sse_stream is not None:
        await context.close_sse_stream()
    await takes(2 * _PAUSE)
    return _text("Reconnection test completed successfully")


def form(message: str) -> Ask:
    schema = {"type": "object", "properties": {"name": _TEXT, "confirmed": {"type": "boolean"}}}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _sample(message: str) -> Ask:
    asked = [SamplingMessage(role="user", content=TextContent(text=message))]
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=asked, max_tokens=100))


def asks(requests: Mapping[str, Ask], state: str | None = None) -> Run:
    """A tool that needs input of the client, and is done once it has all of it with the state that it gave."""

    async def run(_: Context, params: CallToolRequestParams) -> Answer:
        if params.request_state not in {None, state}:
            raise MCPError(INVALID_PARAMS, "The request state is not the one given")
        return needed(params.input_responses, requests, state) or _text(f"state-ok {sorted(requests)}")

    return run


def needed(given: InputResponses | None, requests: Mapping[str, Ask], state: str | None = None) -> InputRequiredResult | None:
    """What is still to be asked; None where all was answered."""
    return None if requests.keys() <= (given or {}).keys() else InputRequiredResult(input_requests=dict(requests), request_state=state)


async def _in_two_rounds(_: Context, params: CallToolRequestParams) -> Answer:
    following = {None: ("step1", "r1"), "r1": ("step2", "r2")}.get(params.request_state)
    if following is None:
        return _text("done")
    return InputRequiredResult(input_requests={following[0]: form("Next?")}, request_state=following[1])


async def _within_capabilities(context: Context, params: CallToolRequestParams) -> Answer:
    able = context.session.client_capabilities or ClientCapabilities()
    requests = {"sample": _sample("Hi")} if able.sampling is not None else {}
    requests |= {"form": form("Hi?")} if able.elicitation is not None else {}
    return (needed(params.input_responses, requests) if requests else None) or _text("done")


async def _needs_sampling(context: Context, _: CallToolRequestParams) -> Answer:
    able = context.session.client_capabilities
    if able is None or able.sampling is None:
        lacks = MissingRequiredClientCapabilityErrorData(required_capabilities=ClientCapabilities(sampling={}))
        data = lacks.model_dump(by_alias=True, mode="json", exclude_none=True)
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "Missing required client capability", data)
    return _text("done")


async def _streaming_elicitation(context: Context, params: CallToolRequestParams) -> Answer:
    await context.session.report_progress(1, 2)
    return needed(params.input_responses, {"form": form("Hi?")}) or _text("done")


async def _logs_once(context: Context, _: CallToolRequestParams) -> Answer:
    await context.session.send_log_message("info", "news", related_request_id=context.request_id)
    return _text("done")


_MIXED: Final = ImageContent(data=PNG, mime_type="image/png"), embedded("test://mixed", '{"test":"data","value":123}', "application/json")
RUNS: Final[Mapping[str, Run]] = {
    "test_simple_text": says("This is a simple text response for testing."),
    "test_image_content": says(ImageContent(data=PNG, mime_type="image/png")),
    "test_audio_content": says(AudioContent(data=_WAV, mime_type="audio/wav")),
    "test_embedded_resource": says(embedded("test://embedded-resource", "This is an embedded resource content.")),
    "test_multiple_content_types": says("Multiple content types test:", *_MIXED),
    "test_error_handling": says("This tool intentionally returns an error for testing", is_error=True),
    "json_schema_2020_12_tool": says("ok"),
    "test_tool_with_logging": _with_logging,
    "test_tool_with_progress": _with_progress,
    "test_sampling": _sampling,
    "test_elicitation": _elicits({"username": _TEXT, "email": _TEXT}, ("username", "email")),
    "test_elicitation_sep1034_defaults": _elicits(_DEFAULTS),
    "test_elicitation_sep1330_enums": _elicits(_ENUMS),
    "test_reconnection": _reconnection,
    "test_input_required_result_elicitation": asks({"user_name": form("What is your name?")}),
    "test_input_required_result_sampling": asks({"capital_question": _sample("What is the capital of France?")}),
    "test_input_required_result_list_roots": asks({"client_roots": ListRootsRequest()}),
    "test_input_required_result_request_state": asks({"confirm": form("Confirm?")}, "st1"),
    "test_input_required_result_tampered_state": asks({"confirm": form("Confirm?")}, "st1"),
    "test_input_required_result_multiple_inputs": asks(
        {"user_name": form("Name?"), "greeting": _sample("Hi"), "client_roots": ListRootsRequest()}, "st1"
    ),
    "test_input_required_result_multi_round": _in_two_rounds,
    "test_input_required_result_capabilities": _within_capabilities,
    "test_missing_capability": _needs_sampling,
    "test_streaming_elicitation": _streaming_elicitation,
    "test_logging_tool": _logs_once,
}
_SCHEMAS: Final = {
    "json_schema_2020_12_tool": _SCHEMA_2020_12,
    "test_sampling": {"type": "object", "properties": {"prompt": _TEXT}, "required": ["prompt"]},
    "test_elicitation": {"type": "object", "properties": {"message": _TEXT}, "required": ["message"]},
}
TOOLS: Final = [Tool(name=name, description="Conformance fixture.", input_schema=_SCHEMAS.get(name, _ANYTHING)) for name in RUNS]
