"""A mapping tried on what somebody's system sends: what was read from where, what is left over, what is wrong, what would be decided."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Decisao, Normalizacao
from crivo.autorizacoes.extracao import NAO_USADOS
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.mapeamento.aplicacao import Leitor, PedidoLido, Problema, Sobra, told_apart
from crivo.autorizacoes.mapeamento.documento import DOCUMENTOS, HISTORICO, PEDIDOS_PELA_REGRA, VALOR, Mapeamento
from crivo.autorizacoes.mapeamento.entrada import Chegado, translated
from crivo.autorizacoes.mapeamento.midia import read_documentos
from crivo.autorizacoes.motivos import CAMPO_AUSENTE, VALOR_DESCONHECIDO, alvo, frase

SEM_A_CASA: Final = "historico_da_casa_nao_visto"
_SEM_A_CASA: Final = Problema(
    SEM_A_CASA,
    "historico",
    "A regra tem limite por período, e a prova conta só o histórico que o pedido traz, não o que já foi aprovado aqui: decidido de "
    "verdade, o pedido pode ter outra resposta.",
)
_NAMED: Final = 5
_WEIGH: Final = (VALOR_DESCONHECIDO, "data_nascimento_invalida", "carencia_invalida")


@dataclass(frozen=True, slots=True)
class PedidoProvado:
    """One pedido as RF1 reads it, the path of each of its fields, and what would be decided; no decision where it cannot be read.

    `alertas` are what RF1 tells of it; `sem_politica`: no published política is of the administradora.
    """

    normalizado: Mapping[str, Any]
    origem: Mapping[str, str]
    decisao: Decisao | None
    alertas: tuple[str, ...] = ()
    sem_politica: bool = False


@dataclass(frozen=True, slots=True)
class Prova:
    """What a mapping makes of a sample."""

    pedidos: tuple[PedidoProvado, ...]
    nao_usados: tuple[Sobra, ...]
    problemas: tuple[Problema, ...]

    def as_json(self, *, decidida: bool = False) -> dict[str, Any]:
        """The trial as commands and the API answer it; `decidida`: with what the published rules would decide of each pedido."""
        pedidos: list[dict[str, Any]] = [{"normalizado": one.normalizado, "origem": one.origem} for one in self.pedidos]
        if decidida:
            pedidos = [{**lido, "decisao": one.decisao} for lido, one in zip(pedidos, self.pedidos, strict=True)]
        return {
            "pedidos": pedidos,
            "nao_usados": [{"caminho": one.caminho, "valor": one.valor} for one in self.nao_usados],
            "problemas": [{"codigo": one.codigo, "caminho": one.caminho, "mensagem": one.mensagem} for one in self.problemas],
        }


def provar(mapeamento: Mapeamento, amostra: bytes, fluxo: Fluxo, recebido_em: date) -> Prova:
    """The trial of a mapping on the bytes of a sample, under some rules. Raises `PedidoIlegivel` where the bytes cannot be read."""
    leitor = Leitor(mapeamento)
    lidos: list[PedidoLido] = []
    sobras: list[Sobra] = []
    problemas: list[Problema] = []
    documentos = read_documentos(amostra)
    for documento in documentos:
        valor = leitor.with_lists(documento.looked_into) if documento.midia == "xml" else documento.looked_into
        if documento.midia == "csv" and leitor.ignores(valor):
            continue
        problemas += _unmet(leitor, valor, documento.linha)
        lido = leitor.read(valor, recebido_em.isoformat())
        problemas += lido.problemas
        sobras += lido.nao_usados
        lidos += lido.pedidos
    pedidos: list[PedidoProvado] = []
    ditos = leitor.mapeamento.campos
    de: dict[Problema, list[int]] = {}
    for numero, pedido in enumerate(told_apart(lidos) if len(documentos) > 1 else lidos, 1):
        problemas += pedido.problemas
        provado, achados = prove_pedido(pedido, fluxo, recebido_em, ditos)
        pedidos.append(provado)
        for um in achados:
            de.setdefault(um, []).append(numero)
    problemas += [_of_some(um, numeros, len(pedidos)) for um, numeros in de.items()]
    return Prova(tuple(pedidos), tuple(sobras), tuple(dict.fromkeys(problemas)))


def _of_some(problema: Problema, numeros: Sequence[int], de: int) -> Problema:
    """A problem with the numbers of the pedidos that have it; as it is where all do."""
    if len(numeros) == de:
        return problema
    mais = f" e mais {len(numeros) - _NAMED}" if len(numeros) > _NAMED else ""
    quais = f"Pedido{'s' if len(numeros) > 1 else ''} {', '.join(map(str, numeros[:_NAMED]))}{mais}"
    return msgspec.structs.replace(problema, mensagem=f"{quais}: {problema.mensagem}")


def _unmet(leitor: Leitor, documento: Any, linha: int | None) -> Iterator[Problema]:
    onde = "" if linha is None else f"Linha {linha}: "
    for caminho in leitor.unmet(documento):
        mensagem = f"{onde}Aqui não está o valor que `reconhecer` diz: publicado, este mapeamento não leria este pedido."
        yield Problema("nao_reconhecido", caminho, mensagem, grave=True)


def prove_pedido(pedido: PedidoLido, fluxo: Fluxo, recebido_em: date, ditos: Collection[str] = ()) -> tuple[PedidoProvado, list[Problema]]:
    """One pedido tried under some rules, and what RF1 could not read of it; `ditos` are the fields that the mapping says."""
    try:
        trilha = fluxo.decide_parte(Chegado(pedido.bruto, b""), recebido_em)
    except PedidoIlegivel as error:
        told = [
            Problema(one.codigo, one.caminho, f"O valor {one.mensagem}.", grave=True) for one in translated(error, pedido.origem).problemas
        ]
        return PedidoProvado({nome: valor for nome, valor in pedido.bruto.items() if nome != NAO_USADOS}, pedido.origem, None), told
    etapas = trilha.etapas
    normalizado = msgspec.to_builtins(etapas.normalizacao.pedido_normalizado)
    _add_asked_by_regra(normalizado, normalizado.pop("extras", {}))
    lida = etapas.normalizacao
    strange = fluxo.is_strange(lida.pedido_normalizado.administradora_id)
    achados = list(_of_rf1(lida, pedido, ditos))
    regra = etapas.consulta.regras_recuperadas
    if regra is not None and regra.limites:
        achados.append(_SEM_A_CASA)
    return PedidoProvado(normalizado, pedido.origem, etapas.sintese, lida.alertas, strange), achados


def _add_asked_by_regra(normalizado: dict[str, Any], extras: Mapping[str, Any]) -> None:
    """Fields that RF1 leaves where they stand until a regra asks for them, as far as they came."""
    for destino in PEDIDOS_PELA_REGRA:
        objeto, _, nome = destino.rpartition(".")
        source, target = (extras.get(objeto), normalizado[objeto]) if objeto else (extras, normalizado)
        if isinstance(source, Mapping) and nome in source and nome not in target:
            target[nome] = source[nome]


def _of_rf1(normalizacao: Normalizacao, pedido: PedidoLido, ditos: Collection[str]) -> Iterator[Problema]:
    """What RF1 could not read, by the sender's own paths; what reading the document told already is not told again."""
    origem = pedido.origem
    told = {um.caminho for um in pedido.problemas}
    weighing = [alerta for alerta in normalizacao.alertas if alerta.startswith(_WEIGH)]
    for codigo in dict.fromkeys([*normalizacao.erros_bloqueantes, *weighing]):
        campo = alvo(codigo) or _ALVOS.get(codigo, "")
        theirs = origem.get(campo) or origem.get(campo.rpartition(".")[0]) or ""
        if theirs in told and codigo.startswith(f"{VALOR_DESCONHECIDO}:{DOCUMENTOS}"):
            continue
        if codigo.startswith(CAMPO_AUSENTE):
            fix = "não veio nada do caminho dele" if theirs or campo in ditos else "diga em `campos` onde ele está"
        elif codigo.startswith(VALOR_DESCONHECIDO):
            fix = _FIXES.get(campo, "acrescente o valor que veio em `valores`")
        else:
            fix = _FIXES.get(campo, "confira o que veio")
        onde = f" (`{campo}`)" if campo else ""
        yield Problema(codigo.partition(":")[0], theirs or campo, f"{frase(codigo)}: {fix}{onde}.")


_ALVOS: Final = {
    "data_nascimento_invalida": "beneficiario.data_nascimento",
    "carencia_invalida": "beneficiario.carencia_cumprida_dias",
}
_FIXES: Final = {
    VALOR: "escreva-o como 1500,00, sem deixar dúvida se o ponto separa milhares; `limpar` tira o que sobra",
    HISTORICO: "diga `codigo`, `data` e `quantidade` de cada uso, e em `formato` como a data está escrita; `limpar` tira a unidade",
    "beneficiario.idade": "escreva anos completos, ou diga `calcular: idade` da data de nascimento, com o `formato` dela",
    "beneficiario.data_nascimento": "diga em `formato` como a data está escrita",
    "beneficiario.carencia_cumprida_dias": "escreva os dias, ou diga `calcular: dias` do início do plano, com o `formato` da data",
}
