"""Every use case asks before it begins: of whoever may not do the act, nothing else is looked at. Source: design/sujeito.md."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from crivo.auditoria.ancoragem import Ancoragem
from crivo.auditoria.conferencia import Auditoria
from crivo.autorizacoes.entregas.service import Entregas
from crivo.autorizacoes.fhir.porta import Fhir
from crivo.autorizacoes.formulario.servico import PedidosAMao
from crivo.autorizacoes.links.service import Links
from crivo.autorizacoes.mapeamento.service import Formatos
from crivo.autorizacoes.modelo.formato import PropostasDeFormato
from crivo.autorizacoes.politicas.casos.servico import CasosDePolitica
from crivo.autorizacoes.politicas.conferir.servico import Conferencias
from crivo.autorizacoes.politicas.planilha.servico import Planilhas
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.revisao import CalendariosDePrazo, Responsaveis, Revisoes
from crivo.autorizacoes.service import Autorizacoes
from crivo.autorizacoes.simulacao.service import Simulacoes
from crivo.autorizacoes.tiss.porta import Tiss
from crivo.clinicas.atendimento import Atendimento
from crivo.clinicas.conversas import Conversas
from crivo.clinicas.minhas import Minhas
from crivo.kernel.access import ESCOPOS, PAPEIS, TABELA, Algum, Papel, SemPermissao, may
from crivo.kernel.access.organizacoes import Organizacoes
from crivo.kernel.cartas.servico import Cartas
from crivo.kernel.copia.servico import Copias
from crivo.kernel.llm.custos import Custos
from crivo.kernel.sigilo.pessoas import Pessoas
from crivo.kernel.sujeitos import ANONIMO, Paciente, Pessoa, Programa, ProgramaDePessoa, Sujeito
from crivo.kernel.tenancy import Scope
from crivo.triagem.chamadas.servico import Chamadas
from crivo.triagem.comparar import Comparar
from crivo.triagem.conclusoes import Conclusoes
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.desistencia.servico import Desistencias
from crivo.triagem.diligencias.servico import Diligencias
from crivo.triagem.distribuicao.calibracoes import Calibracoes
from crivo.triagem.distribuicao.impedimentos import QuemNaoPode
from crivo.triagem.distribuicao.lembretes import Lembretes
from crivo.triagem.distribuicao.pessoas import QuemAvalia
from crivo.triagem.distribuicao.prazos import Prazos
from crivo.triagem.distribuicao.servico import Distribuicao
from crivo.triagem.distribuicao.sorteios import Sorteios
from crivo.triagem.documentacao import Documentacao
from crivo.triagem.ensaio import Ensaio
from crivo.triagem.julgamento import Julgamento
from crivo.triagem.lugares import Lugares
from crivo.triagem.mesa import Mesa
from crivo.triagem.paginas import Paginas
from crivo.triagem.painel import Painel
from crivo.triagem.percurso import Percurso
from crivo.triagem.planilha.servico import NotasTrazidas
from crivo.triagem.publicacao.dossies import Dossies
from crivo.triagem.publicacao.publicacoes import Publicacoes
from crivo.triagem.publicacao.servico import Resultados
from crivo.triagem.recursos.papeis import PapeisDeRecurso
from crivo.triagem.recursos.peticoes import Peticoes
from crivo.triagem.recursos.servico import Recursos
from crivo.triagem.service import Triagem
from crivo.triagem.tratamento import Casos
from crivo.web.access import ACCESS

SERVICES: Final = (
    Autorizacoes, Politicas, Formatos, PropostasDeFormato, Simulacoes, Planilhas, PedidosAMao, Revisoes, Responsaveis, CalendariosDePrazo, Entregas, Links,
    Conversas, Atendimento, Minhas, Triagem, Julgamento, Habilitacoes, Casos, Conclusoes, Documentacao, Paginas,
    Painel, Pessoas, Organizacoes, Auditoria, Ancoragem, QuemAvalia, Distribuicao, Lembretes, Resultados, Percurso, Sorteios, QuemNaoPode,
    Calibracoes, Prazos, Publicacoes, Dossies, Desistencias, Ensaio, NotasTrazidas, Mesa, Comparar, Lugares, Chamadas,
    Cartas, Peticoes, Recursos, PapeisDeRecurso, Diligencias, Copias, Conferencias, CasosDePolitica, Tiss, Fhir, Custos,
)  # fmt: skip
SOURCES: Final = Path(__file__).parents[1] / "src" / "crivo"
# In a conversation "paciente" and "operador" are who speaks, by which it is understood and worded. What may be done in it is asked of the
# table by every step: `tests/clinicas/orquestrador/conversa/test_cada_passo.py`.
OF_WHO_SPEAKS: Final = (
    "clinicas/avaliacao/",
    "clinicas/conversa.py",
    "clinicas/conversas.py",
    "clinicas/orquestrador/decide/",
    "clinicas/orquestrador/entende/",
    "clinicas/orquestrador/escreve/",
    "clinicas/orquestrador/conversa/sessao.py",
    "clinicas/orquestrador/confere/",
    "clinicas/orquestrador/mensagens.py",
    "web/pages/clinicas/conversa.py",
    "web/pages/clinicas/vista.py",
)
WHO: Final = UUID(int=7)


def use_cases() -> Iterator[tuple[type, str, Any]]:
    for service in SERVICES:
        for name, method in inspect.getmembers(service, inspect.isfunction):
            parameters = list(inspect.signature(method).parameters.values())
            if not name.startswith("_") and len(parameters) > 1 and parameters[1].annotation in ("Scope", Scope):
                yield service, name, method


CASES: Final = [pytest.param(method, id=f"{service.__name__}.{name}") for service, name, method in use_cases()]


def subjects(tenant_id: str) -> Iterator[Sujeito]:
    yield from (ANONIMO, Paciente(tenant_id, "52998224725"), Programa(tenant_id, frozenset()))
    yield from (Programa(tenant_id, frozenset({escopo})) for escopo in ESCOPOS)
    yield from (Pessoa(tenant_id, WHO, papel) for papel in PAPEIS)
    yield from (ProgramaDePessoa(tenant_id, WHO, papel, frozenset({escopo})) for papel in PAPEIS for escopo in ESCOPOS)


def test_the_use_cases_that_are_walked_are_many() -> None:
    assert len(CASES) >= 55


@pytest.mark.parametrize("use_case", CASES)
def test_a_use_case_is_begun_for_nobody_who_may_not(use_case: Any) -> None:
    """It has no database here, nor an object: whoever is refused is refused before either is looked for."""
    refused = 0
    for home in ("prefeitura", "outra"):
        for sujeito in subjects(home):
            if may(sujeito, use_case.acao, Algum("prefeitura")):
                continue
            with pytest.raises(SemPermissao):
                use_case(None, Scope("prefeitura", "quem", sujeito))
            refused += 1
    assert refused >= 98  # all of another tenant at the least


def test_every_act_of_the_table_is_asked_somewhere() -> None:
    asked = {use_case.acao for _, _, use_case in use_cases()} | set(ACCESS.values())
    in_sources = "\n".join(path.read_text() for path in SOURCES.rglob("*.py") if path.name != "autorizar.py")
    assert {acao for acao in TABELA if acao not in asked and f'"{acao}"' not in in_sources} == set()


@pytest.mark.parametrize("papel", PAPEIS)
def test_no_role_is_checked_anywhere_else(papel: Papel) -> None:
    """A name of a role in a comparison is a second table: only the words for it, the choices of a form and the table itself may have it."""
    may_name = {"autorizar.py", "sujeitos.py", "usuarios.py", "pessoas_palavras.py"}  # usuarios: which role is given, not who gives it
    signs = ("==", "!=", "in {", "not in {", "in (", "not in (")
    suspects = tuple(f'{name} {sign}{" " * (sign[-1] == "=")}"{papel}"' for name in ("papel", "role") for sign in signs)
    found = [
        f"{path.relative_to(SOURCES)}: {line.strip()}"
        for path in SOURCES.rglob("*.py")
        if path.name not in may_name and not path.relative_to(SOURCES).as_posix().startswith(OF_WHO_SPEAKS)
        for line in path.read_text().splitlines()
        if any(suspect in line for suspect in suspects)
    ]
    assert found == []
