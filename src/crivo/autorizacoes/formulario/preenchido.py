"""What somebody typed into the form, as a pedido, or what is wrong with it field by field. Pure. Source: design, The workbench."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.formulario.documentos import read_names
from crivo.autorizacoes.formulario.procura import Administradora, Indice
from crivo.autorizacoes.palavras import OU, count
from crivo.autorizacoes.politicas.codigos import fold_documento, fold_id, normalize_codigo
from crivo.kernel.linguagem.datas_escritas import read_date
from crivo.kernel.linguagem.numeros import number_written

TABELAS: Final = ("TUSS", "CBHPM", "OUTRA")
PRESTADORES: Final = ("CREDENCIADO", "NÃO_CREDENCIADO")
NAO_SEI: Final = "NAO_SEI"
SOLICITANTES: Final = ("MEDICO", "CLINICA", "HOSPITAL")
MAIS_LONGO: Final = 200
_IDADE_MAXIMA: Final = 130
_CARENCIA_MAXIMA: Final = _IDADE_MAXIMA * 366
_QUANTIDADE_MAXIMA: Final = 99_999
_TEXTOS_MAXIMO: Final = 2_000
_USOS_MAXIMO: Final = 100
_MOEDA: Final = re.compile(r"r\$", re.IGNORECASE)
_USO: Final = re.compile(r"(?P<data>\S+)(?:\s*[-–:;,]?\s+(?P<quantidade>[\d.,]+))?")


@dataclass(frozen=True, slots=True)
class Preenchido:
    """The fields as they were typed, and the documents that were ticked."""

    campos: Mapping[str, str]
    documentos: tuple[str, ...] = ()

    def of(self, campo: str) -> str:
        """A field, without blanks around it."""
        return self.campos.get(campo, "").strip()


@dataclass(slots=True)
class Lido:
    """The pedido so far, and what is wrong, by field."""

    pedido: dict[str, Any] = field(default_factory=dict)
    faltas: dict[str, str] = field(default_factory=dict)


def read_preenchido(preenchido: Preenchido, indice: Indice, regra: Regra | None, dia: date, pedido_id: str) -> Lido:
    """The pedido that the form states on a day; `faltas` has what to do about each field at fault, in the form's order."""
    lido = Lido()
    administradora = _administradora(preenchido, indice, lido)
    plano = _required(preenchido, "plano", "Escreva o plano do beneficiário.", lido)
    if administradora is not None:
        plano = _known_plano(plano, administradora, lido)
    codigo = normalize_codigo(preenchido.of("codigo"))
    if not codigo:
        lido.faltas["procura"] = "Procure o procedimento e escolha um da lista."
    quantidade = _number(preenchido, "quantidade", "Escreva quantas unidades, como 1.", lido, required=True)
    if quantidade is not None and (falta := _quantity_fault(quantidade, preenchido.of("tabela"))):
        lido.faltas["quantidade"] = falta
    procedimento: dict[str, Any] = {"codigo": codigo, "quantidade": quantidade}
    if preenchido.of("tabela") in TABELAS:
        procedimento["tabela"] = preenchido.of("tabela")
    nome = indice.descricao(administradora.id, codigo) if administradora else ""
    if nome:
        procedimento["descricao"] = nome
    needs_value = regra is not None and bool(regra.valor_maximo)
    valor = _number(preenchido, "valor", "Escreva o valor em reais, como 1.234,56.", lido, required=needs_value)
    if valor is not None:
        procedimento["valor"] = valor
    lido.pedido = {
        "pedido_id": preenchido.of("pedido_id") or pedido_id,
        "administradora_id": administradora.id if administradora else "",
        "plano_id": plano,
        "data_pedido": dia.isoformat(),
        "beneficiario": _beneficiario(preenchido, regra, dia, lido),
        "procedimento": procedimento,
        "urgencia": preenchido.of("urgencia") == "sim",
        "documentos_anexos": [{"tipo": tipo} for tipo in documents_of(preenchido, regra)],
    }
    _of_care(preenchido, dia, lido)
    if regra is not None and regra.limites:
        _history(preenchido, codigo, dia, lido)
    for campo, valor_escrito in preenchido.campos.items():
        if len(valor_escrito) > (_TEXTOS_MAXIMO if campo in ("usos", "preexistencias", "outros_documentos") else MAIS_LONGO):
            lido.faltas.setdefault(campo, "O texto é longo demais. Encurte-o.")
    return lido


def documents_of(preenchido: Preenchido, regra: Regra | None) -> list[str]:
    """The documents that are told to be at hand: those ticked, and those written, by the name that they plainly are or as they stand."""
    tipos, outros = read_names(names_written(preenchido), regra)
    return list(dict.fromkeys(tipo for one in (*preenchido.documentos, *tipos, *outros) if (tipo := fold_documento(one))))


def names_written(preenchido: Preenchido) -> list[str]:
    """The names of documents that were written, each by itself."""
    return [one.strip() for one in re.split(r"[;,\n]", preenchido.of("outros_documentos")) if one.strip()]


def with_documents_read(preenchido: Preenchido, regra: Regra | None) -> Preenchido:
    """The same with the documents that were known by their written names ticked: whoever fills it in sees what they were taken for."""
    tipos, outros = read_names(names_written(preenchido), regra)
    if not tipos:
        return preenchido
    ticked = tuple(dict.fromkeys((*preenchido.documentos, *tipos)))
    return Preenchido({**preenchido.campos, "outros_documentos": "\n".join(outros)}, ticked)


def not_recognised(preenchido: Preenchido, regra: Regra | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The written names that no document goes by, and what the regra asks for and is missing, as RF4 tells it; both empty but together."""
    if regra is None:
        return (), ()
    came = set(documents_of(preenchido, regra))
    faltam = [tipo for tipo in regra.documentos_obrigatorios if tipo not in came]
    faltam += [OU.join(grupo) for grupo in regra.documentos_alternativos or () if came.isdisjoint(grupo)]
    _, outros = read_names(names_written(preenchido), regra)
    return (outros, tuple(faltam)) if outros and faltam else ((), ())


def encode_pedido(pedido: Mapping[str, Any]) -> bytes:
    """The pedido as it is sent: the same bytes for the same fields."""
    return msgspec.json.encode(pedido)


def _quantity_fault(quantidade: int | float, tabela: str) -> str:
    """What is wrong with a quantity; of procedures there are whole ones, and what OUTRA lists may come by halves, as RF1 has it."""
    if quantidade <= 0:
        return "A quantidade deve ser maior que zero."
    if quantidade > _QUANTIDADE_MAXIMA:
        return "A quantidade é grande demais. Confira-a."
    if isinstance(quantidade, float) and (quantidade < 1 or tabela != "OUTRA"):
        return "Escreva um número inteiro, como 2. Só o que é de outra tabela se pede em partes."
    return ""


def _administradora(preenchido: Preenchido, indice: Indice, lido: Lido) -> Administradora | None:
    found = indice.find(preenchido.of("administradora"))
    if found is None:
        lido.faltas["administradora"] = "Escolha a administradora."
    return found


def _known_plano(plano: str, administradora: Administradora, lido: Lido) -> str:
    """The plano as the administradora spells it; one that it does not have is told, with those it has."""
    known = next((one for one in administradora.planos if fold_id(one) == fold_id(plano)), None)
    if known is None and plano and administradora.planos:
        lido.faltas["plano"] = f"{administradora.id} não tem este plano. Os planos são: {', '.join(administradora.planos[:20])}."
    return known or plano


def _required(preenchido: Preenchido, campo: str, falta: str, lido: Lido) -> str:
    valor = preenchido.of(campo)
    if not valor:
        lido.faltas[campo] = falta
    return valor


def _number(preenchido: Preenchido, campo: str, falta: str, lido: Lido, *, required: bool = False) -> int | float | None:
    written = _MOEDA.sub("", preenchido.of(campo)).strip()
    if not written:
        if required:
            lido.faltas[campo] = falta
        return None
    read = number_written(written)
    if read is None or read < 0:
        lido.faltas[campo] = falta
        return None
    return read


def _beneficiario(preenchido: Preenchido, regra: Regra | None, dia: date, lido: Lido) -> dict[str, Any]:
    found: dict[str, Any] = {"id": _required(preenchido, "beneficiario", "Escreva o número da carteirinha.", lido)}
    _age(preenchido, dia, found, lido)
    if preenchido.of("sexo") in ("F", "M"):
        found["sexo"] = preenchido.of("sexo")
    elif regra is not None and regra.sexo:
        lido.faltas["sexo"] = "Escolha o sexo: esta regra depende dele."
    carencia = _number(preenchido, "carencia", "Escreva os dias de plano já cumpridos, como 200.", lido)
    if carencia is not None and carencia > _CARENCIA_MAXIMA:
        lido.faltas["carencia"] = f"São dias demais: mais de {_IDADE_MAXIMA} anos. Confira, e escreva como 200."
    elif carencia is not None:
        found["carencia_cumprida_dias"] = carencia
    preexistencias = [one.strip() for one in re.split(r"[;\n]", preenchido.of("preexistencias")) if one.strip()]
    if preexistencias:
        found["preexistencias"] = preexistencias
    elif preenchido.of("sem_preexistencias") == "sim":
        found["preexistencias"] = []
    return found


def _age(preenchido: Preenchido, dia: date, found: dict[str, Any], lido: Lido) -> None:
    """The date of birth, or the age, into the beneficiário."""
    nascimento, idade = preenchido.of("nascimento"), preenchido.of("idade")
    anos: int | None = None
    if nascimento:
        read = read_date(nascimento)
        anos = _years(read, dia) if read else None
        if anos is None or not 0 <= anos <= _IDADE_MAXIMA:
            lido.faltas["nascimento"] = f"Escreva a data de nascimento como 31/01/1980, de alguém de até {_IDADE_MAXIMA} anos."
        else:
            found["data_nascimento"] = read
    if idade:
        if not (idade.isascii() and idade.isdigit() and int(idade[:4]) <= _IDADE_MAXIMA):
            lido.faltas["idade"] = "Escreva a idade em anos completos, de 0 a 130."
        elif "data_nascimento" in found and int(idade) != anos:
            lido.faltas["idade"] = f"Pela data de nascimento são {count(anos or 0, 'ano', 'anos')}. Deixe só a data, ou só a idade."
        else:
            found["idade"] = int(idade)


def _years(nascimento: str, dia: date) -> int:
    """Whole years of age on a day; below zero for whoever is not born yet."""
    born = date.fromisoformat(nascimento)
    return dia.year - born.year - ((dia.month, dia.day) < (born.month, born.day))


def _of_care(preenchido: Preenchido, dia: date, lido: Lido) -> None:
    if preenchido.of("solicitante") in SOLICITANTES:
        lido.pedido["solicitante"] = {"tipo": preenchido.of("solicitante")}
    if preenchido.of("prestador") in PRESTADORES:
        lido.pedido["prestador"] = {"tipo": preenchido.of("prestador")}
    elif preenchido.of("prestador") != NAO_SEI:
        lido.faltas["prestador"] = "Diga se o prestador é da rede credenciada, ou que não sabe."
    prevista = preenchido.of("data_prevista")
    if prevista:
        read = read_date(prevista)
        if read is None:
            lido.faltas["data_prevista"] = "Escreva a data como 31/01/2026, ou deixe vazio."
        elif read < dia.isoformat():
            lido.faltas["data_prevista"] = "Esta data já passou. Corrija-a, ou deixe vazio."
        else:
            lido.pedido["data_prevista"] = read


def _history(preenchido: Preenchido, codigo: str, dia: date, lido: Lido) -> None:
    """Earlier uses, one a line: a date and how many."""
    lines = [line.strip() for line in preenchido.of("usos").splitlines() if line.strip()]
    if not lines and preenchido.of("sem_usos") == "sim":
        lido.pedido["historico"] = []
    if not lines:
        return
    usos = [_use(line, codigo, dia) for line in lines[:_USOS_MAXIMO]]
    if None in usos or len(lines) > _USOS_MAXIMO:
        lido.faltas["usos"] = "Escreva um uso por linha, com a data e a quantidade, como 05/03/2026 2."
    else:
        lido.pedido["historico"] = usos


def _use(line: str, codigo: str, dia: date) -> dict[str, Any] | None:
    match = _USO.fullmatch(line)
    read = read_date(match["data"]) if match else None
    quantidade = number_written(match["quantidade"]) if match and match["quantidade"] else 1
    if read is None or read > dia.isoformat() or not quantidade:
        return None
    return {"codigo": codigo, "data": read, "quantidade": quantidade}


def of_what_is_typed(preenchido: Preenchido, faltas: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with the fields that somebody filled in, without those that are empty yet."""
    return {campo: falta for campo, falta in faltas.items() if preenchido.of(campo)}


def in_order(faltas: Mapping[str, str], ordem: Sequence[str]) -> list[tuple[str, str]]:
    """What is wrong in the order in which the form asks."""
    place = {campo: at for at, campo in enumerate(ordem)}
    return sorted(faltas.items(), key=lambda one: place.get(one[0], len(place)))
