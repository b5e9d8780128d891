"""The port through which a model may write the fields that a contract lets it write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from crivo.kernel.agents.contract import AgentContract


class ModelWriter(Protocol):
    """Writes language for one agent from what that agent may see."""

    async def write(self, contract: AgentContract, visible: Mapping[str, Any]) -> Mapping[str, str]:
        """Text by dotted path, for paths in `contract.model_writes` only; fewer when the model has nothing to say."""
        ...
