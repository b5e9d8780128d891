"""Who may do what: one table of every act, and the one question that addresses, use cases, conversations, clinics and commands ask.

What is not in the table is denied, to everybody. It knows no database, so that a clinic asks it too. Source: design/sujeito.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import ClassVar, Concatenate, Final, Literal, ParamSpec, TypeVar, assert_never

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sujeitos import PAPEIS, Anonimo, Console, Escopo, Paciente, Papel, Pessoa, Programa, ProgramaDePessoa, Sujeito
from crivo.kernel.tenancy import Scope

Acao = Literal[
    "inicio.ver",
    "conta.mudar",
    "pessoas.administrar",
    "pessoas.dar_papel_mais_alto",
    "chaves.listar",
    "pessoas.atender_titular",
    "organizacoes.administrar",
    "cotas.ver",
    "banco.copiar",
    "chaves.administrar",
    "cartas.ver",
    "cartas.tratar",
    "cartas.entregar",
    "auditoria.ler",
    "auditoria.guardar",
    "execucoes.ver",
    "custos.ver",
    "autorizacoes.decidir",
    "autorizacoes.ler",
    "autorizacoes.revisar",
    "autorizacoes.liberar_de_outro",
    "autorizacoes.distribuir",
    "autorizacoes.definir_prazos",
    "autorizacoes.dar_link",
    "entregas.ver",
    "entregas.administrar",
    "entregas.entregar",
    "politicas.ler",
    "politicas.escrever",
    "politicas.simular",
    "clinicas.conversar",
    "clinicas.atender",
    "clinicas.acompanhar",
    "clinicas.ler_pacientes",
    "clinicas.ver_horarios",
    "clinicas.marcar",
    "clinicas.ver_consultas",
    "clinicas.mudar_consulta",
    "clinicas.ver_as_proprias",
    "clinicas.vincular_conta",
    "triagem.ler",
    "triagem.ver_andamento",
    "triagem.acompanhar",
    "triagem.executar",
    "triagem.decidir",
    "triagem.ver_casos",
    "triagem.tratar_casos",
    "triagem.distribuir",
    "triagem.publicar",
    "triagem.registrar_recursos",
    "triagem.responder_recursos",
    "triagem.diligenciar",
    "triagem.desfazer_de_outro",
    "triagem.abrir_documento",
    "triagem.ver_atribuidos",
    "triagem.avaliar",
]
DA_INSTALACAO: Final[frozenset[Acao]] = frozenset({"organizacoes.administrar"})
"""Acts on what is of no tenant: they are asked of the installation's own organisation, so that nobody of another one may do them."""
Alcance = Literal["todos", "dados", "proprios"]
"""Which objects of the tenant an act reaches: all, those given to the subject by somebody who manages, or the subject's own."""
_NOT_THEIRS: Final = "Esta página não faz parte do seu trabalho aqui. Se deveria fazer, fale com quem administra o crivo."

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")


class SemPermissao(CrivoError):
    """Whoever asks is known, and may not do this."""

    codigo: ClassVar[str] = "sem_permissao"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "Sem permissão"


@dataclass(frozen=True, slots=True)
class Algum:
    """Some object of a tenant, not known yet which: what is asked is whether there may be one."""

    tenant_id: str


@dataclass(frozen=True, slots=True)
class Este:
    """One object of a tenant, whether it was given to the subject to work on, and the CPF of the patient whose it is.

    `consulta` names one appointment of that patient.
    """

    tenant_id: str
    foi_dado: bool = False
    cpf: str = ""
    consulta: str = ""


Objeto = Algum | Este


@dataclass(frozen=True, slots=True)
class Permissao:
    """A row of the table: the scopes of which a key needs one, and how far each role reaches.

    `so_pessoas`: no program of its own does this, whatever its scopes. `paciente`: a proven patient does it to what is theirs.
    `recusa` is what a person without the role is told.
    """

    papeis: Mapping[Papel, Alcance]
    escopos: frozenset[Escopo] = frozenset()
    so_pessoas: bool = False
    paciente: bool = False
    recusa: str = _NOT_THEIRS


def _all(*papeis: Papel, reach: Alcance = "todos") -> dict[Papel, Alcance]:
    return dict.fromkeys(papeis, reach)


_TODOS: Final = _all(*PAPEIS)
_ADMINISTRA: Final = _all("admin", "super_admin")
_GESTAO: Final = _all("gestor", "admin", "super_admin")  # who runs a screening, and sees all of it. Source: triagem seed, Segurança
_AUTORIZA: Final = _GESTAO | _all("revisor")
_ATENDE: Final = _GESTAO | _all("operador")
_CONSULTA: Final = _ATENDE | _all("paciente")
_PROPRIAS: Final = _ATENDE | _all("paciente", reach="proprios")
_LE: Final = _GESTAO | _all("avaliador", reach="dados")  # triagem seed, Segurança: avaliadores veem apenas projetos atribuídos a eles
_AVALIA: Final = _all("gestor", "admin", "super_admin", "avaliador", reach="dados")
_SO_RECEPCAO: Final = (
    "Atender outras pessoas não faz parte do seu trabalho aqui: é da recepção e da gestão. Você pode cuidar das suas próprias consultas."
)

TABELA: Final[Mapping[Acao, Permissao]] = {
    "inicio.ver": Permissao(_TODOS),
    "conta.mudar": Permissao(_TODOS),
    "pessoas.administrar": Permissao(_ADMINISTRA),
    "pessoas.dar_papel_mais_alto": Permissao(_all("super_admin")),
    "chaves.listar": Permissao(_GESTAO),  # who reads what keys did reads their names
    "pessoas.atender_titular": Permissao(_ADMINISTRA),  # all that is held of somebody, and that it be erased
    # Of the whole installation: asked of its own organisation, whatever that of whoever asks.
    "organizacoes.administrar": Permissao(_all("super_admin"), so_pessoas=True),
    "cotas.ver": Permissao(_ADMINISTRA),
    "banco.copiar": Permissao({}),  # all of the installation at once, and its keys: whoever runs the machine
    "chaves.administrar": Permissao(_ADMINISTRA),
    "cartas.ver": Permissao(_GESTAO),
    "cartas.tratar": Permissao(_GESTAO, so_pessoas=True),
    "cartas.entregar": Permissao({}),  # in this very process, by whoever runs the machine; workers do it by themselves
    "auditoria.ler": Permissao(_GESTAO, frozenset({"auditoria:ler"})),
    "auditoria.guardar": Permissao({}),  # sealed and noted elsewhere by whoever runs the machine, which holds the key
    "execucoes.ver": Permissao(_GESTAO),
    "custos.ver": Permissao(_GESTAO, frozenset({"custos:ler"})),
    "autorizacoes.decidir": Permissao(_AUTORIZA, frozenset({"autorizacoes:escrever"})),
    "autorizacoes.ler": Permissao(_AUTORIZA, frozenset({"autorizacoes:ler"})),
    "autorizacoes.revisar": Permissao(_AUTORIZA, frozenset({"autorizacoes:revisar"}), so_pessoas=True),
    "autorizacoes.liberar_de_outro": Permissao(_GESTAO),
    "autorizacoes.distribuir": Permissao(_GESTAO),
    "autorizacoes.definir_prazos": Permissao(_GESTAO),
    "autorizacoes.dar_link": Permissao(_AUTORIZA, frozenset({"autorizacoes:escrever"})),
    "entregas.ver": Permissao(_GESTAO, frozenset({"autorizacoes:ler"})),
    # All decisions go where this says: a person answers for that, and no key by itself.
    "entregas.administrar": Permissao(_ADMINISTRA, frozenset({"entregas:administrar"}), so_pessoas=True),
    "entregas.entregar": Permissao({}),  # in this very process, by whoever runs the machine; workers do it by themselves
    "politicas.ler": Permissao(_AUTORIZA, frozenset({"politicas:ler"})),
    "politicas.escrever": Permissao(_GESTAO, frozenset({"politicas:escrever"})),
    "politicas.simular": Permissao(_AUTORIZA, frozenset({"politicas:escrever"})),  # its cases name pedidos that somebody decided
    "clinicas.conversar": Permissao(_CONSULTA, frozenset({"clinicas:conversar"})),
    "clinicas.atender": Permissao(_ATENDE, frozenset({"clinicas:operar"}), recusa=_SO_RECEPCAO),
    "clinicas.acompanhar": Permissao(_ATENDE),
    "clinicas.ler_pacientes": Permissao(_ATENDE, frozenset({"clinicas:operar"})),
    "clinicas.ver_horarios": Permissao(_CONSULTA, frozenset({"clinicas:conversar", "clinicas:operar"}), paciente=True),
    "clinicas.marcar": Permissao(_CONSULTA, frozenset({"clinicas:conversar", "clinicas:operar"}), paciente=True),
    "clinicas.ver_consultas": Permissao(_PROPRIAS, frozenset({"clinicas:operar"}), paciente=True),
    "clinicas.mudar_consulta": Permissao(_PROPRIAS, frozenset({"clinicas:operar"}), paciente=True),
    "clinicas.ver_as_proprias": Permissao(_all("paciente"), frozenset({"clinicas:conversar"}), so_pessoas=True),
    "clinicas.vincular_conta": Permissao(_ATENDE, recusa=_SO_RECEPCAO),
    "triagem.ler": Permissao(_LE, frozenset({"triagem:ler"})),
    "triagem.ver_andamento": Permissao(_LE, frozenset({"triagem:ler", "triagem:executar"})),
    "triagem.acompanhar": Permissao(_GESTAO, frozenset({"triagem:ler"})),
    "triagem.executar": Permissao(_GESTAO, frozenset({"triagem:executar"})),
    "triagem.ver_casos": Permissao(_LE, frozenset({"triagem:ler"})),
    "triagem.tratar_casos": Permissao(_GESTAO, frozenset({"triagem:avaliar"}), so_pessoas=True),
    "triagem.decidir": Permissao(_GESTAO, frozenset({"triagem:decidir"}), so_pessoas=True),
    "triagem.distribuir": Permissao(_GESTAO, frozenset({"triagem:decidir"}), so_pessoas=True),
    "triagem.publicar": Permissao(_GESTAO, frozenset({"triagem:decidir"}), so_pessoas=True),
    "triagem.registrar_recursos": Permissao(_GESTAO, frozenset({"triagem:decidir"}), so_pessoas=True),
    "triagem.responder_recursos": Permissao(_GESTAO, so_pessoas=True),
    "triagem.diligenciar": Permissao(_GESTAO, frozenset({"triagem:decidir"}), so_pessoas=True),
    "triagem.desfazer_de_outro": Permissao(_ADMINISTRA),
    "triagem.abrir_documento": Permissao(_LE),
    "triagem.ver_atribuidos": Permissao(_AVALIA, frozenset({"triagem:ler", "triagem:avaliar"}), so_pessoas=True),
    "triagem.avaliar": Permissao(_AVALIA, frozenset({"triagem:avaliar"}), so_pessoas=True),
}


def may(sujeito: Sujeito, acao: Acao, objeto: Objeto) -> bool:
    """Whether a subject may do an act to an object; of `Algum`, whether there may be an object to which they may."""
    permissao = TABELA.get(acao)
    if permissao is None:
        return False
    match sujeito:
        case Console():
            return True
        case Anonimo():
            return False
        case Paciente(tenant_id, cpf, consulta):
            return permissao.paciente and tenant_id == objeto.tenant_id and _is_of_patient(objeto, cpf, consulta)
        case Programa(tenant_id, escopos):
            return tenant_id == objeto.tenant_id and not permissao.so_pessoas and not escopos.isdisjoint(permissao.escopos)
        case ProgramaDePessoa(tenant_id, _, papel, escopos):
            return tenant_id == objeto.tenant_id and not escopos.isdisjoint(permissao.escopos) and _reaches(permissao, papel, objeto)
        case Pessoa(tenant_id, _, papel):
            return tenant_id == objeto.tenant_id and _reaches(permissao, papel, objeto)
        case _:
            assert_never(sujeito)


def authorize(sujeito: Sujeito, acao: Acao, objeto: Objeto) -> None:
    """Raises SemPermissao unless the subject may do the act to the object."""
    if not may(sujeito, acao, objeto):
        raise SemPermissao(_told(sujeito, acao))


def asks(acao: Acao) -> Callable[[Callable[Concatenate[S, Scope, P], R]], Callable[Concatenate[S, Scope, P], R]]:
    """A use case that is begun for nobody who may not do the act at all; which object it is, the use case finds out and asks again.

    The use case keeps the act's name as `acao`, for whoever walks them all.
    """

    def asking(use_case: Callable[Concatenate[S, Scope, P], R]) -> Callable[Concatenate[S, Scope, P], R]:
        @wraps(use_case)
        def asked(self: S, scope: Scope, /, *args: P.args, **kwargs: P.kwargs) -> R:
            authorize(scope.sujeito, acao, Algum(scope.tenant_id))
            return use_case(self, scope, *args, **kwargs)

        asked.acao = acao  # type: ignore[attr-defined]
        return asked

    return asking


def _reaches(permissao: Permissao, papel: Papel, objeto: Objeto) -> bool:
    reach = permissao.papeis.get(papel)
    if reach is None or isinstance(objeto, Algum):
        return reach is not None
    match reach:
        case "todos":
            return True
        case "dados":
            return objeto.foi_dado
        case "proprios":
            return False  # a person's role alone proves no CPF: a proven patient acts as `Paciente`
        case _:
            assert_never(reach)


def _is_of_patient(objeto: Objeto, cpf: str, consulta: str | None) -> bool:
    if isinstance(objeto, Algum):
        return True
    return bool(cpf) and objeto.cpf == cpf and (consulta is None or consulta == objeto.consulta)


def _told(sujeito: Sujeito, acao: Acao) -> str:
    match sujeito:
        case Programa(escopos=escopos) | ProgramaDePessoa(escopos=escopos):
            needed = TABELA[acao].escopos
            if escopos.isdisjoint(needed):
                named = " ou ".join(f"'{one}'" for one in sorted(needed))
                if named:
                    return f"Esta chave não tem o escopo {named}. Peça uma chave que o tenha a quem administra o crivo."
                return "Nenhuma chave faz isto: é trabalho de uma pessoa, pelas páginas."
            if isinstance(sujeito, Programa):
                return "Um programa não faz isto por si só. Use uma chave que age por uma pessoa que possa fazê-lo."
            return "A pessoa por quem esta chave age não tem o papel que isto pede. Fale com quem administra o crivo."
        case Paciente():
            return "Isto não é seu, ou não foi provado que é. Entre com a sua conta, informe o código da consulta ou procure a recepção."
        case _:
            return TABELA[acao].recusa if acao in TABELA else _NOT_THEIRS
