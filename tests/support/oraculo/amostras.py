"""The pools that pedidos and políticas are drawn from, and each value in every form that the trade writes it."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from oraculo.normalizacao import CANONICOS
from oraculo.valores import MESES

Sorte = random.Random

ADMINISTRADORAS = ("ADM-001", "ADM-001", "ADM-001", "012345", "ADM-9")
PLANOS = ("OURO", "PRATA", "0007")
CODIGOS = ("40304361", "40304370", "40301010", "41101014", "50101012", "RM-CRANIO", "4030", "00010014")
PADROES = (*CODIGOS, *CODIGOS, "4.03.04.36-1", " rm-cranio", "4030*", "40*", "4*", "5010*", "RM*", "40.30.4*", "*", "*", "*", "*")
TABELAS = ("TUSS", "CBHPM", "OUTRA")
TIPOS_DE_DOCUMENTO = ("LAUDO_MEDICO", "PEDIDO_MEDICO", "EXAME_PREVIO", "RELATORIO_CLINICO")
COMO_SE_ESCREVE = {
    "LAUDO_MEDICO": ("LAUDO_MEDICO", "Laudo médico", "laudo-medico", "  LAUDO   MÉDICO ", "laudo/médico.", "Laudo_Médico"),
    "PEDIDO_MEDICO": ("PEDIDO_MEDICO", "Pedido Médico", "pedido medico", "__pedido médico__", "PEDIDO-MÉDICO"),
    "EXAME_PREVIO": ("EXAME_PREVIO", "Exame prévio", "exame  previo", "EXAME (PRÉVIO)"),
    "RELATORIO_CLINICO": ("RELATORIO_CLINICO", "Relatório clínico", "relatório: clínico"),
}
DIA_UM = date(2026, 1, 1)
VERSOES = ("1.0", "2.0", "3.1", "3.9", "3.10", "10.0", "2026-a", "2026-1", "rascunho-2")


def chance(sorte: Sorte, de_cem: int) -> bool:
    return sorte.randrange(100) < de_cem


def write_data(sorte: Sorte, dia: date) -> Any:
    curta = f"{dia.day}{{0}}{dia.month}{{0}}{dia.year}"
    hora = sorte.choice(("10:30:00", "00:00:00Z", "23:59:59-03:00", "08:00", "10:30:00.123", "10:30:00.123456+00:00"))
    return sorte.choice(
        (
            *(dia.isoformat(), dia.isoformat(), f"{dia:%d/%m/%Y}", f"{dia:%d/%m/%Y}", f"{dia:%d-%m-%Y}", f"{dia:%d.%m.%Y}"),
            *(f"{dia:%Y/%m/%d}", f"{dia:%Y%m%d}", int(f"{dia:%Y%m%d}"), f"{dia.isoformat()}T{hora}", f"  {dia:%d/%m/%Y}\t"),
            *(f"{dia:%d/%m/%Y} 14:30", f"{dia:%d-%m-%Y} 08:05:59", f"{dia.day} de {MESES[dia.month - 1]} de {dia.year}"),
            *(curta.format("/"), curta.format("-"), curta.format(".")),
        )
    )


DATAS_RUINS: tuple[Any, ...] = (
    *("31/02/2026", "2026-02-29", "2026-13-01", "00/01/2026", "05/10-2026", "1899-12-31", "2200-01-01", "01/01/99", "ontem"),
    *(
        "05/10/26",
        "26-10-05",
        "05/10/2026 2:30 PM",
        "05/10/2026 25:00",
        "5 de onzembro de 2026",
        "2026.10.05",
        "2026-10-05T25:00:00",
        "2026-10-05Tdez",
        "20261305",
        2026105,
        20260230,
        20260105.5,
        True,
        [],
        {},
        ["2026-10-05"],
    ),
)


def write_numero(sorte: Sorte, valor: float) -> Any:
    """The same amount as integer, float, or text, with comma or point."""
    inteiro = int(valor)
    if valor == 1234.5:
        return sorte.choice((valor, "1.234,5", "+1.234,50", " 1234,5 "))
    if inteiro != valor:
        return sorte.choice((valor, str(valor), str(valor).replace(".", ","), f" {valor} "))
    return sorte.choice(
        (inteiro, inteiro, inteiro, float(inteiro), str(inteiro), f" {inteiro}", f"{inteiro},0", f"{inteiro}.00", f"+{inteiro}")
    )


NUMEROS_RUINS: tuple[Any, ...] = (
    *("1.000", "2,000", "R$ 2,00", "muitos", "1e3", "1,2,3", "inf", "NaN", "- 1", "--1", "1.23,4", "12,3.4", "1 000", "0x10"),
    *(True, False, [], [2], {}, {"valor": 2}),
)


def draw_dia(sorte: Sorte) -> date:
    """A day on or beside the edges that the políticas and the birthdays have."""
    return DIA_UM + timedelta(days=sorte.choice((0, 0, 1, 29, 30, 58, 59, 180, 200, 300, 300, -1, -300, sorte.randrange(-420, 420))))


def draw_data(sorte: Sorte) -> Any:
    if chance(sorte, 3):
        return sorte.choice(DATAS_RUINS)
    if chance(sorte, 1):
        return write_data(sorte, sorte.choice((date(2031, 6, 1), date(2199, 12, 31), date(1900, 1, 1))))
    return write_data(sorte, draw_dia(sorte))


def draw_nascimento(sorte: Sorte) -> Any:
    if chance(sorte, 8):
        return sorte.choice((*DATAS_RUINS, "2027-12-31", "2199-01-01"))
    if chance(sorte, 6):
        return sorte.choice(("10/10/70", "1.2.25", "31/12/26", "05/06/1985 00:00", "29/02/27"))
    if chance(sorte, 10):
        return write_data(sorte, date(sorte.choice((1904, 1984, 2008)), 2, 29))
    ano = sorte.choice((1900, 1966, 1970, 1985, 2008, 2024, 2026))
    return write_data(sorte, draw_dia(sorte).replace(year=ano))


def draw_codigo(sorte: Sorte) -> Any:
    codigo = sorte.choice(CODIGOS)
    if not codigo.isdigit():
        return sorte.choice((codigo, codigo.lower(), f" {codigo} ", "rm -cranio", "Rm-CRANIO", "rm-crânio"))
    pontuado, barrado = f"{codigo[0]}.{codigo[1:3]}.{codigo[3:-1]}-{codigo[-1]}", f"{codigo[:4]}/{codigo[4:]}"
    espacado = (f" {codigo}\u00a0", f"{codigo[:4]} {codigo[4:]}")
    return sorte.choice((codigo, codigo, codigo, *espacado, pontuado, barrado, int(codigo), float(codigo), codigo.lstrip("0")))


SITUACOES = (
    *("REJEITADO", "Recusada", "vencido", "expired", "Pendente", "aprovado", "Enviado", "OK", "em análise", None, ""),
    *("recusada pela auditoria", "Pendente de envio", "aprovado com ressalvas"),
)


def draw_documentos(sorte: Sorte) -> Any:
    itens: list[Any] = []
    for _ in range(sorte.randrange(0, 5)):
        tipo = sorte.choice(COMO_SE_ESCREVE[sorte.choice(TIPOS_DE_DOCUMENTO)])
        itens.append(sorte.choice((tipo, {"tipo": tipo}, {"tipo": tipo, "arquivo": "a.pdf", "paginas": 2})))
        if chance(sorte, 10):
            situacao = sorte.choice(SITUACOES)
            validade = write_data(sorte, draw_dia(sorte)) if chance(sorte, 80) else sorte.choice(("30 dias", "13/2027", [], None))
            if chance(sorte, 15):
                validade = f"{draw_dia(sorte):{sorte.choice(('%m/%Y', '%Y-%m'))}}"
            motivo = sorte.choice(("Sem assinatura.", "", "-", None))
            ditos = [("status", situacao), ("validade", validade), ("motivo_recusa", motivo)]
            itens.append({"tipo": tipo, **dict(sorte.sample(ditos, sorte.randrange(1, 3)))})
    if chance(sorte, 5):
        itens.append(sorte.choice(("", "  ", "--", {"tipo": ""}, "Outro papel")))
    if chance(sorte, 1):
        itens.append(sorte.choice((None, 7, True, [], {}, {"tipo": None}, {"tipo": 3}, {"nome": "laudo"})))
    return itens


def draw_quantidade(sorte: Sorte) -> Any:
    if chance(sorte, 4):
        return sorte.choice((*NUMEROS_RUINS, 0, -1, "0", "-2", "", 0.0))
    return write_numero(sorte, sorte.choice((1, 1, 2, 2, 3, 4, 10, 11, 0.5, 2.5, 2.75)))


def draw_carencia(sorte: Sorte) -> Any:
    if chance(sorte, 6):
        return sorte.choice((*NUMEROS_RUINS, -1, "-5", "", "-5 dias", "6 meses", "um ano", "dias"))
    if chance(sorte, 8):
        return f"{write_numero(sorte, sorte.choice((0, 24, 180, 400)))}{sorte.choice((' dias', ' DIAS', 'd', ' dia', ' days.'))}"
    return write_numero(sorte, sorte.choice((0, 0.5, 1, 23.5, 24, 100, 179.5, 180, 299, 300, 400, 400, 1234.5)))


def one_of(*valores: Any) -> Callable[[Sorte], Any]:
    return lambda sorte: sorte.choice(valores)


VALORES: dict[str, Callable[[Sorte], Any]] = {
    "pedido_id": one_of("P-1", "00012", 12, 12.0, 12.5, " P-2 ", "Guia nº 3"),
    "administradora_id": one_of(*ADMINISTRADORAS),
    "plano_id": one_of(*PLANOS, *PLANOS, " OURO ", "PRATA", "ouro", "Ouro", "Óuro", "O U R O", 7, "07", "Bronze", "bronze  plus"),
    "data_pedido": draw_data,
    "data_prevista": draw_data,
    "urgencia": one_of(
        *(True, False, "sim", "Não", "S", "n", "TRUE", "falso", "Verdadeiro", "1", "0", 1, 0, " SIM ", "false", "NAO"),
        *("urgente", "URGENT", "Eletivo", "não urgente", "no", "yes", "routine", "De rotina", "emergência", "U", "E"),
        *("talvez", 2, [], {}, "", "sim, por favor"),
    ),
    "beneficiario.id": one_of("B-1", "0001.22", 9, " B-2"),
    "beneficiario.idade": one_of(
        *(5, 17, 18, 30, 40, 59, 60, 61, 130, 0, "40", 40.0, " 18 ", "007"),
        *(131, -1, "131", "-1", "quarenta", 40.5, "40.5", True, False, [], {}, ""),
        *(
            "45 anos",
            "17a",
            "61 ANOS",
            "8 meses",
            "18 meses",
            "20 dias",
            "400 dias",
            "-5 anos",
            "131 anos",
            "45 semanas",
            "45 anos e 2 meses",
            "17 anos e 11 meses",
            "45 anos e 12 meses",
        ),
    ),
    "beneficiario.data_nascimento": draw_nascimento,
    "beneficiario.carencia_cumprida_dias": draw_carencia,
    "beneficiario.preexistencias": one_of(
        *(True, False, ["asma"], [], {"cid": "J45"}, "asma", 0, [None], "Nenhuma", "não", "não informado", ["não informado", "asma"])
    ),
    "procedimento.codigo": draw_codigo,
    "procedimento.tabela": one_of(
        "TUSS", "TUSS", "tuss", " Tuss ", "CBHPM", "cbhpm", "outra", "OUTRA", "TUSS", "AMB-92", 22, "22", "98", "18", 94
    ),
    "procedimento.descricao": one_of("Hemograma", "  Ressonância  ", "", 5),
    "procedimento.quantidade": draw_quantidade,
    "solicitante.tipo": one_of("MEDICO", "médico", "Clínica", "hospital", "HOSPITAL ", "dentista", 3),
    "prestador.tipo": one_of(
        *("CREDENCIADO", "CREDENCIADO", "credenciado", " Credenciado", "NÃO_CREDENCIADO", "não credenciado"),
        *(
            "NAO-CREDENCIADO",
            "nao  _ credenciado",
            "livre",
            "credenciada",
            "Não credenciada",
            "fora da rede",
            "rede própria",
            "Rede Credenciada",
            "Cred",
            "S",
        ),
        *("na rede", "out of network", "parceiro"),
    ),
    "documentos_anexos": draw_documentos,
}
FREQUENCIA = dict.fromkeys(CANONICOS, 99) | {
    "data_pedido": 85,
    "data_prevista": 40,
    "urgencia": 55,
    "beneficiario.idade": 70,
    "beneficiario.data_nascimento": 40,
    "beneficiario.carencia_cumprida_dias": 88,
    "beneficiario.preexistencias": 25,
    "procedimento.tabela": 80,
    "procedimento.descricao": 50,
    "documentos_anexos": 85,
}


# --- what came after the PRD


def draw_valor(sorte: Sorte) -> Any:
    if chance(sorte, 8):
        return sorte.choice(("1.234", "caro", -1, "-5", True, [], {"valor": 3}, ""))
    valor = sorte.choice((0, 100, 999.9, 1000, 1000, 1500.5, 2000))
    return sorte.choice((valor, valor, f"R$ {valor:.2f}".replace(".", ","), "R$ 1.000", "R$ 1.234,56", "R$ 1.500"))


def draw_historico(sorte: Sorte) -> Any:
    if chance(sorte, 4):
        return sorte.choice(("nenhum", {}, 3, True))
    usos: list[Any] = []
    for _ in range(sorte.choice((0, 1, 1, 2, 3))):
        uso = {
            "codigo": sorte.choice(CODIGOS),
            "data": write_data(sorte, draw_dia(sorte)),
            "quantidade": sorte.choice((1, 1, 2, "2", 0, 0.5, "3,0")),
        }
        if chance(sorte, 15):
            uso[sorte.choice(tuple(uso))] = sorte.choice((None, "?", "", [], -1, "ontem"))
        usos += [uso] * (2 if chance(sorte, 5) else 1)
    if chance(sorte, 2):
        usos.append(sorte.choice((None, "x", 3, [])))
    return usos


COMPLEMENTARES: dict[str, Callable[[Sorte], Any]] = {
    "beneficiario.sexo": one_of("F", "F", "M", "M", "feminino", "MASCULINO", "Mulher", "homem", "X", 1, "", "ignorado", True),
    "procedimento.valor": draw_valor,
    "historico": draw_historico,
}
