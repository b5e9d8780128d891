"""A small made-up call in which P017 was told again as P030: some sentences as they are, most in other words, one in each alone."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from chamadas import Arquivo, Importacao
from crivo.triagem.edital import (
    Banco,
    Chamada,
    Criterio,
    Edital,
    OrcamentoItem,
    Projeto,
    ProjetoDocumento,
    Proponente,
    RequisitoDocumento,
    Responsavel,
)

EDITAL: Final = "ED-LADO"
ACORDO: Final = "As gravações seguem um acordo: as cantoras são donas do registro."
TERMO: Final = "Um termo garante que o registro pertence a quem cantou."
FESTAS: Final = "Depois, cinco delas fazem uma apresentação em quatro festas da região."
SO_EM_A: Final = "O engenheiro de som grava música tradicional há dezoito anos."
SO_EM_B: Final = "Haverá roda de conversa em duas escolas rurais, com lanche para quem vier."
_A: Final = " ".join(
    (
        "Luzia conhece nove mulheres que aboiam e nunca subiram num palco.",
        "O projeto viaja a cinco fazendas para gravá-las em campo, com o gado por perto, e reúne as melhores tomadas num disco.",
        FESTAS,
        ACORDO,
        "O encarte traz a letra em letra grande e o show tem intérprete de Libras.",
        SO_EM_A,
    )
)
_B: Final = " ".join(
    (
        "Iracema reuniu nove aboiadoras sem nenhuma passagem por palco.",
        "As gravações acontecem em cinco propriedades, ao ar livre e junto do rebanho; o que ficar melhor vira um álbum.",
        FESTAS,
        TERMO,
        "O encarte traz a letra em tamanho grande e o show tem intérprete de Libras.",
        SO_EM_B,
    )
)
OUTROS: Final = (
    (
        "A olaria comunitária acende o forno duas vezes por ano. Três ceramistas vivem um mês com as oleiras e trocam técnicas de engobe. "
        "As peças são vendidas na feira do mercado, em junho."
    ),
    (
        "A banda cabaçal toca nas novenas há quatro gerações. Vinte e cinco jovens aprendem a fazer o próprio pife de taboca. "
        "No fim do ano há um baile aberto a todo o povoado."
    ),
    (
        "Em doze sextas-feiras a parede de uma casa vira tela para dois curtas. Há pipoca e cadeiras emprestadas pelos vizinhos. "
        "Quem vem escolhe por palmas o filme da semana seguinte."
    ),
    (
        "Sessenta idosos terão aulas de forró e bolero duas vezes por semana. O grupo recebe avaliação de equilíbrio no começo e no fim. "
        "As turmas são de manhã, no salão da paróquia do bairro."
    ),
    (
        "Duas historiadoras leem os livros de ocorrência do arquivo público. Dos papéis saem nomes e lugares, numa planilha aberta. "
        "O trabalho dura um ano e termina com uma mostra na câmara."
    ),
    (
        "O samba de roda das mestras do Recôncavo ganha oficinas de pandeiro e prato. As rodas acontecem no terreiro, com caruru. "
        "As meninas aprendem a letra antes de aprender o passo."
    ),
    (
        "O furgão leva revistas em quadrinhos às praças sem biblioteca. Em cada parada há papel e lápis para quem quiser desenhar. "
        "A viagem passa por dezoito cidades entre março e outubro."
    ),
    (
        "Cinco bailarinos passam três semanas com as louceiras e criam um espetáculo sem palavras. A trilha é feita com moringas. "
        "A estreia é no barracão delas, com entrada livre."
    ),
    (
        "Jovens do assentamento gravam podcasts sobre a história da terra. As vozes dos mais velhos abrem cada episódio. "
        "Um caderno impresso guarda o que as antenas não alcançam."
    ),
    (
        "A lona nova permite que o circo de família siga pelo interior. Malabares e trapézio são ensinados onde ele armar. "
        "O mastro velho vira banco na porta da escola."
    ),
)


def projeto(codigo: str, titulo: str, nome: str, texto: str, resumo: str = "", **mais: object) -> Projeto:
    """A project of the call."""
    campos: dict[str, object] = {"proponente": Proponente(nome), **mais}
    return Projeto(id=codigo, titulo=titulo, resumo=resumo, descricao_tecnica=texto, **campos)  # type: ignore[arg-type]


def _itens(fator: str) -> tuple[OrcamentoItem, ...]:
    lines = (("Diária de gravação", 5, "1200"), ("Prensagem do disco", 500, "18"), ("Transporte da equipe", 8, "350"), ("Cachê", 4, "2000"))
    return tuple(OrcamentoItem(nome, Decimal(many), Decimal(valor) * Decimal(fator)) for nome, many, valor in lines)


P017: Final = projeto(
    "P017",
    "Mulheres do Aboio",
    "Luzia Ferreira Bastos",
    _A,
    "Diz-se que aboio é canto de homem.",
    proponente=Proponente(
        "Luzia Ferreira Bastos",
        "529.982.247-25",
        "contato@aboio.exemplo",
        banco=Banco("001", "1234-5", "000123471"),
        responsavel=Responsavel(),
    ),
    campos={"telefone_de_contato": "(88) 99123-4410"},
    orcamento_itens=_itens("1"),
    documentos=(ProjetoDocumento("documentos/P017/portfolio.txt", "REQ-1"),),
)
P030: Final = projeto(
    "P030",
    "Vaqueiras do Aboio",
    "Iracema Lopes Gadelha",
    _B,
    "O aboio costuma ser tratado como coisa de vaqueiro, nunca de vaqueira.",
    proponente=Proponente("Iracema Lopes Gadelha", "111.444.777-35", "contato@aboio.exemplo", banco=Banco("033", "4321", "55508")),
    campos={"telefone": "+55 88 9 9123 4410"},
    orcamento_itens=_itens("1.04"),
    documentos=(ProjetoDocumento("documentos/P030/anexo.txt", "REQ-1"),),
)


def chamada(*mais: Projeto) -> Importacao:
    """The two, ten that have nothing to do with them, and whatever more; the portfolio of both is one file."""
    outros = [projeto(f"P1{at:02}", f"Outro projeto {at}", f"Pessoa de número {at}", texto) for at, texto in enumerate(OUTROS)]
    feitos = (P017, P030, *outros, *mais)
    inteira = Chamada(
        Edital(EDITAL, "Edital de Cultura Popular"),
        (RequisitoDocumento(id="REQ-1", documento="PORTFOLIO"),),
        (Criterio("C1", "Mérito"),),
        feitos,
    )
    arquivos = {one.arquivo: Arquivo(b"Portfolio do aboio") for feito in feitos for one in feito.documentos}
    return Importacao(inteira, arquivos)
