"""`crivo agentes conferir`: a changed prompt beside its change log, and beside what models answered to the one before."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.avaliacao_clinicas import progress
from crivo.cli.avaliar_modelo import PERGUNTAS, require_model, show_pairs, show_scores, tell_unknown
from crivo.cli.saida import emit_value, encode, note, say
from crivo.kernel.agents.mudancas import problem_of, read_mudancas
from crivo.kernel.agents.prompts import Prompt, load_prompt, read_prompt
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.gravadas.comparacao import Outra
    from crivo.gravadas.modelo import Gravacao
    from crivo.gravadas.placar import Placar
    from crivo.gravadas.registro import Pasta, Tamanho
    from crivo.kernel.settings import Settings

_PACKAGES: Final = ("crivo.autorizacoes", "crivo.clinicas", "crivo.triagem")
_SHOWN: Final = 10
_LONGEST: Final = 600


class PromptIlegivel(CrivoError):
    """The file is no prompt, or of no agent."""

    codigo: ClassVar[str] = "prompt_ilegivel"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Não é um prompt"


def conferir(
    ctx: typer.Context,
    arquivo: Annotated[Path, typer.Argument(metavar="PROMPT", help="O arquivo do prompt, com o nome do agente, como sintese.md.")],
    gravadas: Annotated[
        Path | None,
        typer.Option("--gravadas", metavar="PASTA", help="Refaz com o prompt novo as perguntas desta gravação e mostra o que muda."),
    ] = None,
    perguntas: Annotated[
        int, typer.Option("--perguntas", metavar="N", min=1, max=10_000, help="Com --gravadas: no máximo tantas perguntas ao modelo.")
    ] = PERGUNTAS,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Confere um prompt: a versão, o registro de mudanças e, com --gravadas, o que as respostas ganham e perdem.

    Com CRIVO_MODELO, o modelo responde de novo ao que está gravado deste agente; os outros agentes são repetidos. Sem ele, o que está
    gravado passa pela conferência de hoje, e o que o modelo diria ao prompt novo não se sabe.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    package, prompt = _read(arquivo)
    settings = ambiente.settings()
    problema = problem_of(arquivo.name, prompt, read_mudancas(package).get(arquivo.name, ()), settings.clock.now().date())
    agente = f"{package.rpartition('.')[2]}.{arquivo.stem}"
    document: dict[str, Any] = {
        "agente": agente,
        "versao": prompt.versao,
        "digest": prompt.digest,
        "mudou": prompt.digest != load_prompt(package, arquivo.name).digest,
        "problema": problema,
    }
    if not ambiente.json:
        _show_prompt(document)
    if gravadas is not None:
        document["gravadas"] = _on_recorded(ambiente, settings, gravadas, (agente, prompt), perguntas)
    if ambiente.json:
        emit_value(document)
    if problema is not None:
        raise typer.Exit(1)


def _read(arquivo: Path) -> tuple[str, Prompt]:
    """The package of a prompt's agent, and the prompt. Raises PromptIlegivel."""
    named = {entry.name: package for package in _PACKAGES for entry in resources.files(package).joinpath("prompts").iterdir()}
    known = sorted(name for name in named if name.endswith(".md") and name != "mudancas.md")
    if arquivo.name not in known:
        raise PromptIlegivel(f"Nenhum agente tem o prompt {arquivo.name}. O arquivo tem o nome de um destes: {', '.join(known)}.")
    try:
        return named[arquivo.name], read_prompt(arquivo.read_text(encoding="utf-8"), arquivo.name)
    except ValueError:
        raise PromptIlegivel(f"{arquivo} não começa com 'versão: N', em UTF-8.") from None


def _show_prompt(document: Mapping[str, Any]) -> None:
    same = "É outro texto que não o deste crivo" if document["mudou"] else "É o texto deste crivo"
    say(f"{document['agente']}, versão {document['versao']}, SHA-256 {document['digest'][:12]}. {same}.")
    say(document["problema"] or "A versão e o registro de mudanças estão de acordo.")


def _on_recorded(
    ambiente: Ambiente, settings: Settings, caminho: Path, trocado: tuple[str, Prompt], perguntas: int
) -> dict[str, Any] | None:
    from crivo.gravadas.comparacao import compare, other_prompt
    from crivo.gravadas.modelo import Gravacao
    from crivo.gravadas.registro import open_pasta
    from crivo.kernel.logs import configure_logs

    configure_logs("ERROR")
    agente, _ = trocado
    pasta = open_pasta(caminho)
    if agente not in {chave.agente for chave in pasta.gravadas}:
        note(f"{caminho} não tem pergunta de {agente}: não há o que repetir.")
        return None
    tamanho = _only(agente, pasta.manifesto.tamanho)
    antes = Gravacao(pasta)
    before = _of(agente, asyncio.run(_measured(antes, pasta, Scope(LOCAL_TENANT, "agentes-conferir"), tamanho, "Repetindo")))
    if not settings.modelo:
        note(f"CRIVO_MODELO não está preenchido: o que um modelo diria a este prompt não se sabe. Eis o que está gravado de {agente}.")
        if not ambiente.json:
            show_scores(before)
            tell_unknown(before.nao_sabido)
        return {"perguntado": False, "antes": before}
    require_model(settings)
    if settings.modelo != pasta.manifesto.modelo:
        note(
            f"As gravadas são de {pasta.manifesto.modelo}, e quem responde agora é {settings.modelo}: parte do que muda pode ser do modelo."
        )

    async def work(container: Container, scope: Scope) -> tuple[Placar, Gravacao]:
        depois = Gravacao(pasta, container.modelo, perguntas, trocado)
        return await _measured(depois, pasta, scope, tamanho, "Perguntando"), depois

    scored, depois = ambiente.use(work, settings)
    after = _of(agente, scored)
    outras = other_prompt(agente, antes.contas, depois.contas)
    if not ambiente.json:
        say(f"{len(depois.novas)} respostas novas de {settings.modelo}.")
        show_pairs(compare(before, after).medidas, ("Gravadas", "Prompt novo"))
        tell_unknown(after.nao_sabido)
        _show_others(outras)
    return {"perguntado": True, "antes": before, "depois": after, "outras": outras}


async def _measured(gravacao: Gravacao, pasta: Pasta, scope: Scope, tamanho: Tamanho, doing: str) -> Placar:
    from crivo.gravadas.placar import measure

    with progress(tamanho.casos, doing) as step:
        return await measure(gravacao, pasta, scope, tamanho, on_case=step)


def _only(agente: str, tamanho: Tamanho) -> Tamanho:
    """The sets in which an agent is asked, and none of the others."""
    from crivo.gravadas.registro import Tamanho

    match agente.partition(".")[0]:
        case "autorizacoes":
            return Tamanho(tamanho.redacao, tamanho.sombra, 0, 0)
        case "clinicas":
            return Tamanho(0, 0, tamanho.conversas, 0)
        case _:
            return Tamanho(0, 0, 0, tamanho.projetos)


def _of(agente: str, placar: Placar) -> Placar:
    """The same, with nobody's counts but the agent's, and no figure of nothing."""
    import msgspec

    found = placar.nao_sabido
    return msgspec.structs.replace(
        placar,
        agentes=tuple(one for one in placar.agentes if one.agente == agente),
        medidas=tuple(medida for medida in placar.medidas if medida.parte.total),
        campos={},
        nao_sabido=msgspec.structs.replace(
            found,
            sem_resposta=_its(agente, found.sem_resposta),
            fora_da_forma=_its(agente, found.fora_da_forma),
            sem_segunda=_its(agente, found.sem_segunda),
            outro_prompt=_its(agente, found.outro_prompt),
            nao_perguntadas=_its(agente, found.nao_perguntadas),
        ),
    )


def _its(agente: str, counts: Mapping[str, int]) -> Mapping[str, int]:
    return {name: many for name, many in counts.items() if name == agente}


def _show_others(outras: Sequence[Outra]) -> None:
    from crivo.gravadas.comparacao import NOMES

    worse = sum(outra.sentido == "piorou" for outra in outras)
    say(f"{len(outras) - worse} perguntas melhoraram e {worse} pioraram.")
    for outra in outras[:_SHOWN]:
        say(f"\n{outra.sentido}: {outra.pergunta[:16]}-{outra.amostra}, de {NOMES[outra.antes]} para {NOMES[outra.depois]}")
        say(f"  antes:  {_short(outra.resposta_antes)}")
        say(f"  depois: {_short(outra.resposta_depois)}")
        if outra.problema:
            say(f"  conferência: {_short(outra.problema)}")
    if len(outras) > _SHOWN:
        say(f"… e mais {len(outras) - _SHOWN}; todas com --json.")


def _short(value: object) -> str:
    told = value if isinstance(value, str) else encode(value).decode()
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"
