"""`crivo autorizacoes tiss`: a guia of TISS decided and stored, and its answer written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from crivo.autorizacoes.palavras import DECISOES
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import STANDARD, open_entrada, open_saida, read_file
from crivo.cli.saida import emit_value, note
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.tiss.porta import Respondida
    from crivo.bootstrap import Container


def tiss(
    ctx: typer.Context,
    arquivo: Annotated[str, typer.Argument(metavar="ARQUIVO.xml", help="A mensagem TISS com a guia; '-' lê da entrada padrão.")],
    saida: Annotated[
        str, typer.Option("--saida", metavar="RESPOSTA.xml", help="Onde escrever a resposta; '-' escreve na tela.")
    ] = STANDARD,
    plano: Annotated[str | None, typer.Option("--plano", metavar="PLANO", help="O plano do beneficiário, que a guia não traz.")] = None,
    idade: Annotated[int | None, typer.Option("--idade", metavar="ANOS", min=0, max=130, help="A idade do beneficiário.")] = None,
    carencia: Annotated[
        int | None, typer.Option("--carencia", metavar="DIAS", min=0, max=100_000, help="Os dias de carência que ele já cumpriu.")
    ] = None,
    sexo: Annotated[
        Literal["F", "M"] | None, typer.Option("--sexo", metavar="F|M", help="O sexo do beneficiário, que a guia não traz.")
    ] = None,
    valor: Annotated[
        list[float] | None,
        typer.Option("--valor", metavar="REAIS", min=0, help="O valor de cada procedimento, na ordem da guia: repita para cada um."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Decide uma guia TISS (SP/SADT ou internação), guarda cada decisão e escreve a resposta em TISS.

    Cada procedimento é um pedido. A mesma guia, com os mesmos bytes e com as mesmas opções, tem sempre a mesma resposta; se uma delas muda,
    ela é decidida de novo.
    """
    from msgspec import UNSET

    from crivo.autorizacoes.tiss.pedidos import Complemento

    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Respondida:
        raw = read_file(arquivo, container.settings.limite_corpo_bytes)
        complemento = Complemento(plano, idade, carencia, sexo or UNSET, tuple(valor) if valor else UNSET)
        return await container.tiss.decidir(scope, raw, complemento)

    respondida = ambiente.use(work)
    if not (ambiente.json and saida == STANDARD):
        with open_entrada(arquivo) as lida, open_saida(saida, lida) as escrita:
            escrita.write(respondida.xml)
    if ambiente.json:
        emit_value(_value(respondida))
        return
    if not respondida.conferida:
        note("A mensagem foi lida, e não conferida pelo esquema: CRIVO_TISS_XSD não aponta para os .xsd do padrão.")
    if respondida.substituta is not None:
        note(f"Esta guia foi enviada de novo depois: o que vale é a senha {respondida.substituta}, e não o que foi decidido dela.")
    for decidida in respondida.decididas:
        one = decidida.autorizacao
        how = "já guardada" if decidida.repetida else "guardada"
        note(f"{one.pedido_id}: {DECISOES[one.decisao_final].palavra.lower()}, {how} como {one.id}.")


def _value(respondida: Respondida) -> dict[str, object]:
    return {
        "conferida": respondida.conferida,
        "substituta": respondida.substituta,
        "decisoes": [
            {
                "id": decidida.autorizacao.id,
                "pedido_id": decidida.autorizacao.pedido_id,
                "decisao_final": decidida.autorizacao.decisao_final,
                "repetida": decidida.repetida,
            }
            for decidida in respondida.decididas
        ],
        "xml": respondida.xml.decode("iso-8859-1"),
    }
