"""What an import may hold of how notas become places, and of what people already gave and decided. Source: design, After the notas."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Final, Literal, get_args

from pydantic import Field, Tag

from crivo.kernel.formas.tipos import INTEIRO, Exato, Forma, Texto, marcado
from crivo.triagem.classificacao.definicao import NotaFinal, Remanejamento
from crivo.triagem.edital import HabilitacaoSugerida
from crivo.triagem.importacao.tipos import (
    EXATO,
    NOTA_MAXIMA,
    PROJETOS_MAXIMO,
    SEM_REPETIR,
    UMA_LINHA,
    FormaCondicao,
    Frase,
    Id,
    Nota,
    Valor,
)
from crivo.triagem.importacao.valores import visible

CASAS_MAXIMO: Final = 6
AVALIACOES_MAXIMO: Final = 5 * PROJETOS_MAXIMO
_PONTOS: Final = 1_000

Pontos = Annotated[Decimal, Field(ge=0, le=_PONTOS), Exato(casas=CASAS_MAXIMO)]
NotaDada = Annotated[Decimal, Field(ge=0, le=NOTA_MAXIMA), Exato(casas=2)]
Clausula = Annotated[str, Texto(100, (), visible)]
Quantas = Annotated[int, Field(ge=0, le=PROJETOS_MAXIMO), INTEIRO]


class FormaCorte(Forma, title="corte"):
    """Below what a project is out."""

    nota_final_minima: Pontos | None = Field(
        None, title="Nota mínima", description="A menor nota base, antes do bônus, na escala do edital."
    )
    por_criterio: Annotated[dict[Id, Nota], Field(max_length=200)] | None = Field(
        None, title="Mínimas por critério", description='A menor média de cada critério, pelo identificador dele, como {"C1": 5}.'
    )
    zero_elimina: Annotated[list[Id], Field(max_length=200), SEM_REPETIR] | None = Field(
        None, title="Zero elimina", description="Identificadores dos critérios em que média zero desclassifica."
    )


class FormaBonus(Forma, title="bônus"):
    """Points more for some."""

    id: Id = Field(title="Identificador", description="Único entre os bônus, como BON-1.")
    clausula: Clausula | None = Field(None, title="Cláusula", description="Onde o edital o diz, como 7.3.")
    quando: FormaCondicao = Field(title="Quando", description="De quem é: a condição sobre o que o projeto declara.")
    pontos: Pontos = Field(title="Pontos", description="Quantos pontos soma, na escala do edital.")


class FormaPorCriterio(Forma, title="desempate por critério"):
    """The higher mean first."""

    por: Literal["criterio"] = Field(title="Por", description="A maior média em um critério vem antes.")
    criterio: Id = Field(title="Critério", description="Identificador do critério.")


class FormaPorCampo(Forma, title="desempate por campo"):
    """A declared value decides."""

    por: Literal["campo"] = Field(title="Por", description="Um campo declarado decide; quem não o declara vem depois.")
    campo: Annotated[str, Texto(100, UMA_LINHA, visible)] = Field(title="Campo", description="O campo declarado pelo projeto, como idade.")
    maior: bool | None = Field(None, title="Maior antes", description="Se o maior valor vem antes (sim, quando não se diz), ou o menor.")


class FormaPorInscricao(Forma, title="desempate por inscrição"):
    """Who came earlier first."""

    por: Literal["inscricao"] = Field(title="Por", description="Quem enviou antes vem antes.")


class FormaPorSorteio(Forma, title="desempate por sorteio"):
    """A draw."""

    por: Literal["sorteio"] = Field(title="Por", description="O sorteio pela semente, que qualquer pessoa repete.")


FormaDesempate = Annotated[
    Annotated[FormaPorCriterio, Tag("=criterio")]
    | Annotated[FormaPorCampo, Tag("=campo")]
    | Annotated[FormaPorInscricao, Tag("=inscricao")]
    | Annotated[FormaPorSorteio, Tag("=sorteio")],
    marcado("por"),
]


class FormaCota(Forma, title="cota"):
    """Places kept for some."""

    id: Id = Field(title="Identificador", description="Único entre as cotas da categoria, como NEGRAS.")
    clausula: Clausula | None = Field(None, title="Cláusula", description="Onde o edital a diz, como 5.1.")
    quando: FormaCondicao = Field(title="Quando", description="Quem concorre a ela: a condição sobre o que o projeto declara.")
    vagas: Quantas = Field(title="Vagas", description="Quantas das vagas da categoria ela reserva.")


class FormaVagas(Forma, title="vagas"):
    """The places of a category."""

    categoria: Annotated[str, Texto(300, UMA_LINHA, visible)] = Field(
        title="Categoria", description="De qual categoria são; `*` para todas as que não têm as suas."
    )
    total: Annotated[int, Field(ge=1, le=PROJETOS_MAXIMO), INTEIRO] = Field(title="Total", description="Quantas são, com as das cotas.")
    valor: Valor | None = Field(None, title="Valor", description="Quanto recebe cada projeto selecionado, em reais.")
    cotas: Annotated[list[FormaCota], Field(max_length=50)] | None = Field(
        None, title="Cotas", description="As cotas da categoria, na ordem em que tomam as vagas."
    )


class FormaClassificacao(Forma, title="classificação"):
    """How notas become places."""

    nota_final: NotaFinal | None = Field(None, title="Nota final", description="Como as médias dos critérios viram uma nota.")
    minimo_avaliadores: Annotated[int, Field(ge=1, le=50), INTEIRO] | None = Field(
        None, title="Mínimo de avaliadores", description="Quantas avaliações completas um projeto precisa ter; 1 quando não se diz."
    )
    divergencia_maxima: Annotated[Decimal, Field(ge=0, le=100), EXATO] | None = Field(
        None,
        title="Divergência máxima",
        description="Em porcentagem da escala do critério: duas notas mais distantes que isso pedem um terceiro avaliador.",
    )
    escala: Annotated[Decimal, Field(gt=0, le=_PONTOS), EXATO] | None = Field(
        None, title="Escala", description="A maior nota base; 100 quando não se diz."
    )
    casas: Annotated[int, Field(ge=0, le=CASAS_MAXIMO), INTEIRO] | None = Field(
        None, title="Casas", description="Casas depois da vírgula na nota base, com o meio arredondado para cima; 2 quando não se diz."
    )
    corte: FormaCorte | None = Field(None, title="Corte", description="Abaixo do que um projeto é desclassificado.")
    bonus: Annotated[list[FormaBonus], Field(max_length=50)] | None = Field(None, title="Bônus", description="Pontos a mais para alguns.")
    bonus_maximo: Pontos | None = Field(None, title="Teto do bônus", description="O máximo que os bônus somam; sem ele, não há teto.")
    desempate: Annotated[list[FormaDesempate], Field(max_length=50)] | None = Field(
        None, title="Desempate", description="O que decide entre notas finais iguais, na ordem; por último, sempre o sorteio."
    )
    vagas: Annotated[list[FormaVagas], Field(max_length=200)] | None = Field(
        None, title="Vagas", description="As vagas de cada categoria, na ordem em que recebem as que sobram."
    )
    remanejamento: Annotated[list[Remanejamento], Field(max_length=len(get_args(Remanejamento))), SEM_REPETIR] | None = Field(
        None, title="Remanejamento", description="Entre quem passam as vagas que sobram: cotas da mesma categoria, categorias."
    )
    suplentes: Quantas | None = Field(None, title="Suplentes", description="Quantos por categoria; nenhum quando não se diz.")
    semente: Annotated[str, Texto(200, UMA_LINHA, visible)] | None = Field(
        None, title="Semente do sorteio", description="O que se publica para que o sorteio se repita; sem ela, o identificador do edital."
    )


class FormaAvaliacaoDada(Forma, title="avaliação"):
    """What a person gave a project."""

    projeto: Id = Field(title="Projeto", description="Identificador do projeto avaliado.")
    avaliador: Annotated[str, Texto(300, UMA_LINHA, visible)] = Field(
        title="Avaliador", description="O e-mail de quem avaliou, ou o nome de um dos avaliadores desta importação."
    )
    notas: Annotated[dict[Id, NotaDada], Field(max_length=200)] = Field(
        title="Notas", description='A nota de cada critério, pelo identificador dele, com até duas casas, como {"C1": 8.5}.'
    )
    parecer: Annotated[str, Texto(20_000, (), visible)] | None = Field(None, title="Parecer", description="O que a pessoa escreveu.")


class FormaHabilitacaoDada(Forma, title="habilitação"):
    """What people decided of a project."""

    projeto: Id = Field(title="Projeto", description="Identificador do projeto.")
    situacao: HabilitacaoSugerida = Field(title="Situação", description="O que se decidiu.")
    motivo: Frase | None = Field(None, title="Motivo", description="Por que se decidiu assim.")
