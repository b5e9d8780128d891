"""The sample's papers printed, scanned and photographed: what habilitação says of each, held against the sample's own key."""

from __future__ import annotations

import argparse
import asyncio
import io
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, get_args

import msgspec
from bench.linhas import Linha, Meta, measured
from docx import Document

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))  # where the faults of scanners live, outside the product

from chamada_de_fora import DE_FORA, REFERENCIA
from chamada_de_fora import papeis as papeis_de_fora
from crivo.triagem import amostra
from crivo.triagem.amostra.arquivos import pdf
from crivo.triagem.amostra.papeis import Papel
from crivo.triagem.documentos.datas import find_datas
from crivo.triagem.documentos.leitor import Leitor
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido, TipoDeRegiao
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.edital import Chamada, Edital, Projeto, RequisitoDocumento
from crivo.triagem.habilitacao import habilitar
from crivo.triagem.habilitacao.tipos import tipos_of
from crivo.triagem.habilitacao.titular import belongs_to
from digitalizados import LOTES, NUNCA_AJUSTADOS, OFICINA, Lote

CERTOS: Final = Meta(">=", 0.9)
ERRADOS: Final = Meta("<=", 0.02)
A_CADA: Final = 8
"""Papers of each lot: every one is some seconds of work."""
_OF_THE_FILE: Final = frozenset(
    {"documento_ausente", "documento_vazio", "documento_corrompido", "documento_protegido", "documento_repetido", "formato_nao_aceito"}
)


@dataclass(frozen=True, slots=True)
class Folha:
    """A paper of the sample as a clean PDF, whose it is, what it is sent for, and what should be said of it."""

    projeto: Projeto
    requisito: RequisitoDocumento
    pdf: bytes
    situacao: str
    motivo: str | None
    datas: tuple[date, ...] = ()
    regioes: Mapping[TipoDeRegiao, int] | None = None


@dataclass(frozen=True, slots=True)
class Lida:
    """What was said of a paper, and how many seconds its reading took."""

    folha: Folha
    situacao: str
    motivo: str | None
    achado: str
    lido: DocumentoLido
    segundos: float

    @property
    def certa(self) -> bool:
        """Whether it is what should be said."""
        return (self.situacao, self.motivo) == (self.folha.situacao, self.folha.motivo)

    @property
    def acha(self) -> tuple[bool, bool, bool]:
        """Whether its type, its holder and its dates were found, each where it has to be."""
        texto, asked = self.lido.texto, self.folha.requisito
        read = {one.data for one in find_datas(texto)}
        holder = not asked.em_nome_do_proponente or self.folha.motivo == "documento_de_terceiro" or self._is_named(texto)
        kind = self.folha.motivo == "documento_tipo_errado" or tipos_of().is_of(texto, asked.documento)
        return kind, holder, set(self.folha.datas) <= read

    def _is_named(self, texto: str) -> bool:
        return belongs_to(texto, self.folha.projeto.proponente, self.folha.requisito.documento)

    @property
    def errada(self) -> bool:
        """Whether it says for certain what is not so; to have a person look is no error."""
        return not self.certa and self.situacao != "nao_lido"


def papers() -> list[Folha]:
    """Papers of the sample that a person could print, those with a fault that stands in their text first."""
    with TemporaryDirectory() as folder:
        path = amostra.write_sample(Path(folder))
        chamada = msgspec.json.decode(path.read_bytes(), type=Chamada)
        asked = {one.id: msgspec.structs.replace(one, formatos=()) for one in chamada.requisitos if isinstance(one, RequisitoDocumento)}
        key = {(p["projeto_id"], item["requisito"]): item for p in amostra.gabarito()["projetos"] for item in p["itens"]}
        found = [
            Folha(projeto, asked[sent.requisito], _as_pdf((path.parent / sent.arquivo).read_bytes()), item["situacao"], item.get("motivo"))
            for projeto in chamada.projetos
            for sent in projeto.documentos
            if sent.requisito in asked and (item := key[projeto.id, sent.requisito]).get("motivo") not in _OF_THE_FILE
        ]
    return sorted(found, key=lambda one: (one.situacao == "atende", one.requisito.id, one.projeto.id[::-1]))


def drawn_for(lote: int, papeis: Sequence[Folha], quantos: int) -> list[Folha]:
    """The papers of a lot: three with faults, then others, all requisitos in turn, other ones for each lot."""
    faulty = [one for one in papeis if one.situacao != "atende"]
    good = [one for one in papeis if one.situacao == "atende"]
    by_requisito: dict[str, list[Folha]] = {}
    for one in good:
        by_requisito.setdefault(one.requisito.id, []).append(one)
    chosen = [faulty[(lote * 3 + at) % len(faulty)] for at in range(min(3, quantos))]
    names = sorted(by_requisito)
    for at in range(quantos - len(chosen)):
        of = by_requisito[names[at % len(names)]]
        chosen.append(of[(lote * 5 + at * 7) % len(of)])
    return chosen


async def read_lot(leitor: Leitor, edital: Edital, lote: Lote, folhas: Sequence[Folha], semente: int) -> list[Lida]:
    """What is said of papers after what happens to them in a lot."""

    async def read(at: int, folha: Folha) -> Lida:
        spoilt = await asyncio.to_thread(lote.spoil, folha.pdf, semente + at)
        began = time.perf_counter()
        lido = msgspec.structs.replace(await leitor.read("papel", spoilt), requisito=folha.requisito.id)
        took = time.perf_counter() - began
        item = habilitar(edital, (folha.requisito,), ProjetoLido(folha.projeto, (lido,))).itens[0]
        return Lida(folha, item.situacao, item.motivo, item.achado, lido, took)

    return [await read(at, folha) for at, folha in enumerate(folhas)]


def measure(lotes: Mapping[str, Lote], quantos: int = A_CADA, semente: int = 1000) -> dict[str, list[Lida]]:
    """Every lot, one paper after the other: reading images is heavy, and others work here too."""

    async def all_of_them() -> dict[str, list[Lida]]:
        papeis, edital = papers(), _edital().edital
        async with Leitor(processos=1) as leitor:
            return {
                nome: await read_lot(leitor, edital, lote, drawn_for(at, papeis, quantos), semente + 100 * at)
                for at, (nome, lote) in enumerate(lotes.items())
            }

    return asyncio.run(all_of_them())


def measure_fora(semente: int = 9000) -> dict[str, list[Lida]]:
    """Every paper of the unseen call once, each in one of its lots."""

    async def all_of_them() -> dict[str, list[Lida]]:
        edital = Edital("FORA", "Chamada de fora", data_referencia=REFERENCIA)
        shared: list[list[Folha]] = [[] for _ in DE_FORA]
        for at, one in enumerate(papeis_de_fora()):
            projeto = Projeto(one.nome, one.nome, one.proponente)
            shared[(3 * at + at // len(DE_FORA)) % len(DE_FORA)].append(
                Folha(
                    projeto,
                    one.requisito,
                    one.pdf,
                    one.situacao,
                    one.motivo,
                    one.datas,
                    {"carimbo": one.carimbos, "manuscrito": one.manuscritos},
                )
            )
        async with Leitor(processos=1) as leitor:
            return {
                nome: await read_lot(leitor, edital, lote, folhas, semente + 100 * at)
                for at, ((nome, lote), folhas) in enumerate(zip(DE_FORA.items(), shared, strict=True))
            }

    return asyncio.run(all_of_them())


def scans() -> list[Linha]:
    """The rows: what was looked at while the reading was made, and what was not; none where nothing reads images."""
    if find_tesseract() is None:
        return []
    return [
        *_rows("papéis digitalizados e fotografados", measure(LOTES), ""),
        *_rows(
            "papéis estragados de outro modo, nunca ajustados",
            measure(NUNCA_AJUSTADOS, semente=7000),
            "À primeira vista 33 de 40; depois disso a cópia fraca foi corrigida.",
        ),
    ]


def regions_told(lidas: Sequence[Lida], tipo: TipoDeRegiao) -> tuple[int, int, int, int]:
    """Of the pages with such a region how many were told so, of how many; of those without one the same."""
    known = [(one.folha.regioes[tipo] > 0, _tells(one, tipo)) for one in lidas if one.folha.regioes is not None]
    have, none = [told for there, told in known if there], [told for there, told in known if not there]
    return sum(have), len(have), sum(none), len(none)


def _tells(lida: Lida, tipo: TipoDeRegiao) -> bool:
    return any(regiao.tipo == tipo for pagina in lida.lido.paginas for regiao in pagina.regioes)


def _rows(nome: str, lidas: Mapping[str, Sequence[Lida]], nota: str) -> list[Linha]:
    every = [one for lote in lidas.values() for one in lote]
    told = "; ".join(f"{lote}: {sum(one.certa for one in of)} de {len(of)}" for lote, of in lidas.items())
    right, wrong = sum(one.certa for one in every), sum(one.errada for one in every)
    return [
        measured(f"{nome}: itens certos", "itens", right, len(every), meta=CERTOS, execucoes=len(every), nota=f"{told}. {nota}".strip()),
        measured(
            f"{nome}: itens decididos errado",
            "itens",
            wrong,
            len(every),
            meta=ERRADOS,
            execucoes=len(every),
            nota="O resto pede conferência.",
        ),
    ]


def _as_pdf(content: bytes) -> bytes:
    """The paper as it is printed: a DOCX is drawn like the others."""
    if content.startswith(b"%PDF"):
        return content
    title, *lines = [paragraph.text for paragraph in Document(io.BytesIO(content)).paragraphs]
    return pdf(Papel(title, lines))


def _edital() -> Chamada:
    with TemporaryDirectory() as folder:
        return msgspec.json.decode(amostra.write_sample(Path(folder)).read_bytes(), type=Chamada)


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m evals.digitalizados`: a line for each lot, and what was not right."""
    parser = argparse.ArgumentParser(prog="python -m evals.digitalizados", description="Lê papéis da amostra estragados, e confere.")
    parser.add_argument("--quantos", type=int, default=A_CADA, help=f"papéis de cada lote (padrão: {A_CADA})")
    parser.add_argument("--semente", type=int, default=1000, help="semente dos estragos (padrão: 1000)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--oficina", action="store_true", help="os lotes vistos enquanto a leitura melhorava")
    which.add_argument("--nunca-ajustados", action="store_true", help="os lotes pelos quais nada foi ajustado")
    which.add_argument("--de-fora", action="store_true", help="os papéis de uma chamada que ninguém viu, cada um uma vez")
    parser.add_argument("--lotes", nargs="+", help="só os que têm uma destas palavras no nome")
    given: Any = parser.parse_args(argv)
    if given.de_fora:
        lidas = measure_fora()
    else:
        lotes = NUNCA_AJUSTADOS if given.nunca_ajustados else OFICINA if given.oficina else LOTES
        chosen = {nome: lote for nome, lote in lotes.items() if not given.lotes or any(word in nome for word in given.lotes)}
        lidas = measure(chosen, given.quantos, given.semente)
    for nome, of in lidas.items():
        print(f"{nome}: {sum(one.certa for one in of)} de {len(of)}, decididos errado {sum(one.errada for one in of)}", flush=True)
        for one in islice((one for one in of if not one.certa), 5):
            found = f"{one.situacao} {one.motivo}: {one.achado}"
            print(f"   {one.folha.projeto.id} {one.folha.requisito.id} devia {one.folha.situacao} {one.folha.motivo}, é {found}")
    every = [one for of in lidas.values() for one in of]
    right, wrong, took = sum(one.certa for one in every), sum(one.errada for one in every), median(one.segundos for one in every)
    if given.de_fora:
        kinds, holders, dates = (sum(one.acha[at] for one in every) for at in range(3))
        print(f"achados, de {len(every)}: tipo {kinds}, titular {holders}, datas {dates}")
        for regiao in get_args(TipoDeRegiao)[:2]:
            told, there, false, without = regions_told(every, regiao)
            print(f"{regiao}: visto em {told} das {there} páginas que têm, e em {false} das {without} que não têm")
    print(f"ao todo: {right} de {len(every)}, decididos errado {wrong}; mediana de {took:.1f} s por página", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
