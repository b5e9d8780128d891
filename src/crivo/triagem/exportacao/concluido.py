"""What people concluded, as columns and tables: the decision beside the suggestion, notas by person, cases, and the ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.triagem.achados import Resultado
from crivo.triagem.atos import name_of, when
from crivo.triagem.conclusoes import CasoConcluido, Concluido
from crivo.triagem.edital import Chamada, Criterio
from crivo.triagem.exportacao.celulas import Celula, Coluna, Linha
from crivo.triagem.guardados import DecisaoHabilitacao, Posto
from crivo.triagem.palavras import HABILITACAO, yes_no

Named = Callable[[str], Linha]
"""Of a project's code: the code, its title, who proposes it, and their CPF or CNPJ."""
Sugeridas = Mapping[tuple[str, str], Decimal]
"""The suggested notas by project and critério."""
DECISAO: Final = (
    Coluna("Decisão", 16),
    Coluna("Motivo da decisão", 50, "longo"),
    Coluna("Decidida por", 26),
    Coluna("Decidida em", 20),
    Coluna("Difere da sugestão", 12),
    Coluna("Decisões anteriores", 60, "longo"),
)
NOTAS: Final = (
    Coluna("Critério", 10),
    Coluna("Nome do critério", 36),
    Coluna("Quem avaliou", 26),
    Coluna("Nota", 10, "nota"),
    Coluna("Nota sugerida", 12, "nota"),
    Coluna("O que escreveu", 60, "longo"),
    Coluna("Enviada em", 20),
)
CASOS: Final = (
    Coluna("Caso", 8),
    Coluna("Título", 50, "longo"),
    Coluna("Gravidade", 12),
    Coluna("Situação", 14),
    Coluna("Motivo", 50, "longo"),
    Coluna("Quem decidiu", 26),
    Coluna("Decidido em", 20),
    Coluna("Com quem está", 26),
    Coluna("Projetos", 30, "longo"),
)
_GRAVIDADE: Final = {"grave": "Grave", "media": "Média", "leve": "Leve"}
_SITUACAO: Final = {"aberto": "Em aberto", "confirmado": "Confirmado", "descartado": "Descartado"}
_SEM_DECISAO: Final = "Sem decisão"


def decisao_said(projeto_id: str, concluido: Concluido) -> Linha:
    """The cells of `DECISAO` for a project; where nobody decided they are empty, but for what was undone."""
    decided = concluido.decisoes.get(projeto_id)
    if decided is None:
        return (None, None, None, None, None, _earlier(concluido.desfeitas.get(projeto_id, ()), concluido.nomes))
    return (
        HABILITACAO[decided.decisao].palavra,
        decided.motivo or None,
        name_of(decided.decidido_por, concluido.nomes),
        when(decided.decidido_em),
        None if decided.sugestao is None else yes_no(decided.difere),
        _earlier(decided.anteriores, concluido.nomes),
    )


def notas_das_pessoas(
    chamada: Chamada, concluido: Concluido, sugeridas: Mapping[tuple[str, str], Decimal], named: Named
) -> Iterator[Linha]:
    """A line for each nota that a person sent."""
    criterios = {one.id: one.nome for one in chamada.criterios}
    for one in concluido.avaliacoes:
        quem = named(one.projeto_id)
        of, who = (one.criterio, criterios.get(one.criterio, "")), name_of(one.avaliador, concluido.nomes)
        suggested = sugeridas.get((one.projeto_id, one.criterio))
        yield (*quem, *of, who, one.nota, suggested, one.texto or None, when(one.enviada_em) if one.enviada_em else None)


def casos(concluido: Concluido) -> Iterator[Linha]:
    """A line for each case."""
    for one in concluido.casos:
        yield (one.numero, one.titulo, _GRAVIDADE[one.gravidade], _SITUACAO[one.situacao], one.motivo or None, *_settled(one))


def ranking_columns(quem: Sequence[Coluna], criterios: Sequence[Criterio]) -> tuple[Coluna, ...]:
    """The columns of the ranking: people's mean of each critério, and what was suggested for it, each under its name."""
    of_each = [Coluna(f"{one.nome or one.id} ({said})", 16, "nota") for said in ("pessoas", "sugerida") for one in criterios]
    head = (Coluna("Posição", 9), *quem, Coluna("Categoria", 24), Coluna("Situação", 24))
    return (*head, Coluna("Média das pessoas", 12, "nota"), Coluna("Quem avaliou", 12), Coluna("Média sugerida", 12, "nota"), *of_each)


def ranking(chamada: Chamada, concluido: Concluido, sugeridas: Sugeridas, named: Named) -> Iterator[Linha]:
    """A line for each project in force, in its place; those whom a person left out last, in none."""
    categorias = {one.id: one.categoria for one in chamada.projetos}
    given = _means(concluido)
    for posto in concluido.ranking:
        codigo = posto.codigo
        people: list[Celula] = [given.get((codigo, one.id)) for one in chamada.criterios]
        suggested: list[Celula] = [sugeridas.get((codigo, one.id)) for one in chamada.criterios]
        means = (_rounded(posto.pessoas), posto.julgadores or None, _rounded(posto.sugestao))
        head = (posto.posicao, *named(codigo), categorias.get(codigo) or None, _stands(posto, concluido))
        yield (*head, *means, *people, *suggested)


def sugeridas_of(resultado: Resultado) -> Sugeridas:
    """The suggested notas by project and critério."""
    notas = [(triado.projeto_id, nota) for triado in resultado.projetos for nota in triado.notas]
    return {(codigo, nota.criterio): nota.nota_sugerida for codigo, nota in notas if nota.nota_sugerida is not None}


def _means(concluido: Concluido) -> dict[tuple[str, str], Decimal]:
    """People's mean by project and critério, to two places."""
    given: dict[tuple[str, str], list[Decimal]] = {}
    for one in concluido.avaliacoes:
        given.setdefault((one.projeto_id, one.criterio), []).append(one.nota)
    return {of: round(sum(notas, Decimal(0)) / len(notas), 2) for of, notas in given.items()}


def _stands(posto: Posto, concluido: Concluido) -> str:
    decided = concluido.decisoes.get(posto.codigo)
    said = HABILITACAO[decided.decisao].palavra if decided else _SEM_DECISAO
    return f"{said}: fora da ordem" if posto.fora else said


def _earlier(decisoes: Sequence[DecisaoHabilitacao], nomes: Mapping[UUID, str]) -> str | None:
    """Each on a line: what, by whom, when, why, and that it was undone where it was."""
    return "\n".join([_one_earlier(one, nomes) for one in decisoes]) or None


def _one_earlier(one: DecisaoHabilitacao, nomes: Mapping[UUID, str]) -> str:
    said = f"{HABILITACAO[one.decisao].palavra}, por {name_of(one.decidido_por, nomes)} em {when(one.decidido_em)}"
    why = f": {' '.join(one.motivo.split())}" if one.motivo else ""
    if one.desfeita_por is None or one.desfeita_em is None:
        return said + why
    return f"{said}{why} [desfeita por {name_of(one.desfeita_por, nomes)} em {when(one.desfeita_em)}]"


def _settled(caso: CasoConcluido) -> Linha:
    at: datetime | None = caso.decidido_em
    return (caso.decidido_por or None, when(at) if at else None, caso.dono or None, ", ".join(caso.projetos))


def _rounded(value: Decimal | None) -> Decimal | None:
    return None if value is None else round(value, 2)
