"""`crivo doutor`: what is configured, what is reachable, and what to do about what is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import FAILED, emit_value, say
from crivo.kernel.errors import CrivoError

if TYPE_CHECKING:
    from crivo.cli.exames.exame import Estado, Exame

_MARKS: Final[Mapping[Estado, str]] = {"bem": "✓", "opcional": "–", "mal": "✗"}


def doutor(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Examina a instalação: o que está configurado, o que responde, o que falta e o comando que conserta.

    Não muda nada. Termina com código 1 quando algo necessário não funciona.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    exames = _examine(ambiente)
    healthy = all(exame.estado != "mal" for exame in exames)
    if ambiente.json:
        emit_value({"ok": healthy, "exames": exames})
    else:
        for exame in exames:
            say(f"{_MARKS[exame.estado]} {exame.nome}: {exame.detalhe}")
            if exame.ato and exame.ato not in exame.detalhe:
                say(f"    → {exame.ato}")
        say("Tudo o que é necessário funciona." if healthy else "Algo necessário não funciona; veja as linhas com ✗.")
    if not healthy:
        raise typer.Exit(FAILED)


def _examine(ambiente: Ambiente) -> Sequence[Exame]:
    from crivo.cli.exames.exame import Exame

    try:
        settings = ambiente.settings()
    except CrivoError as error:
        return [Exame("configuracao", "Configuração", "mal", problem.mensagem, problem.caminho) for problem in error.problemas]
    from crivo.cli.exames.catalogo import examine  # here: a wrong setting is told even where nothing else can be loaded

    told = f"organização {settings.tenant}, modo {settings.modo}"
    return [Exame("configuracao", "Configuração", "bem", told), *examine(settings)]
