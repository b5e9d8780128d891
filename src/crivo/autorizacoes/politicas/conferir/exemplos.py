"""Example pedidos: one that a regra lets through, what can be varied in it, and the search for the smallest that still shows a thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any, Final

from msgspec import UNSET

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.etapas.avaliacao import cpt_exigida_dias
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.politicas.codigos import CURINGA

PEDIDO: Final = "EXEMPLO"
BENEFICIARIO: Final = "BENEFICIARIO"
PREEXISTENCIA: Final = "hipertensão"
_TAMANHO_DE_CODIGO: Final = 8  # of TUSS
Caminho = tuple[str | int, ...]
Mudanca = tuple[str, Any]


def codigos_de(padrao: str) -> tuple[str, ...]:
    """Codes that a regra's código means, those that look like one of TUSS first."""
    if not padrao.endswith(CURINGA):
        return (padrao,)
    prefixo = padrao[:-1]
    falta = _TAMANHO_DE_CODIGO - len(prefixo)
    filled = [f"{prefixo}{figura * falta}" for figura in "0918273645"] if falta > 0 else []
    return (*filled, *([prefixo] if prefixo else []), f"{prefixo}X")


def carencia_de_folga(regra: Regra) -> int | None:
    """Days that are enough for the regra, urgent or not; None where it asks for none."""
    dias = max(regra.carencia_min_dias or 0, regra.carencia_urgencia_dias or 0)
    return dias or None


def conforme(administradora_id: str, plano_id: str, codigo: str, tabela: str | None, data: str, regra: Regra) -> Bruto:
    """A pedido that passes every check of the regra, one unit or as near to it as the limit lets."""
    faixa = regra.restricoes_idade
    anos = None if faixa is None else faixa.min if faixa.min is not None else faixa.max
    tipos = [*regra.documentos_obrigatorios, *[grupo[0] for grupo in regra.documentos_alternativos or ()]]
    return _without_nothing(
        {
            "pedido_id": PEDIDO,
            "administradora_id": administradora_id,
            "plano_id": plano_id,
            "data_pedido": data,
            "beneficiario": {
                "id": BENEFICIARIO,
                "idade": anos,
                "sexo": regra.sexo or None,
                "carencia_cumprida_dias": carencia_de_folga(regra),
            },
            "procedimento": {
                "codigo": codigo,
                "tabela": tabela,
                "quantidade": 1,
                "valor": None if regra.valor_maximo is UNSET else regra.valor_maximo,
            },
            "prestador": {"tipo": "CREDENCIADO"} if regra.restricoes_rede == "APENAS_CREDENCIADA" else None,
            "documentos_anexos": [{"tipo": tipo} for tipo in tipos] or None,
            "historico": [] if regra.limites else None,
        }
    )


def variacoes(*regras: Regra) -> tuple[Mudanca, ...]:
    """Values at which one of the regras may decide otherwise than beside them, by path of the pedido; None takes the field out."""
    found: dict[Mudanca, None] = {}

    def add(caminho: str, *valores: Any) -> None:
        found.update(dict.fromkeys((caminho, valor) for valor in valores))

    add("urgencia", True)
    for regra in regras:
        if regra.limite_quantidade is not None:
            limite = int(regra.limite_quantidade)
            add("procedimento.quantidade", *[quantos for quantos in (limite, limite + 1) if quantos > 0])
        for dias in (regra.carencia_min_dias, regra.carencia_urgencia_dias):
            if dias:
                add("beneficiario.carencia_cumprida_dias", dias, dias - 1, None)
        faixa = regra.restricoes_idade
        if faixa is not None:
            limites = [anos for anos in (faixa.min, faixa.max) if anos is not None]
            add("beneficiario.idade", *[anos + passo for anos in limites for passo in (0, -1, 1) if 0 <= anos + passo <= 130], None)
        if regra.restricoes_rede == "APENAS_CREDENCIADA":
            add("prestador.tipo", None)
        if regra.documentos_obrigatorios or regra.documentos_alternativos:
            add("documentos_anexos", None, *regra.documentos_obrigatorios, *[grupo[0] for grupo in regra.documentos_alternativos or ()])
        _add_richer(regra, add)
    return tuple(found)


def _add_richer(regra: Regra, add: Callable[..., None]) -> None:
    if regra.sexo:
        add("beneficiario.sexo", "F", "M", None)
    if regra.cpt_meses:
        add("beneficiario.preexistencias", PREEXISTENCIA)
        dias = cpt_exigida_dias(regra) or 0
        add("beneficiario.carencia_cumprida_dias", dias, dias - 1)
    if regra.valor_maximo is not UNSET:
        add("procedimento.valor", regra.valor_maximo, regra.valor_maximo + 1, None)
    if regra.limites:
        add("historico", None)
        add("procedimento.quantidade", *[int(limite.quantidade) + 1 for limite in regra.limites])


def varied(pedido: Bruto, mudancas: tuple[Mudanca, ...]) -> Iterator[Bruto]:
    """The pedido itself, then with one of the changes, then with two that touch different fields."""
    yield pedido
    for mudanca in mudancas:
        yield changed(pedido, mudanca)
    for primeira, segunda in combinations(mudancas, 2):
        if primeira[0] != segunda[0]:
            yield changed(changed(pedido, primeira), segunda)


def changed(pedido: Bruto, mudanca: Mudanca) -> Bruto:
    """The pedido with another value at a path; a text at `documentos_anexos` leaves out the document of that type."""
    caminho, valor = mudanca
    if caminho == "documentos_anexos":
        kept = [um for um in pedido.get("documentos_anexos", ()) if valor is not None and um["tipo"] != valor]
        return _without_nothing({**pedido, "documentos_anexos": kept or None})
    grupo, _, nome = caminho.rpartition(".")
    if not grupo:
        return _without_nothing({**pedido, nome: valor})
    return _without_nothing({**pedido, grupo: {**pedido.get(grupo, {}), nome: valor}})


def menor(pedido: Bruto, shows: Callable[[Bruto], bool]) -> Bruto | None:
    """The pedido without any field that it can do without; None where it does not show the thing as it is."""
    if not shows(pedido):
        return None
    smaller = True
    while smaller:
        smaller = False
        for caminho in _leaves(pedido):
            without = _without(pedido, caminho)
            if shows(without):
                pedido, smaller = without, True
    return pedido


def campos_de(pedido: Bruto) -> list[Bruto]:
    """The pedido without each of its fields in turn."""
    return [_without(pedido, caminho) for caminho in _leaves(pedido)]


def _leaves(value: Any, caminho: Caminho = ()) -> list[Caminho]:
    """The path of every value, the last of a list first."""
    if isinstance(value, dict):
        return [leaf for nome, inner in value.items() for leaf in _leaves(inner, (*caminho, nome))]
    if isinstance(value, list) and value:
        return [(*caminho, index) for index in reversed(range(len(value)))]
    return [caminho]


def _without(value: Any, caminho: Caminho) -> Any:
    """The value without what stands at the path, and without an object or list that this leaves empty."""
    primeiro, *resto = caminho
    if isinstance(value, list):
        return [inner for index, inner in enumerate(value) if index != primeiro]
    if primeiro not in value:
        return value
    if not resto:
        return {nome: inner for nome, inner in value.items() if nome != primeiro}
    inner = _without(value[primeiro], tuple(resto))
    return {**value, primeiro: inner} if inner else _without(value, (primeiro,))


def _without_nothing(pedido: Mapping[str, Any]) -> Bruto:
    found: Bruto = {}
    for nome, valor in pedido.items():
        inner = _without_nothing(valor) if isinstance(valor, dict) else valor
        if inner is not None and inner != {}:
            found[nome] = inner
    return found
