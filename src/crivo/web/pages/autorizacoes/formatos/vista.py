"""A mapping as its pages show it: the pasted pedido as a tree, crivo's fields with what is read, what is left, what comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from crivo.autorizacoes.mapeamento.aplicacao import Lido
from crivo.autorizacoes.mapeamento.caminhos import Passos, any_position, leaves, written
from crivo.autorizacoes.mapeamento.documento import DOCUMENTOS, MAPEAVEIS, QUALQUER, VALOR, Campo, Mapeamento, places_of
from crivo.autorizacoes.mapeamento.efeito import Efeito, effect_in_words
from crivo.autorizacoes.mapeamento.escolha import choices_in
from crivo.autorizacoes.mapeamento.guardado import FormatoGuardado
from crivo.autorizacoes.mapeamento.montagem import (
    RECONHECER,
    Montagem,
    Palavra,
    Palpite,
    generalised,
    in_doubt_of_position,
    in_doubt_of_total,
    meanings_of,
)
from crivo.autorizacoes.mapeamento.muitos import ProvaDeMuitos
from crivo.autorizacoes.mapeamento.padroes import is_ambiguous, order_is_told
from crivo.autorizacoes.mapeamento.palpites import CODIGO, NECESSARIOS, find_place
from crivo.autorizacoes.mapeamento.prova import PedidoProvado, Prova
from crivo.autorizacoes.motivos import CAMPO_AUSENTE, VALOR_DESCONHECIDO, frase
from crivo.autorizacoes.palavras import DECISOES, count, day, nome_documento, number, verb
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.autorizacoes.pessoas import name_of
from crivo.web.pages.formatos import instante

MOST_VALUES: Final = 400
"""Of a pasted pedido, no more values than this are shown to be pointed at."""
_MOST_LEFT: Final = 60
_LONGEST_SHOWN: Final = 80
OBRIGATORIOS: Final = NECESSARIOS
TITULOS: Final[Mapping[str, str]] = {
    RECONHECER: "Como se reconhece",
    "pedido_id": "Número do pedido",
    "plano_id": "Plano",
    "beneficiario.id": "Beneficiário",
    "procedimento.codigo": "Procedimento",
    "procedimento.quantidade": "Quantidade",
    "data_pedido": "Data do pedido",
    "beneficiario.idade": "Idade",
    "beneficiario.carencia_cumprida_dias": "Carência cumprida",
    "urgencia": "Urgência",
    "prestador.tipo": "Prestador",
    DOCUMENTOS: "Documentos",
    "solicitante.tipo": "Solicitante",
    "procedimento.tabela": "Tabela",
    "procedimento.descricao": "Nome do procedimento",
    "procedimento.valor": "Valor",
    "data_prevista": "Data prevista",
    "beneficiario.preexistencias": "Preexistências",
    "beneficiario.sexo": "Sexo",
    "beneficiario.data_nascimento": "Data de nascimento",  # these two are shown only where a document says them: they count last
    "historico": "Histórico",
}
ORDEM: Final = tuple(dict.fromkeys([*[um for um in TITULOS if um != RECONHECER], *MAPEAVEIS]))
SITUACOES: Final[Mapping[str, Rotulo]] = {
    "rascunho": Rotulo("Rascunho", "◐", "neutro"),
    "publicado": Rotulo("Publicado", "✓", "aprovado"),
    "encerrado": Rotulo("Encerrado", "✕", "neutro"),
}


@dataclass(frozen=True, slots=True)
class EfeitoVisto:
    """What a version would have made of the last pedidos: in a sentence, by field, and by outcome before and after."""

    frase: str
    perde: bool
    campos: tuple[tuple[str, int], ...]
    decisoes: tuple[tuple[Rotulo, Rotulo, int], ...]

    @classmethod
    def of(cls, efeito: Efeito, versao: int) -> EfeitoVisto:
        """The effect as it is shown; `versao` is the one that read the pedidos."""
        return cls(
            effect_in_words(efeito, versao),
            bool(efeito.perdem),
            tuple([(TITULOS.get(campo, campo), quantos) for campo, quantos in efeito.campos]),
            tuple([(DECISOES[antes], DECISOES[depois], quantos) for (antes, depois), quantos in efeito.decisoes]),
        )


@dataclass(frozen=True, slots=True)
class FormatoVisto:
    """A stored mapping as a line, and with who did what to it."""

    id: str
    nome: str
    administradora: str
    versao: int
    status: str
    situacao: Rotulo
    criado: str
    quando: str

    @classmethod
    def of(cls, um: FormatoGuardado, names: Mapping[str, str]) -> FormatoVisto:
        """A stored mapping as it is shown."""
        quando = f"encerrado em {instante(um.encerrado_em)}" if um.encerrado_em else ""
        if not quando and um.publicado_em:
            quando = f"publicado em {instante(um.publicado_em)}"
        criado = f"{instante(um.criado_em)}, por {name_of(um.criado_por, names)}"
        return cls(str(um.id), um.nome, um.administradora_id, um.versao, um.status, SITUACOES[um.status], criado, quando)


@dataclass(frozen=True, slots=True)
class Linha:
    """A line of the tree. `valor` is empty for one that only opens; `numeros` are the fields that read it; `indice` is its value's."""

    nivel: int
    chave: str
    valor: str
    indice: int
    caminho: str
    numeros: tuple[int, ...]
    sobra: bool
    repete: bool
    vazio: bool


@dataclass(frozen=True, slots=True)
class Traducao:
    """A word of theirs that somebody has to say the meaning of; `indice` counts them on the page."""

    indice: int
    destino: str
    palavra: str
    opcoes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CampoVisto:
    """A field of crivo: what is read, from where and how, what is doubtful, what may be it."""

    numero: int
    destino: str
    titulo: str
    obrigatorio: bool
    escolhido: bool
    lido: str
    de: str
    como: tuple[str, ...]
    autor: str
    ambigua: bool
    traducoes: tuple[Traducao, ...]
    nao_vem: bool
    palpite: Palpite | None
    problema: str
    posicao: str = ""
    total: str = ""
    escolhe: bool = False

    @property
    def estado(self) -> str:
        """`lido`, `decidir`, `nao_vem` or `falta`."""
        if self.ambigua or self.traducoes or self.problema or self.posicao or self.total == "perguntar":
            return "decidir"
        return "lido" if self.de else "nao_vem" if self.nao_vem else "falta"


@dataclass(frozen=True, slots=True)
class SobraVista:
    """A value that no field reads, and what it may be."""

    caminho: str
    valor: str
    parece: str
    destino: str


@dataclass(frozen=True, slots=True)
class SaidaVista:
    """A pedido as it would be decided; `rotulo` is None where it would be refused."""

    numero: str
    sobre: str
    rotulo: Rotulo | None
    porque: str


@dataclass(frozen=True, slots=True)
class MuitosVista:
    """The proof on many, counted."""

    resumo: str
    fora: int
    decisoes: tuple[tuple[Rotulo, int], ...]
    problemas: tuple[tuple[str, str, int], ...]
    sobras: tuple[tuple[str, int], ...]
    palavras: tuple[tuple[str, str, int], ...]
    tudo_certo: bool

    @classmethod
    def of(cls, prova: ProvaDeMuitos) -> MuitosVista:
        """The proof as it is told."""
        lidos = f"{number(prova.lidos)} de {count(prova.amostras, 'lido', 'lidos')} por inteiro"
        return cls(
            f"{lidos}, com {count(prova.pedidos, 'pedido', 'pedidos')}",
            prova.fora,
            tuple([(DECISOES[codigo], quantos) for codigo, quantos in prova.decisoes]),
            tuple([_problem_said(*um) for um in prova.problemas]),
            prova.sobras,
            tuple([(TITULOS[um.destino], mask_cpfs(um.palavra), quantos) for um, quantos in prova.palavras]),
            bool(prova.amostras) and prova.lidos == prova.amostras and not prova.palavras,
        )


def _problem_said(codigo: str, caminho: str, quantos: int) -> tuple[str, str, int]:
    """A counted problem: what it is, where in what they send, and how often. Its code names no field here; the place does."""
    dito = PROBLEMAS.get(codigo) or frase(codigo)
    if caminho in TITULOS:  # a field of ours that nothing was read into
        return f"{dito}: {TITULOS[caminho].lower()}", "", quantos
    return dito, caminho, quantos


@dataclass(frozen=True, slots=True)
class Provado:
    """How the pedidos that a format was tried on were read, as the step before publishing counted them: counts, and nothing of a pedido."""

    amostras: int
    lidos: int
    fora: int
    duvidas: int

    @classmethod
    def of(cls, dito: Mapping[str, str]) -> Provado | None:
        """The counts in an address; None where there are none, or no counts."""
        found = [dito.get(nome, "") for nome in cls.__slots__]
        if not all(um.isascii() and um.isdigit() and len(um) <= 9 for um in found):
            return None
        return cls(*[int(um) for um in found])

    @property
    def address(self) -> str:
        """The counts as an address carries them."""
        return urlencode({nome: getattr(self, nome) for nome in self.__slots__})

    @property
    def avisos(self) -> tuple[str, ...]:
        """What a person should know before publishing; nothing where all were read."""
        said = []
        if self.fora:
            nao = f"{verb(self.fora, 'não seria reconhecido', 'não seriam reconhecidos')} por este formato"
            said.append(
                f"{number(self.fora)} de {count(self.amostras, 'pedido provado', 'pedidos provados')} {nao}: veja “Como se reconhece”."
            )
        if self.amostras and self.lidos < self.amostras:
            lidos = "Nenhum" if not self.lidos else f"Só {number(self.lidos)}"
            inteiros = f"{verb(self.lidos or 1, 'foi lido', 'foram lidos')} por inteiro: volte e veja os problemas."
            said.append(f"{lidos} de {count(self.amostras, 'pedido provado', 'pedidos provados')} {inteiros}")
        if self.duvidas:
            said.append(
                f"{count(self.duvidas, 'campo ficou', 'campos ficaram')} a decidir: volte e responda, ou confira antes de publicar."
            )
        return tuple(said)


PROBLEMAS: Final[Mapping[str, str]] = {
    VALOR_DESCONHECIDO: "um valor que não se entende",
    CAMPO_AUSENTE: "falta informar",
    "historico_da_casa_nao_visto": "limite por período contado sem o que já foi aprovado aqui",
    "nao_reconhecido": "não seria reconhecido",
    "varios_valores": "vários valores onde cabe um",
    "lista_em_vez_de_valor": "uma lista onde cabe um valor",
    "objeto_em_vez_de_valor": "um objeto onde cabe um valor",
    "sem_itens": "nenhum item na lista de pedidos",
    "itens_demais": "itens demais",
    "lista_em_vez_de_itens": "uma lista no lugar dos itens",
    "item_vazio": "um item vazio na lista de pedidos",
    "valores_demais": "valores demais",
    "situacao_ilegivel": "um documento que não se sabe se veio",
    "valor_fora_do_dicionario": "uma palavra sem tradução",
    "data_fora_do_formato": "uma data escrita de outro jeito",
    "calculo_impossivel": "um valor de que não se calcula",
    "valor_em_vez_de_objeto": "um valor onde se espera um objeto",
    "json_invalido": "não é JSON",
    "xml_invalido": "não é XML que se leia",
    "csv_invalido": "não é uma planilha que se leia",
    "pedido_ilegivel": "não pôde ser lido",
}


def tree_of(raiz: Any, lido: Lido, montagem: Montagem, provados: Sequence[PedidoProvado]) -> tuple[tuple[Linha, ...], int]:
    """The lines of a pasted document, and how many of its values are not shown."""
    sobras = {um.caminho for um in lido.nao_usados}
    numeros = _numbers(montagem.documento, provados)
    itens = montagem.documento.itens
    todas = list(_walk(raiz, (), "", 0, itens or ""))
    lines: list[Linha] = []
    indice = -1
    for passos, chave, nivel, valor, repete in todas:
        if isinstance(valor, dict | list) and valor:
            lines.append(Linha(nivel, chave, "", -1, written(passos), (), sobra=False, repete=repete, vazio=False))
            continue
        indice += 1
        if indice >= MOST_VALUES:
            continue
        caminho = written(passos)
        deste = tuple(sorted({numero for numero, ditos in numeros.items() if caminho in ditos or generalised(passos) in ditos}))
        vazio = valor in (None, "", [], {})
        lines.append(Linha(nivel, chave, shown(valor), indice, caminho, deste, caminho in sobras, repete, vazio))
    hidden = max(0, indice + 1 - MOST_VALUES)
    return tuple(lines[: MOST_VALUES * 2]), hidden


def condition_said(valor: Any) -> str:
    """What a condition of `reconhecer` asks of its place."""
    return "tem qualquer valor" if valor == QUALQUER else f"é {shown(valor)}"


def values_of(raiz: Any) -> tuple[Passos, ...]:
    """The steps to each value that may be pointed at, as the tree counts them."""
    found = []
    for leaf in leaves(raiz):
        found.append(leaf.passos)
        if len(found) >= MOST_VALUES:
            break
    return tuple(found)


def shown(valor: Any) -> str:
    """A value as JSON writes it, short, CPFs masked."""
    if valor is None:
        return "null"
    if isinstance(valor, bool):
        return "true" if valor else "false"
    text = f"“{valor}”" if isinstance(valor, str) else str(valor)
    return mask_cpfs(text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…")


def _walk(node: Any, passos: Passos, chave: str, nivel: int, itens: str) -> Iterator[tuple[Passos, str, int, Any, bool]]:
    if passos or not isinstance(node, dict | list):
        yield passos, chave, nivel, node, bool(itens) and generalised(passos) == itens
        nivel += 1
    if isinstance(node, dict):
        for nome, inner in node.items():
            yield from _walk(inner, (*passos, nome), nome, nivel, itens)
    elif isinstance(node, list):
        for at, inner in enumerate(node):
            yield from _walk(inner, (*passos, at), str(at + 1), nivel, itens)


def _numbers(m: Mapeamento, provados: Sequence[PedidoProvado]) -> dict[int, set[str]]:
    """By the number of a field, the paths that it reads."""
    found: dict[int, set[str]] = {0: set(m.reconhecer)}
    for numero, destino in enumerate(ORDEM, 1):
        ditos = {um.origem[destino] for um in provados if destino in um.origem}
        campo = m.campos.get(destino)
        if campo is not None and campo.tipo is not None:
            ditos |= {f"{dito}{campo.tipo[1:]}" for dito in ditos}
        if ditos:
            found[numero] = ditos
    return found


def fields_of(
    montagem: Montagem, prova: Prova, raiz: Any, escolhido: str, palavras: Sequence[Palavra] = (), planos: Sequence[str] = ()
) -> tuple[CampoVisto, ...]:
    """Crivo's fields, in the order in which people ask for them; `palavras` are to be translated, a plano into one of `planos`."""
    told = order_is_told(raiz)
    first = prova.pedidos[0] if prova.pedidos else None
    palpites = {um.destino: um for um in montagem.palpites}
    problemas = {um.caminho: um.mensagem for um in prova.problemas}
    found = []
    for numero, destino in enumerate(ORDEM, 1):
        campo = montagem.documento.campos.get(destino)
        if campo is None and destino in ("historico", "beneficiario.data_nascimento"):
            continue  # read where a document says so; here age is told by the day of birth
        origem = first.origem.get(destino, "") if first else ""
        sem = tuple(
            [
                Traducao(at, destino, um.palavra, tuple([(str(i), palavra) for i, (palavra, _) in enumerate(_meanings(destino, planos))]))
                for at, um in enumerate(palavras)
                if um.destino == destino
            ]
        )
        found.append(
            CampoVisto(
                numero,
                destino,
                TITULOS.get(destino, destino),
                destino in OBRIGATORIOS,
                destino == escolhido,
                _read(destino, first) if campo is not None else "",
                "" if campo is None else ", ".join(places_of(campo)) or "sempre o mesmo",
                () if campo is None else tuple(_how(destino, campo, montagem.documento)),
                montagem.autores.get(destino, ""),
                campo is not None and not told and is_ambiguous(_raw(raiz, origem), campo.formato),
                sem,
                destino in montagem.nao_vem,
                palpites.get(destino),
                mask_cpfs(problemas.get(origem or (campo.de or "" if campo else ""), "")) if campo is not None and not sem else "",
                _places_said(in_doubt_of_position(montagem, destino)),
                _total_said(montagem) if destino == VALOR else "",
                campo is not None and campo.de is not None and any(choices_in(campo.de)),
            )
        )
    return tuple(found)


def _places_said(lugares: Sequence[int]) -> str:
    return f"o {', o '.join([f'{um}º' for um in lugares])} da lista, seja qual for" if lugares else ""


def _total_said(montagem: Montagem) -> str:
    """Whether the value is of one unit: `perguntar`, `sem_quantidade` where it cannot be said yet, else `unidade`, `inteiro` or nothing."""
    campo = montagem.documento.campos.get(VALOR)
    if campo is None or campo.de is None:
        return ""
    if in_doubt_of_total(montagem):
        return "perguntar"
    return "unidade" if campo.calcular is not None else "inteiro"


def _meanings(destino: str, planos: Sequence[str] = ()) -> tuple[tuple[str, Any], ...]:
    found = meanings_of(destino, planos)
    return tuple([(nome_documento(palavra), valor) for palavra, valor in found]) if destino == DOCUMENTOS else found


def _raw(raiz: Any, caminho: str) -> Any:
    return next((um.valor for um in leaves(raiz) if caminho and written(um.passos) == caminho), None)


def _read(destino: str, provado: PedidoProvado | None) -> str:
    """What RF1 makes of a field of the first pedido."""
    if provado is None:
        return ""
    objeto, _, nome = destino.rpartition(".")
    inside = provado.normalizado.get(objeto) if objeto else provado.normalizado
    valor = inside.get(nome) if isinstance(inside, Mapping) else None
    match valor:
        case None | [] | ():
            return ""
        case bool():
            return "sim" if valor else "não"
        case int() | float():
            text = number(valor)
            return f"{text} anos" if destino == "beneficiario.idade" else f"{text} dias" if destino.endswith("_dias") else text
        case list() | tuple():
            return ", ".join([nome_documento(str(um["tipo"])) if isinstance(um, Mapping) and "tipo" in um else str(um) for um in valor])[
                :200
            ]
        case _:
            text = str(valor)
            text = day(text) if destino.startswith("data_") else text
            return mask_cpfs(text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…")


def how_read(destino: str, campo: Campo, m: Mapeamento) -> tuple[str, ...]:
    """How a field is read from its place, in words."""
    return tuple(_how(destino, campo, m))


_CALCULO: Final = {
    "idade": "calculada na data do pedido",
    "dias": "dias contados até a data do pedido",
    "total": "vezes a quantidade",
}


def _how(destino: str, campo: Campo, m: Mapeamento) -> Iterator[str]:
    yield from choices_in(campo.de or "")
    if campo.formato is not None:
        yield f"data escrita como {campo.formato}"
    if campo.calcular is not None:
        yield _CALCULO[campo.calcular]
    if campo.limpar:
        yield f"sem {' nem '.join(_MARCAS.get(um, um) for um in campo.limpar)}"
    if campo.tipo is not None:
        yield f"o tipo em {campo.tipo}{f', a situação em {campo.status}' if campo.status else ''}"
    if campo.senao is not None:
        yield f"quando não vem, {shown(campo.senao)}"
    for palavra, valor in list(m.valores.get(destino, {}).items())[:12]:
        yield f"{palavra} é {_said(destino, valor)}"


def _said(destino: str, valor: Any) -> str:
    if destino == DOCUMENTOS:
        return nome_documento(str(valor))
    return next((palavra for palavra, um in meanings_of(destino) if um == valor and type(um) is type(valor)), str(valor))


_MARCAS: Final = {".": "ponto", "-": "traço"}


def left_of(lido: Lido, montagem: Montagem, raiz: Any) -> tuple[tuple[SobraVista, ...], int]:
    """What no field reads, places once, and how many places more there are."""
    found_at = [(find_place(raiz, um.caminho, um.destino), um) for um in montagem.palpites]
    palpites = {written(passos): um for passos, um in found_at if passos is not None}
    places: dict[str, SobraVista] = {}
    for sobra in lido.nao_usados:
        um = palpites.get(sobra.caminho)
        caminho = any_position(sobra.caminho) if um is None else um.caminho
        parece, destino = (TITULOS.get(um.destino, um.destino).lower(), um.destino) if um else ("", "")
        places.setdefault(caminho, SobraVista(caminho, shown(sobra.valor), parece, destino))
    found = sorted(places.values(), key=lambda one: not one.parece)
    return tuple(found[:_MOST_LEFT]), max(0, len(found) - _MOST_LEFT)


def outcomes_of(prova: Prova) -> tuple[SaidaVista, ...]:
    """What would be decided of each pedido."""
    found = []
    for um in prova.pedidos[:50]:
        numero = mask_cpfs(str(um.normalizado.get("pedido_id") or "sem número"))[:60]
        procedimento = um.normalizado.get("procedimento")
        pairs = procedimento if isinstance(procedimento, Mapping) else {}
        codigo, quantidade = pairs.get("codigo") or "procedimento não lido", pairs.get("quantidade")
        sobre = f"{codigo}{f', {number(quantidade)}' if isinstance(quantidade, int | float) and not isinstance(quantidade, bool) else ''}"
        if um.decisao is None:
            found.append(SaidaVista(numero, mask_cpfs(sobre), None, "Não pôde ser lido: veja os problemas."))
            continue
        motivos = [frase(motivo) for motivo in um.decisao.artefato_registro.motivos[:3]]
        found.append(SaidaVista(numero, mask_cpfs(sobre), DECISOES[um.decisao.decisao_final], mask_cpfs("; ".join(motivos))))
    return tuple(found)


def author_said(autor: str) -> str:
    """Who proposed a field, in words; empty for a person who pointed at it."""
    return "proposto pelo código" if autor == CODIGO else f"proposto por {autor}" if autor else ""
