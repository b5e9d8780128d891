"""`/`: what needs this person today, by their role, and where the rest is. Source: interfaces, Pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.entregas.service import DestinoVisto
from crivo.autorizacoes.revisao import Panorama
from crivo.bootstrap import Container
from crivo.clinicas.recepcao import Espera
from crivo.kernel.access import Usuario, list_usuarios
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao.guardados import Lembrete
from crivo.triagem.palavras import count, shown
from crivo.triagem.percurso import Esperando
from crivo.triagem.service import EditalNaLista
from crivo.web.pages.administracao.cotas_vista import notices
from crivo.web.pages.autorizacoes.prazo_vista import PrazoVista
from crivo.web.pages.navegacao import areas_of, may_open
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.distribuicao_vista import reminder_said
from crivo.web.pages.triagem.percurso import ANSWERED, diligences_said
from crivo.web.state import pode, quem_of, scope_of, state_of

router = APIRouter(include_in_schema=False)
_EDITAIS_SHOWN: Final = 6
_QUEUE: Final = "/autorizacoes/fila"
_RECEPTION: Final = "/clinicas/atendimento"
_PARA: Final[Mapping[str, str]] = {
    "/admin/editais": "Importe um edital, execute a triagem e veja o que merece ser conferido.",
    "/avaliacao": "Os projetos que foram dados a você, com os critérios de cada edital.",
    "/autorizacoes": "Envie um pedido e veja a decisão na hora, com o motivo e a fonte.",
    _QUEUE: "Decisões que esperam por uma pessoa, as mais urgentes primeiro.",
    "/politicas": "As regras de cada administradora: versões, problemas e publicação.",
    "/formatos": "Como se lê o pedido que o sistema de cada administradora manda.",
    "/clinicas/conversa": "Converse para ver horários, marcar, remarcar ou cancelar consultas.",
    "/clinicas/atendimento": "Quem pediu para falar com uma pessoa, as emergências primeiro.",
    "/minhas-consultas": "As consultas que você tem em todas as clínicas: veja, mude ou cancele.",
    "/clinicas/contas": "Ligue a conta de um paciente ao CPF do documento que você viu.",
    "/clinicas/situacao": "Quais clínicas respondem agora, e em quanto tempo.",
    "/clinicas/avaliacao": "Como a conversa vai: acertos, recusas e provas.",
    "/admin/execucoes": "O que os modelos custaram e para quê, e as triagens feitas e em andamento.",
    "/admin/auditoria": "Quem fez o quê, e a prova de que nada foi mudado depois.",
    "/admin/cartas": "As cartas a quem se inscreveu: as que saíram e as que esperam alguém.",
    "/admin/entregas": "Para onde vai o aviso de cada decisão, o que espera e por quê.",
    "/admin/pessoas": "Convide pessoas e cuide do que cada uma pode fazer.",
    "/admin/chaves": "Chaves para os programas que falam com o crivo.",
    "/admin/cotas": "O que a organização usa do que pode usar, e o que acontece no fim.",
    "/admin/organizacoes": "As organizações desta instalação: crie, dê cotas, suspenda e reative.",
}


@dataclass(frozen=True, slots=True)
class Pendencia:
    """Something that waits for this person: a sentence, how pressing it is (atencao, ok or neutro), and where it is done."""

    titulo: str
    detalhe: str
    tom: str
    icone: str
    endereco: str
    acao: str


@router.get("/", response_class=Response)
async def inicio(request: Request) -> Response:
    """What waits for the person of the session, the most pressing first."""
    container, scope = state_of(request).container, scope_of(request)
    hoje = _at_reception(await state_of(request).conversas.fila(scope.tenant_id)) if may_open(scope, _RECEPTION) else []
    hoje += [one async for one in _pending(container, scope)]
    if may_open(scope, "/admin/entregas"):
        hoje += [one for visto in await container.entregas.listar(scope) if (one := _undelivered(visto)) is not None]
    if may_open(scope, "/admin/cotas"):
        usos = await container.organizacoes.quase_no_fim(scope)
        looks_after = bool(usos) and pode(request, "organizacoes.administrar")
        told = notices(usos, await container.organizacoes.nome(scope) if looks_after else "")
        hoje += [_near_the_end(texto, tom, scope.tenant_id if looks_after else "") for texto, tom in told]
    areas = [
        (area.titulo, [(lugar, _PARA[lugar.endereco]) for lugar in area.lugares if lugar.endereco in _PARA])
        for area in areas_of(scope, casa=container.organizacoes.casa)
    ]
    nome = quem_of(request).split(" ")[0]
    first = [] if hoje else [one async for one in _first_steps(container, scope)]
    return page(request, "inicio.html", nome=nome, hoje=hoje, primeiros=first, atalhos=[area for area in areas if area[1]])


async def _first_steps(container: Container, scope: Scope) -> AsyncIterator[Pendencia]:
    """What somebody of that role does first where there is nothing yet, in the order in which it is done."""
    if may_open(scope, "/admin/editais/exemplo") and not await container.triagem.editais(scope):
        told = "Com os projetos e os documentos. Há um de exemplo para baixar e experimentar."
        yield Pendencia("Importar um edital", told, "neutro", "pasta", "/admin/editais#importar", "Importar")
    if may_open(scope, "/politicas/exemplo") and not await container.politicas.listar(scope):
        told = "As regras da administradora, que decidem os pedidos. Há uma de exemplo para baixar."
        yield Pendencia("Importar e publicar uma política", told, "neutro", "documento", "/politicas/importar", "Importar")
    if may_open(scope, "/autorizacoes/exemplo") and not (await container.autorizacoes.folhear(scope, tamanho=1)).total:
        told = "A decisão sai na hora, com o motivo e a fonte. Há um de exemplo para baixar."
        yield Pendencia("Enviar um pedido", told, "neutro", "escudo", "/autorizacoes#enviar", "Enviar")
    if may_open(scope, "/admin/pessoas") and len(await _people(container, scope)) == 1:
        told = "Quem avalia, revê pedidos ou atende na recepção entra por um convite seu."
        yield Pendencia("Convidar quem trabalha com você", told, "neutro", "pessoas", "/admin/pessoas#convidar", "Convidar")
    if may_open(scope, "/avaliacao") and not may_open(scope, "/admin/editais"):
        told = "Quem faz a gestão do edital dá os projetos; eles aparecem aqui e em Avaliação."
        if not await container.julgamento.meus_projetos(scope):
            yield Pendencia("Esperar os seus projetos", told, "neutro", "balanca", "/avaliacao", "Ver")


async def _people(container: Container, scope: Scope) -> Sequence[Usuario]:
    async with container.database.unit_of_work(scope) as uow:
        return await list_usuarios(uow)


async def _pending(container: Container, scope: Scope) -> AsyncIterator[Pendencia]:
    if may_open(scope, _QUEUE):
        for one in _reviews(await container.revisoes.panorama(scope), container.clock.now()):
            yield one
    if may_open(scope, "/avaliacao"):
        for lembrete, quem in await container.lembretes.meus(scope):
            yield _reminded(lembrete, quem)
        given = await container.julgamento.meus_projetos(scope)
        left = sum(not one.avaliado for one in given)
        if left:
            yield _to_judge(left, len(given))
    if may_open(scope, "/admin/editais"):
        editais = await container.triagem.editais(scope)
        for one in _sent_in(editais, await container.percurso.esperando(scope)):
            yield one
        for edital in editais[:_EDITAIS_SHOWN]:
            found = _edital(edital) or _to_decide(edital, await container.decisoes.decididos(scope, edital.edital_id))
            if found is not None:
                yield found


def _undelivered(visto: DestinoVisto) -> Pendencia | None:
    """A destination of decisions that the program turned off, or that fails again and again while something waits for it."""
    destino, where = visto.destino, f"/admin/entregas/{visto.destino.id}"
    if destino.situacao == "desligado":
        told = f"Os avisos de decisões para {destino.nome} pararam. Veja o motivo e retome, ou remova o destino."
        return Pendencia(f"Entregas paradas: {destino.nome}", told, "atencao", "enviar", where, "Ver")
    if not destino.descansa or not visto.fila.quantas:
        return None
    waiting = count(visto.fila.quantas, "aviso espera", "avisos esperam")
    told = f"{destino.nome} não está recebendo: {waiting}. Nada se perde, e há novas tentativas."
    return Pendencia(f"Entregas que não chegam: {destino.nome}", told, "pendente", "enviar", where, "Ver")


def _near_the_end(texto: str, tom: str, muda: str) -> Pendencia:
    """A quota that is used up, or nearly; `muda` is the organisation whose quotas whoever reads this may change."""
    if muda:
        return Pendencia("Cotas da organização", texto, tom, "grafico", f"/admin/organizacoes/{muda}#titulo-cotas", "Mudar")
    return Pendencia("Cotas da organização", texto, tom, "grafico", "/admin/cotas", "Ver")


def _at_reception(fila: Sequence[Espera]) -> list[Pendencia]:
    """Patients who wait for a person, whom nobody has yet."""
    waiting = [espera for espera in fila if espera.atendente is None]
    if not waiting:
        return []
    urgent = sum(espera.urgente for espera in waiting)
    told = count(len(waiting), "paciente espera por uma pessoa", "pacientes esperam por uma pessoa")
    detail = f"{count(urgent, 'é emergência', 'são emergências')}." if urgent else "A conversa continua na mesma tela em que começou."
    return [Pendencia(told, detail, "negado" if urgent else "pendente", "conversa", _RECEPTION, "Atender")]


def _reviews(panorama: Panorama, agora: datetime) -> list[Pendencia]:
    """What waits for a person, as pressing as its nearest deadline; what is past or near is told by itself."""
    if not panorama.total:
        return []
    late, due, uncounted = (panorama.faixas[one] for one in ("vencido", "hoje", "sem_prazo"))
    said = [
        *([count(late, "passou do prazo", "passaram do prazo")] if late else []),
        *([count(due, "vence hoje", "vencem hoje")] if due else []),
        *([f"{count(uncounted, 'está', 'estão')} sem prazo, por falta do calendário do ano"] if uncounted else []),
        *([count(panorama.minhas, "é sua", "são suas")] if panorama.minhas else []),
    ]
    first = panorama.mais_perto
    if not (late or due) and first is not None:
        said.insert(0, f"a primeira da fila {PrazoVista.of(first, agora).palavras}")
    detail = ", ".join(said)
    tone = "negado" if late or uncounted else "pendente" if due or panorama.urgentes else "neutro"
    told = count(panorama.total, "decisão espera", "decisões esperam")
    where = f"{_QUEUE}?prazo=vencido" if late else _QUEUE
    return [Pendencia(f"{told} por uma pessoa", f"{detail[:1].upper()}{detail[1:]}.", tone, "olho", where, "Abrir a fila")]


def _to_judge(left: int, total: int) -> Pendencia:
    told = f"{count(left, 'projeto espera', 'projetos esperam')} a sua avaliação"
    return Pendencia(told, f"Você já avaliou {total - left} de {total}.", "pendente", "balanca", "/avaliacao", "Avaliar")


def _reminded(lembrete: Lembrete, quem: str) -> Pendencia:
    told = f"{shown(quem)} pediu as suas notas de {count(len(lembrete.projetos), 'projeto', 'projetos')}"
    return Pendencia(told, f"{reminder_said(lembrete)}.", "pendente", "relogio", "/avaliacao", "Avaliar")


def _sent_in(editais: Sequence[EditalNaLista], esperando: Esperando) -> Iterator[Pendencia]:
    """What people who applied sent and nobody has looked at, in whichever edital: recursos, which have days, before diligências."""
    for edital in editais:
        recursos = esperando.recursos.get(edital.edital_id, 0)
        if recursos:
            told = count(recursos, "recurso espera resposta", "recursos esperam resposta")
            yield Pendencia(told, f"{edital.nome}.", "pendente", "balanca", f"{_base(edital)}/recursos", "Responder")
    for edital in editais:
        said = diligences_said(esperando.diligencias.get(edital.edital_id, 0))
        if said:
            yield Pendencia(said, f"{edital.nome}.", "pendente", "relogio", f"{_base(edital)}{ANSWERED}", "Ver o que chegou")


def _to_decide(edital: EditalNaLista, decided: int) -> Pendencia | None:
    """The habilitação that people have not decided yet, where the last screening suggested one."""
    left = edital.projetos - decided
    if edital.execucao is None or edital.execucao.tipo not in {"completa", "habilitacao"} or left <= 0:
        return None
    told = f"{count(left, 'projeto espera', 'projetos esperam')} a sua decisão de habilitação."
    return Pendencia(f"{edital.nome} está triado", told, "pendente", "balanca", f"{_base(edital)}/mesa", "Abrir a mesa")


def _base(edital: EditalNaLista) -> str:
    return f"/admin/editais/{quote(edital.edital_id, safe='')}"


def _of_edital(edital: EditalNaLista) -> str:
    return f"{_base(edital)}/triagem-ia"


def _edital(edital: EditalNaLista) -> Pendencia | None:
    """What an edital waits for; None where its last screening is over."""
    where = _of_edital(edital)
    projects = count(edital.projetos, "projeto", "projetos")
    execucao = edital.execucao
    if execucao is None:
        return Pendencia(f"{edital.nome} ainda não foi triado", f"{projects}.", "neutro", "crivo", where, "Triar")
    if execucao.status == "em_andamento":
        told = f"{execucao.projetos_analisados} de {projects}."
        return Pendencia(f"{edital.nome} está sendo triado", told, "neutro", "relogio", where, "Acompanhar")
    if execucao.status in {"cancelada", "erro"}:
        stopped = "foi cancelada" if execucao.status == "cancelada" else "parou com erro"
        return Pendencia(f"A triagem de {edital.nome} {stopped}", "O que foi feito está guardado.", "pendente", "atencao", where, "Retomar")
    if execucao.projetos_com_erro:
        told = count(execucao.projetos_com_erro, "projeto não pôde ser lido", "projetos não puderam ser lidos")
        return Pendencia(f"{edital.nome} precisa de atenção", f"{told}.", "pendente", "atencao", where, "Ver")
    return None
