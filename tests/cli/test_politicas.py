"""`crivo politicas`: schema, lint, import and life of a política."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

Sample = Callable[[str], Path]

_BAD = """administradora_id: A
documento: D
versao: "1"
vigencia_inicio: 2026-01-01
regras:
  - regra_id: R
    codigo: "1"
    cobertura: COBERT
    limite_quatidade: 2
"""


def test_esquema_prints_a_json_schema(terminal: Terminal) -> None:
    """Design: the JSON Schema is published by `crivo politicas esquema`."""
    schema = json.loads(terminal.run("politicas", "esquema").stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert {"administradora_id", "documento", "versao", "vigencia_inicio", "regras"} <= set(schema["required"])


def test_validar_tells_every_fault_with_its_line(terminal: Terminal) -> None:
    bad = terminal.file("ruim.yaml", _BAD)
    result = terminal.run("politicas", "validar", bad)
    assert result.exit_code == 1
    places = [line.split(": ")[:2] for line in result.stdout.splitlines()]
    assert places == [[f"{bad}:8", "regras[0].cobertura"], [f"{bad}:9", "regras[0].limite_quatidade"]]


def test_validar_as_json_and_of_many_files(terminal: Terminal, sample: Sample) -> None:
    result = terminal.run("politicas", "validar", terminal.file("ruim.yaml", _BAD), sample("alvorada-2026"), "sumiu.json", "--json")
    assert result.exit_code == 1
    bad, good, absent = (json.loads(line) for line in result.stdout.splitlines())
    assert (bad["valida"], good["valida"], absent["valida"]) == (False, True, False)
    assert [problem["linha"] for problem in bad["problemas"]] == [8, 9]
    assert good["regras_total"] == 23
    assert absent["problemas"][0]["codigo"] == "arquivo_inacessivel"


def test_validar_needs_no_database_and_stores_nothing(terminal: Terminal, sample: Sample) -> None:
    terminal.environment["CRIVO_DATABASE_URL"] = "postgresql://ninguem@127.0.0.1:1/nada"
    result = terminal.run("politicas", "validar", sample("alvorada-2026"))
    assert result.exit_code == 0
    assert "lido das observações da regra" in result.stdout
    assert result.stdout.splitlines()[-1].endswith("serve, com 23 regras.")


def test_importing_twice_changes_nothing_the_second_time(terminal: Terminal, sample: Sample) -> None:
    first, second = (json.loads(terminal.run("politicas", "importar", sample("alvorada-2026"), "--json").stdout) for _ in range(2))
    assert (first["mudou"], second["mudou"]) == (True, False)
    assert first["id"] == second["id"]
    assert first["status"] == "rascunho"
    assert first["lidos_de_observacoes"][0]["regra_id"] == "A26-021"


def test_a_refused_politica_does_not_stop_the_others(terminal: Terminal, sample: Sample) -> None:
    result = terminal.run("politicas", "importar", terminal.file("ruim.yaml", _BAD), sample("vertente-2026"), "--publicar")
    assert result.exit_code == 1
    assert "regras[0].cobertura (linha 8)" in result.stderr
    assert "✓ publicada" in result.stdout


def test_a_politica_is_published_and_revoked_by_the_beginning_of_its_id(terminal: Terminal, sample: Sample) -> None:
    whole = json.loads(terminal.run("politicas", "importar", sample("alvorada-2026"), "--json").stdout)["id"]
    assert "✓ publicada" in terminal.run("politicas", "publicar", whole[:8].upper()).stdout
    assert json.loads(terminal.run("politicas", "revogar", whole[:20], "--motivo", "engano", "--json").stdout)["status"] == "revogada"
    assert "✗ revogada" in terminal.run("politicas", "listar").stdout


def test_an_id_that_several_share_or_none_has_is_refused(terminal: Terminal, sample: Sample) -> None:
    terminal.run("politicas", "importar", sample("alvorada-2026"), sample("alvorada-2025"))
    shared = terminal.run("politicas", "publicar", "0")
    assert shared.exit_code == 1
    assert "2 políticas têm id começado assim" in shared.stderr
    absent = terminal.run("politicas", "publicar", "nada")
    assert absent.exit_code == 1
    assert "Não há política com este id" in absent.stderr
    assert terminal.run("politicas", "publicar", "").exit_code == 1


def test_a_draft_cannot_be_revoked(terminal: Terminal, sample: Sample) -> None:
    whole = json.loads(terminal.run("politicas", "importar", sample("alvorada-2026"), "--json").stdout)["id"]
    result = terminal.run("politicas", "revogar", whole, "--motivo", "x")
    assert result.exit_code == 1
    assert "ainda é um rascunho" in result.stderr


def test_the_ids_that_listar_shows_are_enough_to_name_each(terminal: Terminal, sample: Sample) -> None:
    terminal.run("politicas", "importar", sample("alvorada-2026"), sample("alvorada-2025"), sample("vertente-2026"))
    ids = [line.split()[0] for line in terminal.run("politicas", "listar").stdout.splitlines() if line.strip()[:1].isalnum()][1:]
    assert len(set(ids)) == 3
    assert all(terminal.run("politicas", "publicar", shown).exit_code == 0 for shown in ids)


def test_an_empty_repository_says_how_to_begin(terminal: Terminal) -> None:
    assert "crivo politicas importar ARQUIVO --publicar" in terminal.run("politicas", "listar").stdout


def _version(terminal: Terminal, versao: str, inicio: str, *codigos: str) -> Path:
    regras = [{"regra_id": f"R-{codigo}", "codigo": codigo, "cobertura": "COBERTA"} for codigo in codigos]
    head = {"administradora_id": "ADM-9", "documento": "Manual", "versao": versao, "vigencia_inicio": inicio, "regras": regras}
    return terminal.file(f"v{versao}.json", json.dumps(head))


def test_what_a_publication_closes_and_changes_is_shown_and_waits_for_a_yes(terminal: Terminal) -> None:
    """Design: publishing closes the earlier version; what vanishes, appears and changes is shown and confirmed first."""
    terminal.run("politicas", "importar", _version(terminal, "2026.11", "2026-11-01", "1", "2"), "--publicar")
    nova = _version(terminal, "2026.12", "2026-12-01", "2", "3")
    asked = terminal.run("politicas", "importar", nova, "--publicar")
    assert asked.exit_code == 1
    assert "A versão 2026.11 de “Manual” vale até 30/11/2026." in asked.stdout
    assert "+ entra R-3" in asked.stdout
    assert "- sai R-1" in asked.stdout
    assert "--sim" in asked.stderr
    draft = json.loads(terminal.run("politicas", "importar", nova, "--json").stdout)
    assert draft["status"] == "rascunho"
    assert "✓ publicada" in terminal.run("politicas", "publicar", draft["id"], "--sim").stdout
    listed = [json.loads(line) for line in terminal.run("politicas", "listar", "--json").stdout.splitlines()]
    flat = listed[0] if isinstance(listed[0], list) else listed
    assert [um["vigencia_fim"] for um in flat] == ["2026-11-30", None]


def test_a_publication_tells_in_words_what_changes_and_which_planos_go(terminal: Terminal) -> None:
    """Design: what vanishes, appears and changes is shown and confirmed first."""
    regra = {"regra_id": "R-1", "codigo": "1", "cobertura": "COBERTA", "restricoes_idade": {"min": 18, "max": 60}}
    head = {"administradora_id": "ADM-9", "documento": "Manual"}
    antes = {**head, "versao": "1", "vigencia_inicio": "2026-01-01", "planos": ["OURO", "BRONZE"], "regras": [regra]}
    regra = {**regra, "restricoes_idade": {"min": 21}, "documentos_obrigatorios": ["LAUDO_MEDICO"]}
    depois = {**head, "versao": "2", "vigencia_inicio": "2026-06-01", "planos": ["OURO"], "regras": [regra]}
    terminal.run("politicas", "importar", terminal.file("a.json", json.dumps(antes)), "--publicar")
    told = terminal.run("politicas", "importar", terminal.file("b.json", json.dumps(depois)), "--publicar").stdout
    assert "Planos: OURO e BRONZE → OURO" in told
    assert "sai o plano BRONZE" in told
    assert "Faixa de idade: de 18 a 60 anos → a partir de 21 anos" in told
    assert "Documentos obrigatórios: não diz → laudo médico" in told
    assert not set("{}[]'") & set(told)


def test_an_open_end_is_listed_as_one_and_not_as_today(terminal: Terminal) -> None:
    terminal.run("politicas", "importar", _version(terminal, "1", "2030-01-01", "1"))
    listed = terminal.run("politicas", "listar").stdout
    assert "hoje" not in listed
    assert "desde 01/01/2030" in listed


def test_both_versions_stand_where_both_are_meant(terminal: Terminal) -> None:
    terminal.run("politicas", "importar", _version(terminal, "1", "2026-01-01", "1"), "--publicar")
    kept = terminal.run("politicas", "importar", _version(terminal, "2", "2026-06-01", "1"), "--publicar", "--manter-anterior")
    assert "✓ publicada" in kept.stdout
    assert "30/" not in terminal.run("politicas", "listar").stdout.replace("\n", "")


def test_simular_tells_what_a_draft_in_a_file_would_change_and_stores_nothing(terminal: Terminal, sample: Sample) -> None:
    terminal.run("politicas", "importar", sample("alvorada-2026"), "--publicar")
    documento = json.loads(sample("alvorada-2026").read_text(encoding="utf-8"))
    regra = documento["regras"][0]
    pedidos = [
        {
            "pedido_id": f"P-{numero}",
            "administradora_id": documento["administradora_id"],
            "plano_id": "PLENO",
            "data_pedido": "2026-10-05",
            "beneficiario": {"id": "B", "idade": 40, "carencia_cumprida_dias": 4000},
            "procedimento": {"codigo": regra["codigo"], "tabela": "TUSS", "quantidade": 1},
            "prestador": {"tipo": "CREDENCIADO"},
        }
        for numero in range(3)
    ]
    entrada = terminal.file("pedidos.ndjson", "\n".join(map(json.dumps, pedidos)) + "\n{\n")
    documento["versao"], documento["regras"][0] = "2026.9", {**regra, "cobertura": "NAO_COBERTA"}
    rascunho = terminal.file("rascunho.json", json.dumps(documento))
    told = terminal.run("politicas", "simular", rascunho, "--entrada", entrada).stdout
    assert "3 de 3 decisões mudariam (0 melhoram, 3 pioram)." in told
    assert "1 linha sem um pedido que se leia, de fora: 4." in told
    assert "  P-0 (linha 1): Aprovado → Negado (sem cobertura)" in told
    value = json.loads(terminal.run("politicas", "simular", rascunho, "--entrada", entrada, "--json").stdout)
    assert (value["total"], value["matriz"], [caso["linha"] for caso in value["casos"]]) == (3, {"APROVADO→NEGADO": 3}, [1, 2, 3])
    assert len(json.loads(terminal.run("politicas", "listar", "--json").stdout)) == 1
    earlier = terminal.file("anterior.json", json.dumps({**documento, "versao": "2025.9"}))
    assert "este rascunho não valeria em dia nenhum" in terminal.run("politicas", "simular", earlier, "--entrada", entrada).stdout
    bad = terminal.run("politicas", "simular", terminal.file("ruim.yaml", _BAD))
    assert (bad.exit_code, "regras[0].cobertura" in bad.stderr) == (1, True)


def test_simular_counts_what_it_leaves_out_and_tells_before_from_after(terminal: Terminal, sample: Sample) -> None:
    """Of a first publication each regra is new; what no longer weighs is said to, and what is not printed is counted."""
    documento = json.loads(sample("alvorada-2026").read_text(encoding="utf-8"))
    base = {"cobertura": "COBERTA", "coparticipacao_percentual": 30}
    documento["regras"] = [{**base, "regra_id": f"R-{numero:02}", "codigo": f"403043{numero:02}"} for numero in range(28)]
    documento.pop("planos", None)
    pedido = {
        "administradora_id": documento["administradora_id"],
        "plano_id": "PLENO",
        "data_pedido": documento["vigencia_inicio"],
        "beneficiario": {"id": "B"},
    }
    pedidos = [
        {**pedido, "pedido_id": f"P-{numero}", "procedimento": {"codigo": f"403043{numero:02}", "quantidade": 1}} for numero in range(28)
    ]
    entrada = terminal.file("pedidos.ndjson", "\n".join(map(json.dumps, pedidos)))
    told = terminal.run("politicas", "simular", terminal.file("rascunho.json", json.dumps(documento)), "--entrada", entrada).stdout
    assert "… e mais 8 regras. Veja todos com --json." in told
    assert "… e mais 8 casos. Veja todos com --json." in told
    assert (
        "P-0 (linha 1): Pendente de ajustes → Aprovado (já não pesa: nenhuma regra para este caso; Coparticipação: não diz → 30%)" in told
    )
    published = terminal.file("publicada.json", json.dumps(documento))
    terminal.run("politicas", "importar", published, "--publicar")
    documento["versao"] = "2027"
    documento["regras"] = [{**regra, "coparticipacao_percentual": 40} for regra in documento["regras"]]
    told = terminal.run("politicas", "simular", terminal.file("maior.json", json.dumps(documento)), "--entrada", entrada).stdout
    assert "0 de 28 decisões mudariam. 28 ficam com a mesma decisão e mudam em outra coisa: coparticipação (28)." in told
    assert "  P-0 (linha 1): Aprovado (Coparticipação: 30% → 40%)" in told
    unread = terminal.run("politicas", "simular", published, "--entrada", terminal.file("erp.csv", "a;b\n1;2\n")).stdout
    assert "Nenhum pedido do arquivo pôde ser lido. Na linha 1: É uma tabela (CSV)" in unread
    assert "neste período" not in unread
