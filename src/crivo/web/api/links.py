"""Which call goes on from an answer, and with what of it: the OpenAPI document's `links`, for clients that follow them.

Source: OpenAPI 3.1.0, Link Object and runtime expressions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Row = tuple[str, str]  # a method and an address, as in the table of access


@dataclass(frozen=True, slots=True)
class Link:
    """From one of `statuses` of an address to another address; `takes` are its parameters and `sends` its body, out of the answer."""

    nome: str
    de: Row
    statuses: tuple[int, ...]
    para: Row
    takes: Mapping[str, str]
    sends: Mapping[str, str] | None = None


_DECISAO: Final = "/api/autorizacoes/{autorizacao_id}"
_MAPEAMENTO: Final = "/api/mapeamentos/{mapeamento_id}"
_DESTINO: Final = "/api/entregas/destinos/{destino_id}"
_POLITICA: Final = "/api/politicas/{politica_id}"
_CONVERSA: Final = "/api/clinicas/conversas/{conversa_id}"
_NA_FILA: Final = "/api/clinicas/atendimento/{conversa_id}"
_TRIAGEM: Final = "/api/ia/triagem/{edital_id}"
_PROJETO: Final = "/api/avaliacoes/{edital_id}/{projeto_id}"

_OF_DECISAO: Final = (
    ("decisao", "GET", ""),
    ("trilha", "GET", "/trilha"),
    ("prazo", "GET", "/prazo"),
    ("tiss", "GET", "/tiss"),
    ("revisoes", "GET", "/revisao"),
    ("revisar", "POST", "/revisao"),
    ("link", "GET", "/link"),
    ("fazer_link", "POST", "/link"),
    ("revogar_link", "DELETE", "/link"),
)
_OF_DESTINO: Final = (
    ("destino", "GET", ""),
    ("exemplo", "POST", "/exemplo"),
    ("trocar_segredo", "POST", "/segredo"),
    ("remover", "DELETE", ""),
)
_OF_MAPEAMENTO: Final = (
    ("mapeamento", "GET", ""),
    ("previa", "GET", "/publicacao"),
    ("publicar", "POST", "/publicar"),
    ("encerrar", "POST", "/encerrar"),
)
_OF_POLITICA: Final = (
    ("politica", "GET", ""),
    ("previa", "GET", "/publicacao"),
    ("publicar", "POST", "/publicar"),
    ("simular", "POST", "/simular"),
    ("revogar", "POST", "/revogar"),
    ("conferir", "POST", "/conferir"),
    ("testar", "POST", "/testar"),
    ("documento", "GET", "/documento"),
)
_OF_CONVERSA: Final = (("conversa", "GET", ""), ("dizer", "POST", "/mensagens"), ("terminar", "DELETE", ""))
_OF_FILA: Final = (("conversa", "GET", ""), ("assumir", "POST", "/assumir"))
_OF_ASSUMIDA: Final = (("responder", "POST", "/respostas"), ("devolver", "POST", "/devolver"))
_OF_EDITAL: Final = (("estimativa", "GET", "/estimativa"), ("status", "GET", "/status"), ("resultado", "GET", ""))
_OF_EXECUCAO: Final = (("status", "GET", "/status"), ("cancelar", "POST", "/cancelar"), ("retomar", "POST", "/retomar"))
_OF_RESULTADO: Final = (
    ("resultado", "GET", ""),
    ("exportacao", "GET", "/exportacao"),
    ("concordancia", "GET", "/concordancia"),
    ("casos", "GET", "/casos"),
    ("comparar", "GET", "/comparar"),
    ("procurar", "GET", "/procurar"),
    ("decisoes", "GET", "/decisoes"),
    ("prever", "POST", "/decisoes/previa"),
    ("decidir", "POST", "/decisoes"),
    ("lugares", "GET", "/resultado"),
    ("publicacoes", "GET", "/resultado/versoes"),
    ("recursos", "GET", "/recursos"),
    ("registrar_recurso", "POST", "/recursos"),
)
_OF_QUEM_AVALIA: Final = (
    ("incluir", "POST", "/avaliadores"),
    ("prever_atribuicao", "POST", "/atribuicoes/previa"),
    ("dar", "POST", "/atribuicoes"),
    ("prever_lembrete", "POST", "/lembretes/previa"),
    ("lembrar", "POST", "/lembretes"),
)
_OF_CASO: Final = (
    ("decidir", "POST", "/decisao"),
    ("desfazer", "DELETE", "/decisao"),
    ("assumir", "POST", "/dono"),
    ("anotar", "POST", "/anotacoes"),
)


def _to_each(
    de: Row, statuses: tuple[int, ...], base: str, ways: tuple[tuple[str, str, str], ...], takes: Mapping[str, str]
) -> tuple[Link, ...]:
    return tuple([Link(nome, de, statuses, (method, base + rest), takes) for nome, method, rest in ways])


_OF_VERSAO: Final = {"edital_id": "$request.path.edital_id"}
_LAST: Final = "$response.body#/versoes/0/versao"
_ID_FIRST: Final = "$response.body#/itens/0/id"
LINKS: Final[tuple[Link, ...]] = (
    # A decision is answered without its id, which stands in `Location`; the list has the newest first.
    Link("decisoes", ("POST", "/api/autorizacoes"), (200,), ("GET", "/api/autorizacoes"), {}),
    *_to_each(("GET", "/api/autorizacoes"), (200,), _DECISAO, _OF_DECISAO, {"autorizacao_id": _ID_FIRST}),
    Link("adiante", ("GET", "/api/autorizacoes"), (200,), ("GET", "/api/autorizacoes"), {"cursor": "$response.body#/cursor"}),
    *_to_each(("POST", f"{_DECISAO}/revisao"), (201,), _DECISAO, _OF_DECISAO[:5], {"autorizacao_id": "$response.body#/autorizacao_id"}),
    *_to_each(("POST", "/api/mapeamentos"), (200, 201), _MAPEAMENTO, _OF_MAPEAMENTO, {"mapeamento_id": "$response.body#/mapeamento/id"}),
    *_to_each(("GET", "/api/mapeamentos"), (200,), _MAPEAMENTO, _OF_MAPEAMENTO, {"mapeamento_id": _ID_FIRST}),
    *_to_each(("POST", "/api/entregas/destinos"), (201,), _DESTINO, _OF_DESTINO, {"destino_id": "$response.body#/id"}),
    *_to_each(("GET", "/api/entregas/destinos"), (200,), _DESTINO, _OF_DESTINO, {"destino_id": _ID_FIRST}),
    *_to_each(("POST", "/api/politicas"), (200, 201), _POLITICA, _OF_POLITICA, {"politica_id": "$response.body#/politica/id"}),
    *_to_each(("GET", "/api/politicas"), (200,), _POLITICA, _OF_POLITICA, {"politica_id": _ID_FIRST}),
    *_to_each(("POST", f"{_POLITICA}/publicar"), (200,), _POLITICA, (_OF_POLITICA[-1],), {"politica_id": "$response.body#/id"}),
    *_to_each(("POST", "/api/clinicas/conversas"), (201,), _CONVERSA, _OF_CONVERSA, {"conversa_id": "$response.body#/id"}),
    *_to_each(("POST", f"{_CONVERSA}/mensagens"), (200,), _CONVERSA, _OF_CONVERSA, {"conversa_id": "$request.path.conversa_id"}),
    *_to_each(("GET", "/api/clinicas/atendimento"), (200,), _NA_FILA, _OF_FILA, {"conversa_id": "$response.body#/fila/0/conversa"}),
    *_to_each(("POST", f"{_NA_FILA}/assumir"), (200,), _NA_FILA, _OF_ASSUMIDA, {"conversa_id": "$response.body#/id"}),
    *_to_each(("POST", "/api/editais"), (200, 201), _TRIAGEM, _OF_EDITAL, {"edital_id": "$response.body#/edital_id"}),
    Link(
        "executar",
        ("POST", "/api/editais"),
        (200, 201),
        ("POST", "/api/ia/triagem"),
        {},
        {"edital_id": "$response.body#/edital_id"},
    ),
    *_to_each(
        ("GET", "/api/editais"), (200,), _TRIAGEM, (*_OF_EDITAL, *_OF_RESULTADO[1:]), {"edital_id": "$response.body#/itens/0/edital_id"}
    ),
    Link(
        "edital",
        ("GET", "/api/editais"),
        (200,),
        ("GET", "/api/editais/{edital_id}"),
        {"edital_id": "$response.body#/itens/0/edital_id"},
    ),
    Link(
        "documento",
        ("GET", f"{_TRIAGEM}/resultado"),
        (200,),
        ("GET", f"{_TRIAGEM}/resultado/versoes/{{numero}}/documento"),
        {"edital_id": "$request.path.edital_id", "numero": "1"},
    ),
    Link(
        "desfazer",
        ("GET", f"{_TRIAGEM}/decisoes"),
        (200,),
        ("POST", f"{_TRIAGEM}/decisoes/atos/{{ato_id}}/desfazer"),
        {"edital_id": "$request.path.edital_id", "ato_id": "$response.body#/atos/0/id"},
    ),
    Link(
        "recurso",
        ("GET", f"{_TRIAGEM}/recursos"),
        (200,),
        ("GET", f"{_TRIAGEM}/recursos/{{numero}}"),
        {"edital_id": "$request.path.edital_id", "numero": "$response.body#/itens/0/numero"},
    ),
    Link(
        "trazer_projetos",
        ("GET", "/api/editais"),
        (200,),
        ("POST", "/api/editais/{edital_id}/projetos"),
        {"edital_id": "$response.body#/itens/0/edital_id"},
    ),
    Link(
        "avaliadores",
        ("GET", "/api/editais"),
        (200,),
        ("GET", f"{_TRIAGEM}/avaliadores"),
        {"edital_id": "$response.body#/itens/0/edital_id"},
    ),
    *_to_each(("GET", f"{_TRIAGEM}/avaliadores"), (200,), _TRIAGEM, _OF_QUEM_AVALIA, {"edital_id": "$request.path.edital_id"}),
    Link(
        "tirar",
        ("GET", f"{_TRIAGEM}/avaliadores"),
        (200,),
        ("POST", f"{_TRIAGEM}/avaliadores/{{avaliador_id}}/tirar"),
        {"edital_id": "$request.path.edital_id", "avaliador_id": "$response.body#/itens/0/id"},
    ),
    Link(
        "desfazer",
        ("POST", f"{_TRIAGEM}/atribuicoes"),
        (201,),
        ("POST", f"{_TRIAGEM}/atribuicoes/atos/{{ato_id}}/desfazer"),
        {"edital_id": "$request.path.edital_id", "ato_id": "$response.body#/id"},
    ),
    *_to_each(("POST", "/api/ia/triagem"), (200, 202), _TRIAGEM, _OF_EXECUCAO, {"edital_id": "$response.body#/edital_id"}),
    *_to_each(("POST", f"{_TRIAGEM}/cancelar"), (200,), _TRIAGEM, (_OF_EXECUCAO[2],), {"edital_id": "$response.body#/edital_id"}),
    *_to_each(("GET", f"{_TRIAGEM}/status"), (200,), _TRIAGEM, _OF_RESULTADO, {"edital_id": "$request.path.edital_id"}),
    *[
        Link(nome, ("GET", f"{_TRIAGEM}/resultado/versoes"), (200,), ("GET", f"{_TRIAGEM}/resultado{rest}"), _OF_VERSAO | {takes: _LAST})
        for nome, rest, takes in (("versao", "", "versao"), ("comparar", "/comparacao", "antes"))
    ],
    *_to_each(
        ("GET", f"{_TRIAGEM}/casos"),
        (200,),
        f"{_TRIAGEM}/casos/{{numero}}",
        _OF_CASO,
        {"edital_id": "$request.path.edital_id", "numero": "$response.body#/itens/0/numero"},
    ),
    *_to_each(
        ("GET", "/api/avaliacoes"),
        (200,),
        _PROJETO,
        (("projeto", "GET", ""), ("avaliar", "PUT", "")),
        {"edital_id": "$response.body#/itens/0/edital_id", "projeto_id": "$response.body#/itens/0/projeto_id"},
    ),
    *_to_each(
        ("GET", _PROJETO),
        (200,),
        _PROJETO,
        (("avaliar", "PUT", ""),),
        {"edital_id": "$response.body#/edital_id", "projeto_id": "$response.body#/projeto_id"},
    ),
)


def add_links(paths: Mapping[str, Mapping[str, Any]]) -> None:
    """Write every link into the answers that it goes on from."""
    for link in LINKS:
        (method, path), (next_method, next_path) = link.de, link.para
        described: dict[str, Any] = {"operationId": paths[next_path][next_method.lower()]["operationId"], "parameters": dict(link.takes)}
        if link.sends is not None:
            described["requestBody"] = dict(link.sends)
        for status in link.statuses:
            paths[path][method.lower()]["responses"][str(status)].setdefault("links", {})[link.nome] = described
