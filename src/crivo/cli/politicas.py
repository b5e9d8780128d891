"""`crivo politicas`: the documents that decide — their schema, their faults, their import and their life."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import typer

from crivo.autorizacoes.palavras import count
from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import read_file
from crivo.cli.politicas_planilha import Cabecalho, is_planilha, read_of_planilha, show_leitura, show_mapa, write_file
from crivo.cli.politicas_previa import told
from crivo.cli.saida import FAILED, confirmed, day, emit_value, problem_value, report, say, table
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from uuid import UUID

    from crivo.autorizacoes.guardadas import PoliticaGuardada
    from crivo.autorizacoes.politicas.documento import Importada, Relatorio
    from crivo.autorizacoes.politicas.planilha.servico import LeituraDePlanilha
    from crivo.autorizacoes.politicas.service import Importacao, Politicas
    from crivo.bootstrap import Container

_LARGEST_DOCUMENT: Final = 50_000_000
_SHOWN_ID: Final = 13  # up to the end of the milliseconds: what tells two ids apart at a glance
_STATUS: Final = {"rascunho": "rascunho", "publicada": "✓ publicada", "revogada": "✗ revogada"}

Arquivos = Annotated[
    list[str], typer.Argument(metavar="ARQUIVO", help="Política em JSON, YAML, XLSX ou CSV; '-' lê JSON ou YAML da entrada padrão.")
]
Id = Annotated[str, typer.Argument(metavar="ID", help="Id da política, ou o começo dele.")]

Sim = Annotated[bool, typer.Option("--sim", help="Confirma sem perguntar o que a publicação encerra e muda.")]
Manter = Annotated[bool, typer.Option("--manter-anterior", help="Deixa a versão anterior do documento valendo ao lado desta.")]

app = Aplicacao("Valida, importa, publica e revoga as políticas das administradoras.")


class IdAmbiguo(CrivoError):
    """The beginning of an id that several políticas share."""

    codigo: ClassVar[str] = "id_ambiguo"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O começo do id serve a mais de uma política"


class PublicacaoNaoConfirmada(CrivoError):
    """A publication that closes another version, and that nobody confirmed."""

    codigo: ClassVar[str] = "publicacao_nao_confirmada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A publicação espera a sua confirmação"


@app.comando("esquema")
def esquema() -> None:
    """Imprime o JSON Schema de uma política, para editores e validadores."""
    from crivo.autorizacoes.politicas.esquema import esquema as schema

    emit_value(schema(), as_json=False)


@app.comando("validar")
def validar(ctx: typer.Context, arquivos: Arquivos, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Aponta tudo o que há de errado em cada política, com o caminho e a linha, sem gravar nada.

    Termina com código 0 quando todas servem e 1 quando alguma não serve.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    valid = [_validate(arquivo, as_json=ambiente.json) for arquivo in arquivos]
    if not all(valid):
        raise typer.Exit(FAILED)


@app.comando("importar")
def importar(
    ctx: typer.Context,
    arquivos: Arquivos,
    publicar: Annotated[bool, typer.Option("--publicar", help="Publica logo após importar.")] = False,
    sim: Sim = False,
    manter_anterior: Manter = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Importa políticas como rascunho, ou já publicadas; a mesma política outra vez não muda nada."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> int:
        refused = 0
        for arquivo in arquivos:
            try:
                raw = read_file(arquivo, _LARGEST_DOCUMENT)
                if is_planilha(arquivo):
                    importacao = (await container.planilhas.importar(scope, raw)).importacao
                else:
                    importacao = await container.politicas.importar(scope, raw, _formato(arquivo))
                if publicar and importacao.politica.status == "rascunho":
                    politica = await _publish(container.politicas, scope, importacao.politica.id, sim, manter_anterior, ambiente.json)
                    importacao = replace(importacao, politica=politica, mudou=True)
            except CrivoError as error:
                if error.kind is Kind.UNAVAILABLE:
                    raise
                report(error, as_json=ambiente.json, about=arquivo)
                refused += 1
            else:
                _show_importacao(arquivo, importacao, as_json=ambiente.json)
        return refused

    if ambiente.use(work):
        raise typer.Exit(FAILED)


@app.comando("planilha")
def planilha(
    ctx: typer.Context,
    arquivo: Annotated[str, typer.Argument(metavar="ARQ", help="Planilha .xlsx ou .csv com uma regra por linha; '-' lê da entrada.")],
    mapa: Annotated[
        str | None, typer.Option("--mapa", metavar="MAPA", help="YAML que diz o que é cada coluna; sem ele, o já guardado, ou um palpite.")
    ] = None,
    salvar_mapa: Annotated[
        str | None, typer.Option("--salvar-mapa", metavar="MAPA", help="Grava o mapa usado, para conferir e mudar.")
    ] = None,
    administradora: Annotated[str | None, typer.Option("--administradora", metavar="ID", help="Se a planilha não diz.")] = None,
    documento: Annotated[str | None, typer.Option("--documento", metavar="NOME", help="Nome do documento.")] = None,
    versao: Annotated[str | None, typer.Option("--versao", metavar="VERSÃO", help="Versão do documento.")] = None,
    vigencia_inicio: Annotated[str | None, typer.Option("--vigencia-inicio", metavar="DATA", help="Primeiro dia em que vale.")] = None,
    vigencia_fim: Annotated[str | None, typer.Option("--vigencia-fim", metavar="DATA", help="Último dia em que vale, se houver.")] = None,
    importar: Annotated[bool, typer.Option("--importar", help="Guarda como rascunho, com o mapa para o próximo arquivo.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra como uma planilha de regras é lida, coluna por coluna, com cada problema na sua célula; com --importar, guarda o rascunho."""
    ambiente = Ambiente.of(ctx, tenant, as_json)
    content = read_file(arquivo, _LARGEST_DOCUMENT)
    cabeca = Cabecalho(administradora, documento, versao, vigencia_inicio, vigencia_fim)
    chosen = None if mapa is None else read_file(mapa, _LARGEST_DOCUMENT)

    async def work(container: Container, scope: Scope) -> tuple[LeituraDePlanilha, Importacao | None]:
        from crivo.autorizacoes.politicas.planilha.mapa import read_mapa

        given = None if chosen is None else read_mapa(chosen)
        leitura = await container.planilhas.ler(scope, content, cabeca.cabeca, given)
        if not importar or leitura.lida.importada is None:
            return leitura, None
        feita = await container.planilhas.importar(scope, content, cabeca.cabeca, leitura.lida.mapa, guardar_mapa=True)
        return leitura, feita.importacao

    leitura, importacao = ambiente.use(work)
    if salvar_mapa is not None:
        show_mapa(salvar_mapa, leitura.lida.mapa)
    show_leitura(arquivo, leitura, None if importacao is None else _value(importacao.politica), as_json=ambiente.json)
    if importacao is not None and not ambiente.json:
        _show_importacao(arquivo, replace(importacao, relatorio=replace(importacao.relatorio, avisos=())), as_json=False)
    if leitura.lida.importada is None:
        raise typer.Exit(FAILED)


@app.comando("exportar")
def exportar(
    ctx: typer.Context,
    politica: Id,
    formato: Annotated[
        Literal["xlsx", "csv", "json", "yaml"], typer.Option("--formato", help="Qualquer um volta igual na importação.")
    ] = "xlsx",
    saida: Annotated[str, typer.Option("--saida", metavar="ARQ", help="Arquivo a gravar; '-' escreve na saída padrão.")] = "-",
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Grava uma política como planilha, CSV, JSON ou YAML; importada de novo, é o mesmo documento."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> bytes:
        found = await _find(container.politicas, scope, politica)
        return (await container.planilhas.exportar(scope, found.id, formato))[1]

    write_file(saida, formato, lambda: ambiente.use(work))


@app.comando("publicar")
def publicar(
    ctx: typer.Context,
    politica: Id,
    sim: Sim = False,
    manter_anterior: Manter = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Publica um rascunho: ele passa a decidir os pedidos da sua vigência, e a versão anterior do documento se encerra na véspera.

    Antes mostra o que entra, sai e muda, e pergunta.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> PoliticaGuardada:
        found = await _find(container.politicas, scope, politica)
        return await _publish(container.politicas, scope, found.id, sim, manter_anterior, ambiente.json)

    _show_politica(ambiente.use(work), as_json=ambiente.json)


@app.comando("revogar")
def revogar(
    ctx: typer.Context,
    politica: Id,
    motivo: Annotated[str, typer.Option("--motivo", metavar="TEXTO", help="Por que ela deixa de valer; fica na auditoria.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Revoga uma política publicada; o que ela já decidiu continua como está."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> PoliticaGuardada:
        return await container.politicas.revogar(scope, (await _find(container.politicas, scope, politica)).id, motivo)

    _show_politica(ambiente.use(work), as_json=ambiente.json)


@app.comando("listar")
def listar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista as políticas guardadas, por administradora, documento e vigência."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> list[PoliticaGuardada]:
        return await container.politicas.listar(scope)

    found = ambiente.use(work)
    if ambiente.json:
        emit_value([_value(politica) for politica in found])
        return
    rows = [
        (
            _short(politica, found),
            politica.administradora_id,
            politica.documento,
            politica.versao,
            _vigencia(politica),
            str(politica.regras_total),
            _STATUS[politica.status],
        )
        for politica in found
    ]
    columns = ("Id", "Administradora", "Documento", "Versão", "Vigência", "Regras", "Situação")
    table(columns, rows, whole="Id", empty="Nenhuma política ainda. Importe uma com 'crivo politicas importar ARQUIVO --publicar'.")


def _vigencia(politica: PoliticaGuardada) -> str:
    inicio = day(politica.vigencia_inicio)
    return f"{inicio} a {day(politica.vigencia_fim)}" if politica.vigencia_fim else f"desde {inicio}"


def _validate(arquivo: str, *, as_json: bool) -> bool:
    """Tell what a linter would; whether the document may be imported."""
    from crivo.autorizacoes.politicas.importacao import read_politica

    importada: Importada | None = None
    problemas: tuple[Problem, ...] = ()
    try:
        raw = read_file(arquivo, _LARGEST_DOCUMENT)
        importada = read_of_planilha(raw) if is_planilha(arquivo) else read_politica(raw, _formato(arquivo))
    except CrivoError as error:
        problemas = error.problemas or (Problem(error.mensagem, codigo=error.codigo),)
    relatorio = importada.relatorio if importada else None
    if as_json:
        told = {"arquivo": arquivo, "valida": not problemas, "problemas": [problem_value(problem) for problem in problemas]}
        emit_value(told | _relatorio_value(relatorio))
        return not problemas
    for problem in problemas:
        say(_lint_line(arquivo, problem))
    for aviso in relatorio.avisos if relatorio else ():
        say(_lint_line(arquivo, aviso, "aviso: "))
    if relatorio:
        _show_observacoes(arquivo, relatorio)
        say(f"{arquivo}: serve, com {count(relatorio.regras_total, 'regra', 'regras')}.")
    return not problemas


def _lint_line(arquivo: str, problem: Problem, level: str = "") -> str:
    place = arquivo if problem.linha is None or "!" in problem.caminho else f"{arquivo}:{problem.linha}"
    path = f"{problem.caminho}: " if problem.caminho else ""
    return f"{place}: {level}{path}{problem.mensagem}"


def _show_observacoes(arquivo: str, relatorio: Relatorio) -> None:
    for lida in relatorio.lidos_de_observacoes:
        place = arquivo if lida.linha is None else f"{arquivo}:{lida.linha}"
        say(f"{place}: lido das observações da regra {lida.regra_id}: {lida.campo} ← {lida.valor}")


def _show_importacao(arquivo: str, importacao: Importacao, *, as_json: bool) -> None:
    if as_json:
        emit_value({"arquivo": arquivo, "mudou": importacao.mudou, **_value(importacao.politica), **_relatorio_value(importacao.relatorio)})
        return
    for aviso in importacao.relatorio.avisos:
        say(_lint_line(arquivo, aviso, "aviso: "))
    _show_observacoes(arquivo, importacao.relatorio)
    politica = importacao.politica
    done = _STATUS[politica.status] if importacao.mudou else f"já estava aqui, sem mudança ({politica.status})"
    regras = count(politica.regras_total, "regra", "regras")
    say(f"{arquivo}: {politica.documento}, versão {politica.versao}, {regras}: {done}. Id {politica.id}.")


def _show_politica(politica: PoliticaGuardada, *, as_json: bool) -> None:
    if as_json:
        emit_value(_value(politica))
    else:
        say(f"{politica.documento}, versão {politica.versao}: {_STATUS[politica.status]}.")


def _value(politica: PoliticaGuardada) -> dict[str, Any]:
    return {
        "id": politica.id,
        "administradora_id": politica.administradora_id,
        "documento": politica.documento,
        "versao": politica.versao,
        "vigencia_inicio": politica.vigencia_inicio,
        "vigencia_fim": politica.vigencia_fim,
        "status": politica.status,
        "regras_total": politica.regras_total,
        "digest": politica.digest.hex(),
    }


def _relatorio_value(relatorio: Relatorio | None) -> dict[str, Any]:
    if relatorio is None:
        return {"avisos": [], "lidos_de_observacoes": []}
    return {
        "regras_total": relatorio.regras_total,
        "avisos": [problem_value(aviso) for aviso in relatorio.avisos],
        "lidos_de_observacoes": relatorio.lidos_de_observacoes,
    }


async def _publish(
    politicas: Politicas, scope: Scope, politica_id: UUID, sim: bool, manter_anterior: bool, as_json: bool
) -> PoliticaGuardada:
    """Publish a draft; where that closes another version, only once what changes was seen and confirmed."""
    previa = await politicas.previa(scope, politica_id)
    if not previa.encerra or manter_anterior:
        return await politicas.publicar(scope, politica_id, manter_anterior=manter_anterior)
    if not as_json:
        for line in told(previa):
            say(line)
    if not (sim or (not as_json and confirmed("Publicar e encerrar?"))):
        raise PublicacaoNaoConfirmada(
            "O documento ficou como rascunho. Publique com --sim para encerrar a versão anterior, "
            "ou com --manter-anterior para manter as duas."
        )
    return await politicas.publicar(scope, politica_id, confirmacao=previa.confirmacao)


async def _find(politicas: Politicas, scope: Scope, beginning: str) -> PoliticaGuardada:
    """The one política whose id begins so. Raises PoliticaNotFound, IdAmbiguo."""
    from crivo.autorizacoes.politicas.service import PoliticaNotFound

    found = [politica for politica in await politicas.listar(scope) if str(politica.id).startswith(beginning.lower())]
    if not beginning or not found:
        raise PoliticaNotFound("Não há política com este id. Veja as que existem com 'crivo politicas listar'.")
    if len(found) > 1:
        raise IdAmbiguo(f"{len(found)} políticas têm id começado assim. Escreva mais dele.")
    return found[0]


def _short(politica: PoliticaGuardada, among: list[PoliticaGuardada]) -> str:
    """The shortest beginning of an id, from 13 characters on, that no other one shares."""
    whole = str(politica.id)
    others = [str(other.id) for other in among if other.id != politica.id]
    size = next((size for size in range(_SHOWN_ID, len(whole)) if not any(other.startswith(whole[:size]) for other in others)), len(whole))
    return whole[:size].rstrip("-")


def _formato(arquivo: str) -> Literal["json", "yaml"] | None:
    suffix = arquivo.lower().rpartition(".")[2]
    return "json" if suffix == "json" else "yaml" if suffix in ("yaml", "yml") else None
