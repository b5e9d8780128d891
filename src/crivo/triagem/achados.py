"""What screening finds, each with its evidence and its author. Shapes and values are those of the export.

Source: design, Shapes; triagem seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Literal

from crivo.triagem.edital import HabilitacaoSugerida as HabilitacaoSugerida
from crivo.triagem.edital import Value

Tipo = Literal["habilitacao", "avaliacao", "irregularidades", "completa"]
Status = Literal["em_andamento", "concluida", "erro", "cancelada"]
Autor = Literal["codigo", "modelo", "pessoa"]
Situacao = Literal["atende", "nao_atende", "nao_lido"]
SituacaoNota = Literal["sugerida", "sem_evidencia", "abstencao", "falhou"]
Motivo = Literal[
    "documento_ausente",
    "documento_vencido",
    "documento_tipo_errado",
    "documento_vazio",
    "documento_corrompido",
    "documento_protegido",
    "documento_repetido",
    "documento_de_terceiro",
    "formato_nao_aceito",
    "condicao_nao_atendida",
]
SEM_LEITURA: Final[tuple[Motivo, ...]] = (
    "documento_ausente",
    "documento_vazio",
    "documento_corrompido",
    "documento_protegido",
    "formato_nao_aceito",
)
"""Why an item was not read, though it is known not to be met: nothing of its file was."""
TipoIrregularidade = str  # a code of `irregularidades.sinais`, the one place that names them all


class Evidencia(Value, frozen=True, kw_only=True):
    """Where a finding can be seen. `pagina` counts from 1; `trecho` is verbatim; `campo` names a part of a project that is no file.

    Passages to be read side by side share `par`, a number within the finding; `semelhanca` is theirs, 0 to 1.
    """

    arquivo: str | None = None
    pagina: int | None = None
    trecho: str = ""
    projeto: str | None = None
    campo: str | None = None
    par: int | None = None
    semelhanca: float | None = None


class ItemHabilitacao(Value, frozen=True, kw_only=True):
    """What was found of one requisito. `achado` says it in pt-BR; `motivo` is None where it is met or could not be read.

    Not `pedido`: its `quando` does not hold of this project, and `atende` says no more than that nothing is lacking.
    """

    requisito: str
    situacao: Situacao
    motivo: Motivo | None
    eliminatorio: bool
    evidencia: Evidencia | None
    clausula: str = ""
    descricao: str = ""
    achado: str = ""
    autor: Autor = "codigo"
    pedido: bool = True


class Habilitacao(Value, frozen=True):
    """The suggestion for one project; people decide."""

    projeto_id: str
    habilitacao_sugerida: HabilitacaoSugerida
    habilitacao_motivo: str
    docs_completos: bool
    itens: tuple[ItemHabilitacao, ...]


class NotaSugerida(Value, frozen=True):
    """A nota suggested by a model, the median of its `amostras`: `confianca` is computed, 0 to 1. With no model there are none.

    `nota_sugerida` is None where the suggestion abstained or failed, and `observacao` says why in pt-BR. `modelo` is who wrote it,
    and `simulado` whether code played its part. `provisoria`: some of what it rests on was not answered, and may be asked again.
    """

    criterio: str
    nota_sugerida: Decimal | None
    justificativa: str
    confianca: Decimal
    evidencias: tuple[Evidencia, ...]
    situacao: SituacaoNota = "sugerida"
    modelo: str = ""
    simulado: bool = False
    amostras: tuple[Decimal, ...] = ()
    observacao: str = ""
    provisoria: bool = False

    @property
    def sem_resposta(self) -> bool:
        """Whether the model is to be asked again for it."""
        return self.situacao == "falhou" or self.provisoria


class LeituraAssistida(Value, frozen=True):
    """With no model: the passages of a project that speak to a critério, the most telling first."""

    criterio: str
    passagens: tuple[Evidencia, ...]


class Irregularidade(Value, frozen=True, kw_only=True):
    """A sign to look into, never a verdict. `valor` is the measure of its kind (a cosine, a share, a ratio), or None.

    `percentil`, 0 to 100, is where `valor` stands among those of the edital.
    """

    tipo: TipoIrregularidade
    projetos: tuple[str, ...]
    arquivo: str | None = None
    campo: str | None = None
    valor: float | None = None
    percentil: float | None = None
    evidencia: tuple[Evidencia, ...] = ()
    achado: str = ""
    autor: Autor = "codigo"


class ProjetoTriado(Value, frozen=True):
    """All that an execução says of one project, as exported; `erro` where it could not be screened."""

    projeto_id: str
    habilitacao_sugerida: HabilitacaoSugerida | None
    habilitacao_motivo: str
    docs_completos: bool | None
    itens: tuple[ItemHabilitacao, ...]
    notas: tuple[NotaSugerida, ...]
    leitura: tuple[LeituraAssistida, ...] = ()
    similaridade_max: float | None = None
    projeto_similar: str | None = None
    erro: str | None = None


class Resultado(Value, frozen=True):
    """What an execução found, as exported in JSON."""

    edital_id: str
    execucao_id: str
    projetos: tuple[ProjetoTriado, ...]
    irregularidades: tuple[Irregularidade, ...]


class Achadas(Value, frozen=True):
    """The signs of an edital in the order in which they are shown, and for each project with text its nearest other and their cosine.

    `observacao` says in pt-BR why the same may be found otherwise the next time; it is then looked for again.
    """

    irregularidades: tuple[Irregularidade, ...]
    mais_parecido: Mapping[str, tuple[str, float]]
    observacao: str = ""
