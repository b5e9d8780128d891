"""What an import cannot decide by itself and tells: sentences not read, documents unknown, one plano in several spellings,
regras for the same pedidos that say otherwise.

Source: design, "Right, on what customers really send".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from rapidfuzz import fuzz, process

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.palavras import documentos_conhecidos, listing
from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id, normalize_padrao
from crivo.autorizacoes.politicas.nos import No, Problemas, linha_of
from crivo.autorizacoes.politicas.planos import planos_da
from crivo.autorizacoes.politicas.sobras import NAO_LIDA, nao_lidas
from crivo.kernel.formas.palavras import Caminho

_SHOWN: Final = 200
_DECIDE: Final = tuple(campo for campo in Regra.__struct_fields__ if campo not in {"regra_id", "codigo", "plano_id", "planos", "tabela"})
_ALIKE: Final = 75.0  # of 100, from which a known name is offered
_ALMOST: Final = 85.0  # the same where words are written together, or one is left out


def add_duvidas(politica: Politica, no: No, avisos: Problemas) -> None:
    """Each doubt with its place in the document."""
    for posicao, regra in enumerate(politica.regras):
        caminho: Caminho = ("regras", posicao, "observacoes")
        for lida in nao_lidas(regra):
            mensagem = f"Esta frase parece dizer uma regra e não foi lida; escreva o que ela diz nos campos da regra: “{_cut(lida.frase)}”."
            avisos.add(NAO_LIDA, caminho, linha_of(no, caminho), mensagem)
        _add_documentos(regra.documentos_obrigatorios, ("regras", posicao, "documentos_obrigatorios"), no, avisos)
        for index, grupo in enumerate(regra.documentos_alternativos or ()):
            _add_documentos(grupo, ("regras", posicao, "documentos_alternativos", index), no, avisos)
    _add_grafias(politica, no, avisos)
    _add_contrarias(politica, no, avisos)


def _add_documentos(tipos: Sequence[str], onde: Caminho, no: No, avisos: Problemas) -> None:
    for index, tipo in enumerate(tipos):
        if tipo in documentos_conhecidos():
            continue
        caminho: Caminho = (*onde, index)
        nearest = nearest_documento(tipo)
        hint = f"; quis dizer `{nearest}`?" if nearest else "; o pedido terá de trazê-lo com este mesmo nome."
        avisos.add("documento_desconhecido", caminho, linha_of(no, caminho), f"`{_cut(tipo)}` não é um documento conhecido{hint}")


@cache
def nearest_documento(tipo: str) -> str | None:
    """The known document of which this may be a misspelling; of another word in its place there is nothing to guess."""
    if len(tipo) > _SHOWN:
        return None
    found = process.extract(tipo, list(documentos_conhecidos()), scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=None)
    return next((conhecido for conhecido, *_ in found if _misspelled(tipo, conhecido)), None)


def _misspelled(tipo: str, conhecido: str) -> bool:
    ours, theirs = tipo.split("_"), conhecido.split("_")
    if len(ours) != len(theirs):
        return fuzz.ratio(tipo, conhecido) >= _ALMOST
    return all(fuzz.ratio(our, their) >= _ALIKE for our, their in zip(ours, theirs, strict=True))


def _add_grafias(politica: Politica, no: No, avisos: Problemas) -> None:
    """A plano that the document spells in several ways: they are one to every pedido."""
    spelled: dict[str, dict[str, int]] = {}
    for posicao, regra in enumerate(politica.regras):
        for plano in planos_da(regra):
            if plano != CURINGA:
                spelled.setdefault(fold_id(plano), {}).setdefault(plano, posicao)
    for grafias in spelled.values():
        if len(grafias) > 1:
            posicao = list(grafias.values())[1]
            caminho = _where_planos(politica, posicao)
            nomes = listing([f"`{_cut(grafia)}`" for grafia in grafias])
            mensagem = f"{nomes} são o mesmo plano em grafias diferentes, e valem como um só; escreva-o sempre do mesmo jeito."
            avisos.add("plano_com_varias_grafias", caminho, linha_of(no, caminho), mensagem)
    declarados = {fold_id(plano) for plano in politica.planos}
    for dobrado, grafias in spelled.items() if declarados else ():
        if dobrado not in declarados:
            nome, posicao = next(iter(grafias.items()))
            caminho = _where_planos(politica, posicao)
            mensagem = f"`{_cut(nome)}` não está em `planos`, e nenhum pedido chegará a esta regra; declare-o lá ou corrija-o aqui."
            avisos.add("plano_nao_declarado", caminho, linha_of(no, caminho), mensagem)


def _where_planos(politica: Politica, posicao: int) -> Caminho:
    return ("regras", posicao, "planos" if politica.regras[posicao].planos else "plano_id")


def _add_contrarias(politica: Politica, no: No, avisos: Problemas) -> None:
    """A regra that a pedido never meets, as one before it is for the same code, plano and table and says otherwise."""
    primeiras: dict[tuple[str, str, str], int] = {}
    for posicao, regra in enumerate(politica.regras):
        padrao = fold_id(normalize_padrao(regra.codigo))
        chaves = [(padrao, fold_id(plano), regra.tabela) for plano in planos_da(regra)]
        antes = min(primeiras.setdefault(chave, posicao) for chave in chaves)
        primeira = politica.regras[antes]
        outros = [campo for campo in _DECIDE if getattr(regra, campo) != getattr(primeira, campo)]
        if outros:
            caminho: Caminho = ("regras", posicao)
            onde = linha_of(no, ("regras", antes))
            # What is kept is written in one line, which tells nobody where to look.
            na_linha = f", na linha {onde}," if onde != linha_of(no, caminho) else ""
            mensagem = (
                f"`{_cut(regra.regra_id)}` é para os mesmos pedidos que `{_cut(primeira.regra_id)}`{na_linha} e diz outra coisa em "
                f"{listing([f'`{campo}`' for campo in outros])}; só a primeira vale. Junte-as ou corrija o código, o plano ou a tabela."
            )
            avisos.add("regras_contrarias", caminho, linha_of(no, caminho), mensagem)


def _cut(texto: str) -> str:
    return texto if len(texto) <= _SHOWN else f"{texto[:_SHOWN]}…"
