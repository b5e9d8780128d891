"""What each agent asks of a model: its own prompt, the answers that its contract lets it see, and nothing of another agent.

Source: PRD 1.3.1, 1.3.5 and the same clauses of RF2 to RF6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from crivo.autorizacoes.agentes import AJUSTES, SINTESE
from crivo.autorizacoes.contracts import Normalizacao
from crivo.autorizacoes.modelo.textos import without_texts
from crivo.autorizacoes.palavras import documentos_conhecidos
from crivo.autorizacoes.redacao import Decidido
from crivo.autorizacoes.trilha import Etapas
from crivo.kernel.agents.contract import AgentContract
from crivo.kernel.agents.prompts import Prompt
from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.port import Dado, Parte, Question

Resposta = TypeVar("Resposta", bound=msgspec.Struct)

ENTRADA_LONGA: Final = "entrada_longa_demais"

# Nothing that a text about the decision may tell: who the person is, what they suffer from, and what nobody knows the meaning of.
_PRIVADOS: Final = ("id", "data_nascimento", "preexistencias")

_SO_OS_TEXTOS: Final = (
    "O rascunho acima já está decidido pelo código. Escreva só os textos que faltam nele, nos campos da resposta pedida; "
    "nas listas, um item para cada item do rascunho, na mesma ordem."
)


def ask_texts(
    contract: AgentContract,
    etapas: Etapas,
    decidido: Decidido,
    resposta: type[Resposta],
    *,
    conferir: Callable[[Resposta], str | None],
    espera_seconds: float,
) -> Question[Resposta]:
    """The question for an agent's texts: the answers that it sees, without what no text may tell, and its own answer by code as a draft."""
    answer: msgspec.Struct = getattr(etapas, contract.stage)
    partes: tuple[Parte, ...] = (
        *(dado(name, _fit_to_tell(getattr(etapas, name))) for name in contract.sees),
        *_extras(contract, decidido),
        dado("rascunho", without_texts(contract, answer)),
        _SO_OS_TEXTOS,
    )
    return _question(contract, contract.prompt_textos or contract.prompt, partes, resposta, espera_seconds, conferir)


def shown_to_writers(etapas: Etapas, decidido: Decidido) -> tuple[Dado, ...]:
    """What the writers of a decision's texts saw of it, all of them together: the code's answers, and what is looked up for them."""
    return (
        *(dado(name, _fit_to_tell(getattr(etapas, name))) for name in SINTESE.sees),
        *(_extras(AJUSTES, decidido) if etapas.ajustes is not None else ()),
        *_extras(SINTESE, decidido),
        dado("rascunho", without_texts(SINTESE, etapas.sintese)),
    )


def ask_answer(
    contract: AgentContract, seen: Mapping[str, Any], resposta: type[Resposta], *, beside: Iterable[Dado] = (), espera_seconds: float
) -> Question[Resposta]:
    """The question for an agent's whole answer: of `seen` what its contract names, and `beside` what the house looks up for it."""
    partes: tuple[Parte, ...] = (*beside, *(dado(name, seen[name]) for name in contract.sees))
    return _question(contract, contract.prompt, partes, resposta, espera_seconds, None)


def fits(contract: AgentContract, question: Question[Any]) -> bool:
    """Whether what the agent sees is within the characters that it must be able to hold; more is left to the code, and never cut.

    Source: PRD 1.3.1 and the same clauses of RF2 to RF6.
    """
    seen = sum(len(parte.texto) for parte in question.partes if isinstance(parte, Dado) and parte.rotulo in contract.sees)
    return seen <= contract.budget.entrada_caracteres


def documentos_dado(tipos: Iterable[str]) -> Dado:
    """What people call these document types, and what each is."""
    known = documentos_conhecidos()
    return dado("documentos", {tipo: known[tipo] for tipo in dict.fromkeys(tipos) if tipo in known})


def _question(
    contract: AgentContract,
    prompt: Prompt,
    partes: tuple[Parte, ...],
    resposta: type[Resposta],
    espera_seconds: float,
    conferir: Callable[[Resposta], str | None] | None,
) -> Question[Resposta]:
    return Question(
        agente=contract.name,
        prompt=prompt,
        partes=partes,
        resposta=resposta,
        nonce=new_nonce(),
        temperatura=contract.model.temperatura,
        conferir=conferir,
        espera_seconds=espera_seconds,
    )


def _extras(contract: AgentContract, decidido: Decidido) -> tuple[Dado, ...]:
    """What an agent's prompt speaks of and no earlier answer holds: the proved effect, and what documents are called."""
    match contract.stage:
        case "ajustes":
            return (dado("efeito", decidido.pedido.efeito_ajustes),)
        case "sintese":
            return (documentos_dado(decidido.pedido.documentos.pendentes),)
        case _:
            return ()


def _fit_to_tell(answer: Any) -> Any:
    if not isinstance(answer, Normalizacao):
        return answer
    value = msgspec.to_builtins(answer)
    pedido = value["pedido_normalizado"]
    del pedido["extras"]
    for name in _PRIVADOS:
        del pedido["beneficiario"][name]
    return value


def dado(rotulo: str, value: Any) -> Dado:
    """A value under its label: a text as it is, anything else as JSON."""
    return Dado(rotulo, value if isinstance(value, str) else msgspec.json.encode(value).decode())
