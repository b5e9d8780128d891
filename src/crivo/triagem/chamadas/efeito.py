"""What another wording of an edital would come to, over projects as they were read: nothing is stored, and nobody is judged by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from crivo.kernel.errors import Problem
from crivo.triagem.achados import Habilitacao, HabilitacaoSugerida, ItemHabilitacao
from crivo.triagem.chamadas.declarado import avisos_of
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada, Requisito, RequisitoDocumento, Value
from crivo.triagem.habilitacao import habilitar
from crivo.triagem.habilitacao.sugestao import suggest
from crivo.triagem.habilitacao.tipos import tipos_of

LISTADOS_MAXIMO: Final = 200
"""How many changed projects, or files, are named; the others are counted."""
Estado = Literal["atende", "nao_atende", "nao_lido", "nao_pedido"]
ESTADOS: Final[tuple[Estado, ...]] = ("atende", "nao_atende", "nao_lido", "nao_pedido")


class Passagem(Value, frozen=True):
    """A project of which a requisito comes to something else than before; `achado` says in pt-BR what was found."""

    projeto: str
    antes: Estado
    depois: Estado
    achado: str


class EfeitoDoRequisito(Value, frozen=True):
    """How many projects of each state, before (None where the requisito is new) and after; the first that change, and how many do."""

    requisito: Requisito
    antes: Mapping[Estado, int] | None
    depois: Mapping[Estado, int]
    mudam: tuple[Passagem, ...]
    quantos_mudam: int


class EfeitoDoTipo(Value, frozen=True):
    """A type of the edital's own: the first files that its words tell, by project and requisito, and how many there are."""

    tipo: str
    nome: str
    conhecidos: tuple[tuple[str, str], ...]
    quantos: int


class Mudanca(Value, frozen=True):
    """A project whose suggestion would be another."""

    projeto: str
    antes: HabilitacaoSugerida
    depois: HabilitacaoSugerida


class Efeito(Value, frozen=True):
    """The effect over the `vistos` projects of `total`; `por_ler` have files that nobody read yet.

    `avisos`: what the wording speaks of and no project has, or the other way round, by the path of an import.
    """

    total: int
    vistos: int
    por_ler: int
    requisitos: tuple[EfeitoDoRequisito, ...]
    tipos: tuple[EfeitoDoTipo, ...]
    antes: Mapping[HabilitacaoSugerida, int]
    depois: Mapping[HabilitacaoSugerida, int]
    mudam: tuple[Mudanca, ...]
    quantos_mudam: int
    avisos: tuple[Problem, ...] = ()


class Medidor:
    """Holds projects, one by one, against both wordings."""

    def __init__(self, antes: Chamada, depois: Chamada) -> None:
        self._antes, self._depois = antes, depois
        self._known = {one.id for one in antes.requisitos}
        self._before = {one.id: Counter[Estado]() for one in antes.requisitos}
        self._after = {one.id: Counter[Estado]() for one in depois.requisitos}
        self._passagens: dict[str, list[Passagem]] = {one.id: [] for one in depois.requisitos}
        self._suggested: tuple[Counter[HabilitacaoSugerida], Counter[HabilitacaoSugerida]] = (Counter(), Counter())
        self._mudam: list[Mudanca] = []
        self._campos: set[str] = set()
        self._of_tipo: dict[str, list[tuple[str, str]]] = {one.id: [] for one in depois.edital.documentos_proprios}
        self._alike = _alike(antes, depois)
        self.vistos = self.por_ler = 0

    def add(self, lido: ProjetoLido, *, por_ler: bool) -> None:
        """One project more; `por_ler`: some of its files were not read by anybody."""
        self.vistos += 1
        self.por_ler += por_ler
        self._campos |= lido.projeto.campos.keys()
        after = habilitar(self._depois.edital, self._depois.requisitos, lido)
        before = self._before_of(lido, after)
        now = {item.requisito: item for item in after.itens}
        was = {item.requisito: estado_of(item) for item in before.itens}
        for codigo, state in was.items():
            self._before[codigo][state] += 1
        for codigo, item in now.items():
            state = estado_of(item)
            self._after[codigo][state] += 1
            if codigo in was and was[codigo] != state:
                self._passagens[codigo].append(Passagem(lido.projeto.id, was[codigo], state, item.achado))
        self._suggested[0][before.habilitacao_sugerida] += 1
        self._suggested[1][after.habilitacao_sugerida] += 1
        if before.habilitacao_sugerida != after.habilitacao_sugerida:
            self._mudam.append(Mudanca(lido.projeto.id, before.habilitacao_sugerida, after.habilitacao_sugerida))
        self._find_own(lido)

    def efeito(self, total: int, categorias: Mapping[str, int] | None = None) -> Efeito:
        """What came of those that were added, of so many, which say these categorias."""
        return Efeito(
            total,
            self.vistos,
            self.por_ler,
            tuple([self._of_requisito(one) for one in self._depois.requisitos]),
            tuple([self._of_own(one.id, one.nome) for one in self._depois.edital.documentos_proprios]),
            dict(self._suggested[0]),
            dict(self._suggested[1]),
            tuple(self._mudam[:LISTADOS_MAXIMO]),
            len(self._mudam),
            avisos_of(self._depois, self._campos, categorias or {}, vistos=self.vistos, total=total),
        )

    def _before_of(self, lido: ProjetoLido, after: Habilitacao) -> Habilitacao:
        """What it came to before: what both wordings ask alike is not looked at again."""
        asked = self._antes.requisitos
        # A file sent for two requisitos counts for one of them, so that each of these depends on the other.
        sent = [file.sha256 for file in lido.documentos]
        alike = self._alike if len(set(sent)) == len(sent) else frozenset[str]()
        changed = tuple([one for one in asked if one.id not in alike])
        items = {item.requisito: item for item in after.itens}
        items |= {item.requisito: item for item in habilitar(self._antes.edital, changed, lido).itens}
        return suggest(lido.projeto.id, asked, [items[one.id] for one in asked])

    def _find_own(self, lido: ProjetoLido) -> None:
        if not self._of_tipo:
            return
        tipos = tipos_of(self._depois.edital.documentos_proprios)
        for file in lido.documentos:
            for tipo, known in self._of_tipo.items():
                if file.leitura == "lido" and tipos.bears_marks(file.texto, tipo):
                    known.append((lido.projeto.id, file.requisito or ""))

    def _of_requisito(self, requisito: Requisito) -> EfeitoDoRequisito:
        codigo = requisito.id
        changed = self._passagens[codigo]
        before = dict(self._before[codigo]) if codigo in self._known else None
        return EfeitoDoRequisito(requisito, before, dict(self._after[codigo]), tuple(changed[:LISTADOS_MAXIMO]), len(changed))

    def _of_own(self, tipo: str, nome: str) -> EfeitoDoTipo:
        known = self._of_tipo[tipo]
        return EfeitoDoTipo(tipo, nome, tuple(known[:LISTADOS_MAXIMO]), len(known))


def estado_of(item: ItemHabilitacao) -> Estado:
    """How a requisito stands with a project, where one that is not asked is told apart."""
    return item.situacao if item.pedido else "nao_pedido"


def _alike(antes: Chamada, depois: Chamada) -> frozenset[str]:
    """The requisitos that both wordings judge alike, by id: names and texts change nothing."""
    if (antes.edital.referencia, antes.edital.documentos_proprios) != (depois.edital.referencia, depois.edital.documentos_proprios):
        return frozenset()
    now = {one.id: _without_words(one) for one in depois.requisitos}
    return frozenset(one.id for one in antes.requisitos if now.get(one.id) == _without_words(one))


def _without_words(requisito: Requisito) -> Requisito:
    bare = msgspec.structs.replace(requisito, clausula="", descricao="")
    if isinstance(bare, RequisitoDocumento):
        return msgspec.structs.replace(bare, formatos=tuple(sorted(bare.formatos)))
    return bare
