"""What screening takes and answers over HTTP, beside its own values. Source: triagem seed, API Routes; design, Shapes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.achados import Evidencia, HabilitacaoSugerida, LeituraAssistida, NotaSugerida, Resultado, Tipo
from crivo.triagem.andamento import Execucao
from crivo.triagem.atos import Decididas, Desfeito, name_of
from crivo.triagem.classificacao.publicado import LugarPublicado, ResultadoPublicado
from crivo.triagem.comparar import Achado, LadoALado
from crivo.triagem.concordancia import Concordancia
from crivo.triagem.custeio import Estimativa
from crivo.triagem.decisao import LONGEST_REASON, MOST_AT_ONCE
from crivo.triagem.edital import Criterio, CronogramaEtapa, Edital, OrcamentoItem, Requisito
from crivo.triagem.guardados import Ato, Atribuicao, DecisaoHabilitacao
from crivo.triagem.julgamento import LONGEST_TEXT, NotaDada, ParaAvaliar
from crivo.triagem.previa import Previa
from crivo.triagem.publicacao.diferencas import Diferenca
from crivo.triagem.publicacao.guardados import Publicada
from crivo.triagem.publicacao.movimentos import Movimento
from crivo.triagem.service import EditalNaLista, Importada
from crivo.web.problems import Fault

encode = msgspec.json.Encoder(decimal_format="number").encode
_MOST_NOTAS: Final = 1_000


class PedidoTriagem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to screen; `em_lote` for half the price and within a day, where the model's provider takes lotes."""

    edital_id: Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[0-9A-Za-z][0-9A-Za-z._-]*$", examples=["ED-2026-04"])]
    tipo: Tipo = "completa"
    em_lote: bool = False


class ListaEditais(msgspec.Struct, frozen=True):
    """The editais, the one that came in last first."""

    itens: tuple[EditalNaLista, ...]


class EditalDefinido(msgspec.Struct, frozen=True):
    """What an edital asks for, as an import says it: what is left out has its default."""

    edital: Edital
    requisitos: tuple[Requisito, ...]
    criterios: tuple[Criterio, ...]


class EditalImportado(msgspec.Struct, frozen=True):
    """An import, and what deserves a look in it. Files are counted by content."""

    edital_id: str
    projetos: int
    arquivos: int
    arquivos_novos: int
    substituiu: bool
    avisos: tuple[Fault, ...]

    @classmethod
    def of(cls, importada: Importada, avisos: tuple[Fault, ...]) -> EditalImportado:
        """The import as it is answered."""
        return cls(importada.edital_id, importada.projetos, importada.arquivos, importada.arquivos_novos, importada.substituiu, avisos)


class ProjetoDado(msgspec.Struct, frozen=True):
    """A project given to whoever asks, and whether they gave every nota."""

    edital_id: str
    projeto_id: str
    titulo: str
    avaliado: bool

    @classmethod
    def of(cls, atribuicao: Atribuicao) -> ProjetoDado:
        """The project as it is answered."""
        return cls(atribuicao.edital_id, atribuicao.projeto_id, atribuicao.titulo, atribuicao.avaliado)


class ListaAvaliacoes(msgspec.Struct, frozen=True):
    """The projects given to whoever asks."""

    itens: tuple[ProjetoDado, ...]


class NotaEnviada(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A nota for a critério, with up to two places after the point, and what its person writes of it."""

    criterio: Annotated[str, msgspec.Meta(max_length=64)]
    nota: Decimal
    texto: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)] = ""


class NotasEnviadas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Notas to be kept, all or none."""

    notas: Annotated[tuple[NotaEnviada, ...], msgspec.Meta(min_length=1, max_length=_MOST_NOTAS)]

    def given(self) -> list[NotaDada]:
        """The notas as they are kept."""
        return [NotaDada(one.criterio, one.nota, one.texto) for one in self.notas]


class NotaMinha(msgspec.Struct, frozen=True):
    """A nota that whoever asks gave."""

    criterio: str
    nota: Decimal
    texto: str
    atualizada_em: datetime


class Dica(msgspec.Struct, frozen=True):
    """What the screening suggests for a critério: a nota where a model gave one, or passages of the project that speak to it."""

    criterio: str
    nota: NotaSugerida | None
    passagens: tuple[Evidencia, ...]

    @classmethod
    def of(cls, criterio: str, notas: tuple[NotaSugerida, ...], leitura: tuple[LeituraAssistida, ...]) -> Dica | None:
        """What there is for that critério, or None."""
        nota = next((one for one in notas if one.criterio == criterio), None)
        lida = next((one.passagens for one in leitura if one.criterio == criterio), ())
        return cls(criterio, nota, nota.evidencias if nota else lida) if nota or lida else None


class ProjetoParaAvaliar(msgspec.Struct, frozen=True):
    """A project before whoever judges it; who proposes it is told by name alone. Hints that are not open yet are left out."""

    edital_id: str
    edital: str
    nota_antes_da_dica: bool
    projeto_id: str
    titulo: str
    categoria: str
    proponente: str
    resumo: str
    descricao_tecnica: str
    campos: dict[str, Any]
    orcamento_itens: tuple[OrcamentoItem, ...]
    cronograma_etapas: tuple[CronogramaEtapa, ...]
    documentos: tuple[str, ...]
    criterios: tuple[Criterio, ...]
    notas: tuple[NotaMinha, ...]
    dicas: tuple[Dica, ...]

    @classmethod
    def of(cls, para: ParaAvaliar) -> ProjetoParaAvaliar:
        """The project as it is answered."""
        edital, projeto, triado = para.edital, para.projeto, para.triado
        dicas = [Dica.of(one.id, triado.notas, triado.leitura) for one in para.criterios] if triado else []
        return cls(
            edital.id,
            edital.nome,
            edital.nota_antes_da_dica,
            projeto.id,
            mask_cpfs(projeto.titulo),
            projeto.categoria,
            mask_cpfs(projeto.proponente.nome),
            mask_cpfs(projeto.resumo),
            mask_cpfs(projeto.descricao_tecnica),
            {nome: mask_cpfs(valor) if isinstance(valor, str) else valor for nome, valor in projeto.campos.items()},
            projeto.orcamento_itens,
            projeto.cronograma_etapas,
            tuple([one.arquivo for one in projeto.documentos]),
            para.criterios,
            tuple([NotaMinha(one.criterio, one.nota, one.texto, one.atualizada_em) for one in para.minhas]),
            tuple([dica for dica in dicas if dica is not None]),
        )


Codigo = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[0-9A-Za-z][0-9A-Za-z._-]*$")]
Codigos = Annotated[tuple[Codigo, ...], msgspec.Meta(min_length=1, max_length=MOST_AT_ONCE)]


class PedidoPrevia(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """On which projects to decide what."""

    codigos: Codigos
    decisao: HabilitacaoSugerida


class PedidoDecisao(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same, with the reason, and `prevista` as the preview gave it."""

    codigos: Codigos
    decisao: HabilitacaoSugerida
    prevista: str
    motivo: Annotated[str, msgspec.Meta(max_length=LONGEST_REASON)] = ""


class PedidoDesfazer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which projects of an act to undo the decision; of all where none is named."""

    projetos: Codigos | None = None


class DecisaoVista(msgspec.Struct, frozen=True):
    """A decision, by name; `desfeita_por` and `desfeita_em` of one that was undone. `ato` is what undoes it."""

    decisao: HabilitacaoSugerida
    sugestao: HabilitacaoSugerida | None
    difere: bool
    motivo: str
    decidido_por: str
    decidido_em: datetime
    ato: UUID | None
    desfeita_por: str | None
    desfeita_em: datetime | None

    @classmethod
    def of(cls, one: DecisaoHabilitacao, nomes: Mapping[UUID, str]) -> DecisaoVista:
        """The decision as it is answered."""
        undone = name_of(one.desfeita_por, nomes) if one.desfeita_por else None
        who = name_of(one.decidido_por, nomes)
        told = (one.decisao, one.sugestao, one.difere, mask_cpfs(one.motivo), who, one.decidido_em)
        return cls(*told, one.ato, undone, one.desfeita_em)


class DecisoesDoProjeto(msgspec.Struct, frozen=True):
    """What people decided of a project: what is in force, null where nothing is, and what is in force no more, the last first."""

    projeto_id: str
    decisao: DecisaoVista | None
    anteriores: tuple[DecisaoVista, ...]


class ListaDecisoes(msgspec.Struct, frozen=True):
    """What people decided of an edital by project, and the last 100 acts, the newest first."""

    edital_id: str
    projetos: tuple[DecisoesDoProjeto, ...]
    atos: tuple[Ato, ...]

    @classmethod
    def of(cls, edital_id: str, found: Decididas) -> ListaDecisoes:
        """What was decided as it is answered."""
        projetos = []
        for codigo in sorted(found.em_vigor.keys() | found.anteriores.keys()):
            stands = found.em_vigor.get(codigo)
            earlier = tuple([DecisaoVista.of(one, found.nomes) for one in found.anteriores.get(codigo, ())])
            projetos.append(DecisoesDoProjeto(codigo, DecisaoVista.of(stands, found.nomes) if stands else None, earlier))
        return cls(edital_id, tuple(projetos), found.atos)


class Achados(msgspec.Struct, frozen=True):
    """The projects of an edital that speak of what was asked, the nearest first."""

    edital_id: str
    q: str
    achados: tuple[Achado, ...]


class VersoesPublicadas(msgspec.Struct, frozen=True):
    """The published results of an edital, the newest first."""

    edital_id: str
    versoes: tuple[Publicada, ...]


class MudancaDeLugar(msgspec.Struct, frozen=True):
    """A project that changed, in what, before and after; null on the side where it is not."""

    projeto_id: str
    titulo: str
    movimentos: tuple[Movimento, ...]
    antes: LugarPublicado | None
    depois: LugarPublicado | None


class ResultadosComparados(msgspec.Struct, frozen=True):
    """Two results of an edital by their versions, `depois` null of the draft: who changed, and the parts of the rules that did."""

    edital_id: str
    antes: int
    depois: int | None
    mudancas: tuple[MudancaDeLugar, ...]
    regras: tuple[Diferenca, ...]


CONTRACTS: Final = (
    PedidoPrevia,
    Previa,
    PedidoDecisao,
    Ato,
    PedidoDesfazer,
    Desfeito,
    ListaDecisoes,
    ResultadoPublicado,
    VersoesPublicadas,
    ResultadosComparados,
    PedidoTriagem,
    Execucao,
    Estimativa,
    Resultado,
    Concordancia,
    ListaEditais,
    EditalDefinido,
    EditalImportado,
    ListaAvaliacoes,
    NotasEnviadas,
    ProjetoParaAvaliar,
    LadoALado,
    Achados,
)
