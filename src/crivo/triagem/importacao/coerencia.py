"""What must hold between the values of an import, and what is allowed and yet deserves a look.

A tree whose single values were refused is checked all the same, as far as it goes: everything is told at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.identificadores import is_cnpj, is_cpf
from crivo.triagem.edital import Criterio
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.importacao.valores import DATA
from crivo.triagem.palavras import day, number

Lido = Mapping[str, Any]

# Besides what a project declares in `campos`, a condition may speak of these.
DERIVADOS: Final = frozenset({"categoria", "valor_total", "orcamento_total"})
_DEFAULTS: Final = Criterio("", "")


def check_coerencia(lido: Lido, relato: Relato) -> None:
    """Tells all that does not fit together in an import whose values were read one by one."""
    check_edital(lido, relato)
    requisitos = check_requisitos(lido, relato)
    check_criterios(lido, relato)
    projetos = check_ids("projetos", lido, relato)
    for indice, projeto in objects(lido, "projetos"):
        _check_projeto(projeto, ("projetos", indice), requisitos, relato)
        _warn_projeto(projeto, ("projetos", indice), lido, relato)
    check_avaliadores(lido, projetos, relato)
    _warn_absent(lido, relato)


def objects(pai: Lido, nome: str) -> Iterator[tuple[int, Lido]]:
    """The objects of a list that could be read, with their positions."""
    for indice, item in enumerate(pai.get(nome) or ()):
        if isinstance(item, dict):
            yield indice, item


@dataclass(frozen=True, slots=True)
class Indice:
    """The ids of a list, each with its object's `tipo`; not `completo` where some could not be read, so that an id which is not here
    may still be right.
    """

    por_id: Mapping[str, str]
    completo: bool


def check_ids(nome: str, lido: Lido, relato: Relato) -> Indice:
    """The objects of a list by id; an id that comes again, even in another case, is a problem."""
    by_id: dict[str, str] = {}
    first: dict[str, tuple[int, str]] = {}
    completo = all(isinstance(item, dict) and "id" in item for item in lido.get(nome) or ())
    for indice, item in objects(lido, nome):
        codigo = item.get("id")
        if codigo is None:
            continue
        primeira, escrito = first.setdefault(codigo.casefold(), (indice, codigo))
        if primeira == indice:
            by_id[codigo] = item.get("tipo", "")
            continue
        igual = "já é" if escrito == codigo else f"só difere por maiúsculas de `{cite(escrito)}`,"
        mensagem = f"`{cite(codigo)}` {igual} o identificador de {relato.label((nome, primeira))}; dê a este um identificador próprio."
        relato.problemas.add("id_repetido", (nome, indice, "id"), mensagem)
    return Indice(by_id, completo)


def _check_repeats(lista: Sequence[str | None] | None, caminho: Caminho, relato: Relato) -> None:
    """Each item comes once; None stands for one that was refused."""
    vistos: set[str] = set()
    for posicao, item in enumerate(lista or ()):
        if item in vistos:
            relato.fail("repetido", (*caminho, posicao), "repete um item anterior da lista")
        elif item is not None:
            vistos.add(item)


def check_edital(lido: Lido, relato: Relato) -> None:
    """The dates of the edital in their order."""
    edital = lido.get("edital") or {}
    _check_repeats(edital.get("ordem_fases"), ("edital", "ordem_fases"), relato)
    inscricoes = edital.get("inscricoes") or {}
    inicio, fim = _day_of(inscricoes, "inicio"), _day_of(inscricoes, "fim")
    if inicio and fim and fim < inicio:
        mensagem = f"As inscrições terminam ({day(fim)}) antes de começar ({day(inicio)}); troque as datas."
        relato.problemas.add("datas_invertidas", ("edital", "inscricoes", "fim"), mensagem)
    referencia = _day_of(edital, "data_referencia")
    if referencia and inicio and referencia < inicio:
        mensagem = f"A data de referência ({day(referencia)}) é anterior às inscrições; os documentos serão julgados naquele dia."
        relato.avisos.add("referencia_anterior", ("edital", "data_referencia"), mensagem)


def check_requisitos(lido: Lido, relato: Relato) -> Indice:
    """The requisitos by id; each valor must be of the kind that its operador compares, each validade must have a date to count from."""
    edital = lido.get("edital") or {}
    dated = "data_referencia" in edital or "fim" in (edital.get("inscricoes") or {})
    for indice, requisito in objects(lido, "requisitos"):
        caminho: Caminho = ("requisitos", indice)
        _check_repeats(requisito.get("formatos"), (*caminho, "formatos"), relato)
        if "operador" in requisito:
            _check_valor(requisito["operador"], requisito.get("valor"), (*caminho, "valor"), relato)
        validade = requisito.get("validade")
        if validade and "data" not in validade and not dated:
            mensagem = "precisa de `data`, porque o edital não tem data de referência nem fim das inscrições"
            relato.fail("validade_sem_data", (*caminho, "validade"), mensagem)
    return check_ids("requisitos", lido, relato)


def _check_valor(operador: str, valor: Any, caminho: Caminho, relato: Relato) -> None:
    expected = ""
    if operador == "em" and not (isinstance(valor, list) and valor):
        expected = 'uma lista com ao menos um valor, como ["Caucaia"]'
    elif operador in {"igual", "diferente"} and (valor is None or isinstance(valor, list)):
        expected = "um único valor; para uma lista, use o operador `em`"
    elif operador in {"minimo", "maximo"} and not _is_ordered(valor):
        expected = "um número, ou uma data no formato AAAA-MM-DD"
    elif operador == "existe" and not (valor is None or isinstance(valor, bool)):
        expected = "`true` ou `false`, ou ser deixado de fora"
    if expected:
        relato.fail("valor_incompativel", caminho, f"com o operador `{operador}` deve ser {expected}")


def _is_ordered(valor: Any) -> bool:
    if isinstance(valor, str):
        return re.fullmatch(DATA, valor) is not None and _date(valor) is not None
    return isinstance(valor, int | float | Decimal) and not isinstance(valor, bool)


def check_criterios(lido: Lido, relato: Relato) -> None:
    """Each scale goes up, and its levels are in it, each nota once."""
    check_ids("criterios", lido, relato)
    for indice, criterio in objects(lido, "criterios"):
        caminho: Caminho = ("criterios", indice)
        minimo, maximo = criterio.get("nota_min", _DEFAULTS.nota_min), criterio.get("nota_max", _DEFAULTS.nota_max)
        if minimo >= maximo:
            mensagem = f"A nota mínima ({number(minimo)}) deve ser menor que a máxima ({number(maximo)})."
            relato.problemas.add("notas_invertidas", (*caminho, "nota_min"), mensagem)
            continue
        vistas: set[Decimal] = set()
        for posicao, nivel in objects(criterio, "niveis"):
            nota = nivel.get("nota")
            onde: Caminho = (*caminho, "niveis", posicao, "nota")
            if nota is not None and not minimo <= nota <= maximo:
                relato.fail("nivel_fora_da_escala", onde, f"deve estar entre {number(minimo)} e {number(maximo)}, a escala do critério")
            elif nota in vistas:
                relato.fail("nivel_repetido", onde, f"repete a nota {number(nota)}; cada nível tem a sua")
            if nota is not None:
                vistas.add(nota)


def check_avaliadores(lido: Lido, projetos: Indice, relato: Relato) -> None:
    """Each e-mail comes once, and the projetos given to somebody are there."""
    emails: set[str] = set()
    for indice, avaliador in objects(lido, "avaliadores"):
        caminho: Caminho = ("avaliadores", indice)
        email = avaliador.get("email", "").casefold()
        if email and email in emails:
            relato.fail("email_repetido", (*caminho, "email"), "já é o e-mail de outro avaliador da lista")
        emails.add(email)
        _check_repeats(avaliador.get("projetos"), (*caminho, "projetos"), relato)
        for posicao, projeto_id in enumerate(avaliador.get("projetos") or ()):
            if projeto_id is not None and projeto_id not in projetos.por_id and projetos.completo:
                onde: Caminho = (*caminho, "projetos", posicao)
                mensagem = f"Não há projeto `{cite(projeto_id)}` nesta importação.{relato.suggest(projeto_id, projetos.por_id)}"
                relato.problemas.add("projeto_desconhecido", onde, mensagem)
        _warn_identifier(avaliador, "cpf", caminho, relato)
        _warn_identifier(avaliador, "cnpj", caminho, relato)


def _check_projeto(projeto: Lido, caminho: Caminho, requisitos: Indice, relato: Relato) -> None:
    for posicao, documento in objects(projeto, "documentos"):
        requisito_id = documento.get("requisito")
        onde: Caminho = (*caminho, "documentos", posicao, "requisito")
        requisito = requisitos.por_id.get(requisito_id or "")
        if requisito is not None and requisito == "condicao":
            relato.fail("requisito_sem_documento", onde, "aponta para uma condição, que não se atende com um documento")
        elif requisito is None and requisito_id is not None and requisitos.completo:
            mensagem = f"Não há requisito `{cite(requisito_id)}` neste edital.{relato.suggest(requisito_id, requisitos.por_id)}"
            relato.problemas.add("requisito_desconhecido", onde, mensagem)


# --- what applicants wrote: never a reason to leave a project out of the screening


def _warn_projeto(projeto: Lido, caminho: Caminho, lido: Lido, relato: Relato) -> None:
    avisos = relato.avisos
    proponente = projeto.get("proponente") or {}
    if not projeto.get("titulo", "-").strip():
        avisos.add("sem_titulo", (*caminho, "titulo"), "O projeto não tem título.")
    if not proponente.get("nome", "-").strip():
        avisos.add("sem_nome", (*caminho, "proponente", "nome"), "O proponente não tem nome.")
    if not projeto.get("resumo", "").strip() and not projeto.get("descricao_tecnica", "").strip():
        avisos.add("sem_texto", caminho, "O projeto não tem resumo nem descrição técnica; não há texto para ler nem comparar.")
    _warn_identifier(proponente, "cpf_cnpj", (*caminho, "proponente"), relato)
    _warn_identifier(proponente.get("responsavel") or {}, "cpf", (*caminho, "proponente", "responsavel"), relato)
    for posicao, etapa in objects(projeto, "cronograma_etapas"):
        inicio, fim = _day_of(etapa, "inicio"), _day_of(etapa, "fim")
        if inicio and fim and fim < inicio:
            onde: Caminho = (*caminho, "cronograma_etapas", posicao, "fim")
            avisos.add("etapa_invertida", onde, f"A etapa termina ({day(fim)}) antes de começar ({day(inicio)}).")
    _warn_enviado(projeto, caminho, lido, relato)


def _warn_enviado(projeto: Lido, caminho: Caminho, lido: Lido, relato: Relato) -> None:
    inscricoes = (lido.get("edital") or {}).get("inscricoes") or {}
    inicio, fim, enviado = _day_of(inscricoes, "inicio"), _day_of(inscricoes, "fim"), projeto.get("enviado_em")
    if enviado and inicio and fim and not inicio <= datetime.fromisoformat(enviado).date() <= fim:
        mensagem = f"{relato.label((*caminho, 'enviado_em'))}: o envio está fora do período de inscrições."
        relato.avisos.add("envio_fora_do_periodo", (*caminho, "enviado_em"), mensagem)


def _warn_identifier(pessoa: Lido, nome: str, caminho: Caminho, relato: Relato) -> None:
    escrito = pessoa.get(nome, "")
    is_valid = (nome != "cnpj" and is_cpf(escrito)) or (nome != "cpf" and is_cnpj(escrito))
    if escrito.strip() and not is_valid:
        onde = (*caminho, nome)
        efeito = "conflitos por este número não serão vistos" if caminho[0] == "avaliadores" else "o projeto é triado assim mesmo"
        mensagem = f"{relato.label(onde)} tem um número cujos dígitos verificadores não conferem; {efeito}."
        relato.avisos.add("identificador_nao_confere", onde, mensagem)


def _warn_absent(lido: Lido, relato: Relato) -> None:
    absent = (
        ("requisitos", "sem_requisitos", "O edital não tem requisitos: não haverá o que conferir na habilitação."),
        ("criterios", "sem_criterios", "O edital não tem critérios: não haverá leitura para a avaliação."),
        ("projetos", "sem_projetos", "O edital não tem projetos: foi aceito, e não há o que triar."),
    )
    for nome, codigo, mensagem in absent:
        if not lido.get(nome):
            relato.avisos.add(codigo, (nome,), mensagem)
    if lido.get("projetos"):
        _warn_undeclared(lido, relato)


def _warn_undeclared(lido: Lido, relato: Relato) -> None:
    declared = set(DERIVADOS)
    for _, projeto in objects(lido, "projetos"):
        declared.update(projeto.get("campos") or ())
    for indice, requisito in objects(lido, "requisitos"):
        campo = requisito.get("campo")
        if campo is not None and campo not in declared:
            sugestao = relato.suggest(campo, sorted(declared))
            mensagem = f"Nenhum projeto declara `{cite(campo)}`: a condição não será atendida por nenhum.{sugestao}"
            relato.avisos.add("campo_nao_declarado", ("requisitos", indice, "campo"), mensagem)


def _day_of(pai: Lido, nome: str) -> date | None:
    escrito = pai.get(nome)
    return _date(escrito) if isinstance(escrito, str) else None


def _date(escrito: str) -> date | None:
    try:
        return date.fromisoformat(escrito)
    except ValueError:
        return None
