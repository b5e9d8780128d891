"""The texts of the sample's documents: what a town hall, a utility or a neighbour would write, all invented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from crivo.triagem.amostra.pessoas import cpf_of, number, person_of

_MONTHS: Final = ("janeiro", "fevereiro", "março", "abril", "maio", "junho")
_MONTHS_TOO: Final = ("julho", "agosto", "setembro", "outubro", "novembro", "dezembro")


@dataclass(frozen=True, slots=True)
class Papel:
    """A document before it is drawn: a title, then lines. `faixa`: the title stands in white on a dark band."""

    titulo: str
    linhas: Sequence[str]
    faixa: bool = False


@dataclass(frozen=True, slots=True)
class Titular:
    """Whose document it is."""

    nome: str
    cpf_cnpj: str
    endereco: str

    @property
    def rotulo(self) -> str:
        """CPF or CNPJ."""
        return "CPF" if len(self.cpf_cnpj) == 14 else "CNPJ"


def certidao_municipal(de: Titular, municipio: str, emitida: date, valida: date, *, com_debito_suspenso: bool = False) -> Papel:
    """A town hall's certificate; one with a suspended debt is as good as a clean one."""
    kind = "POSITIVA COM EFEITO DE NEGATIVA" if com_debito_suspenso else "NEGATIVA"
    return Papel(
        f"CERTIDÃO {kind} DE DÉBITOS MUNICIPAIS",
        (
            f"PREFEITURA MUNICIPAL DE {municipio.upper()}",
            "Secretaria de Finanças, Setor de Tributos",
            f"Contribuinte: {de.nome}",
            f"{de.rotulo}: {de.cpf_cnpj}",
            "Certificamos que, nesta data, não há débito exigível em nome do contribuinte acima.",
            f"Emitida em {_br(emitida)}.",
            f"Válida até {_br(valida)}.",
            f"Código de controle: {number(de.cpf_cnpj + municipio, 10**8):08d}",
        ),
    )


def certidao_federal(de: Titular, emitida: date, valida: date) -> Papel:
    """The tax authority's certificate."""
    return Papel(
        "CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO",
        (
            "MINISTÉRIO DA FAZENDA",
            "Secretaria da Receita Federal do Brasil",
            f"Nome: {de.nome}",
            f"{de.rotulo}: {de.cpf_cnpj}",
            "Ressalvado o direito de cobrar dívidas que venham a ser apuradas, certifica-se que não constam pendências em seu nome.",
            f"Emitida às 09:12 do dia {_br(emitida)}.",
            f"Válida até {_br(valida)}.",
        ),
    )


def identidade(de: Titular) -> Papel:
    """An identity card."""
    mother = person_of(de.cpf_cnpj + "mãe")
    return Papel(
        "CARTEIRA DE IDENTIDADE",
        (
            "REPÚBLICA FEDERATIVA DO BRASIL",
            f"Nome: {de.nome}",
            f"Filiação: {mother}",
            f"Registro Geral: {number(de.cpf_cnpj + 'rg', 10**10):010d}",
            f"CPF: {de.cpf_cnpj}",
            f"Data de nascimento: {number(de.cpf_cnpj, 28) + 1:02d}/0{number(de.nome, 9) + 1}/{1955 + number(de.nome + 'ano', 45)}",
            "Data de expedição: 14/03/2019",
        ),
    )


def residencia(de: Titular, emitida: date) -> Papel:
    """An electricity bill."""
    return Papel(
        "CONTA DE ENERGIA ELÉTRICA",
        (
            "Companhia de Luz do Vale S.A.",
            f"Cliente: {de.nome}",
            f"CPF: {de.cpf_cnpj}",
            f"Endereço da unidade consumidora: {de.endereco}",
            f"Data de emissão: {_br(emitida)}",
            f"Consumo: {60 + number(de.nome, 180)} kWh",
            f"Total a pagar: R$ {70 + number(de.nome, 150)},{number(de.endereco, 90) + 10}",
        ),
    )


def portfolio(nome: str, categoria: str, descricao: str, *, faixa: bool = False) -> Papel:
    """What a group has done before; three years of it."""
    return Papel(
        f"Portfólio de {nome}",
        (
            f"Área de atuação: {categoria.lower()}.",
            f"2023: participação na Semana de {categoria} da região, com público de {80 + number(nome, 400)} pessoas.",
            f"2024: realização de {3 + number(nome + '24', 9)} atividades gratuitas em escolas e praças.",
            f"2025: trabalho contínuo com a comunidade, em {4 + number(nome + '25', 8)} meses de encontros.",
            "O que fazemos, em nossas palavras: " + descricao.split(". ")[0].rstrip(".") + ".",
        ),
        faixa,
    )


def anuencia(nome: str, titulo: str, municipio: str, assinada: date) -> Papel:
    """A consent from whoever lends place or work."""
    who = person_of(nome + titulo)
    return Papel(
        "CARTA DE ANUÊNCIA",
        (
            f"Eu, {who}, CPF {cpf_of(who)}, manifesto concordância em participar do projeto “{titulo}”,",
            f"proposto por {nome}, e cedo o espaço sob minha responsabilidade nas datas combinadas.",
            f"{municipio}, {_in_words(assinada)}.",
            who,
        ),
    )


def declaracao(de: Titular, municipio: str, assinada: date) -> Papel:
    """The declaration that the call asks for."""
    return Papel(
        "DECLARAÇÃO",
        (
            f"{de.nome}, {de.rotulo} {de.cpf_cnpj}, declara, para os devidos fins, que não tem vínculo de trabalho nem de parentesco",
            "com servidores da Secretaria de Cultura que participem desta seleção, e que as informações prestadas são verdadeiras.",
            f"{municipio}, {_in_words(assinada)}.",
        ),
    )


def curriculo(nome: str) -> Papel:
    """A curriculum, which some send where a consent is asked for."""
    return Papel(
        f"CURRÍCULO DE {nome.upper()}",
        ("Formação: ensino médio completo e cursos livres.", "Experiência: produção de eventos de bairro desde 2018."),
    )


def plano_de_trabalho(nome: str) -> Papel:
    """What a group does week by week, as it said when it applied."""
    return Papel(
        f"PLANO DE TRABALHO DE {nome.upper()}",
        (
            "Etapa 1, semanas 1 a 3: ensaios na olaria do Alto do Tauá, com cinco louceiras, às terças, quintas e sábados.",
            "Etapa 2, semanas 4 a 9: criação do espetáculo e da trilha, em sala cedida pela escola de dança.",
            "Etapa 3, semanas 10 a 20: dez apresentações em escolas públicas, cada uma com conversa e oficina.",
            "Cada semana tem um relatório de presença, e o custo de cada etapa está nas mesmas linhas do orçamento enviado.",
        ),
    )


def titular_of(proponente: Mapping[str, Any], *, pessoa: bool = False) -> Titular:
    """The proponente as a document names them; for papers of a person, an organisation's are of who answers for it."""
    who = proponente["responsavel"] if pessoa and "responsavel" in proponente else {**proponente, "cpf": proponente["cpf_cnpj"]}
    return Titular(who["nome"], who["cpf"], proponente["endereco"])


def _br(day: date) -> str:
    return day.strftime("%d/%m/%Y")


def _in_words(day: date) -> str:
    return f"{day.day} de {(*_MONTHS, *_MONTHS_TOO)[day.month - 1]} de {day.year}"
