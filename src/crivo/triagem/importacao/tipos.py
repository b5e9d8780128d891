"""The kinds of text and number that the fields of an import have, and what several of its objects hold alike."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import Field

from crivo.kernel.formas.tipos import NAO_VAZIO, Exato, Forma, Padrao, Texto
from crivo.triagem.edital import Operador
from crivo.triagem.importacao.valores import DIA, MOMENTO, VALOR_BY_OPERADOR, Livre, visible

TEXTO_MAXIMO: Final = 1_000_000
PROJETOS_MAXIMO: Final = 50_000
VALOR_MAXIMO: Final = 1_000_000_000
NOTA_MAXIMA: Final = 999
EXATO: Final = Exato(casas=20)
SEM_REPETIR: Final = Field(json_schema_extra={"uniqueItems": True})

ID_CARACTERES: Final = Padrao(
    r"[^0-9A-Za-z._-]", "identificador_invalido", "só pode ter letras sem acento, algarismos, ponto, hífen e sublinhado", recusa=True
)
ID_COMECO: Final = Padrao(r"^[0-9A-Za-z]", "identificador_invalido", "deve começar por letra ou algarismo")
EMAIL: Final = Padrao(r"^[^@]+@[^@]+$", "email_invalido", "deve ser um e-mail, como ana@exemplo.org")
SEM_ESPACO: Final = Padrao(r"\s", "texto_invalido", "não pode ter espaço nem quebra de linha", recusa=True)
_SEM_CONTROLE: Final = Padrao(
    r"[\u0000-\u001f\u007f-\u009f\ud800-\udfff]",
    "texto_invalido",
    "tem um caractere invisível ou uma quebra de linha; apague-o",
    recusa=True,
)
UMA_LINHA: Final = (NAO_VAZIO, _SEM_CONTROLE)

Id = Annotated[str, Texto(64, (ID_COMECO, ID_CARACTERES), visible, citavel=True, exemplo="P001")]
Nome = Annotated[str, Texto(300, (), visible)]
NomeExigido = Annotated[str, Texto(300, (NAO_VAZIO,), visible)]
Frase = Annotated[str, Texto(2_000, (), visible)]
Descricao = Annotated[str, Texto(20_000, (), visible)]
Longo = Annotated[str, Texto(TEXTO_MAXIMO, (), visible)]
Codigo = Annotated[str, Texto(40, (), visible)]
Caminho = Annotated[str, Texto(300, (_SEM_CONTROLE,), visible)]
Dia = Annotated[str, DIA]
Envio = Annotated[str, MOMENTO]
Nota = Annotated[Decimal, Field(ge=0, le=NOTA_MAXIMA), EXATO]
Valor = Annotated[Decimal, Field(ge=0, le=VALOR_MAXIMO), EXATO]
Declarado = Annotated[Any, Livre()]
Palavras = Annotated[list[Annotated[str, Texto(200, UMA_LINHA, visible)]], Field(max_length=50)]


class FormaCondicao(Forma, title="condição", json_schema_extra={"allOf": VALOR_BY_OPERADOR}):
    """A condition on what a project declares."""

    campo: Annotated[str, Texto(100, UMA_LINHA, visible)] = Field(
        title="Campo", description="O campo declarado pelo projeto, ou categoria, ou valor_total."
    )
    operador: Operador = Field(title="Operador", description="Como o valor declarado é comparado.")
    valor: Declarado = Field(
        None, title="Valor", description="Com o que é comparado: uma lista para `em`; número ou data para `minimo` e `maximo`."
    )
