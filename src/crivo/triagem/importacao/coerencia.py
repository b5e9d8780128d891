"""What must hold between the values of an import, and what is allowed and yet deserves a look.

A tree whose single values were refused is checked all the same, as far as it goes: everything is told at once.
"""

from __future__ import annotations

from collections.abc import Set
from datetime import datetime
from decimal import Decimal
from typing import Final

from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.linguagem.identificadores import is_cnpj, is_cpf
from crivo.triagem.categorias import foreign
from crivo.triagem.importacao.coerencia_edital import check_criterios, check_edital, check_requisitos
from crivo.triagem.importacao.coerencia_resultado import check_avaliacoes, check_classificacao, check_habilitacoes
from crivo.triagem.importacao.declarados import fields_asked, warn_misspelt, warn_undeclared
from crivo.triagem.importacao.pecas import Indice, Lido, check_ids, check_projeto, check_repeats, day_of, objects
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.palavras import day, number

_CENT: Final = Decimal("0.01")
_NO_PROJECTS: Final = {
    True: "O edital não tem projetos: foi aceito, e não há o que triar.",
    False: "O arquivo não diz nada de projetos: os que o edital já tiver ficam como estão; sem nenhum, não há o que triar.",
}


def check_coerencia(lido: Lido, relato: Relato) -> None:
    """Tells all that does not fit together in an import whose values were read one by one."""
    check_edital(lido, relato)
    requisitos = check_requisitos(lido, relato)
    check_criterios(lido, relato)
    check_classificacao(lido, relato)
    declared = {campo for _, projeto in objects(lido, "projetos") for campo in projeto.get("campos") or ()}
    _warn_absent(lido, declared, relato)  # before what is said of each project: lists are cut, and this is of the edital itself
    projetos = check_ids("projetos", lido, relato)
    asked = fields_asked(lido) & declared  # what no project has is the edital's own slip
    for indice, projeto in objects(lido, "projetos"):
        _check_projeto(projeto, ("projetos", indice), requisitos, relato)
        _warn_projeto(projeto, ("projetos", indice), lido, relato)
        warn_misspelt(projeto, ("projetos", indice), asked, relato)
    check_avaliadores(lido, projetos, relato)
    check_avaliacoes(lido, projetos, relato)
    check_habilitacoes(lido, projetos, relato)


def check_avaliadores(lido: Lido, projetos: Indice, relato: Relato) -> None:
    """Each e-mail comes once, and the projetos given to somebody are there."""
    emails: set[str] = set()
    for indice, avaliador in objects(lido, "avaliadores"):
        caminho: Caminho = ("avaliadores", indice)
        email = avaliador.get("email", "").casefold()
        if email and email in emails:
            relato.fail("email_repetido", (*caminho, "email"), "já é o e-mail de outro avaliador da lista")
        emails.add(email)
        check_repeats(avaliador.get("projetos"), (*caminho, "projetos"), relato)
        for posicao, projeto_id in enumerate(avaliador.get("projetos") or ()):
            check_projeto(projeto_id, projetos, (*caminho, "projetos", posicao), relato)
        _warn_categorias(avaliador, caminho, lido, relato)
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
        inicio, fim = day_of(etapa, "inicio"), day_of(etapa, "fim")
        if inicio and fim and fim < inicio:
            onde: Caminho = (*caminho, "cronograma_etapas", posicao, "fim")
            avisos.add("etapa_invertida", onde, f"A etapa termina ({day(fim)}) antes de começar ({day(inicio)}).")
    _warn_soma(projeto, caminho, relato)
    _warn_enviado(projeto, caminho, lido, relato)
    _warn_categoria(projeto, caminho, lido, relato)


def _warn_soma(projeto: Lido, caminho: Caminho, relato: Relato) -> None:
    """An amount that is declared and is not what the budget adds up to: both are shown, and limits are held against the declared one."""
    declared = (projeto.get("campos") or {}).get("valor_total")
    itens = [item for _, item in objects(projeto, "orcamento_itens")]
    if isinstance(declared, bool) or not isinstance(declared, int | float | Decimal) or not itens:
        return
    total = sum((Decimal(str(item.get("quantidade", 1))) * Decimal(str(item.get("valor_unitario", 0))) for item in itens), Decimal(0))
    if abs(total - Decimal(str(declared))) >= _CENT:
        said = f"O projeto declara R$ {number(declared, 2)} em `valor_total`, e os itens do orçamento somam R$ {number(total, 2)}"
        mensagem = f"{said}. As regras sobre o valor conferem o que foi declarado."
        relato.avisos.add("orcamento_difere", (*caminho, "campos", "valor_total"), mensagem)


def _warn_enviado(projeto: Lido, caminho: Caminho, lido: Lido, relato: Relato) -> None:
    inscricoes = (lido.get("edital") or {}).get("inscricoes") or {}
    inicio, fim, enviado = day_of(inscricoes, "inicio"), day_of(inscricoes, "fim"), projeto.get("enviado_em")
    if enviado and inicio and fim and not inicio <= datetime.fromisoformat(enviado).date() <= fim:
        mensagem = f"{relato.label((*caminho, 'enviado_em'))}: o envio está fora do período de inscrições."
        relato.avisos.add("envio_fora_do_periodo", (*caminho, "enviado_em"), mensagem)


def _warn_categoria(projeto: Lido, caminho: Caminho, lido: Lido, relato: Relato) -> None:
    categorias = [one for one in (lido.get("edital") or {}).get("categorias") or () if one is not None]
    escrita = projeto.get("categoria", "")
    if not categorias or (escrita.strip() and not foreign([escrita], categorias)):
        return
    if escrita.strip():
        mensagem = f"`{cite(escrita)}` não é uma das categorias do edital.{relato.suggest(escrita, categorias)}"
    else:
        mensagem = "O projeto não diz em qual das categorias do edital concorre."
    relato.avisos.add("categoria_fora_da_lista", (*caminho, "categoria"), mensagem)


def _warn_categorias(avaliador: Lido, caminho: Caminho, lido: Lido, relato: Relato) -> None:
    """Whoever keeps to a categoria that the edital lacks is drawn for nothing of it."""
    check_repeats(avaliador.get("categorias"), (*caminho, "categorias"), relato)
    categorias = [one for one in (lido.get("edital") or {}).get("categorias") or () if one is not None]
    for posicao, escrita in enumerate(avaliador.get("categorias") or ()):
        if isinstance(escrita, str) and foreign([escrita], categorias):
            mensagem = f"`{cite(escrita)}` não é uma das categorias do edital.{relato.suggest(escrita, categorias)}"
            relato.avisos.add("categoria_fora_da_lista", (*caminho, "categorias", posicao), mensagem)


def _warn_identifier(pessoa: Lido, nome: str, caminho: Caminho, relato: Relato) -> None:
    escrito = pessoa.get(nome, "")
    is_valid = (nome != "cnpj" and is_cpf(escrito)) or (nome != "cpf" and is_cnpj(escrito))
    if escrito.strip() and not is_valid:
        onde = (*caminho, nome)
        efeito = "conflitos por este número não serão vistos" if caminho[0] == "avaliadores" else "o projeto é triado assim mesmo"
        mensagem = f"{relato.label(onde)} tem um número cujos dígitos verificadores não conferem; {efeito}."
        relato.avisos.add("identificador_nao_confere", onde, mensagem)


def _warn_absent(lido: Lido, declared: Set[str], relato: Relato) -> None:
    said = "projetos" in lido or "avaliadores" in lido
    absent = (
        ("requisitos", "sem_requisitos", "O edital não tem requisitos: não haverá o que conferir na habilitação."),
        ("criterios", "sem_criterios", "O edital não tem critérios: não haverá leitura para a avaliação."),
        ("projetos", "sem_projetos", _NO_PROJECTS[said]),
    )
    for nome, codigo, mensagem in absent:
        if not lido.get(nome):
            relato.avisos.add(codigo, (nome,), mensagem)
    if lido.get("projetos"):
        warn_undeclared(lido, declared, relato)
