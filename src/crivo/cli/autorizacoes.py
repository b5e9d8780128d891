"""`crivo autorizacoes`: decide and store pedidos, list them, re-run them, and the field tables of the administradoras."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import typer

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.palavras import count
from crivo.cli import mapeamento, mapeamentos, rotulos
from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import read_file
from crivo.cli.concordancia import concordancia
from crivo.cli.datas import Desde, instant
from crivo.cli.saida import FAILED, confirmed, emit, emit_value, encode, moment, note, report, say, table
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.conferencia import Conferencia
    from crivo.autorizacoes.service import Pagina
    from crivo.bootstrap import Container

_LARGEST_TABLE: Final = 1_000_000
_LONGEST_CELL: Final = 60
_AVISOS: Final[Mapping[str, str]] = {
    "administradora_desconhecida": "Nenhuma política publicada é da administradora {}: confira o código dela.",
    "observacao_nao_lida": "A regra tem uma frase nas observações que não foi lida e que poderia mudar a decisão: veja na página dela.",
    "documento_nao_reconhecido": "Falta um documento, e veio outro com um nome que ninguém conhece: se for este, envie com o nome dele.",
    "campo_nao_lido": "O formato deixou um campo que pode pesar na decisão: a trilha diz qual (--trilha).",
    "observacao_do_pedido_nao_lida": "O formato deixou uma observação do pedido que ninguém leu: a trilha diz onde (--trilha).",
}

app = Aplicacao("Decide pedidos de autorização, mostra e confere o que foi decidido.")
app.add_typer(mapeamentos.app, name="mapeamentos")
app.add_typer(mapeamento.app, name="mapeamento")
app.comando("concordancia")(concordancia)


class TrocaNaoConfirmada(CrivoError):
    """A table that would take the place of another, and that nobody confirmed."""

    codigo: ClassVar[str] = "troca_nao_confirmada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A troca espera a sua confirmação"


class TabelaInvalida(CrivoError):
    """A file that holds no table of fields."""

    codigo: ClassVar[str] = "tabela_de_campos_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O arquivo não traz uma tabela de campos"


@app.comando("decidir")
def decidir(
    ctx: typer.Context,
    arquivos: Annotated[list[str], typer.Argument(metavar="ARQUIVO", help="Pedido em JSON, ou como um mapeamento o lê; '-' lê.")],
    trilha: Annotated[bool, typer.Option("--trilha", help="Imprime a trilha inteira: o que cada agente respondeu.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Decide pedidos, guarda cada decisão e imprime o documento da decisão.

    Um arquivo que um mapeamento publicado reconhece é lido por ele, também em XML e CSV, e pode trazer vários pedidos.
    Um arquivo recusado não impede os outros: o erro dele sai à parte, e o comando termina com código 1.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> int:
        refused = 0
        for arquivo in arquivos:
            try:
                raw = read_file(arquivo, container.settings.limite_corpo_bytes)
                decididas = await container.autorizacoes.receber(scope, raw)
            except CrivoError as error:
                if error.kind is Kind.UNAVAILABLE:
                    raise
                report(error, as_json=ambiente.json, about=arquivo)
                refused += 1
                continue
            for decidida in decididas:
                guardada = decidida.autorizacao
                for aviso in () if ambiente.json else decidida.avisos:
                    note(_AVISOS[aviso].format(guardada.administradora_id or "do pedido"))
                emit(guardada.trilha if trilha else guardada.decisao, as_json=ambiente.json)
                if sys.stdout.isatty() and not ambiente.json:
                    note(f"Guardada como {guardada.id}.")
        return refused

    if ambiente.use(work):
        raise typer.Exit(FAILED)


@app.comando("esquema")
def esquema() -> None:
    """Imprime o JSON Schema de um pedido, para editores e validadores."""
    from crivo.autorizacoes.pedido import esquema_do_pedido

    emit_value(esquema_do_pedido(), as_json=False)


@app.comando("listar")
def listar(
    ctx: typer.Context,
    status: Annotated[DecisaoFinal | None, typer.Option("--status", help="Só as decisões com este resultado.")] = None,
    desde: Desde = None,
    limite: Annotated[int, typer.Option("--limite", metavar="N", min=1, max=200, help="Quantas mostrar.")] = 50,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Lista as decisões guardadas, das mais novas para as mais antigas."""
    ambiente = Ambiente.of(ctx, tenant, as_json)
    inicio = instant(desde)

    async def work(container: Container, scope: Scope) -> Pagina:
        return await container.autorizacoes.listar(scope, status=status, desde=inicio, limite=limite)

    pagina = ambiente.use(work)
    if ambiente.json:
        emit_value(pagina)
        return
    rows = [
        (moment(item.recebida_em), rotulos.decisao(item.decisao_final), item.pedido_id or "", item.administradora_id or "", str(item.id))
        for item in pagina.itens
    ]
    table(("Recebida em", "Decisão", "Pedido", "Administradora", "Id"), rows, empty="Nenhuma decisão guardada ainda.", whole="Id")
    if pagina.cursor:
        shown = len(pagina.itens)
        note("Há mais: esta é a mais nova." if shown == 1 else f"Há mais: estas são as {shown} mais novas.")


@app.comando("conferir")
def conferir(
    ctx: typer.Context,
    referencia: Annotated[str, typer.Argument(metavar="ID", help="Id da decisão, ou o número do pedido (a decisão mais nova dele).")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Refaz uma decisão guardada, com as regras da época, e compara campo a campo.

    Termina com código 0 quando tudo confere e 1 quando algo difere.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Conferencia | None:
        from crivo.kernel.sigilo import DadosApagados

        try:
            return await container.autorizacoes.conferir(scope, referencia)
        except DadosApagados:
            return None

    conferencia = ambiente.use(work)
    if conferencia is None:
        _tell_erased(referencia, as_json=ambiente.json)
        return
    if ambiente.json:
        emit_value(_conferencia_value(conferencia))
    else:
        _show_conferencia(conferencia)
    if not conferencia.confere:
        raise typer.Exit(FAILED)


@app.comando("campos")
def campos(
    ctx: typer.Context,
    administradora: Annotated[str, typer.Argument(metavar="ADMINISTRADORA", help="Id da administradora, como nos pedidos dela.")],
    arquivo: Annotated[
        str | None,
        typer.Option("--arquivo", metavar="TABELA.json", help="Grava esta tabela: um objeto JSON de nome usado por ela → campo do pedido."),
    ] = None,
    sim: Annotated[bool, typer.Option("--sim", help="Confirma sem perguntar a troca da tabela que já existe.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra ou grava os nomes de campo que uma administradora usa além dos já conhecidos.

    A tabela gravada toma o lugar da anterior inteira: antes mostra o que sai dela, e pergunta.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    nova = None if arquivo is None else _read_tabela(arquivo)

    async def work(container: Container, scope: Scope) -> dict[str, str]:
        if nova is not None:
            regras = await container.autorizacoes.regras_em_vigor(scope)
            _confirm_replacing(regras.campos.get(administradora, {}), nova, sim=sim, as_json=ambiente.json)
            await container.politicas.definir_campos(scope, administradora, nova)
        regras = await container.autorizacoes.regras_em_vigor(scope)
        return dict(regras.campos.get(administradora, {}))

    tabela = ambiente.use(work)
    if ambiente.json:
        emit_value({"administradora_id": administradora, "campos": tabela})
        return
    if nova is not None:
        note("Tabela gravada: vale para as decisões de agora em diante.")
    table(
        ("Como ela escreve", "Campo do pedido"),
        list(tabela.items()),
        empty="Esta administradora não tem tabela própria; vale a tabela comum.",
    )


def _confirm_replacing(antes: Mapping[str, str], nova: Mapping[str, str], *, sim: bool, as_json: bool) -> None:
    """Ask before names that hold by now are lost. Raises TrocaNaoConfirmada where nobody says yes."""
    from crivo.autorizacoes.campos import fold_path

    depois = {fold_path(origem): destino for origem, destino in nova.items()}
    lost = [f"{origem} → {destino}" for origem, destino in antes.items() if depois.get(origem) != destino]
    if not lost or sim:
        return
    if not as_json:
        note("A tabela nova toma o lugar da anterior inteira, e nela já não estão:")
        for line in lost:
            note(f"  - {line}")
    if as_json or not confirmed("Trocar a tabela?"):
        raise TrocaNaoConfirmada("A tabela de antes continua valendo. Ponha no arquivo também o que já estava, ou confirme com --sim.")


def _read_tabela(arquivo: str) -> dict[str, str]:
    import msgspec

    try:
        return msgspec.json.decode(read_file(arquivo, _LARGEST_TABLE), type=dict[str, str])
    except msgspec.DecodeError:
        raise TabelaInvalida('Escreva um objeto JSON só de textos, como {"numero_da_guia": "pedido_id"}.') from None


def _conferencia_value(conferencia: Conferencia) -> dict[str, Any]:
    return {
        "id": conferencia.autorizacao.id,
        "pedido_id": conferencia.autorizacao.pedido_id,
        "confere": conferencia.confere,
        "integra": conferencia.integra,
        "diferencas": conferencia.diferencas,
        **({"outras_do_numero": conferencia.outras} if conferencia.outras else {}),
    }


def _tell_erased(referencia: str, *, as_json: bool) -> None:
    """Nothing differs and nothing can be made again; that there was a decision, and which, is still known."""
    if as_json:
        emit_value({"referencia": referencia, "apagada": True})
    else:
        say("Apagado: os dados pessoais desta decisão foram apagados, e ela não pode ser refeita.")
        say("  O resultado, as datas e o registro na auditoria continuam; 'crivo auditoria verificar' ainda a confere.")


def _show_conferencia(conferencia: Conferencia) -> None:
    guardada = conferencia.autorizacao
    if conferencia.outras:
        outras = count(conferencia.outras, "decisão", "decisões")
        say(f"O número {guardada.pedido_id} tem mais {outras}; esta é a mais nova. Confira as outras pelo id, que `listar` mostra.")
    if conferencia.confere:
        say(f"✓ Confere: refeita com as regras da época, a decisão {guardada.id} saiu igual em todos os campos.")
        return
    say(f"✗ Não confere: a decisão {guardada.id} não é mais a que foi guardada.")
    if not conferencia.integra:
        say("  Os bytes guardados não são os que foram gravados, ou não são os que a decisão refeita dá.")
    rows: Sequence[tuple[str, str, str]] = [(d.campo, _cell(d.guardado), _cell(d.refeito)) for d in conferencia.diferencas]
    table(("Campo", "Guardado", "Refeito"), rows, empty="  Nos campos da trilha não há diferença.")


def _cell(value: object) -> str:
    text = encode(value).decode()
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"
