"""A result as data: a line a project with its numbers as numbers, and in each line by what it is checked."""

from __future__ import annotations

from typing import Final

from crivo.triagem.classificacao.palavras import SITUACAO
from crivo.triagem.exportacao.celulas import Celula, Coluna, Tabela
from crivo.triagem.exportacao.para_csv import write_csv
from crivo.triagem.palavras import shown
from crivo.triagem.publicacao.conteudo import Conteudo, Linha
from crivo.triagem.publicacao.documentos.folha import RASCUNHO
from crivo.triagem.publicacao.documentos.resultado import vaga_said
from crivo.triagem.publicacao.documentos.selo import Selo

_OPEN_BEFORE: Final = ("projeto_id", "titulo", "proponente", "documento", "categoria", "posicao", "situacao", "vaga")
_OPEN_AFTER: Final = ("nota_base", "bonus", "nota_final", "desempate", "motivo")
_OPEN_SEAL: Final = ("edital_id", "edital_nome", "orgao", "fase", "versao", "publicada_em", "semente", "codigo", "sha256", "conferir_em")
_SHEET_BEFORE: Final = (
    Coluna("Projeto", 12),
    Coluna("Título", 44, "longo"),
    Coluna("Proponente", 34, "longo"),
    Coluna("CPF ou CNPJ", 20),
    Coluna("Categoria", 24),
    Coluna("Lugar", 8),
    Coluna("Situação", 18),
    Coluna("Vaga", 20),
)
_SHEET_AFTER: Final = (
    Coluna("Nota base", 10, "nota"),
    Coluna("Bônus", 8, "nota"),
    Coluna("Nota final", 10, "nota"),
    Coluna("Desempate", 18),
    Coluna("Motivo", 70, "longo"),
)


def open_data(conteudo: Conteudo, selo: Selo | None) -> bytes:
    """CSV of open data: UTF-8, quoted as RFC 4180 says, parted by `;` and with decimal commas, as portals and spreadsheets here read them.

    Columns are named as the JSON names its fields. Text that a spreadsheet would run begins with an apostrophe.
    """
    means = [f"nota_{one.id}" for one in conteudo.criterios]
    names = (*_OPEN_BEFORE, *means, *_OPEN_AFTER, *_OPEN_SEAL)
    seal = _seal(conteudo, selo)
    rows = ((*_cells(one, conteudo, words=False), *seal) for one in conteudo.linhas)
    return write_csv(Tabela("Resultado", tuple([Coluna(shown(one), 10) for one in names]), rows))


def sheet(conteudo: Conteudo) -> Tabela:
    """The rows for a spreadsheet that people read."""
    means = [Coluna(shown(f"Média {one.id}"), 10, "nota") for one in conteudo.criterios]
    return Tabela("Resultado", (*_SHEET_BEFORE, *means, *_SHEET_AFTER), (_cells(one, conteudo, words=True) for one in conteudo.linhas))


def _cells(linha: Linha, conteudo: Conteudo, *, words: bool) -> tuple[Celula, ...]:
    lugar, projeto = linha.lugar, linha.projeto
    became: tuple[Celula, ...] = (SITUACAO[lugar.situacao], vaga_said(lugar.vaga)) if words else (lugar.situacao, lugar.vaga)
    means = [lugar.notas.get(one.id) for one in conteudo.criterios]
    who = (lugar.projeto_id, shown(projeto.titulo), shown(projeto.proponente), projeto.documento, shown(lugar.categoria))
    notas = (lugar.nota_base, lugar.bonus, lugar.nota_final)
    return (*who, lugar.posicao, *became, *means, *notas, lugar.desempate, shown(lugar.motivo))


def _seal(conteudo: Conteudo, selo: Selo | None) -> tuple[Celula, ...]:
    told = (conteudo.edital_id, shown(conteudo.edital_nome), shown(conteudo.orgao), conteudo.fase)
    if selo is None:
        return (*told, RASCUNHO, None, shown(conteudo.semente), None, None, None)
    publicada = selo.publicada
    em = selo.em.isoformat(timespec="seconds")
    return (*told, publicada.versao, em, shown(conteudo.semente), publicada.codigo, publicada.sha256, selo.onde)
