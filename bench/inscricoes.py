"""A large made-up call: projects that each tell their own, with the documents that the sample's edital asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from bench.pedidos import Sorte
from crivo.triagem.amostra import arquivos, papeis, pessoas
from crivo.triagem.amostra.papeis import titular_of

_ISSUED: Final = date(2026, 8, 20)
_VALID: Final = date(2026, 12, 20)
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_KEPT: Final = 0.4  # of the words of the sample's sentences; the rest are others
_VOCABULARY: Final = 12_000
_SYLLABLES: Final = tuple(c + v for c in ("b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "tr", "br") for v in "aeiou")
_ENDINGS: Final = ("ção", "mento", "dade", "eiro", "ada", "ar", "ando", "ista", "al", "o", "a", "os", "as")


def write_call(pasta: Path, projetos: int, edital: str = "BANCADA", semente: int = 1) -> Path:
    """Write a call of so many projects, with three to five documents each, as an import; the path of its file."""
    chamada, textos, sorte = _data("edital"), _data("projetos"), Sorte(semente)
    escritor = _Escritor([texto["descricao_tecnica"] for texto in textos], sorte)
    chamada["projetos"] = [_projeto(f"B{at:05}", sorte.choice(textos), escritor, sorte) for at in range(projetos)]
    chamada["edital"]["id"] = edital
    chamada["avaliadores"] = [{**one, "projetos": []} for one in chamada["avaliadores"]]
    for projeto in chamada["projetos"]:
        _write_papers(pasta, projeto, 3 + sorte.randrange(3))
    path = pasta / "edital.json"
    path.write_text(json.dumps(chamada, ensure_ascii=False), encoding="utf-8")
    return path


class _Escritor:
    """Writes sentences shaped as the sample's are, of words made up, few of them common."""

    def __init__(self, textos: list[str], sorte: Sorte) -> None:
        self._frases = [frase for texto in textos for frase in texto.split(". ")]
        self._sorte = sorte
        made = ("".join(sorte.choices(_SYLLABLES, k=sorte.randint(1, 3))) + sorte.choice(_ENDINGS) for _ in range(_VOCABULARY))
        self._words = list(dict.fromkeys(made))
        self._cumulated = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))

    def write(self, frases: int) -> str:
        return " ".join(_WORD.sub(self._changed, self._sorte.choice(self._frases)).rstrip(".") + "." for _ in range(frases))

    def _changed(self, match: re.Match[str]) -> str:
        if self._sorte.random() < _KEPT:
            return match.group()
        return self._sorte.choices(self._words, cum_weights=self._cumulated)[0]


def _data(name: str) -> Any:
    return json.loads(files("crivo.triagem.amostra").joinpath(f"{name}.json").read_bytes())


def _projeto(key: str, modelo: Mapping[str, Any], escritor: _Escritor, sorte: Sorte) -> dict[str, Any]:
    itens = pessoas.budget(modelo["categoria"], key)
    total = sum(Decimal(str(item["valor_unitario"])) * item["quantidade"] for item in itens)
    municipio = modelo["municipio"]
    return {
        "id": key,
        "titulo": escritor.write(1)[:80],
        "categoria": modelo["categoria"],
        "enviado_em": "2026-09-10T10:30:00-03:00",
        "resumo": escritor.write(2),
        "descricao_tecnica": escritor.write(sorte.randint(12, 28)),
        "proponente": pessoas.proponente(pessoas.person_of(key), municipio, key),
        "campos": {"municipio": municipio, "valor_total": float(total), "anos_de_atuacao": sorte.randint(2, 20)},
        "orcamento_itens": itens,
        "cronograma_etapas": pessoas.calendar(key),
        "documentos": [],
    }


def _write_papers(pasta: Path, projeto: dict[str, Any], how_many: int) -> None:
    de, municipio, key = titular_of(projeto["proponente"]), projeto["campos"]["municipio"], projeto["id"]
    papers = {
        "REQ-2": ("certidao-federal.pdf", papeis.certidao_federal(de, _ISSUED, _VALID)),
        "REQ-5": ("portfolio.pdf", papeis.portfolio(de.nome, projeto["categoria"], projeto["descricao_tecnica"])),
        "REQ-6": ("anuencia.docx", papeis.anuencia(de.nome, projeto["titulo"], municipio, _ISSUED)),
        "REQ-4": ("residencia.pdf", papeis.residencia(de, _ISSUED)),
        "REQ-1": ("certidao-municipal.pdf", papeis.certidao_municipal(de, municipio, _ISSUED, _VALID)),
    }
    folder = pasta / "documentos" / key
    folder.mkdir(parents=True)
    for requisito, (nome, papel) in list(papers.items())[:how_many]:
        (folder / nome).write_bytes(arquivos.docx(papel) if nome.endswith(".docx") else arquivos.pdf(papel))
        projeto["documentos"].append({"requisito": requisito, "arquivo": f"documentos/{key}/{nome}"})
