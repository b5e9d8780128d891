"""How screening is shown on a terminal: the estimate, the progress, and the three tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from crivo.cli.saida import moment, say, table
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.achados import Evidencia, HabilitacaoSugerida, Irregularidade, ProjetoTriado, Resultado
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.palavras import (
    CAMPOS,
    DECISAO_HUMANA,
    HABILITACAO,
    MOTIVO,
    SINAL,
    STATUS,
    TIPO,
    count,
    lacking_said,
    lote_price_said,
    modelo_name,
    nota_said,
    number,
    percent,
    price_said,
    spent_said,
    waiting_said,
)

if TYPE_CHECKING:
    from crivo.triagem.andamento import Execucao, FaseExecucao
    from crivo.triagem.custeio import Estimativa

FASES: Final[Mapping[FaseExecucao, str]] = {
    "leitura": "Leitura",
    "habilitacao": "Habilitação",
    "avaliacao": "Avaliação",
    "irregularidades": "Irregularidades",
}
_SUGGESTED: Final[Mapping[HabilitacaoSugerida, tuple[str, str]]] = {
    "habilitado": ("habilitado", "habilitados"),
    "pendencia": ("com pendência", "com pendências"),
    "inabilitado": ("inabilitado", "inabilitados"),
}
_QUOTE_CHARS: Final = 110
_SHOWN: Final = 12  # projects of which a terminal shows the notas


def show_estimate(estimativa: Estimativa) -> None:
    """What a screening would take."""
    say(f"{TIPO[estimativa.tipo]} de {estimativa.edital_id}: {count(estimativa.projetos, 'projeto', 'projetos')}.")
    if estimativa.projetos_inalterados:
        say(f"  {count(estimativa.projetos_inalterados, 'não mudou', 'não mudaram')} desde a última triagem e não serão refeitos.")
    say(f"  {count(estimativa.documentos_por_ler, 'documento por ler', 'documentos por ler')}, de {number(estimativa.documentos)}.")
    say(f"  {price_said(estimativa.modelo, estimativa.simulado, estimativa.chamadas, estimativa.custo)}")
    if estimativa.em_lote:
        say(f"  {lote_price_said(estimativa.custo_em_lote)}")
    if estimativa.chamadas and estimativa.documentos_por_ler:
        say("  Os documentos por ler ainda não entram nesta conta.")
    if estimativa.limite_custo is not None and estimativa.modelo:
        spent, limit = number(estimativa.gasto_no_mes, 2), number(estimativa.limite_custo, 2)
        say(f"  Gasto deste mês com modelos: US$ {spent}, de um limite de US$ {limit}.")


def show_execucao(execucao: Execucao) -> None:
    """How an execução stands."""
    done = f"{number(execucao.projetos_analisados)} de {count(execucao.total_projetos, 'projeto analisado', 'projetos analisados')}"
    say(f"{TIPO[execucao.tipo]} de {execucao.edital_id}: {STATUS[execucao.status].palavra.lower()}, {done}.")
    if execucao.reaproveitados:
        came = "veio" if execucao.reaproveitados == 1 else "vieram"
        unchanged = count(execucao.reaproveitados, "projeto não mudou", "projetos não mudaram")
        say(f"  {unchanged} desde a última triagem e {came} dela.")
    if execucao.projetos_com_erro:
        failed = count(execucao.projetos_com_erro, "projeto não pôde ser analisado", "projetos não puderam ser analisados")
        say(f"  ! {failed}; tente de novo com 'crivo triagem retomar {execucao.edital_id}'.")
    if lacking := lacking_said(execucao.notas_sem_resposta, execucao.habilitacoes_incompletas):
        say(f"  ! {lacking}; pergunte só isso de novo com 'crivo triagem retomar {execucao.edital_id}'.")
    if execucao.custo or execucao.chamadas_sem_preco:
        say(f"  {spent_said(execucao.custo, execucao.chamadas_sem_preco)}.")
    lote = execucao.lote
    if execucao.status == "em_andamento" and lote is not None and lote.abertos:
        sent, until = (moment(lote.enviado_em), moment(lote.ate)) if lote.enviado_em and lote.ate else ("", "")
        say(f"  {waiting_said(lote.perguntas, lote.respondidas, sent, until)}")
    if execucao.erro_mensagem:
        say(f"  ✕ {execucao.erro_mensagem}")
    if execucao.concluida_em:
        say(f"  Terminou em {moment(execucao.concluida_em)}.")


def last_run(execucao: Execucao | None) -> str:
    """An execução in a cell."""
    if execucao is None:
        return "—"
    return f"{STATUS[execucao.status].palavra}, {moment(execucao.concluida_em or execucao.created_at)}"


def show_resultado(resultado: Resultado) -> None:
    """The three tables: habilitação, assisted reading or notas, irregularidades."""
    _show_habilitacao(resultado)
    _show_avaliacao(resultado)
    _show_irregularidades(resultado)
    say(f"\n{DECISAO_HUMANA}")


def _show_habilitacao(resultado: Resultado) -> None:
    judged = [projeto for projeto in resultado.projetos if projeto.habilitacao_sugerida is not None]
    if not judged:
        return
    counted = Counter(projeto.habilitacao_sugerida for projeto in judged)
    told = ", ".join(count(counted[kind], one, many) for kind, (one, many) in _SUGGESTED.items() if counted[kind])
    say(f"\nHabilitação: {told}.")
    rows = [(projeto.projeto_id, HABILITACAO[projeto.habilitacao_sugerida or "pendencia"].palavra, _reasons(projeto)) for projeto in judged]
    table(("Projeto", "Sugestão", "Por quê"), [row for row in rows if row[2]], whole="Projeto", empty="Nenhum projeto tem o que sanar.")


def _reasons(projeto: ProjetoTriado) -> str:
    told = [item for item in projeto.itens if item.situacao != "atende"]
    return "; ".join(f"{item.descricao or item.requisito}: {MOTIVO[item.motivo] if item.motivo else item.achado}" for item in told)


def _show_avaliacao(resultado: Resultado) -> None:
    notas = [nota for projeto in resultado.projetos for nota in projeto.notas]
    if notas:
        authors = ", ".join(sorted({modelo_name(nota) for nota in notas}))
        say(f"\nAvaliação: notas sugeridas por {authors}, para quem avalia conferir.")
        graded = [projeto for projeto in resultado.projetos if projeto.notas]
        table(("Projeto", "Notas sugeridas", "Por exemplo"), [_notas_row(projeto) for projeto in graded[:_SHOWN]], whole="Projeto")
        if len(graded) > _SHOWN:
            rest = count(len(graded) - _SHOWN, "projeto", "projetos")
            say(f"  E mais {rest}: veja todos com 'crivo triagem exportar {resultado.edital_id} --formato csv'.")
        return
    read = [projeto for projeto in resultado.projetos if projeto.leitura]
    if not read:
        return
    say("\nAvaliação: sem modelo, leitura assistida. Não há nota: o crivo mostra o que cada projeto diz sobre cada critério.")
    spoken = Counter(leitura.criterio for projeto in read for leitura in projeto.leitura if leitura.passagens)
    first = {leitura.criterio: (projeto, leitura) for projeto in reversed(read) for leitura in projeto.leitura if leitura.passagens}
    rows = [
        (
            criterio,
            f"{number(total)} de {number(len(read))}",
            f"{first[criterio][0].projeto_id}: {_cut(first[criterio][1].passagens[0].trecho)}",
        )
        for criterio, total in sorted(spoken.items())
    ]
    table(("Critério", "Projetos que falam dele", "Por exemplo"), rows, whole="Critério")


def _notas_row(projeto: ProjetoTriado) -> tuple[str, ...]:
    told = " · ".join(f"{nota.criterio} {mask_cpfs(nota_said(nota))}" for nota in projeto.notas)
    quoted = next((nota for nota in projeto.notas if nota.evidencias), None)
    return (projeto.projeto_id, told, f"{quoted.criterio}: {_quoted(quoted.evidencias[0])}" if quoted else "")


def _quoted(evidencia: Evidencia) -> str:
    page = f"página {evidencia.pagina}" if evidencia.pagina else ""
    campo = CAMPOS.get(evidencia.campo, evidencia.campo) if evidencia.campo else ""
    where = ", ".join(part for part in (evidencia.arquivo or "", campo, page) if part)
    return f"“{_cut(mask_cpfs(evidencia.trecho))}” ({mask_cpfs(where)})" if where else f"“{_cut(mask_cpfs(evidencia.trecho))}”"


def _show_irregularidades(resultado: Resultado) -> None:
    if not resultado.irregularidades:
        return
    say(f"\nIrregularidades: {count(len(resultado.irregularidades), 'sinal', 'sinais')}. {SINAL}")
    rows = [
        (SINAL_DE[sign.tipo].palavra, " e ".join(sign.projetos), _measure(sign), _cut(mask_cpfs(sign.achado)))
        for sign in resultado.irregularidades
    ]
    table(("Sinal", "Projetos", "Medida", "Achado"), rows)


def _measure(sign: Irregularidade) -> str:
    if sign.valor is None:
        return ""
    return percent(sign.valor) if SINAL_DE[sign.tipo].parte else number(round(sign.valor, 2))


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _QUOTE_CHARS else plain[: _QUOTE_CHARS - 1].rstrip() + "…"
