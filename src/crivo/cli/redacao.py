"""`crivo autorizacoes avaliar-redacao`: how well texts about decisions are checked, on labelled ones."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import read_file
from crivo.cli.saida import emit_value, say, share, table

_LARGEST: Final = 100_000_000
_NOMES: Final = {
    "numero": "número que não está nos dados",
    "codigo": "código que não está nos dados",
    "data": "data que não está nos dados",
    "documento": "documento, fonte ou lei de fora",
    "resultado": "contradiz ou promete",
    "jargao": "palavras que o leitor não conhece",
    "sem_fonte": "nega sem motivo ou sem fonte",
}

Conjunto = Annotated[str, typer.Option("--conjunto", metavar="ARQ", help="Os textos rotulados, em JSON; '-' lê da entrada padrão.")]


def avaliar_redacao(ctx: typer.Context, conjunto: Conjunto, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Mede a conferência de textos em casos rotulados: o que pega de cada falha, e os alarmes falsos.

    Cada caso traz a decisão inteira, o campo e o texto; nada é guardado e nenhum modelo é chamado.
    """
    from crivo.autorizacoes.redacao.conjunto import avaliar, read_casos

    ambiente = Ambiente.of(ctx, tenant, as_json)
    document = avaliar(read_casos(read_file(conjunto, _LARGEST)))
    if ambiente.json:
        emit_value(document)
        return
    metricas = document["metricas"]
    rows = [("todas", share(metricas["recall"]), "", share(metricas["alarmes_falsos"]))]
    rows += [
        (f"{falha}: {_NOMES[falha]}", share(one["pegos"]), share(one["pelo_tipo"]), share(one["alarmes_falsos"]))
        for falha, one in metricas["por_falha"].items()
    ]
    table(("Falha", "Textos retidos", "Por esta falha", "Alarmes falsos"), rows)
    wrong = [caso["id"] for caso in document["casos"] if not caso["certo"]]
    casos = metricas["casos"]
    say(f"{casos} {'caso' if casos == 1 else 'casos'}. Errados: {', '.join(wrong) or 'nenhum'}.")
