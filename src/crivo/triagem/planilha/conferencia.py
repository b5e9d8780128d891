"""The sheets of a file held against an edital: what each row says, or every fault by its cell. Source: decision 0061."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from crivo.kernel.formas.palavras import nearest
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.planilha.celulas import Celula, Estranho, Folha, Linha, is_blank, written
from crivo.triagem.edital import AvaliacaoDada, Criterio, HabilitacaoDada, HabilitacaoSugerida
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.valores import visible
from crivo.triagem.palavras import number
from crivo.triagem.planilha.achados import Achados, Lista
from crivo.triagem.planilha.colunas import Assunto, Campo, Colunas, read_colunas, stray, subject_of
from crivo.triagem.planilha.quadro import QuadroDeNotas, heading

LINHAS_MAXIMO: Final = 100_000  # rows of a sheet
_PARECER: Final = 20_000
_MOTIVO: Final = 2_000
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+")
_LONGEST_EMAIL: Final = 300
_NUMBER: Final = re.compile(r"[-−]?\d{1,6}(?:[.,]\d{1,12})?")
_BLANKS: Final = re.compile(r"\s+")
_CASAS: Final = Decimal("0.01")
_NO_NOTA: Final = Decimal(1_000_000)
_ASSUNTOS: Final[dict[str, Assunto]] = {
    "notas": "notas",
    "avaliacoes": "notas",
    "habilitacao": "habilitacao",
    "habilitacoes": "habilitacao",
}
LEIA: Final = "Leia antes"
_GUESSED: Final = 100  # of so many faults a guess is worth what it takes
_SITUACOES: Final[dict[str, HabilitacaoSugerida]] = {
    **dict.fromkeys(("habilitado", "habilitada", "sim", "deferido", "deferida"), "habilitado"),
    **dict.fromkeys(("inabilitado", "inabilitada", "nao habilitado", "nao habilitada", "indeferido", "indeferida"), "inabilitado"),
    **dict.fromkeys(("pendencia", "pendente", "com pendencia", "com pendencias", "diligencia", "em diligencia"), "pendencia"),
}


@dataclass(slots=True)
class Lida:
    """What a file says. `quem` is the cell where each e-mail came first, `onde` that of who gave a project its notas; `em_branco` the rows
    that nobody filled in.
    """

    avaliacoes: list[AvaliacaoDada] = field(default_factory=list)
    habilitacoes: list[HabilitacaoDada] = field(default_factory=list)
    em_branco: int = 0
    linhas: int = 0
    quem: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    onde: dict[tuple[str, str], tuple[str, int, int]] = field(default_factory=dict)
    problemas: Lista = field(default_factory=Lista)
    avisos: Lista = field(default_factory=Lista)


def check_folhas(folhas: Sequence[Folha], quadro: QuadroDeNotas) -> Lida:
    """Read every sheet that is told by its name; where none is, the only one that there is. All faults are told at once."""
    lida = Lida()
    named = [(folha, _ASSUNTOS.get(fold(folha.nome))) for folha in folhas]
    seen = [folha for folha in folhas if not folha.oculta]
    if not any(assunto for _, assunto in named) and len(seen) == 1:
        named = [(folha, None if folha.oculta else subject_of(_heading_row(folha)[1])) for folha in folhas]
    told: set[Assunto] = set()
    for folha, assunto in named:
        achados = Achados(folha.nome, lida.problemas, lida.avisos)
        if assunto is None:
            if heading(folha.nome) != heading(LEIA):
                achados.warn("folha_nao_lida", None, 0, "esta folha não foi lida: só se leem as de nome Notas e Habilitação.")
        elif folha.oculta:
            achados.fail("folha_oculta", None, 0, "a folha está oculta, e o que ninguém vê não é importado. Mostre-a, ou apague-a.")
        elif assunto in told:
            achados.fail("folha_repetida", None, 0, "há outra folha do mesmo assunto. Deixe uma só.")
        else:
            told.add(assunto)
            _read_folha(assunto, folha, quadro, lida, achados)
    if not told and not lida.problemas.total:
        Achados("Notas", lida.problemas, lida.avisos).fail(
            "sem_folha", None, 0, "não há folha com este nome. Dê o nome Notas à folha das notas, como no modelo."
        )
    for found in (lida.problemas, lida.avisos):
        found.put_in_order([folha.nome for folha in folhas])
    return lida


def _read_folha(assunto: Assunto, folha: Folha, quadro: QuadroDeNotas, lida: Lida, achados: Achados) -> None:
    for ranges in folha.mescladas:
        whole = Achados(f"{folha.nome}!{ranges}", lida.problemas, lida.avisos)
        whole.fail("mesclada", None, 0, "há células mescladas. Desfaça a mescla e escreva o valor em cada linha.")
    at, cabecalho = _heading_row(folha)
    if not at:
        if assunto == "notas":
            achados.fail("folha_vazia", None, 0, "a folha está vazia. Baixe o modelo do edital e preencha-o.")
        return
    colunas = read_colunas(assunto, cabecalho, at, quadro, achados)
    if colunas is None:
        return
    row = _Linhas(folha, quadro, colunas, lida, achados)
    for numero, celulas in _rows_after(folha, at):
        if numero > LINHAS_MAXIMO + at:
            achados.fail(
                "linhas_demais", numero, 0, f"a folha passa de {number(LINHAS_MAXIMO)} linhas, o limite. Divida a planilha em duas."
            )
            return
        odd = stray(colunas, cabecalho, celulas)
        if odd is not None:
            achados.fail("sem_cabecalho", numero, odd, "há algo aqui, e a coluna não tem nome. Dê nome à coluna, ou apague a célula.")
        if all(map(is_blank, celulas)):
            continue
        lida.linhas += 1
        if assunto == "notas":
            row.read_notas(numero, celulas)
        else:
            row.read_habilitacao(numero, celulas)


def _heading_row(folha: Folha) -> Linha:
    """The first row that holds anything, which names the columns; 0 where there is none."""
    return next(((numero, celulas) for numero, celulas in folha.linhas() if not all(map(is_blank, celulas))), (0, ()))


def _rows_after(folha: Folha, at: int) -> Iterator[Linha]:
    return ((numero, celulas) for numero, celulas in folha.linhas() if numero > at)


@dataclass(slots=True)
class _Linhas:
    """The rows of one sheet as they are read, one after the other."""

    folha: Folha
    quadro: QuadroDeNotas
    colunas: Colunas
    lida: Lida
    achados: Achados
    vistas: dict[tuple[str, str], int] = field(default_factory=dict)

    def read_notas(self, linha: int, celulas: Sequence[Celula]) -> None:
        """A row of notas; one that only names a project and a person was not filled in."""
        given = [(coluna, criterio, _at(celulas, coluna)) for coluna, criterio in self.colunas.criterios]
        if all(is_blank(celula) for _, _, celula in given):
            if self._text(linha, celulas, "parecer", _PARECER):
                mensagem = "há um parecer e nenhuma nota. Escreva as notas, ou apague o parecer."
                self.achados.fail("parecer_sem_nota", linha, self.colunas.campos["parecer"], mensagem)
            self.lida.em_branco += 1
            return
        projeto, quem = self._projeto(linha, celulas), self._avaliador(linha, celulas)
        notas = {criterio.id: self._nota(linha, coluna, criterio, celula) for coluna, criterio, celula in given if not is_blank(celula)}
        parecer = self._text(linha, celulas, "parecer", _PARECER)
        if projeto is None or quem is None:
            return
        if self._is_again(
            linha, self.colunas.campos["avaliador"], (projeto, quem), "repete o projeto e a pessoa da linha {}. Deixe uma só."
        ):
            return
        self._warn_lacking(linha, notas)
        read = {codigo: nota for codigo, nota in notas.items() if nota is not None}
        self.lida.avaliacoes.append(AvaliacaoDada(projeto, quem, read, parecer))
        self.lida.onde[(projeto, quem)] = (self.folha.nome, linha, self.colunas.campos["avaliador"])

    def read_habilitacao(self, linha: int, celulas: Sequence[Celula]) -> None:
        """A row of habilitação; one that only names a project was not filled in."""
        coluna = self.colunas.campos["situacao"]
        celula, motivo = _at(celulas, coluna), self._text(linha, celulas, "motivo", _MOTIVO)
        if is_blank(celula):
            if motivo:
                self.achados.fail(
                    "motivo_sem_situacao", linha, coluna, "há um motivo e nenhuma situação. Escreva habilitado, inabilitado ou pendência."
                )
            self.lida.em_branco += 1
            return
        projeto = self._projeto(linha, celulas)
        situacao = None if isinstance(celula, Estranho) else _SITUACOES.get(heading(written(celula)))
        if isinstance(celula, Estranho):
            self.achados.fail("celula_estranha", linha, coluna, f"a célula {celula.value}.")
        elif situacao is None:
            self.achados.fail(
                "situacao_desconhecida",
                linha,
                coluna,
                f"“{cite(written(celula))}” não é situação: são habilitado, inabilitado e pendência.",
            )
        if projeto is None or situacao is None:
            return
        if not self._is_again(linha, self.colunas.campos["projeto"], (projeto, ""), "repete o projeto da linha {}. Deixe uma só."):
            self.lida.habilitacoes.append(HabilitacaoDada(projeto, situacao, motivo))

    def _projeto(self, linha: int, celulas: Sequence[Celula]) -> str | None:
        coluna = self.colunas.campos["projeto"]
        escrito = self._name(linha, coluna, _at(celulas, coluna), "o código do projeto")
        if escrito is None:
            return None
        codigo = self.quadro.by_codigo.get(escrito.casefold())
        if codigo is None:
            meant = nearest(escrito, self.quadro.by_codigo.values()) if len(self.achados.problemas.listados) < _GUESSED else None
            guess = f" Quis dizer {meant}?" if meant else ""
            self.achados.fail("projeto_desconhecido", linha, coluna, f"não há projeto “{cite(escrito)}” neste edital.{guess}")
        elif codigo in self.quadro.apagados:
            self.achados.fail(
                "projeto_apagado", linha, coluna, f"os dados de quem propôs {codigo} foram apagados a pedido. Apague a linha."
            )
            return None
        return codigo

    def _avaliador(self, linha: int, celulas: Sequence[Celula]) -> str | None:
        """The e-mail of who judged, in small letters."""
        coluna = self.colunas.campos["avaliador"]
        escrito = self._name(linha, coluna, _at(celulas, coluna), "quem avaliou, por e-mail ou nome")
        if escrito is None:
            return None
        if "@" in escrito:
            email: str | None = escrito.casefold()
            if len(escrito) > _LONGEST_EMAIL or not _EMAIL.fullmatch(escrito):
                self.achados.fail("email_invalido", linha, coluna, "isto não é um e-mail. Escreva como em ana@exemplo.org.")
                return None
        else:
            name = fold(escrito)
            email = self.quadro.by_nome.get(name)
            if email is None:
                same = name in self.quadro.by_nome
                mensagem = (
                    "duas pessoas que avaliam este edital têm este nome. Escreva o e-mail de quem avaliou."
                    if same
                    else "ninguém que avalia este edital tem este nome. Confira o nome, ou escreva o e-mail."
                )
                self.achados.fail("nome_de_duas_pessoas" if same else "avaliador_desconhecido", linha, coluna, mensagem)
        if email is not None:
            self.lida.quem.setdefault(email, (self.folha.nome, linha, coluna))
        return email

    def _nota(self, linha: int, coluna: int, criterio: Criterio, celula: Celula) -> Decimal | None:
        nota = read_nota(celula)
        of = f"{criterio.id} ({criterio.nome})" if criterio.nome else criterio.id
        match nota:
            case str():
                self.achados.fail("nota_invalida", linha, coluna, nota)
            case Decimal() if nota > criterio.nota_max:
                mensagem = f"{number(nota)} passa do máximo {number(criterio.nota_max)} de {of}."
                self.achados.fail("nota_fora_da_escala", linha, coluna, mensagem)
            case Decimal() if nota < criterio.nota_min:
                mensagem = f"{number(nota)} está abaixo do mínimo {number(criterio.nota_min)} de {of}."
                self.achados.fail("nota_fora_da_escala", linha, coluna, mensagem)
            case Decimal():
                return nota
        return None

    def _warn_lacking(self, linha: int, notas: dict[str, Decimal | None]) -> None:
        lacking = [one.id for one in self.quadro.criterios if one.id not in notas]
        if lacking:
            mensagem = f"falta a nota de {', '.join(lacking)}. Enquanto faltar, a avaliação não conta."
            self.achados.warn("avaliacao_incompleta", linha, self.colunas.campos["avaliador"], mensagem)

    def _is_again(self, linha: int, coluna: int, key: tuple[str, str], mensagem: str) -> bool:
        first = self.vistas.setdefault(key, linha)
        if first != linha:
            self.achados.fail("linha_repetida", linha, coluna, mensagem.format(first))
        return first != linha

    def _name(self, linha: int, coluna: int, celula: Celula, what: str) -> str | None:
        if isinstance(celula, Estranho):
            self.achados.fail("celula_estranha", linha, coluna, f"a célula {celula.value}.")
            return None
        if is_blank(celula):
            self.achados.fail("celula_vazia", linha, coluna, f"falta {what}.")
            return None
        return written(celula)

    def _text(self, linha: int, celulas: Sequence[Celula], campo: Campo, most: int) -> str:
        coluna = self.colunas.campos.get(campo)
        celula = None if coluna is None else _at(celulas, coluna)
        if coluna is None or is_blank(celula):
            return ""
        if isinstance(celula, Estranho):
            self.achados.fail("celula_estranha", linha, coluna, f"a célula {celula.value}.")
            return ""
        text = visible(written(celula))
        if len(text) > most:
            self.achados.fail("texto_longo", linha, coluna, f"o texto passa de {number(most)} caracteres, o limite. Encurte-o.")
        return text


def read_nota(celula: Celula) -> Decimal | str:
    """The nota in a cell, as `8,5`, `8.5` or the number 8.5, of up to two places; or what is wrong with it."""
    if isinstance(celula, Estranho):
        return f"a célula {celula.value}."
    if isinstance(celula, str):
        plain = _BLANKS.sub("", celula)
        if plain.startswith("="):
            return f"a célula {Estranho.FORMULA.value}."
        if not _NUMBER.fullmatch(plain):
            return f"“{cite(celula.strip())}” não é uma nota. Escreva só o número, como 8,5; deixe vazia a que não houve."
        celula = Decimal(plain.replace(",", ".").replace("−", "-"))
    if celula is None:
        return "falta a nota."
    if abs(celula) >= _NO_NOTA:
        return "o número é grande demais para uma nota. Confira a vírgula."
    if celula != round(celula, 2):
        return f"{number(celula)} tem mais de duas casas depois da vírgula. Arredonde."
    return celula.quantize(_CASAS).normalize() + 0


def _at(celulas: Sequence[Celula], coluna: int) -> Celula:
    return celulas[coluna] if coluna < len(celulas) else None
