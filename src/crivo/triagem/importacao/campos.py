"""What an import may hold, field by field. Source: design, Shapes.

What an edital says is written by those who publish it, and is refused where it is wrong; what a project declares was written by
somebody else, and is refused only where it cannot be kept.
"""

from __future__ import annotations

from typing import Final, get_args

from crivo.triagem.edital import Fase, Formato, Operador, OrcamentoDetalhado, TipoDocumento
from crivo.triagem.importacao.tipos import (
    NAO_VAZIO,
    SEM_CONTROLE,
    SEM_ESPACO,
    Campo,
    Data,
    Escolha,
    ListaDe,
    Livre,
    Logico,
    MapaDe,
    Momento,
    Numero,
    Objeto,
    Padrao,
    Texto,
    Variante,
)

TEXTO_MAXIMO: Final = 1_000_000
PROJETOS_MAXIMO: Final = 50_000
VALOR_MAXIMO: Final = 1_000_000_000
NOTA_MAXIMA: Final = 999

_ID_CARACTERES: Final = Padrao(
    r"[^0-9A-Za-z._-]", "identificador_invalido", "só pode ter letras sem acento, algarismos, ponto, hífen e sublinhado", recusa=True
)
_ID_COMECO: Final = Padrao(r"^[0-9A-Za-z]", "identificador_invalido", "deve começar por letra ou algarismo")
_EMAIL: Final = Padrao(r"^[^@]+@[^@]+$", "email_invalido", "deve ser um e-mail, como ana@exemplo.org")

_ID: Final = Texto(64, (_ID_COMECO, _ID_CARACTERES), citavel=True, exemplo="P001")
_NOME: Final = Texto(300)
_NOME_EXIGIDO: Final = Texto(300, (NAO_VAZIO,))
_FRASE: Final = Texto(2_000)
_DESCRICAO: Final = Texto(20_000)
_LONGO: Final = Texto(TEXTO_MAXIMO)
_CODIGO: Final = Texto(40)
_ARQUIVO: Final = Texto(300, (SEM_CONTROLE,))
_NOTA: Final = Numero(0, NOTA_MAXIMA, fracao=True)


def _options(literal: object) -> Escolha:
    return Escolha(tuple(str(option) for option in get_args(literal)))


INSCRICOES: Final = Objeto(
    "período de inscrições",
    (
        Campo("inicio", "Início", "Primeiro dia de inscrição.", Data(), obrigatorio=True),
        Campo("fim", "Fim", "Último dia de inscrição.", Data(), obrigatorio=True),
    ),
)
EDITAL: Final = Objeto(
    "edital",
    (
        Campo("id", "Identificador", "Único entre os editais da instituição, como ED-2026-04.", _ID, obrigatorio=True),
        Campo("nome", "Nome", "Nome do edital.", _NOME_EXIGIDO, obrigatorio=True),
        Campo("objetivo", "Objetivo", "O que o edital pretende, em poucas frases.", _DESCRICAO),
        Campo("texto", "Texto", "O texto do edital, ou a parte dele que interessa à avaliação.", _LONGO),
        Campo("orgao", "Órgão", "Quem publica o edital.", _NOME),
        Campo("inscricoes", "Inscrições", "Dias em que os projetos foram recebidos, ambos incluídos.", INSCRICOES),
        Campo("ordem_fases", "Ordem das fases", "Qual fase vem antes.", ListaDe(_options(Fase), 2, minimo=1, sem_repetir=True)),
        Campo(
            "orcamento_detalhado",
            "Orçamento detalhado",
            "exigir: os orçamentos são comparados; avisar: só se avisa; nao: o edital não pede itens.",
            _options(OrcamentoDetalhado),
        ),
        Campo("data_referencia", "Data de referência", "Dia em que os documentos são julgados; sem ela, o fim das inscrições.", Data()),
        Campo("nota_antes_da_dica", "Nota antes da dica", "Se o avaliador dá a sua nota antes de ver a sugestão.", Logico()),
        Campo("amostras", "Amostras", "Quantas leituras de um modelo para cada critério.", Numero(1, 9)),
    ),
)
VALIDADE: Final = Variante(
    "regra",
    {
        "valido_em": Objeto(
            "validade",
            (Campo("data", "Data", "Dia que a validade do documento deve alcançar; sem ela, a data de referência do edital.", Data()),),
        ),
        "emitido_no_maximo_dias_antes": Objeto(
            "validade",
            (
                Campo("dias", "Dias", "Quantos dias antes da data o documento pode ter sido emitido, no máximo.", Numero(0, 3_660), True),
                Campo("data", "Data", "Dia a partir do qual se conta para trás; sem ela, a data de referência do edital.", Data()),
            ),
        ),
    },
)
_REQUISITO: Final = (
    Campo("id", "Identificador", "Único entre os requisitos, como REQ-1.", _ID, obrigatorio=True),
    Campo("clausula", "Cláusula", "Onde o edital o diz, como 4.1.", Texto(100)),
    Campo("descricao", "Descrição", "O requisito nas palavras do edital.", _DESCRICAO),
    Campo("obrigatorio", "Obrigatório", "Se todos devem atendê-lo (sim, quando não se diz).", Logico()),
    Campo("eliminatorio", "Eliminatório", "Se não atender inabilita; sem isso, ainda cabe diligência.", Logico()),
)
REQUISITO: Final = Variante(
    "tipo",
    {
        "documento": Objeto(
            "requisito de documento",
            (
                *_REQUISITO,
                Campo("documento", "Documento", "Que documento é.", _options(TipoDocumento), obrigatorio=True),
                Campo(
                    "formatos", "Formatos", "Formatos aceitos; nenhum, todos.", ListaDe(_options(Formato), len(get_args(Formato)), 0, True)
                ),
                Campo("em_nome_do_proponente", "Em nome do proponente", "Se deve trazer o nome ou o número do proponente.", Logico()),
                Campo("validade", "Validade", "Até quando ou desde quando o documento vale.", VALIDADE),
            ),
        ),
        "condicao": Objeto(
            "requisito de condição",
            (
                *_REQUISITO,
                Campo("campo", "Campo", "O campo declarado pelo projeto, como municipio.", Texto(100, (NAO_VAZIO, SEM_CONTROLE)), True),
                Campo("operador", "Operador", "Como o valor declarado é comparado.", _options(Operador), obrigatorio=True),
                Campo("valor", "Valor", "Com o que é comparado: uma lista para `em`; número ou data para `minimo` e `maximo`.", Livre()),
            ),
        ),
    },
)
NIVEL: Final = Objeto(
    "nível",
    (
        Campo("nota", "Nota", "A nota deste nível.", _NOTA, obrigatorio=True),
        Campo("descricao", "Descrição", "Como é um projeto que merece esta nota.", _DESCRICAO, obrigatorio=True),
    ),
)
CRITERIO: Final = Objeto(
    "critério",
    (
        Campo("id", "Identificador", "Único entre os critérios, como C1.", _ID, obrigatorio=True),
        Campo("nome", "Nome", "Nome do critério.", _NOME_EXIGIDO, obrigatorio=True),
        Campo("descricao", "Descrição", "O que se avalia.", _DESCRICAO),
        Campo("peso", "Peso", "Quanto pesa na média; 1 quando não se diz.", Numero(0, 1_000, fracao=True, acima=True)),
        Campo("nota_min", "Nota mínima", "A menor nota; 0 quando não se diz.", _NOTA),
        Campo("nota_max", "Nota máxima", "A maior nota; 10 quando não se diz.", _NOTA),
        Campo("niveis", "Níveis", "O que merece cada nota, do menor ao maior.", ListaDe(NIVEL, 50)),
    ),
)
RESPONSAVEL: Final = Objeto(
    "responsável",
    (
        Campo("nome", "Nome", "Quem responde pela organização.", _NOME),
        Campo("cpf", "CPF", "Com ou sem pontuação.", _CODIGO),
    ),
)
BANCO: Final = Objeto(
    "banco",
    (
        Campo("codigo", "Código", "Número do banco.", _CODIGO),
        Campo("agencia", "Agência", "Com ou sem dígito.", _CODIGO),
        Campo("conta", "Conta", "Com ou sem dígito.", _CODIGO),
    ),
)
PROPONENTE: Final = Objeto(
    "proponente",
    (
        Campo("nome", "Nome", "Quem propõe o projeto.", _NOME, obrigatorio=True),
        Campo("cpf_cnpj", "CPF ou CNPJ", "Com ou sem pontuação.", _CODIGO),
        Campo("email", "E-mail", "Endereço de contato.", _NOME),
        Campo("endereco", "Endereço", "Endereço do proponente.", _FRASE),
        Campo("responsavel", "Responsável", "A pessoa que responde, quando o proponente é uma organização.", RESPONSAVEL),
        Campo("banco", "Banco", "Onde o recurso seria depositado.", BANCO),
    ),
)
ORCAMENTO_ITEM: Final = Objeto(
    "item de orçamento",
    (
        Campo("descricao", "Descrição", "O que se paga.", _FRASE, obrigatorio=True),
        Campo("quantidade", "Quantidade", "Quantas unidades; 1 quando não se diz.", Numero(0, VALOR_MAXIMO, fracao=True)),
        Campo("valor_unitario", "Valor unitário", "Preço de uma unidade, em reais, como 1250.90.", Numero(0, VALOR_MAXIMO, fracao=True)),
    ),
)
CRONOGRAMA_ETAPA: Final = Objeto(
    "etapa do cronograma",
    (
        Campo("nome", "Nome", "Nome da etapa.", _FRASE, obrigatorio=True),
        Campo("inicio", "Início", "Primeiro dia.", Data()),
        Campo("fim", "Fim", "Último dia.", Data()),
    ),
)
DOCUMENTO: Final = Objeto(
    "documento",
    (
        Campo("arquivo", "Arquivo", "Caminho a partir da pasta deste JSON, com `/`, como documentos/P001/cnd.pdf.", _ARQUIVO, True),
        Campo("requisito", "Requisito", "O requisito que ele atende; sem isso, é um anexo.", _ID),
    ),
)
PROJETO: Final = Objeto(
    "projeto",
    (
        Campo("id", "Identificador", "Único entre os projetos, como P001.", _ID, obrigatorio=True),
        Campo("titulo", "Título", "Título do projeto.", _FRASE, obrigatorio=True),
        Campo("proponente", "Proponente", "Quem propõe o projeto.", PROPONENTE, obrigatorio=True),
        Campo("categoria", "Categoria", "Categoria em que concorre.", _NOME),
        Campo("enviado_em", "Enviado em", "Dia, hora e fuso do envio, como 2026-09-10T14:00:00-03:00.", Momento()),
        Campo("resumo", "Resumo", "Resumo do projeto.", _LONGO),
        Campo("descricao_tecnica", "Descrição técnica", "O texto do projeto.", _LONGO),
        Campo(
            "campos",
            "Campos declarados",
            "O que mais o projeto declara: é sobre isto que as condições falam.",
            MapaDe(Texto(100, (NAO_VAZIO, SEM_CONTROLE)), Livre(), 500),
        ),
        Campo("orcamento_itens", "Orçamento", "Itens do orçamento.", ListaDe(ORCAMENTO_ITEM, 5_000)),
        Campo("cronograma_etapas", "Cronograma", "Etapas do projeto.", ListaDe(CRONOGRAMA_ETAPA, 2_000)),
        Campo("documentos", "Documentos", "Arquivos enviados.", ListaDe(DOCUMENTO, 500)),
    ),
)
AVALIADOR: Final = Objeto(
    "avaliador",
    (
        Campo("nome", "Nome", "Nome de quem avalia.", _NOME_EXIGIDO, obrigatorio=True),
        Campo("email", "E-mail", "E-mail de quem avalia, único entre os avaliadores.", Texto(300, (_EMAIL, SEM_ESPACO)), obrigatorio=True),
        Campo("projetos", "Projetos", "Identificadores dos projetos que avalia.", ListaDe(_ID, PROJETOS_MAXIMO, sem_repetir=True)),
        Campo("cpf", "CPF", "Para reconhecer um possível conflito de interesse.", _CODIGO),
        Campo("cnpj", "CNPJ", "Da organização a que pertence, pela mesma razão.", _CODIGO),
        Campo("endereco", "Endereço", "Pela mesma razão.", _FRASE),
    ),
)
ESQUEMA_CITADO: Final = "$schema"
IMPORTACAO: Final = Objeto(
    "importação",
    (
        Campo(ESQUEMA_CITADO, "Esquema", "Endereço deste esquema, para editores de texto.", _FRASE),
        Campo("edital", "Edital", "A chamada pública.", EDITAL, obrigatorio=True),
        Campo("requisitos", "Requisitos", "Documentos e condições que o edital exige.", ListaDe(REQUISITO, 500)),
        Campo("criterios", "Critérios", "Pelo que os projetos são avaliados.", ListaDe(CRITERIO, 200)),
        Campo("projetos", "Projetos", "Os projetos inscritos.", ListaDe(PROJETO, PROJETOS_MAXIMO, em_disco=True)),
        Campo("avaliadores", "Avaliadores", "Quem avalia, e quais projetos.", ListaDe(AVALIADOR, 5_000)),
    ),
)
