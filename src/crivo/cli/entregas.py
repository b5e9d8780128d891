"""`crivo entregas`: where decisions go, what waits, and having it delivered now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, cast
from uuid import UUID

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import emit_value, moment, note, say, table
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from crivo.autorizacoes.entregas.contracts import Canal, Conteudo, Entrega, EstadoDoDestino, Evento, SituacaoDaCarta
    from crivo.autorizacoes.entregas.service import DestinoVisto, Registrado
    from crivo.bootstrap import Container

app = Aplicacao("Mostra para onde vão os avisos de decisões e cuida do que espera.")
_ESTADOS: Final[Mapping[EstadoDoDestino, str]] = {
    "recebendo": "recebendo",
    "nao_recebe": "não está recebendo",
    "so_grava": "só gravado: sem CRIVO_SMTP_URL nada sai",
    "pausado": "pausado",
    "desligado": "desligado",
    "removido": "removido",
}
_CARTAS: Final[Mapping[SituacaoDaCarta, str]] = {
    "na_fila": "na fila do e-mail",
    "gravada": "gravada, não enviada",
    "enviada": "entregue ao servidor de e-mail",
    "falhou": "o e-mail não saiu",
    "cancelada": "cancelada",
}
_DAS_ENTREGAS: Final = {"espera": "à espera", "entregue": "entregue", "desistiu": "sem sucesso", "cancelada": "cancelada"}
Destino = Annotated[
    str, typer.Argument(help="O id do destino, como em 'crivo entregas listar', ou o nome.", metavar="DESTINO", show_default=False)
]


@app.comando("listar")
def listar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista os destinos, com o que espera por cada um."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[DestinoVisto, ...]:
        return await container.entregas.listar(scope)

    found = ambiente.use(work)
    if ambiente.json:
        emit_value([_told(one) for one in found])
        return
    rows = [
        (
            str(one.destino.id),
            one.destino.nome,
            one.destino.canal,
            _ESTADOS[one.estado],
            str(one.fila.quantas),
            moment(one.fila.desde) if one.fila.desde else "",
        )
        for one in found
    ]
    table(("Id", "Nome", "Por", "Situação", "À espera", "Desde"), rows, whole="Id", empty="Nenhum destino registrado.")


@app.comando("registrar")
def registrar(
    ctx: typer.Context,
    endereco: Annotated[str, typer.Argument(help="O endereço https de quem recebe, ou um e-mail.", show_default=False)],
    nome: Annotated[str, typer.Option("--nome", help="O nome de quem recebe.", show_default=False)],
    eventos: Annotated[list[str] | None, typer.Option("--evento", help="O que se avisa; sem isto, tudo.", show_default=False)] = None,
    resumido: Annotated[bool, typer.Option("--resumido", help="Só o resultado e onde ler a decisão.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Registra um destino e mostra, uma vez, o segredo que assina os avisos."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Registrado:
        from crivo.autorizacoes.entregas.contracts import EVENTOS
        from crivo.autorizacoes.entregas.service import Proposto

        canal: Canal = "email" if "@" in endereco and "/" not in endereco else "webhook"
        conteudo: Conteudo = "resumido" if resumido else "inteiro"
        told = cast("tuple[Evento, ...]", tuple(eventos)) if eventos else EVENTOS
        return await container.entregas.registrar(scope, Proposto(nome, canal, endereco, told, conteudo))

    done = ambiente.use(work)
    if ambiente.json:
        emit_value({"id": done.destino.id, "segredo": done.segredo or None, "aviso": done.aviso or None})
        return
    say(f"Destino {done.destino.id} registrado.")
    if done.aviso:
        note(done.aviso)
    if done.segredo:
        say(done.segredo)
        note("Guarde este segredo onde o sistema que recebe guarda segredos: ele não aparece de novo.")


@app.comando("trocar-segredo")
def trocar_segredo(ctx: typer.Context, destino: Destino, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Troca o segredo de um destino; o anterior assina junto por 24 horas."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> str:
        return await container.entregas.girar_segredo(scope, await _which(container, scope, destino))

    segredo = ambiente.use(work)
    if ambiente.json:
        emit_value({"segredo": segredo})
    else:
        say(segredo)
        note("Ele não aparece de novo. O anterior vale por mais 24 horas.")


@app.comando("exemplo")
def exemplo(ctx: typer.Context, destino: Destino, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Põe um aviso de exemplo na fila de um destino."""

    async def work(container: Container, scope: Scope) -> UUID:
        return await container.entregas.enviar_exemplo(scope, await _which(container, scope, destino))

    ambiente = Ambiente.of(ctx, tenant, as_json)
    sent = ambiente.use(work)
    _said(ambiente, {"id": sent}, f"Exemplo {sent} na fila.")


@app.comando("pausar")
def pausar(ctx: typer.Context, destino: Destino, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Para de enviar a um destino; o que vier espera."""

    async def work(container: Container, scope: Scope) -> UUID:
        which = await _which(container, scope, destino)
        await container.entregas.pausar(scope, which)
        return which

    ambiente = Ambiente.of(ctx, tenant, as_json)
    which = ambiente.use(work)
    _said(ambiente, {"id": which, "situacao": "pausado"}, "Pausado. O que vier espera até 'crivo entregas retomar'.")


@app.comando("retomar")
def retomar(ctx: typer.Context, destino: Destino, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Volta a enviar a um destino pausado ou desligado, começando pelo que espera."""

    async def work(container: Container, scope: Scope) -> UUID:
        which = await _which(container, scope, destino)
        await container.entregas.retomar(scope, which)
        return which

    ambiente = Ambiente.of(ctx, tenant, as_json)
    which = ambiente.use(work)
    _said(ambiente, {"id": which, "situacao": "ativo"}, "Retomado: o que esperava vai em instantes.")


@app.comando("remover")
def remover(ctx: typer.Context, destino: Destino, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Remove um destino: nada mais vai para lá, nem o que espera."""

    async def work(container: Container, scope: Scope) -> tuple[UUID, int]:
        which = await _which(container, scope, destino)
        return which, await container.entregas.remover(scope, which)

    ambiente = Ambiente.of(ctx, tenant, as_json)
    which, cancelled = ambiente.use(work)
    _said(ambiente, {"id": which, "canceladas": cancelled}, f"Removido. Avisos que esperavam e foram cancelados: {cancelled}.")


@app.comando("tentativas")
def tentativas(ctx: typer.Context, destino: Destino, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista as últimas entregas a um destino, com a última resposta de cada uma."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Entrega, ...]:
        return await container.entregas.entregas(scope, await _which(container, scope, destino))

    found = ambiente.use(work)
    if ambiente.json:
        emit_value(found)
        return
    rows = [
        (
            str(one.id),
            one.evento,
            mask_cpfs(one.pedido_id or ""),
            _CARTAS[one.carta] if one.situacao == "entregue" and one.carta is not None else _DAS_ENTREGAS[one.situacao],
            str(one.tentativas),
            str(one.ultimo_status or one.ultima_falha or ""),
            moment(one.criada_em),
        )
        for one in found
    ]
    table(("Id", "Aviso", "Pedido", "Situação", "Tentativas", "Resposta", "Criada em"), rows, whole="Id", empty="Nenhuma entrega.")


@app.comando("reenviar")
def reenviar(
    ctx: typer.Context,
    destino: Destino,
    entrega: Annotated[UUID, typer.Argument(help="O id da entrega, como em 'crivo entregas tentativas'.", show_default=False)],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Põe de novo na fila uma entrega, com o mesmo identificador."""

    async def work(container: Container, scope: Scope) -> None:
        await container.entregas.reenviar(scope, await _which(container, scope, destino), entrega)

    ambiente = Ambiente.of(ctx, tenant, as_json)
    ambiente.use(work)
    _said(ambiente, {"id": entrega}, "A entrega vai de novo em instantes.")


@app.comando("entregar")
def entregar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Entrega agora, neste processo, o que espera e já pode ir."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Mapping[UUID, int], list[str]]:
        done = await container.entregas.entregar_agora(scope)
        now = container.clock.now()
        return done, [_resting(one) for one in await container.entregas.listar(scope) if one.fila.quantas and one.descansa(now)]

    done, resting = ambiente.use(work)
    if ambiente.json:
        emit_value({str(one): many for one, many in done.items()})
    else:
        say(f"{sum(done.values())} entregas tentadas. Veja as respostas com 'crivo entregas tentativas'.")
        for one in resting:
            note(one)


async def _which(container: Container, scope: Scope, dito: str) -> UUID:
    """The destination that somebody means, by its id or by the name that it alone has. Raises DestinoNotFound with which there are."""
    from crivo.autorizacoes.entregas.erros import DestinoNotFound
    from crivo.kernel.linguagem.dobra import fold

    try:
        return UUID(dito)
    except ValueError:
        pass
    found = [one.destino for one in await container.entregas.listar(scope)]
    named = [one.id for one in found if fold(one.nome) == fold(dito)]
    if len(named) == 1:
        return named[0]
    there = "; ".join([f"{one.id} ({one.nome})" for one in found])
    problem = "Mais de um destino tem este nome" if named else "Nenhum destino tem este id nem este nome"
    raise DestinoNotFound(f"{problem}: {mask_cpfs(dito[:60])}. " + (f"Use o id de um destes: {there}." if there else "Não há nenhum."))


def _said(ambiente: Ambiente, valor: dict[str, object], words: str) -> None:
    if ambiente.json:
        emit_value(valor)
    else:
        say(words)


def _resting(one: DestinoVisto) -> str:
    until = moment(one.destino.descansa_ate)
    return f"{one.destino.nome} descansa até {until}, pois as últimas tentativas falharam; 'crivo entregas reenviar' não espera."


def _told(one: DestinoVisto) -> dict[str, object]:
    """A destination for programs: its address may hold a token, and is left out."""
    return {
        "id": one.destino.id,
        "nome": one.destino.nome,
        "canal": one.destino.canal,
        "situacao": one.destino.situacao,
        "estado": one.estado,
        "motivo": one.destino.motivo,
        "a_espera": one.fila.quantas,
        "a_espera_desde": one.fila.desde,
    }
