"""The same idea in other words: texts of made-up calls told again from end to end, found by meaning, and by letters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from bench.linhas import Linha, Meta, measured

from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada, Edital, Projeto, Proponente
from crivo.triagem.embeddings.escolha import open_embedder
from crivo.triagem.embeddings.port import Vetores
from crivo.triagem.embeddings.semantico import semantico_lacking
from crivo.triagem.irregularidades.sentido import Lidas, asked_of
from crivo.triagem.irregularidades.todas import compare_projects

Jeito = Literal["local", "semantico"]
_HERE: Final = Path(__file__).resolve().parent
_CORPUS: Final = _HERE / "sentido_corpus"
_LABELLED: Final = _HERE.parent / "tests/support/edital_rotulado/textos.txt"
_SAMPLE: Final = _HERE.parent / "src/crivo/triagem/amostra/projetos.json"
_REUSED: Final = _HERE.parent / "tests/support/reuso_textos.txt"
_TEXT_SIGNS: Final = frozenset({"similaridade", "texto_reutilizado"})
_FRESH: Final = frozenset({"inéditas", "ciência"})  # sets that chose nothing
ACHADAS: Final = Meta(">=", 0.7)
ALARMES: Final = Meta("<=", 2, "nosso")


@dataclass(frozen=True, slots=True)
class Conjunto:
    """A call: honest texts, those told again with the place of what they were told from, and pairs that are copies by design."""

    nome: str
    textos: tuple[str, ...]
    recontados: tuple[tuple[int, str], ...]
    copias: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Medida:
    """How many of those told again were found, of how many, and how many pairs were flagged without cause, of how many honest ones."""

    achados: int
    recontados: int
    alarmes: int
    honestos: int


def frescas() -> Conjunto:
    """Ten told again once all else was done, among 36 texts of two domains of another hand."""
    prosa = [path.read_text(encoding="utf-8").splitlines() for path in sorted((_HERE / "nunca_vistos/prosa").glob("*.txt"))]
    textos = [line.strip() for lines in prosa for line in lines if line.strip()]
    pares = _pares("frescas")
    return Conjunto("inéditas", tuple(textos), tuple((_place(textos, par["de"]), par["outro"]) for par in pares))


def ciencia() -> Conjunto:
    """Ten told again, each beside another project of its own theme, in a domain that no other set has."""
    textos = tuple(json.loads((_CORPUS / "ciencia.json").read_bytes())["textos"])
    return Conjunto("ciência", textos, tuple((_place(textos, par["de"]), par["outro"]) for par in _pares("ciencia")))


def _amostra() -> Conjunto:
    """Ten told again with images in place of words, among the 40 of the sample."""
    found = json.loads(_SAMPLE.read_bytes())
    titles = [one["titulo"] for one in found]
    ids = [one["id"] for one in found]
    copias = frozenset((ids.index(a), ids.index(b)) for a, b in (("P004", "P013"), ("P009", "P021"), ("P017", "P030")))
    textos = tuple(_whole(one) for one in found)
    return Conjunto("amostra", textos, tuple((titles.index(par["de"]), _whole(par["outro"])) for par in _pares("parafrases")), copias)


def _rotulado() -> Conjunto:
    """Eight short ones told again, among the 52 of the labelled call: with them the measure was chosen."""
    blocks = [block.strip().lstrip("# ").split("\n") for block in _LABELLED.read_text(encoding="utf-8").split("\n# ")]
    whole = [(lines[0], f"{lines[2]}\n\n{' '.join(lines[3:])}") for lines in blocks if len(lines) > 3]
    titles = [title for title, _ in whole]
    recontados = tuple((titles.index(par["de"]), _whole(par["outro"])) for par in _pares("calibracao"))
    return Conjunto("rotulado", tuple(texto for _, texto in whole), recontados)


def _reuso() -> Conjunto:
    """43 honest texts, three or four of each theme, none told again."""
    blocks = [block.strip().split("\n") for block in _REUSED.read_text(encoding="utf-8").split("# ")]
    return Conjunto("temas repetidos", tuple(" ".join(lines[1:]) for lines in blocks if len(lines) > 1), ())


def retold() -> list[Linha]:
    """A row for recall and one for false alarms of each set, by letters and by meaning where its wheel is."""
    rows = []
    for conjunto in (frescas(), ciencia(), _amostra(), _rotulado(), _reuso()):
        for jeito in ("local", "semantico"):
            if jeito == "semantico" and semantico_lacking():
                continue
            rows += _rows(conjunto, jeito, measure(conjunto, jeito))
    return rows


def measure(conjunto: Conjunto, jeito: Jeito) -> Medida:
    """What the signs over texts say of a set, with the vectors made by `jeito`."""
    projetos = _projetos([*conjunto.textos, *(texto for _, texto in conjunto.recontados)])
    embedder = open_embedder(jeito)
    vetores = Vetores(embedder.nome, embedder.limiar, embedder.embed([one.texto for one in projetos]))
    lidas = None
    if jeito == "semantico":
        asked = asked_of(projetos, vetores.matriz)
        textos = list(dict.fromkeys(texto for frases in asked.values() for texto in frases.textos))
        lidas = Lidas(asked, dict(zip(textos, np.asarray(embedder.embed(textos)), strict=True)))
    lidos = [ProjetoLido(one, ()) for one in projetos]
    found = compare_projects(Chamada(Edital("ED", "Edital"), projetos=projetos), lidos, vetores, (), lidas).irregularidades
    places = {one.id: at for at, one in enumerate(projetos)}
    flagged = {(places[one.projetos[0]], places[one.projetos[1]]) for one in found if one.tipo in _TEXT_SIGNS and len(one.projetos) == 2}
    total = len(conjunto.textos)
    right = {(de, total + at) for at, (de, _) in enumerate(conjunto.recontados)}
    # A copy of what was told again is no false alarm beside the retelling.
    copied = {(a, total + at) for at, (de, _) in enumerate(conjunto.recontados) for pair in conjunto.copias if de in pair for a in pair}
    alarms = flagged - right - conjunto.copias - copied
    honest = len(projetos) * (len(projetos) - 1) // 2 - len(right | conjunto.copias | copied)
    return Medida(len(flagged & right), len(right), len(alarms), honest)


def _rows(conjunto: Conjunto, jeito: Jeito, medida: Medida) -> list[Linha]:
    nome = f"mesma ideia, outras palavras, {conjunto.nome}, {jeito}"
    meta = ACHADAS if jeito == "semantico" and conjunto.nome in _FRESH else None
    note = f"Entre {medida.honestos} pares honestos de {len(conjunto.textos) + len(conjunto.recontados)} textos."
    rows = [measured(f"{nome}: alarmes falsos", "pares", medida.alarmes, None, meta=ALARMES, execucoes=medida.honestos, nota=note)]
    if medida.recontados:
        total = medida.recontados
        rows.insert(0, measured(f"{nome}: achados", "pares", medida.achados, total, meta=meta, execucoes=total, nota=note))
    return rows


def _projetos(textos: Sequence[str]) -> list[Projeto]:
    return [Projeto(f"P{at:03}", "", Proponente(f"Pessoa {_letters(at)}"), descricao_tecnica=texto) for at, texto in enumerate(textos)]


def _letters(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def _pares(nome: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((_CORPUS / f"{nome}.json").read_bytes())["pares"]
    return found


def _whole(one: object) -> str:
    assert isinstance(one, dict)
    return f"{one['resumo']}\n\n{one['descricao_tecnica']}"


def _place(textos: Sequence[str], beginning: str) -> int:
    return next(at for at, texto in enumerate(textos) if texto.startswith(beginning))
