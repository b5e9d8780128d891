"""What of a project is read to grade it: the parts that speak of its merit, as they are seen, bounded, each with its place.

Nothing is cut in silence: what stays out is said, and counts against completeness.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Final, Literal

from msgspec.structs import replace

from crivo.kernel.linguagem.dobra import Tabela, fold
from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.dobra import Dobrado, fold_quote
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import CronogramaEtapa, OrcamentoItem, Projeto, TipoDocumento, Value
from crivo.triagem.habilitacao.tipos import find_tipos

MOST_LETTERS: Final = 60_000  # some 17,000 tokens: a long project with its portfolio fits whole
_MOST_OF_A_FIELD: Final = 24_000
_FORMALITIES: Final[frozenset[TipoDocumento]] = frozenset(
    {"CERTIDAO_MUNICIPAL", "CERTIDAO_FEDERAL", "CARTAO_CNPJ", "DOCUMENTO_IDENTIDADE", "COMPROVANTE_RESIDENCIA", "ESTATUTO", "DECLARACAO"}
)
_CUT_AT: Final = re.compile(r"[.!?;]\s|\n")
PESSOAL: Final = re.compile(
    r"(?<![\d.])(?:\d{3}\.?\d{3}\.?\d{3}-?\d{2}|\d{2}\.?\d{3}\.?\d{3}/\d{4}-?\d{2})(?!\d)"
    r"|(?<!\d)(?:\+?55\s?)?\(?\d{2}\)?\s?9?\d{4}[-\s]\d{4}(?!\d)"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
)
OMITIDO: Final = "[dado pessoal omitido]"
PROPONENTE: Final = "[quem propõe]"
_PLAIN: Final = Tabela(lambda char: plain if len(plain := fold(char)) == 1 else char)


Parcial = Literal["frases", "partes"]


class Secao(Value, frozen=True, dict=True):
    """A part of a project as it is read. `rotulo` is of code, never of who wrote the project; `pagina` counts from 1.

    `nome` is what `PROPONENTE` stands for in it, as it is written there.
    """

    rotulo: str
    texto: str
    campo: str | None = None
    arquivo: str | None = None
    pagina: int | None = None
    por_linha: bool = False
    nome: str = ""

    @cached_property
    def dobrado(self) -> Dobrado:
        """Its text as passages are looked for in it."""
        return fold_quote(self.texto)

    def evidence(self, trecho: str, projeto: str) -> Evidencia:
        """A passage of this part as evidence, as people find it in the project."""
        shown = trecho.replace(PROPONENTE, self.nome) if self.nome else trecho
        return Evidencia(arquivo=self.arquivo, pagina=self.pagina, trecho=shown, projeto=projeto, campo=self.campo)


class Material(Value, frozen=True, dict=True):
    """A project as it is read. `deixados` say in pt-BR what stayed out; `completude` is the share that was read, 0 to 1.

    `parcial`: some sentences may be lacking, or it is parts of a project alone; None where it is the whole.
    """

    projeto_id: str
    secoes: tuple[Secao, ...]
    deixados: tuple[str, ...]
    completude: Decimal
    parcial: Parcial | None = None

    @cached_property
    def texto(self) -> str:
        """All parts, one after the other."""
        return "\n\n".join(secao.texto for secao in self.secoes)


def read_material(lido: ProjetoLido, most_letters: int = MOST_LETTERS) -> Material:
    """The parts of a project that speak of its merit, without hidden text and with personal numbers and who proposes it left out.

    Papers that only prove who somebody is are not read. `completude` is the share of the letters that fit × (1 + files read) ÷ (1 + files).
    """
    budget = _Budget(most_letters)
    nome = lido.projeto.proponente.nome
    secoes = [budget.take(_unnamed(secao, nome), _MOST_OF_A_FIELD) for secao in _fields(lido.projeto)]
    read = [documento for documento in lido.documentos if documento.leitura in ("lido", "vazio")]
    speaking = [documento for documento in read if documento.texto.strip() and not _is_formality(documento)]
    for number, documento in enumerate(speaking):
        share = budget.left // (len(speaking) - number)
        for secao in _pages(documento, number + 1):
            secoes.append(budget.take(_unnamed(secao, nome), share))
            share -= len(secoes[-1].texto)
    unread = len(lido.documentos) - len(read)
    if unread:
        budget.notes.append("Um arquivo que não pôde ser lido." if unread == 1 else f"{unread} arquivos que não puderam ser lidos.")
    completude = budget.share * (1 + len(read)) / (1 + len(lido.documentos))
    return Material(lido.projeto.id, tuple(secao for secao in secoes if secao.texto.strip()), tuple(budget.notes), completude)


def only_passages(material: Material, evidencias: Sequence[Evidencia]) -> Material:
    """The project reduced to some of its passages."""
    known = dict.fromkeys(secao.nome for secao in material.secoes if secao.nome)
    trechos = "\n".join(evidencia.trecho for evidencia in evidencias)
    for nome in known:
        trechos = trechos.replace(nome, PROPONENTE)
    secoes = (Secao("projeto: passagens", trechos, nome=next(iter(known), "")),)
    return Material(material.projeto_id, secoes, (), material.completude, "partes")


class _Budget:
    """Letters still free, and what did not fit."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.notes: list[str] = []
        self._kept = self._offered = 0

    def take(self, secao: Secao, most: int) -> Secao:
        """The part as far as it fits, cut where a sentence ends."""
        room = max(0, min(most, self.left))
        texto = secao.texto if len(secao.texto) <= room else _cut(secao.texto, room)
        if len(texto) < len(secao.texto):
            self.notes.append(f"{secao.rotulo}: {len(secao.texto) - len(texto)} de {len(secao.texto)} caracteres.")
        self.left -= len(texto)
        self._kept += len(texto)
        self._offered += len(secao.texto)
        return Secao(secao.rotulo, texto, secao.campo, secao.arquivo, secao.pagina, secao.por_linha, secao.nome)

    @property
    def share(self) -> Decimal:
        """Letters kept ÷ letters offered; 0 where there were none."""
        return Decimal(self._kept) / self._offered if self._offered else Decimal(0)


def money(valor: Decimal) -> str:
    """An amount as Brazilians write it: `R$ 1.200,00`."""
    return "R$ " + f"{valor:,.2f}".translate(str.maketrans(",.", ".,"))


def _fields(projeto: Projeto) -> Iterator[Secao]:
    yield Secao("projeto: título", _seen(projeto.titulo), "titulo")
    yield Secao("projeto: resumo", _seen(projeto.resumo), "resumo")
    yield Secao("projeto: descrição técnica", _seen(projeto.descricao_tecnica), "descricao_tecnica")
    if projeto.orcamento_itens:
        yield Secao("projeto: orçamento", _budget_text(projeto.orcamento_itens), "orcamento_itens", por_linha=True)
    if projeto.cronograma_etapas:
        lines = "\n".join(_stage(etapa) for etapa in projeto.cronograma_etapas)
        yield Secao("projeto: cronograma", lines, "cronograma_etapas", por_linha=True)


def _budget_text(itens: Sequence[OrcamentoItem]) -> str:
    lines = [
        f"{_flat(item.descricao)}: {item.quantidade.normalize():f} × {money(item.valor_unitario)} = {money(item.total)}" for item in itens
    ]
    return "\n".join((*lines, f"Total: {money(sum((item.total for item in itens), Decimal(0)))}"))


def _stage(etapa: CronogramaEtapa) -> str:
    days = [day.strftime("%d/%m/%Y") for day in (etapa.inicio, etapa.fim) if day]
    return f"{_flat(etapa.nome)}: {' a '.join(days)}" if days else _flat(etapa.nome)


def _pages(documento: DocumentoLido, number: int) -> Iterator[Secao]:
    for pagina in documento.paginas:
        rotulo = f"documento {number}, página {pagina.numero}"
        yield Secao(rotulo, _seen(pagina.texto), arquivo=documento.arquivo, pagina=pagina.numero)


def _unnamed(secao: Secao, nome: str) -> Secao:
    """A part with `PROPONENTE` where the name stands of who proposes the project, whole, in whatever case, accents and blanks.

    A name of one word is left: it may be any word.
    """
    wanted = fold_quote(nome.strip()).texto.translate(_PLAIN)
    if " " not in wanted or wanted.partition(" ")[0] not in fold(secao.texto):
        return secao
    folded = fold_quote(secao.texto)
    plain = folded.texto.translate(_PLAIN)
    spans = [
        (folded.lugares[match.start()], folded.lugares[match.end() - 1] + 1)
        for match in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", plain)
    ]
    if not spans:
        return secao
    pieces, at = [], 0
    for start, end in spans:
        pieces += [secao.texto[at:start], PROPONENTE]
        at = end
    texto = "".join((*pieces, secao.texto[at:]))
    return replace(secao, texto=texto, nome=" ".join(secao.texto[slice(*spans[0])].split()))


def _is_formality(documento: DocumentoLido) -> bool:
    found = find_tipos(documento.texto)
    return bool(found) and found[0] in _FORMALITIES


def _seen(texto: str) -> str:
    return PESSOAL.sub(OMITIDO, split_unseen(texto)[0]).strip()


def _flat(texto: str) -> str:
    return " ".join(_seen(texto).split())


def _cut(texto: str, room: int) -> str:
    ends = [match.end() for match in _CUT_AT.finditer(texto, 0, room)]
    return texto[: ends[-1] if ends else room].rstrip()
