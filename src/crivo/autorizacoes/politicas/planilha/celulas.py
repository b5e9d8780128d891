"""What a cell of a política's spreadsheet says of a campo: numbers, days, ages, yes and no, money, written as people write them.

A reader gives the value, None for a cell that says nothing, or what is wrong with it; what it cannot say as a regra, it tells as such.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Final, TypeAlias

from crivo.autorizacoes.politicas.codigos import normalize_padrao
from crivo.kernel.formas.palavras import cut
from crivo.kernel.linguagem.datas_escritas import read_date
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.planilha.celulas import Estranho, Porcento, Valor, written

DIAS_DO_MES: Final = 30
DIAS_DO_ANO: Final = 365


@dataclass(frozen=True, slots=True)
class Falha:
    """A cell that cannot be taken as it stands."""

    codigo: str
    mensagem: str


@dataclass(frozen=True, slots=True)
class NaoDita:
    """A cell that rules something which no campo of a regra can say; `lido` is what of it could be said."""

    texto: str
    lido: Any = None


Lido: TypeAlias = Any  # the value, Falha, NaoDita, or None
_BLANKS: Final = frozenset({"", "-", "--", "---", "–", "—", ".", "n/a", "n.a.", "na", "nao se aplica", "nao informado", "vazio"})
_SIM: Final = frozenset(
    {
        "sim",
        "s",
        "x",
        "1",
        "true",
        "verdadeiro",
        "yes",
        "y",
        "ok",
        "✓",
        "✔",
        "√",
        "exige",
        "obrigatorio",
        "obrigatoria",
        "permite",
        "precisa",
    }
)
_NAO: Final = frozenset(
    {"nao", "n", "0", "false", "falso", "no", "✗", "✘", "✕", "nao exige", "dispensa", "dispensado", "dispensada", "isento", "nao precisa"}
)
_NUMBER: Final = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?|[+-]?\d{1,3}(?:,\d{3})+\.\d+|[+-]?\d+(?:[.,]\d+)?")
_MEASURE: Final = re.compile(r"(?P<n>[\d.,]+)\s*(?P<u>horas?|hs?|dias?|d|semanas?|sem|mes|meses|m|anos?|a)?(?: corridos)?")
_POR_EXTENSO: Final = {
    nome: numero
    for numero, nome in enumerate("zero um dois tres quatro cinco seis sete oito nove dez onze doze".split())  # noqa: SIM905
} | {"uma": 1, "duas": 2}
_SEM_NUMERO: Final = frozenset({"sem carencia", "nenhuma", "nenhum", "isento", "isenta", "zero", "nao ha", "imediata", "imediato", "sem"})
_SEM_RESTRICAO: Final = frozenset(
    {
        "livre",
        "sem limite",
        "s/ limite",
        "s/limite",
        "ilimitado",
        "ilimitada",
        "sem restricao",
        "todas",
        "todos",
        "ambos",
        "qualquer",
        "nenhum",
        "nenhuma",
        "sem",
        "nao ha",
    }
)
_COBERTURAS: Final = {
    "coberta": "COBERTA",
    "coberto": "COBERTA",
    "cobre": "COBERTA",
    "com cobertura": "COBERTA",
    "liberado": "COBERTA",
    "total": "COBERTA",
    "nao coberta": "NAO_COBERTA",
    "nao coberto": "NAO_COBERTA",
    "nao_coberta": "NAO_COBERTA",
    "nao cobre": "NAO_COBERTA",
    "sem cobertura": "NAO_COBERTA",
    "excluido": "NAO_COBERTA",
    "excluida": "NAO_COBERTA",
    "negado": "NAO_COBERTA",
    "condicional": "CONDICIONAL",
    "condicionada": "CONDICIONAL",
    "condicionado": "CONDICIONAL",
    "com condicoes": "CONDICIONAL",
    "coberto com condicoes": "CONDICIONAL",
    "sob condicao": "CONDICIONAL",
    "com restricao": "CONDICIONAL",
    "sim com condicoes": "CONDICIONAL",
}
_COMO_COBRIR: Final = (
    "Escreva sim, não ou condicional: com sim e com condicional, o pedido que cumpre a regra é aprovado sem que ninguém o analise. "
    "Se é uma pessoa que decide, escreva rever: a linha fica na planilha e não vira regra, e o pedido vai para alguém."
)
_PARA_REVER: Final = frozenset({"rever", "para rever", "revisar", "para revisar", "revisao", "revisao humana", "uma pessoa decide"})
_PERIODOS: Final = {
    nome: dias
    for dias, nomes in (
        (1, "dia diario diaria"), (7, "semana semanal"), (30, "mes mensal"), (60, "bimestre bimestral"), (90, "trimestre trimestral"),
        (120, "quadrimestre quadrimestral"), (180, "semestre semestral"), (365, "ano anual"),
    )
    for nome in nomes.split()
}  # fmt: skip
_TABELAS: Final = {
    "tuss": "TUSS",
    "cbhpm": "CBHPM",
    "outra": "OUTRA",
    "outras": "OUTRA",
    "propria": "OUTRA",
    "*": "*",
    "todas": "*",
    "22": "TUSS",
}
_SEXOS: Final = {
    "f": "F",
    "feminino": "F",
    "mulher": "F",
    "mulheres": "F",
    "fem": "F",
    "m": "M",
    "masculino": "M",
    "homem": "M",
    "masc": "M",
    "homens": "M",
}
_OS_DOIS: Final = frozenset(
    {"a", "i", "f/m", "m/f", "f e m", "m e f", "f ou m", "m ou f", "fm", "mf", "indiferente", "ambos os sexos", "unissex"}
)
_TIPOS: Final = {
    "consulta basica": "CONSULTA_BASICA",
    "consulta": "CONSULTA",
    "exame laboratorial": "EXAME_LABORATORIAL",
    "laboratorial": "EXAME_LABORATORIAL",
    "laboratorio": "EXAME_LABORATORIAL",
    "exame": "EXAME",
    "terapia": "TERAPIA",
    "hospital dia": "HOSPITAL_DIA",
    "alta complexidade": "ALTA_COMPLEXIDADE",
    "internacao eletiva": "INTERNACAO_ELETIVA",
    "internacao": "INTERNACAO_ELETIVA",
}
_CREDENCIADA: Final = re.compile(
    r"(?:(?:so|somente|apenas|exclusiv[ao](?:mente)?)\s+)?(?:n?a\s+)?(?:rede\s+|prestador(?:es)?\s+)?"
    r"(?:credenciad[ao]s?|referenciad[ao]s?|conveniad[ao]s?)"
)
_LIVRE: Final = re.compile(
    r"(?:rede\s+)?(?:livre(?: escolha)?|de livre escolha|abert[ao]|ambas|tod[ao]s?(?: as? redes?)?|qualquer(?: (?:um|uma|rede|prestador))?"
    r"|sem restricao(?: de rede)?|(?:credenciad|referenciad)[ao] (?:e|ou) (?:livre(?: escolha)?|nao (?:credenciad|referenciad)[ao]))"
)
_SO_CODIGO: Final = re.compile(r"\d[\d.\-/]{3,18}\d\*?|\d{1,10}\*?")
_CODIGO_E_NOME: Final = re.compile(r"(?P<codigo>\d[\d.\-/]{5,18}\d)\s*(?:[-–—:]\s+|\s{1,3})(?P<nome>\D.*)", re.DOTALL)
_CIENTIFICO: Final = re.compile(r"\d[.,]\d+e\+?\d+", re.IGNORECASE)
_TUSS: Final = 8
_REAIS: Final = re.compile(r"r\s?\$|\breais\b|\breal\b")
_NO_PERCENTUAL: Final = (
    "traz R$, e R$ não é percentual. A coparticipação de uma regra é só um percentual: "
    "escreva-o, como 20%, e ponha o valor ou o teto em reais em uma coluna de observações."
)


def text(celula: Valor) -> str:
    """A cell as text; of a date, as Brazilians write it."""
    match celula:
        case Porcento(fracao):
            return f"{written(fracao * 100)}%"
        case bool():
            return "sim" if celula else "não"
        case date():
            return f"{celula:%d/%m/%Y}"
        case _:
            return written(celula)


def is_blank(celula: Valor) -> bool:
    """Whether a cell says nothing, a dash included."""
    return celula is None or (isinstance(celula, str) and fold(celula) in _BLANKS)


def strange(celula: Valor) -> Falha | None:
    """What is wrong with a cell whatever is asked of it."""
    match celula:
        case Estranho.FORMULA:
            return Falha("formula_sem_valor", "é uma fórmula sem o valor salvo. Abra e salve a planilha no Excel, ou cole só o valor.")
        case Estranho():
            return Falha("celula_estranha", f"a célula {celula.value}.")
    return None


_REMETE: Final = re.compile(
    r"idem|id\.|ibidem|[\"”“']{1,2}|(?:ver|vide)\s+(?:\w+\s+)*(?:acima|abaixo|anterior|contrato|anexo|obs\w*|nota|tabela|manual)\b.*"
    r"|conf(?:\.|orme)\s+(?:o\s+|a\s+)?(?:contrato|plano|acima|anterior|tabela|manual|anexo|regulamento)\b.*|o mesmo|a mesma|mesma regra"
)


def refers(celula: Valor) -> Falha | None:
    """What is wrong with a cell that only says where else to look: `idem`, `ver acima`, `conf. contrato`."""
    if not isinstance(celula, str) or not _REMETE.fullmatch(fold(celula).strip()):
        return None
    return Falha("remete_a_outro_lugar", f"“{cut(celula.strip())}” remete a outro lugar. Escreva nesta célula o que vale.")


def number_in(escrito: str) -> Decimal | None:
    """A number alone, with Brazilian or other signs: `1.234,56`, `R$ 20`, `30%`; None where it is something else."""
    plain = fold(escrito).replace("r$", "").replace("%", "").replace("\xa0", "").strip()
    if plain in _POR_EXTENSO:
        return Decimal(_POR_EXTENSO[plain])
    if not _NUMBER.fullmatch(plain):
        return None
    if re.fullmatch(r"[+-]?\d{1,3}(?:,\d{3})+\.\d+", plain):
        plain = plain.replace(",", "")
    elif "," in plain or re.fullmatch(r"[+-]?\d{1,3}(?:\.\d{3})+", plain):
        plain = plain.replace(".", "").replace(",", ".")
    try:
        return Decimal(plain)
    except InvalidOperation:
        return None


def plain_number(value: Decimal) -> int | float:
    """A number as a document has it."""
    return int(value) if value == value.to_integral_value() else float(value)


def as_json(celula: Valor) -> Any:
    """The value of a cell that is written as JSON, as what goes out is where plain words would not read back; else None."""
    if isinstance(celula, str) and celula.strip()[:1] in ("[", "{", '"'):
        try:
            return json.loads(celula)
        except ValueError:
            return None
    return None


def quantidade(celula: Valor) -> Lido:
    """A number of any kind, not below zero."""
    return _number(celula, "Escreva só o número, como 2 ou 1,5.")


def dinheiro(celula: Valor) -> Lido:
    """Reais."""
    if isinstance(celula, str) and fold(celula) in _SEM_RESTRICAO:
        return None
    if isinstance(celula, Porcento) or "%" in text(celula):
        return Falha("percentual_no_valor", f"“{cut(text(celula))}” é um percentual, e não um valor. Escreva em reais, como R$ 1.234,56.")
    return _number(celula, "Escreva o valor em reais, como R$ 1.234,56.")


def _number(celula: Valor, how: str) -> Lido:
    read = celula if isinstance(celula, Decimal) else number_in(celula) if isinstance(celula, str) else None
    if read is None:
        return Falha("numero_invalido", f"“{cut(text(celula))}” não é um número. {how}")
    return plain_number(read)


def dias(celula: Valor) -> Lido:
    """Days: `180`, `180 dias`, `6 meses` (of 30), `1 ano` (365), `24 horas` (the days they fill); `sem carência` is none."""
    if isinstance(celula, Decimal):
        return plain_number(celula)
    folded = fold(text(celula))
    if folded in _SEM_NUMERO:
        return 0
    match = _MEASURE.fullmatch(re.sub(r"^(?:ate|de|minimo de|por)\s+", "", folded))
    numero = number_in(match["n"]) if match else None
    if match is None or numero is None:
        return Falha("dias_invalidos", f"“{cut(text(celula))}” não é um prazo. Escreva em dias, como 180, ou como 6 meses.")
    return days_of(numero, match["u"] or "dias")


_URGENCIA: Final = re.compile(
    r"\b(?:em |de |para |casos de )*(?:urgencias?|emergencias?|urg\.?|u/e)(?:\s*(?:/|e|ou)\s*(?:emergencias?))?\b"
)
_PREEXISTENTE: Final = re.compile(
    r"\b(?:se |para |em |de |com |na |no )*"
    r"(?:c\.?p\.?t\.?|cobertura parcial temporaria|(?:doencas? )?preexistentes?|preexistencias?|d\.?l\.?p\.?)\b"
)
_ELETIVA: Final = re.compile(r"\b(?:em |de |para |casos )*(?:eletiv[ao]s?|demais(?: casos)?)\b")


def carencia(celula: Valor) -> Lido:
    """Days to wait; with those of urgency and the months of preexisting diseases where the cell says them: `180 dias / urgência 24h`.

    Days alone where it says no more, else what it says by campo.
    """
    alone = dias(celula)
    if not isinstance(alone, Falha) or not isinstance(celula, str):
        return alone
    found: dict[str, int | float] = {}
    for part in re.split(r"[;,/()\n+]|\s+e\s+(?=.*\d)", _BARRA_E.sub(" ", fold(celula))):
        piece = part.strip(" .:-–—")
        if not piece:
            continue
        campo, reader = "carencia_min_dias", dias
        if _URGENCIA.search(piece):
            campo, piece = "carencia_urgencia_dias", _URGENCIA.sub(" ", piece)
        elif _PREEXISTENTE.search(piece):
            campo, reader, piece = "cpt_meses", meses, _PREEXISTENTE.sub(" ", piece)
        read = reader(" ".join(_ELETIVA.sub(" ", piece).split()).strip(" .:-–—"))
        if isinstance(read, Falha) or campo in found:
            return Falha(
                alone.codigo,
                f"{alone.mensagem} O que vale em urgência e o que vale para doença preexistente podem ficar nas colunas "
                "“Carência em urgência (dias)” e “Cobertura parcial temporária (meses)”.",
            )
        found[campo] = read
    return found


_BARRA_E: Final = re.compile(r"(?<=urgencia)\s*/\s*emergencia|(?<=urgencia) (?:e|ou) emergencia")


def periodo(celula: Valor) -> Lido:
    """The days in which a limit holds, for a column beside that of how many: `ano`, `por mês`, `12 meses`, `365`; 0 is a pedido."""
    folded = fold(text(celula)).strip(" .")
    plain = re.sub(r"^(?:por|ao|a cada|no|na|em|cada|/)\s*", "", folded)
    if plain in ("pedido", "solicitacao", "guia", "autorizacao"):
        return 0
    named = _PERIODOS.get(plain)
    if named is not None:
        return named
    read = dias(plain if isinstance(celula, str) else celula)
    if isinstance(read, Falha) or read == 0:
        return Falha("periodo_invalido", f"“{cut(text(celula))}” não é um período. Escreva como ano, mês, 90 dias, ou pedido.")
    return read


def days_of(numero: Decimal, unidade: str) -> int | float:
    """So many units of time in days; twelve months are a year."""
    if unidade.startswith("h"):
        return plain_number((numero / 24).to_integral_value(rounding="ROUND_CEILING"))
    if unidade.startswith("s"):
        return plain_number(numero * 7)
    if unidade.startswith("m"):
        years, months = divmod(numero, 12)
        return plain_number(years * DIAS_DO_ANO + months * DIAS_DO_MES)
    return plain_number(numero * (DIAS_DO_ANO if unidade.startswith("a") else 1))


def meses(celula: Valor) -> Lido:
    """Months: `24`, `24 meses`, `2 anos`."""
    folded = fold(text(celula))
    match = re.fullmatch(r"([\d.,]+)\s*(mes|meses|m|anos?)?", folded)
    numero = number_in(match[1]) if match else None
    if match is None or numero is None:
        return Falha("meses_invalidos", f"“{cut(text(celula))}” não são meses. Escreva o número de meses, como 24.")
    return plain_number(numero * (12 if (match[2] or "").startswith("a") else 1))


def is_money(celula: Valor) -> bool:
    """Whether a cell says reais."""
    return bool(_REAIS.search(fold(text(celula))))


def porcento(celula: Valor, *, fracao: bool) -> Lido:
    """A percentage of 0 to 100; `fracao` where the sheet writes 0,2 for 20 %."""
    if isinstance(celula, Porcento):
        return plain_number(celula.fracao * 100)
    if isinstance(celula, str) and fold(celula) in _SEM_NUMERO | _NAO:
        return 0
    if is_money(celula):
        return Falha("dinheiro_no_percentual", f"“{cut(text(celula))}” {_NO_PERCENTUAL}")
    read = celula if isinstance(celula, Decimal) else number_in(celula) if isinstance(celula, str) else None
    if read is None:
        return Falha("percentual_invalido", f"“{cut(text(celula))}” não é um percentual. Escreva como 20 ou 20%.")
    return plain_number(read * 100 if fracao and "%" not in text(celula) else read)


def yes_no(celula: Valor) -> bool | None:
    """Yes or no in their many words; None where it is neither."""
    if isinstance(celula, bool):
        return celula
    folded = fold(text(celula)).rstrip(".")
    return True if folded in _SIM else False if folded in _NAO else None


def booleano(celula: Valor) -> Lido:
    """Yes or no."""
    said = yes_no(celula)
    return Falha("sim_ou_nao", f"“{cut(text(celula))}” não é sim nem não. Escreva sim ou não.") if said is None else said


def cobertura(celula: Valor) -> Lido:
    """Whether it is covered."""
    said = yes_no(celula)
    if said is not None:
        return "COBERTA" if said else "NAO_COBERTA"
    found = _COBERTURAS.get(fold(text(celula)).rstrip(".").replace(",", ""))
    return found or Falha("cobertura_desconhecida", f"“{cut(text(celula))}” não diz se cobre. {_COMO_COBRIR}")


def is_for_a_person(celula: Valor) -> bool:
    """Whether a cell of cobertura says that somebody decides each pedido: `rever`."""
    return isinstance(celula, str) and fold(celula).strip(" .") in _PARA_REVER


def tabela(celula: Valor) -> Lido:
    """The table of the code."""
    words = fold(text(celula)).replace("-", " ").split()
    found = next((_TABELAS[word] for word in words if word in _TABELAS), None)
    return found or Falha("tabela_desconhecida", f"“{cut(text(celula))}” não é uma tabela. Escreva TUSS, CBHPM, OUTRA ou todas.")


def sexo(celula: Valor) -> Lido:
    """F or M; both is no restriction."""
    folded = fold(text(celula))
    if folded in _SEM_RESTRICAO or folded in _OS_DOIS:
        return None
    return _SEXOS.get(folded) or Falha("sexo_desconhecido", f"“{cut(text(celula))}” não é sexo. Escreva F ou M, ou deixe vazio.")


def tipo_atendimento(celula: Valor) -> Lido:
    """The kind of attendance, of which deadlines depend."""
    found = _TIPOS.get(fold(text(celula)).replace("_", " ").replace("-", " "))
    return found or Falha(
        "tipo_desconhecido", f"“{cut(text(celula))}” não é um tipo de atendimento. São: {', '.join(sorted(set(_TIPOS.values())))}."
    )


def rede(celula: Valor, titulo: str) -> Lido:
    """Who may carry it out; a yes or no answers the column's heading."""
    said, folded = yes_no(celula), fold(text(celula)).replace("_", " ")
    if said is not None:
        return "LIVRE" if said == ("livre" in fold(titulo)) else "APENAS_CREDENCIADA"
    folded = " ".join(folded.split()).rstrip(" .")
    if _LIVRE.fullmatch(folded):
        return "LIVRE"
    if _CREDENCIADA.fullmatch(folded):
        return "APENAS_CREDENCIADA"
    mensagem = "não diz a rede. Escreva credenciada ou livre; o que mais ela exige, em uma coluna de observações."
    return Falha("rede_desconhecida", f"“{cut(text(celula))}” {mensagem}")


def idade(celula: Valor) -> Lido:
    """An age in whole years; no restriction where it says so."""
    folded = fold(text(celula))
    if folded in _SEM_RESTRICAO:
        return None
    match = re.fullmatch(r"(\d{1,3})\s*(?:anos?|a)?(?: completos)?", folded)
    return int(match[1]) if match else Falha("idade_invalida", f"“{cut(text(celula))}” não é uma idade. Escreva os anos, como 18.")


_FAIXA: Final = re.compile(r"(?:de |entre )?(\d{1,3})(?: anos?)?\s*(?:a|ate|e|-|–|—)\s*(\d{1,3})(?: anos?)?")
_ATE_O_FIM_DO_ANO: Final = re.compile(r",?\s*11 meses(?: e|,)? (?:29|30) dias")
_MINIMA: Final = re.compile(
    r"(?:a partir de|maior ou igual a|minim[oa] (?:de )?|min\.?:?|desde|≥|>=)\s*(\d{1,3})(?: anos?)?"
    r"|(\d{1,3})(?: anos?)?\s*(?:\+|ou mais|em diante)"
)
_MAXIMA: Final = re.compile(r"(?:ate|maxim[oa] (?:de )?|max\.?:?|menor ou igual a|≤|<=)\s*(?:os )?(\d{1,3})(?: anos?)?")
_ABAIXO: Final = re.compile(r"(?:menor(?:es)? de|menor(?:es)? que|<)\s*(\d{1,3})(?: anos?)?")


def faixa(celula: Valor) -> Lido:
    """A span of ages, as a pair of bounds: `18 a 65 anos`, `a partir de 18`, `menores de 12` (up to 11)."""
    folded = _ATE_O_FIM_DO_ANO.sub("", fold(text(celula)).replace("idade ", "")).strip(" .")
    if folded in _SEM_RESTRICAO or folded in ("todas as idades", "qualquer idade"):
        return None
    if match := _FAIXA.fullmatch(folded):
        return (int(match[1]), int(match[2]))
    if match := _MINIMA.fullmatch(folded):
        return (int(match[1] or match[2]), None)
    if match := _MAXIMA.fullmatch(folded):
        return (None, int(match[1]))
    if (match := _ABAIXO.fullmatch(folded)) and int(match[1]):
        return (None, int(match[1]) - 1)
    return Falha("faixa_invalida", f"“{cut(text(celula))}” não é uma faixa de idade. Escreva como 18 a 65 anos, a partir de 18, ou até 12.")


_UM_TUSS: Final = r"(?<!\d)(?:\d\.\d{2}\.\d{2}\.\d{2}-?\d|\d{7}-\d|\d{8})(?!\d)"
_BARRA_ENTRE: Final = re.compile(rf"({_UM_TUSS})\s*/\s*(?={_UM_TUSS})")
_ATE: Final = r"(?:\s+(?:a|à|ao|até|ate|à?\s*a)\s+|\s*(?:\.{2,}|…)\s*)"
_E_SEGUINTES: Final = re.compile(r"\d[\s,]*(?:e\s+)?(?:(?:os\s+)?(?:demais|seguintes)|em diante|etc)\b", re.IGNORECASE)
_FAIXA_DE_CODIGOS: Final = re.compile(
    rf"(?:de\s+|do\s+)?(?:{_UM_TUSS}\s*[-–—]\s*{_UM_TUSS}|\d[\d.\-/]{{3,18}}(?:{_ATE}|\s+[-–—]\s+)\d[\d.\-/]{{3,18}})", re.IGNORECASE
)
_ENTRE_CODIGOS: Final = re.compile(r"[;,\n|]|\s+(?:e|ou|&|\+)\s+|\s/\s", re.IGNORECASE)
_ENTRE_CODIGOS_COM_NOME: Final = re.compile(r"[;\n|]")
_UM_CODIGO: Final = re.compile(r"[^\s;,|]*\d[^\s;,|]*")
_CORINGA_EM_LETRAS: Final = re.compile(r"(?P<inicio>\d[\d.\-/]*?)(?P<resto>[xX?#%][xX?#%.\-/]*)")
_FORA_DO_CODIGO: Final = re.compile(rf"(?<![\w.\-/]){_UM_TUSS}(?![\w*])")


def codigos(celula: Valor) -> Lido:
    """Each code in a cell with the name that stands beside it: `4.03.04.36-1`, `40304361 - Hemograma`, `40304361; 40304370`.

    Several are parted by `;`, commas, lines, bars or an `e`; what names several in another way is a fault, as some would be lost.
    """
    if isinstance(celula, date) and not isinstance(celula, bool):
        return Falha("codigo_virou_data", "o código virou uma data. Formate a célula como texto e escreva-o de novo.")
    if isinstance(celula, Decimal):
        if celula != celula.to_integral_value() or celula < 0:
            return Falha("codigo_invalido", f"“{cut(text(celula))}” não é um código. Formate a célula como texto e escreva-o de novo.")
        return [(str(int(celula)), "")]
    escrito = text(celula)
    if escrito.isascii() and escrito.isdigit():
        return [(escrito, "")]
    if _CIENTIFICO.fullmatch(escrito):
        return Falha(
            "codigo_cientifico", f"“{cut(escrito)}” é um código que a planilha arredondou. Formate a célula como texto e escreva-o de novo."
        )
    parted = _BARRA_ENTRE.sub(r"\1;", escrito)
    parts = [part.strip() for part in _ENTRE_CODIGOS.split(parted) if part.strip()]
    if (shorthand := _shorthand(escrito, parts)) is not None:
        return shorthand
    if len(parts) > 1 and all(map(_SO_CODIGO.fullmatch, parts)):
        return [(part, "") for part in dict.fromkeys(map(normalize_padrao, parts))]
    named = [part.strip() for part in _ENTRE_CODIGOS_COM_NOME.split(parted) if part.strip()]
    if len(named) > 1 and all(_CODIGO_E_NOME.fullmatch(part) or _UM_CODIGO.fullmatch(part) for part in named):
        each = [_code_and_name(part) for part in named]
        return next((one for one in each if isinstance(one, Falha)), each)
    return one if isinstance(one := _code_and_name(escrito), Falha) else [one]


def _shorthand(escrito: str, parts: Sequence[str]) -> Falha | None:
    """Why a text that means more codes than it writes is a fault: a range, a prefix in letters, the last figures alone."""
    if any(map(_FAIXA_DE_CODIGOS.match, parts)):
        return Falha(
            "faixa_de_codigos",
            f"“{cut(escrito)}” é uma faixa de códigos. Escreva os códigos separados por ponto e vírgula, ou o começo que têm em comum, "
            "como 4030*.",
        )
    wild = next((found for part in parts if (found := _wildcard(part))), None)
    if wild is not None:
        return Falha("coringa_em_letras", f"“{cut(escrito)}” não é um código. Se são todos os que começam assim, escreva {wild}.")
    short = next((part for part in parts[1:] if part.isdigit() and parts[0].isdigit() and len(part) < len(parts[0])), None)
    if short is not None or _E_SEGUINTES.search(escrito):
        return Falha(
            "codigo_abreviado",
            f"“{cut(escrito)}” diz parte dos códigos de um jeito abreviado. Escreva cada código inteiro, separados por ponto e vírgula.",
        )
    return None


def _code_and_name(escrito: str) -> tuple[str, str] | Falha:
    """The one code that a text begins with or is, and what follows it."""
    match = _CODIGO_E_NOME.fullmatch(escrito)
    codigo, nome = (match["codigo"], match["nome"].strip()) if match else (escrito, "")
    normal = normalize_padrao(codigo)
    among = (normalize_padrao(found) for found in _FORA_DO_CODIGO.findall(nome if match else codigo))
    if any(found != normal for found in among):
        return Falha(
            "codigo_entre_palavras",
            f"“{cut(escrito)}” traz um código no meio de palavras. Escreva só o código; sendo vários, separe-os com ponto e vírgula.",
        )
    return codigo, nome


def _wildcard(part: str) -> str | None:
    """The prefix that `403043xx` means; None where the letters may be of the code itself."""
    match = _CORINGA_EM_LETRAS.fullmatch(part)
    if match is None:
        return None
    figures, signs = re.sub(r"\D", "", match["inicio"]), re.sub(r"[.\-/]", "", match["resto"])
    return f"{figures}*" if len(signs) > 1 or len(figures) == _TUSS - 1 else None


def is_long(codigo: str) -> bool:
    """Whether a code is of figures alone and has more of them than a TUSS code."""
    return codigo.isascii() and codigo.isdigit() and len(codigo) > _TUSS


def lost_zeros(celula: Valor) -> bool:
    """Whether a code came as a number too short for a TUSS code, so that zeros before it may be gone."""
    return isinstance(celula, Decimal) and 0 <= celula < 10 ** (_TUSS - 1)


def dia(celula: Valor) -> Lido:
    """A date, as ISO."""
    if isinstance(celula, date) and not isinstance(celula, bool):
        return celula.isoformat()
    with suppress(ValueError):
        return date.fromisoformat(text(celula)).isoformat()
    return read_date(text(celula)) or Falha("data_invalida", f"“{cut(text(celula))}” não é uma data. Escreva como 31/01/2026.")
