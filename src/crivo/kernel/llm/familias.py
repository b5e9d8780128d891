"""What each family of models takes, known by the name of a model: how much it may write, how hard it may think, a temperature or none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, cast, get_args

from pydantic_ai.profiles import ModelProfile
from pydantic_ai.profiles.openai import OpenAIModelProfile, OpenAIReasoningEffort, openai_model_profile

from crivo.kernel.settings import Esforco

NAO_PENSA: Final[OpenAIReasoningEffort] = "none"
_THOUGHT_TOKENS: Final = 32_000  # thoughts are counted with what is written
_HARD_THOUGHT_TOKENS: Final = 64_000
# Where the least that can be asked for is not what the kind of service may be given: those with little room, those that think, large ones.
_ROOM: Final = (
    (re.compile(r"gpt-3\.?5|gpt-4(-|$)|gpt-4o-2024-05-13"), 4_096),
    (re.compile(r"deepseek-(r\d|reasoner)|qwen3|qwq|gpt-oss|magistral|kimi-k2-thinking|glm-4\.[5-9]|gemini-[23]"), 16_000),
    (re.compile(r"claude|mistral-large|deepseek-(chat|v\d)|llama-?[34].*(70b|405b)"), 8_192),
)
_ORDER: Final[tuple[OpenAIReasoningEffort, ...]] = get_args(OpenAIReasoningEffort)
_UNTOLD: Final[frozenset[OpenAIReasoningEffort]] = frozenset(
    {"low", "medium", "high"}
)  # what every family takes whose efforts nobody listed
_WANTED: Final[Mapping[Esforco, OpenAIReasoningEffort]] = {"minimo": "minimal", "baixo": "low", "medio": "medium", "alto": "high"}
_NOTHING: Final[Mapping[Esforco, OpenAIReasoningEffort]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Familia:
    """A family of models: `pensa` where it thinks without being asked to; `esforcos` are its own words for ours, empty where it has none.

    `perfil` is what the library knows of it, None where it is none of OpenAI's that think.
    """

    pensa: bool
    esforcos: Mapping[Esforco, OpenAIReasoningEffort]
    perfil: ModelProfile | None
    tokens: int

    def most_tokens(self, esforco: Esforco | None) -> int:
        """The most that one answer may have, thoughts included."""
        return _HARD_THOUGHT_TOKENS if esforco == "alto" and self.esforcos else self.tokens

    def thinks(self, esforco: Esforco | None) -> bool:
        """Whether it thinks when it is asked so: then it refuses to be told a temperature."""
        told = None if esforco is None else self.esforcos.get(esforco)
        return self.pensa if told is None else told != NAO_PENSA


@cache
def familia_of(nome: str, tokens: int) -> Familia:
    """The family of a model; `tokens` may be written where nothing is known of it. A gateway's prefix, as in `openai/gpt-5`, counts not."""
    bare = nome.rpartition("/")[2].lower()
    perfil = openai_model_profile(bare)
    if perfil.get("supports_thinking", False):
        efforts = _efforts(cast("OpenAIModelProfile", perfil))
        return Familia(perfil.get("thinking_enabled_by_default", False), efforts, perfil, _THOUGHT_TOKENS)
    room = next((most for names, most in _ROOM if names.match(bare)), tokens)
    return Familia(pensa=False, esforcos=_NOTHING, perfil=None, tokens=room)


def _efforts(perfil: OpenAIModelProfile) -> Mapping[Esforco, OpenAIReasoningEffort]:
    """Our words in the family's: the nearest that it takes, no less than what was asked for where there is one.

    The least of all is not to think, where a family can leave that and knows nothing between.
    """
    taken = perfil.get("openai_reasoning_efforts")
    if taken is None:
        taken = _UNTOLD | {NAO_PENSA} if perfil.get("openai_supports_reasoning_effort_none", False) else _UNTOLD
    known = [effort for effort in _ORDER if effort in taken]
    found = {ours: _nearest(wanted, [effort for effort in known if effort != NAO_PENSA]) for ours, wanted in _WANTED.items()}
    if NAO_PENSA in taken and "minimal" not in taken:
        found["minimo"] = NAO_PENSA
    return MappingProxyType(found)


def _nearest(wanted: OpenAIReasoningEffort, known: list[OpenAIReasoningEffort]) -> OpenAIReasoningEffort:
    return next((effort for effort in known if _ORDER.index(effort) >= _ORDER.index(wanted)), known[-1])
