"""What an import may hold, field by field. Source: design, Shapes.

What an edital says is written by those who publish it, and is refused where it is wrong; what a project declares was written by
somebody else, and is refused only where it cannot be kept.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Final, Literal, get_args

from pydantic import Field, Tag

from crivo.kernel.formas.tipos import INTEIRO, Forma, Texto, marcado
from crivo.triagem.edital import Fase, Formato, Momento, Operador, OrcamentoDetalhado, TipoDocumento
from crivo.triagem.importacao.campos_resultado import AVALIACOES_MAXIMO, FormaAvaliacaoDada, FormaClassificacao, FormaHabilitacaoDada
from crivo.triagem.importacao.tipos import (
    EMAIL,
    EXATO,
    ID_CARACTERES,
    ID_COMECO,
    PROJETOS_MAXIMO,
    SEM_ESPACO,
    SEM_REPETIR,
    UMA_LINHA,
    Caminho,
    Codigo,
    Declarado,
    Descricao,
    Dia,
    Envio,
    FormaCondicao,
    Frase,
    Id,
    Longo,
    Nome,
    NomeExigido,
    Nota,
    Palavras,
    Valor,
)
from crivo.triagem.importacao.valores import VALOR_BY_OPERADOR, visible

ESQUEMA_CITADO: Final = "$schema"


class FormaInscricoes(Forma, title="período de inscrições"):
    """The days in which projects were taken in."""

    inicio: Dia = Field(title="Início", description="Primeiro dia de inscrição.")
    fim: Dia = Field(title="Fim", description="Último dia de inscrição.")


class FormaFase(Forma, title="fase"):
    """What happens when."""

    fase: Momento = Field(title="Fase", description="O que acontece nestes dias.")
    inicio: Dia = Field(title="Início", description="Primeiro dia.")
    fim: Dia | None = Field(None, title="Fim", description="Último dia, incluído; sem ele, a fase é de um dia só.")


class FormaDocumentoProprio(Forma, title="tipo de documento"):
    """A type of document that only this edital has."""

    id: Id = Field(title="Identificador", description="Como os requisitos o citam em `documento`, como AUTODECLARACAO_ETNICA.")
    nome: NomeExigido = Field(title="Nome", description="Como as pessoas o chamam.")
    palavras: Palavras | None = Field(
        None,
        title="Palavras que o mostram",
        description="Basta uma no texto; as partes separadas por ` + ` devem estar todas. Sem nenhuma, o tipo não se confere.",
    )
    palavras_de_outro: Palavras | None = Field(
        None, title="Palavras de outro documento", description="Uma delas no começo do texto mostra que é outro documento."
    )


class FormaEdital(Forma, title="edital"):
    """The call."""

    id: Id = Field(title="Identificador", description="Único entre os editais da instituição, como ED-2026-04.")
    nome: NomeExigido = Field(title="Nome", description="Nome do edital.")
    objetivo: Descricao | None = Field(None, title="Objetivo", description="O que o edital pretende, em poucas frases.")
    texto: Longo | None = Field(None, title="Texto", description="O texto do edital, ou a parte dele que interessa à avaliação.")
    orgao: Nome | None = Field(None, title="Órgão", description="Quem publica o edital.")
    inscricoes: FormaInscricoes | None = Field(
        None, title="Inscrições", description="Dias em que os projetos foram recebidos, ambos incluídos."
    )
    ordem_fases: Annotated[list[Fase], Field(min_length=1, max_length=2), SEM_REPETIR] | None = Field(
        None, title="Ordem das fases", description="Qual fase vem antes."
    )
    orcamento_detalhado: OrcamentoDetalhado | None = Field(
        None,
        title="Orçamento detalhado",
        description="exigir: os orçamentos são comparados; avisar: só se avisa; nao: o edital não pede itens.",
    )
    data_referencia: Dia | None = Field(
        None, title="Data de referência", description="Dia em que os documentos são julgados; sem ela, o fim das inscrições."
    )
    nota_antes_da_dica: bool | None = Field(
        None, title="Nota antes da dica", description="Se o avaliador dá a sua nota antes de ver a sugestão."
    )
    amostras: Annotated[int, Field(ge=1, le=9), INTEIRO] | None = Field(
        None, title="Amostras", description="Quantas leituras de um modelo para cada critério."
    )
    fases: Annotated[list[FormaFase], Field(max_length=50)] | None = Field(
        None, title="Fases", description="As datas do que vem depois das inscrições."
    )
    categorias: Annotated[list[Annotated[str, Texto(300, UMA_LINHA, visible)]], Field(max_length=200), SEM_REPETIR] | None = Field(
        None, title="Categorias", description="Em quais os projetos concorrem; nenhuma, qualquer uma."
    )
    documentos_proprios: Annotated[list[FormaDocumentoProprio], Field(max_length=100)] | None = Field(
        None, title="Tipos de documento próprios", description="Tipos que só este edital tem, além dos que o crivo conhece."
    )
    classificacao: FormaClassificacao | None = Field(
        None, title="Classificação", description="Como as notas das pessoas viram lugares: cortes, bônus, desempates, vagas e cotas."
    )


class FormaValidoEm(Forma, title="validade"):
    """The document's own validity must reach a day."""

    regra: Literal["valido_em"] = Field(title="Regra", description="O documento deve estar válido na data.")
    data: Dia | None = Field(
        None, title="Data", description="Dia que a validade do documento deve alcançar; sem ela, a data de referência do edital."
    )


class FormaEmitido(Forma, title="validade"):
    """The document must be of the last days before a day."""

    regra: Literal["emitido_no_maximo_dias_antes"] = Field(title="Regra", description="O documento deve ser recente na data.")
    dias: Annotated[int, Field(ge=0, le=3_660), INTEIRO] = Field(
        title="Dias", description="Quantos dias antes da data o documento pode ter sido emitido, no máximo."
    )
    data: Dia | None = Field(
        None, title="Data", description="Dia a partir do qual se conta para trás; sem ela, a data de referência do edital."
    )


FormaValidade = Annotated[
    Annotated[FormaValidoEm, Tag("=valido_em")] | Annotated[FormaEmitido, Tag("=emitido_no_maximo_dias_antes")], marcado("regra")
]


class _Requisito(Forma):
    id: Id = Field(title="Identificador", description="Único entre os requisitos, como REQ-1.")
    clausula: Annotated[str, Texto(100, (), visible)] | None = Field(None, title="Cláusula", description="Onde o edital o diz, como 4.1.")
    descricao: Descricao | None = Field(None, title="Descrição", description="O requisito nas palavras do edital.")
    obrigatorio: bool | None = Field(None, title="Obrigatório", description="Se todos devem atendê-lo (sim, quando não se diz).")
    eliminatorio: bool | None = Field(None, title="Eliminatório", description="Se não atender inabilita; sem isso, ainda cabe diligência.")
    quando: FormaCondicao | None = Field(
        None, title="Quando", description="Só se pede aos projetos em que esta condição vale; sem ela, a todos."
    )


class FormaRequisitoDocumento(_Requisito, title="requisito de documento"):
    """A document that must come with a project."""

    tipo: Literal["documento"] = Field(title="Tipo", description="O edital exige um documento.")
    documento: Annotated[str, Texto(64, (ID_COMECO, ID_CARACTERES), visible, citavel=True, exemplo="OUTRO")] = Field(
        title="Documento",
        description=f"Que documento é: {', '.join(get_args(TipoDocumento))}, ou o código de um dos tipos próprios do edital.",
    )
    formatos: Annotated[list[Formato], Field(max_length=len(get_args(Formato))), SEM_REPETIR] | None = Field(
        None, title="Formatos", description="Formatos aceitos; nenhum, todos."
    )
    em_nome_do_proponente: bool | None = Field(
        None, title="Em nome do proponente", description="Se deve trazer o nome ou o número do proponente."
    )
    validade: FormaValidade | None = Field(None, title="Validade", description="Até quando ou desde quando o documento vale.")


class FormaRequisitoCondicao(_Requisito, title="requisito de condição", json_schema_extra={"allOf": VALOR_BY_OPERADOR}):
    """A condition on what a project declares."""

    tipo: Literal["condicao"] = Field(title="Tipo", description="O edital exige algo do que o projeto declara.")
    campo: Annotated[str, Texto(100, UMA_LINHA, visible)] = Field(
        title="Campo", description="O campo declarado pelo projeto, como municipio."
    )
    operador: Operador = Field(title="Operador", description="Como o valor declarado é comparado.")
    valor: Declarado = Field(
        None, title="Valor", description="Com o que é comparado: uma lista para `em`; número ou data para `minimo` e `maximo`."
    )


FormaRequisito = Annotated[
    Annotated[FormaRequisitoDocumento, Tag("=documento")] | Annotated[FormaRequisitoCondicao, Tag("=condicao")], marcado("tipo")
]


class FormaNivel(Forma, title="nível"):
    """An anchor of a scale."""

    nota: Nota = Field(title="Nota", description="A nota deste nível.")
    descricao: Descricao = Field(title="Descrição", description="Como é um projeto que merece esta nota.")


class FormaCriterio(Forma, title="critério"):
    """What projects are graded by."""

    id: Id = Field(title="Identificador", description="Único entre os critérios, como C1.")
    nome: NomeExigido = Field(title="Nome", description="Nome do critério.")
    descricao: Descricao | None = Field(None, title="Descrição", description="O que se avalia.")
    peso: Annotated[Decimal, Field(gt=0, le=1_000), EXATO] | None = Field(
        None, title="Peso", description="Quanto pesa na média; 1 quando não se diz."
    )
    nota_min: Nota | None = Field(None, title="Nota mínima", description="A menor nota; 0 quando não se diz.")
    nota_max: Nota | None = Field(None, title="Nota máxima", description="A maior nota; 10 quando não se diz.")
    niveis: Annotated[list[FormaNivel], Field(max_length=50)] | None = Field(
        None, title="Níveis", description="O que merece cada nota, do menor ao maior."
    )


class FormaResponsavel(Forma, title="responsável"):
    """Who answers for an organisation."""

    nome: Nome | None = Field(None, title="Nome", description="Quem responde pela organização.")
    cpf: Codigo | None = Field(None, title="CPF", description="Com ou sem pontuação.")


class FormaBanco(Forma, title="banco"):
    """Where the money would go."""

    codigo: Codigo | None = Field(None, title="Código", description="Número do banco.")
    agencia: Codigo | None = Field(None, title="Agência", description="Com ou sem dígito.")
    conta: Codigo | None = Field(None, title="Conta", description="Com ou sem dígito.")


class FormaProponente(Forma, title="proponente"):
    """Who proposes a project."""

    nome: Nome = Field(title="Nome", description="Quem propõe o projeto.")
    cpf_cnpj: Codigo | None = Field(None, title="CPF ou CNPJ", description="Com ou sem pontuação.")
    email: Nome | None = Field(None, title="E-mail", description="Endereço de contato.")
    endereco: Frase | None = Field(None, title="Endereço", description="Endereço do proponente.")
    responsavel: FormaResponsavel | None = Field(
        None, title="Responsável", description="A pessoa que responde, quando o proponente é uma organização."
    )
    banco: FormaBanco | None = Field(None, title="Banco", description="Onde o recurso seria depositado.")


class FormaOrcamentoItem(Forma, title="item de orçamento"):
    """A line of a budget."""

    descricao: Frase = Field(title="Descrição", description="O que se paga.")
    quantidade: Valor | None = Field(None, title="Quantidade", description="Quantas unidades; 1 quando não se diz.")
    valor_unitario: Valor | None = Field(None, title="Valor unitário", description="Preço de uma unidade, em reais, como 1250.90.")


class FormaCronogramaEtapa(Forma, title="etapa do cronograma"):
    """A stage of a calendar."""

    nome: Frase = Field(title="Nome", description="Nome da etapa.")
    inicio: Dia | None = Field(None, title="Início", description="Primeiro dia.")
    fim: Dia | None = Field(None, title="Fim", description="Último dia.")


class FormaDocumento(Forma, title="documento"):
    """A file that was sent."""

    arquivo: Caminho = Field(title="Arquivo", description="Caminho a partir da pasta deste JSON, com `/`, como documentos/P001/cnd.pdf.")
    requisito: Id | None = Field(None, title="Requisito", description="O requisito que ele atende; sem isso, é um anexo.")


class FormaProjeto(Forma, title="projeto"):
    """A project as it was submitted."""

    id: Id = Field(title="Identificador", description="Único entre os projetos, como P001.")
    titulo: Frase = Field(title="Título", description="Título do projeto.")
    proponente: FormaProponente = Field(title="Proponente", description="Quem propõe o projeto.")
    categoria: Nome | None = Field(None, title="Categoria", description="Categoria em que concorre.")
    enviado_em: Envio | None = Field(None, title="Enviado em", description="Dia, hora e fuso do envio, como 2026-09-10T14:00:00-03:00.")
    resumo: Longo | None = Field(None, title="Resumo", description="Resumo do projeto.")
    descricao_tecnica: Longo | None = Field(None, title="Descrição técnica", description="O texto do projeto.")
    campos: Annotated[dict[Annotated[str, Texto(100, UMA_LINHA)], Declarado], Field(max_length=500)] | None = Field(
        None, title="Campos declarados", description="O que mais o projeto declara: é sobre isto que as condições falam."
    )
    orcamento_itens: Annotated[list[FormaOrcamentoItem], Field(max_length=5_000)] | None = Field(
        None, title="Orçamento", description="Itens do orçamento."
    )
    cronograma_etapas: Annotated[list[FormaCronogramaEtapa], Field(max_length=2_000)] | None = Field(
        None, title="Cronograma", description="Etapas do projeto."
    )
    documentos: Annotated[list[FormaDocumento], Field(max_length=500)] | None = Field(
        None, title="Documentos", description="Arquivos enviados."
    )


class FormaAvaliador(Forma, title="avaliador"):
    """Who judges."""

    nome: NomeExigido = Field(title="Nome", description="Nome de quem avalia.")
    email: Annotated[str, Texto(300, (EMAIL, SEM_ESPACO), visible)] = Field(
        title="E-mail", description="E-mail de quem avalia, único entre os avaliadores."
    )
    projetos: Annotated[list[Id], Field(max_length=PROJETOS_MAXIMO), SEM_REPETIR] | None = Field(
        None, title="Projetos", description="Identificadores dos projetos que avalia."
    )
    cpf: Codigo | None = Field(None, title="CPF", description="Para reconhecer um possível conflito de interesse.")
    cnpj: Codigo | None = Field(None, title="CNPJ", description="Da organização a que pertence, pela mesma razão.")
    endereco: Frase | None = Field(None, title="Endereço", description="Pela mesma razão.")
    categorias: Annotated[list[Frase], Field(max_length=200), SEM_REPETIR] | None = Field(
        None, title="Categorias", description="As únicas em que avalia; sem elas, avalia em todas."
    )


class FormaImportacao(Forma, title="importação"):
    """All that one import holds."""

    esquema_citado: Frase | None = Field(
        None, alias=ESQUEMA_CITADO, title="Esquema", description="Endereço deste esquema, para editores de texto."
    )
    edital: FormaEdital = Field(title="Edital", description="A chamada pública.")
    requisitos: Annotated[list[FormaRequisito], Field(max_length=500)] | None = Field(
        None, title="Requisitos", description="Documentos e condições que o edital exige."
    )
    criterios: Annotated[list[FormaCriterio], Field(max_length=200)] | None = Field(
        None, title="Critérios", description="Pelo que os projetos são avaliados."
    )
    projetos: Annotated[list[FormaProjeto], Field(max_length=PROJETOS_MAXIMO)] | None = Field(
        None, title="Projetos", description="Os projetos inscritos."
    )
    avaliadores: Annotated[list[FormaAvaliador], Field(max_length=5_000)] | None = Field(
        None, title="Avaliadores", description="Quem avalia, e quais projetos."
    )
    avaliacoes: Annotated[list[FormaAvaliacaoDada], Field(max_length=AVALIACOES_MAXIMO)] | None = Field(
        None, title="Avaliações", description="As notas que pessoas já deram aos projetos."
    )
    habilitacoes: Annotated[list[FormaHabilitacaoDada], Field(max_length=PROJETOS_MAXIMO)] | None = Field(
        None, title="Habilitações", description="O que pessoas já decidiram da habilitação dos projetos."
    )
