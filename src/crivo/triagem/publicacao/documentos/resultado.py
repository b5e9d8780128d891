"""A result as a document: what was decided, in which order and by which rules, and how anybody checks it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Final

from crivo.kernel.clock import BRASILIA
from crivo.triagem.classificacao.clausulas import PARTE, Parte, state_rules
from crivo.triagem.classificacao.definicao import AMPLA
from crivo.triagem.classificacao.numeros import nota_said
from crivo.triagem.classificacao.palavras import SITUACAO
from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.edital import Criterio
from crivo.triagem.palavras import count, moment, number, shown
from crivo.triagem.publicacao.conteudo import Conteudo, Linha, RecursoPublicado
from crivo.triagem.publicacao.documentos.folha import RASCUNHO, Bloco, Coluna, Fatos, Folha, Paragrafo, Secao, Tabela
from crivo.triagem.publicacao.documentos.grupos import Grupo, arrange
from crivo.triagem.publicacao.documentos.selo import Selo

TITULO: Final[dict[FaseDoResultado, str]] = {"preliminar": "Resultado preliminar", "final": "Resultado final"}
_MARCA: Final = f"{RASCUNHO}: ainda não publicado"
_AVISO: Final = (
    "Este é um rascunho do resultado, para conferir antes de publicar. Não vale como publicação, e muda quando notas ou decisões mudam."
)
_EXACT: Final = (
    "Só notas de pessoas entram na conta, nunca a de um modelo. A conta usa as médias exatas: na lista elas aparecem arredondadas, "
    "e refazê-la com as arredondadas pode dar um centésimo de diferença. O que um projeto declarou para bônus, cota ou desempate "
    "não sai na lista; quem concorre pode pedir ao órgão o que contou no seu lugar."
)
_MEDIAS: Final = 8  # critérios whose means have a column of their own; of more, the means are in the spreadsheet and the open data


def lay_out(conteudo: Conteudo, selo: Selo | None, em: datetime) -> Folha:
    """The document of a version, or of a draft where there is no `selo`; `em` is when a draft is made, and of no matter to a version."""
    titulo = f"{TITULO[conteudo.fase]}: {_plain(conteudo.edital_nome)}"
    marca = "" if selo else _MARCA
    pe = f"Código {selo.publicada.codigo} · confira em {selo.onde}" if selo else f"{_MARCA}, {moment(em.astimezone(BRASILIA))}"
    abertura: list[Bloco] = [] if selo else [Paragrafo(_AVISO, "aviso")]
    abertura.append(Fatos(tuple(_facts(conteudo, selo, em))))
    return Folha(
        titulo,
        _plain(conteudo.orgao),
        f"{TITULO[conteudo.fase]} do edital {_plain(conteudo.edital_id)}, {count(len(conteudo.linhas), 'projeto', 'projetos')}.",
        selo.em if selo else em.astimezone(BRASILIA),
        tuple(abertura),
        tuple(_sections(conteudo, selo)),
        pe,
        marca,
        deitada=True,
    )


def vaga_said(vaga: str | None) -> str:
    """The vaga of a row in words; empty where it has none."""
    if not vaga:
        return ""
    return "Ampla concorrência" if vaga == AMPLA else f"Cota {_plain(vaga)}"


def _facts(conteudo: Conteudo, selo: Selo | None, em: datetime) -> Iterator[tuple[str, str]]:
    if conteudo.orgao:
        yield "Órgão", _plain(conteudo.orgao)
    yield "Edital", f"{_plain(conteudo.edital_nome)} ({_plain(conteudo.edital_id)})"
    yield "Fase", TITULO[conteudo.fase]
    yield "Semente do sorteio", _plain(conteudo.semente)
    if selo is None:
        yield "Versão", f"rascunho do que seria a versão {conteudo.versao}"
        yield "Feito em", moment(em.astimezone(BRASILIA))
    else:
        yield from ((nome, _plain(dito)) for nome, dito in selo.fatos)


def _sections(conteudo: Conteudo, selo: Selo | None) -> Iterator[Secao]:
    listagem = arrange(conteudo)
    for grupo in listagem.grupos:
        yield Secao(grupo.nome, (_places(grupo, conteudo),))
    if listagem.fora:
        rows = tuple(
            [(*_who(one), SITUACAO[one.lugar.situacao], _said(one.lugar.nota_base), _plain(one.lugar.motivo)) for one in listagem.fora]
        )
        columns = (*_WHO, Coluna("Situação", 12), Coluna("Nota base", 7, numero=True), Coluna("Motivo", 42))
        said = f"Projetos sem lugar: {count(len(rows), 'projeto', 'projetos')}"
        yield Secao("Sem lugar", (Tabela(said, columns, rows),))
    if not conteudo.linhas and not listagem.grupos:
        yield Secao("Projetos", (Paragrafo("Nenhum projeto concorre neste edital."),))
    if conteudo.recursos:
        yield Secao("Recursos respondidos", (_answered(conteudo.recursos),))
    yield from _rules(conteudo)
    yield Secao("Como conferir", tuple(_checking(conteudo, selo)))


def _answered(recursos: tuple[RecursoPublicado, ...]) -> Tabela:
    rows = tuple([(number(one.numero), _plain(one.projeto_id), one.resultado) for one in recursos])
    columns = (Coluna("Recurso", 12, numero=True), Coluna("Projeto", 20), Coluna("Resposta", 60))
    return Tabela("Recursos respondidos antes deste resultado", columns, rows, chave=1)


_WHO: Final = (Coluna("Projeto", 8), Coluna("Título", 22), Coluna("Proponente", 20))


def _who(linha: Linha) -> tuple[str, str, str]:
    name, document = _plain(linha.projeto.proponente), linha.projeto.documento
    return _plain(linha.lugar.projeto_id), _plain(linha.projeto.titulo), f"{name} ({document})" if document else name


def _places(grupo: Grupo, conteudo: Conteudo) -> Tabela:
    criterios = conteudo.criterios if len(conteudo.criterios) <= _MEDIAS else ()
    columns = (
        Coluna("Lugar", 6, numero=True),
        *_WHO,
        Coluna("Situação", 12),
        Coluna("Vaga", 13),
        Coluna("Nota final", 7, numero=True),
        Coluna("Nota base", 7, numero=True),
        Coluna("Bônus", 7, numero=True),
        *(Coluna(_plain(one.id), 6, numero=True) for one in criterios),
        Coluna("Como", 34),
    )
    rows = []
    for one in grupo.linhas:
        lugar = one.lugar
        means = [_said(lugar.notas.get(it.id)) for it in criterios]
        notas = (_said(lugar.nota_final), _said(lugar.nota_base), _said(lugar.bonus))
        place = f"{number(lugar.posicao)}º" if lugar.posicao is not None else ""
        became = (SITUACAO[lugar.situacao], vaga_said(lugar.vaga))
        rows.append((place, *_who(one), *became, *notas, *means, _plain(lugar.motivo)))
    return Tabela(f"{grupo.nome}: {grupo.resumo}", columns, tuple(rows), "Ninguém se classificou nesta categoria.", chave=2)


def _rules(conteudo: Conteudo) -> Iterator[Secao]:
    """The rules, each with its clause, in the order in which they are applied."""
    rows = tuple([(_plain(one.id), _plain(one.nome), _number(one.peso), _number(one.nota_max)) for one in conteudo.criterios])
    columns = (Coluna("Critério", 12), Coluna("Nome", 60), Coluna("Peso", 12, numero=True), Coluna("Nota máxima", 14, numero=True))
    yield Secao("Como a ordem foi feita", (Paragrafo(_EXACT), *([Tabela("Critérios e pesos", columns, rows)] if rows else [])))
    criterios = [Criterio(one.id, one.nome, peso=one.peso, nota_max=one.nota_max) for one in conteudo.criterios]
    said: dict[Parte, list[Bloco]] = {}
    for one in state_rules(conteudo.regras, criterios, conteudo.edital_id):
        numero = f" (cláusula {_plain(one.numero)})" if one.numero else ""
        said.setdefault(one.parte, []).append(Paragrafo(f"{_plain(one.texto)}{numero}"))
    for parte, blocos in said.items():
        yield Secao(PARTE[parte], tuple(blocos), 3)


def _checking(conteudo: Conteudo, selo: Selo | None) -> Iterator[Bloco]:
    if selo is None:
        yield Paragrafo("Um rascunho não se confere: quando for publicado, o resultado ganha código, resumo e endereço.")
    else:
        yield Paragrafo(
            f"Abra {selo.onde}, ou procure lá o código {selo.publicada.codigo}. "
            "A página diz se esta versão ainda vale, qual tomou o lugar dela, e confere este arquivo byte por byte."
        )
        yield Paragrafo(
            "O resumo é o SHA-256 do arquivo JSON da mesma página. Depois de baixá-lo, qualquer computador o refaz: "
            "sha256sum no Linux, shasum -a 256 no macOS, Get-FileHash no Windows. Uma vírgula trocada dá outro resumo."
        )
    yield Paragrafo(
        "O sorteio se repete: para cada projeto calcula-se o SHA-256 da semente, dois-pontos e o código do projeto, e vem antes o menor. "
        "Com um dos projetos da lista:"
    )
    yield Paragrafo(draw_said(conteudo), "literal")


def draw_said(conteudo: Conteudo) -> str:
    """The command by which a project's draw is made again: of one that was drawn, else of the first, else of a made-up one."""
    drawn_first = [one.lugar for one in conteudo.linhas if one.lugar.desempate == "sorteio"] + [one.lugar for one in conteudo.linhas]
    first = drawn_first[0].projeto_id if drawn_first else "P001"
    drawn = f"{_plain(conteudo.semente)}:{_plain(first)}".replace("'", "'\\''")  # a quote in it would end what the shell takes as text
    return f"printf '%s' '{drawn}' | sha256sum"


def _said(value: Decimal | int | None) -> str:
    return "" if value is None else nota_said(Decimal(value))


def _number(value: Decimal) -> str:
    return number(value)


def _plain(text: str) -> str:
    """Text of others on one line: a CPF masked, nothing in it that turns or hides what stands around it."""
    return " ".join(shown(text).split())
