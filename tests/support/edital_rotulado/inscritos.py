"""Who applies and with what: people, texts, budgets, and what is planted in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from crivo.triagem.edital import Avaliador, Banco, OrcamentoItem, Projeto, Proponente, Responsavel
from edital_rotulado.valores import Sorte, Titular, organisation_number, person_number

_HERE: Final = Path(__file__).parent


def _messages(name: str) -> Mapping[str, str]:
    groups = json.loads((_HERE / name).read_bytes())
    return {key: message for group in groups.values() for key, message in group.items()}


PLANO: Final[dict[str, list[str]]] = json.loads((_HERE / "plano.json").read_bytes())
Metade = Literal["ajuste", "relato"]
MENSAGENS: Final[Mapping[Metade, Mapping[str, str]]] = {
    "ajuste": _messages("mensagens.json"),
    "relato": _messages("mensagens_relato.json"),
}
_PESSOAS: Final[dict[str, list[str]]] = json.loads((_HERE / "pessoas.json").read_bytes())
_PRECOS: Final[dict[str, int]] = json.loads((_HERE / "orcamentos.json").read_bytes())
Copia = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Texto:
    """What a project is about; `frases` begins with its resumo."""

    titulo: str
    categoria: str
    frases: tuple[str, ...]


def key_of(number: int | str) -> str:
    """The id of the project of a number of the plan."""
    return f"INS-{int(number):03d}"


def planned(name: str) -> list[list[str]]:
    """The lines of a part of the plan, in words, with the project's number as its id."""
    return [[key_of(words[0]), *words[1:]] for words in (line.split(" ") for line in PLANO[name])]


def texts() -> tuple[list[Texto], list[Copia]]:
    """Every text by hand, then the copies; and the pairs of copies: ids and disguise."""
    blocks = (_HERE / "textos.txt").read_text(encoding="utf-8").split("# ")[1:]
    own = [_text(block.strip().split("\n")) for block in blocks]
    at = {texto.titulo: index for index, texto in enumerate(own)}
    found, pairs = list(own), []
    for copy in json.loads((_HERE / "copias.json").read_bytes()):
        found.append(Texto(copy["titulo"], copy["categoria"], _disguised(copy, own[at[copy["de"]]].frases)))
        pairs.append((key_of(at[copy["de"]] + 1), key_of(len(found)), str(copy["disfarce"])))
    return found, pairs


def applicants(count: int) -> dict[str, Titular]:
    """So many proponentes: every third an organisation, each with an address of its own."""
    sorte = Sorte("inscritos")
    nomes = [f"{a} {b} {c}" for a, b, c in zip(*(_PESSOAS[k] * 30 for k in ("nomes", "meios", "ultimos")), strict=False)]
    found: list[Titular] = []
    for number in range(1, count + 1):
        address = f"{_PESSOAS['ruas'][number % 8]}, {100 + 7 * number}"
        cidade = _PESSOAS["cidades"][number % 5]
        if number % 3:
            found.append(Titular(nomes[number], person_number(sorte), address, cidade))
        else:
            cnpj = organisation_number(f"{sorte.randrange(10**8):08d}" + "0001")
            found.append(Titular(_PESSOAS["organizacoes"][number // 3 - 1], cnpj, address, cidade, nomes[number], person_number(sorte)))
    titulares = {key_of(number): titular for number, titular in enumerate(found, 1)}
    for branch in (line[0] for line in planned("defeitos") if line[2] == "filial"):
        titulares[branch] = replace(titulares[branch], numero=organisation_number(titulares[branch].numero[:8] + "0002"))
    for one, other, how in planned("pessoas"):
        titulares |= _same_person(titulares, one, key_of(other), how)
    return titulares


def _same_person(titulares: dict[str, Titular], one: str, other: str, how: str) -> dict[str, Titular]:
    first, second = titulares[one], titulares[other]
    match how:
        case "numero":
            return {other: replace(second, nome=first.nome, numero=first.numero)}
        case "responsavel":
            return {other: replace(second, responsavel=first.responsavel, responsavel_cpf=first.responsavel_cpf)}
        case "responsavel_cpf":
            return {one: replace(first, responsavel=second.nome, responsavel_cpf=second.numero)}
        case _:
            return {}


def projects(titulares: dict[str, Titular], metade: Metade) -> dict[str, Projeto]:
    """The projects without their papers, with all that is planted in what they declare."""
    textos, _ = texts()
    made = {key_of(n): _projeto(key_of(n), n, texto, titulares[key_of(n)]) for n, texto in enumerate(textos, 1)}
    for plant in (*planned("campos"), *planned("campos_honestos")):
        said = getattr(made[plant[0]], plant[1])
        made[plant[0]] = msgspec.structs.replace(made[plant[0]], **{plant[1]: f"{said} {MENSAGENS[metade][plant[2]]}"})
    for key, requisito, campo, *valor in (line for line in planned("defeitos") if line[1].startswith("C")):
        del requisito
        made[key] = msgspec.structs.replace(made[key], campos={**made[key].campos, campo: json.loads(" ".join(valor))})
    _plant_budgets(made)
    _plant_people(made)
    return made


def evaluators(projetos: dict[str, Projeto]) -> tuple[Avaliador, ...]:
    """Six people, five of whom have to do with a project, and two who only look so."""
    key = {line[1]: projetos[line[0]] for line in planned("conflitos")}
    numero = key["responsavel"].proponente.responsavel
    assert numero is not None
    sobrenome = projetos[planned("conflitos_honestos")[1][0]].proponente.nome.split()[-1]
    return (
        Avaliador("Clotilde Ramalho", "clotilde@parecer.exemplo", (), numero.cpf),
        Avaliador("Gervásio Lustosa", "gervasio@parecer.exemplo", (), cnpj=key["cnpj"].proponente.cpf_cnpj),
        Avaliador("Hortênsia Maia", "hortensia@" + key["dominio"].proponente.email.split("@")[1]),
        Avaliador("Leôncio Prata", "leoncio@parecer.exemplo", endereco=key["endereco"].proponente.endereco.upper()),
        Avaliador(key["nome"].proponente.nome, "avaliacao4@parecer.exemplo"),
        Avaliador(f"Odete {sobrenome}", "odete.parecer@gmail.com"),
    )


def _text(lines: list[str]) -> Texto:
    frases = re.split(r"(?<=[.?!]) ", lines[3])
    return Texto(lines[0], lines[1], (lines[2], *frases))


def _disguised(copy: dict[str, Any], frases: tuple[str, ...]) -> tuple[str, ...]:
    match copy["disfarce"]:
        case "renomeado":
            return tuple(_swapped(frase, copy["trocas"]) for frase in frases)
        case "metade":
            kept = [frases[index] for index in copy["indices"]]
            return tuple(frase for pair in zip(copy["frases"], kept, strict=True) for frase in pair)
        case "reordenado":
            return tuple(frases[index] for index in copy["ordem"])
        case _:
            return tuple(copy["frases"])


def _swapped(frase: str, trocas: dict[str, str]) -> str:
    for old, new in trocas.items():
        frase = frase.replace(old, new)
    return frase


def _projeto(key: str, number: int, texto: Texto, titular: Titular) -> Projeto:
    sorte = Sorte(key)
    itens = tuple(
        OrcamentoItem(nome, Decimal(sorte.randint(1, 9)), Decimal(round(_PRECOS[nome] * sorte.uniform(0.8, 1.25))))
        for nome in sorte.sample(sorted(_PRECOS), 6)
    )
    responsavel = Responsavel(titular.responsavel, titular.responsavel_cpf) if titular.is_organisation else None
    email = f"contato@grupo{number}.exemplo" if titular.is_organisation else f"pessoa{number}@gmail.com"
    proponente = Proponente(
        titular.nome,
        titular.formatted if number % 2 else titular.numero,
        email,
        f"{titular.endereco}, {titular.cidade}",
        responsavel,
        Banco(("001", "104", "237")[number % 3], f"{1000 + number}", f"{50000 + 13 * number}-{number % 10}"),
    )
    campos = {
        "municipio": titular.cidade,
        "tempo_atuacao": 3 + number % 15,
        "valor_solicitado": 20000 + 500 * number,
        "possui_debito": False,
        "natureza": "ocupação" if number % 2 else "circulação",
        "link_video": f"https://video.exemplo/{number}",
    }
    return Projeto(
        key,
        texto.titulo,
        proponente,
        texto.categoria,
        resumo=texto.frases[0],
        descricao_tecnica=" ".join(texto.frases[1:]),
        campos=campos,
        orcamento_itens=itens,
    )


def _plant_budgets(made: dict[str, Projeto]) -> None:
    for one, number, how in planned("orcamentos"):
        itens = made[one].orcamento_itens
        if how == "embaralhado":
            copied = tuple(reversed(itens))
        else:
            ratio = Decimal("1" if how == "igual" else how)
            copied = tuple(
                msgspec.structs.replace(item, valor_unitario=(item.valor_unitario * ratio).quantize(Decimal("0.01"))) for item in itens
            )
        made[key_of(number)] = msgspec.structs.replace(made[key_of(number)], orcamento_itens=copied)
    for line in (*planned("precos"), *planned("precos_honestos")):
        nome, ratio = " ".join(line[1:-1]), Decimal(line[-1])
        projeto = made[line[0]]
        others = tuple(item for item in projeto.orcamento_itens if item.descricao != nome)[:5]
        dear = OrcamentoItem(nome, Decimal(4), Decimal(_PRECOS[nome]) * ratio)
        made[line[0]] = msgspec.structs.replace(projeto, orcamento_itens=(*others, dear))


def _plant_people(made: dict[str, Projeto]) -> None:
    def change(key: str, **values: Any) -> None:
        made[key] = msgspec.structs.replace(made[key], proponente=msgspec.structs.replace(made[key].proponente, **values))

    for one, number, how in (*planned("pessoas"), *planned("pessoas_honestas")):
        first, other = made[one].proponente, key_of(number)
        match how:
            case "banco":
                change(other, banco=first.banco)
            case "agencia":
                bank = made[other].proponente.banco
                assert bank is not None
                assert first.banco is not None
                change(other, banco=Banco(first.banco.codigo, first.banco.agencia, bank.conta))
            case "endereco":
                change(one, endereco=f"{first.endereco}, apto 12")
                change(other, endereco=f"{first.endereco}, apto 31")
            case _:
                pass
