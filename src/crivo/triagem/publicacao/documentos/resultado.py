"""A result as a document: what was decided, in which order and by which rules, and how anybody checks it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Final

from crivo.kernel.clock import BRASILIA
from crivo.triagem.classificacao.definicao import AMPLA, Cota, Desempate, PorCampo, PorCriterio
from crivo.triagem.classificacao.numeros import nota_said
from crivo.triagem.classificacao.palavras import SITUACAO, tie_said
from crivo.triagem.classificacao.publicado import FaseDoResultado, LugarPublicado
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
    return "Ampla concorrência" if vaga == AMPLA else _plain(vaga or "")


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
        rows = tuple([(*_who(one), SITUACAO[one.lugar.situacao], _plain(one.lugar.motivo)) for one in listagem.fora])
        columns = (*_WHO, Coluna("Situação", 12), Coluna("Motivo", 48))
        said = f"Projetos sem lugar: {count(len(rows), 'projeto', 'projetos')}"
        yield Secao("Sem lugar", (Tabela(said, columns, rows),))
    if not conteudo.linhas and not listagem.grupos:
        yield Secao("Projetos", (Paragrafo("Nenhum projeto concorre neste edital."),))
    if conteudo.recursos:
        yield Secao("Recursos respondidos", (_answered(conteudo.recursos),))
    yield Secao("Como a ordem foi feita", tuple(_rules(conteudo)))
    yield Secao("Como conferir", tuple(_checking(conteudo, selo)))


def _answered(recursos: tuple[RecursoPublicado, ...]) -> Tabela:
    rows = tuple([(number(one.numero), _plain(one.projeto_id), one.resultado) for one in recursos])
    columns = (Coluna("Recurso", 12, numero=True), Coluna("Projeto", 20), Coluna("Resposta", 60))
    return Tabela("Recursos respondidos antes deste resultado", columns, rows, chave=1)


_WHO: Final = (Coluna("Projeto", 8), Coluna("Título", 28), Coluna("Proponente", 24))


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
        Coluna("Desempate", 11),
    )
    names = {one.id: _plain(one.nome) for one in conteudo.criterios}
    rows = []
    for one in grupo.linhas:
        lugar = one.lugar
        means = [_said(lugar.notas.get(it.id)) for it in criterios]
        notas = (_said(lugar.nota_final), _said(lugar.nota_base), _said(lugar.bonus))
        place = f"{number(lugar.posicao)}º" if lugar.posicao is not None else ""
        became = (SITUACAO[lugar.situacao], vaga_said(lugar.vaga))
        rows.append((place, *_who(one), *became, *notas, *means, _tie(lugar, names)))
    return Tabela(f"{grupo.nome}: {grupo.resumo}", columns, tuple(rows), "Ninguém se classificou nesta categoria.", chave=2)


def _tie(lugar: LugarPublicado, names: dict[str, str]) -> str:
    match lugar.desempate:
        case None:
            return ""
        case "inscricao":
            return "ordem de inscrição"
        case other:
            return names.get(other) or _plain(other)


def _rules(conteudo: Conteudo) -> Iterator[Bloco]:
    if conteudo.criterios:
        rows = tuple([(_plain(one.id), _plain(one.nome), _number(one.peso), _number(one.nota_max)) for one in conteudo.criterios])
        columns = (Coluna("Critério", 12), Coluna("Nome", 60), Coluna("Peso", 12, numero=True), Coluna("Nota máxima", 14, numero=True))
        yield Tabela("Critérios e pesos", columns, rows)
    regras = conteudo.regras
    yield Paragrafo(
        "A nota de cada critério é a média das pessoas que avaliaram; nenhuma nota de modelo entra. "
        f"A nota base é a média ponderada pelos pesos, em escala de {_number(regras.escala)}; a nota final soma os bônus."
    )
    names = {one.id: one.nome for one in conteudo.criterios}
    ties = [tie_said(one, names.get(_by(one), _by(one))) for one in regras.desempate]
    yield Paragrafo(f"Desempate, nesta ordem: {'; '.join([*ties, 'sorteio'] if 'sorteio' not in ties else ties)}.")
    lines = [(_plain(vagas.categoria), vagas) for vagas in regras.vagas]
    if any(vagas.cotas for _, vagas in lines):
        rows = tuple(
            [
                (("Todas" if name == "*" else name) or "Sem categoria", number(vagas.total), number(vagas.ampla), _cotas(vagas.cotas))
                for name, vagas in lines
            ]
        )
        columns = (Coluna("Categoria", 30), Coluna("Vagas", 10, numero=True), Coluna("Ampla", 10, numero=True), Coluna("Cotas", 50))
        yield Tabela("Vagas de cada categoria", columns, rows)


def _by(one: Desempate) -> str:
    """The critério or field by which a tie is broken, empty where it is neither."""
    return one.criterio if isinstance(one, PorCriterio) else one.campo if isinstance(one, PorCampo) else ""


def _cotas(cotas: tuple[Cota, ...]) -> str:
    return ", ".join([f"{_plain(one.id)}: {number(one.vagas)}" for one in cotas]) or "nenhuma"


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
        "Com a primeira linha da lista:"
    )
    yield Paragrafo(draw_said(conteudo), "literal")


def draw_said(conteudo: Conteudo) -> str:
    """The command by which the draw of the first row is made again, of that of a made-up project where there is none."""
    first = conteudo.linhas[0].lugar.projeto_id if conteudo.linhas else "P001"
    drawn = f"{_plain(conteudo.semente)}:{_plain(first)}".replace("'", "'\\''")  # a quote in it would end what the shell takes as text
    return f"printf '%s' '{drawn}' | sha256sum"


def _said(value: Decimal | int | None) -> str:
    return "" if value is None else nota_said(Decimal(value))


def _number(value: Decimal) -> str:
    return number(value)


def _plain(text: str) -> str:
    """Text of others on one line: a CPF masked, nothing in it that turns or hides what stands around it."""
    return " ".join(shown(text).split())
