"""Single values held against their kind. None stands for "nothing that can be used", with the reason told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, assert_never

from crivo.triagem.importacao.leitura_json import Valor
from crivo.triagem.importacao.problemas import Caminho, cite
from crivo.triagem.importacao.relato import Relato, seen
from crivo.triagem.importacao.tipos import Data, Escolha, Livre, Logico, Momento, Numero, Simples, Texto
from crivo.triagem.palavras import number

DATA: Final = r"^(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$"
MOMENTO: Final = r"^(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$"
LIVRE_TEXTO: Final = 20_000
LIVRE_NUMERO: Final = 10**15
LIVRE_MAXIMO: Final = 500
CASAS_MAXIMO: Final = 20
_BREAKS: Final = re.compile(r"[\x0b\x0c\x85]")
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def read_simples(valor: Valor, tipo: Simples, caminho: Caminho, relato: Relato) -> Any:
    """The value as the contract holds it: dates as text, numbers exact."""
    match tipo:
        case Texto():
            return read_texto(valor, tipo, caminho, relato)
        case Escolha():
            return read_escolha(valor, tipo.valores, caminho, relato)
        case Data():
            return _read_data(valor, caminho, relato)
        case Momento():
            return _read_momento(valor, caminho, relato)
        case Numero():
            return _read_numero(valor, tipo, caminho, relato)
        case Logico():
            return _read_logico(valor, caminho, relato)
        case Livre():
            return _read_livre(valor, caminho, relato)
        case _:
            assert_never(tipo)


def read_texto(valor: Valor, tipo: Texto, caminho: Caminho, relato: Relato) -> str | None:
    """The text, with control characters made visible; None where it breaks a pattern or is too long."""
    if not isinstance(valor, str):
        relato.fail("tipo_errado", caminho, f"deve ser um texto entre aspas; {seen(valor)}")
        return None
    faults = [(padrao.codigo, padrao.mensagem) for padrao in tipo.padroes if padrao.fails(valor)]
    if len(valor) > tipo.maximo:
        limite = f"pode ter até {number(tipo.maximo)} caracteres, e tem {number(len(valor))}"
        faults.append(("texto_longo", limite))
    for codigo, mensagem in faults:
        aqui = f"; aqui está `{cite(valor)}`" if tipo.citavel else ""
        relato.fail(codigo, caminho, mensagem + aqui)
    return None if faults else _seen_text(valor, caminho, relato)


def _seen_text(texto: str, caminho: Caminho, relato: Relato) -> str:
    """The text without what neither a database nor a page can hold; the rest, hidden characters included, as it came."""
    if texto.isascii() and texto.isprintable():
        return texto
    limpo = _UNSEEN.sub("�", _BREAKS.sub("\n", texto))
    if limpo != texto:
        mensagem = f"{relato.label(caminho)} tinha caracteres de controle; entraram como quebra de linha ou como `�`."
        relato.avisos.add("caractere_de_controle", caminho, mensagem)
    return limpo


def read_escolha(valor: Valor, valores: Iterable[str], caminho: Caminho, relato: Relato) -> str | None:
    """The word, where it is one of the list."""
    if isinstance(valor, str) and valor in valores:
        return valor
    opcoes = ", ".join(f"`{opcao}`" for opcao in valores)
    if not isinstance(valor, str):
        relato.fail("tipo_errado", caminho, f"deve ser um destes valores: {opcoes}; {seen(valor)}")
        return None
    relato.problemas.add(
        "valor_fora_da_lista",
        caminho,
        f"{relato.label(caminho)} deve ser um destes valores: {opcoes}; aqui está `{cite(valor)}`.{relato.suggest(valor, valores)}",
    )
    return None


def _read_data(valor: Valor, caminho: Caminho, relato: Relato) -> str | None:
    if not isinstance(valor, str) or re.fullmatch(DATA, valor) is None:
        relato.fail("data_invalida", caminho, "deve ser uma data entre 1900 e 2199 no formato AAAA-MM-DD, como 2026-09-15")
        return None
    try:
        date.fromisoformat(valor)
    except ValueError:
        relato.fail("data_inexistente", caminho, f"tem um dia que não existe no calendário: {valor}")
        return None
    return valor


def _read_momento(valor: Valor, caminho: Caminho, relato: Relato) -> str | None:
    if not isinstance(valor, str) or re.fullmatch(MOMENTO, valor) is None:
        relato.fail("momento_invalido", caminho, "deve ter data, hora e fuso, como 2026-09-10T14:00:00-03:00")
        return None
    try:
        datetime.fromisoformat(valor)
    except ValueError:
        relato.fail("momento_inexistente", caminho, f"tem um dia ou uma hora que não existem: {valor}")
        return None
    return valor


def _read_numero(valor: Valor, tipo: Numero, caminho: Caminho, relato: Relato) -> int | Decimal | None:
    if isinstance(valor, bool) or not isinstance(valor, int | Decimal):
        mensagem = f"deve ser {_expected(tipo)}, sem aspas e com ponto no lugar da vírgula; {seen(valor)}"
        relato.fail("tipo_errado", caminho, mensagem)
        return None
    exato = Decimal(valor)
    inside = exato.is_finite() and tipo.minimo <= exato <= tipo.maximo and not (tipo.acima and exato == tipo.minimo)
    if not inside or not (tipo.fracao or exato == exato.to_integral_value()):
        relato.fail("valor_fora_da_faixa", caminho, f"deve ser {_expected(tipo)}; {seen(valor)}")
        return None
    if _places(exato) > CASAS_MAXIMO:
        relato.fail("casas_demais", caminho, f"pode ter até {CASAS_MAXIMO} casas depois da vírgula")
        return None
    return exato if tipo.fracao else int(exato)


def _expected(tipo: Numero) -> str:
    faixa = f"maior que {number(tipo.minimo)} e até" if tipo.acima else f"de {number(tipo.minimo)} a"
    return f"um número {'' if tipo.fracao else 'inteiro '}{faixa} {number(tipo.maximo)}"


def _read_logico(valor: Valor, caminho: Caminho, relato: Relato) -> bool | None:
    if isinstance(valor, bool):
        return valor
    relato.fail("tipo_errado", caminho, f"deve ser `true` (sim) ou `false` (não), sem aspas; {seen(valor)}")
    return None


def _read_livre(valor: Valor, caminho: Caminho, relato: Relato, *, dentro: bool = False) -> Any:
    if valor is None or isinstance(valor, bool):
        return valor
    if isinstance(valor, str):
        return read_texto(valor, Texto(LIVRE_TEXTO), caminho, relato)
    if isinstance(valor, int | Decimal):
        exato = Decimal(valor)
        if exato.is_finite() and abs(exato) <= LIVRE_NUMERO:
            return valor if isinstance(valor, int) else float(valor)
        relato.fail("valor_fora_da_faixa", caminho, "tem um número grande demais; se for um código, escreva-o entre aspas")
        return None
    if isinstance(valor, list) and not dentro:
        if len(valor) > LIVRE_MAXIMO:
            relato.fail("lista_longa", caminho, f"pode ter até {LIVRE_MAXIMO} itens, e tem {number(len(valor))}")
            return None
        return [_read_livre(item, (*caminho, posicao), relato, dentro=True) for posicao, item in enumerate(valor)]
    relato.fail("tipo_errado", caminho, f"deve ser um texto, um número, `true`, `false` ou uma lista deles; {seen(valor)}")
    return None


def _places(valor: Decimal) -> int:
    exponent = valor.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0  # a letter where the number is not finite
