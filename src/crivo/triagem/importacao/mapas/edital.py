"""The opportunity, its evaluation method and its attachments, as an edital with critérios, requisitos and avaliadores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crivo.kernel.formas.palavras import Caminho
from crivo.triagem.habilitacao.tipos import find_tipos, tipos_of
from crivo.triagem.importacao.mapas.valores import as_day, as_items, as_number, as_object, as_text, plain_text
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato

_FORMATOS: Final[Mapping[str, str]] = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.oasis.opendocument.text": "odt",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/tiff": "tiff",
    "text/plain": "txt",
    "text/csv": "csv",
}
_DESATIVADO: Final = 8

Origens = dict[Caminho, Caminho]


def convert_edital(oportunidade: Mapping[str, Any], caminho: Caminho, origens: Origens) -> dict[str, Any]:
    """The edital of an opportunity; the platform asks for no itemised budget, so none is compared."""
    fields = {"id": "id", "nome": "name", "objetivo": "shortDescription", "texto": "longDescription"}
    origens[("edital",)] = caminho
    origens.update({("edital", ours): (*caminho, theirs) for ours, theirs in fields.items()})
    owner = as_object(oportunidade.get("ownerEntity") or oportunidade.get("owner"))
    edital = {
        "objetivo": plain_text(oportunidade.get("shortDescription")),
        "texto": plain_text(oportunidade.get("longDescription")),
        "orgao": as_text(owner.get("name")),
        "orcamento_detalhado": "nao",
        # What is absent stays absent, for the validation to ask for it by its name.
        **{ours: as_text(oportunidade[theirs]) for ours, theirs in (("id", "id"), ("nome", "name")) if theirs in oportunidade},
    }
    inicio, fim = as_day(oportunidade.get("registrationFrom")), as_day(oportunidade.get("registrationTo"))
    if inicio and fim:
        edital["inscricoes"] = {"inicio": inicio, "fim": fim}
        origens[("edital", "inscricoes", "inicio")] = (*caminho, "registrationFrom")
        origens[("edital", "inscricoes", "fim")] = (*caminho, "registrationTo")
    return edital


def convert_criterios(metodo: Mapping[str, Any], caminho: Caminho, origens: Origens, relato: Relato) -> list[dict[str, Any]]:
    """The critérios of a technical evaluation; the section of each stands as its description where it has none of its own."""
    tipo = metodo.get("type", "technical")
    tipo = tipo.get("id") if isinstance(tipo, dict) else tipo
    if tipo != "technical":
        mensagem = f"O método de avaliação é `{cite(str(tipo))}`, que não dá notas por critério; nenhum critério foi importado."
        relato.avisos.add("avaliacao_sem_notas", ("criterios",), mensagem)
        return []
    secoes = {str(as_object(secao).get("id")): as_object(secao).get("name") for _, secao in as_items(metodo.get("sections"))}
    criterios: list[dict[str, Any]] = []
    for posicao, item in as_items(metodo.get("criteria")):
        criterio = as_object(item)
        onde: Caminho = (*caminho, "criteria", posicao)
        origens[("criterios", len(criterios))] = onde
        nossos = {"id": "id", "nome": "title", "descricao": "description", "peso": "weight", "nota_min": "min", "nota_max": "max"}
        origens.update({("criterios", len(criterios), ours): (*onde, theirs) for ours, theirs in nossos.items()})
        convertido = {ours: as_number(criterio[theirs]) for ours, theirs in nossos.items() if theirs in criterio and ours != "descricao"}
        textos = {nome: as_text(criterio[nossos[nome]]) for nome in ("id", "nome") if nossos[nome] in criterio}
        descricao = plain_text(criterio.get("description")) or as_text(secoes.get(str(criterio.get("sid"))))
        criterios.append({**convertido, **textos, "descricao": descricao})
    return criterios


def convert_requisitos(anexos: Any, caminho: Caminho, origens: Origens, relato: Relato) -> list[dict[str, Any]]:
    """A requisito for each attachment of the form; its type is read in the title, and told so that somebody confirms it."""
    requisitos: list[dict[str, Any]] = []
    for posicao, item in as_items(anexos):
        anexo = as_object(item)
        onde: Caminho = (*caminho, posicao)
        destino: Caminho = ("requisitos", len(requisitos))
        titulo = as_text(anexo.get("title"))
        origens.update({destino: onde, (*destino, "id"): (*onde, "groupName"), (*destino, "descricao"): (*onde, "title")})
        found = find_tipos(titulo) if isinstance(titulo, str) else ()
        documento = found[0] if found else "OUTRO"
        mensagem = f"Pelo título, este anexo foi entendido como “{tipos_of().nome(documento)}”; confira o requisito depois de importar."
        relato.avisos.add("documento_pelo_titulo", destino, mensagem)
        so_alguns = any(anexo.get(nome) for nome in ("categories", "proponentTypes", "registrationRanges", "conditional"))
        if anexo.get("required") and so_alguns:
            mensagem = "Este anexo é obrigatório só para alguns inscritos; entrou como não obrigatório, e a falta dele não será apontada."
            relato.avisos.add("obrigatorio_para_alguns", destino, mensagem)
        tipos = [tipo for _, tipo in as_items(anexo.get("allowedFileTypes"))]
        requisitos.append(
            {
                "id": anexo.get("groupName") or f"rfc_{as_text(anexo.get('id'))}",
                "tipo": "documento",
                "documento": documento,
                "descricao": titulo,
                "obrigatorio": bool(anexo.get("required")) and not so_alguns,
                "formatos": list(dict.fromkeys(_FORMATOS[tipo] for tipo in tipos if isinstance(tipo, str) and tipo in _FORMATOS)),
            }
        )
    return requisitos


def convert_avaliadores(
    metodo: Mapping[str, Any], caminho: Caminho, distribuidos: Mapping[str, list[str]], origens: Origens, relato: Relato
) -> list[dict[str, Any]]:
    """The members of the committees, each once; `distribuidos` are the projetos by the user who got them."""
    nome_da_lista = "committee" if "committee" in metodo else "agentRelations"
    por_email: dict[str, dict[str, Any]] = {}
    for onde, relacao in _relations(metodo.get(nome_da_lista), (*caminho, nome_da_lista)):
        agente = as_object(relacao.get("agent"))
        usuario = as_object(agente.get("user"))
        email = agente.get("emailPrivado") or agente.get("emailPublico") or usuario.get("email")
        if relacao.get("status") == _DESATIVADO:
            continue
        if not isinstance(email, str):
            relato.avisos.add("avaliador_sem_email", onde, "Este avaliador não tem e-mail na exportação, e não foi importado.")
            continue
        numero = relacao.get("userId") or usuario.get("id") or agente.get("userId") or agente.get("user")
        projetos = distribuidos.get(str(numero), [])
        known = por_email.get(email.casefold())
        if known is not None:
            known["projetos"] = list(dict.fromkeys([*known["projetos"], *projetos]))
            continue
        origens[("avaliadores", len(por_email))] = onde
        documento = as_text(agente.get("cpf") or agente.get("documento"))
        por_email[email.casefold()] = {"nome": as_text(agente.get("name")), "email": email, "cpf": documento, "projetos": projetos}
    return list(por_email.values())


def _relations(valor: Any, caminho: Caminho) -> list[tuple[Caminho, Mapping[str, Any]]]:
    """The relations of a list, or of the lists of each committee."""
    found: list[tuple[Caminho, Mapping[str, Any]]] = []
    for posicao, item in as_items(valor):
        if isinstance(item, list):
            found += [((*caminho, posicao, dentro), as_object(relacao)) for dentro, relacao in as_items(item) if isinstance(dentro, int)]
        else:
            found.append(((*caminho, posicao), as_object(item)))
    return found
