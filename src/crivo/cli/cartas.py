"""`crivo cartas`: what waits in the outbox, and having it delivered now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import FAILED, emit_value, moment, note, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.cartas.entrega import Fim
    from crivo.kernel.cartas.servico import Linha

app = Aplicacao("Mostra as cartas que saem por e-mail e entrega agora as que esperam.")
_WORDS: Final[Mapping[str, str]] = {
    "na_fila": "espera para sair",
    "enviando": "saindo agora",
    "enviada": "enviada",
    "falhou": "não saiu",
    "cancelada": "cancelada",
}
_ENDS: Final[Mapping[str, str]] = {
    "enviada": "entregues",
    "adiada": "ficam para depois",
    "falhou": "não saem",
    "nada": "já estavam a caminho",
}


@app.comando("listar")
def listar(
    ctx: typer.Context,
    todas: Annotated[bool, typer.Option("--todas", help="Também as que já saíram e as canceladas.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Lista as cartas que esperam, não saíram ou só foram gravadas, até 50, da mais nova para a mais antiga."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Linha, ...]:
        from crivo.kernel.cartas.guardada import SITUACOES
        from crivo.kernel.cartas.servico import PAGE

        if todas:
            return (await container.cartas.listar(scope, SITUACOES)).linhas
        waiting = await container.cartas.listar(scope, ("na_fila", "enviando", "falhou"))
        written = await container.cartas.listar(scope, ("enviada",), gravada=True)
        return tuple(sorted([*waiting.linhas, *written.linhas], key=lambda one: one.id, reverse=True)[:PAGE])

    found = ambiente.use(work)
    if ambiente.json:
        emit_value(found)
        return
    rows = [(str(one.id), moment(one.criada_em), one.para, one.assunto, _told(one), one.falha or "") for one in found]
    table(("Id", "Posta em", "Para", "Assunto", "Situação", "Por quê"), rows, whole="Id", empty="Nenhuma carta espera.")


def _told(linha: Linha) -> str:
    """How far a letter has come: one that was written to a file is not sent until somebody does."""
    return "gravada, não enviada" if linha.situacao == "enviada" and linha.via == "arquivo" else _WORDS[linha.situacao]


@app.comando("entregar")
def entregar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Tenta entregar agora cada carta que espera, sem aguardar a próxima tentativa.

    Termina com código 1 quando alguma não saiu.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Mapping[Fim, int]:
        if container.settings.smtp_url is None and not ambiente.json:
            note("Sem CRIVO_SMTP_URL: as cartas são gravadas em arquivos .eml, em cartas/, na pasta de dados.")
        return await container.cartas.entregar_agora(scope)

    done = ambiente.use(work)
    if ambiente.json:
        emit_value(done)
    elif done:
        say(", ".join(f"{many} {_ENDS[fim]}" for fim, many in done.items()) + ".")
    else:
        say("Nenhuma carta espera.")
    if done.keys() & {"adiada", "falhou"}:
        raise typer.Exit(FAILED)
