"""The form of an edital into the tree of an import, and what is wrong with it back to the field in which it was typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec

from crivo.kernel.errors import Problem
from crivo.kernel.formas.palavras import Caminho
from crivo.triagem.chamadas.definicao import documento_of
from crivo.triagem.edital import Chamada, Condicao, Requisito, RequisitoCondicao
from crivo.triagem.importacao.leitura import read_definicao
from crivo.triagem.importacao.relato import Relato
from crivo.web.pages.triagem.chamada.escrito import EDITAL, ERA, FORA, YES, Escrito, Linha, one, uses
from crivo.web.pages.triagem.chamada.nomes import ROW, name_of_row
from crivo.web.pages.triagem.chamada.valores import read_day, read_levels, read_lines, read_number, read_valor, show_valor

S = TypeVar("S", bound=msgspec.Struct)
_RULES: Final = "edital.classificacao"
_STEP: Final = re.compile(r"([a-z_]+)(?:\[([0-9]+)\])?\.?")
_INSIDE: Final[Mapping[str, str]] = {"fases": "fases", "documentos_proprios": "proprios"}
DITO: Final[Mapping[str, str]] = {
    "campo_ausente": "Preencha este campo.",
    "texto_vazio": "Preencha este campo.",
    "data_invalida": "Escreva um dia, como 15/09/2026.",
    "data_inexistente": "Este dia não existe no calendário.",
    "documento_desconhecido": "Escolha um documento da lista.",
    "validade_sem_data": "Diga a data aqui, ou a data de referência ou o fim das inscrições nos dados do edital.",
    "identificador_invalido": "Use só letras sem acento, algarismos, ponto, hífen e sublinhado, a começar por letra ou algarismo.",
}
DITO_DO_VALOR: Final[Mapping[str, str]] = {
    "em": "Escreva ao menos um valor; para vários, separe com ponto e vírgula.",
    "minimo": "Escreva um número, como 18, ou um dia, como 15/09/2026.",
    "maximo": "Escreva um número, como 18, ou um dia, como 15/09/2026.",
}


class _Relato(Relato):
    """Speaks of fields as a page shows them: what is wrong stands under the field, and needs no name of it."""

    def __init__(self, escrito: Escrito, lugares: Mapping[tuple[str, int], int]) -> None:
        super().__init__()
        self._escrito, self._lugares = escrito, lugares

    def label(self, caminho: Caminho) -> str:
        last = caminho[-1] if caminho else ""
        if not isinstance(last, int):
            return "Este campo"
        secao = _INSIDE.get(str(caminho[-2]), str(caminho[-2]))
        named = name_of_row(self._escrito, secao, self._lugares.get((secao, last), last)) if secao in ROW else f"item {last + 1}"
        return named[:1].lower() + named[1:]


@dataclass(frozen=True, slots=True)
class Erro:
    """What is wrong in a field, by the name that it has in the form; `onde` says in words which row it is in."""

    campo: str
    mensagem: str
    onde: str = ""


@dataclass(frozen=True, slots=True)
class Lida:
    """The edital that a form says, or None with every reason; `avisos` deserve a look and keep nothing back."""

    chamada: Chamada | None
    erros: tuple[Erro, ...]
    avisos: tuple[Erro, ...] = ()


@dataclass(slots=True)
class _Arvore:
    """The tree as it grows, where each of its rows stands in the form, and what could not be read at all."""

    escrito: Escrito
    documento: dict[str, Any] = field(default_factory=dict)
    lugares: dict[tuple[str, int], int] = field(default_factory=dict)
    erros: list[Erro] = field(default_factory=list)


def read_escrito(escrito: Escrito, antes: Chamada | None = None) -> Lida:
    """The edital that stands in a form. What `antes` says and the form shows alike is kept as it was (`18` as a number or as text)."""
    arvore = _Arvore(escrito)
    _edital(escrito.edital, arvore)
    arvore.documento[EDITAL]["fases"] = _rows(escrito, "fases", arvore, _fase)
    arvore.documento[EDITAL]["documentos_proprios"] = _rows(escrito, "proprios", arvore, _proprio)
    arvore.documento["requisitos"] = _rows(escrito, "requisitos", arvore, _requisito)
    arvore.documento["criterios"] = _rows(escrito, "criterios", arvore, _criterio)
    if antes is not None and antes.edital.classificacao is not None:  # the form does not show it, and takes nothing of it away
        arvore.documento[EDITAL]["classificacao"] = documento_of(antes)[EDITAL]["classificacao"]
    relato = _Relato(escrito, arvore.lugares)
    chamada = read_definicao(arvore.documento, relato)
    known = {erro.campo for erro in arvore.erros}
    told = dict.fromkeys(_told(problem, escrito, arvore.lugares) for problem in relato.problemas.as_tuple())
    erros = (*arvore.erros, *(erro for erro in told if erro.campo not in known))
    if chamada is None or erros:
        return Lida(None, erros)
    avisos = tuple([_told(one, escrito, arvore.lugares) for one in relato.avisos.as_tuple() if one.codigo != "sem_projetos"])
    return Lida(_as_it_was(chamada, antes) if antes is not None else chamada, (), avisos)


def tell(problemas: Iterable[Problem], escrito: Escrito) -> tuple[Erro, ...]:
    """Problems of a change, at the fields of the form."""
    lugares: dict[tuple[str, int], int] = {}
    for secao, rows in escrito.linhas.items():
        lugares |= {(secao, at): place for at, place in enumerate(at for at, row in enumerate(rows) if one(row, FORA) != YES)}
    return tuple(_told(problem, escrito, lugares) for problem in problemas)


def _edital(linha: Linha, arvore: _Arvore) -> None:
    edital: dict[str, Any] = {}
    for nome in ("id", "nome", "orgao"):
        put(edital, nome, one(linha, nome).strip())
    for nome in ("objetivo", "texto"):
        put(edital, nome, one(linha, nome))
    period: dict[str, Any] = {}
    for nome in ("inicio", "fim"):
        put(period, nome, read_day(one(linha, f"inscricoes.{nome}")))
    put(edital, "inscricoes", period)
    put(edital, "data_referencia", read_day(one(linha, "data_referencia")))
    put(edital, "ordem_fases", [part for part in one(linha, "ordem_fases").split(",") if part])
    put(edital, "orcamento_detalhado", one(linha, "orcamento_detalhado"))
    edital["nota_antes_da_dica"] = one(linha, "nota_antes_da_dica") == YES
    _number(edital, "amostras", linha, f"{EDITAL}.", arvore)
    put(edital, "categorias", read_lines(one(linha, "categorias")))
    arvore.documento[EDITAL] = edital


def _rows(escrito: Escrito, secao: str, arvore: _Arvore, make: Callable[[Linha, str, _Arvore], dict[str, Any]]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for at, linha in enumerate(escrito.linhas[secao]):
        if one(linha, FORA) != YES:
            arvore.lugares[secao, len(made)] = at
            made.append(make(linha, f"{secao}.{at}.", arvore))
    return made


def _fase(linha: Linha, at: str, arvore: _Arvore) -> dict[str, Any]:
    fase: dict[str, Any] = {}
    put(fase, "fase", one(linha, "fase"))
    put(fase, "inicio", read_day(one(linha, "inicio")))
    put(fase, "fim", read_day(one(linha, "fim")))
    return fase


def _proprio(linha: Linha, at: str, arvore: _Arvore) -> dict[str, Any]:
    tipo: dict[str, Any] = {}
    for nome in ("id", "nome"):
        put(tipo, nome, one(linha, nome).strip())
    for nome in ("palavras", "palavras_de_outro"):
        put(tipo, nome, read_lines(one(linha, nome)))
    return tipo


def _requisito(linha: Linha, at: str, arvore: _Arvore) -> dict[str, Any]:
    requisito: dict[str, Any] = {"tipo": one(linha, "tipo")}
    for nome in ("id", "clausula"):
        put(requisito, nome, one(linha, nome).strip())
    put(requisito, "descricao", one(linha, "descricao"))
    for nome in ("obrigatorio", "eliminatorio"):
        requisito[nome] = one(linha, nome) == YES
    if requisito["tipo"] == "documento":
        put(requisito, "documento", one(linha, "documento"))
        put(requisito, "formatos", linha.get("formatos", []))
        requisito["em_nome_do_proponente"] = one(linha, "em_nome_do_proponente") == YES
        put(requisito, "validade", _validade(linha, at, arvore))
    else:
        requisito |= _condicao(linha, "")
    if one(linha, "quando.campo").strip() or one(linha, "quando.valor").strip():
        requisito["quando"] = _condicao(linha, "quando.")
    return requisito


def _condicao(linha: Linha, dentro: str) -> dict[str, Any]:
    condicao: dict[str, Any] = {}
    operador = one(linha, f"{dentro}operador") or "igual"
    put(condicao, "campo", one(linha, f"{dentro}campo").strip())
    condicao["operador"] = operador
    put(condicao, "valor", read_valor(one(linha, f"{dentro}valor"), operador))
    return condicao


def _validade(linha: Linha, at: str, arvore: _Arvore) -> dict[str, Any]:
    regra = one(linha, "validade.regra")
    if not regra:
        return {}
    validade: dict[str, Any] = {"regra": regra}
    if regra == "emitido_no_maximo_dias_antes":
        _number(validade, "dias", linha, at, arvore, dentro="validade.")
    put(validade, "data", read_day(one(linha, "validade.data")))
    return validade


def _criterio(linha: Linha, at: str, arvore: _Arvore) -> dict[str, Any]:
    criterio: dict[str, Any] = {}
    for nome in ("id", "nome"):
        put(criterio, nome, one(linha, nome).strip())
    put(criterio, "descricao", one(linha, "descricao"))
    for nome in ("peso", "nota_min", "nota_max"):
        _number(criterio, nome, linha, at, arvore)
    niveis, wrong = read_levels(one(linha, "niveis"))
    if wrong is not None:
        mensagem = f"Na linha {wrong}, comece pela nota e dois-pontos, como 5: diz a quem serve, sem mostrar como."
        arvore.erros.append(Erro(f"{at}niveis", mensagem, _row_of(f"{at}niveis", arvore.escrito)))
    put(criterio, "niveis", niveis)
    return criterio


def put(objeto: dict[str, Any], nome: str, valor: Any) -> None:
    """What was left blank is absent, so that its default holds."""
    if valor is not None and valor not in ("", [], {}):
        objeto[nome] = valor


def _number(objeto: dict[str, Any], nome: str, linha: Linha, at: str, arvore: _Arvore, dentro: str = "") -> None:
    typed = one(linha, f"{dentro}{nome}")
    if not typed.strip():
        return
    number = read_number(typed)
    if number is None:
        campo = f"{at}{dentro}{nome}"
        arvore.erros.append(Erro(campo, "Escreva um número, como 2 ou 7,5.", _row_of(campo, arvore.escrito)))
    else:
        objeto[nome] = int(number) if number == number.to_integral_value() else number


def _told(problem: Problem, escrito: Escrito, lugares: Mapping[tuple[str, int], int]) -> Erro:
    if (problem.caminho or "").startswith(_RULES):  # they are written on a page of their own, to which the critérios lead
        return Erro("criterios", plain(problem.mensagem), "Regras de classificação, que mudam na página delas")
    campo = _field_of(problem.caminho or "", lugares)
    parts = campo.split(".", 2)
    linha: Linha = escrito.linhas[parts[0]][int(parts[1])] if parts[0] in escrito.linhas and parts[1:] else {}
    if problem.codigo == "documento_desconhecido" and (changed := _changed_tipo(one(linha, "documento"), escrito)) is not None:
        return changed
    if problem.codigo == "valor_incompativel":
        words = DITO_DO_VALOR.get(
            one(linha, campo.removeprefix(f"{parts[0]}.{parts[1]}.").replace("valor", "operador")), "Escreva um só valor."
        )
    else:
        words = DITO.get(problem.codigo or "", plain(problem.mensagem))
    return Erro(campo, words, _row_of(campo, escrito))


def _changed_tipo(codigo: str, escrito: Escrito) -> Erro | None:
    """What is wrong where requisitos ask for a type of document that was given another code, or taken out: told at that type."""
    asking = " e ".join(f"“{name_of_row(escrito, 'requisitos', at)}”" for at in uses(escrito, codigo))
    ask = f"{asking} {'pede' if len(uses(escrito, codigo)) == 1 else 'pedem'}"
    for at, row in enumerate(escrito.linhas["proprios"]):
        onde, now = name_of_row(escrito, "proprios", at), one(row, "id").strip()
        if one(row, FORA) == YES and now == codigo:
            return Erro(f"proprios.{at}", f"{ask} este tipo. Ponha-o de volta, ou escolha ali outro documento.", onde)
        if one(row, FORA) != YES and one(row, ERA) == codigo != now:
            mensagem = f"{ask} este tipo pelo código de antes, “{codigo}”. Use “Passar ao código novo”, ou volte o código ao que era."
            return Erro(f"proprios.{at}.id", mensagem, onde)
    return None


def _field_of(caminho: str, lugares: Mapping[tuple[str, int], int]) -> str:
    """The field of the form for a path of the import: `requisitos[1].validade` is `requisitos.1.validade.regra`."""
    steps = [(found[1], found[2]) for found in _STEP.finditer(caminho) if found[1]]
    if steps and steps[0][0] == EDITAL:
        if len(steps) > 1 and steps[1][0] in _INSIDE and steps[1][1]:
            steps = [(_INSIDE[steps[1][0]], steps[1][1]), *steps[2:]]
        else:
            return ".".join([EDITAL, *(nome for nome, _ in steps[1:])])
    if not steps or not steps[0][1]:
        return steps[0][0] if steps else ""
    secao, at = steps[0][0], int(steps[0][1])
    inside = [nome for nome, _ in steps[1:]]
    if inside[:1] == ["niveis"]:
        inside = ["niveis"]
    if inside == ["validade"]:
        inside = ["validade", "regra"]
    return ".".join([secao, str(lugares.get((secao, at), at)), *(inside or ["id"])])


def _row_of(campo: str, escrito: Escrito) -> str:
    secao, _, rest = campo.partition(".")
    if secao not in ROW:
        return "Dados do edital" if secao == EDITAL else ""
    return name_of_row(escrito, secao, int(rest.partition(".")[0] or 0)) if rest else ""


def plain(mensagem: str) -> str:
    """A sentence of the import without the marks of code that a file is spoken of with."""
    return re.sub(r"`([^`]*)`", r"“\1”", mensagem)


def _as_it_was(chamada: Chamada, antes: Chamada) -> Chamada:
    was = {requisito.id: requisito for requisito in antes.requisitos}
    requisitos = tuple(_requisito_as_it_was(requisito, was.get(requisito.id)) for requisito in chamada.requisitos)
    criterios = {criterio.id: criterio for criterio in antes.criterios}
    return msgspec.structs.replace(
        chamada,
        edital=_texts_as_they_were(chamada.edital, antes.edital),
        requisitos=requisitos,
        criterios=tuple(_texts_as_they_were(one_, criterios.get(one_.id)) for one_ in chamada.criterios),
    )


def _requisito_as_it_was(now: Requisito, was: Requisito | None) -> Requisito:
    if was is None or type(now) is not type(was):
        return now
    if now.quando is not None and was.quando is not None and reads_alike(now.quando, was.quando):
        now = msgspec.structs.replace(now, quando=msgspec.structs.replace(now.quando, valor=was.quando.valor))
    if isinstance(now, RequisitoCondicao) and isinstance(was, RequisitoCondicao) and reads_alike(now.condicao, was.condicao):
        now = msgspec.structs.replace(now, valor=was.valor)
    return _texts_as_they_were(now, was)


def reads_alike(now: Condicao, was: Condicao) -> bool:
    """Whether a form shows what both compare with alike."""
    if now.operador == was.operador == "existe":
        return (now.valor is False) == (was.valor is False)
    typed, kept = show_valor(now.valor), show_valor(was.valor)
    alike = {bare(kept), bare(kept.replace("\n", ""))}  # a field of one line leaves breaks out
    return now.operador == was.operador and bare(typed) in alike


def bare(text: str) -> str:
    """A text with one blank for each run of them, as a field of one line has it."""
    return " ".join(text.split())


def _texts_as_they_were(now: S, was: S | None) -> S:
    """The same, where only the breaks of lines, which a form writes its own way, or blanks around are another."""
    if was is None:
        return now
    kept = {
        nome: before
        for nome in now.__struct_fields__
        if isinstance(before := getattr(was, nome), str) and before.replace("\r\n", "\n").strip() == str(getattr(now, nome)).strip()
    }
    return msgspec.structs.replace(now, **kept)
