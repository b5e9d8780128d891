"""A mapping put together by pointing: a field, then the value in a pasted pedido that it is read from, and the path is written by code.

Every step is a pure function from one state to the next, so that the one before is there to go back to. Source: design, "Their own
format in", "paste a pedido, click its values into fields".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from crivo.autorizacoes.campos import fold_field
from crivo.autorizacoes.contracts import Value
from crivo.autorizacoes.etapas.normalizacao import PRESTADORES, SOLICITANTES, TABELAS
from crivo.autorizacoes.etapas.valores import fold_enum, read_boolean, read_sexo
from crivo.autorizacoes.extracao import last_name
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.mapeamento.caminhos import ITEM, Achado, Passos, compile_rota, pieces, written
from crivo.autorizacoes.mapeamento.documento import (
    CALCULADOS,
    DATAS,
    DE_DATA,
    DOCUMENTOS,
    HISTORICO,
    QUALQUER,
    QUANTIDADE,
    VALOR,
    Campo,
    Mapeamento,
    Simples,
    fold_word,
)
from crivo.autorizacoes.mapeamento.escolha import (
    at_of,
    by_position,
    chosen,
    entry_alike,
    filter_at,
    names_vocabulary,
    plainly,
    positions_in,
)
from crivo.autorizacoes.mapeamento.leitura import MapeamentoInvalido, read_mapeamento
from crivo.autorizacoes.mapeamento.padroes import month_comes_first, pattern_of
from crivo.autorizacoes.palavras import documentos_conhecidos
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.kernel.errors import CrivoError, Kind

CODIGO_DO_PROCEDIMENTO: Final = "procedimento.codigo"
RECONHECER: Final = "reconhecer"
"""Stands for a field in the state: the next value is one by which a pedido of theirs is known."""
LISTAS: Final = frozenset({DOCUMENTOS, HISTORICO, "beneficiario.preexistencias"})
_DO_ITEM: Final = "procedimento."
_SITUACAO: Final = frozenset({"status", "state", "situacao", "estado"})
_LONGEST_WORD: Final = 200


class MontagemInvalida(CrivoError):
    """A state of the page that its own code did not write."""

    codigo: ClassVar[str] = "montagem_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O formato em montagem não pôde ser lido"


class Palpite(Value, frozen=True, gc=False):
    """Where a field may be, and who says so: `codigo`, or a model by name. `certo`: its name and its value both say it."""

    destino: str
    caminho: str
    autor: str
    certo: bool = False


class Montagem(Value, frozen=True, gc=False, omit_defaults=True):
    """A mapping on its way: its document as far as it goes, who proposed a field where no person pointed at it, what does not come."""

    documento: Mapeamento
    autores: dict[str, str] = msgspec.field(default_factory=dict)
    nao_vem: tuple[str, ...] = ()
    palpites: tuple[Palpite, ...] = ()
    conferidos: tuple[str, ...] = ()
    """Doubts that a person settled: `posicao:` and a field that is read from a place in a list, `total:` and the value."""


@dataclass(frozen=True, slots=True)
class Palavra:
    """A word of theirs that means nothing to RF1 in the field that it came in."""

    destino: str
    palavra: str


def begin(nome: str = "", administradora: str = "") -> Montagem:
    """A mapping that says nothing yet."""
    return Montagem(Mapeamento(nome, administradora, {}, {}))


def read_montagem(raw: bytes) -> Montagem:
    """The state that a page carried, its document held against every rule of a mapping. Raises `MontagemInvalida`."""
    try:
        montagem = msgspec.json.decode(raw, type=Montagem)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError):
        raise MontagemInvalida("Volte à lista de formatos e comece de novo: nada do que está guardado se perdeu.") from None
    m = montagem.documento
    whole = {
        **msgspec.to_builtins(m),
        "mapeamento": m.mapeamento or "-",
        "administradora": m.administradora or "-",
        "reconhecer": m.reconhecer or {"$": "*"},
        "campos": msgspec.to_builtins(m.campos) or {"pedido_id": {"valor": "-"}},
    }
    try:
        read_mapeamento(msgspec.json.encode(whole), "json")
    except MapeamentoInvalido as error:
        raise MontagemInvalida("O formato em montagem tem um problema.", error.problemas) from None
    return montagem


# --- the steps


def ligar(montagem: Montagem, destino: str, passos: Passos, raiz: Any, autor: str = "") -> Montagem:
    """Read a field from the place of a value; of a list, from all that stand where it does. `autor` proposed it, a person by default.

    The first field of a procedure that stands in a list of objects makes each of those a pedido.
    """
    m = montagem.documento
    if destino == RECONHECER:
        valor = at_of(raiz, passos)
        if isinstance(valor, dict | list) or valor is None:
            return montagem
        return _with(montagem, msgspec.structs.replace(m, reconhecer={**m.reconhecer, written(passos): valor}))
    if destino.startswith(_DO_ITEM) and (itens := _items_for(montagem, destino, passos, raiz)) != m.itens:
        montagem = set_itens(montagem, itens)
        m = montagem.documento
    campo = _moved(_campo(destino, passos, raiz, _item_of(m, passos, raiz)), None, m.itens)
    autores = {nome: quem for nome, quem in montagem.autores.items() if nome != destino} | ({destino: autor} if autor else {})
    return _with_total(
        Montagem(
            msgspec.structs.replace(m, campos={**m.campos, destino: campo}),
            autores,
            tuple([nome for nome in montagem.nao_vem if nome != destino]),
            tuple([um for um in montagem.palpites if um.destino != destino]),
            _unsettled(montagem.conferidos, destino),
        )
    )


def soltar(montagem: Montagem, destino: str) -> Montagem:
    """Read a field from nowhere."""
    m = montagem.documento
    campos = {nome: campo for nome, campo in m.campos.items() if nome != destino}
    valores = {nome: palavras for nome, palavras in m.valores.items() if nome.removesuffix(".status") != destino}
    autores = {nome: quem for nome, quem in montagem.autores.items() if nome != destino}
    outros = tuple([nome for nome in montagem.nao_vem if nome != destino])
    solto = msgspec.structs.replace(m, campos=campos, valores=valores)
    return _with_total(Montagem(solto, autores, outros, montagem.palpites, _unsettled(montagem.conferidos, destino)))


def note_absent(montagem: Montagem, destino: str) -> Montagem:
    """Note that a field does not come in what they send."""
    solta = soltar(montagem, destino)
    return msgspec.structs.replace(
        solta, nao_vem=(*solta.nao_vem, destino), palpites=tuple([um for um in solta.palpites if um.destino != destino])
    )


def drop_condition(montagem: Montagem, caminho: str) -> Montagem:
    """Know a pedido of theirs without the value of a path."""
    m = montagem.documento
    return _with(montagem, msgspec.structs.replace(m, reconhecer={um: valor for um, valor in m.reconhecer.items() if um != caminho}))


def any_value(montagem: Montagem, caminho: str) -> Montagem:
    """Know a pedido of theirs by something standing at a path, whatever it is."""
    m = montagem.documento
    if caminho not in m.reconhecer:
        return montagem
    return _with(montagem, msgspec.structs.replace(m, reconhecer={**m.reconhecer, caminho: QUALQUER}))


def keep_position(montagem: Montagem, destino: str) -> Montagem:
    """Note that a person looked at a field that is read from a place in a list, and wants it so."""
    return msgspec.structs.replace(montagem, conferidos=(*montagem.conferidos, f"{_POSICAO}{destino}"))


def choose_by_position(montagem: Montagem, destino: str, raiz: Any) -> Montagem:
    """Read a field from its place in a list, whatever stands there, instead of by what tells it apart."""
    campo = montagem.documento.campos.get(destino)
    if campo is None or campo.de is None:
        return montagem
    starts = (
        compile_rota(montagem.documento.itens).find(raiz) if montagem.documento.itens and campo.de.startswith(ITEM) else [Achado((), raiz)]
    )
    rota = compile_rota(campo.de, do_item=True)
    found = next((um for start in starts for um in rota.find(start.valor, start.passos)), None)
    if found is None:
        return montagem
    placed = msgspec.structs.replace(campo, de=by_position(campo.de, found.passos))
    m = montagem.documento
    return keep_position(_with(montagem, msgspec.structs.replace(m, campos={**m.campos, destino: placed})), destino)


def say_total(montagem: Montagem, *, da_unidade: bool) -> Montagem:
    """Say whether the value is that of one unit, to be multiplied by how many, or that of the whole pedido."""
    m = montagem.documento
    campo = m.campos.get(VALOR)
    if campo is None or campo.de is None or (da_unidade and QUANTIDADE not in m.campos):
        return montagem
    said = msgspec.structs.replace(campo, calcular=CALCULADOS[VALOR] if da_unidade else None, senao=None if da_unidade else campo.senao)
    answered = tuple(dict.fromkeys([*montagem.conferidos, _TOTAL]))
    return msgspec.structs.replace(montagem, documento=msgspec.structs.replace(m, campos={**m.campos, VALOR: said}), conferidos=answered)


def swap_day_and_month(montagem: Montagem, destino: str) -> Montagem:
    """Read a date with day and month the other way round."""
    m = montagem.documento
    campo = m.campos.get(destino)
    if campo is None or campo.formato is None:
        return montagem
    swapped = campo.formato.translate(str.maketrans("dM", "Md"))
    return _with(montagem, msgspec.structs.replace(m, campos={**m.campos, destino: msgspec.structs.replace(campo, formato=swapped)}))


def set_itens(montagem: Montagem, itens: str | None) -> Montagem:
    """Let each of a list be a pedido, or the whole document one; fields that stand in the list are read from each, or the first."""
    m = montagem.documento
    campos = {nome: _moved(campo, m.itens, itens) for nome, campo in m.campos.items()}
    return _with(montagem, msgspec.structs.replace(m, itens=itens, campos=campos))


def translate(montagem: Montagem, destino: str, palavra: str, significa: Simples) -> Montagem:
    """Say what a word of theirs is in a field."""
    m = montagem.documento
    palavras = {uma: valor for uma, valor in m.valores.get(destino, {}).items() if fold_word(uma) != fold_word(palavra)}
    return _with(montagem, msgspec.structs.replace(m, valores={**m.valores, destino: {**palavras, palavra: significa}}))


# --- what is doubtful


def untranslated(brutos: Sequence[Bruto], planos: Sequence[str] = (), origens: Sequence[Mapping[str, str]] = ()) -> tuple[Palavra, ...]:
    """The words of theirs, each once, that RF1 could not read in pedidos as a mapping read them, or that could mean either of two things.

    `planos` are those of the administradora, where it names any; `origens` the paths of each pedido's fields.
    """
    found: dict[Palavra, None] = {}
    known_planos = {fold_id(um) for um in planos}
    tests: dict[str, Callable[[Any], bool]] = {
        **_CONHECE,
        "plano_id": lambda um: not known_planos or fold_id(str(um)) in known_planos,
    }
    for at, bruto in enumerate(brutos):
        origem = origens[at] if at < len(origens) else {}
        for destino, known in tests.items():
            objeto, _, nome = destino.rpartition(".")
            inside = bruto.get(objeto) if objeto else bruto
            valor = inside.get(nome) if isinstance(inside, Mapping) else None
            if destino == "urgencia" and _CARATER.search(fold_field(last_name(origem.get(destino, "")))):
                known = _is_bool
            for um in valor if isinstance(valor, list) else [valor]:
                palavra = um.get("tipo") if isinstance(um, dict) else um
                if isinstance(palavra, str | int | float) and 0 < len(str(palavra).strip()) <= _LONGEST_WORD and not known(palavra):
                    found.setdefault(Palavra(destino, fold_word(palavra) if isinstance(palavra, bool) else str(palavra).strip()))
    return tuple(found)


def in_doubt_of_position(montagem: Montagem, destino: str) -> tuple[int, ...]:
    """The places in lists, from 1, that a field is read from whatever stands there, where no person said that it is meant."""
    campo = montagem.documento.campos.get(destino)
    if campo is None or campo.de is None or f"{_POSICAO}{destino}" in montagem.conferidos:
        return ()
    return positions_in(campo.de)


def in_doubt_of_total(montagem: Montagem) -> bool:
    """Whether nothing says that the value is that of one unit or of the whole pedido: neither its name nor a person."""
    campo = montagem.documento.campos.get(VALOR)
    if campo is None or campo.de is None or campo.calcular is not None or _TOTAL in montagem.conferidos:
        return False
    return not _INTEIRO.search(fold_field(last_name(campo.de)))


def meanings_of(destino: str, planos: Sequence[str] = ()) -> tuple[tuple[str, Simples], ...]:
    """What a word may be said to mean in a field: how the page writes it, and the value; a plano is one of `planos`."""
    if destino == "plano_id":
        return tuple([(um, um) for um in planos])
    return _SIGNIFICADOS.get(destino, ()) if destino != DOCUMENTOS else tuple([(tipo, tipo) for tipo in documentos_conhecidos()])


def generalised(passos: Passos) -> str:
    """A path with every position of a list as any."""
    return "$" + "".join(["[*]" if isinstance(passo, int) else written((passo,))[1:] for passo in passos])


def lists_of_objects(raiz: Any) -> tuple[Passos, ...]:
    """The lists of objects of a document, from the outermost: each may be what holds one pedido an element. At most twenty."""
    found: list[Passos] = []
    todo: list[tuple[Passos, Any]] = [((), raiz)]
    while todo and len(found) < 20:
        passos, node = todo.pop(0)
        if isinstance(node, dict):
            todo += [((*passos, nome), valor) for nome, valor in node.items() if isinstance(valor, dict | list)]
        elif isinstance(node, list) and any(isinstance(um, dict) for um in node):
            found.append(passos)
            todo += [((*passos, 0), node[0])]
    return tuple(found)


def _with(montagem: Montagem, documento: Mapeamento) -> Montagem:
    return msgspec.structs.replace(montagem, documento=documento)


def _unsettled(conferidos: Sequence[str], destino: str) -> tuple[str, ...]:
    """What a person settled, without what was said of a field that is read from elsewhere now."""
    gone = {f"{_POSICAO}{destino}"} | ({_TOTAL} if destino == VALOR else set())
    return tuple([um for um in conferidos if um not in gone])


def _with_total(montagem: Montagem) -> Montagem:
    """The value multiplied by how many where its own name says that it is that of one unit, and never where how many is not known."""
    m = montagem.documento
    campo = m.campos.get(VALOR)
    if campo is None or campo.de is None:
        return montagem
    calcular = campo.calcular
    if QUANTIDADE not in m.campos:
        calcular = None
    elif _TOTAL not in montagem.conferidos and says_unit(campo.de):
        calcular = CALCULADOS[VALOR]
    if calcular == campo.calcular:
        return montagem
    senao = campo.senao if calcular is None else None
    said = msgspec.structs.replace(campo, calcular=calcular, senao=senao)
    return _with(montagem, msgspec.structs.replace(m, campos={**m.campos, VALOR: said}))


def says_unit(caminho: str) -> bool:
    """Whether a path's own names say that what stands there is the price of one unit: `$item.unitPrice.amount`, `$.VL_UNIT`."""
    names = [um.strip(".[]'@") for um in pieces(compile_rota(caminho, do_item=True)) if not um.startswith(("[*", "[?"))]
    return any(_UNITARIO.search(fold_field(um)) for um in names[-2:])


def _items_for(montagem: Montagem, destino: str, passos: Passos, raiz: Any) -> str | None:
    """What holds one pedido an element, once a field of the procedure is pointed at: as it is, but the code itself says where it stands.

    So a list that something else was taken for the procedure in gives way to the one that the code is pointed at in.
    """
    m = montagem.documento
    lista, itens = _list_of_objects(passos, raiz), item_list_of(passos, raiz)
    if m.itens is None:
        return itens
    if destino != CODIGO_DO_PROCEDIMENTO:
        return m.itens
    item = _item_of(m, passos, raiz)
    if item is not None:  # deeper, where several procedures stand in what was one pedido
        return itens if lista is not None and len(lista) >= len(item) else m.itens
    others = [um for nome, um in m.campos.items() if nome.startswith(_DO_ITEM) and nome != CODIGO_DO_PROCEDIMENTO]
    if itens is None and any(um.de is not None and um.de.startswith(ITEM) for um in others):
        return m.itens
    return itens


def _list_of_objects(passos: Passos, raiz: Any) -> Passos | None:
    """The innermost list of things on the way to a value; what only says one thing in several ways is no such list."""
    for size in range(len(passos) - 1, -1, -1):
        if isinstance(passos[size], int) and size + 1 < len(passos) and isinstance(at_of(raiz, passos[: size + 1]), dict):
            if _says_one_thing(passos, size, raiz):
                continue
            return passos[:size]
    return None


def item_list_of(passos: Passos, raiz: Any) -> str | None:
    """The list whose elements are one pedido each, where its procedure stands at these steps; None where it stands in no list."""
    lista = _list_of_objects(passos, raiz)
    return None if lista is None else f"{generalised(lista)}[*]"


def _says_one_thing(passos: Passos, at: int, raiz: Any) -> bool:
    """Whether a list holds the codes of one thing: told apart by vocabulary, or by anything where it stands in another list of things."""
    by = filter_at(passos, at, raiz)
    if by is None:
        return False
    if names_vocabulary(by):
        return True
    return any(isinstance(passos[size], int) and isinstance(at_of(raiz, passos[: size + 1]), dict) for size in range(at))


def _item_of(m: Mapeamento, passos: Passos, raiz: Any) -> Passos | None:
    """The steps to the item that a value stands in, None where in none."""
    if m.itens is None:
        return None
    return next((um.passos for um in compile_rota(m.itens).find(raiz) if um.passos == passos[: len(um.passos)]), None)


def _campo(destino: str, passos: Passos, raiz: Any, item: Passos | None) -> Campo:
    start, rest = ("$", passos) if item is None else (ITEM, passos[len(item) :])
    if destino in LISTAS:
        return _list_field(destino, start, rest, passos, raiz)
    de, valor = f"{start}{chosen(passos, raiz, len(passos) - len(rest))}", at_of(raiz, passos)
    if destino in DATAS or destino in DE_DATA:
        padrao = pattern_of(valor, month_first=month_comes_first(raiz))
        if destino in DE_DATA and padrao is None:
            return Campo(de)
        return Campo(de, formato=padrao or None, calcular=DE_DATA.get(destino))
    if destino == CODIGO_DO_PROCEDIMENTO and isinstance(valor, str):
        return Campo(de, limpar=tuple([um for um in (".", "-") if um in valor]))
    return Campo(de)


def _list_field(destino: str, start: str, rest: Passos, passos: Passos, raiz: Any) -> Campo:
    """All that stand in the list of a value; of a list of objects, which of their fields tells the type and which the state."""
    last = max([at for at, passo in enumerate(rest) if isinstance(passo, int)], default=None)
    if last is None:
        return Campo(f"{start}{written(rest)[1:]}")
    de, inside = f"{start}{generalised(rest[: last + 1])[1:]}", rest[last + 1 :]
    if not inside:
        return Campo(de)
    if destino != DOCUMENTOS:
        return Campo(f"{de}{written(inside)[1:]}")
    um = at_of(raiz, passos[: len(passos) - len(inside)])
    status = next((nome for nome in um if fold_word(nome) in _SITUACAO and nome != inside[0]), None) if isinstance(um, dict) else None
    return Campo(de, tipo=f"@{written(inside)[1:]}", status=f"@{written((status,))[1:]}" if status is not None else None)


def _moved(campo: Campo, antes: str | None, depois: str | None) -> Campo:
    """A field whose path starts elsewhere now: at the item where it stands in one, and on the item's way as far as both go together."""
    de = None if campo.de is None else _path_moved(campo.de, antes, depois)
    nomes = campo.nomes
    if isinstance(nomes, dict):
        nomes = {nome: _path_moved(caminho, antes, depois) for nome, caminho in nomes.items()}
    return msgspec.structs.replace(campo, de=de, nomes=nomes)


def _path_moved(de: str, antes: str | None, depois: str | None) -> str:
    if de.startswith(ITEM) and antes is None:
        return de
    steps = pieces(compile_rota(f"{antes}{de.removeprefix(ITEM)}" if de.startswith(ITEM) else de))
    if antes is not None:
        together = _together(steps, pieces(compile_rota(antes)))
        steps = (*[_ANY.sub("[0]", one) for one in steps[:together]], *steps[together:])
    start = "$"
    if depois is not None:
        theirs = pieces(compile_rota(depois))
        together = _together(steps, theirs)
        if together == len(theirs):
            start, steps = ITEM, steps[together:]
        else:
            shared = max([at + 1 for at in range(together) if theirs[at] == "[*]"], default=0)
            steps = (*theirs[:shared], *steps[shared:])
    return start + "".join(map(plainly, steps))


def _together(steps: Sequence[str], others: Sequence[str]) -> int:
    """How many steps two paths begin alike by, whatever the entry that each chooses of a list."""
    alike = [entry_alike(one, other) for one, other in zip(steps, others, strict=False)]
    return alike.index(False) if False in alike else len(alike)


def _is_bool(valor: Any) -> bool:
    return isinstance(valor, bool)


_POSICAO: Final = "posicao:"
_TOTAL: Final = f"total:{VALOR}"
_CARATER: Final = re.compile(r"carater")
"""Names of fields whose words stand for kinds of care, and are no yes and no."""
_UNITARIO: Final = re.compile(r"(?:^|_)(?:vl|valor|val|preco|price|vlr)?_?unit|(?:^|_)uni(?:dade)?(?:_|$)|^(?:vu|vlu|vunit)$")
_INTEIRO: Final = re.compile(r"total|inteiro|soma|bruto")
_ANY: Final = re.compile(r"\[\*\]")
_CONHECE: Final[Mapping[str, Callable[[Any], bool]]] = {
    "urgencia": lambda um: _is_bool(um) or (isinstance(um, str) and len(um.strip()) > 1 and read_boolean(um) is not None),
    "beneficiario.sexo": lambda um: read_sexo(um) is not None,
    "procedimento.tabela": lambda um: fold_enum(str(um)) in TABELAS,
    "solicitante.tipo": lambda um: fold_enum(str(um)) in SOLICITANTES,
    "prestador.tipo": lambda um: fold_enum(str(um)) in PRESTADORES,
    DOCUMENTOS: lambda um: fold_enum(str(um)) in documentos_conhecidos(),
}
_SIGNIFICADOS: Final[Mapping[str, tuple[tuple[str, Simples], ...]]] = {
    "urgencia": (("sim, é urgente", True), ("não é urgente", False)),
    "beneficiario.sexo": (("feminino", "F"), ("masculino", "M")),
    "procedimento.tabela": (("TUSS", "TUSS"), ("CBHPM", "CBHPM"), ("outra tabela", "OUTRA")),
    "solicitante.tipo": (("médico", "MEDICO"), ("clínica", "CLINICA"), ("hospital", "HOSPITAL")),
    "prestador.tipo": (("credenciado", "CREDENCIADO"), ("fora da rede", "NAO_CREDENCIADO")),
}
