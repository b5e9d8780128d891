"""The registrations, as projetos: the texts of their forms, what they declare, who proposes, the files they sent."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.importacao.itens import Itens
from crivo.triagem.importacao.mapas.edital import Origens
from crivo.triagem.importacao.mapas.valores import as_declared, as_items, as_moment, as_object, as_text, plain_text, slug, written_out
from crivo.triagem.importacao.relato import Relato

RASCUNHO: Final = 0
_COLETIVOS: Final = ("coletivo", "instituicao", "entidade")
# Where the files of a registration may lie, beside the export: the platform hands them out by registration number.
_LUGARES: Final = ("{numero}/{nome}", "arquivos/{numero}/{nome}", "documentos/{numero}/{nome}", "{nome}")
_DECLARED: Final = {"faixa": "range", "tipo_de_proponente": "proponentType"}
_ENDERECO: Final = ("En_Nome_Logradouro", "En_Num", "En_Complemento", "En_Bairro", "En_Municipio", "En_Estado", "En_CEP")
_MUNICIPIO: Final = ("En_Municipio", "address_level4")
_ESTADO: Final = ("En_Estado", "address_level2")


Papel = Literal["resumo", "texto", "local", "campo"]


@dataclass(frozen=True, slots=True)
class CampoDoFormulario:
    """A field of the registration form: where its value stands, what it is called here, and what it is taken for."""

    origem: str
    nome: str
    papel: Papel


def read_formulario(configuracoes: Any) -> Sequence[CampoDoFormulario]:
    """The fields of the form, in the order in which they are shown; names that come twice get the number of their field."""
    shown = sorted((as_object(item) for _, item in as_items(configuracoes)), key=lambda campo: _order(campo.get("displayOrder")))
    names: set[str] = set()
    fields: list[CampoDoFormulario] = []
    for campo in shown:
        tipo, titulo = campo.get("fieldType"), str(campo.get("title") or "")
        if tipo == "section":
            continue
        entity_field = as_object(campo.get("config")).get("entityField")
        nome = slug(entity_field if isinstance(entity_field, str) and not entity_field.startswith("@") else titulo)
        nome = f"{nome}_{campo.get('id')}" if nome in names else nome
        names.add(nome)
        papel: Papel = "campo"
        if entity_field == "@location":
            papel = "local"
        elif tipo == "textarea":
            papel = "resumo" if "resumo" in fold(titulo) else "texto"
        fields.append(CampoDoFormulario(str(campo.get("fieldName") or f"field_{campo.get('id')}"), nome, papel))
    return fields


class Convertidas(Itens[dict[str, Any]]):
    """The registrations that were sent, as projetos, each converted when it is asked for; `origens` learns of it then."""

    def __init__(self, enviadas: Sequence[int | str], convert: Callable[[int, int | str], dict[str, Any]]) -> None:
        self._enviadas = enviadas
        self._convert = convert

    def item(self, posicao: int) -> dict[str, Any]:
        """The projeto."""
        return self._convert(posicao, self._enviadas[posicao])

    def __len__(self) -> int:
        return len(self._enviadas)


def convert_projetos(
    inscricoes: Any, caminho: Caminho, formulario: Sequence[CampoDoFormulario], pasta: Path, origens: Origens, relato: Relato
) -> Convertidas:
    """A projeto for each registration that was sent; drafts are left out and counted."""
    enviadas: list[int | str] = []
    rascunhos = 0
    for passo, item in as_items(inscricoes):
        if as_object(item).get("status") == RASCUNHO:
            rascunhos += 1
        else:
            enviadas.append(passo)
    if rascunhos:
        mensagem = f"Inscrições em rascunho, que não foram enviadas e ficaram de fora: {rascunhos}."
        relato.avisos.add("rascunhos", caminho, mensagem)

    def convert(posicao: int, passo: int | str) -> dict[str, Any]:
        onde: Caminho = (*caminho, passo)
        destino: Caminho = ("projetos", posicao)
        fields = {"id": "number", "titulo": "projectName", "enviado_em": "sentTimestamp", "categoria": "category", "proponente": "owner"}
        origens[destino] = onde
        origens.update({(*destino, ours): (*onde, theirs) for ours, theirs in fields.items()})
        return _convert_projeto(as_object(inscricoes[passo]), onde, destino, formulario, pasta, origens)

    return Convertidas(enviadas, convert)


def _convert_projeto(
    inscricao: Mapping[str, Any], onde: Caminho, destino: Caminho, formulario: Sequence[CampoDoFormulario], pasta: Path, origens: Origens
) -> dict[str, Any]:
    numero = as_text(inscricao.get("number") or inscricao.get("id"))
    textos: dict[str, list[str]] = {"resumo": [], "texto": []}
    campos: dict[str, Any] = {nome: inscricao[theirs] for nome, theirs in _DECLARED.items() if inscricao.get(theirs)}
    for campo in formulario:
        valor = inscricao.get(campo.origem)
        if valor in (None, "", [], {}):
            continue
        origens[(*destino, "campos", campo.nome)] = (*onde, campo.origem)
        if campo.papel == "local":
            campos.update(_place(as_object(valor)))
        elif campo.papel == "campo":
            campos[campo.nome] = as_declared(valor)
        else:
            textos[campo.papel].append(written_out(plain_text(valor)))
    agentes = as_object(inscricao.get("agentsData"))
    return {
        "id": numero,
        "titulo": as_text(inscricao.get("projectName")),
        "categoria": as_text(inscricao.get("category")),
        "enviado_em": as_moment(inscricao.get("sentTimestamp")),
        "resumo": "\n\n".join(textos["resumo"]),
        "descricao_tecnica": "\n\n".join(textos["texto"]),
        "proponente": _proponente(inscricao, agentes),
        "campos": {**_place(as_object(agentes.get("owner"))), **campos},
        "documentos": _documentos(inscricao, str(numero), onde, destino, pasta, origens),
    }


def _place(valor: Mapping[str, Any]) -> dict[str, Any]:
    found = {"municipio": _first(valor, _MUNICIPIO), "estado": _first(valor, _ESTADO)}
    return {nome: escrito for nome, escrito in found.items() if escrito}


def _proponente(inscricao: Mapping[str, Any], agentes: Mapping[str, Any]) -> dict[str, Any]:
    """The organisation where one registered, with the agent who answers for it; else the agent."""
    responsavel = {**as_object(inscricao.get("owner")), **as_object(agentes.get("owner"))}
    coletivo = next((as_object(agentes[grupo]) for grupo in _COLETIVOS if agentes.get(grupo)), None)
    quem = responsavel if coletivo is None else coletivo
    proponente: dict[str, Any] = {
        "nome": as_text(_first(quem, ("nomeCompleto", "name"))),
        "cpf_cnpj": as_text(_first(quem, ("documento", "cnpj", "cpf"))),
        "email": as_text(_first(quem, ("emailPrivado", "emailPublico"))),
        "endereco": as_text(quem.get("endereco")) or written_out([quem.get(nome) for nome in _ENDERECO]),
    }
    if coletivo is not None:
        nome, documento = _first(responsavel, ("nomeCompleto", "name")), _first(responsavel, ("documento", "cpf"))
        proponente["responsavel"] = {"nome": as_text(nome), "cpf": as_text(documento)}
    return proponente


def _documentos(
    inscricao: Mapping[str, Any], numero: str, onde: Caminho, destino: Caminho, pasta: Path, origens: Origens
) -> list[dict[str, Any]]:
    documentos: list[dict[str, Any]] = []
    for grupo, valor in as_items(inscricao.get("files")):
        if not str(grupo).startswith("rfc_"):
            continue
        sent: list[tuple[Caminho, Any]] = [((*onde, "files", grupo), valor)]
        if isinstance(valor, list):
            sent = [((*onde, "files", grupo, posicao), arquivo) for posicao, arquivo in enumerate(valor)]
        for origem, arquivo in sent:
            origens[(*destino, "documentos", len(documentos))] = origem
            origens[(*destino, "documentos", len(documentos), "arquivo")] = (*origem, "name")
            nome = as_text(as_object(arquivo).get("name"))
            documentos.append({"requisito": grupo, "arquivo": _place_of(nome, numero, pasta) if isinstance(nome, str) else nome})
    return documentos


def _place_of(nome: str, numero: str, pasta: Path) -> str:
    """Where the file lies; where it lies nowhere, the first place in which it was looked for, which the import then finds empty."""
    candidates = [lugar.format(numero=numero, nome=nome) for lugar in _LUGARES]
    if "\0" in nome:
        return nome
    return next((candidate for candidate in candidates if os.path.lexists(pasta / candidate)), candidates[0])


def _first(valor: Mapping[str, Any], nomes: Sequence[str]) -> Any:
    return next((valor[nome] for nome in nomes if valor.get(nome)), None)


def _order(valor: Any) -> int:
    return valor if isinstance(valor, int) else 255
