"""A spreadsheet read as a política: columns by a map that is given or guessed, faults by cell, and what no regra can say, listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.palavras import count, documentos_conhecidos
from crivo.autorizacoes.politicas.codigos import normalize_padrao
from crivo.autorizacoes.politicas.documento import Importada
from crivo.autorizacoes.politicas.importacao import import_tree
from crivo.autorizacoes.politicas.nos import Escalar, Lista, Mapa, No, PoliticaInvalida, Problemas
from crivo.autorizacoes.politicas.planilha import celulas as le
from crivo.autorizacoes.politicas.planilha import listas
from crivo.autorizacoes.politicas.planilha.celulas import Falha, Lido, NaoDita, as_json, is_blank, strange, text
from crivo.autorizacoes.politicas.planilha.colunas import CABECA, TITULOS, VARIAS, guess, heading, is_marked, is_own, own_campo, plainly
from crivo.autorizacoes.politicas.planilha.folhas import Folha, Quadro, find_quadro, labels, open_folhas
from crivo.autorizacoes.politicas.planilha.mapa import MapaDeColunas
from crivo.autorizacoes.politicas.planilha.nomes_de_folha import all_planos, says_not_to_read
from crivo.autorizacoes.politicas.planilha.totais import is_total
from crivo.autorizacoes.politicas.planos import planos_da
from crivo.kernel.errors import Problem
from crivo.kernel.formas.palavras import cut
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.planilha.celulas import LinhaDeValores, Porcento, Valor, address, letter

_SAMPLES: Final = 3
_QUOTED: Final = 200  # faults beside which their row is shown
_SEM_FIM: Final = "31/12/9999"  # how programs write that there is no end
_ANY_HEAD: Final = {"administradora_id": "A", "documento": "D", "versao": "1", "vigencia_inicio": "2026-01-01"}
_QUOTED_CELLS: Final = 6
_AROUND: Final = 100  # rows of a sheet without a table in which the head is looked for
_LOOKED_AT: Final = 60  # cells of a column by which a guess is held against what it holds
_MOST_WRONG: Final = 0.5
_REGRA_AT: Final = re.compile(r"regras\[(\d+)\](?:\.(\w+))?")
_IN_REGRA: Final = re.compile(r"em `regras\[\d+\]`")
_LIKE_A_CODE: Final = re.compile(r"\*|[\w./-]*\d[\w./-]*\*?")
_LONGEST_ID: Final = 100
_REST: Final = re.compile(r"[^A-Za-z0-9*._-]+")


@dataclass(frozen=True, slots=True)
class Cabeca:
    """The head of the document as whoever sends the file states it; what is None is looked for in the file."""

    administradora_id: str | None = None
    documento: str | None = None
    versao: str | None = None
    vigencia_inicio: str | None = None
    vigencia_fim: str | None = None

    def stated(self) -> dict[str, str]:
        """What it states."""
        given = {campo: (getattr(self, campo) or "").strip() for campo in self.__slots__}
        return {campo: valor for campo, valor in given.items() if valor and not (campo == "vigencia_fim" and _is_endless(valor))}

    @property
    def sem_fim(self) -> bool:
        """Whether it states that there is no end, whatever the file says."""
        return _is_endless((self.vigencia_fim or "").strip())


def _is_endless(escrito: str) -> bool:
    return escrito == _SEM_FIM


@dataclass(frozen=True, slots=True)
class ColunaVista:
    """A column as it is shown: where it is, what it is taken for, and some of what it holds."""

    folha: str
    letra: str
    titulo: str
    campo: str
    amostras: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanilhaLida:
    """What a spreadsheet says: the política where nothing is wrong with it, the columns, and every fault and doubt by its cell.

    `nao_ditas` are what no campo of a regra can say; in a row they are kept among its observações. `cabeca` is what was found of the head.
    """

    mapa: MapaDeColunas
    colunas: tuple[ColunaVista, ...]
    cabeca: Mapping[str, str]
    importada: Importada | None
    problemas: tuple[Problem, ...]
    avisos: tuple[Problem, ...]
    nao_ditas: tuple[Problem, ...]
    linhas: int
    desconhecidos: tuple[str, ...]
    """The documents that regras ask for and nobody knows by that name."""
    trechos: Mapping[str, str]
    """What stands in the row of a fault, by the fault's cell, of the first of them."""
    folhas: tuple[str, ...] = ()
    """The sheets that have a table, those among them that are not read, too."""
    parcial: Politica | None = None
    """What could be read of the política, with a head made up where the file has none; None where nothing could."""
    onde: Mapping[str, str] = field(default_factory=dict)
    """Where each regra's code stands, by the regra's identifier."""

    @property
    def planos(self) -> tuple[tuple[str, int], ...]:
        """Each plano that regras name, as it is spelled, with how many do; `*` for those of all planos."""
        regras = self.parcial.regras if self.parcial else ()
        return tuple(Counter(plano for regra in regras for plano in planos_da(regra)).items())

    @property
    def sem_resposta(self) -> tuple[str, ...]:
        """The headings of the columns that hold something and of which nobody has said what it is."""
        return tuple(dict.fromkeys(one.titulo for one in self.colunas if not one.campo and one.amostras))


def read_planilha(content: bytes, cabeca: Cabeca | None = None, mapa: MapaDeColunas | None = None) -> PlanilhaLida:
    """What a file says by the map, or by a guess of it. Raises PlanilhaIlegivel, PlanilhaGrandeDemais."""
    return read_folhas(open_folhas(content), cabeca, mapa)


def read_folhas(folhas: Sequence[Folha], cabeca: Cabeca | None = None, mapa: MapaDeColunas | None = None) -> PlanilhaLida:
    """`read_planilha`, of a file that is open."""
    quadros = find_quadros(folhas, mapa)
    mapa = mapa or guess_mapa(quadros)
    lidos = those_read(quadros, mapa)
    if len(lidos) < len(quadros):  # what only sheets have that are not read is missed by nobody
        gone = {fold(titulo) for titulo in titles_of(quadros)} - {fold(titulo) for titulo in titles_of(lidos)}
        mapa = msgspec.structs.replace(mapa, colunas={titulo: campo for titulo, campo in mapa.colunas.items() if fold(titulo) not in gone})
    lida = _Leitura(folhas, lidos, mapa, cabeca or Cabeca()).read()
    return replace(lida, folhas=tuple([quadro.folha.nome for quadro in quadros]))


def administradora_in(folhas: Sequence[Folha]) -> str | None:
    """The administradora that a file names, beside its tables or in a column of them; None where it names none."""
    quadros = find_quadros(folhas)
    titulos = guess(titles_of(quadros))
    column = next((titulo for titulo, campo in titulos.items() if campo == "administradora_id"), None)
    if column is not None and (sample := _sample(quadros, column)):
        return text(sample[0])
    tables = {quadro.folha.nome: quadro.acima for quadro in quadros}
    said = (one for folha in folhas if not folha.oculta for one in labels(tables.get(folha.nome, folha.linhas[:_AROUND])))
    return next((text(valor) for campo, valor, *_ in said if campo == "administradora_id"), None)


def find_quadros(folhas: Sequence[Folha], mapa: MapaDeColunas | None = None) -> tuple[Quadro, ...]:
    """The tables of the sheets that can be seen; where none is plain, whatever may be one."""
    known = frozenset(mapa.lidas if mapa else ())
    seen = [folha for folha in folhas if not folha.oculta]
    found = [quadro for folha in seen if (quadro := find_quadro(folha, known))]
    return tuple(found or [quadro for folha in seen if (quadro := find_quadro(folha, known, anyway=True))])


def those_read(quadros: Sequence[Quadro], mapa: MapaDeColunas) -> list[Quadro]:
    """The tables in sheets that a map does not leave out."""
    return [quadro for quadro in quadros if mapa.reads(quadro.folha.nome)]


def titles_of(quadros: Sequence[Quadro]) -> tuple[str, ...]:
    """All headings, each once."""
    return tuple(dict.fromkeys(titulo for quadro in quadros for titulo in quadro.titulos))


def guess_mapa(quadros: Sequence[Quadro]) -> MapaDeColunas:
    """What each column is likely to be, by its heading and by what it holds; of a file that went out from here, what it is.

    Each sheet is guessed by itself: what one calls a column takes nothing from another. The first sheet to tell a heading is believed.
    """
    ignoradas = [quadro.folha.nome for quadro in quadros if says_not_to_read(quadro.folha.nome)]
    if len(ignoradas) == len(quadros):
        ignoradas = []
    lidos = [quadro for quadro in quadros if quadro.folha.nome not in ignoradas]
    titulos = titles_of(lidos)
    if is_own(titulos):
        return MapaDeColunas({titulo: own_campo(titulo) for titulo in titulos}, folhas_ignoradas=ignoradas)
    found: dict[str, str] = {}
    for quadro in lidos:
        for titulo, campo in _guess_of([quadro]).items():
            found.setdefault(titulo, campo)
    samples = {titulo: _sample(lidos, titulo) for titulo, campo in found.items() if campo == "coparticipacao_percentual"}
    fracao = any(_is_fraction(titulo, sample) for titulo, sample in samples.items())
    nomes = [quadro.folha.nome for quadro in lidos]
    por_folha = len(nomes) > 1 and not {"plano", "cobertura_no_plano"} & set(found.values()) and all_planos(nomes)
    colunas = {titulo: found.get(titulo, "") for titulo in titulos}
    return MapaDeColunas(colunas, fracao=fracao, plano_da_folha=por_folha, folhas_ignoradas=ignoradas)


def _guess_of(quadros: Sequence[Quadro]) -> dict[str, str]:
    """The campo of each heading of which one is likely."""
    titulos = titles_of(quadros)
    samples = {titulo: _sample(quadros, titulo) for titulo in titulos}
    guessed = guess(titulos)
    found = {titulo: campo for titulo, campo in guessed.items() if _holds(titulo, campo, samples[titulo])}
    if "codigo" not in found.values():
        coded = next(
            (titulo for titulo in titulos if found.get(titulo, "descricao") == "descricao" and _holds_codes(samples[titulo])), None
        )
        if coded is not None:
            found[coded] = "codigo"
    for titulo in titulos:
        if titulo not in found and (heading(titulo) == "documento" or listas.is_documento(titulo)):
            found[titulo] = "documentos_obrigatorios"
    if "cobertura" not in found.values():
        marked = [titulo for titulo in titulos if titulo not in found and not is_marked(titulo) and _holds_answers(samples[titulo])]
        if len(marked) > 1:  # one alone may say anything, and is asked about
            found |= dict.fromkeys(marked, "cobertura_no_plano")
    return found


def _sample(quadros: Sequence[Quadro], titulo: str) -> list[Valor]:
    found: list[Valor] = []
    for quadro in quadros:
        if titulo in quadro.titulos:
            for celula in quadro.column(quadro.titulos.index(titulo)):
                if not is_blank(celula):
                    found.append(celula)
                if len(found) >= _LOOKED_AT:
                    return found
    return found


def _holds(titulo: str, campo: str, sample: Sequence[Valor]) -> bool:
    """Whether most of what a column holds can be what its heading says."""
    if campo in CABECA:
        return len({text(one) for one in sample}) <= 1
    if campo == "codigo" and not plainly(titulo):
        return _holds_codes(sample)
    reader = _READERS.get(campo)
    if reader is None or not sample or heading(titulo) == heading(TITULOS[campo]):
        return True
    read = [reader(one, titulo, False) for one in sample]
    # Reais under a heading of percentages are faults by their cells: left unread, the regras would lose what the column says.
    wrong = sum(isinstance(one, Falha) and one.codigo != "dinheiro_no_percentual" for one in read)
    return wrong <= _MOST_WRONG * len(sample)


def _holds_codes(sample: Sequence[Valor]) -> bool:
    texts = [text(one) for one in sample]
    return bool(texts) and sum(bool(re.match(r"\d[\d.\-/]{5,}", one)) for one in texts) > len(texts) / 2


def _holds_answers(sample: Sequence[Valor]) -> bool:
    answers = [le.yes_no(one) for one in sample]
    return bool(answers) and None not in answers


def _is_fraction(titulo: str, sample: Sequence[Valor]) -> bool:
    if titulo == TITULOS["coparticipacao_percentual"]:
        return False
    numbers = [le.number_in(text(one)) for one in sample if not (isinstance(one, Porcento) or "%" in text(one) or le.is_money(one))]
    stated = [one for one in numbers if one]
    return bool(stated) and all(0 < one <= 1 for one in stated) and any(one != 1 for one in stated)


# --- readers, by campo


def _same(reader: Callable[[Valor], Lido]) -> Callable[[Valor, str, bool], Lido]:
    return lambda celula, titulo, fracao: reader(celula)


def _texto(celula: Valor) -> Lido:
    return text(celula) or None


_READERS: Final[Mapping[str, Callable[[Valor, str, bool], Lido]]] = {
    "regra_id": _same(_texto),
    "descricao": _same(_texto),
    "observacoes": _same(_texto),
    "codigo": _same(le.codigos),
    "plano": _same(listas.planos),
    "tabela": _same(le.tabela),
    "cobertura": _same(le.cobertura),
    "cobertura_no_plano": _same(le.cobertura),
    "documentos_obrigatorios": lambda celula, titulo, fracao: listas.documentos(celula, titulo),
    "documentos_alternativos": _same(listas.grupos),
    "carencia_min_dias": _same(le.carencia),
    "carencia_urgencia_dias": _same(le.dias),
    "cpt_meses": _same(le.meses),
    "idade": _same(le.faixa),
    "idade_min": _same(le.idade),
    "idade_max": _same(le.idade),
    "sexo": _same(le.sexo),
    "restricoes_rede": lambda celula, titulo, fracao: le.rede(celula, titulo),
    "limite_quantidade": _same(listas.limite),
    "limite_periodo": _same(le.periodo),
    "limites": lambda celula, titulo, fracao: listas.limites(celula, titulo),
    "valor_maximo": _same(le.dinheiro),
    "autorizacao_previa": _same(le.booleano),
    "coparticipacao_percentual": lambda celula, titulo, fracao: le.porcento(celula, fracao=fracao),
    "prazo_validade_autorizacao_dias": _same(le.dias),
    "permite_autorizacao_condicionada": _same(le.booleano),
    "tipo_atendimento": _same(le.tipo_atendimento),
    "alternativas": _same(listas.alternativas),
    "excecoes": _same(listas.excecoes),
}
_TEXTS: Final = frozenset({"regra_id", "descricao", "observacoes", *CABECA})
_FROM: Final[Mapping[str, tuple[str, ...]]] = {
    "plano_id": ("plano", "cobertura_no_plano"),
    "planos": ("plano",),
    "restricoes_idade": ("idade", "idade_min", "idade_max"),
    "limites": ("limites", "limite_quantidade", "limite_periodo"),
    "carencia_urgencia_dias": ("carencia_urgencia_dias", "carencia_min_dias"),
    "cpt_meses": ("cpt_meses", "carencia_min_dias"),
    "documentos_alternativos": ("documentos_alternativos", "documentos_obrigatorios"),
    "cobertura": ("cobertura", "cobertura_no_plano"),
}
"""Where each field of a regra may come from, where it is not the column of its own name."""


@dataclass(slots=True)
class _Linha:
    """A row as it is read: what it says by campo, and in which column each was."""

    folha: str
    numero: int
    lido: dict[str, Any] = field(default_factory=dict)
    onde: dict[str, int] = field(default_factory=dict)
    notas: list[str] = field(default_factory=list)
    por_plano: list[tuple[str, str, int]] = field(default_factory=list)
    falhou: bool = False

    def put(self, campo: str, read: Any) -> None:
        """What a cell says, beside what others of the row say of the same."""
        match campo:
            case "documentos_obrigatorios":
                todos, grupos = read
                self._add(campo, todos)
                self._add("documentos_alternativos", grupos)
            case "documentos_alternativos" | "limites":
                self._add(campo, read)
            case "limite_quantidade":
                por_pedido, periodos = read
                if por_pedido is not None:
                    self.lido[campo] = por_pedido
                self._add("limites", periodos)
            case "idade":
                self.lido["restricoes_idade"] = dict(zip(("min", "max"), read, strict=True))
            case "idade_min" | "idade_max":
                self.lido["restricoes_idade"] = self.lido.get("restricoes_idade", {}) | {campo[-3:]: read}
            case _:
                self.lido[campo] = read

    def _add(self, campo: str, itens: Sequence[Any]) -> None:
        if itens:
            self.lido[campo] = [*self.lido.get(campo, ()), *itens]

    def at(self, campo: str) -> str:
        """The cell that a field of a regra comes from; the row's first cell where none does."""
        column = next((self.onde[one] for one in (*_FROM.get(campo, ()), campo) if one in self.onde), None)
        return address(self.folha, self.numero, self.onde.get("codigo", 0) if column is None else column)


@dataclass(slots=True)
class _Leitura:
    """One reading of a file, from its tables to the política."""

    folhas: Sequence[Folha]
    quadros: Sequence[Quadro]
    mapa: MapaDeColunas
    dada: Cabeca
    problemas: Problemas = field(default_factory=Problemas)
    avisos: Problemas = field(default_factory=Problemas)
    nao_ditas: Problemas = field(default_factory=Problemas)
    achada: dict[str, str] = field(default_factory=dict)
    visto: dict[str, str] = field(default_factory=dict)
    planos: list[str] = field(default_factory=list)
    linhas: int = 0
    falhas: list[_Linha] = field(default_factory=list)
    desconhecidos: dict[str, None] = field(default_factory=dict)
    ja_lidas: dict[tuple[str, str, type, Any], Lido] = field(default_factory=dict)
    sem_fim: str | None = None
    para_rever: list[tuple[str, int, str]] = field(default_factory=list)
    parcial: Politica | None = None
    onde: dict[str, str] = field(default_factory=dict)

    def read(self) -> PlanilhaLida:
        """All of it."""
        self._look_around()
        regras: list[dict[str, Any]] = []
        origens: list[_Linha] = []
        faltam = not self.quadros
        if faltam:
            self.problemas.add("sem_tabela", (), None, "Não há na planilha uma linha de títulos com regras embaixo. Comece pelo modelo.")
        elif not {"codigo"} & set(self.mapa.lidas.values()):
            mensagem = "Nenhuma coluna diz o código do procedimento. Escolha qual é."
            self.problemas.add("sem_codigo", (), self.quadros[0].cabecalho, mensagem)
            faltam = True
        elif not {"cobertura", "cobertura_no_plano"} & set(self.mapa.lidas.values()) and "cobertura" not in self.mapa.fixos:
            mensagem = "Nenhuma coluna diz se o procedimento é coberto. Escolha qual é, ou diga o que vale para todas as linhas."
            self.problemas.add("sem_cobertura", (), self.quadros[0].cabecalho, mensagem)
            faltam = True
        for quadro in () if faltam else self.quadros:
            for linha in self._rows_of(quadro):
                for regra in self._regras_of(linha):
                    regras.append(regra)
                    origens.append(linha)
        for linha in self.falhas:
            self._rest_of(linha)
        importada = None if faltam else self._import(regras, origens)
        return PlanilhaLida(
            self.mapa,
            tuple(self._columns()),
            self._stated_head(),
            importada if not self.problemas else None,
            self.problemas.as_tuple(),
            self.avisos.as_tuple(),
            self.nao_ditas.as_tuple(),
            self.linhas,
            tuple(self.desconhecidos),
            self._excerpts(),
            parcial=self.parcial,
            onde=self.onde,
        )

    def _stated_head(self) -> dict[str, str]:
        found = {campo: valor for campo, valor in self.achada.items() if not (campo == "vigencia_fim" and self.dada.sem_fim)}
        return found | self.dada.stated()

    # --- the file

    def _excerpts(self) -> dict[str, str]:
        places = [one for one in self.problemas.as_tuple()[:_QUOTED] if one.linha is not None and "!" in one.caminho]
        wanted = {(one.caminho.rpartition("!")[0], one.linha) for one in places}
        rows = {
            (quadro.folha.nome, linha.numero): " · ".join([cut(text(one)) for one in linha.celulas if text(one)][:_QUOTED_CELLS])
            for quadro in self.quadros
            for linha in quadro.linhas
            if (quadro.folha.nome, linha.numero) in wanted
        }
        return {one.caminho: rows.get((one.caminho.rpartition("!")[0], one.linha or 0), "") for one in places}

    def _columns(self) -> Iterator[ColunaVista]:
        for quadro in self.quadros:
            for column, titulo in enumerate(quadro.titulos):
                texts = dict.fromkeys(cut(text(one)) for _, one in zip(range(_LOOKED_AT), quadro.column(column), strict=False))
                if texts or not titulo.startswith("Coluna "):
                    campo = self.mapa.find(titulo) or ""
                    yield ColunaVista(quadro.folha.nome, letter(column), titulo, campo, tuple(texts)[:_SAMPLES])

    def _look_around(self) -> None:
        """The head of the document above the tables and beside them, and what of the file is not read."""
        tables = {quadro.folha.nome: quadro for quadro in self.quadros}
        for folha in self.folhas:
            if not (folha.oculta or self.mapa.reads(folha.nome)):
                self.nao_ditas.add(
                    "folha_nao_lida", (folha.nome,), None, "a folha não é lida: o mapa das colunas diz isso, ou o nome dela."
                )
                continue
            quadro = tables.get(folha.nome)
            before = len(self.achada)
            for campo, valor, linha, column in () if folha.oculta else labels(quadro.acima if quadro else folha.linhas[:_AROUND]):
                self._head(campo, valor, folha.nome, linha.numero, column)
            if quadro is None and folha.linhas and len(self.achada) == before:
                what = "está oculta e não foi lida" if folha.oculta else "não tem uma linha de títulos que se conheça, e não foi lida"
                self.nao_ditas.add("folha_nao_lida", (folha.nome,), None, f"a folha {what}.")
            for onde, comentario in () if folha.oculta else folha.comentarios:
                mensagem = f"o comentário da célula não é lido: “{cut(comentario)}”. Se muda a regra, escreva-o em uma coluna."
                self.nao_ditas.add("comentario_nao_lido", (f"{folha.nome}!{onde}",), None, mensagem)
        self._check_map()
        self._check_double()
        self._check_sheets()

    def _check_map(self) -> None:
        """What the map says that the file has not, or that cannot be read."""
        titulos = {fold(titulo) for titulo in titles_of(self.quadros)}
        for titulo, campo in self.mapa.lidas.items() if self.quadros else ():
            if fold(titulo) not in titulos:
                mensagem = (
                    f"o mapa diz que a coluna “{cut(titulo)}” é {TITULOS[campo].lower()}, e ela não está na planilha. Corrija o título."
                )
                self.problemas.add("coluna_ausente", (self.quadros[0].folha.nome,), self.quadros[0].cabecalho, mensagem)
        for campo, escrito in self.mapa.fixos.items():
            read = None if is_blank(escrito) else _READERS[campo](escrito, "", False)
            if isinstance(read, Falha):
                mensagem = f"o que vale para todas as linhas, em {TITULOS[campo].lower()}: {read.mensagem}"
                self.problemas.add(read.codigo, (), None, mensagem)

    def _check_sheets(self) -> None:
        """What nobody sees of a sheet that is read, and whether its name might be a plano."""
        for quadro in self.quadros:
            for column, titulo in enumerate(quadro.titulos):
                if column in quadro.folha.colunas_ocultas and (self.mapa.find(titulo) or "ignorar") != "ignorar":
                    mensagem = f"a coluna “{cut(titulo)}” está oculta e foi lida como as outras. Se não vale, escolha não a ler."
                    self.avisos.add("coluna_oculta", (address(quadro.folha.nome, quadro.cabecalho, column),), quadro.cabecalho, mensagem)
        of_rows = {"plano", "cobertura_no_plano"} & set(self.mapa.lidas.values())
        says_planos = self.mapa.plano_da_folha or of_rows or self.mapa.fixos.get("plano")
        if len(self.quadros) > 1 and not says_planos:
            nomes = ", ".join(f"“{cut(quadro.folha.nome)}”" for quadro in self.quadros[:_QUOTED_CELLS])
            mensagem = (
                f"{count(len(self.quadros), 'folha é lida', 'folhas são lidas')} ({nomes}), e as regras de todas valem para qualquer "
                "plano. Se o nome de cada folha é um plano, diga isso; se alguma não vale, escolha não a ler."
            )
            self.avisos.add("folhas_de_todos_os_planos", (), None, mensagem)

    def _check_double(self) -> None:
        for quadro in self.quadros:
            first: dict[str, str] = {}
            for column, titulo in enumerate(quadro.titulos):
                campo = self.mapa.find(titulo) or ""
                onde = address(quadro.folha.nome, quadro.cabecalho, column)
                if campo and campo not in VARIAS and campo in first:
                    mensagem = f"esta coluna e “{first[campo]}” dizem as duas {TITULOS[campo].lower()}. Deixe uma só."
                    self.problemas.add("coluna_repetida", (onde,), quadro.cabecalho, mensagem)
                first.setdefault(campo, cut(titulo))
                sample = next((text(one) for one in quadro.column(column) if not is_blank(one)), "")
                if not campo and sample:
                    mensagem = f"a coluna “{cut(titulo)}” não é lida (traz, por exemplo, “{cut(sample)}”). Escolha o que ela diz."
                    self.nao_ditas.add("coluna_nao_lida", (onde,), quadro.cabecalho, mensagem)

    def _head(self, campo: str, valor: Valor, folha: str, linha: int, column: int) -> None:
        """What a cell says of the document's head; all cells must say the same."""
        if not text(valor) or (campo.startswith("vigencia") and is_blank(valor)):
            return
        onde = address(folha, linha, column)
        said = text(valor)
        if campo == "vigencia_fim" and _is_endless(said):
            self._no_end(onde, linha)
            return
        if campo == "planos_declarados":
            listed = as_json(valor)
            found = listed if isinstance(listed, list) else listas.planos(valor)
            self.planos = self.planos or ([str(one) for one in found] if isinstance(found, list) else [str(found)])
            return
        if campo.startswith("vigencia"):
            both = re.fullmatch(r"(?:de\s+)?(\S+)\s+(?:a|até|ate)\s+(\S+)", said, re.IGNORECASE)
            if both and campo == "vigencia_inicio":
                self._head("vigencia_inicio", both[1], folha, linha, column)
                self._head("vigencia_fim", both[2], folha, linha, column)
                return
            read = le.dia(valor)
            if isinstance(read, Falha):
                if campo not in self.dada.stated():
                    self.problemas.add(read.codigo, (onde,), linha, read.mensagem)
                return
            said = read
            if campo == "vigencia_fim" and self.sem_fim is not None:
                self._two_ends(onde, linha, f"diz “{cut(text(valor))}”, e em {self.sem_fim} não há data de fim")
                return
        if self.achada.setdefault(campo, said) != said and campo not in self.dada.stated():
            mensagem = f"diz “{cut(said)}”, e em {self.visto[campo]} está “{cut(self.achada[campo])}”. Um arquivo é um documento só."
            self.problemas.add("cabeca_contraria", (onde,), linha, mensagem)
        self.visto.setdefault(campo, onde)

    def _no_end(self, onde: str, linha: int) -> None:
        """A row that has no end stands beside one that has: they are of two documents."""
        self.sem_fim = self.sem_fim or onde
        if "vigencia_fim" in self.achada:
            self._two_ends(onde, linha, f"não há data de fim, e em {self.visto['vigencia_fim']} há")

    def _two_ends(self, onde: str, linha: int, o_que: str) -> None:
        if not (self.dada.sem_fim or "vigencia_fim" in self.dada.stated()):
            mensagem = (
                f"{o_que}. Um arquivo é um documento só: ponha em outro arquivo as linhas que acabam, ou diga o fim que vale para todas."
            )
            self.problemas.add("cabeca_contraria", (onde,), linha, mensagem)

    # --- rows

    def _rows_of(self, quadro: Quadro) -> Iterator[_Linha]:
        campos = [(column, titulo, self.mapa.find(titulo) or "") for column, titulo in enumerate(quadro.titulos)]
        campos = [one for one in campos if one[2] not in ("", "ignorar")]
        hidden: list[int] = []
        calculated: list[str] = []
        many_notes = sum(campo == "observacoes" for _, _, campo in campos) > 1
        for linha in quadro.linhas:
            given = [(column, titulo, campo, linha.celulas[column]) for column, titulo, campo in campos if column < len(linha.celulas)]
            given = [one for one in given if one[3] is not None and (one[2] in _TEXTS or not is_blank(one[3])) and text_or_strange(one[3])]
            if self._is_heading(linha, quadro):
                continue
            if _is_aside([(campo, celula) for _, _, campo, celula in given if campo not in CABECA]):
                self._aside(quadro, linha)
                continue
            struck = [(column, campo) for column, _, campo, _ in given if column in linha.riscadas]
            if any(campo == "cobertura" and le.is_for_a_person(celula) for _, _, campo, celula in given):
                self._for_a_person(quadro, linha, given)
                continue
            all_struck = bool(struck) and (len(struck) == len(given) or "codigo" in {campo for _, campo in struck})
            if all_struck or is_total(linha, [(column, campo) for column, _, campo in campos]):
                codigo, why = ("linha_riscada", "está riscada") if all_struck else ("linha_de_total", "é de um total")
                self._left_out(codigo, quadro, linha, f"a linha {why} e não foi lida")
                continue
            self._look_at(
                quadro, linha, [column for column, _ in struck], [column for column, _, campo in campos if campo == "vigencia_fim"]
            )
            self.linhas += 1
            if linha.oculta:
                hidden.append(linha.numero)
            seen = [column for column, _, _, celula in given if column in linha.calculadas and strange(celula) is None]
            calculated += [address(quadro.folha.nome, linha.numero, column) for column in seen]
            yield self._row(quadro.folha.nome, linha.numero, given, many_notes=many_notes)
        if hidden:
            mensagem = (
                f"{count(len(hidden), 'linha oculta foi lida', 'linhas ocultas foram lidas')} como as outras. Se não valem, apague-as."
            )
            self.avisos.add("linhas_ocultas", (address(quadro.folha.nome, hidden[0], 0),), hidden[0], mensagem)
        if calculated:
            quantas = count(len(calculated), "célula é uma fórmula", "células são fórmulas")
            self.avisos.add("formulas", (calculated[0],), None, f"{quantas}: foi lido o valor salvo na planilha. Confira se é o de hoje.")

    def _look_at(self, quadro: Quadro, linha: LinhaDeValores, struck: Sequence[int], ends: Sequence[int]) -> None:
        """What a row of the table has struck through in some cells, and whether it leaves the end of the document open."""
        for column in struck:
            mensagem = "o texto da célula está riscado. Apague o que não vale mais, ou tire o risco do que vale."
            self.problemas.add("celula_riscada", (address(quadro.folha.nome, linha.numero, column),), linha.numero, mensagem)
        for column in ends:
            if column >= len(linha.celulas) or is_blank(linha.celulas[column]):
                self._no_end(address(quadro.folha.nome, linha.numero, column), linha.numero)

    def _is_heading(self, linha: LinhaDeValores, quadro: Quadro) -> bool:
        """Whether a row says the headings again, as where pages were printed."""
        texts = [text(one) for one in linha.celulas]
        return sum(bool(one) and one == titulo for one, titulo in zip(texts, quadro.titulos, strict=False)) > 1

    def _aside(self, quadro: Quadro, linha: LinhaDeValores) -> None:
        """A row that is none of the table: a title between, or a note under it."""
        self._left_out("linha_nao_lida", quadro, linha, "a linha não tem código e não foi lida")

    def _for_a_person(self, quadro: Quadro, linha: LinhaDeValores, given: Sequence[tuple[int, str, str, Valor]]) -> None:
        """A row of pedidos that somebody decides: no regra is made of it, and none of the others may reach its codes."""
        self._left_out("linha_para_rever", quadro, linha, "quem decide é uma pessoa, e a linha não vira regra")
        for column, titulo, campo, celula in given:
            if campo == "codigo":
                read, onde = self._cell(campo, titulo, celula), address(quadro.folha.nome, linha.numero, column)
                if isinstance(read, Falha):
                    self.problemas.add(read.codigo, (onde,), linha.numero, read.mensagem)
                else:
                    self.para_rever += [(onde, linha.numero, normalize_padrao(codigo)) for codigo, _ in read]

    def _check_those_for_a_person(self, kept: Sequence[Mapping[str, Any]]) -> None:
        padroes = {normalize_padrao(str(regra["codigo"])) for regra in kept} if self.para_rever else set[str]()
        for onde, numero, codigo in self.para_rever:
            reaching = sorted(padrao for padrao in padroes if padrao == codigo or (padrao.endswith("*") and codigo.startswith(padrao[:-1])))
            if reaching:
                mensagem = (
                    f"a linha diz rever, e a regra de {reaching[-1]} desta planilha alcança {cut(codigo)} e decidiria sem ninguém. "
                    "Tire o código do alcance dela, ou diga sim ou não nesta linha."
                )
                self.problemas.add("rever_alcancada", (onde,), numero, mensagem)

    def _left_out(self, codigo: str, quadro: Quadro, linha: LinhaDeValores, why: str) -> None:
        said = " ".join(text(one) for one in linha.celulas if text(one))
        if said:
            column = next(at for at, one in enumerate(linha.celulas) if text(one))
            onde = address(quadro.folha.nome, linha.numero, column)
            self.nao_ditas.add(codigo, (onde,), linha.numero, f"{why}: “{cut(said)}”.")

    def _row(self, folha: str, numero: int, given: Sequence[tuple[int, str, str, Valor]], *, many_notes: bool) -> _Linha:
        linha = _Linha(folha, numero)
        for column, titulo, campo, celula in given:
            if campo in CABECA:
                self._head(campo, celula, folha, numero, column)
                continue
            read = self._cell(campo, titulo, celula)
            onde = address(folha, numero, column)
            match read:
                case None:
                    continue
                case Falha(codigo, mensagem):
                    self.problemas.add(codigo, (onde,), numero, mensagem)
                    linha.falhou = True
                case NaoDita(escrito, lido):
                    if lido is not None:
                        self._put(linha, campo, titulo, column, lido, many_notes=many_notes)
                    linha.notas.append(f"{titulo}: {escrito}")
                    mensagem = f"“{cut(escrito)}” não cabe em {TITULOS[campo].lower()}, e ficou nas observações da regra."
                    self.nao_ditas.add("nao_dita", (onde,), numero, mensagem)
                case _:
                    if campo == "codigo" and le.lost_zeros(celula):
                        mensagem = (
                            f"o código {text(celula)} veio como número e pode ter perdido zeros à esquerda. Se perdeu, formate como texto."
                        )
                        self.avisos.add("zeros_perdidos", (onde,), numero, mensagem)
                    if campo == "codigo" and any(le.is_long(normalize_padrao(codigo)) for codigo, _ in read):
                        mensagem = (
                            "o código tem mais de 8 algarismos, e os da TUSS têm 8. Se são dois juntos, separe-os com ponto e vírgula; "
                            "se é um código próprio, está certo."
                        )
                        self.avisos.add("codigo_longo", (onde,), numero, mensagem)
                    self._put(linha, campo, titulo, column, read, many_notes=many_notes)
            linha.onde.setdefault(campo, column)
        return linha

    def _cell(self, campo: str, titulo: str, celula: Valor) -> Lido:
        """What a cell says; read once however often a column holds it."""
        odd = strange(celula) or (None if campo in _TEXTS else le.refers(celula))
        if odd is not None:
            return odd
        key = (campo, titulo, type(celula), celula)
        if key not in self.ja_lidas:
            plain = as_json(celula) if campo not in _TEXTS else None
            self.ja_lidas[key] = _as_read(campo, plain) if plain is not None else _READERS[campo](celula, titulo, self.mapa.fracao)
        return self.ja_lidas[key]

    def _put(self, linha: _Linha, campo: str, titulo: str, column: int, read: Any, *, many_notes: bool) -> None:
        match campo:
            case "documentos_obrigatorios" | "documentos_alternativos":
                linha.put(campo, self._known_documents(campo, read))
            case "carencia_min_dias" | "carencia_urgencia_dias" | "cpt_meses":
                for said, valor in (read if isinstance(read, dict) else {campo: read}).items():
                    if linha.lido.setdefault(said, valor) != valor:
                        onde = address(linha.folha, linha.numero, column)
                        mensagem = f"esta célula e outra da linha dizem {TITULOS[said].lower()}, e não o mesmo. Deixe uma só."
                        self.problemas.add("dito_de_dois_modos", (onde,), linha.numero, mensagem)
                        linha.falhou = True
            case "observacoes":
                linha.notas.append(f"{titulo}: {read}" if many_notes and heading(titulo) != "observacoes" else read)
            case "cobertura_no_plano":
                linha.por_plano.append((titulo, read, column))
            case _:
                linha.put(campo, read)

    def _known_documents(self, campo: str, read: Any) -> Any:
        """What a cell asks for, each document as the map says what it is; one that nobody knows is remembered."""

        def known(tipos: Sequence[Any]) -> list[Any]:
            found = [self.mapa.documento(tipo) if isinstance(tipo, str) else tipo for tipo in tipos]
            self.desconhecidos |= dict.fromkeys(tipo for tipo in found if isinstance(tipo, str) and tipo not in documentos_conhecidos())
            return list(dict.fromkeys(found)) if all(isinstance(one, str) for one in found) else found

        if campo == "documentos_alternativos":
            return [known(grupo) if isinstance(grupo, list) else grupo for grupo in read]
        todos, grupos = read
        return known(todos), [known(grupo) for grupo in grupos]

    # --- regras

    def _regras_of(self, linha: _Linha) -> Iterator[dict[str, Any]]:
        """The regras that a row states: one for each code, and for each plano that has a column of its own."""
        self._limit_by_period(linha)
        if linha.falhou:
            self.falhas += [linha] if len(self.falhas) < _QUOTED else []
            return
        lido = self._with_what_is_fixed(linha)
        if "codigo" not in lido:
            self._without_code(linha)
            return
        codigos, plano = lido.pop("codigo"), lido.pop("plano", "*")
        lido |= plano if isinstance(plano, dict) else {"planos": plano} if isinstance(plano, list) else {"plano_id": plano}
        if linha.notas:
            lido["observacoes"] = "\n".join(linha.notas)
        for codigo, nome in codigos:
            regra = {**lido, "codigo": codigo}
            if nome and "descricao" not in regra:
                regra["descricao"] = nome
            if not linha.por_plano:
                yield regra
            for titulo, cobertura, _ in linha.por_plano:
                yield {**regra, "plano_id": titulo, "cobertura": cobertura}

    def _limit_by_period(self, linha: _Linha) -> None:
        """One limit out of the column of how many and the column of in how long."""
        dias = linha.lido.pop("limite_periodo", None)
        quantos = linha.lido.get("limite_quantidade")
        if not dias:
            return
        if quantos is None:
            if "limites" not in linha.lido and not linha.falhou:
                mensagem = "há um período e nenhuma quantidade nesta linha: não é um limite. Escreva quantos, ou apague o período."
                self.problemas.add("limite_sem_quantidade", (linha.at("limite_periodo"),), linha.numero, mensagem)
                linha.falhou = True
            return
        del linha.lido["limite_quantidade"]
        linha.put("limites", [{"quantidade": quantos, "periodo_dias": dias}])

    def _rest_of(self, linha: _Linha) -> None:
        """What else is wrong with a row that has a cell at fault, by a política of what could be read of it, which nobody keeps."""
        lido = self._with_what_is_fixed(linha)
        if "codigo" not in lido and "codigo" not in linha.onde:
            self._without_code(linha)
        regra = {campo: valor for campo, valor in lido.items() if campo not in ("codigo", "plano")}
        codigo = lido["codigo"][0][0] if lido.get("codigo") else "1"
        if linha.notas:
            regra["observacoes"] = "\n".join(linha.notas)
        regra = {"regra_id": "R", "cobertura": "COBERTA", **regra, "codigo": codigo}
        tree = Mapa({**{campo: _no(valor, 1) for campo, valor in _ANY_HEAD.items()}, "regras": _regras_no([regra], [linha])}, 1)
        try:
            importada = import_tree(tree, Problemas())
        except PoliticaInvalida as error:
            for problem in error.problemas:
                self._tell(self.problemas, problem, [linha])
            return
        for aviso in importada.relatorio.avisos:
            self._tell(self.avisos, aviso, [linha])

    def _without_code(self, linha: _Linha) -> None:
        onde = (address(linha.folha, linha.numero, 0),)
        self.problemas.add("sem_codigo", onde, linha.numero, "falta o código do procedimento nesta linha. Escreva-o, ou apague a linha.")

    def _with_what_is_fixed(self, linha: _Linha) -> dict[str, Any]:
        lido = dict(linha.lido)
        for campo, escrito in self.mapa.fixos.items():
            read = None if lido.get(campo) is not None or is_blank(escrito) else _READERS[campo](escrito, "", False)
            if read is not None and not isinstance(read, Falha):
                lido[campo] = read
        if self.mapa.plano_da_folha:
            lido.setdefault("plano", linha.folha)
        return lido

    def _import(self, regras: list[dict[str, Any]], origens: list[_Linha]) -> Importada | None:
        kept, rows = self._once(regras, origens)
        self._check_those_for_a_person(kept)
        _name(kept)
        head: dict[str, Any] = self._stated_head()
        for campo in ("vigencia_inicio", "vigencia_fim"):
            if campo in head:
                read = le.dia(head[campo])
                head[campo] = head[campo] if isinstance(read, Falha) else read
        if self.planos:
            head["planos"] = self.planos
        if not kept:
            if not self.problemas:
                self.problemas.add("sem_regras", (), None, "A planilha tem os títulos e nenhuma regra embaixo deles.")
            return None
        self.onde |= {str(regra["regra_id"]): linha.at("codigo") for regra, linha in zip(kept, rows, strict=True)}
        try:
            importada = import_tree(_tree(head, kept, rows), Problemas())
        except PoliticaInvalida as error:
            for problem in error.problemas:
                self._tell(self.problemas, problem, rows)
            self._doubts_of_the_rest(head, kept, rows, error.problemas)
            return None
        self.parcial = importada.politica
        for aviso in importada.relatorio.avisos:
            self._tell(self.avisos, aviso, rows)
        return replace(importada, relatorio=replace(importada.relatorio, avisos=(*self.avisos.as_tuple(), *self.nao_ditas.as_tuple())))

    def _doubts_of_the_rest(
        self, head: Mapping[str, Any], kept: Sequence[dict[str, Any]], rows: Sequence[_Linha], faults: Sequence[Problem]
    ) -> None:
        """The avisos of the regras without a fault, so that nobody meets them only after all faults are mended."""
        at_fault = {int(match[1]) for one in faults if (match := _REGRA_AT.match(one.caminho))}
        of_head = {one.caminho for one in faults}
        right = [at for at in range(len(kept)) if at not in at_fault]
        made_up = _ANY_HEAD | {campo: valor for campo, valor in head.items() if campo not in of_head}
        if not right:
            return
        with suppress(PoliticaInvalida):  # then its faults are told already
            others = [rows[at] for at in right]
            importada = import_tree(_tree(made_up, [kept[at] for at in right], others), Problemas())
            self.parcial = importada.politica
            for aviso in importada.relatorio.avisos:
                self._tell(self.avisos, aviso, others)

    def _once(self, regras: list[dict[str, Any]], origens: list[_Linha]) -> tuple[list[dict[str, Any]], list[_Linha]]:
        """The regras without those that a row says again, word for word."""
        first: dict[bytes, _Linha] = {}
        kept, rows = [], []
        for regra, linha in zip(regras, origens, strict=True):
            key = msgspec.json.encode(regra, order="sorted")
            if key in first:
                mensagem = f"a linha repete a linha {first[key].numero}, e conta uma vez só."
                self.avisos.add("linha_repetida", (linha.at("codigo"),), linha.numero, mensagem)
                continue
            first[key] = linha
            kept.append(regra)
            rows.append(linha)
        return kept, rows

    def _tell(self, to: Problemas, problem: Problem, rows: Sequence[_Linha]) -> None:
        """A fault of the política by the cell that it comes from."""
        match = _REGRA_AT.match(problem.caminho)
        if match is None or int(match[1]) >= len(rows):
            to.add(problem.codigo, (problem.caminho,) if problem.caminho else (), None, problem.mensagem)
            return
        linha = rows[int(match[1])]
        to.add(problem.codigo, (linha.at(match[2] or "codigo"),), linha.numero, _IN_REGRA.sub("nesta linha", problem.mensagem))


def _tree(head: Mapping[str, Any], regras: Sequence[Mapping[str, Any]], rows: Sequence[_Linha]) -> Mapa:
    return Mapa({**{campo: _no(valor, 1) for campo, valor in head.items()}, "regras": _regras_no(regras, rows)}, 1)


def _is_aside(given: Sequence[tuple[str, Valor]]) -> bool:
    """Whether a row is none of the table: it says one thing at most, and that is no code."""
    if len(given) > 1:
        return False
    return not any(campo == "codigo" and (not isinstance(celula, str) or _LIKE_A_CODE.fullmatch(text(celula))) for campo, celula in given)


def text_or_strange(celula: Valor) -> bool:
    """Whether a cell shows anything."""
    return strange(celula) is not None or bool(text(celula))


def _as_read(campo: str, plain: Any) -> Lido:
    """What a cell in JSON says, in the shape that the campo's own reader gives."""
    match campo:
        case "codigo":
            return [(str(plain), "")]
        case "documentos_obrigatorios":
            return (plain, []) if isinstance(plain, list) else Falha("json_invalido", "a célula deve ter uma lista de documentos.")
        case "limite_quantidade" | "idade":
            return Falha("json_invalido", "a célula não é um número nem um texto que se leia.")
        case "documentos_alternativos" | "limites" if not isinstance(plain, list):
            return Falha("json_invalido", "a célula deve ter uma lista.")
        case _:
            return plain


def _name(regras: Sequence[dict[str, Any]]) -> None:
    """An identifier for each regra that has none, the same next month for the same code and plano."""
    taken = {str(regra["regra_id"]).strip() for regra in regras if "regra_id" in regra}
    for regra in regras:
        if "regra_id" in regra:
            continue
        planos = regra.get("planos") or [regra.get("plano_id", "*")]
        parts = ["R", normalize_padrao(str(regra["codigo"])), *[str(one) for one in planos if one != "*"]]
        if regra.get("tabela", "*") not in ("*", "TUSS"):
            parts.append(regra["tabela"])
        stem = _REST.sub("_", "-".join(parts))[: _LONGEST_ID - 8]
        name, turn = stem, 1
        while name in taken:
            turn += 1
            name = f"{stem}-{turn}"
        taken.add(name)
        regra["regra_id"] = name


def _regras_no(regras: Sequence[Mapping[str, Any]], rows: Sequence[_Linha]) -> Lista:
    return Lista(tuple([_no(regra, linha.numero) for regra, linha in zip(regras, rows, strict=True)]), 1)


def _no(valor: Any, linha: int) -> No:
    if isinstance(valor, Mapping):
        return Mapa({str(nome): _no(filho, linha) for nome, filho in valor.items()}, linha)
    if isinstance(valor, list | tuple):
        return Lista(tuple([_no(filho, linha) for filho in valor]), linha)
    return Escalar(valor, linha)


def read_cell(campo: str, escrito: str) -> Lido:
    """What a cell of the column that goes out says when it comes in again."""
    plain = as_json(escrito) if campo not in _TEXTS else None
    if plain is not None:
        return _as_read(campo, plain)
    return None if is_blank(escrito) else _READERS[campo](escrito, TITULOS[campo], False)
