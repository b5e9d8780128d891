"""`crivo auditoria`: whether the chain of entries holds, and what it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import typer

from crivo.auditoria.palavras import ANCORAS, NOME_DA_LINHA, SEM_ANCORA
from crivo.autorizacoes.palavras import count
from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import label, open_entrada, read_file
from crivo.cli.saida import FAILED, emit_value, moment, say, table
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.auditoria.ancoragem import Ancorada
    from crivo.auditoria.conferencia import Conferencia
    from crivo.bootstrap import Container
    from crivo.kernel.audit import Break, Entry, RowBreak
    from crivo.kernel.audit.anchors import AnchorBreak
    from crivo.kernel.sigilo.assinatura import Publica

_CADEIA: Final = {
    "alterada": "o conteúdo não é o que foi selado",
    "ausente": "não está mais na cadeia",
    "fora_de_ordem": "está fora de ordem",
    "inserida": "foi posta depois, sem continuar a anterior",
    "cabeca_ausente": "a cadeia perdeu o registro de onde termina",
    "cabeca_diverge": "a cadeia não termina como o registro diz",
}
_LINHAS: Final = {
    "registro_alterado": "o que está guardado não é o que o registro {seq} selou",
    "registro_ausente": "foi selada no registro {seq} e não está mais guardada",
    "registro_sem_selo": "está guardada sem que registro algum a sele",
}
_LONGEST_KEY: Final = 4_096  # bytes
_DECISOES: Final = {
    "alterada": "o que está guardado não é o que foi decidido",
    "sem_registro": "está guardada sem registro na auditoria",
    "ausente": "foi registrada e não está mais guardada",
}


class SemAncoras(CrivoError):
    """A file with no anchor of the tenant, which a chain cannot be held against."""

    codigo: ClassVar[str] = "sem_ancoras"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não há âncoras com que conferir"


class ChaveIlegivel(CrivoError):
    """A file that holds no public key of anchors."""

    codigo: ClassVar[str] = "chave_ilegivel"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não é uma chave pública das âncoras"


app = Aplicacao("Verifica e mostra a auditoria, em que cada registro sela o anterior.")


@app.comando("verificar")
def verificar(
    ctx: typer.Context,
    ancora: Annotated[
        str | None, typer.Option("--ancora", metavar="ARQ", help="Confere com as âncoras de uma cópia, em vez das da instalação.")
    ] = None,
    chave: Annotated[
        str | None, typer.Option("--chave", metavar="ARQ", help="A chave pública das âncoras (.pem); sem ela, a da instalação.")
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Verifica a cadeia inteira, e cada decisão, revisão, política, nota e habilitação contra o registro dela.

    Confere também com as âncoras da instalação, que acham uma cadeia refeita ou cortada depois de anotada; com --ancora, com as de uma
    cópia guardada em outro lugar. Termina com código 0 quando tudo se sustenta e 1 quando algo foi mexido.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Conferencia:
        if ancora is None and chave is None:
            return await verify(container, scope)
        key = read_public_key(chave) if chave else container.ancoragem.publica()
        if ancora is None:
            with container.ancoragem.abertas() as own:
                return await container.auditoria.conferir(scope, own[0] if own else (), key)
        with open_entrada(ancora) as lines:
            found = await container.auditoria.conferir(scope, lines, key)
        if found.ancoras is not None and not found.ancoras.ancoras:
            raise SemAncoras(f"{label(ancora)} não tem âncora alguma desta organização. Confira se é o arquivo certo.")
        return found

    found = ambiente.use(work)
    if ambiente.json:
        emit_value(_value(found))
    else:
        for line in tell(found):
            say(line)
    if not found.integra:
        raise typer.Exit(FAILED)


@app.comando("ancorar")
def ancorar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Anota agora, assinado, onde a cadeia termina; o servidor e o trabalhador fazem isso uma vez por dia.

    Guarde uma cópia do arquivo, e da chave pública ao lado dele (ancoras.publica.pem), em outra máquina: é ela que dá força à anotação.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Ancorada:
        return await container.ancoragem.ancorar(scope)

    done = ambiente.use(work)
    if ambiente.json:
        emit_value({"ancoras": done.ancoras, "arquivo": str(done.arquivo), "enviada": done.enviada})
        return
    if not done.ancoras:
        say("A auditoria ainda não tem registros: não há o que anotar.")
    for one in done.ancoras:
        say(f"✓ Registro {one.seq} anotado em {done.arquivo}, com o digest {one.digest}.")
    if done.enviada is False:
        say("  O endereço de CRIVO_AUDITORIA_ANCORA não aceitou o envio. A linha está guardada e vai junto com a próxima.")


@app.comando("selar")
def selar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Sela, como estão agora, as linhas de antes dos selos; depois disso, uma linha sem selo é uma quebra.

    Use uma vez, ao atualizar uma instalação que já tinha decisões. Confira antes que o banco está como deveria.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> int:
        return await container.auditoria.selar(scope)

    sealed = ambiente.use(work)
    if ambiente.json:
        emit_value({"linhas": sealed})
    else:
        say(f"✓ {count(sealed, 'linha selada', 'linhas seladas')}. Daqui em diante, toda linha precisa do seu selo.")


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


def read_public_key(path: str) -> Publica:
    """The public key in a file. Raises ChaveIlegivel."""
    from crivo.kernel.sigilo.assinatura import Publica

    key = Publica.of_pem(read_file(path, _LONGEST_KEY))
    if key is None:
        raise ChaveIlegivel(f"{label(path)} não tem uma chave pública das âncoras. Use a cópia de ancoras.publica.pem, da pasta de dados.")
    return key


async def verify(container: Container, scope: Scope) -> Conferencia:
    """The chain, and what it vouches for held against it."""
    return await container.auditoria.conferir(scope)


def tell(found: Conferencia) -> list[str]:
    """The outcome in words: one line when all holds, else a line for each break."""
    cadeia, decisoes, linhas = found.cadeia, found.decisoes, found.linhas
    if found.integra:
        head = f" Cabeça da cadeia: {cadeia.cabeca.digest.hex()}." if cadeia.cabeca else ""
        registros = count(cadeia.entradas, "registro confere", "registros conferem")
        seladas = f" {count(linhas.linhas, 'linha selada confere', 'linhas seladas conferem')}." if linhas.linhas else ""
        decididas = count(decisoes.decisoes, "decisão", "decisões")
        many = found.ancoras.ancoras if found.ancoras else 0
        noted = f" {count(many, 'âncora confere', 'âncoras conferem')}." if many else ""
        told = [f"✓ Auditoria íntegra: {registros}, e {decididas} com o registro dela.{seladas}{noted}{head}"]
        if linhas.sem_selo:
            bare = count(
                linhas.sem_selo, "linha é de antes dos selos e não foi comparada", "linhas são de antes dos selos e não foram comparadas"
            )
            told.append(f"  {bare}: sele com 'crivo auditoria selar'.")
        if found.sem_ancora:
            told.append(f"  {SEM_ANCORA}; anote-o com 'crivo auditoria ancorar'.")
        return told
    broken = [f"  {_place(quebra)}: {_CADEIA[quebra.motivo]}." for quebra in cadeia.quebras]
    broken += [f"  Decisão {quebra.id}: {_DECISOES[quebra.motivo]}." for quebra in decisoes.quebras]
    broken += [f"  {_anchor(quebra)}." for quebra in found.ancoras.quebras] if found.ancoras else []
    broken += [f"  {_row(quebra)}: {_LINHAS[quebra.motivo].format(seq=quebra.seq)}." for quebra in linhas.quebras]
    return [f"✗ A auditoria não se sustenta: {count(len(broken), 'quebra', 'quebras')}.", *broken]


def _anchor(quebra: AnchorBreak) -> str:
    return f"Linha {quebra.linha} das âncoras: {ANCORAS[quebra.motivo].format(seq=quebra.seq)}"


def _row(quebra: RowBreak) -> str:
    table, _, which = quebra.linha.partition(":")
    return f"{NOME_DA_LINHA[table]} {which}"


def _place(quebra: Break) -> str:
    return f"Registro {quebra.seq}" if quebra.seq == quebra.ate else f"Registros {quebra.seq} a {quebra.ate}"


def _value(found: Conferencia) -> dict[str, Any]:
    cadeia, decisoes, linhas = found.cadeia, found.decisoes, found.linhas
    return {
        "integra": found.integra,
        "registros": cadeia.entradas,
        "cabeca": {"seq": cadeia.cabeca.seq, "digest": cadeia.cabeca.digest.hex()} if cadeia.cabeca else None,
        "quebras": cadeia.quebras,
        "decisoes": {"total": decisoes.decisoes, "quebras": decisoes.quebras},
        "ancoras": {"total": found.ancoras.ancoras, "quebras": found.ancoras.quebras} if found.ancoras else None,
        "linhas": {"total": linhas.linhas, "sem_selo": linhas.sem_selo, "quebras": linhas.quebras},
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
