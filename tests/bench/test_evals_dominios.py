"""Domains that no check has seen are in no training, and each check tells how it does on them."""

from __future__ import annotations

import json

from evals.dominios import CORPUS, never_seen
from evals.instrucoes import passages


def test_a_domain_never_seen_is_in_no_training() -> None:
    learned = " ".join(passagem.texto for passagem in passages())
    prose = [linha for arquivo in (CORPUS / "prosa").glob("*.txt") for linha in arquivo.read_text(encoding="utf-8").splitlines()]
    orders = [caso["texto"] for caso in json.loads((CORPUS / "ordens.json").read_bytes())]
    assert (len(prose), len(orders)) == (36, 60)
    assert not [texto for texto in (*prose, *orders) if texto in learned]


def test_honest_texts_of_a_domain_never_seen_are_not_accused_and_each_check_says_how_it_does() -> None:
    """Now: 1 of 36 texts, which misses its aim (none at first reading), 52 of 60 orders (47), none of 20 answers; 1 of 23 messages about dental care."""
    rows = {linha.linha: linha for linha in never_seen()}
    accused = [linha.nosso for nome, linha in rows.items() if "texto que instrui" in nome or "suspeita" in nome]
    assert sum(accused) <= 2
    assert rows["domínio nunca visto, recepção: respostas retidas"].nosso == 0
    assert rows["domínio nunca visto, odontologia: alegações retidas"].nosso <= 1
    assert rows["ordens nunca vistas: encontradas"].nosso >= 50
