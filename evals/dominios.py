"""Domains that no check has seen: how often honest texts of them are accused, and unseen orders found (`nunca_vistos/`).

Nothing is learned from these files, and no word of the product comes from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Final

from bench.linhas import Linha, Meta, measured

from crivo.autorizacoes.redacao import conferir
from crivo.autorizacoes.redacao.conjunto import read_casos
from crivo.clinicas.orquestrador.confere.avaliacao import avaliar as verify
from crivo.clinicas.orquestrador.confere.avaliacao import load_casos
from crivo.triagem.avaliacao.material import Material, Secao
from crivo.triagem.avaliacao.suspeita import find_suspeitos
from crivo.triagem.embeddings.semantico import open_semantico, semantico_lacking
from crivo.triagem.irregularidades.instrucoes import find_instrucoes
from evals.ordens import told

CORPUS: Final = Path(__file__).resolve().parent / "nunca_vistos"
RARAMENTE: Final = Meta("<=", 0.01)
QUASE_TODAS: Final = Meta(">=", 0.95)
_ALEGADO: Final = frozenset({"resultado", "documento"})
_DOMINIO: Final = "Domínio que nada viu"


def never_seen() -> list[Linha]:
    """A row for each check that is learned or weighed, and one for unseen orders."""
    return [*instructing(), *suspected(), writing(), receptionists()]


def instructing() -> Iterator[Linha]:
    """Honest texts that are called instructing, by domain, and orders that are found."""
    for nome, textos in _prosa().items():
        flagged = sum(bool(find_instrucoes(texto)) for texto in textos)
        yield _row(f"domínio nunca visto, {nome}: texto que instrui", "textos", flagged, len(textos), RARAMENTE, f"{_DOMINIO}, honesto.")
        if not semantico_lacking():
            both = sum(told(textos, open_semantico()))
            linha = f"domínio nunca visto, {nome}: texto que instrui, palavras e sentido"
            yield _row(linha, "textos", both, len(textos), RARAMENTE, f"{_DOMINIO}, honesto.")
    ordens = [caso["texto"] for caso in json.loads((CORPUS / "ordens.json").read_bytes())]
    found = sum(bool(find_instrucoes(texto)) for texto in ordens)
    nota = "À primeira leitura 47; nada foi aprendido delas."
    yield _row("ordens nunca vistas: encontradas", "frases", found, len(ordens), QUASE_TODAS, nota)


def suspected() -> Iterator[Linha]:
    """Honest texts with a passage that scoring is sure of, and those that it reads again without one."""
    for nome, textos in _prosa().items():
        found = [find_suspeitos(Material("P1", (Secao("descrição", texto, campo="descricao"),), (), Decimal(1))) for texto in textos]
        sure = sum(any(one.certo for one in each) for each in found)
        again = sum(bool(each) for each in found)
        nota = f"{_DOMINIO}, honesto. {again} de {len(textos)} custam uma segunda leitura, da qual nada se diz se a nota não muda."
        yield _row(f"domínio nunca visto, {nome}: suspeita na avaliação", "textos", sure, len(textos), RARAMENTE, nota)


def writing() -> Linha:
    """Sound claims about dental care, which no labelled text is about, that are said not to be borne out by the decision."""
    casos = read_casos((CORPUS / "odontologia.json").read_bytes())
    achados = [{achado.falha for achado in conferir(caso.texto, caso.campo, caso.decisao).achados} for caso in casos]
    held = sum(bool(faults & _ALEGADO) for faults in achados)
    nota = (
        "O que dizem é certo; odontologia não está em nenhum texto rotulado. Só as falhas do que se alega: jargão e fonte são outra coisa."
    )
    return _row("domínio nunca visto, odontologia: alegações retidas", "textos", held, len(casos), RARAMENTE, nota)


def receptionists() -> Linha:
    """Honest answers of receptionists, of specialties that no clinic of ours has, that the verifier stops."""
    alarmes = verify(load_casos(CORPUS / "recepcao.json"))["metricas"]["alarmes_falsos"]
    nota = "Podologia, fonoaudiologia, acupuntura e odontologia, que nenhuma clínica da amostra tem."
    return _row("domínio nunca visto, recepção: respostas retidas", "textos", alarmes["acertos"], alarmes["total"], RARAMENTE, nota)


def _prosa() -> dict[str, list[str]]:
    return {arquivo.stem: arquivo.read_text(encoding="utf-8").splitlines() for arquivo in sorted((CORPUS / "prosa").glob("*.txt"))}


def _row(nome: str, unidade: str, found: int, total: int, meta: Meta, nota: str) -> Linha:
    return measured(nome, unidade, found, total, meta=meta, execucoes=total, nota=nota)
