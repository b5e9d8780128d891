"""`crivo auditoria`: whether the chain of entries holds, and what it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crivo.autorizacoes.palavras import count
from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import FAILED, emit_value, moment, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.verificacao import Verificacao
    from crivo.bootstrap import Container
    from crivo.kernel.audit import Break, Entry, Verification

_CADEIA: Final = {
    "alterada": "o conteúdo não é o que foi selado",
    "ausente": "não está mais na cadeia",
    "fora_de_ordem": "está fora de ordem",
    "inserida": "foi posta depois, sem continuar a anterior",
    "cabeca_ausente": "a cadeia perdeu o registro de onde termina",
    "cabeca_diverge": "a cadeia não termina como o registro diz",
}
_DECISOES: Final = {
    "alterada": "o que está guardado não é o que foi decidido",
    "sem_registro": "está guardada sem registro na auditoria",
    "ausente": "foi registrada e não está mais guardada",
}

app = Aplicacao("Verifica e mostra a auditoria, em que cada registro sela o anterior.")


@app.comando("verificar")
def verificar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Verifica a cadeia inteira, e cada decisão guardada contra o registro dela.

    Termina com código 0 quando tudo se sustenta e 1 quando algo foi mexido.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    cadeia, decisoes = ambiente.use(verify)
    if ambiente.json:
        emit_value(_value(cadeia, decisoes))
    else:
        for line in tell(cadeia, decisoes):
            say(line)
    if cadeia.quebras or decisoes.quebras:
        raise typer.Exit(FAILED)


@app.comando("listar")
def listar(
    ctx: typer.Context,
    limite: Annotated[int, typer.Option("--limite", metavar="N", min=1, max=10_000, help="Quantos registros mostrar.")] = 50,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Lista os últimos registros da auditoria, dos mais novos para os mais antigos."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Entry, ...]:
        from crivo.kernel.audit.listing import list_latest

        async with container.database.unit_of_work(scope) as uow:
            return await list_latest(uow, limite)

    entries = ambiente.use(work)
    if ambiente.json:
        emit_value([_entry_value(entry) for entry in entries])
        return
    rows = [(str(entry.seq), moment(entry.em), entry.ator, entry.acao, entry.alvo, entry.dados) for entry in entries]
    table(("Nº", "Quando", "Quem", "O quê", "Sobre", "Dados"), rows, empty="A auditoria ainda não tem registros.")


async def verify(container: Container, scope: Scope) -> tuple[Verification, Verificacao]:
    """The chain, and the decisions held against it."""
    from crivo.autorizacoes.verificacao import verify_decisoes
    from crivo.kernel.audit import verify_tenant

    async with container.database.unit_of_work(scope) as uow:
        return await verify_tenant(uow), await verify_decisoes(uow)


def tell(cadeia: Verification, decisoes: Verificacao) -> list[str]:
    """The outcome in words: one line when all holds, else a line for each break."""
    if not cadeia.quebras and not decisoes.quebras:
        head = f" Cabeça da cadeia: {cadeia.cabeca.digest.hex()}." if cadeia.cabeca else ""
        registros = count(cadeia.entradas, "registro confere", "registros conferem")
        return [f"✓ Auditoria íntegra: {registros}, e {count(decisoes.decisoes, 'decisão', 'decisões')} com o registro dela.{head}"]
    broken = [f"  {_place(quebra)}: {_CADEIA[quebra.motivo]}." for quebra in cadeia.quebras]
    broken += [f"  Decisão {quebra.id}: {_DECISOES[quebra.motivo]}." for quebra in decisoes.quebras]
    return [f"✗ A auditoria não se sustenta: {count(len(broken), 'quebra', 'quebras')}.", *broken]


def _place(quebra: Break) -> str:
    return f"Registro {quebra.seq}" if quebra.seq == quebra.ate else f"Registros {quebra.seq} a {quebra.ate}"


def _value(cadeia: Verification, decisoes: Verificacao) -> dict[str, Any]:
    return {
        "integra": not cadeia.quebras and not decisoes.quebras,
        "registros": cadeia.entradas,
        "cabeca": {"seq": cadeia.cabeca.seq, "digest": cadeia.cabeca.digest.hex()} if cadeia.cabeca else None,
        "quebras": cadeia.quebras,
        "decisoes": {"total": decisoes.decisoes, "quebras": decisoes.quebras},
    }


def _entry_value(entry: Entry) -> dict[str, Any]:
    import msgspec

    return {
        "seq": entry.seq,
        "em": entry.em,
        "ator": entry.ator,
        "acao": entry.acao,
        "alvo": entry.alvo,
        "dados": msgspec.Raw(entry.dados.encode()),
        "digest": entry.digest.hex(),
    }
