"""The rows of a result as its page shows them, with the lines between them: where the broad places end, and where the order does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.classificacao.numeros import points_said
from crivo.triagem.classificacao.palavras import mudaria, por_que
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.palavras import number, shown
from crivo.triagem.publicacao.conteudo import CriterioPublicado, Linha
from crivo.triagem.publicacao.quadro import Reunidos
from crivo.web.pages.listas import matches
from crivo.web.pages.triagem.resultado.endereco import Busca
from crivo.web.pages.triagem.resultado.palavras import ROTULO, categoria_said, place_of, points_of, vaga_said


@dataclass(frozen=True, slots=True)
class Posta:
    """A row with whom it competes among; `divisa` is a line before it."""

    linha: Linha
    grupo: Reunidos
    divisa: str = ""


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A row in words. `porque` are the rules that it went through, each with its clause; of a version, its sentence and its means.

    `tom` is the kind of its vaga, by which it has a colour beside its word.
    """

    codigo: str
    titulo: str
    proponente: str
    documento: str
    lugar: str
    base: str
    bonus: str
    final: str
    rotulo: Rotulo
    situacao: str
    como: str
    recebida: bool
    tom: str
    divisa: str
    motivo: str
    porque: tuple[tuple[str, str], ...]
    mudaria: tuple[str, ...]
    fora: bool


def rows_of(grupos: Sequence[Reunidos], busca: Busca) -> list[Posta]:
    """The rows that are asked for, in order; lines between them only where none was left out."""
    whole = not busca.q and not busca.mostrar
    many = len(grupos) > 1
    found: list[Posta] = []
    for grupo in grupos:
        head = f"{categoria_said(grupo.categoria)}: " if many else ""
        placed = _lined(grupo, head) if whole else (Posta(one, grupo) for one in (*grupo.ordem, *grupo.fora))
        found += [one for one in placed if busca.shows(one.linha.lugar) and _found(one.linha, busca.q)]
    return found


def show(posta: Posta, criterios: Sequence[CriterioPublicado], classificada: Classificada | None) -> LinhaVista:
    """A row in words; without what it was counted from, as it was published."""
    linha, grupo = posta.linha, posta.grupo
    lugar, codigo = linha.lugar, linha.lugar.projeto_id
    order = grupo.suplencias.get(codigo)
    counted = classificada is not None and codigo in classificada.por_id
    return LinhaVista(
        codigo,
        shown(linha.projeto.titulo) or codigo,
        shown(linha.projeto.proponente),
        linha.projeto.documento,
        place_of(lugar),
        points_of(lugar.nota_base),
        f"+{points_of(lugar.bonus)}" if lugar.bonus else "",
        points_of(lugar.nota_final),
        ROTULO[lugar.situacao],
        f"{number(order)}º suplente" if order is not None else ROTULO[lugar.situacao].palavra,
        _how(linha, grupo),
        codigo in grupo.recebidas,
        tone_of(grupo, lugar.vaga),
        posta.divisa,
        shown(lugar.motivo),
        _rules(classificada, codigo) if classificada is not None and counted else _published(linha, criterios),
        mudaria(classificada, codigo) if classificada is not None and counted else (),
        lugar.posicao is None,
    )


def tone_of(grupo: Reunidos, vaga: str | None) -> str:
    """`ampla`, or the place of a cota among the first four, which have a colour each; empty without a vaga."""
    at = next((place for place, one in enumerate(grupo.ocupacoes) if one.vaga == vaga), None)
    return "" if at is None or vaga is None else "ampla" if at == 0 else f"cota-{(at - 1) % 4 + 1}"


def _lined(grupo: Reunidos, head: str) -> Iterator[Posta]:
    broad = [at for at, one in enumerate(grupo.ordem) if one.lugar.vaga is not None and one.lugar.vaga == grupo.ocupacoes[0].vaga]
    cut = broad[-1] + 1 if broad and grupo.ocupacoes[0].vaga else 0
    after = _end_of_suplentes(grupo)
    for at, linha in enumerate(grupo.ordem):
        line = head[:-2] if at == 0 else ""
        if at and at == cut:
            line = f"Fim da ampla concorrência, em {points_of(grupo.corte)}"
        elif at and at == after:
            line = "Fim dos suplentes"
        yield Posta(linha, grupo, line)
    for at, linha in enumerate(grupo.fora):
        yield Posta(linha, grupo, f"{head}Fora da disputa" if at == 0 else "")


def _end_of_suplentes(grupo: Reunidos) -> int:
    last = max((at for at, one in enumerate(grupo.ordem) if one.lugar.situacao == "suplente"), default=-1)
    return last + 1


def _found(linha: Linha, q: str) -> bool:
    return matches(q, linha.lugar.projeto_id, linha.projeto.titulo, linha.projeto.proponente)


def _how(linha: Linha, grupo: Reunidos) -> str:
    lugar = linha.lugar
    if lugar.vaga is not None:
        return vaga_said(lugar.vaga)
    if lugar.posicao is None:
        return ""
    if grupo.vagas is None:
        return "O edital não dá vagas a esta categoria"
    if grupo.corte is None or lugar.nota_final is None:
        return ""
    lacked = Decimal(grupo.corte) - Decimal(lugar.nota_final)
    if lacked < 0:  # the last broad place came from a cota or a category, and this one opted for what was left
        return ""
    return f"{points_said(lacked)} para a ampla" if lacked else "Mesma nota da última vaga ampla; perdeu no desempate"


def _rules(classificada: Classificada, codigo: str) -> tuple[tuple[str, str], ...]:
    return tuple([(shown(clausula), frase) for clausula, frase in por_que(classificada, codigo)])


def _published(linha: Linha, criterios: Sequence[CriterioPublicado]) -> tuple[tuple[str, str], ...]:
    means = [f"{shown(one.nome)} {points_of(linha.lugar.notas[one.id])}" for one in criterios if one.id in linha.lugar.notas]
    said = (("", shown(linha.lugar.motivo)),)
    return (*said, ("", f"Médias publicadas: {'; '.join(means)}.")) if means else said
