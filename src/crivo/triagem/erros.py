"""What can be wrong with what is asked of a screening."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.triagem.andamento import Execucao
from crivo.triagem.casos.guardados import Caso
from crivo.triagem.desistencia.previa import PreviaDeDesistencia
from crivo.triagem.distribuicao.lembrete import PreviaDeLembrete
from crivo.triagem.distribuicao.previa import PreviaDeDistribuicao
from crivo.triagem.distribuicao.sorteio_previa import PreviaDeSorteio
from crivo.triagem.guardados import DecisaoHabilitacao
from crivo.triagem.previa import Previa

_TOLD: Final = 5  # codes in a sentence
_LISTED: Final = 1_000


class ProjetoNotFound(CrivoError):
    """No project of that code in the edital, or none that was given to whoever asks."""

    codigo: ClassVar[str] = "projeto_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Projeto não encontrado"


class TriagemNotFound(CrivoError):
    """The edital has no such execução."""

    codigo: ClassVar[str] = "triagem_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Triagem não encontrada"


class TriagemEmAndamento(CrivoError):
    """The edital is being screened; `execucao` is the one under way."""

    codigo: ClassVar[str] = "triagem_em_andamento"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Já há uma triagem em andamento"

    def __init__(self, mensagem: str, execucao: Execucao) -> None:
        super().__init__(mensagem)
        self.execucao = execucao


class SemClassificacao(CrivoError):
    """An edital that does not say how notas become places."""

    codigo: ClassVar[str] = "sem_classificacao"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O edital não tem regras de classificação"


class ResultadoMudou(CrivoError):
    """What was seen of a result before it was to be published is no longer so; nothing was published."""

    codigo: ClassVar[str] = "resultado_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O resultado mudou desde que você o viu"


class PublicacaoImpedida(CrivoError):
    """Something that is not settled stands against publishing a result."""

    codigo: ClassVar[str] = "publicacao_impedida"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Ainda não dá para publicar"


class PublicacaoInvalida(CrivoError):
    """What was said of a publication does not hold."""

    codigo: ClassVar[str] = "publicacao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Confira a publicação"


class PublicacaoNotFound(CrivoError):
    """No result was published under this number or code."""

    codigo: ClassVar[str] = "publicacao_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Publicação não encontrada"


class DocumentoExtenso(CrivoError):
    """More rows than a document of that format takes."""

    codigo: ClassVar[str] = "documento_extenso"
    kind: ClassVar[Kind] = Kind.TOO_LARGE
    titulo: ClassVar[str] = "A lista é longa demais para este formato"


class DocumentoNaoFeito(CrivoError):
    """A document could not be made now."""

    codigo: ClassVar[str] = "documento_nao_feito"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "O documento não pôde ser feito"


class NadaARetomar(CrivoError):
    """The last execução cannot be gone on with."""

    codigo: ClassVar[str] = "nada_a_retomar"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Não há o que retomar"


class LoteIndisponivel(CrivoError):
    """The execução cannot ask in lotes: nothing of it is asked of a model, or of one whose service takes none."""

    codigo: ClassVar[str] = "lote_indisponivel"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Não dá para triar em lote"


class LoteEncerrando(CrivoError):
    """A lote of an execução that was stopped is still being called off: what it asks would be asked and paid twice."""

    codigo: ClassVar[str] = "lote_encerrando"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O lote anterior ainda está sendo encerrado"


class LimiteDeCusto(CrivoError):
    """The execução would cost more than the installation allows."""

    codigo: ClassVar[str] = "limite_de_custo"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "A triagem passaria do limite de custo"


class NotaInvalida(CrivoError):
    """A nota outside of its critério's range, or for a critério that the edital does not have."""

    codigo: ClassVar[str] = "nota_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Há o que conferir nas notas"


class DocumentoNotFound(CrivoError):
    """No such document of the project, or not for whoever asks."""

    codigo: ClassVar[str] = "documento_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Documento não encontrado"


class PaginaNotFound(CrivoError):
    """No such page of a document, or none that can be drawn."""

    codigo: ClassVar[str] = "pagina_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Esta página não pôde ser mostrada"


class AvaliacaoIncompleta(CrivoError):
    """A project that is to be sent, and has critérios without a nota."""

    codigo: ClassVar[str] = "avaliacao_incompleta"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Ainda faltam notas"


class AvaliacaoJaEnviada(CrivoError):
    """Notas that were sent, and are no longer their author's to change."""

    codigo: ClassVar[str] = "avaliacao_ja_enviada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Esta avaliação já foi enviada"


class AvaliacaoMudou(CrivoError):
    """Notas that are no longer those that were seen, by whoever gives or sends them, in the tab at hand."""

    codigo: ClassVar[str] = "avaliacao_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "As suas notas mudaram em outra aba"


class DecisaoInvalida(CrivoError):
    """A decision on habilitação that says too little."""

    codigo: ClassVar[str] = "decisao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A decisão não foi guardada"


class MotivoDeOutraDecisao(DecisaoInvalida):
    """A decision with the reason that stood there for another one, word for word."""


class CasoNotFound(CrivoError):
    """No case of that number in the edital, or none that whoever asks is told of."""

    codigo: ClassVar[str] = "caso_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Caso não encontrado"


class CasoMudou(CrivoError):
    """Somebody decided a case after whoever decides now had seen it; `caso` is how it stands, with who and when."""

    codigo: ClassVar[str] = "caso_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Outra pessoa já mexeu neste caso"

    def __init__(self, mensagem: str, caso: Caso) -> None:
        super().__init__(mensagem)
        self.caso = caso


class CasoMudouEmOutraAba(CasoMudou):
    """The same, where it was whoever decides who did so, on another page that they had open."""

    titulo: ClassVar[str] = "Você já mexeu neste caso"


class CasoInvalido(CrivoError):
    """A decision on a case, a note or an owner that will not do."""

    codigo: ClassVar[str] = "caso_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O caso não foi mudado"


class DecisaoDeOutraPessoa(CrivoError):
    """What whoever decides saw of a project is no longer what stands: `agora`, None where there is no decision any more."""

    codigo: ClassVar[str] = "decisao_de_outra_pessoa"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Outra pessoa decidiu antes"

    def __init__(self, mensagem: str, agora: DecisaoHabilitacao | None) -> None:
        super().__init__(mensagem)
        self.agora = agora


class DecisaoDeOutraAba(DecisaoDeOutraPessoa):
    """The same, where it was whoever decides who did so, on another page that they had open."""

    titulo: ClassVar[str] = "Você já mexeu neste projeto"


class PreviaMudou(CrivoError):
    """What was foreseen of a decision on many is no longer so; nothing was decided. `mudaram` are codes, as many as can be told."""

    codigo: ClassVar[str] = "previa_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Algo mudou desde a prévia"

    def __init__(self, nova: Previa, mudaram: Sequence[str], ditos: Mapping[str, str] | None = None) -> None:
        """`ditos` says, by code, what was decided of those of which a decision stands."""
        said = [f"{one} ({ditos[one]})" if ditos and one in ditos else one for one in mudaram]
        super().__init__(
            f"Ninguém foi decidido: o que a prévia mostrava já não é assim.{_changed(said)} Veja a prévia de agora e confirme de novo.",
            [Problem("Mudou desde a prévia.", codigo) for codigo in mudaram[:_LISTED]],
        )
        self.nova = nova
        self.mudaram = tuple(mudaram)


class AtoNotFound(CrivoError):
    """The edital has no such act."""

    codigo: ClassVar[str] = "ato_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Decisão não encontrada"


class NadaADesfazer(CrivoError):
    """None of an act's decisions is in force: they were undone, or others came after them."""

    codigo: ClassVar[str] = "nada_a_desfazer"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Não há o que desfazer"


class VisaoInvalida(CrivoError):
    """A view of the mesa that cannot be saved as it was asked for."""

    codigo: ClassVar[str] = "visao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A visão não foi salva"


class VisaoNotFound(CrivoError):
    """No such view among those that whoever asks saved."""

    codigo: ClassVar[str] = "visao_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Não há esta visão"


class MesmoProjeto(CrivoError):
    """A project that is to be compared with itself."""

    codigo: ClassVar[str] = "mesmo_projeto"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "É o mesmo projeto"


class SemSentido(CrivoError):
    """What can only be told by meaning, where texts are compared by letters, or were not read yet."""

    codigo: ClassVar[str] = "sem_sentido"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Não dá para procurar pelo sentido"


class EditalJaExiste(CrivoError):
    """A new edital would take the place of one with its code."""

    codigo: ClassVar[str] = "edital_ja_existe"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Já existe um edital com este código"


class EditalMudou(CrivoError):
    """An edital was changed by somebody else since it was opened."""

    codigo: ClassVar[str] = "edital_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O edital mudou enquanto você escrevia"


class EditalEmTriagem(CrivoError):
    """An edital is being screened, and stays as it is until that ends."""

    codigo: ClassVar[str] = "edital_em_triagem"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O edital está sendo triado"


class MudancaRecusada(CrivoError):
    """A change would take away what people did already; each problem with its field."""

    codigo: ClassVar[str] = "mudanca_recusada"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O edital não foi mudado"


class SementePublicada(CrivoError):
    """Another draw, where a result was published with the one there is."""

    codigo: ClassVar[str] = "semente_publicada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A semente do sorteio já foi publicada"


class MudancaSemMotivo(CrivoError):
    """Other rules for places after a result was published, and nobody says why."""

    codigo: ClassVar[str] = "mudanca_sem_motivo"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta dizer por que as regras mudam"


class ProjetosSairiam(CrivoError):
    """Projects that an edital has are not in what comes in, and nobody said that they are to be taken out."""

    codigo: ClassVar[str] = "projetos_sairiam"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Nada foi trazido: alguns projetos sairiam do edital"


class AvaliadorNotFound(CrivoError):
    """Nobody of that id or e-mail judges the edital, or is here at all."""

    codigo: ClassVar[str] = "avaliador_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Não encontramos esta pessoa"


class DistribuicaoInvalida(CrivoError):
    """Giving projects, taking them or reminding people of them, asked for in a way that will not do; each problem with its field."""

    codigo: ClassVar[str] = "distribuicao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Nada foi mudado"


class DistribuicaoNotFound(CrivoError):
    """The edital has no such act of giving projects."""

    codigo: ClassVar[str] = "distribuicao_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Distribuição não encontrada"


class ImpedimentoNotFound(CrivoError):
    """The edital has no such impediment."""

    codigo: ClassVar[str] = "impedimento_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Impedimento não encontrado"


class CalibracaoInvalida(CrivoError):
    """A round of calibration that cannot be begun, opened or undone as it was asked for; each problem with its field."""

    codigo: ClassVar[str] = "calibracao_invalida"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A calibração não mudou"


class CalibracaoMudou(CrivoError):
    """What was foreseen of a round of calibration is no longer so; nothing was done. `nova` is what would be now."""

    codigo: ClassVar[str] = "calibracao_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Algo mudou desde a prévia"

    def __init__(self, nova: object) -> None:
        super().__init__("Nada foi feito: o que a prévia mostrava já não é assim. Veja a prévia de agora e confirme de novo.")
        self.nova = nova


class ProjetoEmEspera(CrivoError):
    """A project that was given to whoever asks, and opens when everybody has sent the projects that all judge first."""

    codigo: ClassVar[str] = "projeto_em_espera"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Este projeto ainda não abriu"


class PrazoEncerrado(CrivoError):
    """Notas that would be sent after the last day on which they are taken."""

    codigo: ClassVar[str] = "prazo_encerrado"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O prazo para enviar notas acabou"


class PrazoInvalido(CrivoError):
    """A new last day for one person that will not do; each problem with its field."""

    codigo: ClassVar[str] = "prazo_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O prazo não mudou"


class DistribuicaoMudou(CrivoError):
    """What was foreseen of giving projects, or of a reminder, is no longer so; nothing was done. `mudaram` as in `PreviaMudou`."""

    codigo: ClassVar[str] = "distribuicao_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Algo mudou desde a prévia"

    def __init__(self, nova: PreviaDeDistribuicao | PreviaDeLembrete | PreviaDeSorteio, mudaram: Sequence[str]) -> None:
        super().__init__(
            f"Nada foi feito: o que a prévia mostrava já não é assim.{_changed(mudaram)} Veja a prévia de agora e confirme de novo.",
            [Problem("Mudou desde a prévia.", codigo) for codigo in mudaram[:_LISTED]],
        )
        self.nova = nova
        self.mudaram = tuple(mudaram)


class DesistenciaInvalida(CrivoError):
    """A withdrawal, or taking one back, asked for in a way that will not do; each problem with its field."""

    codigo: ClassVar[str] = "desistencia_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A desistência não foi registrada"


class DesistenciaNotFound(CrivoError):
    """The edital has no such withdrawal."""

    codigo: ClassVar[str] = "desistencia_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Desistência não encontrada"


class DesistenciaMudou(CrivoError):
    """What was foreseen of a withdrawal is no longer so, or somebody did it already; nothing was done. `nova` is the preview of now."""

    codigo: ClassVar[str] = "desistencia_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Algo mudou desde a prévia"

    def __init__(self, nova: PreviaDeDesistencia, *, ja_feita: bool) -> None:
        done = "registrou esta desistência" if nova.ato == "desfazer" else "desfez esta desistência"
        super().__init__(
            f"Outra pessoa já {done}. Veja como o projeto ficou."
            if ja_feita
            else "Nada foi feito: as notas, as decisões ou as regras mudaram, e já não sairia o que a prévia mostrava. "
            "Veja a prévia de agora e confirme de novo."
        )
        self.nova = nova


def _changed(mudaram: Sequence[str]) -> str:
    told = ", ".join(mudaram[:_TOLD]) + (f" e mais {len(mudaram) - _TOLD}" if len(mudaram) > _TOLD else "")
    return f" Mudou: {told}." if told else ""


class DiligenciaNotFound(CrivoError):
    """No diligência of that number in the edital, or of that code in the organisation."""

    codigo: ClassVar[str] = "diligencia_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Diligência não encontrada"


class DiligenciaInvalida(CrivoError):
    """A diligência asked for, prolonged or cancelled in a way that will not do; each problem with its field."""

    codigo: ClassVar[str] = "diligencia_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Nada foi enviado"


class DiligenciaEncerrada(CrivoError):
    """An answer that comes too late, or to a diligência that was cancelled."""

    codigo: ClassVar[str] = "diligencia_encerrada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Esta diligência não recebe mais respostas"


class RespostaInvalida(CrivoError):
    """An answer with nothing in it, or with a file that is not taken; each problem with its field."""

    codigo: ClassVar[str] = "resposta_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A resposta não foi recebida"
