"""`crivo politicas conferir`: what is wrong with a política before it decides, each thing with the smallest pedido that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crivo.autorizacoes.palavras import DECISOES, count, number
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import read_file
from crivo.cli.politicas_achar import LARGEST_DOCUMENT, find_politica, formato_of, is_file
from crivo.cli.saida import FAILED, emit_value, encode, say
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.politicas.conferir.achados import Achado
    from crivo.autorizacoes.politicas.conferir.servico import Conferida
    from crivo.bootstrap import Container


def conferir(
    ctx: typer.Context,
    politica: Annotated[
        str, typer.Argument(metavar="ARQUIVO|ID", help="Um arquivo em JSON ou YAML, ou o id de uma política guardada; '-' lê da entrada.")
    ],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Procura o que está errado numa política, entre as que estão publicadas: regras que se contradizem ou que nunca são usadas,
    carências acima da lei, limites e idades impossíveis, dias sem regra, códigos pedidos e sem regra.

    Cada coisa vem com o menor pedido que a mostra. Nada é gravado. Termina com código 1 quando há erros.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Conferida:
        if is_file(politica):
            return await container.conferencias.documento(scope, read_file(politica, LARGEST_DOCUMENT), formato_of(politica))
        return await container.conferencias.guardada(scope, (await find_politica(container.politicas, scope, politica)).id)

    achados = ambiente.use(work).achados
    if ambiente.json:
        emit_value([achado_value(um) for um in achados])
    else:
        for line in told(achados):
            say(line)
    if any(um.gravidade == "erro" for um in achados):
        raise typer.Exit(FAILED)


def achado_value(achado: Achado) -> dict[str, Any]:
    """A finding as JSON."""
    return {
        "codigo": achado.codigo,
        "gravidade": achado.gravidade,
        "regra": achado.regra,
        "linha": achado.linha,
        "explicacao": achado.explicacao,
        "exemplo": achado.exemplo,
        "resultados": achado.resultados,
    }


def told(achados: Sequence[Achado]) -> Iterator[str]:
    """The findings in lines, and how many they are."""
    for um in achados:
        onde = f"linha {um.linha}: " if um.linha is not None else ""
        yield f"{um.gravidade}: {onde}{um.explicacao} [{um.codigo}]"
        if um.exemplo is not None:
            yield f"    menor pedido que mostra: {encode(um.exemplo).decode()}"
        for resultado in um.resultados:
            quantos = f", {number(resultado.quantidade_aprovada)}" if resultado.quantidade_aprovada is not None else ""
            motivos = f" ({', '.join(resultado.motivos)})" if resultado.motivos else ""
            sob = f", só com {resultado.sob}" if resultado.sob else ""
            yield f"    resultado{sob}: {DECISOES[resultado.decisao_final].palavra}{quantos}{motivos}"
    erros = sum(1 for um in achados if um.gravidade == "erro")
    if achados:
        yield f"{count(erros, 'erro', 'erros')}, {count(len(achados) - erros, 'aviso', 'avisos')}."
    else:
        yield "Nada a corrigir."
