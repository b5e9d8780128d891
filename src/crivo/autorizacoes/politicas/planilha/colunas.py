"""The columns that a política's spreadsheet may have: what each is called, and the guess from a heading in people's words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, Literal, get_args

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.lexico import read_lexico

CampoDaRegra = Literal[
    "regra_id",
    "codigo",
    "descricao",
    "plano",
    "tabela",
    "cobertura",
    "documentos_obrigatorios",
    "documentos_alternativos",
    "carencia_min_dias",
    "carencia_urgencia_dias",
    "cpt_meses",
    "idade",
    "idade_min",
    "idade_max",
    "sexo",
    "restricoes_rede",
    "limite_quantidade",
    "limite_periodo",
    "limites",
    "valor_maximo",
    "autorizacao_previa",
    "coparticipacao_percentual",
    "prazo_validade_autorizacao_dias",
    "permite_autorizacao_condicionada",
    "tipo_atendimento",
    "alternativas",
    "excecoes",
    "observacoes",
]
CampoDaCabeca = Literal["administradora_id", "documento", "versao", "vigencia_inicio", "vigencia_fim", "planos_declarados"]
Campo = Literal[CampoDaRegra, CampoDaCabeca, "cobertura_no_plano", "ignorar"]

CABECA: Final[tuple[str, ...]] = get_args(CampoDaCabeca)
TITULOS: Final[Mapping[str, str]] = {
    "regra_id": "Identificador da regra",
    "codigo": "Código",
    "descricao": "Descrição",
    "plano": "Plano",
    "tabela": "Tabela",
    "cobertura": "Cobertura",
    "documentos_obrigatorios": "Documentos obrigatórios",
    "documentos_alternativos": "Documentos alternativos",
    "carencia_min_dias": "Carência (dias)",
    "carencia_urgencia_dias": "Carência em urgência (dias)",
    "cpt_meses": "Cobertura parcial temporária (meses)",
    "idade": "Faixa de idade",
    "idade_min": "Idade mínima",
    "idade_max": "Idade máxima",
    "sexo": "Sexo",
    "restricoes_rede": "Rede",
    "limite_quantidade": "Limite de quantidade",
    "limite_periodo": "Período do limite",
    "limites": "Limites por período",
    "valor_maximo": "Valor máximo (R$)",
    "autorizacao_previa": "Autorização prévia",
    "coparticipacao_percentual": "Coparticipação (%)",
    "prazo_validade_autorizacao_dias": "Validade da autorização (dias)",
    "permite_autorizacao_condicionada": "Autorização condicionada",
    "tipo_atendimento": "Tipo de atendimento",
    "alternativas": "Alternativas",
    "excecoes": "Exceções",
    "observacoes": "Observações",
    "administradora_id": "Administradora",
    "documento": "Documento",
    "versao": "Versão",
    "vigencia_inicio": "Início da vigência",
    "vigencia_fim": "Fim da vigência",
    "planos_declarados": "Planos da administradora",
    "cobertura_no_plano": "Cobertura no plano que dá nome à coluna",
    "ignorar": "Não ler esta coluna",
}
"""How each is called on pages and in the files that go out."""
QUE_SAEM: Final = tuple(campo for campo in TITULOS if campo not in (*CABECA, "cobertura_no_plano", "ignorar", "idade", "limite_periodo"))
"""The campos of a regra, in the order of the columns of a file that goes out."""
VARIAS: Final = frozenset({"observacoes", "documentos_obrigatorios", "documentos_alternativos", "limites", "cobertura_no_plano", "ignorar"})
"""What several columns of one sheet may tell."""

_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_EXACT: Final = 1_000
_BESIDE: Final = frozenset({"descricao"})  # `exame` in `carência para exame` is no name of the column
_PERCENTUAIS: Final = frozenset({"coparticipacao_percentual"})
_FLAGS: Final = frozenset("ind flag fl st tp dt cd qt vl exige requer precisa permite tem ativo autoriza aut cobert cob".split())  # noqa: SIM905
_WHOLE_WORD: Final = 3  # letters from which a word inside a heading tells anything


def heading(titulo: str) -> str:
    """A heading as it is compared: words alone, without case, accents and signs (`Cobre?` is `cobre`)."""
    return _NO_WORD.sub(" ", fold(titulo).replace("%", " percentual ")).strip()


@cache
def _nomes() -> Mapping[str, tuple[str, ...]]:
    return read_lexico("crivo.autorizacoes.politicas.planilha", "colunas", dict[str, tuple[str, ...]])


@lru_cache(maxsize=2_048)
def _weights(titulo: str) -> tuple[tuple[int, str], ...]:
    """Each campo that a heading may mean, the likeliest first; none where its words say one thing and another."""
    plain = heading(titulo)
    exact, inside = [], []
    for campo, nomes in _nomes().items():
        if plain == heading(TITULOS[campo]):
            exact.append((2 * _EXACT, campo))
        elif plain in nomes:
            exact.append((_EXACT - nomes.index(plain), campo))
        else:
            found = [nome for nome in nomes if len(nome) >= _WHOLE_WORD and f" {nome} " in f" {plain} "]
            inside += [(len(nome), campo, nome) for nome in found]
    if exact:
        return tuple(sorted(exact, key=lambda one: -one[0]))
    inside.sort(key=lambda one: -one[0])
    told = [one for one in inside if one[1] not in _BESIDE] or inside
    if not told or any(_apart(one, told[0], plain) for one in told[1:]) or (told[0][1] in _PERCENTUAIS and _says_money(titulo)):
        return ()
    return ((told[0][0], told[0][1]),)


def _apart(one: tuple[int, str, str], first: tuple[int, str, str], plain: str) -> bool:
    """Whether a heading names another campo in words that are not among those by which it names the first."""
    return one[1] != first[1] and f" {one[2]} " in f" {plain} ".replace(f" {first[2]} ", " | ")


def _says_money(titulo: str) -> bool:
    return "r$" in fold(titulo) or bool({"vl", "vlr", "valor", "reais"} & set(heading(titulo).split()))


def is_marked(titulo: str) -> bool:
    """Whether a heading is of the kind that no plano has for a name: a question, or a column of a database, as `IND_COBERT`."""
    return bool(_weights(titulo)) or "?" in titulo or "_" in titulo or bool(_FLAGS & set(heading(titulo).split()))


def plainly(titulo: str) -> bool:
    """Whether a heading is a name of some campo, and not only a text in which one is."""
    return bool(_weights(titulo)) and _weights(titulo)[0][0] > _EXACT // 2


def means(titulo: str) -> str | None:
    """The campo that a heading tells most plainly; None where it tells none."""
    return _weights(titulo)[0][1] if _weights(titulo) else None


def is_own(titulos: Sequence[str]) -> bool:
    """Whether the headings are those of a file that went out from here, of which people may have taken columns away or added some."""
    own = [TITULOS[campo] for campo in QUE_SAEM]
    return TITULOS["regra_id"] in titulos and 2 * sum(titulo in titulos for titulo in own) > len(own)


def own_campo(titulo: str) -> str:
    """What a heading of a file that went out from here says; empty where no such file has it."""
    return next((campo for campo in (*CABECA, *QUE_SAEM) if TITULOS[campo] == titulo), "")


def guess(titulos: Sequence[str]) -> dict[str, str]:
    """The campo of each heading that tells one, no campo twice where only one column can tell it; what is as likely of two is of none."""
    wishes = sorted(
        [(weight, campo, titulo) for titulo in titulos for weight, campo in _weights(titulo)],
        key=lambda one: -one[0],
    )
    likely = Counter((weight, campo) for weight, campo, _ in wishes if weight < _EXACT // 2 and campo not in VARIAS)
    found: dict[str, str] = {}
    taken: set[str] = set()
    for weight, campo, titulo in wishes:
        if titulo in found or (campo in taken and campo not in VARIAS) or likely[weight, campo] > 1:
            continue
        found[titulo] = campo
        taken.add(campo)
    if "idade" in taken and {"idade_min", "idade_max"} & taken:
        found = {titulo: campo for titulo, campo in found.items() if campo != "idade"}
    if "limite_quantidade" not in taken:  # a period alone is of something else
        found = {titulo: campo for titulo, campo in found.items() if campo != "limite_periodo"}
    return found
