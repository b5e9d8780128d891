"""What people concluded, as columns and tables: the decision beside the suggestion, notas by person, cases, and the ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.triagem.achados import Resultado
from crivo.triagem.atos import name_of, when
from crivo.triagem.casos.palavras import GRAVIDADE, SITUACAO_CASO
from crivo.triagem.conclusoes import Concluido
from crivo.triagem.edital import Chamada, Criterio
from crivo.triagem.exportacao.celulas import Celula, Coluna, Linha
from crivo.triagem.guardados import DecisaoHabilitacao, Posto
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.palavras import HABILITACAO, yes_no

Named = Callable[[str], Linha]
"""Of a project's code: the code, its title, who proposes it, and their CPF or CNPJ."""
_CASOS_DELE: Final = Coluna("Casos do projeto", 40, "longo")
Sugeridas = Mapping[tuple[str, str], Decimal]
"""The suggested notas by project and critério."""
DECISAO: Final = (
    Coluna("Decisão", 16),
    Coluna("Motivo da decisão", 50, "longo"),
    Coluna("Decidida por", 26),
    Coluna("Decidida em", 20),
    Coluna("Difere da sugestão", 12),
    Coluna("Decisões anteriores", 60, "longo"),
    _CASOS_DELE,
)
NOTAS: Final = (
    Coluna("Critério", 10),
    Coluna("Nome do critério", 36),
    Coluna("Quem avaliou", 26),
    Coluna("Nota", 10, "nota"),
    Coluna("Nota sugerida", 12, "nota"),
    Coluna("O que escreveu", 60, "longo"),
    Coluna("Enviada em", 20),
    Coluna("Revista em recurso", 12),
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
    Coluna("Sinais", 30, "longo"),
    Coluna("Aparece na última triagem", 12),
    Coluna("Anotações", 60, "longo"),
)
_SEM_DECISAO: Final = "Sem decisão"


def decisao_said(projeto_id: str, concluido: Concluido) -> Linha:
    """The cells of `DECISAO` for a project; where nobody decided they are empty, but for what was undone."""
    decided = concluido.decisoes.get(projeto_id)
    if decided is None:
        undone = _earlier(concluido.desfeitas.get(projeto_id, ()), concluido.nomes)
        return (None, None, None, None, None, undone, _cases_of(projeto_id, concluido))
    return (
        HABILITACAO[decided.decisao].palavra,
        decided.motivo or None,
        name_of(decided.decidido_por, concluido.nomes),
        when(decided.decidido_em),
        None if decided.sugestao is None else yes_no(decided.difere),
        _earlier(decided.anteriores, concluido.nomes),
        _cases_of(projeto_id, concluido),
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
        yield (
            *quem,
            *of,
            who,
            one.nota,
            suggested,
            one.texto or None,
            when(one.enviada_em) if one.enviada_em else None,
            yes_no(True) if one.revisada else None,
        )


def casos(concluido: Concluido) -> Iterator[Linha]:
    """A line for each case."""
    for one in concluido.casos:
        how = (GRAVIDADE[one.gravidade].capitalize(), SITUACAO_CASO[one.situacao].palavra)
        at = when(one.decidido_em) if one.decidido_em else None
        who = (one.motivo or None, one.decidido_por_nome or None, at, one.dono_nome or None)
        kinds = ", ".join([SINAL_DE[tipo].palavra for tipo in one.tipos if tipo in SINAL_DE])
        notes = "\n".join([f"{note.por_nome}, {when(note.em)}: {note.texto}" for note in one.anotacoes if note.texto])
        yield (one.numero, one.titulo, *how, *who, ", ".join(one.projetos), kinds, yes_no(one.presente), notes or None)


def ranking_columns(quem: Sequence[Coluna], criterios: Sequence[Criterio]) -> tuple[Coluna, ...]:
    """The columns of the ranking: people's mean of each critério, and what was suggested for it, each under its name."""
    of_each = [Coluna(f"{one.nome or one.id} ({said})", 16, "nota") for said in ("pessoas", "sugerida") for one in criterios]
    head = (Coluna("Posição", 9), *quem, Coluna("Categoria", 24), Coluna("Situação", 24))
    means = (Coluna("Média das pessoas", 12, "nota"), Coluna("Quem avaliou", 12), Coluna("Média sugerida", 12, "nota"))
    return (*head, *means, *of_each, _CASOS_DELE)


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
        yield (*head, *means, *people, *suggested, _cases_of(codigo, concluido))


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
    if posto.fora:
        return f"{said}: fora da ordem"
    return f"{said}: sem notas ainda" if posto.posicao is None else said


def _earlier(decisoes: Sequence[DecisaoHabilitacao], nomes: Mapping[UUID, str]) -> str | None:
    """Each on a line: what, by whom, when, why, and that it was undone where it was."""
    return "\n".join([_one_earlier(one, nomes) for one in decisoes]) or None


def _one_earlier(one: DecisaoHabilitacao, nomes: Mapping[UUID, str]) -> str:
    said = f"{HABILITACAO[one.decisao].palavra}, por {name_of(one.decidido_por, nomes)} em {when(one.decidido_em)}"
    why = f": {' '.join(one.motivo.split())}" if one.motivo else ""
    if one.desfeita_por is None or one.desfeita_em is None:
        return said + why
    return f"{said}{why} [desfeita por {name_of(one.desfeita_por, nomes)} em {when(one.desfeita_em)}]"


def _cases_of(projeto_id: str, concluido: Concluido) -> str | None:
    """The cases that a project is in, each on a line with how it stands."""
    theirs = [one for one in concluido.casos if projeto_id in one.projetos]
    return "\n".join([f"Caso {one.numero}: {one.titulo} ({SITUACAO_CASO[one.situacao].palavra.lower()})" for one in theirs]) or None


def _rounded(value: Decimal | None) -> Decimal | None:
    return None if value is None else round(value, 2)
