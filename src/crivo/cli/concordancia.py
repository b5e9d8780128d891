"""`crivo autorizacoes concordancia`: how far the model agrees with the code, where it runs beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.datas import Desde, instant
from crivo.cli.saida import emit_value, say, share, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.modelo.concordancia import AgenteComparado, Concordancia
    from crivo.bootstrap import Container

_AGENTES: Final = {
    "normalizacao": "1. Normalização",
    "parametros": "2. Parâmetros",
    "consulta": "3. Consulta",
    "avaliacao": "4. Avaliação",
    "ajustes": "5. Ajustes",
    "sintese": "6. Síntese",
}
_FALHAS: Final = {
    "fora_do_ar": "o serviço não respondeu",
    "limite_de_uso": "excesso de uso",
    "demorou": "demorou demais",
    "ilegivel": "resposta cortada ou ilegível",
    "fora_do_formato": "fora da forma pedida",
    "recusou": "recusou-se a responder",
    "orcamento": "limite de gasto do mês",
    "nao_aceito": "chave ou nome não aceitos",
    "entrada_longa_demais": "entrada longa demais",
    "trabalho_interrompido": "trabalho interrompido",
}


def concordancia(ctx: typer.Context, desde: Desde = None, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Mostra quanto o modelo concorda com o código, por agente e por campo, nos pedidos do modo sombra.

    As taxas vêm com o intervalo de 95 %; as falhas do modelo são contadas à parte.
    De um texto não se pede que seja igual: conta o que passa na conferência.
    """
    from crivo.autorizacoes.modelo.concordancia import measure

    ambiente = Ambiente.of(ctx, tenant, as_json)
    inicio = instant(desde)

    async def work(container: Container, scope: Scope) -> Concordancia:
        return await measure(container.database, scope, inicio)

    found = ambiente.use(work)
    if ambiente.json:
        emit_value(found)
    else:
        _show(found)


def _show(found: Concordancia) -> None:
    if not found.pedidos:
        say("Nenhum pedido foi comparado ainda. Com CRIVO_MODO_AUTORIZACOES=sombra, cada pedido decidido passa a ser.")
        return
    table(
        ("Agente", "Respondeu", "Respostas iguais", "Campos iguais", "Textos que passam", "Falhas"),
        [
            (
                _AGENTES[one.agente],
                share(one.respondidas),
                share(one.inteiros),
                share(one.valores),
                share(one.textos),
                ", ".join(f"{_FALHAS.get(falha, falha)} ({vezes})" for falha, vezes in one.falhas.items()),
            )
            for one in found.agentes
        ],
    )
    rows = [row for one in found.agentes for row in _disagreements(one)]
    table(("Agente", "Campo", "Concordância", "Por quê"), rows, empty="Todos os campos respondidos concordam.")
    say(f"{found.pedidos} {'pedido comparado' if found.pedidos == 1 else 'pedidos comparados'}.")


def _disagreements(agente: AgenteComparado) -> list[tuple[str, str, str, str]]:
    """The fields that do not always agree, as rows."""
    return [
        (
            _AGENTES[agente.agente],
            campo.campo,
            share(campo.taxa),
            ", ".join(f"{falha} ({vezes})" for falha, vezes in campo.falhas.items()),
        )
        for campo in agente.campos
        if campo.taxa["acertos"] < campo.taxa["total"]
    ]
