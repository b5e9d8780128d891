"""An execução as its page shows it: how far it has come, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.achados import Status
from crivo.triagem.andamento import Execucao
from crivo.triagem.custeio import Estimativa
from crivo.triagem.palavras import STATUS, TIPO, count, lacking_said, number, price_said, shown, spent_said, waiting_said
from crivo.triagem.service import EditalNaLista
from crivo.web.pages.formatos import instante
from crivo.web.pages.triagem.palavras import FASES, time_left


@dataclass(frozen=True, slots=True)
class FaseVista:
    """A phase: `situacao` is feita, atual or falta."""

    nome: str
    situacao: str
    marca: str
    contagem: str


@dataclass(frozen=True, slots=True)
class AndamentoVista:
    """An execução in words; `feitos` of `total` steps are behind it."""

    status: Status
    rotulo: Rotulo
    titulo: str
    agora: str
    quanto: str
    feitos: int
    total: int
    fases: tuple[FaseVista, ...]
    avisos: tuple[str, ...]
    poupado: str
    quando: datetime
    pode_retomar: bool
    retomar: str

    @classmethod
    def of(cls, execucao: Execucao) -> AndamentoVista:
        """The execução as it stands."""
        done = sum(fase.feitos for fase in execucao.fases)
        now = _now(execucao)
        said = [f"{number(execucao.projetos_analisados)} de {count(execucao.total_projetos, 'projeto analisado', 'projetos analisados')}"]
        spent = spent_said(execucao.custo, execucao.chamadas_sem_preco) if execucao.custo or execucao.chamadas_sem_preco else ""
        said += [part for part in (time_left(execucao), spent[:1].lower() + spent[1:]) if part]
        return cls(
            execucao.status,
            STATUS[execucao.status],
            TIPO[execucao.tipo] if execucao.tipo == "completa" else f"Triagem: {TIPO[execucao.tipo].lower()}",
            now,
            ", ".join(said),
            done,
            max(1, sum(fase.total for fase in execucao.fases)),
            tuple([_fase(execucao, at) for at in range(len(execucao.fases))]),
            tuple(_avisos(execucao)),
            _spared(execucao),
            execucao.concluida_em or execucao.created_at,
            execucao.pode_retomar,
            _resume(execucao),
        )


@dataclass(frozen=True, slots=True)
class EditalVista:
    """An edital as a line of the list; `andamento` is how far the screening under way has come, else empty."""

    codigo: str
    nome: str
    projetos: int
    importado: datetime
    endereco: str
    mesa: str
    ultima: tuple[Rotulo, datetime] | None
    andamento: str

    @classmethod
    def of(cls, edital: EditalNaLista) -> EditalVista:
        """The line of an edital."""
        execucao = edital.execucao
        under_way = execucao is not None and execucao.status == "em_andamento"
        return cls(
            edital.edital_id,
            shown(edital.nome) or edital.edital_id,
            edital.projetos,
            edital.importado_em,
            f"/admin/editais/{edital.edital_id}/triagem-ia",
            f"/admin/editais/{edital.edital_id}/mesa",
            last_run(execucao),
            f"{execucao.projetos_analisados} de {execucao.total_projetos} projetos" if execucao and under_way else "",
        )


def estimate(estimativa: Estimativa) -> str:
    """What a screening would take, in a sentence or two."""
    if 0 < estimativa.projetos == estimativa.projetos_inalterados:
        return "Nada mudou desde a última triagem: não há o que ler nem o que perguntar de novo, e triar outra vez não custa nada."
    said = [f"{count(estimativa.projetos, 'projeto', 'projetos')}"]
    if estimativa.projetos_inalterados:
        said.append(f"{count(estimativa.projetos_inalterados, 'não mudou e não será refeito', 'não mudaram e não serão refeitos')}")
    if estimativa.documentos:
        said.append(f"{count(estimativa.documentos_por_ler, 'documento por ler', 'documentos por ler')} de {number(estimativa.documentos)}")
    custo = price_said(estimativa.modelo, estimativa.simulado, estimativa.chamadas, estimativa.custo)
    unread = " Os documentos por ler ainda não entram nesta conta." if estimativa.chamadas and estimativa.documentos_por_ler else ""
    return f"{'; '.join(said)}. {custo}{unread}"


def last_run(execucao: Execucao | None) -> tuple[Rotulo, datetime] | None:
    """The badge and the moment of an execução, for a list."""
    return None if execucao is None else (STATUS[execucao.status], execucao.concluida_em or execucao.created_at)


def _now(execucao: Execucao) -> str:
    lote = execucao.lote
    if execucao.status == "em_andamento" and lote is not None and lote.abertos:
        sent, until = (instante(lote.enviado_em), instante(lote.ate)) if lote.enviado_em and lote.ate else ("", "")
        return waiting_said(lote.perguntas, lote.respondidas, sent, until)
    return "" if execucao.fase is None else f"Agora: {FASES[execucao.fase].lower()}"


def _fase(execucao: Execucao, at: int) -> FaseVista:
    fase = execucao.fases[at]
    if fase.feitos >= fase.total:
        situacao, marca = "feita", "✓"
    else:
        situacao, marca = ("atual", "◐") if fase.fase == execucao.fase else ("falta", "○")
    return FaseVista(FASES[fase.fase], situacao, marca, f"{number(fase.feitos)} de {number(fase.total)}")


def _avisos(execucao: Execucao) -> list[str]:
    avisos = [execucao.erro_mensagem] if execucao.erro_mensagem else []
    if execucao.projetos_com_erro:
        failed = count(execucao.projetos_com_erro, "projeto não pôde ser analisado", "projetos não puderam ser analisados")
        avisos.append(f"{failed}. Os outros não foram afetados.")
    if lacking := lacking_said(execucao.notas_sem_resposta, execucao.habilitacoes_incompletas):
        when = "Quando ela terminar, dá para perguntar" if execucao.status == "em_andamento" else "Dá para perguntar"
        avisos.append(f"{lacking}. {when} só isso de novo: o que já veio não é pago outra vez.")
    return avisos


def _resume(execucao: Execucao) -> str:
    """What going on with it does, on its button."""
    if execucao.status != "concluida":
        return "Retomar de onde parou"
    return f"Perguntar de novo ao modelo o que ficou sem resposta ({number(execucao.sem_resposta)})"


def _spared(execucao: Execucao) -> str:
    if not execucao.reaproveitados:
        return ""
    unchanged = count(execucao.reaproveitados, "projeto não mudou", "projetos não mudaram")
    return f"{unchanged} desde a triagem anterior; o resultado veio dela."
