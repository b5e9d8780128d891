"""`crivo demo`: each application on its sample data, one after the other, and then the pages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Final

import typer

from crivo.cli import chaves, demo_autorizacoes, demo_clinicas, demo_pessoas, demo_triagem, servidor
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.demo_pessoas import Entrada
from crivo.cli.saida import FAILED, emit_value, note
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    import socket

    from crivo.bootstrap import Container
    from crivo.kernel.settings import Settings

_KEY_LASTS: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Portas:
    """How to get in: a link for each person of the demo, a key for a program."""

    pessoas: tuple[Entrada, ...]
    chave: str


def demo(
    ctx: typer.Context,
    sem_servidor: Annotated[bool, typer.Option("--sem-servidor", help="Só faz e mostra; não abre as páginas.")] = False,
    porta: Annotated[
        int | None,
        typer.Option("--porta", metavar="N", min=1, max=65535, help="Porta das páginas; sem ela, CRIVO_PORTA."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Decide os pedidos de amostra, conversa com as seis clínicas, tria o edital de amostra e abre as páginas.

    Tudo na amostra é inventado. Rodar de novo não decide outra vez, e o que a conversa marca ela cancela.
    As clínicas ficam no ar até o fim.
    """
    from crivo.kernel.settings import SIMULADO
    from crivo.triagem.embeddings.semantico import SEMANTICO, semantico_lacking

    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings = ambiente.settings(porta=porta)
    chosen = {} if settings.modelo else {"modelo": SIMULADO}  # so that a newcomer sees the notas too, shown as simulated
    if "embeddings" not in settings.model_fields_set and not semantico_lacking():
        chosen["embeddings"] = SEMANTICO
    settings = ambiente.settings(porta=porta, **chosen)
    listener = None
    if not sem_servidor:  # had now, as its number is in every link that is made meanwhile
        settings, listener = servidor.open_port(settings)
    if not ambiente.json:
        note("Subindo as clínicas, preparando o banco, decidindo os pedidos e triando o edital de amostra…")

    async def work(container: Container, scope: Scope) -> tuple[demo_autorizacoes.Demonstracao, demo_triagem.Triado, Portas | None]:
        decidido = await demo_autorizacoes.demonstrate(container, scope)
        triado = await demo_triagem.demonstrate(container, scope, quiet=ambiente.json)
        return decidido, triado, None if sem_servidor else await _open_the_doors(container, scope, triado.resultado.edital_id)

    with demo_clinicas.running(settings) as clinicas:
        autorizacoes, triado, portas = ambiente.use(work, settings)
        conversado = asyncio.run(demo_clinicas.demonstrate(clinicas))
        if ambiente.json:
            told = {"autorizacoes": demo_autorizacoes.value(autorizacoes), "clinicas": demo_clinicas.value(conversado)}
            emit_value({**told, "triagem": demo_triagem.value(triado)})
        else:
            demo_autorizacoes.show(autorizacoes)
            demo_clinicas.show(conversado, clinicas)
            demo_triagem.show(triado)
        if portas is not None and listener is not None:
            _serve(settings, portas, listener)
    if not (autorizacoes.holds and conversado.holds and triado.holds):
        raise typer.Exit(FAILED)


async def _open_the_doors(container: Container, scope: Scope, edital_id: str) -> Portas:
    pessoas = await demo_pessoas.invite(container, scope, edital_id)
    return Portas(pessoas, (await chaves.create(container, scope, "demonstração", None, _KEY_LASTS)).segredo)


def _serve(settings: Settings, portas: Portas, listener: socket.socket) -> None:
    home = settings.endereco
    links = [f"  {one.apresentada}\n    {home}/entrar?token={one.token}&volta={one.comeca_em}" for one in portas.pessoas]
    told = (
        f"\nAs páginas estão em {home}. Entre por um destes links; cada um serve uma vez:",
        *links,
        "Ou decida um pedido pela API, com uma chave que vale um dia:",
        f"  curl -s {home}/api/autorizacoes -H 'Authorization: Bearer {portas.chave}' \\",
        f"    -H 'Content-Type: application/json' -d '{_SAMPLE_BODY}'",
        "Ctrl-C encerra tudo, as clínicas também.",
    )
    servidor.run(settings, "\n".join(told), listener, log_nivel="WARNING")


_SAMPLE_BODY: Final = (
    '{"pedido_id": "TESTE-1", "administradora_id": "090417", "plano_id": "PLENO", "data_pedido": "2026-10-05", '
    '"beneficiario": {"id": "B-1", "idade": 40, "carencia_cumprida_dias": 400}, "prestador": {"tipo": "CREDENCIADO"}, '
    '"procedimento": {"codigo": "41101014", "tabela": "TUSS", "quantidade": 3}, "documentos_anexos": ["pedido médico", "laudo médico"]}'
)
