"""The seven rules of the design stated again over the plain JSON of an import, by choosing the best of a set again and again.

It shares nothing with the product: sets and one choice after another where the product sorts, fractions where it has integers of one
scale, and its own reading of `quando`.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from fractions import Fraction
from functools import cmp_to_key
from math import floor
from typing import Any

Json = dict[str, Any]


def resultado(chamada: Json) -> dict[str, Json]:
    """What becomes of each project, by its id: situacao, posicao, vaga, notas, nota_base, bonus, nota_final, desempate."""
    return _Disputa(chamada).resultado()


class _Disputa:
    def __init__(self, chamada: Json) -> None:
        self.edital = chamada["edital"]
        self.regras = self.edital["classificacao"]
        self.criterios = chamada["criterios"]
        self.projetos = chamada["projetos"]
        self.avaliacoes = chamada["avaliacoes"]
        self.habilitacoes = chamada["habilitacoes"]
        self.desistencias = chamada.get("desistencias", [])
        self.degrau = Fraction(1, 10 ** self.regras.get("casas", 2))
        self.linhas: dict[str, Json] = {}
        self.esperam: dict[str, dict[str, Json]] = {}

    def resultado(self) -> dict[str, Json]:
        no_pareo = [projeto for projeto in self.projetos if self.entra(projeto)]
        for categoria, dela in self.por_categoria(no_pareo).items():
            for posicao, projeto in enumerate(self.em_ordem(dela), 1):
                self.linhas[projeto["id"]] |= {"posicao": posicao, "desempate": self.desempatado_por(projeto, dela), "grupo": categoria}
        self.dar_vagas(self.por_categoria(no_pareo))
        return {codigo: {campo: linha[campo] for campo in linha if campo != "grupo"} for codigo, linha in self.linhas.items()}

    # --- rules 1 to 4

    def entra(self, projeto: Json) -> bool:
        linha: Json = dict.fromkeys(("situacao", "posicao", "vaga", "nota_base", "bonus", "nota_final", "desempate"), None) | {"notas": {}}
        self.linhas[projeto["id"]] = linha
        if any(d["projeto"] == projeto["id"] for d in self.desistencias):
            linha["situacao"] = "desclassificado"
            return False
        if any(h["projeto"] == projeto["id"] and h["situacao"] == "inabilitado" for h in self.habilitacoes):
            linha["situacao"] = "inabilitado"
            return False
        dadas = [
            a["notas"]
            for a in self.avaliacoes
            if a["projeto"] == projeto["id"] and self.criterios and all(c["id"] in a["notas"] for c in self.criterios)
        ]
        if len(dadas) < max(1, self.regras.get("minimo_avaliadores", 1)) or self.longe(dadas):
            linha["situacao"] = "pendente"
            return False
        medias = {c["id"]: sum((Fraction(str(d[c["id"]])) for d in dadas), Fraction(0)) / len(dadas) for c in self.criterios}
        linha["notas"] = {codigo: self.arredondar(media) for codigo, media in medias.items()}
        pesos = {c["id"]: Fraction(str(c.get("peso", 1))) for c in self.criterios}
        maxima = sum((pesos[c["id"]] * Fraction(str(c.get("nota_max", 10))) for c in self.criterios), Fraction(0))
        escala = Fraction(str(self.regras.get("escala", 100)))
        linha["nota_base"] = self.arredondar(escala * sum((pesos[c] * medias[c] for c in medias), Fraction(0)) / maxima)
        corte = self.regras.get("corte", {})
        if (
            any(medias[codigo] == 0 for codigo in corte.get("zero_elimina", []))
            or any(medias[codigo] < Fraction(str(minimo)) for codigo, minimo in corte.get("por_criterio", {}).items())
            or linha["nota_base"] < Fraction(str(corte.get("nota_final_minima", 0)))
        ):
            linha["situacao"] = "desclassificado"
            return False
        pontos = sum((Fraction(str(b["pontos"])) for b in self.regras.get("bonus", []) if vale(b["quando"], projeto)), Fraction(0))
        linha["bonus"] = min(pontos, Fraction(str(self.regras.get("bonus_maximo", 10**9))))
        linha["nota_final"] = linha["nota_base"] + linha["bonus"]
        projeto["_medias"] = medias
        return True

    def longe(self, dadas: list[Json]) -> bool:
        if "divergencia_maxima" not in self.regras or len(dadas) >= 3:
            return False
        return any(
            abs(Fraction(str(um[c["id"]])) - Fraction(str(outro[c["id"]])))
            > Fraction(str(self.regras["divergencia_maxima"]))
            * (Fraction(str(c.get("nota_max", 10))) - Fraction(str(c.get("nota_min", 0))))
            / 100
            for um in dadas
            for outro in dadas
            for c in self.criterios
        )

    def arredondar(self, valor: Fraction) -> Fraction:
        return floor(valor / self.degrau + Fraction(1, 2)) * self.degrau

    # --- rule 5

    def por_categoria(self, projetos: list[Json]) -> dict[str, list[Json]]:
        nomeadas = [v["categoria"] for v in self.regras.get("vagas", [])]
        grupos: dict[str, list[Json]] = {nome: [] for nome in nomeadas}
        for projeto in projetos:
            dele = projeto.get("categoria", "")
            nome = dele if dele in nomeadas else "*" if "*" in nomeadas else f"sem vagas: {dele}"
            grupos.setdefault(nome, []).append(projeto)
        return grupos

    def em_ordem(self, projetos: list[Json]) -> list[Json]:
        """One after another, the one whom nobody beats."""
        ordem, restam = [], list(projetos)
        while restam:
            primeiro = next(p for p in restam if all(self.compara(p, outro)[0] < 0 for outro in restam if outro is not p))
            ordem.append(primeiro)
            restam.remove(primeiro)
        return ordem

    def compara(self, um: Json, outro: Json) -> tuple[int, str | None]:
        """Below 0 where the first goes before, and the tie-break by which; None where the nota_final tells them apart."""
        notas = [self.linhas[p["id"]]["nota_final"] for p in (um, outro)]
        if notas[0] != notas[1]:
            return (-1 if notas[0] > notas[1] else 1), None
        for regra in [*self.regras.get("desempate", []), {"por": "sorteio"}]:
            sinal, nome = self.aplica(regra, um, outro)
            if sinal:
                return sinal, nome
        raise AssertionError("a draw tells any two apart")

    def antes(self, um: Json, outro: Json) -> int:
        return self.compara(um, outro)[0]

    def aplica(self, regra: Json, um: Json, outro: Json) -> tuple[int, str]:
        match regra["por"]:
            case "criterio":
                return _antes(um["_medias"][regra["criterio"]], outro["_medias"][regra["criterio"]], maior=True), regra["criterio"]
            case "campo":
                valores = [p.get("campos", {}).get(regra["campo"]) for p in (um, outro)]
                return _antes(*valores, maior=regra.get("maior", True)), regra["campo"]
            case "inscricao":
                momentos = [p.get("enviado_em") and datetime.fromisoformat(p["enviado_em"]) for p in (um, outro)]
                return _antes(*momentos, maior=False), "inscricao"
            case _:
                semente = self.regras.get("semente") or self.edital["id"]
                resumos = [hashlib.sha256((semente + ":" + p["id"]).encode()).hexdigest() for p in (um, outro)]
                return _antes(*resumos, maior=False), "sorteio"

    def desempatado_por(self, projeto: Json, grupo: list[Json]) -> str | None:
        """The tie-break against the nearest above of the same nota, else against the nearest below."""
        iguais = [p for p in grupo if self.linhas[p["id"]]["nota_final"] == self.linhas[projeto["id"]]["nota_final"]]
        ordem = sorted(iguais, key=cmp_to_key(self.antes))
        if len(ordem) == 1:
            return None
        lugar = ordem.index(projeto)
        vizinho = ordem[lugar - 1] if lugar else ordem[1]
        return self.compara(projeto, vizinho)[1]

    # --- rules 6 and 7

    def dar_vagas(self, grupos: dict[str, list[Json]]) -> None:
        self.esperam = {nome: {p["id"]: p for p in projetos} for nome, projetos in grupos.items()}
        ofertas = self.regras.get("vagas", [])
        vazias = sum(self.dar_na_categoria(oferta) for oferta in ofertas)
        if "categorias" in self.regras.get("remanejamento", []):
            for _ in range(vazias):
                any(self.tomar(oferta["categoria"], "AMPLA") for oferta in ofertas)
        for nome, restam in self.esperam.items():
            com_vagas = any(oferta["categoria"] == nome for oferta in ofertas)
            em_ordem = sorted(restam, key=lambda codigo: self.linhas[codigo]["posicao"])
            for ordem, codigo in enumerate(em_ordem):
                suplente = com_vagas and ordem < self.regras.get("suplentes", 0)
                self.linhas[codigo]["situacao"] = "suplente" if suplente else "nao_classificado"

    def dar_na_categoria(self, oferta: Json) -> int:
        """How many places nobody of the category took."""
        nome, cotas = oferta["categoria"], oferta.get("cotas", [])
        amplas = oferta["total"] - sum(cota["vagas"] for cota in cotas)
        vazias = sum(not self.tomar(nome, "AMPLA") for _ in range(amplas))
        sobras = [cota for cota in cotas for _ in range(cota["vagas"]) if not self.tomar(nome, cota["id"], cota["quando"])]
        for sobra in sobras:
            outras = [cota for cota in cotas if cota is not sobra] if "cotas" in self.regras.get("remanejamento", []) else []
            passou = any(self.tomar(nome, cota["id"], cota["quando"]) for cota in outras)
            vazias += not passou and not self.tomar(nome, "AMPLA")
        return vazias

    def tomar(self, nome: str, vaga: str, quando: Json | None = None) -> bool:
        """Give a place to the best who waits and may have it; False where nobody may."""
        possiveis = [p for p in self.esperam[nome].values() if quando is None or vale(quando, p)]
        if possiveis:
            melhor = min(possiveis, key=lambda p: self.linhas[p["id"]]["posicao"])
            self.linhas[melhor["id"]] |= {"situacao": "selecionado", "vaga": vaga}
            del self.esperam[nome][melhor["id"]]
        return bool(possiveis)


def vale(quando: Json, projeto: Json) -> bool:
    """Of the values that are drawn: texts, numbers, or nothing."""
    valor = projeto.get("campos", {}).get(quando["campo"]) if quando["campo"] != "categoria" else projeto.get("categoria") or None
    if valor is None or valor == "" or valor == []:
        return False
    ditos = valor if isinstance(valor, list) else [valor]
    match quando["operador"]:
        case "existe":
            return bool(quando.get("valor", True))
        case "igual":
            return quando["valor"] in ditos
        case "diferente":
            return quando["valor"] not in ditos
        case "em":
            return any(dito in quando["valor"] for dito in ditos)
        case "minimo":
            return not isinstance(valor, str | list) and bool(valor >= quando["valor"])
        case _:
            return not isinstance(valor, str | list) and bool(valor <= quando["valor"])


def _antes(um: Any, outro: Any, *, maior: bool) -> int:
    """Below 0 where the first goes before; what is missing goes last."""
    if um is None or outro is None:
        return (um is None) - (outro is None)
    if um == outro:
        return 0
    return -1 if (um > outro) == maior else 1
