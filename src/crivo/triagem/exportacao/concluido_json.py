"""What people concluded, for programs: names of people, instants as ISO 8601, CPFs in what they wrote masked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.atos import name_of
from crivo.triagem.conclusoes import Concluido
from crivo.triagem.guardados import DecisaoHabilitacao

Json = dict[str, Any]


def decisao_of(projeto_id: str, concluido: Concluido) -> Json:
    """What a projeto gains: `decisao`, in force with the earlier ones, and `decisoes_desfeitas` where none is in force any more."""
    decided, gone = concluido.decisoes.get(projeto_id), concluido.desfeitas.get(projeto_id, ())
    if decided is not None:
        earlier = {"anteriores": [_decisao(one, concluido.nomes) for one in decided.anteriores]}
        return {"decisao": _decisao(decided, concluido.nomes) | earlier}
    return {"decisoes_desfeitas": [_decisao(one, concluido.nomes) for one in gone]} if gone else {}


def casos_of(concluido: Concluido) -> list[Json]:
    """The cases, in their order."""
    return [
        {
            "numero": one.numero,
            "titulo": mask_cpfs(one.titulo),
            "gravidade": one.gravidade,
            "situacao": one.situacao,
            "motivo": mask_cpfs(one.motivo or ""),
            "decidido_por": one.decidido_por_nome or None,
            "decidido_em": one.decidido_em,
            "dono": one.dono_nome or None,
            "projetos": one.projetos,
            "tipos": one.tipos,
            "presente": one.presente,
            "anotacoes": [{"por": of.por_nome, "em": of.em, "texto": mask_cpfs(of.texto or "")} for of in one.anotacoes],
        }
        for one in concluido.casos
    ]


def avaliacoes_of(concluido: Concluido) -> list[Json]:
    """The notas that people sent."""
    return [
        {
            "projeto_id": one.projeto_id,
            "criterio": one.criterio,
            "avaliador": name_of(one.avaliador, concluido.nomes),
            "nota": one.nota,
            "texto": mask_cpfs(one.texto),
            "enviada_em": one.enviada_em,
        }
        for one in concluido.avaliacoes
    ]


def ranking_of(concluido: Concluido) -> list[Json]:
    """The projects in their order; `fora` were left out by a person, and are in no place."""
    return [
        {
            "projeto_id": one.codigo,
            "posicao": one.posicao,
            "media_pessoas": None if one.pessoas is None else round(one.pessoas, 2),
            "avaliadores": one.julgadores,
            "media_sugerida": None if one.sugestao is None else round(one.sugestao, 2),
            "fora": one.fora,
        }
        for one in concluido.ranking
    ]


def _decisao(one: DecisaoHabilitacao, nomes: Mapping[UUID, str]) -> Json:
    undone: Json = {}
    if one.desfeita_por is not None:
        undone = {"desfeita_por": name_of(one.desfeita_por, nomes), "desfeita_em": one.desfeita_em}
    return {
        "decisao": one.decisao,
        "sugestao": one.sugestao,
        "difere": one.difere,
        "motivo": mask_cpfs(one.motivo),
        "decidido_por": name_of(one.decidido_por, nomes),
        "decidido_em": one.decidido_em,
        **undone,
    }
