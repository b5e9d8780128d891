"""Puts the labelled call together: projects, papers by path, and the answer key."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.conferencia import Gabarito, IrregularidadeEsperada, ItemEsperado, ProjetoEsperado
from crivo.triagem.edital import Chamada, Edital, Projeto, ProjetoDocumento, Requisito
from edital_rotulado.inscritos import MENSAGENS, Metade, applicants, evaluators, planned, projects, texts
from edital_rotulado.papelada import PAPEIS, Papel, Pedido, make
from edital_rotulado.valores import Titular, organisation_number

_EDITAL: Final[dict[str, Any]] = json.loads((Path(__file__).parent / "edital.json").read_bytes())
_UNMET: Final = frozenset(
    {
        ("INS-021", "C01"),
        ("INS-029", "C02"),
        ("INS-041", "C03"),
        ("INS-066", "C04"),
        ("INS-069", "C05"),
        ("INS-071", "C06"),
        ("INS-054", "C02"),
        ("INS-063", "C06"),
    }
)


@dataclass(frozen=True, slots=True)
class EditalRotulado:
    """A call with its files by path, and its answer key. `fotografados`: items that only a machine with tesseract can read.

    `reusos`: the pairs that reuse a text, with the disguise. `honestos`: documents and fields that look suspect and are not.
    """

    chamada: Chamada
    arquivos: dict[str, bytes]
    gabarito: Gabarito
    fotografados: frozenset[tuple[str, str]]
    reusos: dict[tuple[str, str], str]
    honestos: frozenset[str]


@cache
def build_edital(metade: Metade) -> EditalRotulado:
    """The whole set with the papers of one half: rules are mended by what `ajuste` shows, and reported on `relato`.

    The same at every run but for what PDF and DOCX writers stamp.
    """
    textos, pairs = texts()
    titulares = applicants(len(textos))
    made = projects(titulares, metade)
    papeis = _papers(made, titulares, metade)
    projetos = tuple(_with_papers(projeto, papeis[key]) for key, projeto in made.items())
    chamada = Chamada(
        msgspec.convert(_EDITAL["edital"], Edital),
        msgspec.convert(_EDITAL["requisitos"], tuple[Requisito, ...]),
        projetos=projetos,
        avaliadores=evaluators(made),
    )
    arquivos = {papel.nome: papel.conteudo for sent in papeis.values() for papel in sent.values() if papel is not None}
    photographed = {(key, r) for key, sent in papeis.items() for r, papel in sent.items() if papel and papel.situacao == "nao_lido"}
    gabarito = Gabarito(tuple(_expected(key, papeis[key]) for key in made), _signs(papeis, pairs))
    return EditalRotulado(chamada, arquivos, gabarito, frozenset(photographed), {(a, b): how for a, b, how in pairs}, _honest(papeis))


def _papers(made: dict[str, Projeto], titulares: dict[str, Titular], metade: Metade) -> dict[str, dict[str, Papel | None]]:
    faults = {(line[0], line[1]): tuple(line[2:]) for line in planned("defeitos")}
    said = MENSAGENS[metade]
    marks = {(line[0], line[1]): (line[2], (line[3], said[line[4]])) for part in ("ocultos", "honestos") for line in planned(part)}
    marks |= {(line[0], line[1]): (line[2], ("visivel", said[line[3]])) for line in planned("visiveis")}
    papers: dict[str, dict[str, Papel | None]] = {}
    for number, (key, projeto) in enumerate(made.items(), 1):
        papers[key] = {}
        for requisito in _asked(titulares[key], number):
            papel, mark = marks.get((key, requisito["id"]), (None, None))
            fault = faults.get((key, requisito["id"]), ())
            pedido = Pedido(requisito, projeto, _holder(titulares[key], fault), number, PAPEIS[metade], fault, papel, mark)
            papers[key][requisito["id"]] = make(pedido) if fault[:1] != ("repetido",) else None
    for (key, ident), fault in faults.items():
        if fault[0] == "repetido" and (sent := papers[key][fault[1]]):
            papers[key][ident] = Papel(f"{key}/{ident}/copia.pdf", sent.conteudo, "nao_atende", "documento_repetido")
    for one, same, how in planned("pessoas"):
        other = f"INS-{same}"
        if how == "arquivo" and (sent := papers[one]["D08"]):
            papers[other]["D08"] = replace(sent, nome=f"{other}/D08/meu portfolio.{sent.nome.rpartition('.')[2]}")
    return papers


def _asked(titular: Titular, number: int) -> list[dict[str, Any]]:
    """The documents that this proponente sends: those of organisations only by one, further material by every fourth."""
    documents = [requisito for requisito in _EDITAL["requisitos"] if requisito["tipo"] == "documento"]
    left_out = {*(() if titular.is_organisation else ("D05", "D06")), *(() if number % 4 == 0 else ("D12",))}
    return [requisito for requisito in documents if requisito["id"] not in left_out]


def _holder(titular: Titular, fault: tuple[str, ...]) -> Titular:
    """The organisation itself, or its head office where the project is a branch's: the federal certificate speaks for both."""
    if fault[:1] != ("filial",):
        return titular
    return replace(titular, numero=organisation_number(titular.numero[:8] + "0001"))


def _with_papers(projeto: Projeto, papeis: dict[str, Papel | None]) -> Projeto:
    documentos = tuple(ProjetoDocumento(papel.nome, requisito) for requisito, papel in papeis.items() if papel is not None)
    return msgspec.structs.replace(projeto, documentos=documentos)


def _expected(key: str, papeis: dict[str, Papel | None]) -> ProjetoEsperado:
    itens: list[ItemEsperado] = []
    weighed: list[tuple[bool, bool, bool]] = []
    for requisito in _EDITAL["requisitos"]:
        item = _item(key, requisito, papeis)
        itens.append(item)
        weighed.append((item.situacao == "atende", requisito.get("obrigatorio", True), requisito.get("eliminatorio", False)))
    unclear = any(not met and not obligatory for met, obligatory, _ in weighed)
    suggestion: HabilitacaoSugerida = "habilitado"
    if any(not met for met, _, _ in weighed):
        suggestion = "inabilitado" if any(not met and out for met, _, out in weighed) else "pendencia"
    documents = itens[:12]
    absent = any(item.motivo == "documento_ausente" for item in documents)
    complete = True if all(item.situacao == "atende" for item in documents) else False if absent else None
    return ProjetoEsperado(key, tuple(itens), None if unclear else suggestion, complete)


def _item(key: str, requisito: dict[str, Any], papeis: dict[str, Papel | None]) -> ItemEsperado:
    ident = requisito["id"]
    if requisito["tipo"] == "condicao":
        unmet = (key, ident) in _UNMET
        return ItemEsperado(ident, "nao_atende" if unmet else "atende", "condicao_nao_atendida" if unmet else None)
    papel = papeis.get(ident)
    if papel is None:
        return (
            ItemEsperado(ident, "nao_atende", "documento_ausente") if requisito.get("obrigatorio", True) else ItemEsperado(ident, "atende")
        )
    return ItemEsperado(ident, papel.situacao or "nao_lido", papel.motivo)


def _signs(papeis: dict[str, dict[str, Papel | None]], pairs: list[tuple[str, str, str]]) -> tuple[IrregularidadeEsperada, ...]:
    signs = [IrregularidadeEsperada("texto_reutilizado", (one, other)) for one, other, _ in pairs]
    for key, requisito, _papel, _trick, message in planned("ocultos"):
        arquivo = _file(papeis, key, requisito)
        signs.append(IrregularidadeEsperada("texto_oculto", (key,), arquivo))
        if _instructs(message):
            signs.append(IrregularidadeEsperada("texto_instrucional", (key,), arquivo))
    for key, requisito, _papel, _message in planned("visiveis"):
        signs.append(IrregularidadeEsperada("texto_instrucional", (key,), _file(papeis, key, requisito)))
    signs += [IrregularidadeEsperada("texto_instrucional", (line[0],), campo=line[1]) for line in planned("campos")]
    signs += [IrregularidadeEsperada("orcamento_duplicado", (line[0], f"INS-{line[1]}")) for line in planned("orcamentos")]
    signs += [IrregularidadeEsperada("preco_discrepante", (line[0],)) for line in planned("precos")]
    signs += [IrregularidadeEsperada("proponente_repetido", (line[0], f"INS-{line[1]}")) for line in planned("pessoas")]
    signs += [IrregularidadeEsperada("conflito_de_interesse", (line[0],)) for line in planned("conflitos")]
    return tuple(signs)


def _instructs(message: str) -> bool:
    return not message.startswith("k")


def _file(papeis: dict[str, dict[str, Papel | None]], key: str, requisito: str) -> str:
    papel = papeis[key][requisito]
    if papel is None:
        raise ValueError(f"{key} {requisito}: planted in a paper that is not sent")
    return papel.nome


def _honest(papeis: dict[str, dict[str, Papel | None]]) -> frozenset[str]:
    documents = {_file(papeis, line[0], line[1]) for line in planned("honestos")}
    return frozenset(documents | {f"{line[0]} {line[1]}" for line in planned("campos_honestos")})
