"""The resources and prompts that the official conformance suite asks for by name; of the profile alone, as its tools are."""

from __future__ import annotations

import json
from typing import Final

from mcp import MCPError
from mcp.types import (
    INVALID_PARAMS,
    BlobResourceContents,
    ContentBlock,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)

from perfil_ferramentas import PNG, Context, embedded, form, needed

_RESOURCES: Final = {"test://static-text": "text/plain", "test://static-binary": "image/png", "test://watched-resource": "text/plain"}
_PROMPTS: Final[dict[str, tuple[str, ...]]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


async def list_resources(_: Context, __: PaginatedRequestParams) -> ListResourcesResult:
    return ListResourcesResult(resources=[Resource(uri=uri, name=uri, mime_type=media_type) for uri, media_type in _RESOURCES.items()])


async def list_templates(_: Context, __: PaginatedRequestParams) -> ListResourceTemplatesResult:
    template = ResourceTemplate(uri_template="test://template/{id}/data", name="template", mime_type="application/json")
    return ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(_: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(params.uri)
    if uri == "test://static-binary":
        return ReadResourceResult(contents=[BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)])
    match uri.removeprefix("test://").split("/"):
        case ["template", own_id, "data"]:
            text = json.dumps({"id": own_id, "templateTest": True, "data": f"Data for ID: {own_id}"})
            return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type="application/json", text=text)])
    if uri in _RESOURCES:
        text = "This is the content of the static text resource."
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type="text/plain", text=text)])
    raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})


async def list_prompts(_: Context, __: PaginatedRequestParams) -> ListPromptsResult:
    prompts = [
        Prompt(name=name, description="Conformance fixture.", arguments=[PromptArgument(name=one, required=True) for one in arguments])
        for name, arguments in _PROMPTS.items()
    ]
    return ListPromptsResult(prompts=prompts)


async def get_prompt(_: Context, params: GetPromptRequestParams) -> GetPromptResult | InputRequiredResult:
    given = params.arguments or {}
    match params.name:
        case "test_simple_prompt":
            return _prompt(TextContent(text="This is a simple prompt for testing."))
        case "test_prompt_with_arguments":
            return _prompt(TextContent(text=f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"))
        case "test_prompt_with_embedded_resource":
            resource = embedded(given["resourceUri"], "Embedded resource content for testing.")
            return _prompt(resource, TextContent(text="Please process the embedded resource above."))
        case "test_prompt_with_image":
            return _prompt(ImageContent(data=PNG, mime_type="image/png"), TextContent(text="Please analyze the image above."))
        case "test_input_required_result_prompt":
            return needed(params.input_responses, {"user_context": form("Context?")}) or _prompt(TextContent(text="prompt with context"))
    raise MCPError(INVALID_PARAMS, "Unknown prompt")


def _prompt(*content: ContentBlock) -> GetPromptResult:
    return GetPromptResult(messages=[PromptMessage(role="user", content=block) for block in content])
