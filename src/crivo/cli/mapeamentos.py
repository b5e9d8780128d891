"""`crivo autorizacoes mapeamentos`: names of fields that a model proposes, for a person to confirm or refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Final
from uuid import UUID

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import emit_value, moment, say, table
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from crivo.autorizacoes.guardadas import Mapeamento
    from crivo.autorizacoes.modelo.mapeamento import Mapeamentos
    from crivo.bootstrap import Container

_SITUACAO: Final = {"proposto": "espera por você", "confirmado": "✓ confirmado", "recusado": "✗ recusado"}

Id = Annotated[str, typer.Argument(metavar="ID", help="Id da proposta, ou o começo dele.")]
Motivo = Annotated[str, typer.Option("--motivo", metavar="TEXTO", help="Por que; fica na auditoria.")]

app = Aplicacao("Nomes de campo que o modelo propõe: nada muda antes que uma pessoa confirme.")


class PropostaAmbigua(CrivoError):
    """The beginning of an id that several proposals share."""

    codigo: ClassVar[str] = "id_ambiguo"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O começo do id serve a mais de uma proposta"


@app.comando("listar")
def listar(
    ctx: typer.Context,
    todas: Annotated[bool, typer.Option("--todas", help="Também as que já foram confirmadas ou recusadas.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Lista as propostas que esperam por uma decisão."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> list[Mapeamento]:
        return await _mapeamentos(container).listar(scope, None if todas else "proposto")

    found = ambiente.use(work)
    if ambiente.json:
        emit_value(found)
        return
    rows = [
        (one.administradora_id, one.origem, one.destino, _SITUACAO[one.situacao], moment(one.proposto_em), str(one.id)) for one in found
    ]
    table(
        ("Administradora", "Como ela escreve", "Campo do pedido", "Situação", "Proposto em", "Id"),
        rows,
        empty="Nenhuma proposta espera por uma decisão.",
        whole="Id",
    )


@app.comando("confirmar")
def confirmar(ctx: typer.Context, proposta: Id, motivo: Motivo, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Confirma uma proposta: a tabela da administradora cresce, e vale para as decisões de agora em diante."""

    async def decide(mapeamentos: Mapeamentos, scope: Scope, mapeamento_id: UUID) -> Mapeamento:
        return await mapeamentos.confirmar(scope, mapeamento_id, motivo)

    _decide(Ambiente.of(ctx, tenant, as_json), proposta, decide)


@app.comando("recusar")
def recusar(ctx: typer.Context, proposta: Id, motivo: Motivo, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Recusa uma proposta: ela fica guardada, e não é feita de novo."""

    async def decide(mapeamentos: Mapeamentos, scope: Scope, mapeamento_id: UUID) -> Mapeamento:
        return await mapeamentos.recusar(scope, mapeamento_id, motivo)

    _decide(Ambiente.of(ctx, tenant, as_json), proposta, decide)


def _decide(ambiente: Ambiente, proposta: str, decide: Callable[[Mapeamentos, Scope, UUID], Awaitable[Mapeamento]]) -> None:
    async def work(container: Container, scope: Scope) -> Mapeamento:
        mapeamentos = _mapeamentos(container)
        return await decide(mapeamentos, scope, await _find(mapeamentos, scope, proposta))

    found = ambiente.use(work)
    if ambiente.json:
        emit_value(found)
    else:
        say(f"{_SITUACAO[found.situacao]}: {found.administradora_id} escreve “{found.origem}” para {found.destino}.")


async def _find(mapeamentos: Mapeamentos, scope: Scope, beginning: str) -> UUID:
    from crivo.autorizacoes.modelo.mapeamento import MapeamentoNotFound

    found = [one.id for one in await mapeamentos.listar(scope) if beginning and str(one.id).startswith(beginning.lower())]
    if len(found) > 1:
        raise PropostaAmbigua("Escreva mais letras do id: mais de uma proposta começa assim.")
    if not found:
        raise MapeamentoNotFound("Não há proposta com este id. Veja as que existem com 'crivo autorizacoes mapeamentos listar --todas'.")
    return found[0]


def _mapeamentos(container: Container) -> Mapeamentos:
    from crivo.autorizacoes.modelo.mapeamento import Mapeamentos

    return Mapeamentos(container.database, container.clock)
