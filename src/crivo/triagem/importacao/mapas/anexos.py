"""The attachments of a platform's form, held against the requisitos of an edital that was not made from that form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.edital import Requisito, RequisitoDocumento
from crivo.triagem.habilitacao.tipos import find_tipos
from crivo.triagem.importacao.itens import Itens
from crivo.triagem.importacao.mapas.valores import as_items, as_object, as_text
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato


class Enderecadas(Itens[dict[str, Any]]):
    """Projetos whose files were sent for attachments of a form, sent for requisitos instead; those of no requisito are annexes."""

    def __init__(self, projetos: Sequence[dict[str, Any]], para: Mapping[str, str]) -> None:
        self._projetos = projetos
        self._para = para

    def item(self, posicao: int) -> dict[str, Any]:
        """The projeto."""
        projeto = self._projetos[posicao]
        sent = [{**one, "requisito": self._para.get(str(one["requisito"]))} for one in projeto["documentos"]]
        return {**projeto, "documentos": sent}

    def __len__(self) -> int:
        return len(self._projetos)


def match_anexos(anexos: Any, caminho: Caminho, requisitos: Sequence[Requisito], relato: Relato) -> Mapping[str, str]:
    """The requisito of each attachment, by its group: that of its id, else of its words, else the only one of the type of its title."""
    asked = [one for one in requisitos if isinstance(one, RequisitoDocumento)]
    found: dict[str, str] = {}
    for posicao, item in as_items(anexos):
        anexo = as_object(item)
        grupo = str(anexo.get("groupName") or f"rfc_{as_text(anexo.get('id'))}")
        titulo = str(anexo.get("title") or "")
        requisito = _match(grupo, titulo, asked)
        if requisito is None:
            mensagem = f"O anexo “{cite(titulo)}” não é nenhum dos requisitos deste edital: os arquivos entram como anexos."
            relato.avisos.add("anexo_sem_requisito", (*caminho, posicao), mensagem)
        else:
            found[grupo] = requisito.id
    return found


def _match(grupo: str, titulo: str, asked: Sequence[RequisitoDocumento]) -> RequisitoDocumento | None:
    by_id = [one for one in asked if one.id == grupo]
    by_words = [one for one in asked if titulo.strip() and fold(one.descricao) == fold(titulo)]
    tipos = find_tipos(titulo)[:1]
    by_tipo = [one for one in asked if one.documento in tipos]
    return next((some[0] for some in (by_id, by_words, by_tipo) if len(some) == 1), None)
