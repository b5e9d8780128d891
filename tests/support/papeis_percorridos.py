"""Every kind of subject that can come to the API, each with a way in of its own, in one tenant that has something of everything."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import httpx
import psycopg

from chaves_de_teste import cofre_de_teste
from crivo.kernel.access import (
    ESCOPOS,
    PAPEIS,
    Escopo,
    Papel,
    Sessoes,
    Usuario,
    bind_cpf,
    create_chave,
    create_usuario,
    list_usuarios,
)
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import ANONIMO, CONSOLE, Programa, ProgramaDePessoa, Sujeito
from crivo.kernel.tenancy import Scope
from importacoes import com
from triagem_pronta import put_screened

TENANT: Final = "papeis-percorridos"
CPF: Final = "529.982.247-25"
CERTOS: Final = {"edital_id": "ED-1", "projeto_id": "P00000"}  # which there are, and were given to whoever is an avaliador
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Visitante:
    """Somebody who comes with these headers, and whom the doorkeepers should take for that subject."""

    nome: str
    sujeito: Sujeito
    headers: Mapping[str, str]


NOMES: Final = (
    "anonimo",
    "chave desconhecida",
    "sessao de paciente",
    "chave de tudo",
    *(f"chave {escopo}" for escopo in ESCOPOS),
    *(f"chave de {papel}" for papel in PAPEIS),
)


def make_tenant(urls: tuple[str, str]) -> None:
    """Theirs, before a server for it starts."""
    with psycopg.connect(libpq_url(urls[0])) as owner:
        owner.execute("select set_config('app.tenant_id', %s, true)", (TENANT,))
        owner.execute("insert into tenants (id, nome, criado_em) values (%s, 'De teste', now())", (TENANT,))


def visitantes(urls: tuple[str, str], address: str) -> dict[str, Visitante]:
    """Whoever is in NOMES; of each role a person, the avaliador with projects, the paciente bound to a CPF and signed in."""
    found, link = asyncio.run(_made(urls[1]))
    entered = httpx.post(f"{address}/entrar", data={"token": link})
    # An address of programs takes no session, whosesoever it is.
    found.append(Visitante("sessao de paciente", ANONIMO, {"Cookie": entered.headers["set-cookie"].partition(";")[0]}))
    return {one.nome: one for one in found}


async def _made(database_url: str) -> tuple[list[Visitante], str]:
    """All but the one who is signed in, and the link by which that one is."""
    database = Database(database_url, cofre=cofre_de_teste())
    scope, now = Scope(TENANT, "teste", CONSOLE), SystemClock().now()
    found = [
        Visitante("anonimo", ANONIMO, {}),
        Visitante("chave desconhecida", ANONIMO, {"Authorization": f"Bearer crv_{TENANT}_{'0' * 16}_{'0' * 64}"}),
    ]
    try:
        async with database.unit_of_work(scope) as uow:
            await put_screened(uow, 12, "ED-1", julgados=2, sinais=1)
            people = await _people(uow)
            await bind_cpf(uow, now, people["paciente"], CPF, "rg")
            for nome, escopos in (("chave de tudo", ESCOPOS), *((f"chave {one}", (one,)) for one in ESCOPOS)):
                found.append(Visitante(nome, Programa(TENANT, frozenset(escopos)), await _key(uow, escopos)))
            for papel, person in people.items():
                sujeito = ProgramaDePessoa(TENANT, person.id, papel, frozenset(ESCOPOS))
                found.append(Visitante(f"chave de {papel}", sujeito, await _key(uow, ESCOPOS, person)))
        return found, await Sessoes(database, SystemClock()).create_link(scope, people["paciente"].ator)
    finally:
        await database.close()


async def _people(uow: UnitOfWork) -> dict[Papel, Usuario]:
    new_id, now = Uuid7(SystemClock()).new, SystemClock().now()
    people: dict[Papel, Usuario] = {one.papel: one for one in await list_usuarios(uow)}
    for papel in PAPEIS:
        if papel not in people:
            novo: UUID = new_id()
            people[papel] = await create_usuario(uow, now, novo, f"Pessoa {papel}", f"{novo}@teste.exemplo", papel)
    return people


async def _key(uow: UnitOfWork, escopos: tuple[Escopo, ...], usuario: Usuario | None = None) -> dict[str, str]:
    now = SystemClock().now()
    made = await create_chave(uow, now, "teste", escopos, now + _DAY, usuario=usuario)
    return {"Authorization": f"Bearer {made.segredo}"}


def _mapeamento(chance: int) -> dict[str, Any]:
    campos = {"pedido_id": "$.pedido.pedido_id", "plano_id": {"valor": f"P-{chance % 5}"}}
    return {"mapeamento": f"acme-{chance % 3}", "administradora": "ADM-1", "reconhecer": {"$.de": f"ACME-{chance % 3}"}, "campos": campos}


def _certain_of_mappings(method: str, path: str, chance: int, pedido: Mapping[str, Any]) -> Any:
    match method, path:
        case "POST", "/api/mapeamentos":
            return _mapeamento(chance)
        case "POST", "/api/mapeamentos/testar":
            return {"mapeamento": _mapeamento(chance), "pedido": {"de": "ACME", "pedido": pedido}}
        case "POST", "/api/mapeamentos/{mapeamento_id}/encerrar":
            return {"motivo": "Mudaram de sistema."}
        case _:
            return None


def certain(method: str, path: str, chance: int, politica: Mapping[str, Any], pedido: Mapping[str, Any]) -> Any:
    """A body that is right in everything, for addresses that seldom take one that was made up; None for the others.

    `chance` is any number: by it policies and pedidos differ.
    """
    match method, path:
        case "POST", "/api/politicas":
            return {**politica, "administradora_id": f"ADM-{chance % 7}", "versao": f"{chance % 3}.0"}
        case "POST", "/api/autorizacoes":
            return {**pedido, "pedido_id": f"T-{chance}", "administradora_id": f"ADM-{chance % 7}"}
        case "POST", "/api/editais":
            documento = com("projetos.0.documentos", [])
            return {**documento, "edital": {**documento["edital"], "id": f"ED-{2 + chance % 3}"}}
        case "POST", "/api/ia/triagem":
            return {"edital_id": f"ED-{1 + chance % 4}", "tipo": "completa"}
        case "POST", "/api/clinicas/conversas":
            return {"papel": "paciente", "paciente": {"nome": "Ana Braga", "cpf": CPF}}
        case "POST", "/api/clinicas/conversas/{conversa_id}/mensagens":
            return {"texto": ("quero um cardiologista", "quero falar com uma pessoa", "quais são as minhas consultas?")[chance % 3]}
        case "POST", "/api/autorizacoes/{autorizacao_id}/revisao":
            return {"decisao_final": "NEGADO" if chance % 2 else "APROVADO", "motivo": "Visto com a equipe."}
        case _:
            return _certain_of_mappings(method, path, chance, pedido)
