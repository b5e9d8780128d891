"""The form of whoever judges, critério by critério, with the hint of each: everything in words, nothing left for a template to work out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from crivo.triagem.achados import Evidencia, NotaSugerida
from crivo.triagem.edital import Criterio
from crivo.triagem.julgamento import ParaAvaliar
from crivo.triagem.palavras import confianca, count, modelo_name, nota_reason, number, shown
from crivo.web.pages.formatos import dia, instante
from crivo.web.pages.triagem.caso_marca import CasosMarca
from crivo.web.pages.triagem.enderecos import Enderecos
from crivo.web.pages.triagem.ficha import ProjetoVista
from crivo.web.pages.triagem.folha import first_place, place_of
from crivo.web.pages.triagem.meu_endereco import MeuEndereco
from crivo.web.pages.triagem.meu_rascunho import Escrita, Gravada, review_seal, stored_of
from crivo.web.pages.triagem.vista import Quem, Trecho


@dataclass(frozen=True, slots=True)
class Dica:
    """What the screening says of a critério: figures, a caveat, why, and the passages that it rests on."""

    sugerida: tuple[tuple[str, str], ...]
    simulado: bool
    ressalva: str
    justificativa: str
    trechos: tuple[Trecho, ...]


@dataclass(frozen=True, slots=True)
class CriterioForm:
    """A critério of the form. `fechada`: its hint waits for the nota; `dica` is None where there is none to open. `passagens` is the
    address where its passages are marked, `visto` what the form is filled in over, `perdida` what was typed and can be kept no more.
    """

    id: str
    nome: str
    descricao: str
    faixa: str
    maximo: str
    niveis: tuple[tuple[str, str], ...]
    nota: str
    texto: str
    gravada: str
    recusa: str
    visto: str
    fechada: bool
    dica: Dica | None
    passagens: str
    atual: bool
    perdida: Escrita | None


@dataclass(frozen=True, slots=True)
class MeuProjeto:
    """A project before whoever judges it. `conferencia` are critério, peso and nota, to be looked over before they are sent; empty where
    it is not asked for, or a nota is missing. `prazo` says until when notas are taken. `sem_texto` are the critérios without a reason: id
    and name.
    """

    quem: Quem
    linha: str
    edital: str
    criterios: tuple[CriterioForm, ...]
    casos: CasosMarca | None
    enviada: str
    dadas: str
    media: str
    completa: bool
    conferencia: tuple[tuple[str, str, str], ...]
    conferido: str
    sem_texto: tuple[tuple[str, str], ...]
    prazo: str
    prazo_acabou: bool

    @classmethod
    def of(
        cls,
        para: ParaAvaliar,
        endereco: MeuEndereco,
        escritas: Mapping[str, Escrita],
        perdidas: Mapping[str, Escrita],
        *,
        conferir: bool,
    ) -> MeuProjeto:
        """The project, with what was given to it or typed."""
        projeto = ProjetoVista.of(para.projeto)
        notas = {one.criterio: one.nota for one in para.minhas}
        explained = {one.criterio for one in para.minhas if one.texto.strip()}
        completa = bool(para.criterios) and all(one.id in notas for one in para.criterios)
        sent = [one.enviada_em for one in para.minhas if one.enviada_em is not None]
        looked = conferir and completa and not para.enviada
        return cls(
            quem=Quem(projeto.codigo, projeto.titulo, projeto.proponente, "", projeto.categoria),
            linha=" · ".join(part for part in (shown(para.edital.nome), projeto.categoria, projeto.proponente) if part),
            edital=shown(para.edital.nome),
            criterios=tuple([_criterio(one, para, endereco, escritas.get(one.id), perdidas.get(one.id)) for one in para.criterios]),
            casos=CasosMarca.of(para.edital.id, para.casos),
            enviada=instante(max(sent)) if para.enviada else "",
            dadas=f"{number(len(notas))} de {count(len(para.criterios), 'critério', 'critérios')} com nota",
            media=media_said(para.criterios, notas),
            completa=completa,
            conferencia=tuple([(shown(one.nome), number(one.peso), number(notas[one.id])) for one in para.criterios]) if looked else (),
            conferido=review_seal(para),
            sem_texto=tuple([(one.id, shown(one.nome)) for one in para.criterios if one.id not in explained]),
            prazo=_deadline_said(para),
            prazo_acabou=para.prazo_acabou and not para.enviada,
        )


def _deadline_said(para: ParaAvaliar) -> str:
    """Until when the notas are taken, or that they no longer are; empty where they are for ever, or were sent."""
    if para.prazo is None or para.enviada:
        return ""
    if para.prazo_acabou:
        return (
            f"O prazo para enviar notas terminou em {dia(para.prazo.ate)}. Você ainda pode gravar rascunhos; "
            "para enviar, peça à gestão do edital que reabra o prazo para você."
        )
    return f"Envie até o fim do dia {dia(para.prazo.ate)}{', o seu prazo reaberto' if para.prazo.reaberto else ''}."


def media_said(criterios: Sequence[Criterio], notas: Mapping[str, Decimal]) -> str:
    """Σ weight × nota ÷ Σ weight over the critérios that have one; empty where none has."""
    graded = [one for one in criterios if one.id in notas]
    weights = sum((one.peso for one in graded), Decimal(0))
    if not weights:
        return ""
    return number(sum((one.peso * notas[one.id] for one in graded), Decimal(0)) / weights, 2)


def _criterio(
    criterio: Criterio, para: ParaAvaliar, endereco: MeuEndereco, escrita: Escrita | None, perdida: Escrita | None
) -> CriterioForm:
    given = next((one for one in para.minhas if one.criterio == criterio.id), None)
    written = next((one for one in para.sem_nota if one.criterio == criterio.id), None)
    gravada = stored_of(para).get(criterio.id, Gravada())
    waits = para.triado is not None and para.edital.nota_antes_da_dica and given is None
    doc, pag = ("", "") if waits else first_place(criterio, para)
    return CriterioForm(
        id=criterio.id,
        nome=shown(criterio.nome),
        descricao=shown(criterio.descricao),
        faixa=f"de {number(criterio.nota_min)} a {number(criterio.nota_max)}, peso {number(criterio.peso)}",
        maximo=number(criterio.nota_max),
        niveis=tuple([(number(nivel.nota), shown(nivel.descricao)) for nivel in criterio.niveis]),
        nota=escrita.nota if escrita else number(given.nota) if given else "",
        texto=escrita.texto if escrita else gravada.texto,
        gravada=f"Nota gravada em {instante(given.atualizada_em)}"
        if given
        else f"Texto gravado em {instante(written.atualizada_em)}. Falta a nota."
        if written
        else "",
        recusa=escrita.recusa if escrita else "",
        visto=gravada.selo,
        fechada=waits,
        dica=None if waits else _dica(criterio, para, endereco),
        passagens=endereco.projeto(para.projeto.id, doc=doc, pag=pag, crit=criterio.id, vista="pagina") if doc else "",
        atual=endereco.crit == criterio.id,
        perdida=perdida,
    )


def _dica(criterio: Criterio, para: ParaAvaliar, endereco: MeuEndereco) -> Dica | None:
    triado = para.triado
    if triado is None:
        return None
    nota = next((one for one in triado.notas if one.criterio == criterio.id), None)
    lida = next((one.passagens for one in triado.leitura if one.criterio == criterio.id), ())
    passagens = nota.evidencias if nota is not None and nota.nota_sugerida is not None else lida
    if nota is None and not passagens:
        return None
    return Dica(
        _suggested(nota),
        nota is not None and nota.simulado,
        shown(nota_reason(nota)) if nota else "",
        shown(nota.justificativa) if nota else "",
        tuple([_trecho(one, criterio, para, endereco) for one in passagens]),
    )


def _trecho(passagem: Evidencia, criterio: Criterio, para: ParaAvaliar, endereco: MeuEndereco) -> Trecho:
    """A passage, which is read beside the form."""
    doc, pag = place_of(passagem, para)
    where = endereco.projeto(para.projeto.id, doc=doc, pag=pag, crit=criterio.id, vista="pagina")
    return replace(Trecho.of(passagem, para.projeto.id, Enderecos(para.edital.id, {})), endereco=where)


def _suggested(nota: NotaSugerida | None) -> tuple[tuple[str, str], ...]:
    if nota is None:
        return ()
    author = ("Quem sugeriu", shown(modelo_name(nota)))
    if nota.nota_sugerida is None:
        return (("Nota sugerida", "nenhuma"), author)
    return (("Nota sugerida", number(nota.nota_sugerida, 2)), ("Confiança", confianca(nota.confianca)), author)
