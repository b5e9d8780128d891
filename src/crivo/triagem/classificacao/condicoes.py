"""Whether what projects declare meets a condition, looked at once for each value that is declared."""

from __future__ import annotations

from typing import Any

from crivo.triagem.classificacao.concorrencia import Inscrito
from crivo.triagem.condicao import Condicao
from crivo.triagem.habilitacao.condicoes import meets


class Quando:
    """A condition, with the answers that it gave."""

    def __init__(self, condicao: Condicao) -> None:
        self._condicao = condicao
        self._known: dict[tuple[type, Any], bool] = {}

    def holds(self, inscrito: Inscrito) -> bool:
        """Whether it holds of a project; of one that declares nothing, no condition does."""
        value = inscrito.campos.get(self._condicao.campo)
        if isinstance(value, list | dict):
            return meets(self._condicao, value)
        key = (type(value), value)
        if key not in self._known:
            self._known[key] = meets(self._condicao, value)
        return self._known[key]
