"""`/admin/editais/{id}`: a public call on one page, from its text to its final list, with what is to be done next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, assert_never
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.palavras import count, number
from crivo.triagem.percurso import Caminho, Etapa, Fatos, next_of
from crivo.web.pages.formatos import dia
from crivo.web.pages.rendering import page
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
ANSWERED: Final = "/diligencias?situacao=respondida"


@dataclass(frozen=True, slots=True)
class EtapaVista:
    """A step as a line: its name, what is so of it, and where it is done."""

    nome: str
    dito: str
    estado: str
    agora: bool
    endereco: str
    acao: str
    feitos: int
    total: int
    espera: str
    onde_espera: str


@router.get("/admin/editais/{edital_id}", response_class=Response)
async def percurso(request: Request, edital_id: EditalId) -> Response:
    """Where the call stands."""
    caminho = await state_of(request).container.percurso.ver(scope_of(request), edital_id)
    etapas = [_shown(one, caminho) for one in caminho.etapas]
    at = next_of(caminho.etapas)
    feitas = sum(1 for one in caminho.etapas if one.estado == "feito")
    return page(
        request,
        "triagem/percurso.html",
        caminho=caminho,
        etapas=etapas,
        seguinte=_shown(at, caminho) if at else None,
        feitas=feitas,
    )


def _shown(etapa: Etapa, caminho: Caminho) -> EtapaVista:
    base = f"/admin/editais/{quote(caminho.edital_id, safe='')}"
    nome, dito, where, acao = _told(etapa, caminho.fatos)
    espera = diligences_said(caminho.fatos.diligencias_respondidas) if etapa.passo == "habilitacao" else ""
    onde = f"{base}{ANSWERED}" if espera else ""
    return EtapaVista(nome, dito, etapa.estado, etapa.agora, base + where, acao, etapa.feitos, etapa.total, espera, onde)


def diligences_said(quantas: int) -> str:
    """How many answered diligências wait for whoever manages; empty where none does."""
    return count(quantas, "diligência respondida espera você", "diligências respondidas esperam você") if quantas else ""


def _told(etapa: Etapa, fatos: Fatos) -> tuple[str, str, str, str]:
    """The name of a step, what is so of it, where it is done, and what one does there."""
    done = etapa.estado == "feito"
    match etapa.passo:
        case "edital":
            asked = f"{count(fatos.requisitos, 'requisito', 'requisitos')} e {count(fatos.criterios, 'critério', 'critérios')}"
            return "Edital", asked, "/editar", "Ver o edital" if done else "Completar o edital"
        case "projetos":
            return "Projetos", count(fatos.projetos, "projeto inscrito", "projetos inscritos"), "/projetos", "Trazer projetos"
        case "triagem":
            said = "Em andamento" if fatos.triando else "Feita" if fatos.triada else "Ainda não foi feita"
            return "Triagem", said, "/triagem-ia", "Ver o que foi achado" if done else "Abrir a triagem"
        case "habilitacao":
            said = f"{number(etapa.feitos)} de {number(etapa.total)} decididas por pessoas"
            return "Habilitação", said, *_of_habilitacao(etapa)
        case "distribuicao":
            said = "Cada projeto está com alguém" if done else f"{count(fatos.sozinhos, 'projeto', 'projetos')} com ninguém"
            return "Distribuição", said, "/avaliadores", "Quem avalia"
        case "avaliacao":
            said = f"{number(etapa.feitos)} de {number(etapa.total)} avaliações enviadas"
            return "Avaliação", said, "/avaliadores", "Acompanhar quem avalia"
        case "regras":
            said = "Escritas no edital" if done else "O edital ainda não diz como as notas viram lugares"
            return "Regras de classificação", said, "/classificacao", "Ver as regras" if done else "Escrever as regras"
        case "recursos":
            return "Recursos", _of_recursos(fatos), "/recursos", "Ver os recursos"
        case "preliminar" | "final":
            last = fatos.last(etapa.passo)
            said = f"Versão {last.versao}, publicada em {dia(last.publicada_em)}" if last else "Ainda não foi publicado"
            nome, acao = f"Resultado {etapa.passo}", "Ver o resultado" if done else "Conferir e publicar"
            return nome, said, f"/resultado?fase={etapa.passo}", acao
        case _:
            assert_never(etapa.passo)


def _of_habilitacao(etapa: Etapa) -> tuple[str, str]:
    if etapa.estado == "feito":
        return "/mesa", "Abrir a mesa"
    all_decided = etapa.total > 0 and etapa.feitos >= etapa.total  # and yet papers came that nobody has looked at
    return (ANSWERED, "Ver o que chegou") if all_decided else ("/mesa", "Decidir na mesa")


def _of_recursos(fatos: Fatos) -> str:
    preliminar = fatos.last("preliminar")
    if preliminar is None:
        return "Vêm depois do resultado preliminar"
    waiting = count(fatos.recursos_abertos, "recurso espera resposta", "recursos esperam resposta") if fatos.recursos_abertos else ""
    if preliminar.recursos_ate is None:
        return waiting or "O resultado preliminar não abriu prazo"
    said = dia(preliminar.recursos_ate)
    days = f"O prazo vai até {said}" if fatos.hoje <= preliminar.recursos_ate else f"O prazo terminou em {said}"
    return f"{days}; {waiting}" if waiting else days
