"""What pages say of recursos: words and values, for whoever made one and for whoever answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote
from uuid import UUID

from crivo.kernel.clock import BRASILIA
from crivo.kernel.rotulo import Rotulo
from crivo.triagem.atos import name_of, when
from crivo.triagem.guardados import Cabecalho
from crivo.triagem.palavras import HABILITACAO, day, number, shown
from crivo.triagem.recursos.contratos import NotaRevista, Recurso, Resposta
from crivo.triagem.recursos.palavras import ABERTO, CONTRA, CONTRA_CURTO, DESFECHO, SENTIDO, SITUACAO, change_said, where_said
from crivo.triagem.recursos.peticoes import Porta
from crivo.triagem.recursos.prazo import Prazo
from crivo.triagem.recursos.servico import PreviaDeResposta, RecursoAberto

_ERASED = "(dados apagados a pedido)"
_MOVES_SHOWN = 100


@dataclass(frozen=True, slots=True)
class RespostaVista:
    """An answer in words."""

    rotulo: Rotulo
    quem: str
    quando: str
    motivo: str
    mudancas: tuple[str, ...]
    desfeita: str = ""
    onde_conta: str = ""

    @classmethod
    def of(
        cls, resposta: Resposta, criterios: Mapping[str, str], nomes: Mapping[UUID, str], *, de_dentro: bool, versao: int = 0
    ) -> RespostaVista:
        """To people of the agency (`de_dentro`) with names; to whoever made the recurso without those of who judged.

        `versao` is the last published result, 0 where there is none.
        """
        said = []
        for one in resposta.mudancas:
            de = name_of(one.avaliador, nomes) if isinstance(one, NotaRevista) and de_dentro else ""
            said.append(shown(change_said(one, criterios, de)))
        undone = ""
        if resposta.desfeita_por is not None and resposta.desfeita_em is not None:
            why = f" Motivo: {shown(resposta.desfeita_motivo)}" if resposta.desfeita_motivo else ""
            undone = f"Desfeita por {name_of(resposta.desfeita_por, nomes)} em {when(resposta.desfeita_em)}.{why}"
        quem = name_of(resposta.respondido_por, nomes) if de_dentro else ""
        motivo = _ERASED if resposta.motivo is None else shown(resposta.motivo)
        return cls(DESFECHO[resposta.desfecho], quem, when(resposta.respondido_em), motivo, tuple(said), undone, _counted(resposta, versao))


@dataclass(frozen=True, slots=True)
class PapelVisto:
    """A paper, and where it is opened."""

    nome: str
    tamanho: str
    endereco: str


@dataclass(frozen=True, slots=True)
class RecursoVisto:
    """A recurso in words."""

    numero: int
    projeto: str
    titulo: str
    proponente: str
    contra: str
    contra_curto: str
    rotulo: Rotulo
    como: str
    sobre: str
    tardio: str
    texto: str
    papeis: tuple[PapelVisto, ...]
    resumo: str
    resposta: RespostaVista | None
    desfeitas: tuple[RespostaVista, ...]
    retiradas: tuple[str, ...]
    endereco: str

    @classmethod
    def of(
        cls,
        recurso: Recurso,
        quem: Cabecalho | None,
        criterios: Mapping[str, str],
        nomes: Mapping[UUID, str],
        base: str = "",
        *,
        de_dentro: bool = True,
        versao: int = 0,
    ) -> RecursoVisto:
        """`base` is where the recursos of the edital are listed, empty for whoever made it; `versao` the last published result."""
        resposta = recurso.resposta
        papeis = [
            PapelVisto(shown(one.nome), _size(one.tamanho_bytes), f"{base}/{recurso.numero}/papeis/{at}" if base else "")
            for at, one in enumerate(recurso.papeis, 1)
        ]
        return cls(
            recurso.numero,
            recurso.projeto_id,
            shown(quem.titulo) if quem else "",
            shown(quem.proponente.nome) if quem else "",
            CONTRA[recurso.contra],
            CONTRA_CURTO[recurso.contra],
            DESFECHO[resposta.desfecho] if resposta else ABERTO,
            _how(recurso, nomes, de_dentro=de_dentro),
            f"Versão {recurso.versao} do resultado publicado" if recurso.versao else "Antes de haver resultado publicado",
            shown(recurso.tardio),
            _ERASED if recurso.texto is None else shown(recurso.texto),
            tuple(papeis),
            recurso.resumo,
            RespostaVista.of(resposta, criterios, nomes, de_dentro=de_dentro, versao=versao) if resposta else None,
            tuple([RespostaVista.of(one, criterios, nomes, de_dentro=True) for one in recurso.desfeitas]) if de_dentro else (),
            tuple([_taken_back(one) for one in recurso.desfeitas]),
            f"{base}/{recurso.numero}" if base else "",
        )


@dataclass(frozen=True, slots=True)
class NotaVista:
    """A nota of the project, with its parecer; `antes` says which gave way to it."""

    alvo: str
    criterio: str
    avaliador: str
    nota: str
    faixa: str
    parecer: str
    antes: str


@dataclass(frozen=True, slots=True)
class MovimentoVisto:
    """A project that would move."""

    rotulo: Rotulo
    codigo: str
    titulo: str
    antes: str
    depois: str
    este: bool


def criterios_by_id(aberto: RecursoAberto) -> dict[str, str]:
    """The names of critérios."""
    return {one.id: shown(one.nome) for one in aberto.criterios}


def notas_vistas(aberto: RecursoAberto) -> tuple[NotaVista, ...]:
    """The notas that count of a project, each with who gave it and what it replaced."""
    criterios = {one.id: one for one in aberto.criterios}
    revised = {(one.criterio, one.avaliador): one for one in aberto.revisoes if one.em_vigor}
    found = []
    for one in aberto.notas:
        criterio, was = criterios[one.criterio], revised.get((one.criterio, one.avaliador))
        antes = f"Era {number(was.de, 2)}; revista por {name_of(was.revista_por, aberto.nomes)} em {when(was.revista_em)}." if was else ""
        faixa = f"de {number(criterio.nota_min)} a {number(criterio.nota_max)}"
        quem = name_of(one.avaliador, aberto.nomes)
        found.append(
            NotaVista(f"{one.criterio}|{one.avaliador}", shown(criterio.nome), quem, number(one.nota, 2), faixa, shown(one.texto), antes)
        )
    return tuple(found)


def movimentos_vistos(previa: PreviaDeResposta) -> tuple[tuple[MovimentoVisto, ...], int]:
    """Who would move, the project itself first, and how many more there are than are shown."""
    moves = previa.efeito.movimentos if previa.efeito else ()
    ordered = sorted(moves, key=lambda one: one.projeto_id != previa.recurso.projeto_id)
    rows = []
    for one in ordered[:_MOVES_SHOWN]:
        quem = previa.cabecalhos.get(one.projeto_id)
        este = one.projeto_id == previa.recurso.projeto_id
        titulo = shown(quem.titulo) if quem else ""
        rows.append(MovimentoVisto(SENTIDO[one.sentido], one.projeto_id, titulo, where_said(one.antes), where_said(one.depois), este))
    return tuple(rows), max(0, len(moves) - _MOVES_SHOWN)


def prazo_dito(prazo: Prazo, agora: datetime) -> str:
    """The days for recursos, in a sentence."""
    if prazo.inicio is None or prazo.fim is None:
        return "Este edital não tem prazo de recurso aberto."
    days = f"de {day(prazo.inicio)} a {day(prazo.fim)}" if prazo.inicio != prazo.fim else f"no dia {day(prazo.fim)}"
    match prazo.situacao(agora):
        case "aberto":
            return f"O prazo de recurso está aberto, {days}, até as 23h59 do último dia, pelo horário de Brasília."
        case "por_abrir":
            return f"O prazo de recurso ainda vai abrir: {days}."
        case _:
            return f"O prazo de recurso terminou: foi {days}."


def decidido_da_porta(porta: Porta) -> list[tuple[str, str]]:
    """What was published and decided of a project, by name, as whoever applied reads it."""
    found: list[tuple[str, str]] = []
    if porta.lugar is not None:
        lugar = porta.lugar
        found.append(("Situação", SITUACAO[lugar.situacao]))
        if lugar.posicao is not None:
            found.append(("Lugar", f"{lugar.posicao}º"))
        names = {one.id: shown(one.nome) for one in porta.criterios}
        found += [(f"Nota de {names.get(criterio, criterio)}", number(nota, 2)) for criterio, nota in lugar.notas.items()]
        if lugar.bonus:
            found.append(("Bônus", number(lugar.bonus, 2)))
        if lugar.nota_final is not None:
            found.append(("Nota final", number(lugar.nota_final, 2)))
        if lugar.situacao != "inabilitado" or porta.habilitacao is None:  # it says again what the decision says
            found.append(("Por quê", shown(lugar.motivo)))
    if porta.habilitacao is not None and (porta.lugar is not None or porta.prazo.situacao(porta.agora) in ("aberto", "encerrado")):
        decisao, motivo = porta.habilitacao
        found.append(("Habilitação", HABILITACAO[decisao].palavra + (f": {shown(motivo)}" if motivo else "")))
    return found


def publicado_dito(porta: Porta) -> str:
    """Which published result the page shows, and that answers which change something come in a later one; empty where there is none."""
    publicada = porta.publicada
    if publicada is None or porta.lugar is None:
        return ""
    em = day(publicada.publicada_em.astimezone(BRASILIA).date())
    said = f"Como está no resultado {publicada.fase} publicado em {em} (versão {publicada.versao})."
    answers = [one.resposta for one in porta.recursos if one.resposta is not None and one.resposta.mudancas]
    if any(one.versao >= publicada.versao for one in answers):
        said += " O que a resposta ao seu recurso mudou ainda não está nestes números: entra na próxima publicação."
    return said


def base_of(edital_id: str) -> str:
    """Where the recursos of an edital are listed."""
    return f"/admin/editais/{quote(edital_id, safe='')}/recursos"


def _how(recurso: Recurso, nomes: Mapping[UUID, str], *, de_dentro: bool) -> str:
    if recurso.entrada == "link":
        return f"Enviado pela internet em {when(recurso.apresentado_em)}"
    typed = f", registrado por {name_of(recurso.registrado_por, nomes)}" if de_dentro and recurso.registrado_por else ""
    return f"Entregue em papel em {day(recurso.apresentado_em.astimezone(BRASILIA).date())}{typed}"


def _counted(resposta: Resposta, versao: int) -> str:
    """In which published result what an answer changed is; empty where it changed nothing."""
    if not resposta.mudancas:
        return ""
    if versao > resposta.versao:
        return f"O que mudou está no resultado publicado desde a versão {resposta.versao + 1}."
    return "O que mudou entra na próxima publicação do resultado."


def _taken_back(resposta: Resposta) -> str:
    """That an answer is in force no more, as whoever made the recurso reads it: when it was given and why it went, never by whom."""
    em = day(resposta.respondido_em.astimezone(BRASILIA).date())
    return f"A resposta de {em} foi retirada" + (
        f" por este motivo: {shown(resposta.desfeita_motivo)}" if resposta.desfeita_motivo else "."
    )


def _size(size: int) -> str:
    return f"{number(size / 1_000_000, 1)} MB" if size >= 100_000 else f"{number(max(1, size // 1_000))} kB"
