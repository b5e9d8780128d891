"""An unseen call: 34 papers with what should be said of each, as printers, scanners and telephones spoil them.

Set apart: it was written before the reading was changed, and was looked at once, when that was done. What the papers say in clean
letters is judged rightly by habilitação, so that what fails here fails in the reading of the image.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from PIL import Image
from reportlab.lib.colors import HexColor

from crivo.triagem.edital import EmitidoNoMaximoDiasAntes, Proponente, RequisitoDocumento, Validade, ValidoEm
from digitalizados import Lote, Sorte, askew, at_dots, copied, drawn, noisy, photographed, shaded, side_by_side, slope_of_light, turned
from papeis_de_fora import (
    GROSSA,
    INCLINADA,
    MAQUINA,
    MAQUINA_GROSSA,
    SEM_SERIFA,
    SERIFA,
    SERIFA_GROSSA,
    Pessoa,
    Prancheta,
)

REFERENCIA: Final = date(2027, 3, 20)
AZUL, VERMELHO, VERDE, ROXO = HexColor("#2b3fae"), HexColor("#b02a26"), HexColor("#1d7a45"), HexColor("#6a2c91")
_SOMBRA: Final = HexColor("#e4e8ee")
MARIA = Pessoa("Maria do Carmo Serrano", "529.982.247-25", "Rua Barão de Pirapitinga, 418, Alto Belo - MG")
JOSE = Pessoa("José Raimundo Quaresma", "111.444.777-35", "Travessa São Benedito, 77, Ribeirão do Sal - PA", "21/11/1971")
LUZIA = Pessoa("Luzia Aparecida Tonini", "390.533.447-05", "Alameda dos Ipês, 1203, Nova Trento do Sul - RS", "02/07/1990")
OUTRO = Pessoa("Wanderlei Gusmão Prado", "168.995.350-09", "Rua Dom Pedro, 9, Alto Belo - MG", "30/01/1966")


@dataclass(frozen=True, slots=True)
class PapelDeFora:
    """A paper drawn, whose it should be, what it is sent for, what should be said of it, and its dates as they must be read."""

    nome: str
    pdf: bytes
    proponente: Proponente
    requisito: RequisitoDocumento
    situacao: str = "atende"
    motivo: str | None = None
    datas: tuple[date, ...] = ()
    carimbos: int = 0
    manuscritos: int = 0


def requisito(documento: str) -> RequisitoDocumento:
    """What the call asks of a type of paper."""
    validades: Mapping[str, Validade] = {
        "CERTIDAO_MUNICIPAL": ValidoEm(),
        "CERTIDAO_FEDERAL": ValidoEm(),
        "COMPROVANTE_RESIDENCIA": EmitidoNoMaximoDiasAntes(90),
    }
    whose = documento not in {"PORTFOLIO", "CARTA_ANUENCIA"}
    return RequisitoDocumento(f"FORA-{documento}", documento, em_nome_do_proponente=whose, validade=validades.get(documento))


def _alto_belo(p: Prancheta, de: Pessoa, emitida: str, valida: str, kind: str = "NEGATIVA") -> None:
    """A crest, a table with lines, a code in squares."""
    p.crest(58, 52, HexColor("#2a7a3a"))
    p.say(116, 72, "PREFEITURA MUNICIPAL DE ALTO BELO", GROSSA, 13)
    p.say(116, 90, "Secretaria Municipal da Fazenda · Gerência de Arrecadação", SEM_SERIFA, 8.5)
    p.centred(150, f"CERTIDÃO {kind} DE DÉBITOS TRIBUTÁRIOS", GROSSA, 13)
    rows = (("Contribuinte", de.nome), ("CPF/CNPJ", de.cpf), ("Inscrição municipal", "0048.213-7"), ("Endereço", de.endereco))
    for at, (label, value) in enumerate(rows):
        p.box(58, 176 + at * 27, 130, 27, _SOMBRA)
        p.box(188, 176 + at * 27, 350, 27)
        p.say(64, 193 + at * 27, label, SEM_SERIFA, 9)
        p.say(195, 193 + at * 27, value, GROSSA, 9.5)
    said = (
        "Certificamos que, revendo os arquivos desta Secretaria, não constam débitos vencidos do contribuinte acima identificado."
        if kind == "NEGATIVA"
        else "Certificamos que constam débitos vencidos e não pagos em nome do contribuinte acima identificado, relativos a ISSQN e taxas."
    )
    p.say(58, 318, said, SEM_SERIFA, 10, wide=480)
    for at, (label, value) in enumerate((("Data de emissão", emitida), ("Válida até", valida), ("Código", "A7F2.90BC"))):
        p.box(58 + at * 160, 384, 160, 40)
        p.say(64 + at * 160, 397, label, SEM_SERIFA, 8)
        p.say(64 + at * 160, 415, value, GROSSA, 11)
    p.square_code(58, 470)
    p.say(146, 500, "Confira em tributos.altobelo.mg.leg.example", SEM_SERIFA, 8)


def _ribeirao(p: Prancheta, de: Pessoa, emitida: str, valida: str, kind: str = "NEGATIVA") -> None:
    """As a typewriter or an old system prints it."""
    p.say(60, 66, "ESTADO DO PARÁ", MAQUINA_GROSSA, 11)
    p.say(60, 81, "MUNICÍPIO DE RIBEIRÃO DO SAL - PREFEITURA MUNICIPAL", MAQUINA_GROSSA, 11)
    p.say(60, 96, "DIVISÃO DE TRIBUTOS", MAQUINA, 11)
    p.say(60, 140, f"CERTIDÃO {kind} DE TRIBUTOS MUNICIPAIS No 00731/2027", MAQUINA_GROSSA, 11)
    p.say(60, 158, "-" * 70, MAQUINA, 11)
    p.say(60, 182, f"NOME......: {de.nome.upper()}", MAQUINA, 11)
    p.say(60, 198, f"CPF.......: {de.cpf}", MAQUINA, 11)
    p.say(60, 214, f"ENDEREÇO..: {de.endereco}", MAQUINA, 10)
    p.say(60, 230, "-" * 70, MAQUINA, 11)
    p.say(
        60,
        256,
        "CERTIFICO, a pedido da parte interessada, que o contribuinte acima está quite com a Fazenda Municipal até a presente data, "
        "ressalvado o direito de cobrar o que for apurado depois.",
        MAQUINA,
        11,
        wide=470,
    )
    p.say(60, 350, f"EMITIDA EM: {emitida}     VÁLIDA ATÉ: {valida}", MAQUINA_GROSSA, 11)
    p.say(230, 440, "_" * 36, MAQUINA, 11)
    p.say(258, 455, "Chefe da Divisão de Tributos", MAQUINA, 10)


def _nova_trento(p: Prancheta, de: Pessoa, emitida: str, valida: str, kind: str = "NEGATIVA") -> None:
    """Two columns under a coloured band, dates in words."""
    p.box(0, 0, p.wide, 74, HexColor("#7b1f2b"), thick=0)
    p.crest(40, 10, HexColor("#d0a030"))
    p.say(100, 34, "Município de Nova Trento do Sul", SERIFA_GROSSA, 18, HexColor("#ffffff"))
    p.say(100, 54, "Prefeitura Municipal | Secretaria de Finanças", SERIFA, 11, HexColor("#ffffff"))
    p.centred(120, f"Certidão {kind.capitalize()} de Débitos com a Fazenda Municipal", SERIFA_GROSSA, 15)
    p.say(58, 168, "Requerente", SERIFA_GROSSA, 10)
    p.say(58, 184, de.nome, SERIFA, 12)
    p.say(330, 168, "CPF", SERIFA_GROSSA, 10)
    p.say(330, 184, de.cpf, SERIFA, 12)
    p.say(58, 212, "Logradouro", SERIFA_GROSSA, 10)
    p.say(58, 228, de.endereco, SERIFA, 11)
    p.say(
        58,
        268,
        "A Secretaria de Finanças certifica que, em nome da pessoa acima, inexistem débitos inscritos ou não em dívida ativa do Município.",
        SERIFA,
        12,
        wide=470,
    )
    p.say(58, 330, f"Emitida em {emitida}.", SERIFA, 12)
    p.say(58, 348, f"Válida até {valida}.", SERIFA_GROSSA, 12)
    p.say(58, 700, "Documento emitido por meio eletrônico. Av. Getúlio Vargas, 500, Centro.", SERIFA, 8)


def _federal(p: Prancheta, de: Pessoa, emitida: str, valida: str) -> None:
    p.crest(276, 40, HexColor("#3a5a2a"))
    p.centred(116, "MINISTÉRIO DA FAZENDA", SERIFA_GROSSA, 11)
    p.centred(131, "Secretaria da Receita Federal do Brasil", SERIFA, 10)
    p.centred(145, "Procuradoria-Geral da Fazenda Nacional", SERIFA, 10)
    p.centred(184, "CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS AOS TRIBUTOS", SERIFA_GROSSA, 12)
    p.centred(200, "FEDERAIS E À DÍVIDA ATIVA DA UNIÃO", SERIFA_GROSSA, 12)
    p.say(64, 244, f"Nome: {de.nome.upper()}", SERIFA_GROSSA, 11)
    p.say(64, 260, f"CPF: {de.cpf}", SERIFA_GROSSA, 11)
    y = p.say(
        64,
        296,
        "Ressalvado o direito de a Fazenda Nacional cobrar e inscrever quaisquer dívidas de responsabilidade do sujeito passivo acima "
        "identificado que vierem a ser apuradas, é certificado que não constam pendências em seu nome, relativas a créditos tributários "
        "administrados pela Secretaria da Receita Federal do Brasil e a inscrições em Dívida Ativa da União.",
        SERIFA,
        11,
        wide=470,
    )
    p.say(64, y + 22, f"Emitida às 14:02:51 do dia {emitida} (hora e data de Brasília).", SERIFA, 11)
    p.say(64, y + 38, f"Válida até {valida}.", SERIFA_GROSSA, 11)
    p.say(64, y + 54, "Código de controle da certidão: 5C1E.88A0.4D7B.19F3", SERIFA, 11)


def _rg(p: Prancheta, de: Pessoa, expedida: str) -> None:
    """Both sides of a card on a sheet: a portrait, waves under the words."""
    for y in (60, 330):
        p.box(120, y, 340, 225, HexColor("#e3efe0"), HexColor("#2f6b3c"), 1.4)
        p.guilloche(124, y + 4, 330, 216, HexColor("#b7d3b4"))
    p.say(150, 84, "REPÚBLICA FEDERATIVA DO BRASIL", GROSSA, 9, HexColor("#1d4a28"))
    p.say(150, 98, "SECRETARIA DE SEGURANÇA PÚBLICA", GROSSA, 7.5, HexColor("#1d4a28"))
    p.face(140, 112, 92, 118)
    p.say(250, 180, "CARTEIRA DE IDENTIDADE", GROSSA, 11, HexColor("#1d4a28"))
    p.sign(255, 246, 120, HexColor("#20242c"))
    p.say(252, 268, "ASSINATURA DO TITULAR", SEM_SERIFA, 6)
    p.say(132, 350, "REGISTRO GERAL  38.114.702-6", GROSSA, 9.5)
    p.say(330, 350, f"EXPEDIÇÃO {expedida}", SEM_SERIFA, 8.5)
    for at, (label, value) in enumerate(
        (("NOME", de.nome.upper()), ("FILIAÇÃO", "ANTÔNIA SERRANO DE LIMA"), ("NATURALIDADE", "ALTO BELO - MG"))
    ):
        p.say(132, 376 + at * 34, label, SEM_SERIFA, 6.5)
        p.say(132, 389 + at * 34, value, GROSSA, 10)
    p.say(132, 478, "DATA DE NASCIMENTO", SEM_SERIFA, 6.5)
    p.say(132, 491, de.nascida, GROSSA, 10)
    p.say(290, 478, "CPF", SEM_SERIFA, 6.5)
    p.say(290, 491, de.cpf, GROSSA, 10)
    p.say(132, 530, "LEI No 7.116 DE 29/08/83", SEM_SERIFA, 7)


def _cnh(p: Prancheta, de: Pessoa, valida: str) -> None:
    """A driver's licence: fields in boxes, pink and green."""
    p.box(90, 70, 420, 270, HexColor("#f3ece2"), HexColor("#7a6a3a"), 1.2)
    p.guilloche(94, 74, 410, 260, HexColor("#dccfae"))
    p.say(150, 92, "REPÚBLICA FEDERATIVA DO BRASIL", GROSSA, 9)
    p.say(150, 106, "CARTEIRA NACIONAL DE HABILITAÇÃO", GROSSA, 10.5)
    p.face(104, 124, 100, 130)
    fields = (
        (216, 124, 280, "NOME", de.nome.upper()),
        (216, 160, 160, "DOC. IDENTIDADE / ÓRG. EMISSOR", "3811470 SSP RS"),
        (380, 160, 116, "CPF", de.cpf),
        (216, 196, 120, "DATA NASCIMENTO", de.nascida),
        (340, 196, 156, "FILIAÇÃO", "ROSA TONINI"),
        (216, 232, 90, "CAT. HAB.", "AB"),
        (310, 232, 90, "VALIDADE", valida),
        (404, 232, 92, "No REGISTRO", "02817733940"),
    )
    for x, y, wide, label, value in fields:
        p.box(x, y, wide, 33)
        p.say(x + 3, y + 9, label, SEM_SERIFA, 5.5)
        p.say(x + 4, y + 26, value, GROSSA, 9.5)
    p.sign(226, 306, 130, HexColor("#20242c"))
    p.say(216, 326, "ASSINATURA DO PORTADOR", SEM_SERIFA, 6)


def _luz(p: Prancheta, de: Pessoa, emitida: str, vencimento: str) -> None:
    """A bill in three columns, a table of use, bars at the foot."""
    p.box(40, 40, 515, 62, HexColor("#f6c945"), thick=0)
    p.say(52, 66, "Eletro Serra Distribuidora de Energia", GROSSA, 15)
    p.say(52, 88, "NOTA FISCAL / CONTA DE ENERGIA ELÉTRICA", GROSSA, 9)
    p.say(46, 128, "CLIENTE", GROSSA, 8)
    p.say(46, 142, de.nome, SEM_SERIFA, 9.5)
    p.say(46, 156, f"CPF: {de.cpf}", SEM_SERIFA, 9)
    p.say(46, 170, de.endereco, SEM_SERIFA, 7.5, wide=235)
    p.say(300, 128, "UNIDADE CONSUMIDORA", GROSSA, 8)
    p.say(300, 142, "7004518-2", SEM_SERIFA, 11)
    p.say(300, 160, "Classe: residencial", SEM_SERIFA, 8)
    p.say(440, 128, "DATA DE EMISSÃO", GROSSA, 8)
    p.say(440, 142, emitida, SEM_SERIFA, 10)
    p.say(440, 160, "VENCIMENTO", GROSSA, 8)
    p.say(440, 174, vencimento, SEM_SERIFA, 10)
    for at, row in enumerate(
        (
            ("Descrição", "Quantidade", "Preço", "Valor"),
            ("Consumo kWh", "143", "0,8412", "120,29"),
            ("Bandeira amarela", "143", "0,0189", "2,70"),
            ("Iluminação pública", "1", "14,80", "14,80"),
            ("TOTAL A PAGAR", "", "", "R$ 137,79"),
        )
    ):
        p.box(46, 215 + at * 20, 500, 20, _SOMBRA if at in (0, 4) else None)
        for x, cell in zip((52, 250, 350, 450), row, strict=True):
            p.say(x, 229 + at * 20, cell, GROSSA if at in (0, 4) else SEM_SERIFA, 8.5)
    for at, high in enumerate((20, 34, 28, 41, 36, 30, 44, 39, 26, 33, 37, 40)):
        p.box(60 + at * 18, 400 - high, 11, high, HexColor("#d79a1b"), thick=0)
    p.say(46, 418, "Consumo dos últimos 12 meses (kWh)", SEM_SERIFA, 7.5)
    p.bars(60, 470, "836400000015377900481000", 40)
    p.say(60, 526, "83640000001-5 37790048100-0 27031812345-6 78901234567-8", SEM_SERIFA, 8.5)


def _internet(p: Prancheta, de: Pessoa, emitida: str, vencimento: str) -> None:
    p.say(50, 70, "VEREDA", GROSSA, 26, HexColor("#5a2ca0"))
    p.say(50, 88, "fibra e telefonia", INCLINADA, 10, HexColor("#5a2ca0"))
    p.say(330, 62, "Fatura de serviços de internet", GROSSA, 11)
    p.say(330, 80, f"Emissão: {emitida}", SEM_SERIFA, 9.5)
    p.say(330, 95, f"Vencimento: {vencimento}", SEM_SERIFA, 9.5)
    p.box(50, 120, 490, 74, HexColor("#f1ecf8"), thick=0)
    p.say(60, 138, f"Assinante: {de.nome}", SEM_SERIFA, 10)
    p.say(60, 154, f"CPF {de.cpf}", SEM_SERIFA, 10)
    p.say(60, 170, f"Endereço de instalação: {de.endereco}", SEM_SERIFA, 9)
    for at, (what, value) in enumerate((("Banda larga 400 Mbps", "R$ 89,90"), ("Roteador em comodato", "R$ 0,00"), ("Total", "R$ 89,90"))):
        p.say(60, 230 + at * 20, what, SEM_SERIFA, 10)
        p.say(450, 230 + at * 20, value, SEM_SERIFA, 10)
    p.bars(60, 330, "34191790010104351004", 36)
    p.say(60, 384, "34191.79001 01043.510047 91020.150008 7 99990000008990", SEM_SERIFA, 9)


def _carta(p: Prancheta, de: Pessoa, quem: str, entidade: str, onde: str, dia: str) -> None:
    """A letterhead, a letter, a signature over a name, a stamp beside it."""
    p.crest(62, 46, HexColor("#305a9a"))
    p.say(122, 66, entidade, SERIFA_GROSSA, 14, HexColor("#1f3f74"))
    p.say(122, 82, "Fundada em 1958 · Utilidade pública municipal", SERIFA, 9)
    p.box(58, 112, 480, 0.8, HexColor("#1f3f74"))
    p.centred(160, "CARTA DE ANUÊNCIA", SERIFA_GROSSA, 15)
    p.say(
        62,
        206,
        f"Eu, {quem}, na condição de presidente da {entidade}, declaro que estou de acordo com a realização do projeto “Vozes da "
        f"Várzea”, de {de.nome}, CPF {de.cpf}, e autorizo o uso do nosso salão para as oficinas e apresentações previstas, sem custo "
        "para a proposta, entre abril e setembro de 2027.",
        SERIFA,
        12.5,
        wide=470,
    )
    p.say(62, 340, f"{onde}, {dia}.", SERIFA, 12.5)
    p.sign(210, 440, 150)
    p.box(180, 452, 230, 0.6)
    p.centred(468, quem, SERIFA, 12)
    p.by_hand(70, 560, f"Contem conosco! {quem.split()[0]}")
    p.stamp(450, 520, (entidade.upper()[:30], "PRESIDÊNCIA"), AZUL, 9)


def _portfolio(p: Prancheta, de: Pessoa, assunto: str) -> None:
    """Pictures with words under them, in two columns."""
    p.say(50, 74, "Portfólio artístico", INCLINADA, 22, HexColor("#a0402a"))
    p.say(50, 98, f"{de.nome} · {assunto}", GROSSA, 11)
    for at in range(4):
        x, y = 50 + (at % 2) * 255, 124 + (at // 2) * 250
        p.picture(x, y, 235, 165)
        p.say(
            x,
            y + 182,
            f"Apresentação na Mostra de {assunto}, {2021 + at}, com público de {120 + at * 35} pessoas.",
            SEM_SERIFA,
            9,
            wide=230,
        )


def _trabalhista(p: Prancheta, de: Pessoa, emitida: str, valida: str) -> None:
    """Another certidão than the one that is asked for."""
    p.centred(70, "PODER JUDICIÁRIO", GROSSA, 12)
    p.centred(88, "JUSTIÇA DO TRABALHO", GROSSA, 12)
    p.centred(140, "CERTIDÃO NEGATIVA DE DÉBITOS TRABALHISTAS", GROSSA, 13)
    p.say(60, 190, f"Nome: {de.nome.upper()}", SEM_SERIFA, 10.5)
    p.say(60, 206, f"CPF: {de.cpf}", SEM_SERIFA, 10.5)
    p.say(60, 222, "Certidão nº: 28834511/2027", SEM_SERIFA, 10.5)
    p.say(60, 238, f"Expedição: {emitida}, às 10:41:07", SEM_SERIFA, 10.5)
    p.say(60, 254, f"Validade: {valida} - 180 dias, contados da data de sua expedição.", SEM_SERIFA, 10.5)
    p.say(
        60,
        290,
        "Certifica-se que a pessoa acima NÃO CONSTA como inadimplente no Banco Nacional de Devedores Trabalhistas.",
        SEM_SERIFA,
        10.5,
        wide=470,
    )


def papeis() -> tuple[PapelDeFora, ...]:
    """All papers of the call, each drawn."""
    found: list[PapelDeFora] = []

    def add(
        nome: str,
        de: Pessoa,
        documento: str,
        draw: Callable[[Prancheta], None],
        datas: tuple[date, ...] = (),
        motivo: str | None = None,
    ) -> None:
        sheet = Prancheta(300 + len(found))
        draw(sheet)
        whose = Proponente(de.nome, de.cpf)
        situacao = "nao_atende" if motivo else "atende"
        asked = requisito(documento)
        found.append(PapelDeFora(nome, sheet.done(), whose, asked, situacao, motivo, datas, sheet.carimbos, sheet.manuscritos))

    def stamped(
        draw: Callable[[Prancheta], None], x: float, y: float, words: tuple[str, ...], colour: HexColor
    ) -> Callable[[Prancheta], None]:
        def both(p: Prancheta) -> None:
            draw(p)
            p.stamp(x, y, words, colour, float(p.sorte.uniform(-25, 25)))

        return both

    def protocolled(draw: Callable[[Prancheta], None], x: float, y: float) -> Callable[[Prancheta], None]:
        def both(p: Prancheta) -> None:
            draw(p)
            p.received(x, y, ("PROTOCOLO", "Nº 2291"), VERMELHO, float(p.sorte.uniform(-9, 9)))
            p.sign(x + 20, y + 40, 90)

        return both

    ok = (date(2027, 2, 22), date(2027, 5, 23))
    old = (date(2026, 8, 11), date(2026, 11, 9))
    mun, fed, doc, res, anu, por = (
        "CERTIDAO_MUNICIPAL",
        "CERTIDAO_FEDERAL",
        "DOCUMENTO_IDENTIDADE",
        "COMPROVANTE_RESIDENCIA",
        "CARTA_ANUENCIA",
        "PORTFOLIO",
    )
    add("certidão de Alto Belo", MARIA, mun, lambda p: _alto_belo(p, MARIA, "22/02/2027", "23/05/2027"), ok)
    add("RG", MARIA, doc, lambda p: _rg(p, MARIA, "17/10/2015"))
    add("conta de luz", JOSE, res, lambda p: _luz(p, JOSE, "04/02/2027", "18/02/2027"), (date(2027, 2, 4),))
    add("certidão federal", LUZIA, fed, lambda p: _federal(p, LUZIA, "22/02/2027", "21/08/2027"), (date(2027, 2, 22), date(2027, 8, 21)))
    add("certidão de Ribeirão do Sal", JOSE, mun, lambda p: _ribeirao(p, JOSE, "22/02/2027", "23/05/2027"), ok)
    add(
        "carta com carimbo",
        MARIA,
        anu,
        lambda p: _carta(p, MARIA, "Ercília Nogueira Pontes", "Sociedade Musical Lira do Alto", "Alto Belo", "2 de março de 2027"),
    )
    add("portfólio de dança", LUZIA, por, lambda p: _portfolio(p, LUZIA, "Dança de Roda"))
    add("CNH", LUZIA, doc, lambda p: _cnh(p, LUZIA, "14/06/2031"), (date(2031, 6, 14),))
    add("certidão de Nova Trento", LUZIA, mun, lambda p: _nova_trento(p, LUZIA, "22 de fevereiro de 2027", "23 de maio de 2027"), ok)
    add("certidão vencida de Alto Belo", MARIA, mun, lambda p: _alto_belo(p, MARIA, "11/08/2026", "09/11/2026"), old, "documento_vencido")
    add("fatura de internet", MARIA, res, lambda p: _internet(p, MARIA, "28/01/2027", "15/02/2027"), (date(2027, 1, 28),))
    add("RG de outra pessoa", JOSE, doc, lambda p: _rg(p, OUTRO, "03/05/2018"), (), "documento_de_terceiro")
    add(
        "certidão federal vencida",
        JOSE,
        fed,
        lambda p: _federal(p, JOSE, "05/06/2026", "02/12/2026"),
        (date(2026, 6, 5), date(2026, 12, 2)),
        "documento_vencido",
    )
    add(
        "certidão positiva de Alto Belo",
        MARIA,
        mun,
        lambda p: _alto_belo(p, MARIA, "22/02/2027", "23/05/2027", "POSITIVA"),
        ok,
        "condicao_nao_atendida",
    )
    add("conta de luz antiga", LUZIA, res, lambda p: _luz(p, LUZIA, "09/09/2026", "24/09/2026"), (date(2026, 9, 9),), "documento_vencido")
    add(
        "carta da associação",
        JOSE,
        anu,
        lambda p: _carta(
            p, JOSE, "Benedito Alencar Rocha", "Associação dos Moradores da Várzea", "Ribeirão do Sal", "26 de fevereiro de 2027"
        ),
    )
    add(
        "certidão carimbada de Ribeirão",
        JOSE,
        mun,
        stamped(lambda p: _ribeirao(p, JOSE, "22/02/2027", "23/05/2027"), 330, 430, ("PREFEITURA DE RIBEIRÃO DO SAL", "TRIBUTOS"), ROXO),
        ok,
    )
    add("portfólio de viola", JOSE, por, lambda p: _portfolio(p, JOSE, "Viola Caipira"))
    add("RG protocolado", JOSE, doc, protocolled(lambda p: _rg(p, JOSE, "12/12/2020"), 380, 680))
    add(
        "conta de luz de outra pessoa",
        MARIA,
        res,
        lambda p: _luz(p, OUTRO, "04/02/2027", "18/02/2027"),
        (date(2027, 2, 4),),
        "documento_de_terceiro",
    )
    add(
        "certidão trabalhista no lugar da municipal",
        LUZIA,
        mun,
        lambda p: _trabalhista(p, LUZIA, "01/03/2027", "28/08/2027"),
        (),
        "documento_tipo_errado",
    )
    add(
        "certidão federal carimbada",
        MARIA,
        fed,
        stamped(lambda p: _federal(p, MARIA, "22/02/2027", "21/08/2027"), 430, 620, ("CARTÓRIO DO 2º OFÍCIO", "CONFERE"), AZUL),
        (date(2027, 2, 22), date(2027, 8, 21)),
    )
    add(
        "certidão de Nova Trento protocolada",
        LUZIA,
        mun,
        protocolled(lambda p: _nova_trento(p, LUZIA, "22 de fevereiro de 2027", "23 de maio de 2027"), 370, 480),
        ok,
    )
    add("CNH de José", JOSE, doc, lambda p: _cnh(p, JOSE, "30/09/2029"), (date(2029, 9, 30),))
    add("fatura de internet de José", JOSE, res, lambda p: _internet(p, JOSE, "11/02/2027", "25/02/2027"), (date(2027, 2, 11),))
    add(
        "certidão vencida de Nova Trento",
        LUZIA,
        mun,
        lambda p: _nova_trento(p, LUZIA, "11 de agosto de 2026", "9 de novembro de 2026"),
        old,
        "documento_vencido",
    )
    add("portfólio de renda", MARIA, por, lambda p: _portfolio(p, MARIA, "Renda de Bilro"))
    add(
        "carta do clube",
        LUZIA,
        anu,
        lambda p: _carta(p, LUZIA, "Olívia Marchetti", "Clube Recreativo Ipiranga", "Nova Trento do Sul", "1º de março de 2027"),
    )
    add("RG de Luzia", LUZIA, doc, lambda p: _rg(p, LUZIA, "29/03/2019"))
    add(
        "certidão de Alto Belo carimbada",
        MARIA,
        mun,
        stamped(lambda p: _alto_belo(p, MARIA, "22/02/2027", "23/05/2027"), 450, 560, ("PREFEITURA DE ALTO BELO", "ARRECADAÇÃO"), VERDE),
        ok,
    )
    add(
        "certidão federal de Luzia",
        LUZIA,
        fed,
        lambda p: _federal(p, LUZIA, "15/01/2027", "14/07/2027"),
        (date(2027, 1, 15), date(2027, 7, 14)),
    )
    add("conta de luz de Luzia", LUZIA, res, lambda p: _luz(p, LUZIA, "12/02/2027", "27/02/2027"), (date(2027, 2, 12),))
    add("certidão vencida de Ribeirão", JOSE, mun, lambda p: _ribeirao(p, JOSE, "11/08/2026", "09/11/2026"), old, "documento_vencido")
    add(
        "fatura de internet antiga",
        MARIA,
        res,
        lambda p: _internet(p, MARIA, "20/07/2026", "10/08/2026"),
        (date(2026, 7, 20),),
        "documento_vencido",
    )
    return tuple(found)


def beside_another(image: Image.Image, _: Sorte) -> Image.Image:
    """With another page of an open folder at its right."""
    sheet = Prancheta(7)
    _portfolio(sheet, OUTRO, "Teatro de Bonecos")
    return side_by_side(image, drawn(sheet.done()))


DE_FORA: Final[Mapping[str, Lote]] = {
    lote.nome: lote
    for lote in (
        Lote("fora: 120 dpi e JPEG 30", (askew(2), at_dots(120), noisy(5, 0.0)), foto=True, qualidade=30),
        Lote("fora: torto até 8 graus, com ruído", (askew(8), noisy(18, 0.004))),
        Lote("fora: sombra em degradê, JPEG 30", (slope_of_light(0.3), askew(2), noisy(6, 0.0)), foto=True, qualidade=30),
        Lote(
            "fora: fotografado sobre mesa",
            (shaded(0.7), photographed(0.05, 1.0, 0.15, (58, 62, 70)), noisy(5, 0.0)),
            foto=True,
            qualidade=50,
        ),
        Lote("fora: duas páginas numa foto", (beside_another, askew(1.5), slope_of_light(0.55)), foto=True, qualidade=60),
        Lote("fora: de cabeça para baixo", (turned(180), askew(4), noisy(9, 0.001))),
        Lote("fora: cópia de cópia", (copied, askew(3))),
        Lote("fora: impresso e digitalizado a 150 dpi", (at_dots(150), noisy(6, 0.0004))),
    )
}
