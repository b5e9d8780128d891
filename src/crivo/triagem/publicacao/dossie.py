"""The dossier of a project as a document: what was asked, what was found, who decided what, and where it came to stand.

The version for the proponente calls whoever judged `Avaliador 1`, `Avaliador 2`…, numbered anew for each project, and tells of cases no
more than what they are of and how they were decided. CPFs are masked in both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from crivo.kernel.clock import BRASILIA
from crivo.triagem.achados import Evidencia, ItemHabilitacao
from crivo.triagem.atos import name_of, when
from crivo.triagem.casos.guardados import Caso
from crivo.triagem.casos.palavras import SITUACAO_CASO
from crivo.triagem.classificacao.palavras import SITUACAO as LUGAR
from crivo.triagem.classificacao.palavras import motivo, mudaria, por_que
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.diligencias.guardadas import Aberta
from crivo.triagem.edital import Requisito
from crivo.triagem.guardados import Avaliacao, DecisaoHabilitacao
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.mesa import NaMesa
from crivo.triagem.palavras import AUTOR, HABILITACAO, MOTIVO, identifier, number, shown, situation_of
from crivo.triagem.publicacao.conteudo import Linha
from crivo.triagem.publicacao.documentos.folha import Bloco, Coluna, Fatos, Folha, Paragrafo, Secao, Tabela
from crivo.triagem.publicacao.documentos.resultado import TITULO, vaga_said
from crivo.triagem.publicacao.dossie_ouvidos import Ditos, asked_again, contested, judged_after
from crivo.triagem.publicacao.guardados import Publicada
from crivo.triagem.recursos.contratos import Recurso

Para = Literal["interno", "proponente"]
"""Whom a dossier is for."""
_PARA: Final[Mapping[Para, str]] = {
    "interno": "Uso interno do órgão: traz o nome de quem avaliou.",
    "proponente": "Para o proponente: quem avaliou não é nomeado.",
}
_NOBODY_DECIDED: Final = "Ninguém decidiu a habilitação deste projeto ainda."


@dataclass(frozen=True, slots=True)
class Reunido:
    """All that a dossier is made of. `classificada` is None where the edital has no rules; `publicadas` are the versions that have a row of
    the project, the newest first.
    """

    na_mesa: NaMesa
    casos: Sequence[Caso]
    classificada: Classificada | None
    publicadas: Sequence[tuple[Publicada, Linha]]
    diligencias: Sequence[Aberta] = ()
    recursos: Sequence[Recurso] = ()
    nomes: Mapping[UUID, str] = field(default_factory=dict)  # of whoever answered or asked, beside those that the project names


@dataclass(frozen=True, slots=True)
class _Nomes:
    """How whoever judged is called, and their texts with the names taken out where they are not told."""

    por_id: Mapping[UUID, str]
    trocas: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, na_mesa: NaMesa, para: Para) -> _Nomes:
        known = {one.avaliador: one.nome for one in na_mesa.incumbencias}
        judged = dict.fromkeys([*(one.avaliador for one in na_mesa.avaliacoes), *known])
        named = {one: known.get(one) or name_of(one, na_mesa.nomes) for one in judged}
        if para == "interno":
            return cls(named)
        # In no order that says who is who, and in another one with each project.
        drawn = sorted(judged, key=lambda one: hashlib.sha256(f"{na_mesa.projeto.id}:{one}".encode()).digest())
        numbered = {one: f"Avaliador {at}" for at, one in enumerate(drawn, 1)}
        longest_first = sorted((one for one in judged if named[one].strip()), key=lambda one: -len(named[one]))
        return cls(numbered, {named[one]: numbered[one] for one in longest_first})

    def said(self, text: str) -> str:
        for name, number_of in self.trocas.items():
            text = text.replace(name, number_of)
        return shown(text)


def lay_out(reunido: Reunido, para: Para, em: datetime) -> Folha:
    """The document, as it stands at `em`."""
    na_mesa = reunido.na_mesa
    nomes = _Nomes.of(na_mesa, para)
    ditos = _told_as(reunido, nomes, para)
    projeto, edital = na_mesa.projeto, na_mesa.edital
    titulo = f"Dossiê do projeto {projeto.id}: {' '.join(shown(projeto.titulo).split())}"
    return Folha(
        titulo,
        shown(edital.orgao),
        f"O que foi pedido, achado e decidido do projeto {projeto.id} no edital {edital.id}.",
        em.astimezone(BRASILIA),
        (Paragrafo(_PARA[para], "aviso"), Fatos(tuple(_facts(na_mesa, em)))),
        (
            Secao("O que foi pedido", tuple(_asked(na_mesa))),
            Secao("O que foi enviado e achado", tuple(_found(na_mesa, reunido.diligencias))),
            Secao("Diligências", tuple(asked_again(reunido.diligencias, ditos))),
            Secao("Quem decidiu a habilitação", tuple(_decided(na_mesa, nomes))),
            Secao("Casos", tuple(_cases(reunido.casos, para))),
            Secao("O que foi avaliado", tuple(_graded(na_mesa, nomes))),
            Secao("O lugar, e por quê", tuple(_place(reunido.classificada, projeto.id, nomes))),
            Secao("Recursos", tuple(contested(reunido.recursos, {one.id: one.nome for one in na_mesa.criterios}, ditos))),
            Secao("Onde foi publicado", tuple(_published(reunido.publicadas))),
        ),
        f"Dossiê do projeto {projeto.id}, edital {edital.id}, de {when(em)}",
    )


def _told_as(reunido: Reunido, nomes: _Nomes, para: Para) -> Ditos:
    """The proponente is told that the agency asked and answered, and of notas that somebody gave them."""
    known = {**reunido.na_mesa.nomes, **reunido.nomes}

    def quem(who: UUID) -> str:
        return "quem cuida do edital" if para == "proponente" else shown(name_of(who, known))

    def avaliador(who: UUID) -> str:
        return nomes.por_id.get(who) or ("um avaliador" if para == "proponente" else name_of(who, known))

    return Ditos(nomes.said, quem, avaliador)


def _facts(na_mesa: NaMesa, em: datetime) -> Iterator[tuple[str, str]]:
    projeto, edital = na_mesa.projeto, na_mesa.edital
    yield "Edital", f"{shown(edital.nome)} ({edital.id})"
    yield "Projeto", f"{shown(projeto.titulo)} ({projeto.id})"
    document = identifier(projeto.proponente.cpf_cnpj)
    yield "Proponente", f"{shown(projeto.proponente.nome)}{f' ({document})' if document else ''}"
    if projeto.categoria:
        yield "Categoria", shown(projeto.categoria)
    if projeto.enviado_em is not None:
        yield "Enviado em", when(projeto.enviado_em)
    yield "Feito em", when(em)


def _asked(na_mesa: NaMesa) -> Iterator[Bloco]:
    rows = [(one.id, one.clausula, shown(_named(one)), "sim" if one.eliminatorio else "não") for one in na_mesa.requisitos]
    columns = (Coluna("Requisito", 12), Coluna("Cláusula", 12), Coluna("O que se pede", 60), Coluna("Eliminatório", 12))
    yield Tabela("Requisitos do edital", columns, tuple(rows), "O edital não pede requisitos.", chave=2)
    graded = [(one.id, shown(one.nome), number(one.peso), f"{number(one.nota_min)} a {number(one.nota_max)}") for one in na_mesa.criterios]
    heads = (Coluna("Critério", 12), Coluna("Nome", 52), Coluna("Peso", 10, numero=True), Coluna("Notas", 16))
    yield Tabela("Critérios de avaliação", heads, tuple(graded), "O edital não tem critérios.", chave=1)


def _named(requisito: Requisito) -> str:
    return requisito.descricao or requisito.id


def _found(na_mesa: NaMesa, diligencias: Sequence[Aberta]) -> Iterator[Bloco]:
    sent = [(shown(one.arquivo), one.requisito or "anexo") for one in na_mesa.projeto.documentos]
    yield Tabela("Documentos enviados", (Coluna("Arquivo", 70), Coluna("Para", 20)), tuple(sent), "Nenhum documento foi enviado.")
    triado = na_mesa.triado
    if triado is None:
        yield Paragrafo("Nenhuma triagem terminada olhou este projeto.")
        return
    after: dict[str, list[tuple[int, ItemHabilitacao]]] = {}
    for numero, item in judged_after(diligencias):
        after.setdefault(item.requisito, []).append((numero, item))
    rows = [row for one in triado.itens for row in _rows(one, after.get(one.requisito, ()))]
    columns = (
        Coluna("Requisito", 11),
        Coluna("Situação", 13),
        Coluna("O que foi achado", 48),
        Coluna("Onde", 22),
        Coluna("Quem achou", 13),
    )
    yield Tabela("O que a triagem achou de cada requisito", columns, tuple(rows), "A triagem não olhou requisitos.")
    if triado.habilitacao_sugerida is not None:
        suggested = HABILITACAO[triado.habilitacao_sugerida].palavra
        yield Paragrafo(f"Sugestão da triagem: {suggested}. {shown(triado.habilitacao_motivo)} Ela não decide: quem decide são pessoas.")


def _rows(item: ItemHabilitacao, after: Sequence[tuple[int, ItemHabilitacao]]) -> list[tuple[str, ...]]:
    """A requisito in one row; where papers came in a diligência, what stood before and what stands after."""
    if not after:
        return [_item(item)]
    return [_item(item, "Antes: "), *(_item(one, f"Depois da diligência {numero}: ") for numero, one in after)]


def _item(item: ItemHabilitacao, stage: str = "") -> tuple[str, ...]:
    said = item.achado or (MOTIVO[item.motivo] if item.motivo else "")
    situacao = situation_of(item).palavra
    return item.requisito, f"{stage}{situacao.lower() if stage else situacao}", shown(said), _where(item.evidencia), AUTOR[item.autor]


def _where(evidencia: Evidencia | None) -> str:
    if evidencia is None:
        return ""
    page = "" if evidencia.pagina is None else f"página {evidencia.pagina}"
    return ", ".join([one for one in (shown(evidencia.arquivo or evidencia.campo or ""), page) if one])


def _decided(na_mesa: NaMesa, nomes: _Nomes) -> Iterator[Bloco]:
    acts = [*([na_mesa.decisao, *na_mesa.decisao.anteriores] if na_mesa.decisao else []), *na_mesa.desfeitas]
    rows = tuple([_decision(one, na_mesa.nomes, nomes, in_force=one is na_mesa.decisao) for one in acts])
    columns = (Coluna("Decisão", 14), Coluna("Quem", 20), Coluna("Quando", 18), Coluna("Motivo", 38), Coluna("Situação", 18))
    yield Tabela("Decisões, da mais nova para a mais antiga", columns, rows, _NOBODY_DECIDED)


def _decision(one: DecisaoHabilitacao, pessoas: Mapping[UUID, str], nomes: _Nomes, *, in_force: bool) -> tuple[str, ...]:
    if one.desfeita_em is not None and one.desfeita_por is not None:
        stands = f"desfeita por {shown(name_of(one.desfeita_por, pessoas))}, {when(one.desfeita_em)}"
    else:
        stands = "em vigor" if in_force else "substituída"
    who = shown(name_of(one.decidido_por, pessoas))
    return HABILITACAO[one.decisao].palavra, who, when(one.decidido_em), nomes.said(one.motivo), stands


def _cases(casos: Sequence[Caso], para: Para) -> Iterator[Bloco]:
    if para == "proponente":
        rows = [(_kinds(one), SITUACAO_CASO[one.situacao].palavra, when(one.decidido_em)) for one in casos if one.decidido_em is not None]
        heads = (Coluna("O que se viu", 50), Coluna("Decisão", 20), Coluna("Quando", 24))
        yield Tabela("Casos decididos", heads, tuple(rows), "Nenhum caso foi decidido sobre este projeto.")
        return
    told = [
        (
            f"{one.numero}",
            shown(one.titulo),
            SITUACAO_CASO[one.situacao].palavra,
            shown(one.motivo or ""),
            f"{shown(one.decidido_por_nome)}, {when(one.decidido_em)}" if one.decidido_em is not None else "",
        )
        for one in casos
    ]
    columns = (Coluna("Caso", 7, numero=True), Coluna("O que se viu", 36), Coluna("Situação", 14), Coluna("Motivo", 32), Coluna("Quem", 22))
    yield Tabela("Casos em que o projeto está", columns, tuple(told), "O projeto não está em caso nenhum.", chave=1)
    for one in casos:
        for note in one.anotacoes:
            yield Paragrafo(f"Caso {one.numero}, anotação de {shown(note.por_nome)}, {when(note.em)}: {shown(note.texto or '')}")


def _kinds(caso: Caso) -> str:
    return ", ".join([SINAL_DE[one].palavra if one in SINAL_DE else one for one in caso.tipos])


def _graded(na_mesa: NaMesa, nomes: _Nomes) -> Iterator[Bloco]:
    if not na_mesa.avaliacoes:
        yield Paragrafo("Ninguém enviou uma avaliação deste projeto.")
        return
    by: dict[UUID, list[Avaliacao]] = {}
    for one in na_mesa.avaliacoes:
        by.setdefault(one.avaliador, []).append(one)
    criterios = {one.id: one for one in na_mesa.criterios}
    order = list(criterios)
    for avaliador in sorted(by, key=lambda one: nomes.por_id[one]):
        given = sorted(
            by[avaliador], key=lambda one: (order.index(one.criterio) if one.criterio in criterios else len(order), one.criterio)
        )
        rows = [
            (shown(criterios[one.criterio].nome) if one.criterio in criterios else one.criterio, number(one.nota, 2), nomes.said(one.texto))
            for one in given
        ]
        sent = max((one.enviada_em for one in given if one.enviada_em is not None), default=None)
        named = shown(nomes.por_id[avaliador])
        columns = (Coluna("Critério", 26), Coluna("Nota", 9, numero=True), Coluna("Parecer", 60))
        yield Tabela(f"{named}{f', enviada em {when(sent)}' if sent else ''}", columns, tuple(rows))


def _place(classificada: Classificada | None, projeto_id: str, nomes: _Nomes) -> Iterator[Bloco]:
    if classificada is None:
        yield Paragrafo("O edital não diz como as notas viram lugares.")
        return
    lugar = classificada.por_id.get(projeto_id)
    if lugar is None:
        yield Paragrafo("O projeto não concorre.")
        return
    vaga = f", {vaga_said(lugar.vaga)}" if lugar.vaga else ""
    yield Paragrafo(f"{LUGAR[lugar.situacao]}{vaga}. {nomes.said(motivo(classificada, lugar))}")
    steps = tuple([(clausula, nomes.said(dito)) for clausula, dito in por_que(classificada, projeto_id)])
    yield Tabela("Cada regra por que passou, como está agora", (Coluna("Cláusula", 12), Coluna("O que a regra achou", 88)), steps, chave=1)
    for one in mudaria(classificada, projeto_id):
        yield Paragrafo(one)


def _published(publicadas: Sequence[tuple[Publicada, Linha]]) -> Iterator[Bloco]:
    rows: list[tuple[str, ...]] = []
    for one, linha in publicadas:
        lugar = linha.lugar
        place = f"{number(lugar.posicao)}º, " if lugar.posicao is not None else ""
        rows.append(
            (f"{TITULO[one.fase]}, versão {one.versao}", when(one.publicada_em), one.codigo, f"{place}{LUGAR[lugar.situacao].lower()}")
        )
    columns = (Coluna("Publicação", 32), Coluna("Quando", 22), Coluna("Código", 24), Coluna("O projeto nela", 26))
    yield Tabela("Publicações em que o projeto está", columns, tuple(rows), "Nenhum resultado com este projeto foi publicado.")
