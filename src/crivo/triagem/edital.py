"""What a public call asks for and what came in: the values of an import, by the names of its file. Source: design, Shapes.

Sums are `Decimal` reais, weights and notas `Decimal` too; dates are calendar dates, moments carry their offset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar, Literal

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.condicao import Condicao as Condicao
from crivo.triagem.condicao import Operador as Operador
from crivo.triagem.condicao import Value as Value

TipoDocumento = Literal[
    "CERTIDAO_MUNICIPAL",
    "CERTIDAO_FEDERAL",
    "CARTAO_CNPJ",
    "DOCUMENTO_IDENTIDADE",
    "COMPROVANTE_RESIDENCIA",
    "CARTA_ANUENCIA",
    "PORTFOLIO",
    "CURRICULO",
    "ESTATUTO",
    "DECLARACAO",
    "PLANILHA_ORCAMENTARIA",
    "OUTRO",
]
Formato = Literal["pdf", "docx", "jpg", "png", "tiff", "txt", "xlsx", "csv", "odt"]
Fase = Literal["habilitacao", "avaliacao"]
Momento = Literal["habilitacao", "diligencia", "avaliacao", "resultado_preliminar", "recursos", "resultado_final"]
OrcamentoDetalhado = Literal["exigir", "avisar", "nao"]
HabilitacaoSugerida = Literal["habilitado", "inabilitado", "pendencia"]


class Inscricoes(Value, frozen=True):
    """The days in which projects were taken in, both included."""

    inicio: date
    fim: date


class FaseDatada(Value, frozen=True):
    """What happens from a day to another, both included; without `fim`, on that day alone."""

    fase: Momento
    inicio: date
    fim: date | None = None


class DocumentoProprio(Value, frozen=True):
    """A type of document that only this edital has, beside the catalogue.

    Its text holds any of `palavras` (where one has ` + `, all of its parts); what says any of `palavras_de_outro` at its head is another
    document. Without `palavras` no code can tell it, as with `OUTRO`.
    """

    id: str
    nome: str
    palavras: tuple[str, ...] = ()
    palavras_de_outro: tuple[str, ...] = ()


class Edital(Value, frozen=True):
    """A public call. `data_referencia` is the day on which documents are judged; without it, the last day of `inscricoes`.

    `nota_antes_da_dica`: an evaluator gives their own nota before the hint opens. `amostras`: readings of a model for each critério.
    `categorias` are those in which projects may compete; none said, any. `classificacao` is how notas become places.
    """

    id: str
    nome: str
    objetivo: str = ""
    texto: str = ""
    orgao: str = ""
    inscricoes: Inscricoes | None = None
    ordem_fases: tuple[Fase, ...] = ("habilitacao", "avaliacao")
    orcamento_detalhado: OrcamentoDetalhado = "exigir"
    data_referencia: date | None = None
    nota_antes_da_dica: bool = True
    amostras: int = 1
    fases: tuple[FaseDatada, ...] = ()
    categorias: tuple[str, ...] = ()
    documentos_proprios: tuple[DocumentoProprio, ...] = ()
    classificacao: Classificacao | None = None

    @property
    def referencia(self) -> date | None:
        """The day on which documents are judged, where the edital has one."""
        return self.data_referencia or (self.inscricoes.fim if self.inscricoes else None)


class ValidoEm(Value, frozen=True, tag_field="regra", tag="valido_em"):
    """The document's own validity must cover `data` (the edital's day of reference where it is left out)."""

    data: date | None = None


class EmitidoNoMaximoDiasAntes(Value, frozen=True, tag_field="regra", tag="emitido_no_maximo_dias_antes"):
    """The document must have been issued at most `dias` days before `data`, inclusive."""

    dias: int
    data: date | None = None


Validade = ValidoEm | EmitidoNoMaximoDiasAntes


class RequisitoDocumento(Value, frozen=True, tag_field="tipo", tag="documento"):
    """A document that must come with a project. Not `eliminatorio`: its lack can still be mended in diligência.

    `documento` is of the catalogue, or one of the edital's own. `quando` does not hold: it is not asked of that project.
    """

    id: str
    documento: str
    clausula: str = ""
    descricao: str = ""
    formatos: tuple[Formato, ...] = ()
    obrigatorio: bool = True
    em_nome_do_proponente: bool = False
    validade: Validade | None = None
    eliminatorio: bool = False
    quando: Condicao | None = None


class RequisitoCondicao(Value, frozen=True, tag_field="tipo", tag="condicao"):
    """A condition on a field that the project declares, of those of which `quando` holds."""

    id: str
    campo: str
    operador: Operador
    valor: Any = None
    clausula: str = ""
    descricao: str = ""
    obrigatorio: bool = True
    eliminatorio: bool = False
    quando: Condicao | None = None

    @property
    def condicao(self) -> Condicao:
        """What must hold."""
        return Condicao(self.campo, self.operador, self.valor)


Requisito = RequisitoDocumento | RequisitoCondicao


class Nivel(Value, frozen=True):
    """An anchor of a rubric: what a project that deserves this nota looks like."""

    nota: Decimal
    descricao: str


class Criterio(Value, frozen=True):
    """What projects are graded by."""

    id: str
    nome: str
    descricao: str = ""
    peso: Decimal = Decimal(1)
    nota_min: Decimal = Decimal(0)
    nota_max: Decimal = Decimal(10)
    niveis: tuple[Nivel, ...] = ()


class Responsavel(Value, frozen=True):
    """The person who answers for an organisation."""

    nome: str = ""
    cpf: str = ""


class Banco(Value, frozen=True):
    """Where the money would be sent."""

    codigo: str = ""
    agencia: str = ""
    conta: str = ""


class Proponente(Value, frozen=True):
    """Who proposes a project."""

    nome: str
    cpf_cnpj: str = ""
    email: str = ""
    endereco: str = ""
    responsavel: Responsavel | None = None
    banco: Banco | None = None


class OrcamentoItem(Value, frozen=True):
    """A line of a budget; `valor_unitario` in reais."""

    descricao: str
    quantidade: Decimal = Decimal(1)
    valor_unitario: Decimal = Decimal(0)

    @property
    def total(self) -> Decimal:
        """Quantity times unit price, in reais."""
        return self.quantidade * self.valor_unitario


class CronogramaEtapa(Value, frozen=True):
    """A stage of a project's calendar."""

    nome: str
    inicio: date | None = None
    fim: date | None = None


class ProjetoDocumento(Value, frozen=True):
    """A file sent for a requisito; `arquivo` is relative to the import, with `/`. Without a requisito it is an annex."""

    arquivo: str
    requisito: str | None = None


class Projeto(Value, frozen=True):
    """A project as it was submitted; `campos` are what it declares, for the conditions of the edital."""

    id: str
    titulo: str
    proponente: Proponente
    categoria: str = ""
    enviado_em: datetime | None = None
    resumo: str = ""
    descricao_tecnica: str = ""
    campos: Mapping[str, Any] = {}
    orcamento_itens: tuple[OrcamentoItem, ...] = ()
    cronograma_etapas: tuple[CronogramaEtapa, ...] = ()
    documentos: tuple[ProjetoDocumento, ...] = ()

    @property
    def texto(self) -> str:
        """What the project says of itself: title left out, as projects of one kind share it honestly."""
        return "\n\n".join(part for part in (self.resumo, self.descricao_tecnica) if part)


class Avaliador(Value, frozen=True):
    """A person who judges, the projects given to them, and the categorias that they keep to where there are any."""

    nome: str
    email: str
    projetos: tuple[str, ...] = ()
    cpf: str = ""
    cnpj: str = ""
    endereco: str = ""
    categorias: tuple[str, ...] = ()


class AvaliacaoDada(Value, frozen=True):
    """What a person gave a project before it came in here: notas by critério, and a parecer; `avaliador` is their e-mail, or their name."""

    projeto: str
    avaliador: str
    notas: Mapping[str, Decimal] = {}
    parecer: str = ""


class HabilitacaoDada(Value, frozen=True):
    """What people decided of a project's habilitação before it came in here, and why."""

    projeto: str
    situacao: HabilitacaoSugerida
    motivo: str = ""


class Chamada(Value, frozen=True):
    """An edital with all that belongs to it: what one import holds."""

    edital: Edital
    requisitos: tuple[Requisito, ...] = ()
    criterios: tuple[Criterio, ...] = ()
    projetos: Sequence[Projeto] = ()
    avaliadores: tuple[Avaliador, ...] = ()
    avaliacoes: tuple[AvaliacaoDada, ...] = ()
    habilitacoes: tuple[HabilitacaoDada, ...] = ()


class EditalNotFound(CrivoError):
    """No edital of that code in this tenant."""

    codigo: ClassVar[str] = "edital_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Edital não encontrado"
