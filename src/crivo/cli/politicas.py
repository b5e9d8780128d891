"""`crivo politicas`: the documents that decide — their schema, their faults, their import and their life."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import typer

from crivo.autorizacoes.palavras import count, verb
from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import STANDARD, read_file
from crivo.cli.datas import date_of
from crivo.cli.politicas_achar import LARGEST_DOCUMENT, find_politica, formato_of
from crivo.cli.politicas_conferir import conferir
from crivo.cli.politicas_planilha import Cabecalho, is_planilha, read_of_planilha, show_leitura, show_mapa, write_file
from crivo.cli.politicas_previa import told
from crivo.cli.politicas_testar import document_and_cases, provar
from crivo.cli.saida import FAILED, confirmed, day, emit_value, note, problem_value, report, say, table
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from uuid import UUID

    from crivo.autorizacoes.contracts import Politica
    from crivo.autorizacoes.guardadas import PoliticaGuardada
    from crivo.autorizacoes.politicas.casos.caso import Caso
    from crivo.autorizacoes.politicas.casos.servico import Gravados
    from crivo.autorizacoes.politicas.documento import Importada, Relatorio
    from crivo.autorizacoes.politicas.planilha.servico import LeituraDePlanilha
    from crivo.autorizacoes.politicas.service import Importacao
    from crivo.autorizacoes.simulacao.service import Simulada
    from crivo.bootstrap import Container

_ALL_CASES: Final = 1_000_000_000
_SHOWN_ID: Final = 13  # up to the end of the milliseconds: what tells two ids apart at a glance
_STATUS: Final = {"rascunho": "rascunho", "publicada": "✓ publicada", "revogada": "✗ revogada"}

Arquivos = Annotated[
    list[str],
    typer.Argument(
        metavar="ARQUIVO",
        help="Política em JSON, YAML, XLSX ou CSV, ou a pasta dela com casos/; '-' lê JSON ou YAML da entrada padrão.",
    ),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="Id da política, ou o começo dele.")]

Sim = Annotated[bool, typer.Option("--sim", help="Confirma sem perguntar o que a publicação encerra e muda.")]
Apesar = Annotated[
    str | None,
    typer.Option("--motivo", metavar="TEXTO", help="Por que publicar apesar de erros ou de casos que falham; fica na auditoria."),
]
Manter = Annotated[bool, typer.Option("--manter-anterior", help="Deixa a versão anterior do documento valendo ao lado desta.")]

app = Aplicacao("Valida, importa, publica e revoga as políticas das administradoras.")


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
    motivo: Apesar = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Importa políticas como rascunho, ou já publicadas; a mesma política outra vez não muda nada."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> int:
        refused = 0
        for arquivo in arquivos:
            try:
                documento, casos = _chosen(arquivo)
                raw = read_file(documento, LARGEST_DOCUMENT)
                if is_planilha(documento):
                    importacao = (await container.planilhas.importar(scope, raw)).importacao
                else:
                    importacao = await container.politicas.importar(scope, raw, formato_of(documento))
                gravados = await container.casos_de_politica.gravar(scope, importacao.politica.id, casos) if casos else None
                if publicar and importacao.politica.status == "rascunho":
                    politica = await _publish(container, scope, importacao.politica.id, sim, manter_anterior, motivo, ambiente.json)
                    importacao = replace(importacao, politica=politica, mudou=True)
            except CrivoError as error:
                if error.kind is Kind.UNAVAILABLE:
                    raise
                report(error, as_json=ambiente.json, about=arquivo)
                refused += 1
            else:
                _show_importacao(arquivo, importacao, gravados, as_json=ambiente.json)
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
    content = read_file(arquivo, LARGEST_DOCUMENT)
    cabeca = Cabecalho(administradora, documento, versao, vigencia_inicio, vigencia_fim)
    chosen = None if mapa is None else read_file(mapa, LARGEST_DOCUMENT)

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
        _show_importacao(arquivo, replace(importacao, relatorio=replace(importacao.relatorio, avisos=())), None, as_json=False)
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
        found = await find_politica(container.politicas, scope, politica)
        return (await container.planilhas.exportar(scope, found.id, formato))[1]

    write_file(saida, formato, lambda: ambiente.use(work))


@app.comando("publicar")
def publicar(
    ctx: typer.Context,
    politica: Id,
    sim: Sim = False,
    manter_anterior: Manter = False,
    motivo: Apesar = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Publica um rascunho: ele passa a decidir os pedidos da sua vigência, e a versão anterior do documento se encerra na véspera.

    Antes mostra o que entra, sai e muda, e pergunta.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> PoliticaGuardada:
        found = await find_politica(container.politicas, scope, politica)
        return await _publish(container, scope, found.id, sim, manter_anterior, motivo, ambiente.json)

    _show_politica(ambiente.use(work), as_json=ambiente.json)


@app.comando("simular")
def simular(
    ctx: typer.Context,
    rascunho: Annotated[str, typer.Argument(metavar="RASCUNHO", help="Id de um rascunho, ou o começo dele; ou um arquivo .json ou .yaml.")],
    desde: Annotated[str | None, typer.Option("--desde", metavar="DATA", help="Pedidos a partir deste dia; sem isto, 30 dias.")] = None,
    ate: Annotated[str | None, typer.Option("--ate", metavar="DATA", help="Pedidos até este dia, incluído; sem isto, hoje.")] = None,
    entrada: Annotated[
        str | None,
        typer.Option("--entrada", metavar="ARQUIVO", help="Pedidos de um arquivo, em JSON, um por linha, ou em CSV, em vez dos guardados."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Decide de novo os pedidos de um período, pelo que está publicado agora e pelo rascunho, e mostra o que mudaria. Nada é gravado."""
    from crivo.autorizacoes.simulacao.resultado import Recorte, value_of
    from crivo.cli.politicas_simulacao import simulating
    from crivo.cli.politicas_simulacao import told as told_of

    ambiente = Ambiente.of(ctx, tenant, as_json)
    inicio, fim = date_of(desde, "--desde"), date_of(ate, "--ate")
    recorte = Recorte(quantos=_ALL_CASES) if ambiente.json else Recorte()
    no_arquivo = _draft_in_file(rascunho)

    async def work(container: Container, scope: Scope) -> Simulada:
        found = no_arquivo or (await find_politica(container.politicas, scope, rascunho)).id
        with simulating(entrada) as (lines, on_progress):
            return await container.simulacoes.simular(scope, found, inicio, fim, entrada=lines, recorte=recorte, on_progress=on_progress)

    simulada = ambiente.use(work)
    if ambiente.json:
        emit_value(value_of(simulada.simulacao))
        return
    for line in told_of(simulada):
        say(line)


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
        return await container.politicas.revogar(scope, (await find_politica(container.politicas, scope, politica)).id, motivo)

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


def _chosen(named: str) -> tuple[str, list[Caso]]:
    """The file of a document, and the cases beside it where a folder was named. Raises PastaSemPolitica, CasoInvalido."""
    return document_and_cases(Path(named)) if Path(named).is_dir() else (named, [])


def _vigencia(politica: PoliticaGuardada) -> str:
    inicio = day(politica.vigencia_inicio)
    return f"{inicio} a {day(politica.vigencia_fim)}" if politica.vigencia_fim else f"desde {inicio}"


def _validate(arquivo: str, *, as_json: bool) -> bool:
    """Tell what a linter would; whether the document may be imported."""
    from crivo.autorizacoes.politicas.importacao import read_politica

    importada: Importada | None = None
    problemas: tuple[Problem, ...] = ()
    try:
        raw = read_file(arquivo, LARGEST_DOCUMENT)
        importada = read_of_planilha(raw) if is_planilha(arquivo) else read_politica(raw, formato_of(arquivo))
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


def _show_importacao(arquivo: str, importacao: Importacao, gravados: Gravados | None, *, as_json: bool) -> None:
    if as_json:
        said = {"arquivo": arquivo, "mudou": importacao.mudou, **_value(importacao.politica), **_relatorio_value(importacao.relatorio)}
        casos = {"casos": gravados.nomes, "casos_recusados": [problem_value(um) for um in gravados.recusados]} if gravados else {}
        emit_value(said | casos)
        return
    for aviso in importacao.relatorio.avisos:
        say(_lint_line(arquivo, aviso, "aviso: "))
    _show_observacoes(arquivo, importacao.relatorio)
    politica = importacao.politica
    done = _STATUS[politica.status] if importacao.mudou else f"já estava aqui, sem mudança ({politica.status})"
    regras = count(politica.regras_total, "regra", "regras")
    say(f"{arquivo}: {politica.documento}, versão {politica.versao}, {regras}: {done}. Id {politica.id}.")
    if gravados:
        say(f"{arquivo}: {count(len(gravados.nomes), 'caso de teste gravado', 'casos de teste gravados')}.")
        for recusado in gravados.recusados:
            say(f"{arquivo}: aviso: {recusado.mensagem}")


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


async def _say_what_is_doubtful(container: Container, scope: Scope, politica_id: UUID) -> None:
    """How many avisos the conferência has, and how many of them may change a decision."""
    from crivo.autorizacoes.politicas.conferir.achados import may_change_a_decision

    avisos = [um for um in (await container.conferencias.guardada(scope, politica_id)).achados if um.gravidade == "aviso"]
    mudam = sum(1 for um in avisos if may_change_a_decision(um))
    if avisos:
        podem = f", {mudam} {verb(mudam, 'pode', 'podem')} mudar uma decisão" if mudam else ""
        note(f"{count(len(avisos), 'aviso', 'avisos')} da conferência{podem}: veja com 'crivo politicas conferir {politica_id}'.")


async def _say_what_it_would_do(container: Container, scope: Scope, politica_id: UUID) -> None:
    """How many decisions of the last thirty days would have been others."""
    from crivo.autorizacoes.simulacao.resultado import Recorte
    from crivo.cli.politicas_simulacao import headline

    simulada = await container.simulacoes.simular(scope, politica_id, recorte=Recorte(quantos=0))
    if simulada.simulacao.total:
        say(f"Nos últimos 30 dias: {headline(simulada)} Veja quais com 'crivo politicas simular {politica_id}'.")


async def _publish(
    container: Container, scope: Scope, politica_id: UUID, sim: bool, manter_anterior: bool, motivo: str | None, as_json: bool
) -> PoliticaGuardada:
    """Publish a draft; where that closes another version, only once what changes was seen and confirmed."""
    politicas = container.politicas
    if not as_json and not (await politicas.impedimentos(scope, politica_id)).casos:
        note("Nenhum caso de teste: veja os que podem ser propostos com 'crivo politicas testar'.")
    previa = await politicas.previa(scope, politica_id)
    if not as_json and previa.politica.status == "rascunho":
        await _say_what_is_doubtful(container, scope, politica_id)
        await _say_what_it_would_do(container, scope, politica_id)
    if not previa.encerra or manter_anterior:
        return await politicas.publicar(scope, politica_id, manter_anterior=manter_anterior, motivo=motivo)
    if not as_json:
        for line in told(previa):
            say(line)
    if not (sim or (not as_json and confirmed("Publicar e encerrar?"))):
        raise PublicacaoNaoConfirmada(
            "O documento ficou como rascunho. Publique com --sim para encerrar a versão anterior, "
            "ou com --manter-anterior para manter as duas."
        )
    return await politicas.publicar(scope, politica_id, confirmacao=previa.confirmacao, motivo=motivo)


def _draft_in_file(dito: str) -> Politica | None:
    """The política in a file, None where no file is named. Raises PoliticaInvalida, with every fault of it."""
    from crivo.autorizacoes.politicas.importacao import read_politica

    if dito != STANDARD and not Path(dito).suffix and not Path(dito).is_file():
        return None
    return read_politica(read_file(dito, LARGEST_DOCUMENT), formato_of(dito)).politica


def _short(politica: PoliticaGuardada, among: list[PoliticaGuardada]) -> str:
    """The shortest beginning of an id, from 13 characters on, that no other one shares."""
    whole = str(politica.id)
    others = [str(other.id) for other in among if other.id != politica.id]
    size = next((size for size in range(_SHOWN_ID, len(whole)) if not any(other.startswith(whole[:size]) for other in others)), len(whole))
    return whole[:size].rstrip("-")


app.comando("conferir")(conferir)
app.comando("testar")(provar)
