"""`crivo autorizacoes mapeamento`: the document that says where, in what an administradora sends, each field of a pedido stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import typer

from crivo.autorizacoes.palavras import count
from crivo.cli import rotulos
from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant, has_installation
from crivo.cli.arquivos import read_file
from crivo.cli.saida import FAILED, confirmed, emit_value, encode, moment, note, problem_line, problem_value, report, say, table
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from crivo.autorizacoes.mapeamento.efeito import Efeito
    from crivo.autorizacoes.mapeamento.guardado import FormatoGuardado
    from crivo.autorizacoes.mapeamento.prova import PedidoProvado, Prova
    from crivo.autorizacoes.mapeamento.service import Formatos, Previa
    from crivo.bootstrap import Container
    from crivo.kernel.errors import Problem

_LARGEST: Final = 1_000_000
_SHOWN_LEFT: Final = 40
_LONGEST_CELL: Final = 60
_STATUS: Final = {"rascunho": "rascunho", "publicado": "✓ publicado", "encerrado": "✗ encerrado"}

Mapa = Annotated[str, typer.Argument(metavar="MAPA", help="Mapeamento em YAML ou JSON; '-' lê da entrada padrão.")]
Qual = Annotated[str, typer.Argument(metavar="ID", help="Id do mapeamento, o começo dele, ou o nome (a versão mais nova).")]
Sim = Annotated[bool, typer.Option("--sim", help="Confirma sem perguntar.")]

app = Aplicacao("O formato de uma administradora: onde está cada campo no que o sistema dela manda.")


class FormatoAmbiguoNaLista(CrivoError):
    """The beginning of an id that several mappings share."""

    codigo: ClassVar[str] = "id_ambiguo"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O começo do id serve a mais de um mapeamento"


class PublicacaoDeMapeamentoNaoConfirmada(CrivoError):
    """A publication that nobody confirmed."""

    codigo: ClassVar[str] = "publicacao_nao_confirmada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A publicação espera a sua confirmação"


@app.comando("esquema")
def esquema() -> None:
    """Imprime o JSON Schema de um mapeamento, para editores e validadores."""
    from crivo.autorizacoes.mapeamento.esquema import esquema as schema

    emit_value(schema(), as_json=False)


@app.comando("validar")
def validar(
    ctx: typer.Context,
    arquivos: Annotated[list[str], typer.Argument(metavar="MAPA", help="Mapeamentos em YAML ou JSON; '-' lê da entrada padrão.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Aponta tudo o que há de errado em cada mapeamento, com o caminho e a linha, sem gravar nada.

    Termina com código 0 quando todos servem e 1 quando algum não serve.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    valid = [_validate(arquivo, as_json=ambiente.json) for arquivo in arquivos]
    if not all(valid):
        raise typer.Exit(FAILED)


@app.comando("testar")
def provar(
    ctx: typer.Context,
    mapa: Mapa,
    pedido: Annotated[str, typer.Option("--pedido", metavar="ARQUIVO", help="O que o sistema deles manda: JSON, XML ou CSV.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra o que o mapeamento lê de um pedido, de onde, o que sobra e o que seria decidido. Nada é gravado.

    Com --json, `decisao` vem onde há uma instalação; sem nenhuma, só a leitura. Termina com código 0 quando o pedido seria lido
    e 1 quando não seria.
    """
    from datetime import date

    from crivo.autorizacoes.fluxo import Fluxo
    from crivo.autorizacoes.mapeamento.leitura import read_mapeamento
    from crivo.autorizacoes.mapeamento.prova import provar as prove
    from crivo.autorizacoes.politicas.catalogo import Catalogo
    from crivo.kernel.clock import SystemClock, today

    ambiente = Ambiente.of(ctx, tenant, as_json)
    importado = read_mapeamento(read_file(mapa, _LARGEST), _formato(mapa))
    amostra = read_file(pedido, _LARGEST)

    async def work(container: Container, scope: Scope) -> Prova:
        return (await container.formatos.testar(scope, importado.mapeamento, amostra)).prova

    if ambiente.json:  # of the document and the sample alone where there is no installation: none is needed
        decidida: Prova | None = None
        if has_installation(ambiente.settings()):
            try:
                decidida = ambiente.use(work)
            except CrivoError as error:
                if error.kind is not Kind.UNAVAILABLE:
                    raise
                note("A instalação não respondeu: vai só o que foi lido, sem o que seria decidido.")
        hoje: date = today(SystemClock())
        prova = decidida or prove(importado.mapeamento, amostra, Fluxo(Catalogo.of(())), hoje)
        emit_value(prova.as_json(decidida=decidida is not None))
    else:
        prova = ambiente.use(work)
        for aviso in importado.avisos:
            note(f"aviso: {problem_line(aviso)}")
        _show_prova(prova)
    if any(problema.grave for problema in prova.problemas):
        raise typer.Exit(FAILED)


@app.comando("importar")
def importar(
    ctx: typer.Context,
    arquivos: Annotated[list[str], typer.Argument(metavar="MAPA", help="Mapeamentos em YAML ou JSON; '-' lê da entrada padrão.")],
    publicar: Annotated[bool, typer.Option("--publicar", help="Publica logo após importar.")] = False,
    sim: Sim = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Importa mapeamentos como rascunho, ou já publicados; o mesmo documento outra vez não muda nada."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> int:
        refused = 0
        for arquivo in arquivos:
            try:
                importacao = await container.formatos.importar(scope, read_file(arquivo, _LARGEST), _formato(arquivo))
                formato = importacao.formato
                if publicar and formato.status == "rascunho":
                    formato = await _publish(container.formatos, scope, formato, sim=sim, as_json=ambiente.json)
            except CrivoError as error:
                if error.kind is Kind.UNAVAILABLE:
                    raise
                report(error, as_json=ambiente.json, about=arquivo)
                refused += 1
                continue
            if ambiente.json:
                avisos = [problem_value(aviso) for aviso in importacao.avisos]
                emit_value(
                    {"arquivo": arquivo, "mudou": importacao.mudou or formato != importacao.formato, **_value(formato), "avisos": avisos}
                )
                continue
            for aviso in importacao.avisos:
                say(_lint_line(arquivo, aviso, "aviso: "))
            mudou = importacao.mudou or formato != importacao.formato
            done = _STATUS[formato.status] if mudou else f"já estava aqui, sem mudança ({formato.status})"
            say(f"{arquivo}: {formato.nome}, versão {formato.versao}: {done}. Id {formato.id}.")
        return refused

    if ambiente.use(work):
        raise typer.Exit(FAILED)


@app.comando("listar")
def listar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista os mapeamentos guardados, por nome, da versão mais nova à mais antiga."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> list[FormatoGuardado]:
        return await container.formatos.listar(scope)

    found = ambiente.use(work)
    if ambiente.json:
        emit_value([_value(formato) for formato in found])
        return
    rows = [
        (str(one.id), one.nome, str(one.versao), one.administradora_id, _STATUS[one.status], moment(one.publicado_em or one.criado_em))
        for one in found
    ]
    empty = "Nenhum mapeamento ainda. Importe um com 'crivo autorizacoes mapeamento importar MAPA --publicar'."
    table(("Id", "Nome", "Versão", "Administradora", "Situação", "Desde"), rows, empty=empty, whole="Id")


@app.comando("publicar")
def publicar(ctx: typer.Context, mapeamento: Qual, sim: Sim = False, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Publica um rascunho: o que ele reconhece passa a ser lido por ele, e a versão anterior do mesmo nome se encerra.

    Antes mostra o que muda, e pergunta.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> FormatoGuardado:
        found = await _find(container.formatos, scope, mapeamento)
        return await _publish(container.formatos, scope, found, sim=sim, as_json=ambiente.json)

    _show(ambiente.use(work), as_json=ambiente.json)


@app.comando("encerrar")
def encerrar(
    ctx: typer.Context,
    mapeamento: Qual,
    motivo: Annotated[str, typer.Option("--motivo", metavar="TEXTO", help="Por que ele deixa de valer; fica na auditoria.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Encerra um mapeamento publicado; o que ele já leu continua como está."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> FormatoGuardado:
        return await container.formatos.encerrar(scope, (await _find(container.formatos, scope, mapeamento, "publicado")).id, motivo)

    _show(ambiente.use(work), as_json=ambiente.json)


def _validate(arquivo: str, *, as_json: bool) -> bool:
    from crivo.autorizacoes.mapeamento.leitura import read_mapeamento

    problemas: Sequence[Problem] = ()
    avisos: Sequence[Problem] = ()
    try:
        avisos = read_mapeamento(read_file(arquivo, _LARGEST), _formato(arquivo)).avisos
    except CrivoError as error:
        from crivo.kernel.errors import Problem as Fault

        problemas = error.problemas or (Fault(error.mensagem, codigo=error.codigo),)
    if as_json:
        told = {"problemas": [problem_value(one) for one in problemas], "avisos": [problem_value(one) for one in avisos]}
        emit_value({"arquivo": arquivo, "valido": not problemas, **told})
        return not problemas
    for problem in problemas:
        say(_lint_line(arquivo, problem))
    for aviso in avisos:
        say(_lint_line(arquivo, aviso, "aviso: "))
    if not problemas:
        say(f"{arquivo}: serve.")
    return not problemas


def _lint_line(arquivo: str, problem: Problem, level: str = "") -> str:
    place = arquivo if problem.linha is None else f"{arquivo}:{problem.linha}"
    path = f"{problem.caminho}: " if problem.caminho else ""
    return f"{place}: {level}{path}{problem.mensagem}"


def _show_prova(prova: Prova) -> None:
    from crivo.autorizacoes.sobras_do_formato import told_of_leftovers

    for numero, pedido in enumerate(prova.pedidos, 1):
        if len(prova.pedidos) > 1:
            say(f"Pedido {numero} de {len(prova.pedidos)}")
        rows = [(campo, _cell(valor), pedido.origem.get(campo, "")) for campo, valor in _fields(pedido)]
        table(("Campo", "Valor", "De onde"), rows, empty="Nada foi lido.")
        for line in _decided(pedido):
            say(line)
        say("")
    if prova.nao_usados:
        say(f"{count(len(prova.nao_usados), 'valor não foi usado', 'valores não foram usados')}; seguem com o pedido:")
        shapes = _by_shape(prova)
        rows = [(caminho, str(len(valores)) if len(valores) > 1 else "", _cell(valores[0])) for caminho, valores in shapes.items()]
        table(("Caminho", "Vezes", "Valor"), rows[:_SHOWN_LEFT])
        if len(rows) > _SHOWN_LEFT:
            say(f"… e mais {count(len(rows) - _SHOWN_LEFT, 'caminho', 'caminhos')}.")
    if not prova.problemas:
        weighs = any(told_of_leftovers(pedido.alertas) for pedido in prova.pedidos)
        say("Nenhum problema de leitura; há alertas do que sobrou e pode pesar." if weighs else "Nenhum problema.")
    for problema in prova.problemas:
        say(f"{'✗' if problema.grave else '!'} {problema.caminho}: {problema.mensagem}")


def _by_shape(prova: Prova) -> dict[str, list[Any]]:
    """What was left over, by its path with any position in the place of each; a path found once stays as it is."""
    from crivo.autorizacoes.mapeamento.caminhos import any_position

    shapes: dict[str, list[Any]] = {}
    written: dict[str, str] = {}
    for one in prova.nao_usados:
        shape = any_position(one.caminho)
        shapes.setdefault(shape, []).append(one.valor)
        written[shape] = one.caminho
    return {(shape if len(valores) > 1 else written[shape]): valores for shape, valores in shapes.items()}


def _decided(pedido: PedidoProvado) -> Iterator[str]:
    """What would be decided, and why: the motivos, what would solve them, the regra, and what the reading tells."""
    from crivo.autorizacoes.motivos import frase

    decisao = pedido.decisao
    if decisao is None:
        yield "Com as regras publicadas: não pôde ser avaliado."
        return
    yield f"Com as regras publicadas: {rotulos.decisao(decisao.decisao_final)}."
    registro = decisao.artefato_registro
    if pedido.sem_politica:
        yield "  Não há política publicada desta administradora: confira `administradora`, ou publique a política dela."
    for motivo in registro.motivos:
        yield f"  Motivo: {frase(motivo)} ({motivo})."
    for condicionante in decisao.detalhe_decisao.condicionantes:
        yield f"  O que resolve: {condicionante.rstrip('.')}."
    if registro.fonte_regras is not None:
        fonte = registro.fonte_regras
        yield f"  Regra: {fonte.regra_id}, {fonte.documento} {fonte.versao}."
    for alerta in pedido.alertas:
        yield f"  Alerta: {alerta}"


def _fields(pedido: PedidoProvado) -> Iterator[tuple[str, Any]]:
    """Each field that has something, by its dotted name."""

    def inner(value: Mapping[str, Any], antes: str) -> Iterator[tuple[str, Any]]:
        for nome, one in value.items():
            if isinstance(one, dict):
                yield from inner(one, f"{antes}{nome}.")
            elif one is not None and one not in ([], ()):
                yield f"{antes}{nome}", one

    return inner(pedido.normalizado, "")


def _cell(value: object) -> str:
    if isinstance(value, list | tuple):
        value = ", ".join([_one_cell(one) for one in value])
    text = value if isinstance(value, str) else encode(value).decode()
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"


def _one_cell(value: object) -> str:
    """One of a list: a document by its type, a text as it is, anything else as JSON."""
    if isinstance(value, dict) and set(value) == {"tipo"}:
        return str(value["tipo"])
    return value if isinstance(value, str) else encode(value).decode()


async def _publish(formatos: Formatos, scope: Scope, formato: FormatoGuardado, *, sim: bool, as_json: bool) -> FormatoGuardado:
    """Publish a draft, once what changes was seen and confirmed; what is published already stays so."""
    if formato.status != "rascunho":
        return await formatos.publicar(scope, formato.id)
    previa = await formatos.previa(scope, formato.id)
    if not as_json:
        for line in _told(previa):
            say(line)
    if not (sim or (not as_json and confirmed("Publicar?"))):
        raise PublicacaoDeMapeamentoNaoConfirmada("O documento ficou como rascunho. Publique com --sim.")
    return await formatos.publicar(scope, formato.id, previa.confirmacao)


def _told(previa: Previa) -> Iterator[str]:
    nome, versao = previa.formato.nome, previa.formato.versao
    if previa.anterior is None:
        administradora = previa.formato.administradora_id
        yield f"{nome}, versão {versao}: o que ele reconhece passa a ser lido por ele, como da administradora {administradora}."
    else:
        yield f"A versão {previa.anterior.versao} de {nome} deixa de valer, e a {versao} toma o lugar dela:"
        for mudanca in previa.mudancas:
            yield f"  ~ {mudanca.lugar}: {_said(mudanca.antes)} → {_said(mudanca.depois)}"
        if not previa.mudancas:
            yield "  nada muda."
        if previa.efeito is not None:
            yield from _effect(previa.efeito, previa.anterior.versao)


def _effect(efeito: Efeito, versao: int) -> Iterator[str]:
    from crivo.autorizacoes.mapeamento.efeito import effect_in_words

    yield effect_in_words(efeito, versao)
    for campo, quantos in efeito.campos:
        yield f"  {campo}: outro valor em {count(quantos, 'pedido', 'pedidos')}"
    for (antes, depois), quantos in efeito.decisoes:
        yield f"  {rotulos.decisao(antes)} → {rotulos.decisao(depois)}: {quantos}"


def _said(value: object) -> str:
    return "nada" if value is None else _cell(value)


async def _find(formatos: Formatos, scope: Scope, qual: str, status: Literal["publicado"] | None = None) -> FormatoGuardado:
    """The one mapping of a name (its newest version, or the published one) or whose id begins so."""
    from crivo.autorizacoes.mapeamento.service import FormatoNotFound

    every = await formatos.listar(scope)
    named = [one for one in every if one.nome == qual]
    if named:
        return next((one for one in named if one.status == status), named[0])
    found = [one for one in every if qual and str(one.id).startswith(qual.lower())]
    if not found:
        raise FormatoNotFound("Não há mapeamento com este id ou nome. Veja os que existem com 'crivo autorizacoes mapeamento listar'.")
    if len(found) > 1:
        raise FormatoAmbiguoNaLista(f"{len(found)} mapeamentos têm id começado assim. Escreva mais dele.")
    return found[0]


def _show(formato: FormatoGuardado, *, as_json: bool) -> None:
    if as_json:
        emit_value(_value(formato))
    else:
        say(f"{formato.nome}, versão {formato.versao}: {_STATUS[formato.status]}.")


def _value(formato: FormatoGuardado) -> dict[str, Any]:
    return {
        "id": formato.id,
        "nome": formato.nome,
        "administradora_id": formato.administradora_id,
        "versao": formato.versao,
        "status": formato.status,
        "digest": formato.digest.hex(),
    }


def _formato(arquivo: str) -> Literal["json", "yaml"] | None:
    suffix = arquivo.lower().rpartition(".")[2]
    return "json" if suffix == "json" else "yaml" if suffix in ("yaml", "yml") else None
