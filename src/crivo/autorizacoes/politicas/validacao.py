"""A política's tree held against its contract: every fault with its path, its line and what would be right."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Final, assert_never

import msgspec

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.politicas.esquema import DATA, POLITICA
from crivo.autorizacoes.politicas.nos import Caminho, Escalar, Lista, Mapa, No, PoliticaInvalida, Problemas, format_caminho, linha_of
from crivo.autorizacoes.politicas.tipos import NAO_VAZIO, Campo, Data, Escolha, ListaDe, Logico, Numero, Objeto, Texto, Tipo
from crivo.kernel.linguagem.dobra import without_accents
from crivo.kernel.linguagem.lexico import read_lexico

_SHOWN: Final = 40
_SUGGESTED_LENGTH: Final = 64


def validate_politica(no: No, problemas: Problemas) -> Politica:
    """The política that the tree states, codes and document types normalised.

    Raises PoliticaInvalida with all that `problemas` already held and all that is found here.
    """
    valor = _read(no, POLITICA, (), problemas)
    if isinstance(valor, dict):
        _check_document(valor, no, problemas)
    achados = problemas.as_tuple()
    if achados:
        raise PoliticaInvalida(achados)
    return msgspec.convert(valor, Politica)


# --- one value; None stands for "nothing that can be used", with the reason in `problemas`


def _read(no: No, tipo: Tipo, caminho: Caminho, problemas: Problemas) -> object:
    match tipo:
        case Texto():
            return _read_texto(no, tipo, caminho, problemas)
        case Escolha():
            return _read_escolha(no, tipo, caminho, problemas)
        case Data():
            return _read_data(no, tipo, caminho, problemas)
        case Numero():
            return _read_numero(no, tipo, caminho, problemas)
        case Logico():
            return _read_logico(no, caminho, problemas)
        case ListaDe():
            return _read_lista(no, tipo, caminho, problemas)
        case Objeto():
            return _read_objeto(no, tipo, caminho, problemas)
        case _:
            assert_never(tipo)


def _read_texto(no: No, tipo: Texto, caminho: Caminho, problemas: Problemas) -> str | None:
    texto = _text_of(no)
    if texto is None:
        problemas.add("tipo_errado", caminho, no.linha, f"{_label(caminho)} deve ser um texto entre aspas; {_seen(no)}.")
        return None
    faults = [(padrao.codigo, padrao.mensagem) for padrao in tipo.padroes if padrao.fails(texto)]
    if len(texto) > tipo.maximo:
        faults.append(("texto_longo", f"pode ter até {tipo.maximo} caracteres, e tem {len(texto)}"))
    normalizado = tipo.normaliza(texto)
    if not faults and not normalizado and NAO_VAZIO in tipo.padroes:
        faults.append(("texto_sem_letras", "não tem letra nem algarismo"))
    for codigo, mensagem in faults:
        problemas.add(codigo, caminho, no.linha, f"{_label(caminho)} {mensagem}.")
    return None if faults else normalizado


def _read_escolha(no: No, tipo: Escolha, caminho: Caminho, problemas: Problemas) -> str | None:
    texto = _text_of(no)
    if texto in tipo.valores:
        return texto
    opcoes = ", ".join(f"`{valor}`" for valor in tipo.valores)
    nearest = None if texto is None or problemas.cheio else _nearest(texto, tipo.valores)
    hint = f" Quis dizer `{nearest}`?" if nearest else ""
    codigo = "tipo_errado" if texto is None else "valor_fora_da_lista"
    problemas.add(codigo, caminho, no.linha, f"{_label(caminho)} deve ser um destes valores: {opcoes}; {_seen(no)}.{hint}")
    return None


def _read_data(no: No, tipo: Data, caminho: Caminho, problemas: Problemas) -> str | None:
    texto = _text_of(no)
    if texto is None or not DATA.matches_whole(texto):
        aberta = " Se ainda não há esse dia, escreva `null` ou deixe o campo de fora." if tipo.aberta else ""
        problemas.add("data_invalida", caminho, no.linha, f"{_label(caminho)} {DATA.mensagem}; {_seen(no)}.{aberta}")
        return None
    try:
        date.fromisoformat(texto)
    except ValueError:
        problemas.add("data_inexistente", caminho, no.linha, f"{_label(caminho)}: o dia {texto} não existe no calendário.")
        return None
    return texto


def _read_numero(no: No, tipo: Numero, caminho: Caminho, problemas: Problemas) -> int | float | None:
    valor = no.valor if isinstance(no, Escalar) else None
    if isinstance(valor, bool) or not isinstance(valor, int | float):
        problemas.add(
            "tipo_errado", caminho, no.linha, f"{_label(caminho)} deve ser {_expected(tipo)}, só com algarismos e sem aspas; {_seen(no)}."
        )
        return None
    if math.isfinite(valor) and valor == int(valor):
        valor = int(valor)
    if not tipo.minimo <= valor <= tipo.maximo or (isinstance(valor, float) and not tipo.fracao):
        problemas.add("valor_fora_da_faixa", caminho, no.linha, f"{_label(caminho)} deve ser {_expected(tipo)}; {_seen(no)}.")
        return None
    return valor


def _read_logico(no: No, caminho: Caminho, problemas: Problemas) -> bool | None:
    if isinstance(no, Escalar) and isinstance(no.valor, bool):
        return no.valor
    problemas.add("tipo_errado", caminho, no.linha, f"{_label(caminho)} deve ser `true` (sim) ou `false` (não), sem aspas; {_seen(no)}.")
    return None


def _read_lista(no: No, tipo: ListaDe, caminho: Caminho, problemas: Problemas) -> list[object] | None:
    if not isinstance(no, Lista):
        problemas.add("tipo_errado", caminho, no.linha, f"{_label(caminho)} deve ser uma lista; {_seen(no)}.")
        return None
    if len(no.itens) < tipo.minimo:
        problemas.add("lista_vazia", caminho, no.linha, f"{_label(caminho)} precisa de ao menos {tipo.minimo} item.")
    itens = [_read(item, tipo.item, (*caminho, posicao), problemas) for posicao, item in enumerate(no.itens)]
    return list(dict.fromkeys(itens)) if tipo.sem_repetir else itens


def _read_objeto(no: No, tipo: Objeto, caminho: Caminho, problemas: Problemas) -> dict[str, object] | None:
    if not isinstance(no, Mapa):
        problemas.add("tipo_errado", caminho, no.linha, f"{_label(caminho)} deve ser um objeto com campos; {_seen(no)}.")
        return None
    lidos: dict[str, object] = {}
    for chave, filho in no.campos.items():
        campo = tipo.por_nome.get(chave)
        if campo is None:
            _add_desconhecido(chave, filho, tipo, caminho, problemas)
        elif not _is_absent(filho, campo):
            valor = _read(filho, campo.tipo, (*caminho, chave), problemas)
            # An optional text left blank, or an optional object without a field, states nothing.
            if valor is not None and valor not in ("", {}):
                lidos[chave] = valor
    for campo in tipo.campos:
        if campo.presenca == "obrigatorio" and campo.nome not in no.campos:
            mensagem = f"Falta `{campo.nome}`. {campo.descricao}"
            problemas.add("campo_ausente", (*caminho, campo.nome), no.linha, mensagem)
    return lidos


def _is_absent(no: No, campo: Campo) -> bool:
    return campo.presenca == "opcional" and isinstance(no, Escalar) and no.valor is None


def _add_desconhecido(chave: str, no: No, tipo: Objeto, caminho: Caminho, problemas: Problemas) -> None:
    nearest = None if problemas.cheio else _apelido(chave, tipo) or _nearest(chave, tuple(tipo.por_nome))
    hint = f"quis dizer `{nearest}`?" if nearest else "os campos aceitos estão em `crivo politicas esquema`."
    problemas.add("campo_desconhecido", (*caminho, chave), no.linha, f"`{chave[:_SHOWN]}` não existe em {tipo.nome}; {hint}")


# --- what holds between values


def _check_document(politica: dict[str, object], no: No, problemas: Problemas) -> None:
    inicio, fim = politica.get("vigencia_inicio"), politica.get("vigencia_fim")
    if isinstance(inicio, str) and isinstance(fim, str) and fim < inicio:
        mensagem = f"A vigência termina ({fim}) antes de começar ({inicio}); troque as datas."
        problemas.add("vigencia_invertida", ("vigencia_fim",), linha_of(no, ("vigencia_fim",)), mensagem)
    regras = politica.get("regras")
    if isinstance(regras, list):
        _check_regras(regras, no, problemas)


def _check_regras(regras: Iterable[object], no: No, problemas: Problemas) -> None:
    primeiras: dict[str, int] = {}
    for posicao, regra in enumerate(regras):
        if not isinstance(regra, dict):
            continue
        regra_id = regra.get("regra_id")
        if isinstance(regra_id, str):
            primeira = primeiras.setdefault(regra_id, posicao)
            if primeira != posicao:
                caminho: Caminho = ("regras", posicao, "regra_id")
                onde = linha_of(no, ("regras", primeira, "regra_id"))
                mensagem = (
                    f"`{regra_id[:_SHOWN]}` já é o identificador de outra regra, na linha {onde}; dê a esta um identificador próprio."
                )
                problemas.add("regra_id_repetida", caminho, linha_of(no, caminho), mensagem)
        _check_idade(regra, posicao, no, problemas)


def _check_idade(regra: dict[str, object], posicao: int, no: No, problemas: Problemas) -> None:
    faixa = regra.get("restricoes_idade")
    if not isinstance(faixa, dict):
        return
    minimo, maximo = faixa.get("min"), faixa.get("max")
    if isinstance(minimo, int) and isinstance(maximo, int) and minimo > maximo:
        caminho: Caminho = ("regras", posicao, "restricoes_idade")
        mensagem = f"A idade mínima ({minimo}) é maior que a máxima ({maximo}); troque os valores."
        problemas.add("idade_invertida", caminho, linha_of(no, caminho), mensagem)


# --- words


def _text_of(no: No) -> str | None:
    if not isinstance(no, Escalar) or no.valor is None:
        return None
    return no.valor if isinstance(no.valor, str) else no.solto


def _label(caminho: Caminho) -> str:
    """The field's own name with its indexes, or what the file as a whole is called."""
    if not caminho:
        return "A política"
    start = max((index for index, passo in enumerate(caminho) if isinstance(passo, str)), default=0)
    return f"`{format_caminho(caminho[start:])}`"


def _expected(tipo: Numero) -> str:
    return f"um número {'' if tipo.fracao else 'inteiro '}de {tipo.minimo} a {tipo.maximo}"


def _seen(no: No) -> str:
    if isinstance(no, Lista):
        return "aqui há uma lista"
    if isinstance(no, Mapa):
        return "aqui há um objeto"
    if no.valor is None:
        return "aqui está vazio"
    if isinstance(no.valor, bool):
        return f"aqui está `{'true' if no.valor else 'false'}`"
    escrito = str(no.valor)
    return f"aqui está `{escrito if len(escrito) <= _SHOWN else escrito[:_SHOWN] + '…'}`"


@lru_cache(maxsize=1024)
def _nearest_cached(escrito: str, conhecidos: tuple[str, ...]) -> str | None:
    folded = {_fold(conhecido): conhecido for conhecido in conhecidos}
    close = get_close_matches(_fold(escrito), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def _nearest(escrito: str, conhecidos: tuple[str, ...]) -> str | None:
    """The known word most like this one, None where none is like it."""
    return _nearest_cached(escrito, conhecidos) if len(escrito) <= _SUGGESTED_LENGTH else None


def _apelido(escrito: str, tipo: Objeto) -> str | None:
    """The field that people call by another name: no document is read by it, but the complaint knows it."""
    return _apelidos().get(tipo.nome, {}).get(_fold(escrito[:_SUGGESTED_LENGTH]))


@cache
def _apelidos() -> dict[str, dict[str, str]]:
    return read_lexico("crivo.autorizacoes.politicas", "apelidos", dict[str, dict[str, str]])


def _fold(texto: str) -> str:
    return "".join(filter(str.isalnum, without_accents(texto).casefold()))
