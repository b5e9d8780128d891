"""What comes in, held against the published mappings: read by the one that recognises it, or left as it came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from crivo.autorizacoes.contracts import Value
from crivo.autorizacoes.leitura import Bruto, PedidoIlegivel
from crivo.autorizacoes.mapeamento.aplicacao import MOST_ITEMS, Leitor, Lido, PedidoLido, Problema, told_apart
from crivo.autorizacoes.mapeamento.documento import Mapeamento
from crivo.autorizacoes.mapeamento.midia import Documento, LinhasIgnoradas, read_documentos
from crivo.kernel.errors import Kind, Problem

_SHOWN: Final = 20


class ForaDoFormato(PedidoIlegivel):
    """A pedido that a mapping recognises and cannot read; `problemas` name the sender's own paths."""

    codigo: ClassVar[str] = "pedido_fora_do_formato"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O pedido não está como o mapeamento diz"


class FormatoAmbiguo(PedidoIlegivel):
    """A pedido that several published mappings recognise."""

    codigo: ClassVar[str] = "formato_ambiguo"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Mais de um mapeamento reconhece este pedido"


class FormatoNaoReconhecido(PedidoIlegivel):
    """What only a mapping could read, and none recognises."""

    codigo: ClassVar[str] = "formato_nao_reconhecido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Nenhum mapeamento publicado reconhece o que chegou"


class VariosPedidos(PedidoIlegivel):
    """Several pedidos where one alone can be taken."""

    codigo: ClassVar[str] = "varios_pedidos"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O que chegou traz mais de um pedido"

    def __init__(self, quantos: int) -> None:
        super().__init__(f"O que chegou traz {quantos} pedidos, e aqui se decide um de cada vez: envie-o pela API ou pelo comando.")


class Formato(Value, frozen=True, gc=False, omit_defaults=True):
    """How a pedido was read, as its trail keeps it: the mapping with its version and id, which item of how many, and from where.

    `problemas` are `codigo:caminho`, of what was told and stopped nothing; `sufixo` what its id ends in where that is not `item`.
    """

    mapeamento: str
    versao: int
    id: str
    origem: Mapping[str, str]
    item: int = 1
    itens: int = 1
    problemas: tuple[str, ...] = ()
    sufixo: int | None = None


@dataclass(frozen=True, slots=True)
class Publicado:
    """A mapping in force, compiled."""

    id: str
    versao: int
    leitor: Leitor


class MapeamentoPublicado(Value, frozen=True):
    """A mapping in force as it goes from process to process."""

    id: str
    versao: int
    mapeamento: Mapeamento


@dataclass(frozen=True, slots=True)
class Chegado:
    """One pedido of what came: what RF1 reads, the bytes to be kept of it, how it was read, and who it is about beside its fields.

    `parece` is the mapping that would have recognised it in a list, where none did as it came.
    """

    bruto: Bruto
    raw: bytes
    formato: Formato | None = None
    pessoa: Bruto | None = None
    parece: str = ""


@dataclass(frozen=True, slots=True)
class _Lida:
    """A pedido as a mapping read it, of which document, as it was looked into."""

    publicado: Publicado
    documento: Documento
    valor: Any
    lido: Lido
    pedido: PedidoLido


class Formatos:
    """The published mappings of a tenant."""

    def __init__(self, publicados: Sequence[MapeamentoPublicado] = ()) -> None:
        """Compile them."""
        self._publicados = tuple([Publicado(one.id, one.versao, Leitor(one.mapeamento)) for one in publicados])

    def __bool__(self) -> bool:
        """True where there is any."""
        return bool(self._publicados)

    def read(self, raw: bytes, bruto: Bruto | None, recebido_em: str) -> tuple[Chegado, ...]:
        """The pedidos in what came; `bruto` where it is an object of JSON that was read already, which may go on as it is.

        Raises `PedidoIlegivel` and those under it.
        """
        documentos = read_documentos(raw) if bruto is None else (Documento(raw, bruto, "json"),)
        lidas: list[_Lida | Chegado] = []
        recusas: list[tuple[int, PedidoIlegivel]] = []
        for documento in documentos:
            try:
                lidas += self._lidas(documento, recebido_em)
            except PedidoIlegivel as error:
                if documento.linha is None or len(documentos) == 1:  # a `lote` brings each row by itself, and numbers it itself
                    raise
                recusas.append((documento.linha, error))
        if recusas:
            raise _by_row(recusas)
        if not lidas:
            raise LinhasIgnoradas("Todas as linhas são das que o mapeamento diz que não são pedidos (`ignorar`). Nada foi decidido.")
        if len(lidas) > MOST_ITEMS:
            raise PedidoIlegivel(f"O que chegou traz mais de {MOST_ITEMS} pedidos; mande em partes.")
        pedidos = [one.pedido for one in lidas if isinstance(one, _Lida)]
        apart = iter(told_apart(pedidos) if len(documentos) > 1 else pedidos)  # those of one document are told apart already
        return tuple([one if isinstance(one, Chegado) else _parte(one, next(apart)) for one in lidas])

    def _in_a_list(self, valor: Any) -> str:
        """The mapping that would recognise an object if it came in a list, as its system sends them; empty for none."""
        return next((um.leitor.mapeamento.mapeamento for um in self._publicados if um.leitor.recognises([valor])), "")

    def read_again(self, raw: bytes, formato: Formato, recebido_em: str) -> Bruto:
        """The pedido that was read from stored bytes, once more by the mapping of then."""
        publicado = next(one for one in self._publicados if one.id == formato.id)
        documento = read_documentos(raw)[0]
        valor = _with_lists(publicado.leitor, documento, documento.looked_into)
        return publicado.leitor.read_one(valor, recebido_em, formato.item, formato.itens, formato.sufixo).bruto

    def _lidas(self, documento: Documento, recebido_em: str) -> Sequence[_Lida | Chegado]:
        looked_into = documento.looked_into
        known = [one for one in self._publicados if one.leitor.recognises(_with_lists(one.leitor, documento, looked_into))]
        if documento.midia == "csv" and any(one.leitor.ignores(looked_into) for one in known or self._publicados):
            return []
        if len(known) > 1:
            nomes = ", ".join([f"`{one.leitor.mapeamento.mapeamento}`" for one in known])
            raise FormatoAmbiguo(f"Este pedido é reconhecido por {nomes}: encerre os que não servem, ou aperte o `reconhecer` deles.")
        if not known:
            if documento.midia == "json" and type(documento.valor) is dict:
                return [Chegado(documento.valor, documento.raw, parece=self._in_a_list(looked_into))]
            raise FormatoNaoReconhecido(_NOBODY)
        publicado = known[0]
        valor = _with_lists(publicado.leitor, documento, looked_into)
        lido = publicado.leitor.read(valor, recebido_em)
        if lido.graves:
            raise out_of_format(lido.graves)
        return [_Lida(publicado, documento, valor, lido, pedido) for pedido in lido.pedidos]


def out_of_format(graves: Sequence[Problema]) -> ForaDoFormato:
    """The refusal that names every place at fault in the sender's own words, at most twenty."""
    problemas = [Problem(one.mensagem, one.caminho[:200], codigo=one.codigo) for one in graves[:_SHOWN]]
    return ForaDoFormato("O pedido foi reconhecido, mas não pôde ser lido como o mapeamento diz. Nada foi decidido.", problemas)


def _by_row(recusas: Sequence[tuple[int, PedidoIlegivel]]) -> PedidoIlegivel:
    """The refusal of a table that tells which rows are at fault, at most twenty; none of it is decided."""
    first, error = recusas[0]
    problemas: list[Problem] = []
    for linha, recusa in recusas:
        told = recusa.problemas or (Problem(recusa.mensagem, codigo=recusa.codigo),)
        problemas += [Problem(f"Linha {linha}: {one.mensagem}", one.caminho, linha, one.codigo) for one in told]
    linhas = f"A linha {first}" if len(recusas) == 1 else f"{len(recusas)} linhas, a primeira a {first},"
    mensagem = f"{linhas} da planilha não {'pôde' if len(recusas) == 1 else 'puderam'} ser lida{'' if len(recusas) == 1 else 's'}. "
    return type(error)(
        f"{mensagem}{error.mensagem} Uma linha que não é pedido, como a de totais, se diz em `ignorar`, no mapeamento.",
        problemas[:_SHOWN],
    )


def with_guess(error: PedidoIlegivel, parece: str) -> PedidoIlegivel:
    """A refusal of what came as RF1 reads it, with the mapping that it looks like a part of."""
    mensagem = f"{error.mensagem} Parece um pedido do formato `{parece}`, que vem em uma lista: mande-o entre colchetes, `[…]`."
    return type(error)(mensagem, error.problemas)


def translated(error: PedidoIlegivel, origem: Mapping[str, str]) -> PedidoIlegivel:
    """A refusal of RF1 with the sender's own paths in the place of the fields' names."""
    problemas = []
    for problem in error.problemas:
        campo = problem.caminho.partition("[")[0]
        theirs = origem.get(campo)
        if theirs is None:
            problemas.append(problem)
        else:
            problemas.append(Problem(f"{problem.mensagem} (é lido como `{problem.caminho}`)", theirs, codigo=problem.codigo))
    return type(error)(error.mensagem, problemas)


def _parte(lida: _Lida, pedido: PedidoLido) -> Chegado:
    """What goes on of a pedido that was read, told apart from the others of what came."""
    leitor, versao = lida.publicado.leitor, lida.publicado.versao
    told = tuple([f"{one.codigo}:{one.caminho}" for one in pedido.problemas])
    nome, id_ = leitor.mapeamento.mapeamento, lida.publicado.id
    formato = Formato(nome, versao, id_, pedido.origem, pedido.numero, pedido.de, told, pedido.sufixo)
    raw = lida.documento.raw
    if pedido.de > 1 and leitor.person_by_item:
        raw = msgspec.json.encode(leitor.alone(lida.valor, pedido, lida.lido.pedidos))
    return Chegado(pedido.bruto, raw, formato, pedido.pessoa)


def _with_lists(leitor: Leitor, documento: Documento, valor: Any) -> Any:
    return leitor.with_lists(valor) if documento.midia == "xml" else valor


_NOBODY: Final = (
    "Só um mapeamento publicado poderia ler isto (XML, CSV ou uma lista), e nenhum o reconhece. "
    "Confira o `reconhecer` do seu com `crivo autorizacoes mapeamento testar`, e se ele está publicado."
)
