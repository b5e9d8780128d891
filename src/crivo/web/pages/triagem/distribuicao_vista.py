"""Who judges an edital, what would be given to whom, and of what people would be reminded, as pages show it: everything in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.kernel.access import Usuario
from crivo.kernel.rotulo import Rotulo
from crivo.triagem.atos import name_of
from crivo.triagem.distribuicao.guardados import AtoDeDistribuicao, Lembrete, Par, QuemJulga
from crivo.triagem.distribuicao.lembrete import PreviaDeLembrete, RazaoDaPessoa, RazaoDoProjeto
from crivo.triagem.distribuicao.previa import DeFora, PreviaDeDistribuicao, RazaoDeFora
from crivo.triagem.guardados import Cabecalho
from crivo.triagem.impedidos import Causa
from crivo.triagem.palavras import count, number, shown
from crivo.web.pages.atores import PAPEIS_PALAVRAS
from crivo.web.pages.formatos import hora, instante
from crivo.web.pages.triagem.vista import Quem

_SHOWN: Final = 200  # lines of each kind: of more the number is told
_NAMED: Final = 12  # codes in a line
_FORA: Final[Mapping[RazaoDeFora, str]] = {
    "desconhecido": "não há projeto com este código neste edital",
    "retirado": "foi retirado do edital",
    "inabilitado": "uma pessoa decidiu que está inabilitado",
    "ja_dado": "já está com {quem}",
    "impedida": "{quem} tem um impedimento registrado neste projeto",
    "conflito": "possível conflito de interesse de {quem}: quem propõe tem {em_comum}",
}
_PESSOA: Final[Mapping[RazaoDaPessoa, str]] = {
    "lembrada_hoje": "já foi lembrada hoje por {por}, às {hora}: cada pessoa é lembrada no máximo uma vez por dia",
    "sem_acesso": "não pode mais avaliar: o acesso ou o papel mudou",
}
_PROJETO: Final[Mapping[RazaoDoProjeto, str]] = {
    "desconhecido": "não há projeto com este código neste edital",
    "retirado": "foi retirado do edital",
    "com_ninguem": "não está com ninguém",
    "em_espera": "espera a calibração terminar: ninguém pode avaliá-lo ainda",
    "tudo_enviado": "todas as notas já foram enviadas",
}
_CAUSA: Final[Mapping[Causa, Rotulo]] = {
    "acesso_retirado": Rotulo("Acesso retirado", "!", "pendente"),
    "papel_nao_avalia": Rotulo("O papel não avalia", "!", "pendente"),
    "sem_entrada": Rotulo("Ainda não entrou", "○", "neutro"),
}
_ENVIADA: Final = Rotulo("Enviada", "✓", "aprovado")
_EM_PARTE: Final = Rotulo("Com rascunho", "◐", "parcial")
_POR_COMECAR: Final = Rotulo("Por começar", "○", "neutro")


@dataclass(frozen=True, slots=True)
class PessoaVista:
    """Somebody who judges; `email` is empty for whoever may not read it, `lembrada` where they never were."""

    id: str
    nome: str
    email: str
    projetos: int
    por_comecar: int
    rascunhos: int
    enviadas: int
    lembrada: str
    impedida: Rotulo | None
    pode_receber: bool
    endereco: str
    categorias: tuple[str, ...]

    @classmethod
    def of(cls, one: QuemJulga, endereco: str, *, com_email: bool) -> PessoaVista:
        """The person as a line."""
        lembrada = f"{instante(one.lembrada_em)}, por {shown(one.lembrada_por or '')}" if one.lembrada_em else ""
        return cls(
            str(one.id),
            shown(one.nome),
            shown(one.email) if com_email else "",
            one.projetos,
            one.por_comecar,
            one.rascunhos,
            one.enviadas,
            lembrada,
            _CAUSA[one.impedida] if one.impedida else None,
            one.impedida in (None, "sem_entrada"),
            f"{endereco}?pessoa={one.id}",
            one.categorias,
        )


@dataclass(frozen=True, slots=True)
class ProjetoDadoVista:
    """A project that somebody has, and how far they have come with it."""

    quem: Quem
    rotulo: Rotulo
    marcado: bool

    @classmethod
    def of(cls, par: Par, cabecalho: Cabecalho | None, *, marcado: bool) -> ProjetoDadoVista:
        """The project as a line."""
        rotulo = _ENVIADA if par.enviada else _EM_PARTE if par.comecada else _POR_COMECAR
        return cls(Quem.of(par.codigo, cabecalho), rotulo, marcado)


@dataclass(frozen=True, slots=True)
class AtoDadoVista:
    """An act of giving as a line; `agora`: the address says that it was just done."""

    id: str
    resumo: str
    assinatura: str
    em_vigor: str
    pode_desfazer: bool
    agora: bool

    @classmethod
    def of(cls, ato: AtoDeDistribuicao, nomes: Mapping[UUID, str], *, mine: bool, last: str, sementes: Mapping[UUID, str]) -> AtoDadoVista:
        """The act, with its semente where it was a draw; `mine`: whoever looks may undo it."""
        said = count(ato.projetos, "projeto dado", "projetos dados")
        if ato.dadas != ato.projetos:
            said += f", {number(ato.dadas)} entregas"
        if ato.id in sementes:
            said = f"Sorteio, semente {shown(sementes[ato.id])}: {said}"
        left = "nada mais dele vale" if not ato.em_vigor else "" if ato.em_vigor == ato.dadas else f"{number(ato.em_vigor)} ainda valem"
        signed = f"{shown(name_of(ato.feito_por, nomes))}, {instante(ato.feito_em)}"
        return cls(str(ato.id), said, signed, left, mine and ato.em_vigor > 0, str(ato.id) == last)


@dataclass(frozen=True, slots=True)
class LinhaDada:
    """A project of a preview: who gets it, or why it stays out."""

    quem: Quem
    para: tuple[str, ...]
    razao: str


@dataclass(frozen=True, slots=True)
class DadasVista:
    """What giving would do. `restantes` is how many more there are than lines, of those that are given and of those left out."""

    entram: int
    dadas: int
    ficam: int
    pessoas: tuple[tuple[str, int], ...]
    linhas_entram: tuple[LinhaDada, ...]
    linhas_ficam: tuple[LinhaDada, ...]
    restantes: tuple[int, int]
    acao: str

    @classmethod
    def of(cls, previa: PreviaDeDistribuicao, cabecalhos: Mapping[str, Cabecalho]) -> DadasVista:
        """The preview in words."""
        nomes = {one.id: shown(one.nome) for one in previa.avaliadores}
        entram = [
            LinhaDada(Quem.of(one.projeto_id, cabecalhos.get(one.projeto_id)), tuple([nomes[who] for who in one.avaliadores]), "")
            for one in previa.entram[:_SHOWN]
        ]
        ficam = [LinhaDada(Quem.of(one.projeto_id, cabecalhos.get(one.projeto_id)), (), _why(one, nomes)) for one in previa.ficam[:_SHOWN]]
        each = tuple([(nomes[one.id], sum(one.id in of.avaliadores for of in previa.entram)) for one in previa.avaliadores])
        rest = (max(0, len(previa.entram) - _SHOWN), max(0, len(previa.ficam) - _SHOWN))
        acao = f"Dar {count(len(previa.entram), 'projeto', 'projetos')}"
        return cls(len(previa.entram), previa.dadas, len(previa.ficam), each, tuple(entram), tuple(ficam), rest, acao)

    @staticmethod
    def named(previa: PreviaDeDistribuicao) -> list[str]:
        """The codes of the projects that have a line."""
        return [*[one.projeto_id for one in previa.entram[:_SHOWN]], *[one.projeto_id for one in previa.ficam[:_SHOWN]]]


@dataclass(frozen=True, slots=True)
class LembreteVista:
    """Whom a reminder would reach: a name, how many projects, which; and who and what it would not, with why."""

    lembrar: tuple[tuple[str, str, str], ...]
    ficam: tuple[tuple[str, str], ...]
    projetos: tuple[tuple[str, str], ...]
    quantas: int
    acao: str

    @classmethod
    def of(cls, previa: PreviaDeLembrete) -> LembreteVista:
        """The preview in words."""
        people = [(shown(one.nome), count(len(one.projetos), "projeto", "projetos"), _codes(one.projetos)) for one in previa.lembrar]
        kept = [
            (shown(one.nome), _PESSOA[one.razao].format(por=shown(one.por or ""), hora=hora(one.em) if one.em else ""))
            for one in previa.ficam
        ]
        by_reason: dict[RazaoDoProjeto, list[str]] = {}
        for of in previa.projetos:
            by_reason.setdefault(of.razao, []).append(of.projeto_id)
        left = [(_codes(tuple(those)), _PROJETO[razao]) for razao, those in by_reason.items()]
        return cls(tuple(people), tuple(kept), tuple(left), len(people), f"Lembrar {count(len(people), 'pessoa', 'pessoas')}")


def disponivel(usuario: Usuario, *, com_email: bool) -> tuple[str, str]:
    """Somebody who could judge, as a choice: name, role, and the e-mail for whoever may read it."""
    papel = PAPEIS_PALAVRAS[usuario.papel].nome.lower()
    return str(usuario.id), f"{shown(usuario.nome)} ({papel}{', ' + shown(usuario.email) if com_email and usuario.email else ''})"


def reminder_said(lembrete: Lembrete) -> str:
    """When a reminder was sent, in which edital, and of which projects."""
    return f"Em {instante(lembrete.em)}, no edital {lembrete.edital_id}: {_codes(lembrete.projetos)}"


def _codes(codigos: tuple[str, ...]) -> str:
    rest = len(codigos) - _NAMED
    return ", ".join(codigos[:_NAMED]) + (f" e mais {number(rest)}" if rest > 0 else "")


def _why(one: DeFora, nomes: Mapping[UUID, str]) -> str:
    said = " e ".join(one.em_comum) if one.em_comum else "algo em comum"
    return _FORA[one.razao].format(quem=nomes.get(one.avaliador, "") if one.avaliador else "", em_comum=said)
