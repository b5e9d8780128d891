"""How an entry of the audit reads."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest

import crivo
from crivo.clinicas.orquestrador.ferramentas import USOS
from crivo.kernel.access.organizacoes import NA_AUDITORIA
from crivo.kernel.audit import Break, Entry
from crivo.web.pages.administracao.auditoria_palavras import ACOES, Nomes, RegistroVisto, told
from crivo.web.pages.atores import ator_em_palavras
from crivo.web.pages.formatos import instante

DECIDIDA: Final = UUID(int=7)
NOMES: Final = Nomes(
    {"usuario:1": "Rita Lopes", "chave:ab": "Chave Portal"}, {"p1": "Manual, versão 2"}, {"e1": "ED-1"}, {DECIDIDA: "REQ-7"}
)
# The three that put their action together from a word of their own.
_BUILT: Final = {"link_criado", "convite_criado", "mapeamento.confirmado", "mapeamento.recusado"}


def line(acao: str, alvo: str, ator: str = "usuario:1", **dados: Any) -> RegistroVisto:
    em = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)
    return RegistroVisto.of(Entry("t", 1, em, ator, acao, alvo, msgspec.json.encode(dados).decode(), b"", b""), NOMES)


def test_every_action_that_the_program_notes_has_its_words() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(crivo.__file__).parent.rglob("*.py")]
    noted = {acao for source in sources for acao in re.findall(r'NewEntry\(acao="([\w.]+)"', source)}
    noted |= {acao for source in sources for acao in re.findall(r'registros\.note(?:_all)?\([^"]*"([\w.]+)"', source)} - {"caso", "projeto"}
    noted |= {acao for source in sources for acao in re.findall(r'self\._(?:say|note)\(.*"((?:caso|desistencia)\.\w+)"', source)}
    noted |= {acao for source in sources for acao in re.findall(r'self\._share\(.*"(fila\.\w+)"', source)}
    noted |= {uso.ato for uso in USOS.values() if uso.ato}
    noted |= {acao for both in NA_AUDITORIA.values() for acao in both}
    assert {"autorizacao.decidida", "triagem.iniciada", "consulta.marcada"} <= noted
    assert noted | _BUILT == set(ACOES)


@pytest.mark.parametrize(
    ("ator", "shown"),
    [
        ("usuario:1", "Rita Lopes"),
        ("usuario:9", "Pessoa fora do cadastro"),
        ("chave:ab", "Chave Portal"),
        ("chave:zz", "Chave que já não existe"),
        ("cli:root", "Comando no servidor"),
        ("trabalhador", "Tarefa do servidor"),
        ("ana", "ana"),
    ],
)
def test_whoever_acts_is_called_by_name(ator: str, shown: str) -> None:
    assert ator_em_palavras(ator, NOMES.atores) == shown


@pytest.mark.parametrize(
    ("acao", "alvo", "dados", "shown", "where"),
    [
        ("autorizacao.decidida", str(DECIDIDA), {}, "Pedido REQ-7", f"/autorizacoes/{DECIDIDA}"),
        ("autorizacao.lida", f"autorizacao:{DECIDIDA}", {}, "Pedido REQ-7", f"/autorizacoes/{DECIDIDA}"),
        ("autorizacao.decidida", str(UUID(int=8)), {}, "Um pedido sem número", f"/autorizacoes/{UUID(int=8)}"),
        (
            "autorizacao.liberada",
            str(DECIDIDA),
            {"de": "usuario:1"},
            "Pedido REQ-7, que estava com Rita Lopes",
            f"/autorizacoes/{DECIDIDA}",
        ),
        ("politica.publicada", "p1", {}, "Manual, versão 2", ""),
        ("politica.publicada", "p9", {}, "Uma política que já não existe", ""),
        ("campos.definidos", "090417", {}, "Administradora 090417", ""),
        ("mapeamento.confirmado", "m1", {"origem": "cod_proc"}, "“cod_proc”", ""),
        ("convite_criado", "link:x", {"para": "usuario:1"}, "Para Rita Lopes", ""),
        ("sessao_aberta", "sessao:x", {"link": "y"}, "Por um link de entrada", ""),
        ("sessao_encerrada", "sessao:x", {}, "", ""),
        ("papel_mudado", "usuario:1", {}, "Rita Lopes", ""),
        ("chave_criada", "chave:ab", {}, "Chave Portal", ""),
        ("edital.importado", "edital:z", {"edital": "ED-1"}, "ED-1", "/admin/editais/ED-1/triagem-ia"),
        ("triagem.concluida", "triagem_ia_execucao:e1", {}, "ED-1", "/admin/editais/ED-1/triagem-ia"),
        ("triagem.concluida", "triagem_ia_execucao:e9", {}, "Um edital", ""),
        ("avaliacao.enviada", "projeto:z", {"edital": "E/1", "projeto": "P1"}, "Projeto P1, E/1", "/admin/editais/E%2F1/mesa/P1"),
        ("acao_de_amanha", "coisa", {}, "", ""),
    ],
)
def test_what_was_acted_on_is_told_in_words_with_a_way_to_it(acao: str, alvo: str, dados: dict[str, Any], shown: str, where: str) -> None:
    seen = line(acao, alvo, **dados)
    assert (seen.alvo, seen.endereco, seen.quem, instante(seen.em)) == (shown, where, "Rita Lopes", "16/11/2026 09:30")


def test_an_action_without_words_is_not_shown_by_its_code() -> None:
    assert line("acao_de_amanha", "coisa").acao == "Outra ação"


def test_a_break_says_where_and_how() -> None:
    assert told(Break.at(7, "alterada")) == "O registro 7 foi alterado."
    assert told(Break(3, "ausente", 5)) == "Cada registro de 3 a 5 sumiu."
