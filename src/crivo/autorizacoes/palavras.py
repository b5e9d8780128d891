"""Words that both messages share: numbers, dates and plurals in Brazilian form, and what documents are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

import msgspec

from crivo.autorizacoes.contracts import DecisaoFinal, FonteRegras, Limite, Regra, Sexo
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.kernel.rotulo import Rotulo

OU: Final = "|"
"""Between the document types of a group of which one is enough; no type has it in its name."""
SEXOS: Final[Mapping[Sexo, str]] = {"F": "feminino", "M": "masculino"}
DECISOES: Final[Mapping[DecisaoFinal, Rotulo]] = {
    "APROVADO": Rotulo("Aprovado", "✓", "aprovado"),
    "APROVADO_PARCIAL": Rotulo("Aprovado em parte", "◐", "parcial"),
    "PENDENTE_AJUSTES": Rotulo("Pendente de ajustes", "!", "pendente"),
    "NEGADO": Rotulo("Negado", "✕", "negado"),
}


class DocumentoConhecido(msgspec.Struct, frozen=True):
    """What people call a document type, and what it is."""

    nome: str
    artigo: str
    explicacao: str


@cache
def documentos_conhecidos() -> Mapping[str, DocumentoConhecido]:
    """The document types of the trade, by their code."""
    return read_lexico("crivo.autorizacoes", "documentos", dict[str, DocumentoConhecido])


def nome_documento(tipo: str) -> str:
    """A document type as it is said: `LAUDO_MEDICO` is 'laudo médico', of a group `A|B` any one."""
    if OU in tipo:
        return " ou ".join(map(nome_documento, tipo.split(OU)))
    known = documentos_conhecidos().get(tipo)
    return known.nome if known else tipo.replace("_", " ").lower()


def documento_com_artigo(tipo: str) -> str:
    """A document type as the object of a verb: 'o laudo médico', 'o documento “foto 3x4”', of a group 'o laudo médico ou a receita'."""
    if OU in tipo:
        return " ou ".join(map(documento_com_artigo, tipo.split(OU)))
    known = documentos_conhecidos().get(tipo)
    return f"{known.artigo} {known.nome}" if known else f"o documento “{nome_documento(tipo)}”"


def nome_campo(path: str) -> str:
    """A field of the pedido with its article, and its path for whoever has to fill it: 'o plano (plano_id)'."""
    return f"{CAMPOS[path]} ({path})" if path in CAMPOS else path


CAMPOS: Mapping[str, str] = {
    "pedido_id": "o número do pedido",
    "administradora_id": "a administradora",
    "plano_id": "o plano",
    "beneficiario.id": "a identificação do beneficiário",
    "procedimento.codigo": "o código do procedimento",
    "procedimento.quantidade": "a quantidade",
    "data_pedido": "a data do pedido",
    "data_prevista": "a data prevista",
    "urgencia": "a urgência",
    "beneficiario.idade": "a idade do beneficiário",
    "beneficiario.data_nascimento": "a data de nascimento",
    "beneficiario.carencia_cumprida_dias": "a carência cumprida",
    "beneficiario.preexistencias": "as doenças preexistentes",
    "procedimento.tabela": "a tabela do procedimento",
    "procedimento.descricao": "a descrição do procedimento",
    "solicitante.tipo": "o tipo de solicitante",
    "prestador.tipo": "o tipo de prestador",
    "beneficiario.sexo": "o sexo do beneficiário",
    "procedimento.valor": "o valor do procedimento",
    "historico": "o histórico de uso",
    "documentos_anexos": "os documentos anexados",
    "documentos_anexos.status": "a situação de um documento",
    "documentos_anexos.validade": "a validade de um documento",
}


def campo_com_artigo(path: str) -> str:
    """A field of the pedido with its article: 'a data do pedido'."""
    return CAMPOS.get(path, f"“{path}”")


def campo_do_pedido(path: str) -> str:
    """A field of the pedido without its article, "data do pedido"; empty where a pedido has none of that name."""
    return CAMPOS[path].partition(" ")[2] if path in CAMPOS else ""


@lru_cache(maxsize=4096)
def number(value: int | float) -> str:
    """A number in Brazilian form: 1.250 and 1,5."""
    if type(value) is int and -1000 < value < 1000:
        return str(value)
    text = f"{value:,}" if isinstance(value, int) else f"{value:,.10f}".rstrip("0").rstrip(".")
    return text.translate(_SWAP)


def reais(value: int | float) -> str:
    """An amount as Brazilians write it: R$ 1.234,50."""
    return f"R$ {f'{value:,.2f}'.translate(_SWAP)}"


_SWAP = str.maketrans(",.", ".,")


@lru_cache(maxsize=4096)
def count(value: int | float, one: str, many: str) -> str:
    """A number with its noun, in Portuguese agreement: below two is singular ('1,5 unidade')."""
    return f"{number(value)} {one if -2 < value < 2 and value != 0 else many}"


def verb(value: int | float, one: str, many: str) -> str:
    """The verb form that agrees with a number."""
    return one if -2 < value < 2 and value != 0 else many


def day(iso: str) -> str:
    """An ISO date as Brazilians write it: 20/11/2026."""
    return f"{iso[8:]}/{iso[5:7]}/{iso[:4]}"


def listing(items: Sequence[str]) -> str:
    """'a, b e c'."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} e {items[-1]}" if items else ""


def nome_na_regra(regra: Regra | None) -> str | None:
    """What the regra calls the procedure, for a pedido that does not say; None where it does not either."""
    return (regra.descricao or None) if regra is not None else None


@lru_cache(maxsize=4096)
def fonte_tecnica(fonte: FonteRegras) -> str:
    """Where the regra stands, for a reader who will look it up."""
    ate = f" até {day(fonte.vigencia_fim)}" if fonte.vigencia_fim else ""
    return f"Fonte: {fonte.documento}, versão {fonte.versao}, regra {fonte.regra_id}, vigente desde {day(fonte.vigencia_inicio)}{ate}."


@lru_cache(maxsize=4096)
def fonte_simples(fonte: FonteRegras) -> str:
    """Where the regra stands, for anybody."""
    return f"Esta resposta segue as regras do documento “{fonte.documento}”, versão {fonte.versao}."


def limite_em_palavras(limite: Limite) -> str:
    """A limit by period: '2 unidades em 365 dias'."""
    return f"{count(limite.quantidade, 'unidade', 'unidades')} em {count(limite.periodo_dias, 'dia', 'dias')}"


def faixa_etaria(minimo: int | None, maximo: int | None) -> str:
    """'de 18 a 60 anos', 'a partir de 18 anos' or 'de até 60 anos'."""
    if minimo is not None and maximo is not None:
        return f"de {minimo} a {count(maximo, 'ano', 'anos')}"
    if minimo is not None:
        return f"a partir de {count(minimo, 'ano', 'anos')}"
    return f"de até {count(maximo or 0, 'ano', 'anos')}"
