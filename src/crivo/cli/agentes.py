"""`crivo agentes`: the contracts of the six agents, as data, and the check of a changed prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import typer
from typer._click import Context  # Typer carries its own Click, and gives this no public name

from crivo.cli.ajuda import HELP_NAMES, Aplicacao, Grupo
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import emit_value, encode, say, table
from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from crivo.kernel.agents.contract import AgentContract
    from crivo.kernel.agents.prompts import Prompt

_SHOWS: Final = "mostrar"
_AUTHORS: Final = {"codigo": "código", "modelo": "modelo", "pessoa": "pessoa"}


class AgenteDesconhecido(CrivoError):
    """No agent has that name."""

    codigo: ClassVar[str] = "agente_desconhecido"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Agente desconhecido"


class _OuMostra(Grupo):
    """Commands of which the first need not be said: `crivo agentes sintese` shows one."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """What is no command's name is what is to be shown."""
        first = args[0] if args else ""
        return super().parse_args(ctx, args if first in {*self.commands, *HELP_NAMES} else [_SHOWS, *args])


app = Aplicacao("Mostra os seis agentes das autorizações e confere um prompt mudado.", _OuMostra)


@app.comando(_SHOWS)
def mostrar(
    ctx: typer.Context,
    nome: Annotated[str | None, typer.Argument(metavar="NOME", help="O agente a mostrar por inteiro, como sintese.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra os seis agentes: o que cada um faz, vê, responde, e quem pode escrever cada campo."""
    from crivo.autorizacoes.agentes import AGENTES

    ambiente = Ambiente.of(ctx, tenant, as_json)
    if nome is None:
        if ambiente.json:
            emit_value([_value(agente) for agente in AGENTES])
        else:
            _show_all(AGENTES)
        return
    agente = _get(AGENTES, nome)
    if ambiente.json:
        textos = agente.prompt_textos
        emit_value(_value(agente) | {"prompt_texto": agente.prompt.texto} | ({"prompt_textos_texto": textos.texto} if textos else {}))
    else:
        _show(agente)


def _get(agentes: tuple[AgentContract, ...], nome: str) -> AgentContract:
    for agente in agentes:
        if nome in (agente.name, agente.stage):
            return agente
    raise AgenteDesconhecido(f"Os agentes são: {', '.join(agente.stage for agente in agentes)}.")


def _value(agente: AgentContract) -> dict[str, Any]:
    return {
        "nome": agente.name,
        "etapa": agente.stage,
        "tarefa": agente.tarefa,
        "fonte": agente.source,
        "ve": agente.sees,
        "entrada": _input_schema(agente),
        "saida": _output_schema(agente),
        "autoria": agente.authors(),
        "prompt": _prompt(agente.prompt),
        "prompt_textos": _prompt(agente.prompt_textos),
        "modelo": {"nome": agente.model.modelo, "temperatura": agente.model.temperatura},
        "limites": {"entrada_caracteres": agente.budget.entrada_caracteres, "saida_caracteres": agente.budget.saida_caracteres},
    }


def _prompt(prompt: Prompt | None) -> dict[str, Any] | None:
    return None if prompt is None else {"versao": prompt.versao, "digest": prompt.digest, "caracteres": len(prompt.texto)}


def _output_schema(agente: AgentContract) -> dict[str, Any]:
    import msgspec

    return msgspec.json.schema(agente.output)


def _input_schema(agente: AgentContract) -> dict[str, Any]:
    """An object with one property for each answer the agent may see; the pedido is free-form, `ajustes` may be null."""
    import msgspec

    from crivo.autorizacoes.agentes import AGENTES

    answers = {contract.stage: contract.output for contract in AGENTES if contract.stage in agente.sees}
    schemas, definitions = msgspec.json.schema_components(answers.values(), ref_template="#/$defs/{name}")
    seen: dict[str, Any] = dict(zip(answers, schemas, strict=True))
    if "ajustes" in seen:
        seen["ajustes"] = {"anyOf": [seen["ajustes"], {"type": "null"}]}
    properties = {name: seen.get(name, {"type": "object"}) for name in agente.sees}
    return {"type": "object", "properties": properties, "required": list(agente.sees), "$defs": definitions}


def _show_all(agentes: tuple[AgentContract, ...]) -> None:
    rows = [
        (agente.stage, agente.source, agente.tarefa, ", ".join(agente.sees), ", ".join(agente.model_writes) or "nada") for agente in agentes
    ]
    table(("Agente", "Fonte", "O que faz", "O que vê", "O que um modelo pode escrever"), rows, empty="")
    say("Veja um por inteiro com 'crivo agentes NOME'.")


def _show(agente: AgentContract) -> None:
    prompt = agente.prompt
    say(f"{agente.name} ({agente.source})")
    say(f"  {agente.tarefa}")
    say(f"  Vê: {', '.join(agente.sees)}.")
    say(f"  Modelo indicado: {agente.model.modelo}, temperatura {agente.model.temperatura}.".replace(".6", ",6"))
    say(f"  Capacidade: {agente.budget.entrada_caracteres} caracteres de entrada e {agente.budget.saida_caracteres} de saída.")
    say("\nQuem escreve cada campo")
    rows = [(campo, _either([_AUTHORS[autor] for autor in autores])) for campo, autores in agente.authors().items()]
    table(("Campo", "Autor"), rows, empty="")
    for title, schema in (("Entrada (JSON Schema)", _input_schema(agente)), ("Saída (JSON Schema)", _output_schema(agente))):
        import msgspec

        say(f"{title}\n{msgspec.json.format(encode(schema), indent=2).decode()}\n")
    say(f"Prompt, versão {prompt.versao}, SHA-256 {prompt.digest}\n\n{prompt.texto}")
    if textos := agente.prompt_textos:
        say(f"\nPrompt de quem escreve só os textos, versão {textos.versao}, SHA-256 {textos.digest}\n\n{textos.texto}")


def _either(names: list[str]) -> str:
    return " ou ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
