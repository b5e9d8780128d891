"""Who may do what, stated a second time as a matrix that a jurist can read, and every combination of it asked. Source: design/sujeito.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args
from uuid import UUID

import pytest

from crivo.kernel.access import ESCOPOS, PAPEIS, TABELA, Acao, Algum, Este, Objeto, Papel, SemPermissao, authorize, may
from crivo.kernel.sujeitos import ANONIMO, CONSOLE, Anonimo, Console, Paciente, Pessoa, Programa, ProgramaDePessoa, Sujeito

# T: all of the tenant's; D: what was given to them; P: only what is proven to be theirs, as a patient; -: nothing.
COLUNAS: Final = ("gestor", "admin", "super_admin", "avaliador", "revisor", "operador", "paciente")
MATRIZ: Final = """
inicio.ver                    T T T T T T T  nenhuma
conta.mudar                   T T T T T T T  nenhuma
pessoas.administrar           - T T - - - -  nenhuma
pessoas.atender_titular         - T T - - - -  nenhuma
pessoas.dar_papel_mais_alto   - - T - - - -  nenhuma
organizacoes.administrar      - - T - - - -  pessoa,nenhuma
cotas.ver                     - T T - - - -  nenhuma
banco.copiar                  - - - - - - -  nenhuma
chaves.listar                 T T T - - - -  nenhuma
chaves.administrar            - T T - - - -  nenhuma
cartas.ver                    T T T - - - -  nenhuma
cartas.tratar                 T T T - - - -  pessoa,nenhuma
cartas.entregar               - - - - - - -  nenhuma
auditoria.ler                 T T T - - - -  auditoria:ler
auditoria.guardar             - - - - - - -  nenhuma
execucoes.ver                 T T T - - - -  nenhuma
custos.ver                    T T T - - - -  custos:ler
autorizacoes.decidir          T T T - T - -  autorizacoes:escrever
autorizacoes.ler              T T T - T - -  autorizacoes:ler
autorizacoes.revisar          T T T - T - -  pessoa,autorizacoes:revisar
autorizacoes.liberar_de_outro T T T - - - -  nenhuma
autorizacoes.distribuir       T T T - - - -  nenhuma
autorizacoes.definir_prazos   T T T - - - -  nenhuma
autorizacoes.dar_link         T T T - T - -  autorizacoes:escrever
entregas.ver                  T T T - - - -  autorizacoes:ler
entregas.administrar          - T T - - - -  pessoa,entregas:administrar
entregas.entregar             - - - - - - -  nenhuma
politicas.ler                 T T T - T - -  politicas:ler
politicas.escrever            T T T - - - -  politicas:escrever
politicas.simular             T T T - T - -  politicas:escrever
clinicas.conversar            T T T - - T T  clinicas:conversar
clinicas.atender              T T T - - T -  clinicas:operar
clinicas.acompanhar           T T T - - T -  nenhuma
clinicas.ler_pacientes        T T T - - T -  clinicas:operar
clinicas.ver_horarios         T T T - - T T  clinicas:conversar,clinicas:operar
clinicas.marcar               T T T - - T T  clinicas:conversar,clinicas:operar
clinicas.ver_consultas        T T T - - T P  clinicas:operar
clinicas.mudar_consulta       T T T - - T P  clinicas:operar
clinicas.ver_as_proprias      - - - - - - T  pessoa,clinicas:conversar
clinicas.vincular_conta       T T T - - T -  nenhuma
triagem.ler                   T T T D - - -  triagem:ler
triagem.ver_andamento         T T T D - - -  triagem:ler,triagem:executar
triagem.acompanhar            T T T - - - -  triagem:ler
triagem.executar              T T T - - - -  triagem:executar
triagem.ver_casos             T T T D - - -  triagem:ler
triagem.tratar_casos          T T T - - - -  pessoa,triagem:avaliar
triagem.decidir               T T T - - - -  pessoa,triagem:decidir
triagem.distribuir            T T T - - - -  pessoa,triagem:decidir
triagem.publicar              T T T - - - -  pessoa,triagem:decidir
triagem.registrar_recursos    T T T - - - -  pessoa,triagem:decidir
triagem.responder_recursos    T T T - - - -  pessoa
triagem.diligenciar           T T T - - - -  pessoa,triagem:decidir
triagem.desfazer_de_outro     - T T - - - -  nenhuma
triagem.abrir_documento       T T T D - - -  nenhuma
triagem.ver_atribuidos        D D D D - - -  pessoa,triagem:ler,triagem:avaliar
triagem.avaliar               D D D D - - -  pessoa,triagem:avaliar
"""
LINHAS: Final = {line.split()[0]: line.split()[1:] for line in MATRIZ.strip().splitlines()}
OF_PATIENTS: Final = {"clinicas.ver_horarios", "clinicas.marcar", "clinicas.ver_consultas", "clinicas.mudar_consulta"}
HERE, ELSEWHERE, ANA, OUTRA = "prefeitura", "outra", "52998224725", "11144477735"
WHO: Final = UUID(int=7)


def subjects() -> Iterator[Sujeito]:
    yield from (ANONIMO, CONSOLE, Paciente(HERE, ANA), Paciente(HERE, ANA, "consulta-1"), Paciente(HERE, ""))
    yield from (Pessoa(HERE, WHO, papel) for papel in PAPEIS)
    scopes = [frozenset(ESCOPOS), frozenset(), *(frozenset({one}) for one in ESCOPOS)]
    yield from (Programa(HERE, escopos) for escopos in scopes)
    yield from (ProgramaDePessoa(HERE, WHO, papel, escopos) for papel in PAPEIS for escopos in scopes)


def objects(tenant_id: str) -> Iterator[Objeto]:
    yield Algum(tenant_id)
    for given in (False, True):
        for cpf in ("", ANA, OUTRA):
            for consulta in ("", "consulta-1", "consulta-2"):
                yield Este(tenant_id, foi_dado=given, cpf=cpf, consulta=consulta)


def said_of_role(acao: Acao, papel: Papel, objeto: Objeto) -> bool:
    cell = LINHAS[acao][COLUNAS.index(papel)]
    if isinstance(objeto, Algum):
        return cell != "-"
    return cell == "T" or (cell == "D" and objeto.foi_dado)


def said(sujeito: Sujeito, acao: Acao, objeto: Objeto) -> bool:
    """What the matrix says, in words of its own."""
    needs = LINHAS[acao][len(COLUNAS)].split(",")
    match sujeito:
        case Console():
            return True
        case Anonimo():
            return False
        case Programa() if "pessoa" in needs:
            return False
    if objeto.tenant_id != HERE:
        return False
    match sujeito:
        case Pessoa(papel=papel):
            return said_of_role(acao, papel, objeto)
        case Programa(escopos=escopos):
            return any(escopo in needs for escopo in escopos)
        case ProgramaDePessoa(papel=papel, escopos=escopos):
            return any(escopo in needs for escopo in escopos) and said_of_role(acao, papel, objeto)
        case Paciente(consulta=consulta, cpf=cpf):
            if acao not in OF_PATIENTS or isinstance(objeto, Algum):
                return acao in OF_PATIENTS
            return cpf != "" and objeto.cpf == cpf and (consulta is None or objeto.consulta == consulta)
    raise AssertionError(sujeito)


def test_the_matrix_has_every_act_and_no_other() -> None:
    assert set(LINHAS) == set(get_args(Acao)) == set(TABELA)
    assert COLUNAS == PAPEIS


@pytest.mark.parametrize("acao", get_args(Acao))
def test_every_subject_may_just_what_the_matrix_says_to_every_object_of_every_tenant(acao: Acao) -> None:
    asked = 0
    for sujeito in subjects():
        for tenant_id in (HERE, ELSEWHERE):
            for objeto in objects(tenant_id):
                assert may(sujeito, acao, objeto) == said(sujeito, acao, objeto), (sujeito, objeto)
                asked += 1
    assert asked > 4_000  # of each of 28 acts: more than 100,000 in all


def test_what_is_not_in_the_table_is_denied_to_everybody_who_is_not_at_the_machine() -> None:
    unknown: Acao = "politicas.apagar"  # type: ignore[assignment]
    assert not any(may(sujeito, unknown, Algum(HERE)) for sujeito in subjects())


@pytest.mark.parametrize(
    ("sujeito", "acao", "said_to_them"),
    [
        (Programa(HERE, frozenset({"politicas:ler"})), "politicas.escrever", "não tem o escopo 'politicas:escrever'"),
        (Programa(HERE, frozenset(ESCOPOS)), "triagem.abrir_documento", "trabalho de uma pessoa"),
        (Programa(HERE, frozenset(ESCOPOS)), "triagem.avaliar", "programa não faz isto por si só"),
        (ProgramaDePessoa(HERE, WHO, "paciente", frozenset(ESCOPOS)), "politicas.escrever", "não tem o papel que isto pede"),
        (Pessoa(HERE, WHO, "paciente"), "politicas.escrever", "não faz parte do seu trabalho"),
        (Paciente(HERE, ANA), "politicas.escrever", "não foi provado que é"),
        (ANONIMO, "inicio.ver", "não faz parte do seu trabalho"),
    ],
)
def test_whoever_is_denied_is_told_what_is_missing(sujeito: Sujeito, acao: Acao, said_to_them: str) -> None:
    with pytest.raises(SemPermissao, match=said_to_them):
        authorize(sujeito, acao, Algum(HERE))


def test_a_key_of_a_person_does_no_more_than_that_person_may_now() -> None:
    """Source: design/sujeito.md, table, 2: a paciente's key revoked a policy."""
    everything = frozenset(ESCOPOS)
    for acao in get_args(Acao):
        for papel in PAPEIS:
            if may(ProgramaDePessoa(HERE, WHO, papel, everything), acao, Este(HERE, foi_dado=True)):
                assert may(Pessoa(HERE, WHO, papel), acao, Este(HERE, foi_dado=True))
    assert not may(ProgramaDePessoa(HERE, WHO, "paciente", everything), "politicas.escrever", Algum(HERE))


@pytest.mark.parametrize("papel", PAPEIS)
def test_a_screening_is_run_by_those_who_manage_and_by_no_other_person(papel: Papel) -> None:
    """Triagem 3.1/1, Triagem 6/4: execution is for gestor, admin, super_admin."""
    assert may(Pessoa(HERE, WHO, papel), "triagem.executar", Algum(HERE)) == (papel in {"gestor", "admin", "super_admin"})


def test_no_subject_shows_the_cpf_it_proved() -> None:
    assert ANA not in repr(Paciente(HERE, ANA, "consulta-1"))
