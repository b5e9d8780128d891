"""A project as whoever judges it reads it, and their form: everything in words, nothing left for the template to work out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from crivo.triagem.achados import NotaSugerida
from crivo.triagem.edital import Criterio, Projeto
from crivo.triagem.julgamento import ParaAvaliar
from crivo.triagem.palavras import confianca, count, day, modelo_name, nota_reason, number, shown
from crivo.web.pages.formatos import instante
from crivo.web.pages.triagem.enderecos import Enderecos, documento_address
from crivo.web.pages.triagem.palavras import campo_name
from crivo.web.pages.triagem.vista import Trecho


@dataclass(frozen=True, slots=True)
class Escrita:
    """What was typed for a critério and could not be kept as it is, and why."""

    nota: str
    texto: str
    recusa: str


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
    """A critério of the form; `fechada` says that its hint waits for the nota, and `dica` is None where there is none to open."""

    id: str
    nome: str
    descricao: str
    faixa: str
    minimo: str
    maximo: str
    niveis: tuple[tuple[str, str], ...]
    nota: str
    texto: str
    gravada: str
    recusa: str
    fechada: bool
    dica: Dica | None


@dataclass(frozen=True, slots=True)
class ProjetoVista:
    """A project at length; `documentos` are name and address."""

    codigo: str
    titulo: str
    categoria: str
    proponente: str
    resumo: str
    descricao: str
    campos: tuple[tuple[str, str], ...]
    itens: tuple[tuple[str, Decimal, Decimal, Decimal], ...]
    total: Decimal
    etapas: tuple[tuple[str, str], ...]
    documentos: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, projeto: Projeto, edital_id: str) -> ProjetoVista:
        """The project in words."""
        itens = projeto.orcamento_itens
        return cls(
            codigo=projeto.id,
            titulo=shown(projeto.titulo) or projeto.id,
            categoria=shown(projeto.categoria),
            proponente=shown(projeto.proponente.nome),
            resumo=shown(projeto.resumo),
            descricao=shown(projeto.descricao_tecnica),
            campos=tuple([(campo_name(nome), _declared(valor)) for nome, valor in projeto.campos.items()]),
            itens=tuple([(shown(one.descricao), one.quantidade, one.valor_unitario, one.total) for one in itens]),
            total=sum((one.total for one in itens), Decimal(0)),
            etapas=tuple(
                [(shown(one.nome), " a ".join(day(when) for when in (one.inicio, one.fim) if when)) for one in projeto.cronograma_etapas]
            ),
            documentos=tuple(
                [
                    (shown(one.arquivo.rpartition("/")[2]), documento_address(edital_id, projeto.id, at))
                    for at, one in enumerate(projeto.documentos, 1)
                ]
            ),
        )


def criterio_form(criterio: Criterio, para: ParaAvaliar, escrita: Escrita | None = None) -> CriterioForm:
    """The part of the form for a critério, with what was given or typed."""
    given = next((one for one in para.minhas if one.criterio == criterio.id), None)
    written = next((one for one in para.sem_nota if one.criterio == criterio.id), None)
    waits = para.triado is not None and para.edital.nota_antes_da_dica and given is None
    return CriterioForm(
        id=criterio.id,
        nome=shown(criterio.nome),
        descricao=shown(criterio.descricao),
        faixa=f"de {number(criterio.nota_min)} a {number(criterio.nota_max)}, peso {number(criterio.peso)}",
        minimo=number(criterio.nota_min),
        maximo=number(criterio.nota_max),
        niveis=tuple([(number(nivel.nota), shown(nivel.descricao)) for nivel in criterio.niveis]),
        nota=escrita.nota if escrita else number(given.nota) if given else "",
        texto=escrita.texto if escrita else given.texto if given else written.texto if written else "",
        gravada=f"Nota gravada em {instante(given.atualizada_em)}"
        if given
        else f"Texto gravado em {instante(written.atualizada_em)}. Falta a nota."
        if written
        else "",
        recusa=escrita.recusa if escrita else "",
        fechada=waits,
        dica=None if waits else _dica(criterio, para),
    )


def media_said(criterios: Sequence[Criterio], notas: Mapping[str, Decimal]) -> str:
    """Σ weight × nota ÷ Σ weight over the critérios that have one; empty where none has."""
    graded = [one for one in criterios if one.id in notas]
    weights = sum((one.peso for one in graded), Decimal(0))
    if not weights:
        return ""
    mean = number(sum((one.peso * notas[one.id] for one in graded), Decimal(0)) / weights, 2)
    return mean if len(graded) == len(criterios) else f"{mean}, com {count(len(graded), 'critério', 'critérios')} de {len(criterios)}"


def _dica(criterio: Criterio, para: ParaAvaliar) -> Dica | None:
    triado = para.triado
    if triado is None:
        return None
    nota = next((one for one in triado.notas if one.criterio == criterio.id), None)
    lida = next((one.passagens for one in triado.leitura if one.criterio == criterio.id), ())
    passagens = nota.evidencias if nota is not None and nota.nota_sugerida is not None else lida
    if nota is None and not passagens:
        return None
    enderecos = Enderecos.of(para.edital.id, {para.projeto.id: [one.arquivo for one in para.projeto.documentos]})
    return Dica(
        _suggested(nota),
        nota is not None and nota.simulado,
        shown(nota_reason(nota)) if nota else "",
        shown(nota.justificativa) if nota else "",
        tuple([Trecho.of(one, para.projeto.id, enderecos) for one in passagens]),
    )


def _suggested(nota: NotaSugerida | None) -> tuple[tuple[str, str], ...]:
    if nota is None:
        return ()
    author = ("Quem sugeriu", shown(modelo_name(nota)))
    if nota.nota_sugerida is None:
        return (("Nota sugerida", "nenhuma"), author)
    return (("Nota sugerida", number(nota.nota_sugerida, 2)), ("Confiança", confianca(nota.confianca)), author)


def _declared(valor: object) -> str:
    if isinstance(valor, bool):
        return "Sim" if valor else "Não"
    if isinstance(valor, int | float | Decimal):
        return number(valor)
    if isinstance(valor, list):
        return ", ".join(_declared(one) for one in valor)
    return shown(str(valor)) if valor is not None else "não informado"
