"""`crivo agentes conferir`: a changed prompt beside its change log, and beside what models answered to the one before."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.avaliacao_clinicas import progress
from crivo.cli.avaliar_modelo import PERGUNTAS, require_model, show_pairs, show_scores, tell_unknown
from crivo.cli.saida import emit_value, encode, note, say
from crivo.kernel.agents.mudancas import (
    ARQUIVO,
    DIGEST_CARACTERES,
    Mudanca,
    line_of,
    parse_mudancas,
    problem_of,
    read_mudancas,
    with_line,
)
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
    """The file is no prompt, or has no log beside it."""

    codigo: ClassVar[str] = "prompt_ilegivel"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Não é um prompt"


def conferir(
    ctx: typer.Context,
    arquivo: Annotated[Path, typer.Argument(metavar="PROMPT", help="O arquivo do prompt, com o nome que ele tem, como sintese.md.")],
    gravadas: Annotated[
        Path | None,
        typer.Option("--gravadas", metavar="PASTA", help="Refaz com o prompt novo as perguntas desta gravação e mostra o que muda."),
    ] = None,
    perguntas: Annotated[
        int, typer.Option("--perguntas", metavar="N", min=1, max=10_000, help="Com --gravadas: no máximo tantas perguntas ao modelo.")
    ] = PERGUNTAS,
    anotar: Annotated[
        str | None,
        typer.Option("--anotar", metavar="PORQUÊ", help="Escreve a versão nova no registro de mudanças ao lado do arquivo, com o porquê."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Confere um prompt: a versão, o registro de mudanças e, com --gravadas, o que as respostas ganham e perdem.

    Com CRIVO_MODELO, o modelo responde de novo ao que está gravado deste prompt; o resto é repetido. Sem ele, o que está gravado passa
    pela conferência de hoje, e o que o modelo diria ao prompt novo não se sabe.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    package, prompt = _read(arquivo)
    settings = ambiente.settings()
    hoje = settings.clock.now().date()
    if anotar is not None:
        _note_down(arquivo, prompt, hoje, anotar)
    problema = problem_of(arquivo.name, prompt, _log(package, arquivo).get(arquivo.name, ()), hoje)
    own = load_prompt(package, arquivo.name)
    document: dict[str, Any] = {
        "prompt": f"{package.rpartition('.')[2]}/{arquivo.name}",
        "versao": prompt.versao,
        "digest": prompt.digest,
        "mudou": prompt.digest != own.digest,
        "problema": problema,
    }
    if not ambiente.json:
        _show_prompt(document)
    if gravadas is not None:
        document["gravadas"] = _on_recorded(ambiente, settings, gravadas, package, (own, prompt), perguntas)
    if ambiente.json:
        emit_value(document)
    if problema is not None:
        raise typer.Exit(1)


def _read(arquivo: Path) -> tuple[str, Prompt]:
    """The package of a prompt, and the prompt. Raises PromptIlegivel."""
    named = {entry.name: package for package in _PACKAGES for entry in resources.files(package).joinpath("prompts").iterdir()}
    known = sorted(name for name in named if name.endswith(".md") and name != ARQUIVO)
    if arquivo.name not in known:
        raise PromptIlegivel(f"Nenhum agente tem o prompt {arquivo.name}. O arquivo tem o nome de um destes: {', '.join(known)}.")
    try:
        return named[arquivo.name], read_prompt(arquivo.read_text(encoding="utf-8"), arquivo.name)
    except ValueError:
        raise PromptIlegivel(f"{arquivo} não começa com 'versão: N', em UTF-8.") from None


def _log(package: str, arquivo: Path) -> Mapping[str, tuple[Mudanca, ...]]:
    """The log beside a file, else the one of the package."""
    beside = arquivo.with_name(ARQUIVO)
    return parse_mudancas(beside.read_text(encoding="utf-8")) if beside.exists() else read_mudancas(package)


def _note_down(arquivo: Path, prompt: Prompt, hoje: date, porque: str) -> None:
    """Write the line of a new version into the log beside the file; one that has its line already is left as it is."""
    beside = arquivo.with_name(ARQUIVO)
    if not beside.exists():
        raise PromptIlegivel(f"Ao lado de {arquivo} não há {ARQUIVO} em que anotar.")
    texto = beside.read_text(encoding="utf-8")
    versions = {mudanca.versao for mudanca in parse_mudancas(texto).get(arquivo.name, ())}
    if prompt.versao not in versions:
        beside.write_text(with_line(texto, arquivo.name, line_of(prompt, hoje, " ".join(porque.split()) or "…")), encoding="utf-8")


def _show_prompt(document: Mapping[str, Any]) -> None:
    same = "É outro texto que não o deste crivo" if document["mudou"] else "É o texto deste crivo"
    say(f"{document['prompt']}, versão {document['versao']}, SHA-256 {document['digest'][:DIGEST_CARACTERES]}. {same}.")
    say(document["problema"] or "A versão e o registro de mudanças estão de acordo.")


def _on_recorded(
    ambiente: Ambiente, settings: Settings, caminho: Path, package: str, prompts: tuple[Prompt, Prompt], perguntas: int
) -> dict[str, Any] | None:
    from crivo.gravadas.comparacao import compare, other_prompt
    from crivo.gravadas.modelo import Gravacao, Trocado
    from crivo.gravadas.registro import open_pasta
    from crivo.kernel.logs import configure_logs

    configure_logs("ERROR")
    own, prompt = prompts
    pasta = open_pasta(caminho)
    tamanho = _only(package, pasta.manifesto.tamanho)
    antes = Gravacao(pasta, trocado=Trocado(own.digest, own))
    scored = asyncio.run(_measured(antes, pasta, Scope(LOCAL_TENANT, "agentes-conferir"), tamanho, "Repetindo"))
    if not antes.do_prompt & pasta.gravadas.keys():
        note(f"{caminho} não tem resposta a este prompt: não há o que repetir.")
        return None
    agentes = {chave.agente for chave in antes.do_prompt}
    before = _of(agentes, scored)
    if not settings.modelo:
        note("CRIVO_MODELO não está preenchido: o que um modelo diria a este prompt não se sabe. Eis o que está gravado.")
        if not ambiente.json:
            show_scores(before)
            tell_unknown(before.nao_sabido)
        return {"perguntado": False, "antes": before}
    require_model(settings)
    if settings.modelo != pasta.manifesto.modelo:
        note(f"As gravadas são de {pasta.manifesto.modelo}; responde agora {settings.modelo}: o que muda pode ser do modelo.")

    async def work(container: Container, scope: Scope) -> tuple[Placar, Gravacao]:
        depois = Gravacao(pasta, container.modelo, perguntas, Trocado(own.digest, prompt))
        return await _measured(depois, pasta, scope, tamanho, "Perguntando"), depois

    scored, depois = ambiente.use(work, settings)
    after = _of(agentes, scored)
    outras = other_prompt(depois.do_prompt, antes.contas, depois.contas)
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


def _only(package: str, tamanho: Tamanho) -> Tamanho:
    """The sets of one application."""
    from crivo.gravadas.registro import Tamanho

    match package:
        case "crivo.autorizacoes":
            return Tamanho(tamanho.redacao, tamanho.sombra, 0, 0)
        case "crivo.clinicas":
            return Tamanho(0, 0, tamanho.conversas, 0)
        case _:
            return Tamanho(0, 0, 0, tamanho.projetos)


def _of(agentes: Collection[str], placar: Placar) -> Placar:
    """The same, with nobody's counts but of these agents, and no figure of nothing."""
    import msgspec

    found = placar.nao_sabido

    def its(counts: Mapping[str, int]) -> Mapping[str, int]:
        return {name: many for name, many in counts.items() if name in agentes}

    return msgspec.structs.replace(
        placar,
        agentes=tuple(one for one in placar.agentes if one.agente in agentes),
        medidas=tuple(medida for medida in placar.medidas if medida.parte.total),
        campos={},
        nao_sabido=msgspec.structs.replace(
            found,
            sem_resposta=its(found.sem_resposta),
            fora_da_forma=its(found.fora_da_forma),
            sem_segunda=its(found.sem_segunda),
            outro_prompt=its(found.outro_prompt),
            nao_perguntadas=its(found.nao_perguntadas),
        ),
    )


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
