"""What can be wrong with what is asked of a screening."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.andamento import Execucao


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


class NadaARetomar(CrivoError):
    """The last execução cannot be gone on with."""

    codigo: ClassVar[str] = "nada_a_retomar"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Não há o que retomar"


class LimiteDeCusto(CrivoError):
    """The execução would cost more than the installation allows."""

    codigo: ClassVar[str] = "limite_de_custo"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "A triagem passaria do limite de custo"


class NotaInvalida(CrivoError):
    """A nota outside of its critério's range, or for a critério that the edital does not have."""

    codigo: ClassVar[str] = "nota_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Nota inválida"


class DocumentoNotFound(CrivoError):
    """No such document of the project, or not for whoever asks."""

    codigo: ClassVar[str] = "documento_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Documento não encontrado"


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


class DecisaoInvalida(CrivoError):
    """A decision on habilitação that says too little."""

    codigo: ClassVar[str] = "decisao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A decisão não foi guardada"


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


class ProjetosSairiam(CrivoError):
    """Projects that an edital has are not in what comes in, and nobody said that they are to be taken out."""

    codigo: ClassVar[str] = "projetos_sairiam"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Nada foi trazido: alguns projetos sairiam do edital"
