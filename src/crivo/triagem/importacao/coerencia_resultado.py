"""What must hold between the values of how notas become places, and of what people already gave and decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.classificacao.definicao import AMPLA, TODAS, Classificacao
from crivo.triagem.edital import Criterio
from crivo.triagem.importacao.coerencia_edital import check_condicao
from crivo.triagem.importacao.pecas import Indice, Lido, check_ids, check_projeto, check_repeats, objects
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.palavras import count, number

_ONDE: Final[Caminho] = ("edital", "classificacao")
_DEFAULTS: Final = Classificacao()
_CRITERIO: Final = Criterio("", "")


def check_classificacao(lido: Lido, relato: Relato) -> None:
    """Each critério that it speaks of is there, each condition compares what can be compared, and no cota keeps more than there is."""
    edital = lido.get("edital") or {}
    regras = edital.get("classificacao")
    if not isinstance(regras, Mapping):
        return
    criterios = _criterios_of(lido, relato)
    _check_corte(regras, criterios, relato)
    _check_bonus(regras, edital, relato)
    _check_desempate(regras, criterios, relato)
    _check_vagas(regras, edital, relato)
    check_repeats(regras.get("remanejamento"), (*_ONDE, "remanejamento"), relato)
    if not lido.get("criterios"):
        mensagem = "O edital diz como classificar e não tem critérios: sem notas, todos os projetos ficam pendentes."
        relato.avisos.add("classificacao_sem_criterios", _ONDE, mensagem)


def check_avaliacoes(lido: Lido, projetos: Indice, relato: Relato) -> None:
    """Each is of a projeto and of somebody who can be told, once, with notas within the scale of critérios that there are."""
    criterios = _criterios_of(lido, relato)
    people = people_of(lido)
    seen: set[tuple[str, str]] = set()
    for indice, avaliacao in objects(lido, "avaliacoes"):
        caminho: Caminho = ("avaliacoes", indice)
        projeto, quem = avaliacao.get("projeto"), avaliacao.get("avaliador")
        check_projeto(projeto, projetos, (*caminho, "projeto"), relato)
        email = None if quem is None else email_of(quem, people)
        if quem is not None and email is None:
            mensagem = "não diz quem avaliou; escreva o e-mail, ou o nome de um só dos avaliadores desta importação"
            relato.fail("avaliador_desconhecido", (*caminho, "avaliador"), mensagem)
        if projeto is not None and email is not None:
            if (projeto, email) in seen:
                relato.fail("avaliacao_repetida", (*caminho, "avaliador"), "já avaliou este projeto em outro item da lista; deixe um só")
            seen.add((projeto, email))
        _check_notas(avaliacao.get("notas") or {}, criterios, (*caminho, "notas"), relato)


def check_habilitacoes(lido: Lido, projetos: Indice, relato: Relato) -> None:
    """Each is of a projeto of the import, once."""
    seen: set[str] = set()
    for indice, decidida in objects(lido, "habilitacoes"):
        projeto = decidida.get("projeto")
        onde: Caminho = ("habilitacoes", indice, "projeto")
        check_projeto(projeto, projetos, onde, relato)
        if projeto in seen:
            relato.fail("habilitacao_repetida", onde, "já tem a sua habilitação em outro item da lista; deixe um só")
        elif projeto is not None:
            seen.add(projeto)


def conditions_of(lido: Lido) -> Iterator[tuple[Lido, Caminho, str]]:
    """Whatever of the classificação speaks of a declared field, where it stands, and what it comes to if nobody declares it."""
    regras = (lido.get("edital") or {}).get("classificacao") or {}
    for indice, bonus in objects(regras, "bonus"):
        yield bonus.get("quando") or {}, (*_ONDE, "bonus", indice, "quando"), "ninguém terá este bônus"
    for indice, desempate in objects(regras, "desempate"):
        if desempate.get("por") == "campo":
            yield desempate, (*_ONDE, "desempate", indice), "não desempata ninguém"
    for indice, vagas in objects(regras, "vagas"):
        for posicao, cota in objects(vagas, "cotas"):
            onde: Caminho = (*_ONDE, "vagas", indice, "cotas", posicao, "quando")
            yield cota.get("quando") or {}, onde, "a cota não terá optantes"


def email_of(quem: str, people: Mapping[str, str | None]) -> str | None:
    """The e-mail of who is named by it, or by a name that is one person's alone; in small letters. None where that says nobody."""
    written = quem.strip()
    return written.casefold() if "@" in written else people.get(fold(written))


def people_of(lido: Lido) -> dict[str, str | None]:
    """The e-mail of each who judges, by their name; None of a name that several have."""
    found: dict[str, str | None] = {}
    for _, one in objects(lido, "avaliadores"):
        if "nome" in one and "email" in one:
            name = fold(one["nome"])
            found[name] = None if name in found else one["email"].strip().casefold()
    return found


def _criterios_of(lido: Lido, relato: Relato) -> dict[str, Lido] | None:
    """The critérios by id; None where some could not be read, so that one which is not there may still be right."""
    if "criterios" not in lido and relato.problemas.total:  # the list itself may be what was refused
        return None
    listed = lido.get("criterios") or ()
    found = {one["id"]: one for _, one in objects(lido, "criterios") if "id" in one}
    return found if len(found) == len(listed) else None


def _check_criterio(codigo: str | None, criterios: Mapping[str, Lido] | None, caminho: Caminho, relato: Relato) -> None:
    if codigo is not None and criterios is not None and codigo not in criterios:
        mensagem = f"Não há critério `{cite(codigo)}` neste edital.{relato.suggest(codigo, criterios)}"
        relato.problemas.add("criterio_desconhecido", caminho, mensagem)


def _check_corte(regras: Lido, criterios: Mapping[str, Lido] | None, relato: Relato) -> None:
    corte = regras.get("corte") or {}
    caminho: Caminho = (*_ONDE, "corte")
    escala, minima = regras.get("escala", _DEFAULTS.escala), corte.get("nota_final_minima")
    if minima is not None and escala is not None and minima > escala:
        mensagem = f"é maior que a escala ({number(escala)}): ninguém a alcançaria"
        relato.fail("corte_fora_da_escala", (*caminho, "nota_final_minima"), mensagem)
    for codigo, nota in (corte.get("por_criterio") or {}).items():
        onde: Caminho = (*caminho, "por_criterio", codigo)
        _check_criterio(codigo, criterios, onde, relato)
        _check_scale(nota, (criterios or {}).get(codigo), onde, relato)
    check_repeats(corte.get("zero_elimina"), (*caminho, "zero_elimina"), relato)
    for posicao, codigo in enumerate(corte.get("zero_elimina") or ()):
        _check_criterio(codigo, criterios, (*caminho, "zero_elimina", posicao), relato)


def _check_bonus(regras: Lido, edital: Lido, relato: Relato) -> None:
    check_ids("bonus", regras, relato, _ONDE)
    casas = regras.get("casas", _DEFAULTS.casas)
    _check_places(regras.get("bonus_maximo"), casas, (*_ONDE, "bonus_maximo"), relato)
    for indice, bonus in objects(regras, "bonus"):
        caminho: Caminho = (*_ONDE, "bonus", indice)
        _check_places(bonus.get("pontos"), casas, (*caminho, "pontos"), relato)
        check_condicao(bonus.get("quando") or {}, edital, (*caminho, "quando"), relato)


def _check_places(pontos: Decimal | None, casas: int, caminho: Caminho, relato: Relato) -> None:
    if pontos is not None and pontos != round(pontos, casas):
        mensagem = f"pode ter até {count(casas, 'casa', 'casas')} depois da vírgula, como as notas do edital (`casas`)"
        relato.fail("pontos_alem_das_casas", caminho, mensagem)


def _check_desempate(regras: Lido, criterios: Mapping[str, Lido] | None, relato: Relato) -> None:
    drawn = False
    for indice, desempate in objects(regras, "desempate"):
        caminho: Caminho = (*_ONDE, "desempate", indice)
        _check_criterio(desempate.get("criterio"), criterios, (*caminho, "criterio"), relato)
        if drawn:
            relato.avisos.add("desempate_depois_do_sorteio", caminho, "O sorteio já decide antes deste desempate; ele nunca será usado.")
        drawn = drawn or desempate.get("por") == "sorteio"


def _check_vagas(regras: Lido, edital: Lido, relato: Relato) -> None:
    known = {fold(one): one for one in edital.get("categorias") or () if one is not None}
    seen: dict[str, str] = {}
    for indice, vagas in objects(regras, "vagas"):
        caminho: Caminho = (*_ONDE, "vagas", indice)
        categoria = vagas.get("categoria")
        if categoria is not None:
            if fold(categoria) in seen:
                relato.fail("categoria_repetida", (*caminho, "categoria"), f"já tem vagas em outro item: `{cite(seen[fold(categoria)])}`")
            seen.setdefault(fold(categoria), categoria)
            if known and categoria != TODAS and fold(categoria) not in known:
                mensagem = f"`{cite(categoria)}` não é uma das categorias do edital.{relato.suggest(categoria, known.values())}"
                relato.problemas.add("categoria_desconhecida", (*caminho, "categoria"), mensagem)
        _check_cotas(vagas, edital, caminho, relato)


def _check_cotas(vagas: Lido, edital: Lido, caminho: Caminho, relato: Relato) -> None:
    check_ids("cotas", vagas, relato, caminho)
    kept = 0
    for posicao, cota in objects(vagas, "cotas"):
        onde: Caminho = (*caminho, "cotas", posicao)
        kept += cota.get("vagas", 0)
        check_condicao(cota.get("quando") or {}, edital, (*onde, "quando"), relato)
        if cota.get("id", "").casefold() == AMPLA.casefold():
            relato.fail("cota_reservada", (*onde, "id"), f"não pode ser `{AMPLA}`, o nome da ampla concorrência; dê à cota outro código")
    total = vagas.get("total")
    if total is not None and kept > total:
        told = f"{count(kept, 'vaga', 'vagas')}, e a categoria tem {number(total)}"
        mensagem = f"As cotas reservam {told}. Aumente o total, ou reserve menos: o que sobra do total é a ampla concorrência."
        relato.problemas.add("cotas_demais", (*caminho, "cotas"), mensagem)


def _check_notas(notas: Mapping[str, Any], criterios: Mapping[str, Lido] | None, caminho: Caminho, relato: Relato) -> None:
    for codigo, nota in notas.items():
        _check_criterio(codigo, criterios, (*caminho, codigo), relato)
        _check_scale(nota, (criterios or {}).get(codigo), (*caminho, codigo), relato)
    lacking = [codigo for codigo in criterios or () if codigo not in notas]
    if lacking:
        told = ", ".join(f"`{cite(codigo)}`" for codigo in lacking)
        relato.avisos.add("avaliacao_incompleta", caminho, f"Sem nota em {told}: enquanto faltar, a avaliação não conta.")


def _check_scale(nota: Decimal | None, criterio: Lido | None, caminho: Caminho, relato: Relato) -> None:
    if nota is None or criterio is None:
        return
    minimo, maximo = criterio.get("nota_min", _CRITERIO.nota_min), criterio.get("nota_max", _CRITERIO.nota_max)
    if minimo < maximo and not minimo <= nota <= maximo:  # a scale that is upside down is told where it stands
        relato.fail("nota_fora_da_escala", caminho, f"deve estar entre {number(minimo)} e {number(maximo)}, a escala do critério")
