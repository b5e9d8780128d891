"""The tables that people read, in words and the same for every format: what was suggested, and beside it what people decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.achados import Evidencia, ItemHabilitacao, NotaSugerida, ProjetoTriado, Resultado
from crivo.triagem.conclusoes import NADA, Concluido
from crivo.triagem.edital import Chamada, Criterio, Projeto
from crivo.triagem.exportacao.celulas import Celula, Coluna, Linha, Tabela
from crivo.triagem.exportacao.concluido import (
    CASOS,
    DECISAO,
    NOTAS,
    casos,
    decisao_said,
    notas_das_pessoas,
    ranking,
    ranking_columns,
    sugeridas_of,
)
from crivo.triagem.exportacao.recursos import RECURSOS, recursos
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.media import media_of
from crivo.triagem.palavras import (
    AUTOR,
    CAMPOS,
    HABILITACAO,
    MOTIVO,
    SITUACAO_NOTA,
    identifier,
    modelo_name,
    percent,
    situation_of,
    yes_no,
)

NomeTabela = Literal["habilitacao", "avaliacao", "irregularidades", "decisoes", "notas", "casos", "recursos", "ranking"]

_QUEM: Final = (Coluna("Projeto", 12), Coluna("Título", 36), Coluna("Proponente", 30), Coluna("CPF ou CNPJ", 20))
_ONDE: Final = (Coluna("Arquivo", 30), Coluna("Página", 8), Coluna("Trecho", 60, "longo"))
_DECISOES: Final = (
    *_QUEM,
    Coluna("Habilitação sugerida", 20),
    Coluna("Razão da sugestão", 50, "longo"),
    Coluna("Documentos completos", 14),
    *DECISAO,
)
_HABILITACAO: Final = (
    *_DECISOES,
    Coluna("Requisito", 12),
    Coluna("Cláusula", 10),
    Coluna("Descrição do requisito", 40, "longo"),
    Coluna("Elimina", 10),
    Coluna("Situação sugerida", 18),
    Coluna("Motivo", 28),
    Coluna("Achado", 60, "longo"),
    *_ONDE,
    Coluna("Autor", 12),
    Coluna("Sinais do projeto", 30, "longo"),
)
_AVALIACAO: Final = (
    *_QUEM,
    Coluna("Critério", 10),
    Coluna("Nome do critério", 36),
    Coluna("Peso", 8, "nota"),
    Coluna("Nota sugerida", 12, "nota"),
    Coluna("Confiança", 12, "fracao"),
    Coluna("Situação da nota", 18),
    Coluna("Observação", 50, "longo"),
    Coluna("Justificativa", 60, "longo"),
    Coluna("Sugerida por", 26),
    Coluna("Passagens do projeto", 90, "longo"),
    Coluna("Média sugerida do projeto", 14, "nota"),
    Coluna("Critérios na média", 14),
    Coluna("Sinais do projeto", 30, "longo"),
)
_IRREGULARIDADES: Final = (
    Coluna("Sinal", 28),
    Coluna("Projetos", 24),
    Coluna("Títulos", 50, "longo"),
    Coluna("Proponentes", 40, "longo"),
    Coluna("Medida", 12, "nota"),
    Coluna("Percentil", 12, "fracao"),
    Coluna("Achado", 60, "longo"),
    Coluna("Arquivo", 30),
    Coluna("Campo", 18),
    Coluna("Evidências", 90, "longo"),
    Coluna("Autor", 12),
)


def has_notas(resultado: Resultado) -> bool:
    """Whether any nota was suggested; where none was, the table of avaliação is one of assisted reading."""
    return any(projeto.notas for projeto in resultado.projetos)


def tabulate(nome: NomeTabela, resultado: Resultado, chamada: Chamada, concluido: Concluido = NADA) -> Tabela:
    """The table of that name, no CPF in it in clear. A projeto that is not in `chamada` is shown by its id alone."""
    projetos = {projeto.id: projeto for projeto in chamada.projetos}
    match nome:
        case "habilitacao":
            linhas = _habilitacao(resultado, projetos, _signs_by_project(resultado), concluido)
            return Tabela("Habilitação", _HABILITACAO, _masked(linhas))
        case "avaliacao":
            titulo = "Avaliação" if has_notas(resultado) else "Leitura assistida"
            return Tabela(titulo, _AVALIACAO, _masked(_avaliacao(resultado, chamada, projetos, _signs_by_project(resultado))))
        case "irregularidades":
            return Tabela("Irregularidades", _IRREGULARIDADES, _masked(_irregularidades(resultado, projetos)))
        case "decisoes":
            return Tabela("Decisões", _DECISOES, _masked(_decisoes(resultado, projetos, concluido)))
        case "notas":
            return Tabela(
                "Notas das pessoas",
                (*_QUEM, *NOTAS),
                _masked(notas_das_pessoas(chamada, concluido, sugeridas_of(resultado), _named(projetos))),
            )
        case "casos":
            return Tabela("Casos", CASOS, _masked(casos(concluido)))
        case "recursos":
            return Tabela("Recursos", (*_QUEM, *RECURSOS), _masked(recursos(chamada.criterios, concluido, _named(projetos))))
        case "ranking":
            colunas = ranking_columns(_QUEM, chamada.criterios)
            return Tabela("Ranking", colunas, _masked(ranking(chamada, concluido, sugeridas_of(resultado), _named(projetos))))


def _masked(linhas: Iterator[Linha]) -> Iterator[Linha]:
    return (tuple(mask_cpfs(celula) if isinstance(celula, str) else celula for celula in linha) for linha in linhas)


def _signs_by_project(resultado: Resultado) -> Mapping[str, str]:
    """For each project that a sign concerns, the kinds of its signs and how many: `Texto reutilizado (2), Texto oculto (1)`."""
    kinds: dict[str, Counter[str]] = {}
    for sinal in resultado.irregularidades:
        for projeto_id in dict.fromkeys(sinal.projetos):
            kinds.setdefault(projeto_id, Counter())[SINAL_DE[sinal.tipo].palavra] += 1
    return {projeto_id: ", ".join(f"{kind} ({times})" for kind, times in counted.items()) for projeto_id, counted in kinds.items()}


def _habilitacao(resultado: Resultado, projetos: Mapping[str, Projeto], sinais: Mapping[str, str], concluido: Concluido) -> Iterator[Linha]:
    for triado in resultado.projetos:
        quem, decided = _who(triado.projeto_id, projetos), decisao_said(triado.projeto_id, concluido)
        for item in triado.itens or (None,):
            yield (*quem, *_suggestion(triado), *decided, *_item(item), sinais.get(triado.projeto_id))


def _decisoes(resultado: Resultado, projetos: Mapping[str, Projeto], concluido: Concluido) -> Iterator[Linha]:
    """A line for each project: what was suggested, and what a person decided."""
    for triado in resultado.projetos:
        yield (*_who(triado.projeto_id, projetos), *_suggestion(triado), *decisao_said(triado.projeto_id, concluido))


def _suggestion(triado: ProjetoTriado) -> Linha:
    """The suggestion for a project, or that there is none, and why."""
    if triado.erro is not None:
        return "Não foi possível triar", triado.erro, None
    sugerida = "Não conferida" if triado.habilitacao_sugerida is None else HABILITACAO[triado.habilitacao_sugerida].palavra
    completos = None if triado.docs_completos is None else yes_no(triado.docs_completos)
    return sugerida, triado.habilitacao_motivo, completos


def _item(item: ItemHabilitacao | None) -> Linha:
    if item is None:
        return (None,) * 11
    return (
        item.requisito,
        item.clausula,
        item.descricao,
        yes_no(item.eliminatorio),
        situation_of(item).palavra,
        None if item.motivo is None else MOTIVO[item.motivo],
        item.achado,
        *_where(item.evidencia),
        AUTOR[item.autor],
    )


def _where(evidencia: Evidencia | None) -> Linha:
    return (None, None, None) if evidencia is None else (evidencia.arquivo, evidencia.pagina, evidencia.trecho)


def _avaliacao(resultado: Resultado, chamada: Chamada, projetos: Mapping[str, Projeto], sinais: Mapping[str, str]) -> Iterator[Linha]:
    for triado in resultado.projetos:
        quem = _who(triado.projeto_id, projetos)
        notas = {nota.criterio: nota for nota in triado.notas}
        media = media_of(chamada.criterios, triado.notas)
        graded = f"{media.com_nota} de {media.criterios}" if triado.notas else None
        whole = (None if media.valor is None else round(media.valor, 2), graded, sinais.get(triado.projeto_id))
        leituras = {leitura.criterio: leitura.passagens for leitura in triado.leitura}
        for criterio in _criterios(chamada, (*notas, *leituras)):
            nota = notas.get(criterio.id)
            lida = leituras.get(criterio.id, ())
            passagens = nota.evidencias if nota and nota.nota_sugerida is not None else lida
            yield (*quem, criterio.id, criterio.nome, criterio.peso, *_nota(nota), _quotes(passagens), *whole)


def _nota(nota: NotaSugerida | None) -> Linha:
    """What is suggested, how sure it is, how it stands and who says so."""
    if nota is None:
        return (None,) * 6
    sure = None if nota.nota_sugerida is None else nota.confianca
    said = SITUACAO_NOTA[nota.situacao]
    return nota.nota_sugerida, sure, said, nota.observacao or None, nota.justificativa, modelo_name(nota)


def _criterios(chamada: Chamada, ids: Sequence[str]) -> list[Criterio]:
    """Those of the call that were read, in its order, then any that the call no longer has."""
    known = [criterio for criterio in chamada.criterios if criterio.id in ids]
    gone = dict.fromkeys(ids)
    for criterio in known:
        del gone[criterio.id]
    return [*known, *(Criterio(codigo, "") for codigo in gone)]


def _irregularidades(resultado: Resultado, projetos: Mapping[str, Projeto]) -> Iterator[Linha]:
    for sinal in resultado.irregularidades:
        envolvidos = [_who(projeto_id, projetos) for projeto_id in sinal.projetos]
        yield (
            SINAL_DE[sinal.tipo].palavra,
            ", ".join(sinal.projetos),
            "\n".join(str(titulo) for _, titulo, _, _ in envolvidos),
            "\n".join(f"{nome} ({numero})" if numero else str(nome) for _, _, nome, numero in envolvidos),
            sinal.valor,
            None if sinal.percentil is None else sinal.percentil / 100,
            sinal.achado,
            sinal.arquivo,
            sinal.campo,
            _quotes(sinal.evidencia),
            AUTOR[sinal.autor],
        )


def _who(projeto_id: str, projetos: Mapping[str, Projeto]) -> tuple[Celula, Celula, Celula, Celula]:
    projeto = projetos.get(projeto_id)
    if projeto is None:
        return projeto_id, None, None, None
    return projeto_id, projeto.titulo, projeto.proponente.nome, identifier(projeto.proponente.cpf_cnpj)


def _named(projetos: Mapping[str, Projeto]) -> Callable[[str], Linha]:
    return lambda projeto_id: _who(projeto_id, projetos)


def _quotes(evidencias: Sequence[Evidencia]) -> str:
    """Each quote on a line of its own, with where it stands and how alike the two of a pair are."""
    return "\n".join(_quote(evidencia) for evidencia in evidencias)


def _quote(evidencia: Evidencia) -> str:
    pagina = None if evidencia.pagina is None else f"p. {evidencia.pagina}"
    alike = None if evidencia.semelhanca is None else f"{percent(evidencia.semelhanca)} igual"
    campo = CAMPOS.get(evidencia.campo, evidencia.campo) if evidencia.campo else None
    lugar = ", ".join(part for part in (evidencia.projeto, evidencia.arquivo, campo, pagina, alike) if part)
    trecho = f"“{' '.join(evidencia.trecho.split())}”" if evidencia.trecho else ""
    return " ".join(part for part in (f"[{lugar}]" if lugar else "", trecho) if part)
