"""A mapping applied: from what somebody else's system sends to pedidos as RF1 reads them, with where each field came from.

Nothing is guessed and nothing is thrown away: what a mapping cannot settle is a problem that names the sender's own path, and what it
does not use goes on with the pedido. Source: design, "Their own format in".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any, Final

from crivo.autorizacoes.campos import fold_field
from crivo.autorizacoes.contracts import Value
from crivo.autorizacoes.etapas.documentos import knows_situacao
from crivo.autorizacoes.etapas.valores import MAX_IDADE, read_boolean, read_number, read_reais, years_between
from crivo.autorizacoes.extracao import FUTURO, NAO_LIDO, NAO_USADOS, last_name
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.mapeamento.caminhos import (
    ITEM,
    MOST_NODES,
    TEXTO,
    Achado,
    Passos,
    Ramo,
    Rota,
    branch_of,
    compile_rota,
    forks_of,
    holders,
    in_the_way,
    leaves,
    leaves_branch,
    lists_on_the_way,
    written,
)
from crivo.autorizacoes.mapeamento.datas import FormatoDeData, compile_formato, day_in_brasilia
from crivo.autorizacoes.mapeamento.documento import (
    CALCULADOS,
    CODIGO,
    DE_DATA,
    DO_USO,
    DOCUMENTOS,
    HISTORICO,
    INSTANTES,
    PARTES,
    QUALQUER,
    SEPARAVEIS,
    URGENCIA,
    VALOR,
    Campo,
    Mapeamento,
    Simples,
    fold_word,
    places_of,
)
from crivo.kernel.linguagem.datas_escritas import read_date
from crivo.kernel.linguagem.dobra import is_writable, without_unseen

MOST_ITEMS: Final = 200
ITEM_VAZIO: Final = "item_vazio"
MOST_KEPT: Final = 500
"""Of what a mapping does not use, no more than this goes on with each pedido; the body as it came has it all."""
_Tree = Achado | dict[str | int, Any]
_LISTAS: Final = frozenset({DOCUMENTOS, HISTORICO, "beneficiario.preexistencias"})
_SHOWN_NODES: Final = 5
_YEARS_AHEAD: Final = 20
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].*)?", re.ASCII)
_FIRST: Final = "data_pedido"
_SEVERAL: Final = re.compile(r"\w\s*[|;,+/]\s*\w")
_IDS: Final = frozenset({"pedido_id", "plano_id", "beneficiario.id", CODIGO})
_LONGEST_ID: Final = 500
_TICKS: Final = frozenset({"x", "✓", "✔", "☑", "☒"})
_ROUNDED: Final = re.compile(r"\d+(?:[.,]\d+[eE]\+?|[eE]\+)\d+", re.ASCII)
_CONTENT: Final = re.compile(r"[a-zA-Z][\w+.-]*://\S+|data:\S+|.*\.(?:pdf|jpe?g|png|tiff?|heic|docx?|dcm|xml|zip)|\S{64,}", re.IGNORECASE)


class Problema(Value, frozen=True, gc=False):
    """What a mapping could not settle: where in what was sent, and what to do (pt-BR, without any value). `grave`: nothing is decided."""

    codigo: str
    caminho: str
    mensagem: str
    grave: bool = False


class Sobra(Value, frozen=True, gc=False):
    """A value that no field took, with its path."""

    caminho: str
    valor: Any


@dataclass(frozen=True, slots=True)
class PedidoLido:
    """One pedido of what was sent. `bruto` is what RF1 reads, `origem` the path of each of its fields, in the sender's own words.

    `passos` are those to its item, empty without `itens`, and `numero` counts it from 1 among `de` items; `pessoa` is what stands beside
    the fields of the beneficiário. `sufixo` is what its id ends in where it does not end in `numero`, nought for nothing.
    """

    bruto: Bruto
    origem: Mapping[str, str]
    problemas: tuple[Problema, ...]
    passos: Passos
    pessoa: Bruto
    numero: int = 1
    de: int = 1
    sufixo: int | None = None


@dataclass(frozen=True, slots=True)
class Lido:
    """All that a mapping made of one document: its pedidos, what was left over, and what could not be settled."""

    pedidos: tuple[PedidoLido, ...]
    nao_usados: tuple[Sobra, ...]
    problemas: tuple[Problema, ...]

    @property
    def graves(self) -> tuple[Problema, ...]:
        """Those for which nothing can be decided."""
        return tuple([problema for problema in self.problemas if problema.grave])


@dataclass(frozen=True, slots=True)
class _Compilado:
    """A field of the mapping, compiled; `dicionario` by folded word, `ramo` how a path from the root stands to the items."""

    destino: str
    campo: Campo
    rota: Rota | None
    formato: FormatoDeData | None
    partes: Mapping[str, Rota]
    dicionario: Mapping[str, Simples]
    ramo: Ramo | None
    nomes: Mapping[str, tuple[Rota, Ramo | None]]
    lugares: Sequence[tuple[Rota, Ramo | None]] = ()

    @property
    def rotas(self) -> tuple[Rota, ...]:
        """All the paths that it is read by."""
        return (*[rota for rota, _ in self.nomes.values()], *([] if self.rota is None else [self.rota]))

    def looks_into_the_item(self, itens: Rota | None) -> bool:
        """Whether some of its paths starts at the item, or from the root goes on into it."""
        every = [*self.nomes.values(), *([] if self.rota is None else [(self.rota, self.ramo)])]
        size = 0 if itens is None else len(itens.query.segments)
        return any(rota.do_item or (ramo is not None and len(rota.query.segments) >= size == ramo.passos) for rota, ramo in every)

    @property
    def by_item(self) -> bool:
        """Whether what it reads may differ from item to item."""
        return self.rota is not None and (self.rota.do_item or (self.ramo is not None and self.ramo.passos > 0))


class Leitor:
    """A mapping compiled once, to read any number of documents by."""

    def __init__(self, mapeamento: Mapeamento) -> None:
        """Compile a mapping that was read without faults."""
        self.mapeamento = mapeamento
        self._condicoes = tuple([(compile_rota(texto), valor) for texto, valor in mapeamento.reconhecer.items()])
        self._ignorar = tuple([(compile_rota(texto), valor) for texto, valor in mapeamento.ignorar.items()])
        self._itens = None if mapeamento.itens is None else compile_rota(mapeamento.itens)
        campos = [_compile(destino, campo, mapeamento, self._itens) for destino, campo in mapeamento.campos.items()]
        self._campos = tuple(sorted(campos, key=lambda one: one.destino != _FIRST))  # the others are counted from this date
        self._situacoes = _folded(mapeamento.valores.get(f"{DOCUMENTOS}.status", {}))

    @property
    def person_by_item(self) -> bool:
        """Whether each item has a beneficiário of its own."""
        return any(one.by_item for one in self._campos if one.destino.startswith("beneficiario."))

    def alone(self, documento: Any, pedido: PedidoLido, pedidos: Sequence[PedidoLido]) -> Any:
        """The document of some pedidos with nothing in the place of the other items, nor of what those alone stand in.

        Where each is about somebody else, none is kept with another's.
        """
        if self._itens is None:
            return documento
        forks = forks_of(self._itens, pedido.passos)
        others = [one.passos for one in pedidos if one.passos != pedido.passos]
        return _without(documento, dict.fromkeys([one[: leaves_branch(one, pedido.passos, forks) or len(one)] for one in others]))

    def recognises(self, documento: Any) -> bool:
        """Whether every condition of `reconhecer` holds."""
        return all(_holds(rota, valor, documento) for rota, valor in self._condicoes)

    def ignores(self, linha: Any) -> bool:
        """Whether every condition of `ignorar` holds of a row of a table, where there is any."""
        return bool(self._ignorar) and all(_holds(rota, valor, linha) for rota, valor in self._ignorar)

    def with_lists(self, documento: Any) -> Any:
        """A document of a format without lists of one, with a list wherever this mapping looks into one; of texts likewise."""
        for rota, _ in self._condicoes:
            documento = lists_on_the_way(rota, documento)
        if self._itens is not None:
            documento = lists_on_the_way(self._itens, documento)
        for lugar, _ in [lugar for one in self._campos for lugar in one.lugares]:
            documento = _emptied(documento, self._whole_path(lugar))
        for rota in [rota for one in self._campos for rota in one.rotas]:
            if not rota.do_item:
                documento = lists_on_the_way(rota, documento)
            elif self._itens is not None:
                documento = lists_on_the_way(self._whole_path(rota), documento)
        return documento

    def _whole_path(self, rota: Rota) -> Rota:
        """A path from the document, of one from the item too."""
        return compile_rota(f"{self._itens.texto}{rota.texto.removeprefix(ITEM)}") if rota.do_item and self._itens is not None else rota

    def unmet(self, documento: Any) -> tuple[str, ...]:
        """The paths of the conditions of `reconhecer` that do not hold."""
        return tuple([rota.texto for rota, valor in self._condicoes if not _holds(rota, valor, documento)])

    def read(self, documento: Any, recebido_em: str) -> Lido:
        """The pedidos of a document received on an ISO date; raises nothing, whatever the document holds."""
        usados = self._read_by_conditions(documento)
        itens, problemas = self._nodes(documento)
        sufixo = 0 if self._shared_id else None
        comum = _Comum()
        pedidos = [
            self._pedido(documento, item, recebido_em, usados, at, len(itens), sufixo, comum)
            for at, item in enumerate(itens, 1)
            if item.valor is not None
        ]
        if self._shared_id or self._own_id:
            pedidos = told_apart(pedidos)
        return self._whole(documento, pedidos, usados, problemas, [item.passos for item in itens])

    def read_one(self, documento: Any, recebido_em: str, numero: int, de: int, sufixo: int | None) -> PedidoLido:
        """One pedido once more, of a document whole or left alone with it: its number among how many, and what its id ends in."""
        usados = self._read_by_conditions(documento)
        itens, _ = self._nodes(documento)
        left = [item for item in itens if item.valor is not None]
        item = left[0] if len(left) == 1 else itens[numero - 1]
        pedido = self._pedido(documento, item, recebido_em, usados, numero, de, sufixo)
        if len(left) > 1:  # what another one of a whole document used was not left over
            for other in left:
                self._pedido(documento, other, recebido_em, usados, numero, de, sufixo)
        return self._whole(documento, [pedido], usados, [], [item.passos for item in itens]).pedidos[0]

    def _read_by_conditions(self, documento: Any) -> set[Passos]:
        """The places whose value `reconhecer` reads: one that need only be there (`*`) is read by nobody."""
        return {achado.passos for rota, valor in self._condicoes if valor != QUALQUER for achado in rota.find(documento)}

    def _whole(
        self, documento: Any, pedidos: Sequence[PedidoLido], usados: set[Passos], problemas: Sequence[Problema], itens: Sequence[Passos]
    ) -> Lido:
        sobras = [sobra for sobra in leaves(documento) if not _empty(sobra.valor) and not _is_used(sobra.passos, usados)]
        tree = _tree_of(sobras)
        lugares = frozenset(itens)
        inteiros = [_with_leftovers(pedido, tree, lugares, self._forks(pedido.passos)) for pedido in pedidos]
        todos = dict.fromkeys([*problemas, *[problema for pedido in pedidos for problema in pedido.problemas]])
        return Lido(tuple(inteiros), tuple([Sobra(written(one.passos), one.valor) for one in sobras]), tuple(todos))

    def _forks(self, passos: Passos) -> frozenset[int]:
        return frozenset() if self._itens is None else forks_of(self._itens, passos)

    def _refuse_strange(self, leitura: _Leitura, item: Achado) -> None:
        """Refuse what stands among the items and is no pedido: nothing of it is what the fields read from an item."""
        size = len(item.passos)
        inside = [one for one in self._campos if one.looks_into_the_item(self._itens)]
        may_lack_it = isinstance(item.valor, dict) and any(one.campo.senao is not None for one in inside)
        if self._itens is None or not inside or may_lack_it or any(passos[:size] == item.passos for passos in leitura.usados):
            return
        mensagem = (
            "Neste item não há nada do que os campos leem de um item: tire-o da lista, ou confira os caminhos que começam em `$item`."
        )
        leitura.problemas.append(Problema("item_sem_pedido", written(item.passos), mensagem, grave=True))

    @property
    def _shared_id(self) -> bool:
        """Whether the id of a pedido is that of what some items stand in, and not of all of them."""
        return any(one.destino == "pedido_id" and one.ramo is not None and one.ramo.passos > 0 for one in self._campos)

    @property
    def _own_id(self) -> bool:
        """Whether each item says the id of its pedido by itself."""
        return any(one.destino == "pedido_id" and one.rota is not None and one.rota.do_item for one in self._campos)

    def _nodes(self, documento: Any) -> tuple[list[Achado], list[Problema]]:
        if self._itens is None:
            return [Achado((), documento)], []
        found = self._itens.find(documento)  # an item that is null keeps its number: it stands for one of somebody else's
        empty = [achado for achado in found if achado.valor is None]
        if not found and (lista := in_the_way(self._itens, documento)) is not None:
            mensagem = (
                f"Aqui há uma lista de {len(lista.valor)}, e o caminho de `itens` espera um só: passe por ela (`[*]`), ou mande em partes."
            )
            return [], [Problema("lista_no_caminho", written(lista.passos), mensagem, grave=True)]
        if len(empty) == len(found):
            mensagem = "Nenhum item foi encontrado neste caminho de `itens`: confira se o documento o tem, e se é uma lista."
            return [], [Problema("sem_itens", self._itens.texto, mensagem, grave=True)]
        if len(found) > MOST_ITEMS:
            mensagem = f"Há mais de {MOST_ITEMS} itens; mande em partes."
            return [], [Problema("itens_demais", self._itens.texto, mensagem, grave=True)]
        lists = [achado for achado in found if isinstance(achado.valor, list)]
        if lists:
            mensagem = f"`itens` encontra uma lista, e não o que há nela: acabe o caminho com `[*]` ({self._itens.texto}[*])."
            return [], [Problema("lista_em_vez_de_itens", written(lists[0].passos), mensagem, grave=True)]
        mensagem = "Este item está vazio (`null`): tire-o da lista, ou mande o pedido que faltou."
        return found, [Problema(ITEM_VAZIO, written(achado.passos), mensagem, grave=True) for achado in empty[:_SHOWN_NODES]]

    def _pedido(
        self,
        documento: Any,
        item: Achado,
        recebido_em: str,
        usados: set[Passos],
        numero: int,
        de: int,
        sufixo: int | None,
        comum: _Comum | None = None,
    ) -> PedidoLido:
        leitura = _Leitura(documento, item, recebido_em, self._forks(item.passos), _Comum() if comum is None else comum)
        total: _Compilado | None = None
        bruto: Bruto = {"administradora_id": self.mapeamento.administradora}
        for one in self._campos:
            valor = leitura.value_of(one, self._situacoes)
            if valor is not None:
                _put(bruto, one.destino, valor)
            if one.campo.calcular == CALCULADOS[VALOR]:
                total = one
            if one.destino == _FIRST:
                leitura.data_pedido = read_date(valor) or recebido_em
        if total is not None:
            leitura.multiply(total, bruto)
        usados |= leitura.usados
        self._refuse_strange(leitura, item)
        ending = sufixo if sufixo is not None else 0 if self._own_id or de == 1 else numero
        if ending:
            bruto = _with_ending(bruto, ending)
        return PedidoLido(bruto, leitura.origem, tuple(leitura.problemas), item.passos, leitura.pessoa(), numero, de, sufixo)


class _Comum:
    """What the items of one document share and is read once: what paths beside them find, and the history that stands there."""

    def __init__(self) -> None:
        self.achados: dict[tuple[str, Passos], list[Achado]] = {}
        self.historicos: dict[int, tuple[list[Any] | None, Sequence[Problema]]] = {}


class _Leitura:
    """The reading of one item; it lives as long as a call of `Leitor.read`."""

    def __init__(self, documento: Any, item: Achado, recebido_em: str, forks: frozenset[int], comum: _Comum) -> None:
        self._raiz = documento
        self._item = item
        self._forks = forks
        self._comum = comum
        self._recebido_em = recebido_em
        self.data_pedido = recebido_em
        self.usados: set[Passos] = set()
        self.origem: dict[str, str] = {}
        self.problemas: list[Problema] = []
        self._deles: list[Passos] = []

    def value_of(self, one: _Compilado, situacoes: Mapping[str, Simples]) -> Any:
        """What the pedido has of a field, None where nothing."""
        if one.nomes:
            return self._marcados(one, situacoes)
        if one.rota is None:
            return one.campo.valor
        achados = self._found(one.rota, one.ramo)
        if all(_empty(achado.valor) for achado in achados):
            self._tell_why_nothing(one, one.rota, one.ramo)
        if len(achados) >= MOST_NODES:
            self._refuse("valores_demais", one, f"O caminho de `{one.destino}` encontra {MOST_NODES} valores ou mais; mande em partes.")
        if one.destino.startswith("beneficiario."):
            self._deles += [achado.passos[:-1] for achado in achados]
        is_none = one.destino == HISTORICO and self._is_empty_history(one, achados)
        found = achados
        achados = [_text_of(achado) if not one.partes else achado for achado in achados if not _empty(achado.valor)]
        self.usados.update([achado.passos for achado in achados])
        if one.campo.separador is not None:
            achados = [part for achado in achados for part in _split(achado, one.campo.separador)]
        valor = [] if is_none else self._valor(one, found, achados, situacoes)
        if valor is not None:
            is_list = one.destino in _LISTAS
            self.origem[one.destino] = self._written_here(one, one.rota) if is_list else written(achados[0].passos)
            return valor
        if one.campo.senao is not None and not achados:
            return [one.campo.senao] if one.destino == DOCUMENTOS else one.campo.senao
        return None

    def _valor(self, one: _Compilado, found: list[Achado], achados: Sequence[Achado], situacoes: Mapping[str, Simples]) -> Any:
        if one.destino == DOCUMENTOS:
            return self._documentos(one, achados, situacoes)
        if one.destino in _LISTAS:
            return _as_list(achados) if one.destino != HISTORICO else self._historico_once(one, found, achados)
        return self._single(one, achados)

    def _found(self, rota: Rota, ramo: Ramo | None) -> list[Achado]:
        """What a path finds for this item: in it, in what it stands in, or beside all items; never in another one's branch."""
        if rota.do_item:
            return rota.find(self._item.valor, self._item.passos)
        if ramo is None:
            return rota.find(self._raiz)
        above = self._item.passos[: ramo.passos]
        known = self._comum.achados
        found = known.get((rota.texto, above))
        if found is None:
            found = known[rota.texto, above] = ramo.resto.find(_at(self._raiz, above), above)
        if ramo.escolhe:
            return found
        own = [achado for achado in found if leaves_branch(achado.passos, self._item.passos, self._forks) is None]
        return found if len(own) == len(found) else own

    def _historico_once(self, one: _Compilado, found: list[Achado], achados: Sequence[Achado]) -> list[Any] | None:
        """`_historico`, read once for all items that share what their path found."""
        shared = self._comum.historicos
        if (known := shared.get(id(found))) is not None:
            self.problemas += known[1]
            return known[0]
        before = len(self.problemas)
        usos = self._historico(one, achados)
        if any(found is kept for kept in self._comum.achados.values()):  # what is kept lives on, and so its id is of nothing else
            shared[id(found)] = usos, self.problemas[before:]
        return usos

    def _tell_why_nothing(self, one: _Compilado, rota: Rota, ramo: Ramo | None) -> None:
        """Refuse a list of several that a path stumbles over, where a name was expected; tell an urgency that did not come."""
        if rota.do_item or ramo is None:
            lista = in_the_way(rota, self._item.valor, self._item.passos) if rota.do_item else in_the_way(rota, self._raiz)
        else:
            above = self._item.passos[: ramo.passos]
            lista = in_the_way(ramo.resto, _at(self._raiz, above), above)
        if lista is not None:
            mensagem = (
                f"Aqui há uma lista de {len(lista.valor)}, e o caminho de `{one.destino}` espera um só: "
                "escolha um dos seus itens (`[0]`, ou um filtro), ou diga `itens`."
            )
            self._refuse("lista_no_caminho", one, mensagem, lista)
        elif one.destino == URGENCIA and one.campo.senao is None:
            mensagem = "A urgência não veio, e o pedido segue como não urgente: diga `senao: false`, se é isso que a falta dela quer dizer."
            self.problemas.append(Problema("urgencia_ausente", rota.texto, mensagem))

    def _is_empty_history(self, one: _Compilado, achados: Sequence[Achado]) -> bool:
        """Whether what holds the uses came and holds none, which says that there were none; what did not come says nothing."""
        if one.rota is None or any(not _empty(achado.valor) for achado in achados):
            return False
        if achados:
            return all(achado.valor in ([], {}) for achado in achados)
        for place, ramo in one.lugares:
            found = self._found(place, ramo)
            if found:
                return all(type(achado.valor) in (list, dict) and not achado.valor for achado in found)
        return False

    def _written_here(self, one: _Compilado, rota: Rota) -> str:
        """A path as it was written, from what the item stands in or from the item that it starts at."""
        if rota.do_item:
            return f"{written(self._item.passos)}{rota.texto.removeprefix(ITEM)}"
        if one.ramo is None or not one.ramo.passos:
            return rota.texto
        return f"{written(self._item.passos[: one.ramo.passos])}{one.ramo.resto.texto.removeprefix('$')}"

    def pessoa(self) -> Bruto:
        """What stands beside the fields of the beneficiário: in an object of theirs, or in the pedido itself where it has none."""
        found: Bruto = {}
        for passos in dict.fromkeys(self._deles):
            node = _at(self._raiz, passos)
            if not isinstance(node, dict):
                continue
            if passos in ((), self._item.passos):
                found |= {nome: valor for nome, valor in node.items() if not isinstance(valor, dict | list)}
            else:
                found[f"beneficiario{len(found)}"] = node
        return found

    def _single(self, one: _Compilado, achados: Sequence[Achado]) -> Any:
        if not achados:
            return None
        if len(achados) > 1:
            lugares = ", ".join([f"`{written(achado.passos)}`" for achado in achados[:_SHOWN_NODES]])
            mais = f" e mais {len(achados) - _SHOWN_NODES}" if len(achados) > _SHOWN_NODES else ""
            mensagem = f"`{one.destino}` deve ter um valor só, e o caminho encontra {len(achados)}: {lugares}{mais}."
            return self._refuse("varios_valores", one, mensagem)
        achado = achados[0]
        if isinstance(achado.valor, list | dict):
            what, fix = ("uma lista", "escolha um dos seus itens") if isinstance(achado.valor, list) else ("um objeto", "entre nele")
            mensagem = f"`{one.destino}` deve ser um valor só, e aqui há {what}: {fix}, ou diga `itens`."
            return self._refuse(f"{'lista' if isinstance(achado.valor, list) else 'objeto'}_em_vez_de_valor", one, mensagem, achado)
        valor = _cleaned(achado.valor, one.campo.limpar)
        if valor == "":
            return one.campo.senao
        if one.destino in _IDS and not _is_plain(valor):
            mensagem = f"`{one.destino}` tem mais de {_LONGEST_ID} caracteres, ou caracteres que não se veem: confira o que veio daqui."
            return self._refuse("texto_invalido", one, mensagem, achado)
        valor = self._by_dictionary(one.destino, one.dicionario, valor, achado)
        if one.destino == URGENCIA and not one.dicionario and is_bare_number(valor) and not says_urgency(written(achado.passos)):
            mensagem = (
                "Aqui há um número, e `urgencia` não sabe o que ele quer dizer (1 pode ser eletivo): diga em `valores` o que é cada um."
            )
            self.problemas.append(Problema("falta_dicionario", written(achado.passos), mensagem))
            return {NAO_LIDO: valor}
        if one.destino == CODIGO and isinstance(valor, str) and _ROUNDED.fullmatch(valor):
            mensagem = (
                "O código foi arredondado por uma planilha (como `1,01E+07`) e se perdeu: formate a coluna como texto e mande de novo."
            )
            self.problemas.append(Problema("codigo_arredondado", written(achado.passos), mensagem))
            return None
        if one.formato is not None or one.campo.calcular in DE_DATA.values():
            return self._date(one, valor, achado)
        return day_in_brasilia(valor) or valor if one.destino in INSTANTES else valor

    def _refuse(self, codigo: str, one: _Compilado, mensagem: str, achado: Achado | None = None) -> None:
        caminho = written(achado.passos) if achado is not None else one.rota.texto if one.rota is not None else one.destino
        self.problemas.append(Problema(codigo, caminho, mensagem, grave=True))

    def _by_dictionary(self, destino: str, dicionario: Mapping[str, Simples], valor: Any, achado: Achado) -> Any:
        if not dicionario or isinstance(valor, list | dict):
            return valor
        word = fold_word(valor)
        if word in dicionario:
            return dicionario[word]
        if word not in {fold_word(known) for known in dicionario.values()}:
            varios = " (se traz vários, diga o `separador`)" if destino in SEPARAVEIS and _SEVERAL.search(str(valor)) else ""
            mensagem = f"O valor daqui não está no dicionário de `{destino}`, e segue como veio: acrescente-o em `valores`{varios}."
            self.problemas.append(Problema("valor_fora_do_dicionario", written(achado.passos), mensagem))
        return valor

    def _date(self, one: _Compilado, valor: Any, achado: Achado) -> Any:
        """A date by its pattern, or what is counted from it; what is not read here stays unread, so that RF1 reads it no other way."""
        born = one.destino.startswith("beneficiario.")
        last = self._recebido_em if born else f"{int(self._recebido_em[:4]) + _YEARS_AHEAD}{self._recebido_em[4:]}"
        day: str | None
        if one.destino in INSTANTES and (local := day_in_brasilia(valor)) is not None:
            day = local
        elif one.formato is not None:
            day = one.formato.read(valor, last)
            if day is None and isinstance(valor, str) and _ISO.fullmatch(valor.strip()):
                day = read_date(valor)  # a date that begins with its year says the same in any pattern
        else:
            day = read_date(valor, self._recebido_em)
        if day is None:
            pattern = f" como `{one.formato.texto}`" if one.formato is not None else ""
            mensagem = f"A data daqui não está escrita{pattern}, e `{one.destino}` não pôde ser lido: confira o formato."
            self.problemas.append(Problema("data_fora_do_formato", written(achado.passos), mensagem))
            return {NAO_LIDO: valor}
        if one.campo.calcular is None:
            return day
        counted = years_between(day, self.data_pedido) if one.campo.calcular == "idade" else _days_between(day, self.data_pedido)
        if counted < 0 or (one.campo.calcular == "idade" and counted > MAX_IDADE):
            future = "é depois da data do pedido" if counted < 0 else "é antiga demais"
            mensagem = f"A data daqui {future}, e `{one.destino}` não pode ser contado dela: confira a data e o formato."
            self.problemas.append(Problema("calculo_impossivel", written(achado.passos), mensagem))
            return {NAO_LIDO: valor, FUTURO: True} if counted < 0 else {NAO_LIDO: valor}
        return counted

    def multiply(self, one: _Compilado, bruto: Bruto) -> None:
        """Put the whole value of a pedido in the place of that of one unit; where either cannot be read, nothing that could pass for it."""
        procedimento = bruto.get("procedimento", {})
        unitario, quantidade = procedimento.get("valor"), read_number(procedimento.get("quantidade"))
        if unitario is None:
            return
        each = read_reais(unitario)
        if each is None or quantidade is None:
            mensagem = f"`{one.destino}` é este valor vezes a quantidade, e um dos dois não pôde ser lido: confira-os."
            self.problemas.append(Problema("calculo_impossivel", self.origem.get(one.destino, ""), mensagem))
            procedimento["valor"] = {NAO_LIDO: unitario}
            return
        product = Decimal(str(each)) * Decimal(str(quantidade))
        procedimento["valor"] = int(product) if product == int(product) else float(product)

    def _documentos(self, one: _Compilado, achados: Sequence[Achado], situacoes: Mapping[str, Simples]) -> list[Any] | None:
        found: list[Any] = []
        for achado in achados:
            if one.campo.nomes:
                if isinstance(achado.valor, dict):
                    for nome, valor in achado.valor.items():
                        found += self._marcado(one, nome, Achado((*achado.passos, nome), valor), situacoes)
                else:
                    self._refuse("valor_em_vez_de_objeto", one, f"Com `nomes`, `{one.destino}` deve ser um objeto.", achado)
                continue
            inner = enumerate(achado.valor) if isinstance(achado.valor, list) else [(None, achado.valor)]
            for posicao, valor in inner:
                at = achado if posicao is None else Achado((*achado.passos, posicao), valor)
                if not _empty(valor):
                    found.append(self._documento(one, at, situacoes))
        return found or None

    def _marcados(self, one: _Compilado, situacoes: Mapping[str, Simples]) -> list[Any] | None:
        """The documents whose names the mapping says, each by the one value that tells whether it came."""
        found: list[Any] = []
        lugares: list[str] = []
        for nome, (rota, ramo) in one.nomes.items():
            every = self._found(rota, ramo)
            if not every:
                self._tell_why_nothing(one, rota, ramo)
            achados = [achado for achado in every if not _empty(achado.valor)]
            self.usados.update([achado.passos for achado in achados])
            lugares += [written(achado.passos) for achado in achados[:1]]
            if len(achados) > 1:
                mensagem = f"O que diz se `{nome}` veio deve ser um valor só, e o caminho encontra {len(achados)}."
                self._refuse("varios_valores", one, mensagem, achados[0])
            for achado in achados[:1]:
                found += self._marcado(one, nome, achado, situacoes)
        if found:
            self.origem[one.destino] = ", ".join(lugares)
        if not lugares and one.campo.senao is not None:
            return [one.campo.senao]
        return found or None

    def _marcado(self, one: _Compilado, nome: str, achado: Achado, situacoes: Mapping[str, Simples]) -> list[Any]:
        """A document known by its name, as what stands there tells whether it came; none where that is a no."""
        valor = achado.valor
        if _empty(valor):
            return []
        if isinstance(valor, list):
            each = [self._marcado(one, nome, Achado((*achado.passos, at), inner), situacoes) for at, inner in enumerate(valor)]
            return [documento for documentos in each for documento in documentos]
        if isinstance(valor, dict):
            documento = self._documento(one, achado, situacoes)
        else:
            documento = {}
            for parte, rota in one.partes.items():
                if rota.find(valor) and parte != "status":  # `@` alone, which is the value itself
                    documento[parte] = valor
            if not documento and not self._came(one, documento, achado, situacoes):
                return []
        tipo = self._by_dictionary(one.destino, one.dicionario, nome, achado)
        return [{**documento, "tipo": tipo} if documento else tipo]

    def _came(self, one: _Compilado, documento: Bruto, achado: Achado, situacoes: Mapping[str, Simples]) -> bool:
        """Whether a value that tells whether a document came is no plain no; what else it says of the document is put into it."""
        valor = situacoes.get(fold_word(achado.valor), achado.valor)
        flag = True if fold_word(valor) in _TICKS else read_boolean(valor)
        if flag is not None:
            return flag
        if knows_situacao(valor):
            documento["status"] = valor
        elif not _is_content(valor):
            documento.update({"status": valor, "anexado": False})
            mensagem = (
                f"Daqui não dá para saber se o documento veio, e ele não conta: diga em `valores`, em `{one.destino}.status`, "
                "o que este valor é (ANEXADO, PENDENTE, RECUSADO, true ou false)."
            )
            self.problemas.append(Problema("situacao_ilegivel", written(achado.passos), mensagem))
        return True

    def _historico(self, one: _Compilado, achados: Sequence[Achado]) -> list[Any] | None:
        """What was used before, each as an object of the names that a regra's check reads: `codigo`, `data`, `quantidade`."""
        usos = [(achado.passos, achado.valor) for achado in achados if not isinstance(achado.valor, list)]
        for achado in achados:
            if isinstance(achado.valor, list):
                usos += [((*achado.passos, posicao), valor) for posicao, valor in enumerate(achado.valor)]
        found: list[Any] = []
        for passos, valor in usos:
            uso: Bruto = dict(valor) if isinstance(valor, dict) and not one.partes else {}
            for parte, rota in one.partes.items():
                inner = [_text_of(one) for one in rota.find(valor, passos) if not _empty(one.valor)]
                if len(inner) == 1 and not isinstance(inner[0].valor, list | dict):
                    uso[parte] = self._of_use(one, parte, inner[0])
                elif inner:
                    lugares = ", ".join([f"`{written(found.passos)}`" for found in inner[:_SHOWN_NODES]])
                    self._refuse("varios_valores", one, f"`{parte}` de um uso deve ser um valor só, e há {lugares}.", Achado(passos, valor))
            found.append(uso or valor)
        return found or None

    def _of_use(self, one: _Compilado, parte: str, achado: Achado) -> Any:
        if parte == "data" and one.formato is not None:
            return self._date(one, achado.valor, achado)
        if parte == "quantidade":  # a point is part of a number, and only of a code to be thrown away
            return _cleaned(achado.valor, [texto for texto in one.campo.limpar if any(map(str.isalpha, texto))])
        return _cleaned(achado.valor, one.campo.limpar) if parte == "codigo" else achado.valor

    def _documento(self, one: _Compilado, achado: Achado, situacoes: Mapping[str, Simples]) -> Any:
        if not isinstance(achado.valor, dict):
            valor = _cleaned(achado.valor, one.campo.limpar)
            return self._by_dictionary(one.destino, one.dicionario, valor, achado)
        documento: Bruto = dict(achado.valor)
        for parte, rota in one.partes.items():
            inner = [_text_of(one) for one in rota.find(achado.valor, achado.passos) if not _empty(one.valor)]
            if len(inner) > 1 or (inner and isinstance(inner[0].valor, list | dict)):
                lugares = ", ".join([f"`{written(found.passos)}`" for found in inner[:_SHOWN_NODES]])
                self._refuse("varios_valores", one, f"`{parte}` de um documento deve ser um valor só, e há {lugares}.", achado)
            elif inner:
                known = one.dicionario if parte == "tipo" else situacoes if parte == "status" else {}
                nome = one.destino if parte == "tipo" else f"{one.destino}.{parte}"
                if len(inner[0].passos) > len(achado.passos):
                    documento.pop(str(inner[0].passos[-1]), None)
                dito = _cleaned(inner[0].valor, one.campo.limpar) if parte == "tipo" else inner[0].valor
                documento[parte] = self._by_dictionary(nome, known, dito, inner[0])
        if not one.partes and isinstance(documento.get("tipo"), str):
            documento["tipo"] = self._by_dictionary(one.destino, one.dicionario, documento["tipo"], achado)
        if "status" not in one.partes and situacoes and not _empty(documento.get("status")):
            documento["status"] = self._by_dictionary(f"{one.destino}.status", situacoes, documento["status"], achado)
        if "status" in one.partes or situacoes:
            _answer_yes_or_no(documento)
        return documento


def _is_plain(valor: Any) -> bool:
    """Whether what names something can be shown and compared: short, and without marks of control or of direction."""
    return not isinstance(valor, str) or (len(valor) <= _LONGEST_ID and without_unseen(valor) == valor and all(map(is_writable, valor)))


def is_bare_number(valor: Any) -> bool:
    """Whether a value is a figure, which is a yes or a no only by agreement; `true` and `false` of JSON are none."""
    return type(valor) in (int, float) or (isinstance(valor, str) and valor.strip().isdecimal())


def says_urgency(caminho: str) -> bool:
    """Whether a path ends in a name that asks whether it is urgent, which 1 and 0 then answer; `carater` or `tipo` do not ask that."""
    return any(word.startswith(("urg", "emerg")) for word in fold_field(last_name(caminho)).split("_"))


def _compile(destino: str, campo: Campo, mapeamento: Mapeamento, itens: Rota | None) -> _Compilado:
    partes = {parte: compile_rota(f"${caminho[1:]}") for parte in (*PARTES, *DO_USO) if (caminho := getattr(campo, parte)) is not None}
    rota = None if campo.de is None else compile_rota(campo.de, do_item=itens is not None)
    ditos = campo.nomes if isinstance(campo.nomes, dict) else {}
    marcas = {nome: compile_rota(caminho, do_item=itens is not None) for nome, caminho in ditos.items()}
    return _Compilado(
        destino,
        campo,
        rota,
        None if campo.formato is None else compile_formato(campo.formato),
        partes,
        _folded(mapeamento.valores.get(destino, {})),
        _branch(rota, itens),
        {nome: (one, _branch(one, itens)) for nome, one in marcas.items()},
        _own_holders(mapeamento, rota, itens) if destino == HISTORICO and rota is not None else (),
    )


def _own_holders(mapeamento: Mapeamento, rota: Rota, itens: Rota | None) -> list[tuple[Rota, Ramo | None]]:
    """What holds the uses alone, and no other field: where it is empty there were none."""
    others = [lugar for destino, campo in mapeamento.campos.items() if destino != HISTORICO for lugar in places_of(campo)]
    others += [*mapeamento.reconhecer, *([] if mapeamento.itens is None else [mapeamento.itens])]
    found: list[tuple[Rota, Ramo | None]] = []
    for lugar in holders(rota):
        if any(other == lugar.texto or other.startswith((f"{lugar.texto}.", f"{lugar.texto}[")) for other in others):
            break
        found.append((lugar, _branch(lugar, itens)))
    return found


def _branch(rota: Rota | None, itens: Rota | None) -> Ramo | None:
    return None if rota is None or rota.do_item or itens is None else branch_of(rota, itens)


def _folded(dicionario: Mapping[str, Simples]) -> dict[str, Simples]:
    return {fold_word(palavra): valor for palavra, valor in dicionario.items()}


def _holds(rota: Rota, valor: Simples, documento: Any) -> bool:
    every = [_text_of(achado).valor for achado in rota.find(documento)]
    found = [one for one in every if not isinstance(one, dict | list) or valor == QUALQUER]
    if valor == QUALQUER:
        return any(not _empty(one) for one in found)
    word = fold_word(valor)
    return any(one is not None and fold_word(one) == word for one in found)


def _text_of(achado: Achado) -> Achado:
    """Of an element of XML that has attributes beside its text, the text, as of one that has none."""
    valor = achado.valor
    if isinstance(valor, dict) and TEXTO in valor and all(nome == TEXTO or nome.startswith("@") for nome in valor):
        return Achado((*achado.passos, TEXTO), valor[TEXTO])
    return achado


def told_apart(pedidos: Sequence[PedidoLido]) -> list[PedidoLido]:
    """The pedidos of one sending, those of one id numbered among themselves; told, where the id is of each and came again.

    One that repeats an id would pass for the same pedido sent again, and take its place in what is counted.
    """
    ids = [None if pedido.bruto.get("pedido_id") is None else _id_of(pedido) for pedido in pedidos]
    many, seen = Counter(ids), Counter[str]()
    found: list[PedidoLido] = []
    for pedido, um in zip(pedidos, ids, strict=True):
        if um is None or many[um] == 1:
            found.append(pedido)
            continue
        seen[um] += 1
        problemas = pedido.problemas
        if pedido.sufixo is None:
            mensagem = f"O número deste pedido vem em {many[um]} deste envio: eles são numerados `-1`, `-2`…, e cada um é decidido por si."
            problemas = (*problemas, Problema("numero_repetido", pedido.origem.get("pedido_id", "pedido_id"), mensagem))
        found.append(replace(pedido, bruto=_with_ending(pedido.bruto, seen[um]), sufixo=seen[um], problemas=problemas))
    return found


def _id_of(pedido: PedidoLido) -> str:
    return str(pedido.bruto.get("pedido_id"))


def _with_ending(bruto: Bruto, ending: int) -> Bruto:
    """The pedido with its id, where it has one, told apart from those that came with it."""
    if not isinstance(bruto.get("pedido_id"), str | int):
        return bruto
    return {**bruto, "pedido_id": f"{bruto['pedido_id']}-{ending}"}


def _with_leftovers(pedido: PedidoLido, sobras: _Tree, itens: frozenset[Passos], forks: frozenset[int]) -> PedidoLido:
    """The pedido with what nobody used of its own item and of what is common to all, as an unknown field that RF1 keeps."""
    own = islice(_of_branch(sobras, (), pedido.passos, itens, forks), MOST_KEPT)
    kept = {written(one.passos): one.valor for one in own}
    return replace(pedido, bruto={**pedido.bruto, NAO_USADOS: kept}) if kept else pedido


def _tree_of(achados: Iterable[Achado]) -> _Tree:
    """Values by the steps to each, in their order: an item looks into its own branch, and not through all there are."""
    root: _Tree = {}
    for achado in achados:
        if not achado.passos:
            return achado
        *ate, ultimo = achado.passos
        node: Any = root
        for passo in ate:
            node = node.setdefault(passo, {})
        node[ultimo] = achado
    return root


def _of_branch(node: _Tree, at: Passos, item: Passos, itens: frozenset[Passos], forks: frozenset[int]) -> Iterator[Achado]:
    """What stands in an item or beside all of them, of a tree below `at`; never what is in another item's place."""
    if isinstance(node, Achado):
        yield node
        return
    on_the_way = len(at) < len(item) and item[: len(at)] == at
    own = item[len(at)] if on_the_way else None
    steps: Iterable[str | int] = node
    if on_the_way and len(at) in forks:
        steps = (own,) if own in node else ()
    for passo in steps:
        here = (*at, passo)
        if here == item or here not in itens:
            yield from _of_branch(node[passo], here, item, itens, forks)


def _is_used(passos: Passos, usados: set[Passos]) -> bool:
    return any(passos[:size] in usados for size in range(len(passos) + 1))


def _at(node: Any, passos: Passos) -> Any:
    for passo in passos:
        node = node[passo]
    return node


def _emptied(documento: Any, rota: Rota) -> Any:
    """A document of XML in which an element without anything, at a path, is one that holds nothing and no blank text."""
    for achado in rota.find(documento):
        if achado.valor == "" and achado.passos:
            documento = _put_at(documento, achado.passos, {})
    return documento


def _put_at(node: Any, passos: Passos, valor: Any) -> Any:
    """A copy with a value at a place; what is not on the way is not copied."""
    if not passos:
        return valor
    copied: Any = dict(node) if isinstance(node, dict) else list(node)
    copied[passos[0]] = _put_at(node[passos[0]], passos[1:], valor)
    return copied


def _without(node: Any, places: Iterable[Passos]) -> Any:
    """A copy with null at some places; what is not on the way is not copied."""
    by_step: dict[str | int, list[Passos]] = {}
    for passos in places:
        if not passos:
            return None
        by_step.setdefault(passos[0], []).append(passos[1:])
    if not by_step:
        return node
    copied: Any = dict(node) if isinstance(node, dict) else list(node)
    for passo, rest in by_step.items():
        copied[passo] = _without(node[passo], rest)
    return copied


def _put(bruto: Bruto, destino: str, valor: Any) -> None:
    objeto, _, nome = destino.rpartition(".")
    (bruto.setdefault(objeto, {}) if objeto else bruto)[nome] = valor


def _empty(valor: Any) -> bool:
    return valor is None or valor in ([], {}) or (isinstance(valor, str) and not valor.strip())


def _answer_yes_or_no(documento: Bruto) -> None:
    """A situation that is a yes or a no, as RF1 reads whether a document came."""
    flag = read_boolean(documento.get("status"))
    if flag is not None:
        del documento["status"]
        if not flag:
            documento["anexado"] = False


def _is_content(valor: Any) -> bool:
    """Whether a value is a document itself, or where it is: an address, the name of a file, or a long text without blanks."""
    return isinstance(valor, str) and _CONTENT.fullmatch(valor.strip()) is not None


def _split(achado: Achado, separador: str) -> list[Achado]:
    """The several values that one text holds, of what it holds in a list too; blank ones are none."""
    if isinstance(achado.valor, list):
        return [part for at, valor in enumerate(achado.valor) for part in _split(Achado((*achado.passos, at), valor), separador)]
    if not isinstance(achado.valor, str):
        return [achado]
    return [Achado(achado.passos, part.strip()) for part in achado.valor.split(separador) if part.strip()]


def _as_list(achados: Sequence[Achado]) -> Any:
    if not achados:
        return None
    return achados[0].valor if len(achados) == 1 else [achado.valor for achado in achados]


def _cleaned(valor: Any, limpar: Sequence[str]) -> Any:
    if isinstance(valor, str):
        for texto in limpar:
            valor = re.sub(re.escape(texto), "", valor, flags=re.IGNORECASE)
        return valor.strip()
    return valor


def _days_between(day: str, until: str) -> int:
    return (date.fromisoformat(until) - date.fromisoformat(day)).days
