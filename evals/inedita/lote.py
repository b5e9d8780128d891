"""A lot: a call, its projects and their papers written to a folder, and what should be said of each.

The truth follows from what was done to each paper, by the clauses of the design alone; where these leave two answers open, either is right.
"""

from __future__ import annotations

import json
import tomllib
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from stdnum.br import cnpj, cpf

from evals.inedita.arquivos import PAGINA, blank, broken, locked, picture, write_file
from evals.inedita.escrita import Dia, Nome, Numero, Prazo, draw
from evals.inedita.orcamentos import Orcamentos, draw_budgets

AQUI: Final = Path(__file__).parent
Resposta = tuple[str, str | None]
"""`situacao` and `motivo`."""
ATENDE: Final[Resposta] = ("atende", None)
_NATUREZAS: Final = {"PF": "Pessoa física", "MEI": "MEI", "PJ": "Pessoa jurídica"}
_MESES: Final = 3  # of a paper that counts in months
_NAO: Final = "nao_atende"
_DESVIOS: Final[Mapping[str, frozenset[Resposta]]] = {
    "ausente": frozenset({(_NAO, "documento_ausente")}),
    "vencido": frozenset({(_NAO, "documento_vencido")}),
    "limite_ruim": frozenset({(_NAO, "documento_vencido")}),
    "longo_vencido": frozenset({(_NAO, "documento_vencido")}),
    "tipo": frozenset({(_NAO, "documento_tipo_errado")}),
    "terceiro": frozenset({(_NAO, "documento_de_terceiro")}),
    "formato": frozenset({(_NAO, "formato_nao_aceito")}),
    "repetido": frozenset({(_NAO, "documento_repetido"), (_NAO, "documento_tipo_errado")}),
    "vazio": frozenset({(_NAO, "documento_vazio")}),
    "corrompido": frozenset({(_NAO, "documento_corrompido"), ("nao_lido", "documento_corrompido")}),
    "protegido": frozenset({(_NAO, "documento_protegido"), ("nao_lido", "documento_protegido")}),
    "foto": frozenset({("nao_lido", None)}),
}
"""What each deviation should bring; any other leaves the paper right."""
_NOMES_DE_ARQUIVO: Final = (
    "{r}.{f}",
    "Certidão ({n}).{f}",
    "scan_000{n}.{f}",
    "DOC FINAL {n}.{f}",
    "IMG-20260820-WA00{n}.{f}",
    "{r} - assinado.{f}",
)


@dataclass(frozen=True, slots=True)
class Lote:
    """A call as it is imported, and its truth: of items, projects and budgets. `fora`: what the design leaves open.
    `imagens`: what is read only where there is a reader of images."""

    chamada: Mapping[str, Any]
    arquivos: Mapping[str, bytes]
    itens: Mapping[tuple[str, str], frozenset[Resposta]]
    sugestoes: Mapping[str, str]
    orcamentos: Orcamentos
    fora: frozenset[tuple[str, str]]
    imagens: frozenset[tuple[str, str]]

    def counted(self, requisito: str) -> bool:
        """Whether the design says how this item comes out: nothing is said of what may be left out."""
        return all(dado.get("obrigatorio", True) for dado in self.chamada["requisitos"] if dado["id"] == requisito)

    def write(self, pasta: Path) -> None:
        """The folder that is imported."""
        for nome, conteudo in self.arquivos.items():
            caminho = pasta / nome
            caminho.parent.mkdir(parents=True, exist_ok=True)
            caminho.write_bytes(conteudo)
        (pasta / "edital.json").write_text(json.dumps(self.chamada, ensure_ascii=False, indent=1), encoding="utf-8")


@cache
def read_lote(nome: str) -> Lote:
    """The lot of this name, the same each time."""
    return _Montagem(tomllib.loads((AQUI / f"{nome}.toml").read_text(encoding="utf-8"))).build()


class _Montagem:
    """Puts a lot together out of its data."""

    def __init__(self, dados: Mapping[str, Any]) -> None:
        self.dados = dados
        self.referencia = date.fromisoformat(dados["edital"]["data_referencia"])
        self.requisitos = {requisito["id"]: requisito for requisito in dados["requisitos"]}
        self.orcamentos = draw_budgets(dados["orcamentos"], [dado["id"] for dado in dados["projetos"]])
        self.arquivos: dict[str, bytes] = {}
        self.enviados: dict[tuple[str, str], str] = {}
        self.itens: dict[tuple[str, str], frozenset[Resposta]] = {}

    def build(self) -> Lote:
        """The call with all of its projects."""
        projetos = [self._projeto(indice, dado) for indice, dado in enumerate(self.dados["projetos"], 1)]
        chamada = {chave: self.dados[chave] for chave in ("edital", "requisitos", "criterios")} | {"projetos": projetos}
        sugestoes = {projeto["id"]: self._suggestion(projeto["id"]) for projeto in projetos}
        desvios = [(dado["id"], r, desvio) for dado in self.dados["projetos"] for r, desvio in dado.get("desvios", {}).items()]
        fora = frozenset((projeto, r) for projeto, r, desvio in desvios if desvio == "positiva")
        imagens = frozenset((projeto, r) for projeto, r, desvio in desvios if desvio in ("imagem", "foto"))
        return Lote(chamada, self.arquivos, self.itens, sugestoes, self.orcamentos, fora, imagens)

    def _suggestion(self, projeto: str) -> str:
        wrong = [
            (self.requisitos[r], certo)
            for (outro, r), certo in self.itens.items()
            if outro == projeto and ATENDE not in certo and self.requisitos[r].get("obrigatorio", True)
        ]
        if any(requisito.get("eliminatorio") and any(situacao == _NAO for situacao, _ in certo) for requisito, certo in wrong):
            return "inabilitado"
        return "pendencia" if wrong else "habilitado"

    def _projeto(self, indice: int, dado: Mapping[str, Any]) -> dict[str, Any]:
        gente = _Gente.of(indice, dado, self.dados["pessoas"])
        campos = self._campos(indice, dado)
        documentos = [enviado for r in self.requisitos if (enviado := self._documento(indice, dado, gente, r, campos))]
        for r, requisito in self.requisitos.items():
            if requisito["tipo"] == "condicao":
                self.itens[dado["id"], r] = frozenset({(_NAO, "condicao_nao_atendida")} if r in dado.get("nao", ()) else {ATENDE})
        categoria = dado.get("categoria") or self.dados["edital"]["categorias"][1 + indice % 2]
        return {
            "id": dado["id"],
            "titulo": f"{gente.nome}: {categoria.lower()}",
            "categoria": categoria,
            "enviado_em": f"{self.dados['edital']['inscricoes']['fim']}T{8 + indice % 12:02}:{indice % 60:02}:00-03:00",
            "resumo": f"Proposta de {gente.nome} em {gente.municipio}.",
            "proponente": gente.proponente(),
            "campos": campos,
            "orcamento_itens": self.orcamentos.itens[dado["id"]],
            "documentos": documentos,
        }

    def _campos(self, indice: int, dado: Mapping[str, Any]) -> dict[str, Any]:
        campos: dict[str, Any] = {"natureza": _NATUREZAS[dado["tipo"]]}
        for campo, valores in self.dados["campos"].items():
            campos[campo] = valores[indice % len(valores)]
        campos |= dado.get("campos", {})
        return {campo: valor for campo, valor in campos.items() if campo not in dado.get("sem", ())}

    def _documento(self, indice: int, dado: Mapping[str, Any], gente: _Gente, r: str, campos: Mapping[str, Any]) -> dict[str, str] | None:
        requisito = self.requisitos[r]
        if requisito["tipo"] != "documento" or not self._asked(requisito, campos, dado, r):
            return None
        desvio = dado.get("desvios", {}).get(r, "")
        self.itens[dado["id"], r] = _DESVIOS.get(desvio.split(":")[0], frozenset({ATENDE}))
        if desvio == "imagem" and not {"png", "jpg"} & set(requisito.get("formatos", ["png"])):
            self.itens[dado["id"], r] = _DESVIOS["formato"]
        if desvio == "ausente":
            return None
        formato, conteudo = self._file(indice, dado, gente, r, desvio)
        nome = _NOMES_DE_ARQUIVO[(indice + len(self.arquivos)) % 6].format(r=r, f=formato, n=int(r[1:]))
        self.enviados[dado["id"], r] = arquivo = f"documentos/{dado['id']}/{nome}"
        self.arquivos[arquivo] = conteudo
        return {"requisito": r, "arquivo": arquivo}

    def _asked(self, requisito: Mapping[str, Any], campos: Mapping[str, Any], dado: Mapping[str, Any], r: str) -> bool:
        """Whether this is asked of the project, and sent by it; what is not asked is met."""
        quando = requisito.get("quando")
        if quando and not _holds(quando, campos.get(quando["campo"])):
            self.itens[dado["id"], r] = frozenset({ATENDE})
            return False
        return True

    def _file(self, indice: int, dado: Mapping[str, Any], gente: _Gente, r: str, desvio: str) -> tuple[str, bytes]:
        tipo, _, outro = desvio.partition(":")
        if tipo == "repetido":
            nome = self.enviados[dado["id"], outro]
            return nome.rpartition(".")[2], self.arquivos[nome]
        variante = indice + int(r[1:])
        formato = self._format(variante, r, tipo)
        if tipo == "foto":
            return "jpg", picture(indice)
        if tipo == "vazio":
            return formato, blank(formato)
        if tipo == "corrompido":
            return formato, broken(formato)
        texto = self._text(variante, gente, outro if tipo == "tipo" else r, tipo)
        conteudo = write_file(texto, formato, variante)
        return formato, locked(conteudo) if tipo == "protegido" else conteudo

    def _format(self, variante: int, r: str, tipo: str) -> str:
        aceitos = self.requisitos[r].get("formatos", ["pdf", "docx", "odt", "txt"])
        if tipo == "formato":
            return next(formato for formato in ("docx", "txt") if formato not in aceitos)
        if tipo == "imagem":
            return "png" if variante % 2 else "jpg"
        outros = [formato for formato in aceitos if formato in ("docx", "odt", "txt")]
        return outros[variante % len(outros)] if outros and variante % 4 == 0 and tipo not in ("protegido", "corrompido") else "pdf"

    def _text(self, variante: int, gente: _Gente, r: str, tipo: str) -> str:
        papeis = self.dados["papeis"][r]
        papel = self.dados["positivas"][r] if tipo == "positiva" else papeis[variante % len(papeis)]
        emissao, prazo = self._days(variante, r, tipo)
        if "{meses}" in papel:
            prazo = (_months_after(emissao, _MESES) - emissao).days
        quem = gente.outro(self.dados["pessoas"]["terceiros"][variante % 3]) if tipo == "terceiro" else gente
        texto = papel.format(
            emissao=Dia(emissao),
            validade=Dia(emissao + timedelta(prazo)),
            consulta=Dia(min(emissao + timedelta(9), self.referencia)),
            prazo=Prazo(prazo),
            meses=_MESES,
            cod=31245 + 7 * variante,
            municipio=Nome(quem.municipio),
            **quem.named(r in self.dados["pessoas"]["sobre_a_pessoa"], variante),
        )
        return PAGINA.join([*self.dados["longo"]["antes"], texto]) if tipo.startswith("longo") else str(texto)

    def _days(self, variante: int, r: str, tipo: str) -> tuple[date, int]:
        """When it was issued and for how many days it holds; of a paper that must be recent, the days that the call gives."""
        validade = self.requisitos[r].get("validade", {})
        prazo = int(validade["dias"] if "dias" in validade else self.dados["prazos"].get(r, 90))
        sorte = draw(f"{r} {variante}")
        match tipo:
            case "vencido" | "longo_vencido":
                antes = prazo + sorte.randrange(3, 45)
            case "limite_bom":
                antes = prazo
            case "limite_ruim":
                antes = prazo + 1
            case _:
                antes = sorte.randrange(2, min(prazo, 60) - 1)
        dia = date.fromisoformat(validade["data"]) if "data" in validade else self.referencia
        return dia - timedelta(antes), prazo


@dataclass(frozen=True, slots=True)
class _Gente:
    """Who proposes: a person, a person who trades, or an entity with its responsável."""

    tipo: str
    nome: str
    numero: str
    pessoa: str
    cpf: str
    municipio: str

    @classmethod
    def of(cls, indice: int, dado: Mapping[str, Any], pessoas: Mapping[str, Any]) -> _Gente:
        tipo, nome = dado["tipo"], dado["nome"]
        pessoa = pessoas["responsaveis"][indice % len(pessoas["responsaveis"])] if tipo == "PJ" else nome
        numero = _cpf(dado["id"]) if tipo == "PF" else _cnpj(dado["id"])
        return cls(tipo, nome, numero, pessoa, _cpf(dado["id"]), pessoas["municipios"][indice % len(pessoas["municipios"])])

    def outro(self, nome: str) -> _Gente:
        """Somebody else, of the same place."""
        return _Gente(self.tipo, nome, _cpf(nome) if self.tipo == "PF" else _cnpj(nome), nome, _cpf(nome), self.municipio)

    def named(self, sobre_a_pessoa: bool, variante: int) -> dict[str, Any]:
        """How a paper calls them; a MEI's company is the person's name, with the root of its CNPJ before it as often as not."""
        nome = self.pessoa if sobre_a_pessoa else self.nome
        if self.tipo == "MEI" and not sobre_a_pessoa and variante % 2:
            nome = f"{self.numero[:10]} {nome}"
        return {
            "nome": Nome(nome),
            "num": Numero(self.numero),
            "pessoa": Numero(self.cpf),
            "rotulo": "CPF" if self.tipo == "PF" else "CNPJ",
        }

    def proponente(self) -> dict[str, Any]:
        """As the import has them."""
        return {
            "nome": self.nome,
            "cpf_cnpj": self.numero,
            "email": f"{Nome(self.nome):seco}".lower().replace(" ", ".").replace("'", "") + "@correio.example",
            "endereco": self.municipio,
            "responsavel": {"nome": self.pessoa, "cpf": self.cpf},
        }


def _months_after(dia: date, meses: int) -> date:
    ano, mes = divmod(dia.month - 1 + meses, 12)
    return date(dia.year + ano, mes + 1, min(dia.day, monthrange(dia.year + ano, mes + 1)[1]))


def _holds(quando: Mapping[str, Any], valor: object) -> bool:
    match quando["operador"]:
        case "igual":
            return bool(valor == quando["valor"])
        case "diferente":
            return bool(valor != quando["valor"])
        case "em":
            return valor in quando["valor"]
        case _:
            return valor is not None


def _cpf(semente: str) -> str:
    digitos = f"{draw(f'cpf {semente}').randrange(10**9):09}"
    for _ in range(2):
        resto = sum((len(digitos) + 1 - indice) * int(digito) for indice, digito in enumerate(digitos)) * 10 % 11
        digitos += str(resto % 10)
    return str(cpf.format(cpf.validate(digitos)))


def _cnpj(semente: str) -> str:
    digitos = f"{draw(f'cnpj {semente}').randrange(10**8):08}0001"
    return str(cnpj.format(digitos + cnpj.calc_check_digits(digitos)))
