"""A published result in the words and values of its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from crivo.kernel.clock import BRASILIA
from crivo.kernel.rotulo import Rotulo
from crivo.triagem.classificacao.numeros import nota_said
from crivo.triagem.classificacao.palavras import SITUACAO
from crivo.triagem.classificacao.resultado import Situacao
from crivo.triagem.palavras import day, moment, number, shown
from crivo.triagem.publicacao.conferencia import Conferida
from crivo.triagem.publicacao.conteudo import Conteudo, Linha
from crivo.triagem.publicacao.documentos.formatos import FORMATOS, Formato
from crivo.triagem.publicacao.documentos.grupos import Listagem, arrange
from crivo.triagem.publicacao.documentos.resultado import TITULO, draw_said, vaga_said
from crivo.triagem.publicacao.guardados import Prova, Publicada, standing
from crivo.triagem.publicacao.publicacoes import Publica
from crivo.web.pages.listas import Fatia, cut, link, matches

_PER_PAGE: Final = 100
_FORA: Final = "fora"
_DIFFERENT: Final = (
    "Não é nenhum dos arquivos publicados deste edital, como este endereço os entrega hoje. Pode ter sido aberto e salvo de novo, "
    "alterado, ou feito por outra versão do sistema. Compare com o JSON ou o CSV desta página."
)
_UNKNOWN: Final = "Nenhum arquivo ou resumo publicado deste edital é igual a esse. Confira se copiou tudo."
_ROTULOS: Final[dict[Situacao, Rotulo]] = {
    "selecionado": Rotulo(SITUACAO["selecionado"], "✓", "aprovado"),
    "suplente": Rotulo(SITUACAO["suplente"], "…", "parcial"),
    "nao_classificado": Rotulo(SITUACAO["nao_classificado"], "–", "neutro"),
    "desclassificado": Rotulo(SITUACAO["desclassificado"], "✕", "negado"),
    "inabilitado": Rotulo(SITUACAO["inabilitado"], "✕", "negado"),
    "pendente": Rotulo(SITUACAO["pendente"], "!", "pendente"),
}


@dataclass(frozen=True, slots=True)
class VersaoVista:
    """A version as lists name it."""

    titulo: str
    edital: str
    endereco: str
    publicada: str
    motivo: str
    recursos: str
    em_vigor: bool


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A row of the list; `lugar` is empty of who has none."""

    lugar: str
    codigo: str
    categoria: str
    titulo: str
    proponente: str
    documento: str
    base: str
    bonus: str
    final: str
    situacao: Rotulo
    vaga: str
    motivo: str


@dataclass(frozen=True, slots=True)
class PublicaVista:
    """The page of a version: whether it is in force, what it is known by, and a page of its rows. `final`: of a preliminary one."""

    titulo: str
    edital: str
    orgao: str
    organizacao: str
    endereco: str
    vigente: VersaoVista
    final: VersaoVista | None
    esta: VersaoVista
    outras: tuple[VersaoVista, ...]
    fatos: tuple[tuple[str, str], ...]
    codigo: str
    sha256: str
    prova: str
    arquivos: tuple[tuple[Formato, str], ...]
    fichas: tuple[tuple[str, str, bool], ...]
    nome_do_grupo: str
    sem_lugar: bool
    fatia: Fatia[LinhaVista]
    sorteio: str


def vista_of(publica: Publica, tenant: str, grupo: str, pagina: int, q: str) -> PublicaVista:
    """The page of a version; `grupo` is the number of a category, "fora", or empty: for the first, or, of a search, for all."""
    conteudo, esta = publica.versao.conteudo, publica.versao.publicada
    endereco = f"/publicacoes/{tenant}/{esta.codigo}"
    listagem = arrange(conteudo)
    at, linhas, nome = _chosen(listagem, grupo) if grupo or not q else ("", conteudo.linhas, "Em todas as categorias")
    found = [one for one in linhas if matches(q, one.lugar.projeto_id, one.projeto.titulo, one.projeto.proponente)]
    todas, nome_do_edital = publica.versoes, conteudo.edital_nome
    versoes = {one.codigo: versao_vista(one, nome_do_edital, tenant, em_vigor=one == standing(one, todas)) for one in todas}
    return PublicaVista(
        TITULO[conteudo.fase],
        shown(conteudo.edital_nome),
        shown(conteudo.orgao),
        publica.organizacao,
        endereco,
        versoes[publica.vigente.codigo],
        versoes[publica.final.codigo] if publica.final else None,
        versoes[esta.codigo],
        tuple([one for codigo, one in versoes.items() if codigo != esta.codigo]),
        tuple(_facts(conteudo, esta)),
        esta.codigo,
        esta.sha256,
        prova_said(publica.prova),
        tuple([(one, f"{endereco}.{one.codigo}") for one in FORMATOS.values()]),
        _tabs(listagem, endereco, at, q),
        nome,
        at == _FORA,
        cut(found, _row, pagina, _PER_PAGE, {"grupo": at, "q": q}),
        draw_said(conteudo),
    )


def versao_vista(publicada: Publicada, edital: str, tenant: str, *, em_vigor: bool) -> VersaoVista:
    """A version in a line of a list."""
    em = moment(publicada.publicada_em.astimezone(BRASILIA))
    recursos = f"Recursos até {day(publicada.recursos_ate)}" if publicada.recursos_ate else ""
    titulo = f"{TITULO[publicada.fase]}, versão {publicada.versao}"
    return VersaoVista(titulo, shown(edital), f"/publicacoes/{tenant}/{publicada.codigo}", em, shown(publicada.motivo), recursos, em_vigor)


def prova_said(prova: Prova | None) -> str:
    """What the audit says of a version, in a sentence."""
    if prova is None:
        return "A auditoria desta organização não tem registro desta publicação. Avise o órgão."
    if not prova.firme:
        return f"O registro {number(prova.registro)} da auditoria não confere com o que está guardado. Avise o órgão."
    em = moment(prova.em.astimezone(BRASILIA))
    return (
        f"O registro {number(prova.registro)} da auditoria, de {em}, guarda o resumo deste conteúdo, e está preso ao registro anterior "
        "e ao seguinte: quem mudasse um deles romperia a sequência."
    )


def conferida_said(conferida: Conferida) -> tuple[str, str, str]:
    """The style, the heading and the words of an answer."""
    vale = conferida.versao is not None and conferida.versao == conferida.vigente
    force = "Ela está em vigor." if vale else f"Ela não vale mais: a que vale é a versão {conferida.vigente.versao}."
    match conferida.veredito:
        case "igual":
            what = FORMATOS[conferida.formato or "json"].nome
            return "ok" if vale else "atencao", "Confere", f"É o que foi publicado, byte por byte: o arquivo {what} desta versão. {force}"
        case "de_outra_versao":
            number_of = conferida.versao.versao if conferida.versao else 0
            return (
                "ok" if vale else "atencao",
                "É de outra versão",
                f"O arquivo é o da versão {number_of} do mesmo edital, byte por byte. {force}",
            )
        case "diferente":
            return "erro", "Não confere", _DIFFERENT
        case "nao_conhecido":
            return "erro", "Não é um arquivo daqui", _UNKNOWN


def _facts(conteudo: Conteudo, publicada: Publicada) -> Sequence[tuple[str, str]]:
    found = [("Publicado em", moment(publicada.publicada_em.astimezone(BRASILIA)))]
    if publicada.recursos_ate:
        found.append(("Recursos até", day(publicada.recursos_ate)))
    if publicada.motivo:
        found.append(("Motivo desta versão", shown(publicada.motivo)))
    return [*found, ("Edital", shown(conteudo.edital_id)), ("Projetos", number(len(conteudo.linhas))), ("Semente", shown(conteudo.semente))]


def _chosen(listagem: Listagem, grupo: str) -> tuple[str, Sequence[Linha], str]:
    if grupo == _FORA and listagem.fora:
        return _FORA, listagem.fora, "Sem lugar"
    at = int(grupo) if grupo.isascii() and grupo.isdecimal() and 0 < int(grupo[:6]) <= len(listagem.grupos) else 1
    if not listagem.grupos:
        return (_FORA, listagem.fora, "Sem lugar") if listagem.fora else ("", (), "Projetos")
    one = listagem.grupos[at - 1]
    return str(at), one.linhas, f"{one.nome}: {one.resumo}"


def _tabs(listagem: Listagem, endereco: str, at: str, q: str) -> tuple[tuple[str, str, bool], ...]:
    found = [(f"{one.nome} ({number(len(one.linhas))})", str(place)) for place, one in enumerate(listagem.grupos, 1)]
    if listagem.fora:
        found.append((f"Sem lugar ({number(len(listagem.fora))})", _FORA))
    return tuple([(words, endereco + link({"grupo": code, "q": q}), code == at) for words, code in found])


def _row(linha: Linha) -> LinhaVista:
    lugar, projeto = linha.lugar, linha.projeto
    return LinhaVista(
        f"{number(lugar.posicao)}º" if lugar.posicao is not None else "",
        lugar.projeto_id,
        shown(lugar.categoria),
        shown(projeto.titulo),
        shown(projeto.proponente),
        projeto.documento,
        _said(lugar.nota_base),
        _said(lugar.bonus),
        _said(lugar.nota_final),
        _ROTULOS[lugar.situacao],
        vaga_said(lugar.vaga),
        shown(lugar.motivo),
    )


def _said(value: Decimal | int | None) -> str:
    return "" if value is None else nota_said(Decimal(value))
