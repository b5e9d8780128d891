"""The lists of a screening found by reading the whole call: what lists that are read by the page are held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.achados import ProjetoTriado, Resultado
from crivo.triagem.casos import casos_of
from crivo.triagem.edital import Chamada
from crivo.triagem.guardados import Avaliacao, DecisaoHabilitacao, Incumbencia
from crivo.triagem.media import media_of
from crivo.triagem.palavras import shown

_GRAVITY = ("inabilitado", "pendencia", "erro", "", "habilitado")


@dataclass(frozen=True)
class Inteira:
    """A call and all that was made of it."""

    chamada: Chamada
    resultado: Resultado
    decisoes: Mapping[str, DecisaoHabilitacao]
    notas: Sequence[Avaliacao]
    incumbencias: Sequence[Incumbencia]

    def habilitacao(self, q: str = "", filtro: str = "", ordem: str = "", decisao: str = "") -> list[str]:
        """The codes of the projects that are judged; `decisao` is empty, sem-decisao or com-decisao."""
        keys: dict[str, Callable[[ProjetoTriado], Any]] = {
            "projeto": self._title,
            "situacao": lambda one: _GRAVITY.index(_group(one)),
            "confianca": _share_read,
        }
        wanted = [
            one
            for one in self.judged
            if filtro in ("", _group(one))
            and (decisao not in ("sem-decisao", "com-decisao") or (one.projeto_id in self.decisoes) == (decisao == "com-decisao"))
            and self._is_about(one.projeto_id, q)
        ]
        key: Callable[[ProjetoTriado], Any] = keys.get(ordem.removeprefix("-"), lambda _: 0)
        down = ordem.startswith("-")
        having = [(value, one) for one in wanted if (value := key(one)) is not None]
        having.sort(key=lambda pair: pair[0], reverse=down)
        lacking = [one for one in wanted if key(one) is None]
        return [one.projeto_id for one in [*[one for _, one in having], *lacking]]

    def avaliacao(self, q: str = "", ordem: str = "") -> list[tuple[str, int | None]]:
        """The codes of the projects that were read for their merit, with their places."""
        places = self.places({codigo: value for codigo, value in self.suggested.items() if codigo not in self.left_out})
        keys: dict[str, Callable[[ProjetoTriado], Any]] = {
            "": lambda one: places.get(one.projeto_id, len(self.resultado.projetos) + 1),
            "-nota": lambda one: places.get(one.projeto_id, len(self.resultado.projetos) + 1),
            "nota": lambda one: -places[one.projeto_id] if one.projeto_id in places else 1,
            "projeto": self._title,
        }
        wanted = [one for one in self.resultado.projetos if (one.notas or one.leitura) and self._is_about(one.projeto_id, q)]
        found = sorted(wanted, key=keys.get(ordem, lambda _: 0))
        return [(one.projeto_id, places.get(one.projeto_id)) for one in found]

    def casos(self, q: str = "", tipo: str = "") -> list[tuple[int, str]]:
        """The numbers and titles of the cases of a screening that was looked at for the first time."""
        wanted = [
            (numero, one)
            for numero, one in enumerate(casos_of(self.resultado.irregularidades), 1)
            if (not tipo or tipo in one.tipos)
            and (
                _says(q, f"caso {numero} {one.titulo}", *(sinal.achado for sinal in one.sinais))
                or any(self._is_about(codigo, q) for codigo in one.projetos)
            )
        ]
        return [(numero, one.titulo) for numero, one in wanted]

    def ranking(self, por: str) -> list[tuple[str, int | None]]:
        """The codes of the projects in force, with their places."""
        codes = [one.id for one in self.chamada.projetos]
        values = self.given if por == "pessoas" else self.suggested
        places = self.places({codigo: value for codigo, value in values.items() if codigo in codes and codigo not in self.left_out})
        last = len(codes) + 1
        ordered = sorted(codes, key=lambda codigo: (codigo in self.left_out, places.get(codigo, last)))
        return [(codigo, places.get(codigo)) for codigo in ordered]

    @property
    def left_out(self) -> set[str]:
        """Those that a person decided to be inabilitado."""
        return {codigo for codigo, one in self.decisoes.items() if one.decisao == "inabilitado"}

    def figures(self) -> dict[str, object]:
        """What the head of a result says."""
        medias = list(self.suggested.values())
        criterios = len(self.chamada.criterios)
        projetos = self.resultado.projetos
        groups = Counter(_group(one) for one in projetos)
        return {
            "projetos": len(projetos),
            "julgados": len(self.judged),
            "grupos": {name: groups[name] for name in ("habilitado", "pendencia", "inabilitado", "erro")},
            "sem_decisao": sum(one.projeto_id not in self.decisoes for one in self.judged),
            "decididos": sum(one.projeto_id in self.decisoes for one in projetos),
            "diferentes": sum(one.sugestao is not None and one.sugestao != one.decisao for one in self.decisoes.values()),
            "lidos": sum(bool(one.notas or one.leitura) for one in projetos),
            "com_notas": sum(bool(one.notas) for one in projetos),
            "com_media": len(medias),
            "media": round(sum(medias, Decimal(0)) / len(medias), 12) if medias else None,
            "dadas": len(self.incumbencias),
            "enviadas": sum(one.enviadas >= criterios > 0 for one in self.incumbencias),
        }

    @property
    def judged(self) -> list[ProjetoTriado]:
        return [one for one in self.resultado.projetos if one.habilitacao_sugerida is not None or one.erro is not None]

    @property
    def suggested(self) -> dict[str, Decimal]:
        """The suggested mean of each project that has one for every critério."""
        found = {one.projeto_id: media_of(self.chamada.criterios, one.notas) for one in self.resultado.projetos}
        return {codigo: media.valor for codigo, media in found.items() if media.valor is not None and not media.parcial}

    @property
    def given(self) -> dict[str, Decimal]:
        """The mean of those who sent a nota for every critério of a project."""
        pesos = {one.id: one.peso for one in self.chamada.criterios}
        own: dict[str, dict[object, dict[str, Decimal]]] = {}
        for nota in self.notas:
            own.setdefault(nota.projeto_id, {}).setdefault(nota.avaliador, {})[nota.criterio] = nota.nota
        found = {}
        for codigo, people in own.items():
            sums = [
                sum(pesos[criterio] * nota for criterio, nota in notas.items()) for notas in people.values() if len(notas) == len(pesos)
            ]
            if sums:
                found[codigo] = Decimal(sum(sums)) / len(sums) / sum(pesos.values())
        return found

    @staticmethod
    def places(values: Mapping[str, Decimal]) -> dict[str, int]:
        """The place of each value, the highest first; equal ones share it."""
        rounded = {codigo: round(value, 10) for codigo, value in values.items()}
        ordered = sorted(rounded.values(), reverse=True)
        return {codigo: ordered.index(value) + 1 for codigo, value in rounded.items()}

    def _title(self, one: ProjetoTriado) -> str:
        return fold(next((shown(projeto.titulo) for projeto in self.chamada.projetos if projeto.id == one.projeto_id), ""))

    def _is_about(self, codigo: str, q: str) -> bool:
        projeto = next((projeto for projeto in self.chamada.projetos if projeto.id == codigo), None)
        names = () if projeto is None else (projeto.titulo, projeto.proponente.nome, projeto.categoria)
        return _says(q, codigo, *map(shown, names))


def _says(words: str, *texts: str) -> bool:
    said = fold(" ".join(texts))
    return all(word in said for word in fold(words).split())


def _group(one: ProjetoTriado) -> str:
    return "erro" if one.erro is not None else one.habilitacao_sugerida or ""


def _share_read(one: ProjetoTriado) -> float | None:
    """How much of a project was read; None where nothing was, which stands last whichever way a list goes."""
    read = sum(item.situacao != "nao_lido" and item.motivo not in ("documento_ausente", "documento_corrompido") for item in one.itens)
    return read / len(one.itens) if read else None
