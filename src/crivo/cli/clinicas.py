"""`crivo clinicas`: the clinics of the network, and the conversation that books across them."""

from __future__ import annotations

import asyncio
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant, scope_of
from crivo.cli.clinicas_agendas import ImportacaoNaoConfirmada, check_folder, check_new, tell_empty, told, value
from crivo.cli.saida import confirmed, emit_value, note, say, table
from crivo.kernel.atos import NewEntry
from crivo.kernel.errors import Problem

if TYPE_CHECKING:
    from crivo.clinicas.agendas import Previa
    from crivo.clinicas.clinica.supervisor import ClinicStatus, Restart
    from crivo.clinicas.service import Clinicas
    from crivo.kernel.settings import LogNivel

_STATES: Final = {"subindo": "subindo", "no_ar": "✓ no ar", "reiniciando": "reiniciando", "parada": "parada"}

Dados = Annotated[
    Path | None,
    typer.Option("--dados", metavar="PASTA", help="De onde encher as agendas novas; sem ela, da amostra."),
]
Papel = Annotated[
    Literal["atendimento", "operador"],
    typer.Option("--papel", metavar="PAPEL", help="atendimento, ou operador, que também lê prontuários."),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="A clínica, como clinic_a.")]


app = Aplicacao("Roda as clínicas da rede e conversa com elas: lista, marca, remarca e cancela consultas.")


@app.comando("servir")
def servir(ctx: typer.Context, clinica: Id, dados: Dados = None, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Serve uma clínica por MCP até ser interrompido com Ctrl-C."""
    from crivo.clinicas.clinica.serving import serve_clinic
    from crivo.kernel.logs import configure_logs

    ambiente = Ambiente.of(ctx, tenant, as_json)
    clinicas = open_clinicas(ambiente, dados)
    order, place = clinicas.order(clinica), clinicas.place(clinica)
    check_new(clinicas, clinica)
    configure_logs(ambiente.settings().log_nivel)

    def tell() -> None:
        tell_moved(clinicas, clinica)
        tell_empty(clinicas, clinica)
        note(f"{order.clinica.nome} atendendo em {clinicas.url(order.clinica)} (Ctrl-C encerra).")

    serve_clinic(place, order.plant, host=order.host, portas=order.portas, cadastro=order.cadastro, on_ready=tell)


@app.comando("subir")
def subir(ctx: typer.Context, dados: Dados = None, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Sobe todas as clínicas, cada uma em seu processo, e as encerra juntas com Ctrl-C.

    A que cair, ou deixar de responder, volta sozinha.
    """
    from crivo.clinicas.clinica import supervisor
    from crivo.kernel.logs import configure_logs

    ambiente = Ambiente.of(ctx, tenant, as_json)
    clinicas = open_clinicas(ambiente, dados)
    check_new(clinicas)
    configure_logs(ambiente.settings().log_nivel)
    supervisor.subir(clinicas.orders(), lambda status: _show_running(clinicas, status, as_json=ambiente.json), show_restart)


@app.comando("exportar")
def exportar(
    ctx: typer.Context,
    clinica: Id,
    saida: Annotated[Path | None, typer.Option("--saida", metavar="ARQ", help="Onde gravar; sem ela, escreve na saída padrão.")] = None,
    dados: Dados = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Escreve a agenda de uma clínica como db.json, com as clínicas no ar ou não.

    O arquivo tem nomes e CPFs de quem marcou: só o dono dele pode lê-lo.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    clinicas = open_clinicas(ambiente, dados)
    document = clinicas.export(clinica, saida)
    asyncio.run(clinicas.note(NewEntry(acao="agenda.exportada", alvo=f"clinica:{clinica}")))
    if saida is None:
        sys.stdout.write(document.decode())
    elif ambiente.json:
        emit_value({"id": clinica, "arquivo": str(saida)})
    else:
        say(f"✓ Agenda de {clinica} gravada em {saida}.")


@app.comando("importar")
def importar(
    ctx: typer.Context,
    clinica: Id,
    arquivo: Annotated[Path, typer.Argument(metavar="ARQ", help="Um db.json.")],
    sim: Annotated[bool, typer.Option("--sim", help="Confirma sem perguntar o que sai da agenda.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Põe um db.json no lugar de toda a agenda de uma clínica, consultas marcadas inclusive.

    Antes diz o que entra, o que sai e quantas consultas se perdem, e pergunta. A agenda de antes fica gravada ao lado de ARQ, só para
    o dono dele: importá-la desfaz.
    """
    from crivo.clinicas.agendas import carry_out

    ambiente = Ambiente.of(ctx, tenant, as_json)
    clinicas = open_clinicas(ambiente, None)
    previa = clinicas.preview(clinica, arquivo)
    _confirm(previa, sim=sim, as_json=ambiente.json)
    copia, count = carry_out(previa), len(previa.novos)
    asyncio.run(clinicas.note(NewEntry(acao="agenda.importada", alvo=f"clinica:{clinica}", dados={"horarios": count})))
    if ambiente.json:
        emit_value(value(previa, copia))
        return
    say(f"✓ {count} {'horário importado' if count == 1 else 'horários importados'} para {clinica}.")
    if copia is not None:
        note(
            f"A agenda de antes está em {copia}, com nomes e CPFs: apague-a quando não precisar mais. "
            f"Para desfazer: crivo clinicas importar {clinica} {shlex.quote(str(copia))}"
            f"{' (as consultas voltam, os códigos delas não)' if previa.perdidas else ''}"
        )


def _confirm(previa: Previa, *, sim: bool, as_json: bool) -> None:
    """Show what an import would come to, and ask. Raises ImportacaoNaoConfirmada."""
    if not previa.asks:
        return
    lines = tuple(told(previa))
    if not as_json:
        for line in lines:
            say(line)
    if not (sim or (not as_json and confirmed("Trocar a agenda?"))):
        problems = [Problem(line.strip()) for line in lines] if as_json else []
        raise ImportacaoNaoConfirmada("Nada foi importado, e a agenda é a de antes. Para trocá-la, repita com --sim.", problems)


@app.comando("token")
def token(
    ctx: typer.Context,
    clinica: Id,
    papel: Papel = "atendimento",
    validade: Annotated[int, typer.Option("--validade", metavar="MIN", min=1, max=1440, help="Por quantos minutos vale.")] = 60,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Faz uma chave com que um cliente MCP fala com uma clínica, e só com ela; ela vence sozinha."""
    ambiente = Ambiente.of(ctx, tenant, as_json)
    clinicas = open_clinicas(ambiente, None)
    found = clinicas.find(clinica)
    made = clinicas.make_token(found.id, papel, validade * 60)
    if ambiente.json:
        emit_value({"id": found.id, "papel": papel, "url": clinicas.url(found), "validade_minutos": validade, "token": made})
    else:
        say(made)
        note(f"Vale por {validade} {'minuto' if validade == 1 else 'minutos'}, para {found.nome}, no papel de {papel}.")


@app.comando("girar-chaves")
def girar_chaves(
    ctx: typer.Context,
    clinica: Annotated[str | None, typer.Argument(metavar="[ID]", help="A clínica; sem ela, todas as que rodam aqui.")] = None,
    imediato: Annotated[bool, typer.Option("--imediato", help="A chave anterior deixa de valer já: para quando ela vazou.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Troca a chave de uma clínica, ou de todas, sem parar nenhuma; o que a anterior assinou deixa de valer em 5 minutos."""
    ambiente = Ambiente.of(ctx, tenant, as_json)
    done = open_clinicas(ambiente, None).exchange_keys(clinica, at_once=imediato)
    if ambiente.json:
        emit_value(
            [{"id": id_, "kid": ring.atual.kid, "anterior": ring.anterior.chave.kid if ring.anterior else None} for id_, ring in done]
        )
        return
    for id_, _ in done:
        say(f"✓ Chave nova para {id_}.")
    note("As chaves anteriores já não valem." if imediato else "As chaves anteriores ainda valem por 5 minutos.")


def open_clinicas(ambiente: Ambiente, dados: Path | None, log_nivel: LogNivel | None = None) -> Clinicas:
    """The installation's clinics, by the settings; `log_nivel` in the place of the one set. Raises WrongSetting, RestauracaoPelaMetade and
    PastaDeAgendasInvalida.
    """
    from crivo.clinicas.service import Clinicas
    from crivo.kernel.atos.espera import Spool
    from crivo.kernel.copia.pasta import refuse_half_restored
    from crivo.kernel.relogio import require_sane

    settings = ambiente.settings()
    if settings.agora is None:
        require_sane(settings.clock)
    refuse_half_restored(settings.data_dir)
    level = log_nivel or settings.log_nivel
    atos = Spool(settings.data_dir, settings.clock)
    clinicas = Clinicas(
        settings.data_dir, settings.agora, dados, level, dono=scope_of(settings), registrar=atos, portas=settings.portas_das_clinicas
    )
    check_folder(clinicas)
    return clinicas


def _show_running(clinicas: Clinicas, running: tuple[ClinicStatus, ...], *, as_json: bool) -> None:
    tell_moved(clinicas)
    tell_empty(clinicas)
    if as_json:
        emit_value([_status_value(clinicas, status) for status in running])
        sys.stdout.flush()
        return
    known = [(clinicas.find(status.id), status) for status in running]
    rows = [(clinica.id, clinica.nome, clinica.especialidade, clinicas.url(clinica), _STATES[status.state]) for clinica, status in known]
    table(("Id", "Clínica", "Especialidade", "Endereço", "Situação"), rows, whole="Endereço")
    sys.stdout.flush()
    note("Converse com elas: crivo clinicas conversar. Ctrl-C encerra todas.")


def tell_moved(clinicas: Clinicas, only: str | None = None) -> None:
    """Say which clinics answer on another port than the registry has, and where that is told."""
    from crivo.kernel.portas import by_whom, holder_of

    for clinica, port in clinicas.moved():
        if only in {None, clinica.id}:
            taken = "" if holder_of(clinica.porta) is None else f"a {clinica.porta} está em uso {by_whom(clinica.porta)}"
            note(f"A {clinica.nome} atende na porta {port}: {taken or 'é a de CRIVO_CLINICAS_PORTAS'}.")


def show_restart(restart: Restart) -> None:
    """Say that a clinic is coming back, and why it had to."""
    what = "deixou de responder" if restart.reason == "sem_resposta" else "caiu"
    note(f"A {restart.clinica.nome} {what} e está voltando; o resto continua no ar.")


def _status_value(clinicas: Clinicas, status: ClinicStatus) -> dict[str, Any]:
    return {"id": status.id, "url": clinicas.url(clinicas.find(status.id)), "situacao": status.state, "pid": status.pid}
