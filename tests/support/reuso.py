"""A labelled set of reused texts: made-up projects, some of them copied from others and disguised, others honestly alike.

Every base text was written by hand for this set (`reuso_textos.txt`). The two halves share no base text: what is tuned on one is
reported on the other. The same seed draws the same editais.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada, Edital, Projeto, Proponente

Metade = Literal["ajuste", "relato"]
Par = frozenset[str]
Sorte = random.Random
Edicao = Callable[[list[str], random.Random, Sequence[str]], list[str]]

_HERE: Final = Path(__file__).parent
_TROCAS: Final[dict[str, dict[str, list[str]]]] = json.loads((_HERE / "reuso_trocas.json").read_bytes())
_WORD: Final = re.compile(r"[^\W\d_]+")
RODADAS: Final = 12


@dataclass(frozen=True, slots=True)
class EditalRotulado:
    """An edital and the truth about it: which pairs reuse text, by what disguise, and which only look as if."""

    chamada: Chamada
    lidos: tuple[ProjetoLido, ...]
    reusos: dict[Par, str]
    honestos: dict[Par, str]

    @property
    def pares(self) -> int:
        """How many pairs its projects make."""
        return len(self.lidos) * (len(self.lidos) - 1) // 2


@dataclass(frozen=True, slots=True)
class Base:
    """A text written by hand, and its cultural area."""

    area: str
    frases: tuple[str, ...]


def bases(metade: Metade) -> tuple[Base, ...]:
    """Every other text: both halves have all areas."""
    blocks = (_HERE / "reuso_textos.txt").read_text(encoding="utf-8").split("# ")[1:]
    todas = [Base(block.split("\n")[0].strip(), tuple(_sentences(block.split("\n", 1)[1]))) for block in blocks]
    return tuple(todas[metade == "relato" :: 2])


def draw_editais(metade: Metade, semente: int = 1, rodadas: int = RODADAS) -> list[EditalRotulado]:
    """So many editais, each with 18 texts of the half, ten of them copied in disguise, and look-alikes; the rest fills half-copies."""
    return [_draw(bases(metade), Sorte(f"{metade} {semente} {rodada}")) for rodada in range(rodadas)]


def edited(frases: list[str], sorte: random.Random, _: Sequence[str]) -> list[str]:
    """Words changed for others, left out, put in, in nearly every sentence."""
    return [_reworded(frase, sorte, 0.6, 0.08) for frase in frases]


def renamed(frases: list[str], sorte: random.Random, _: Sequence[str]) -> list[str]:
    """Other people, places and numbers throughout."""
    return _with_other_names(frases, sorte)


def halved(frases: list[str], sorte: random.Random, outras: Sequence[str]) -> list[str]:
    """Half the sentences, among as many of one's own."""
    copied = sorted(sorte.sample(range(len(frases)), (len(frases) + 1) // 2))
    own = sorte.sample(list(outras), len(copied))
    mixed = [*(frases[at] for at in copied), *own]
    sorte.shuffle(mixed)
    return mixed


def reordered(frases: list[str], sorte: random.Random, _: Sequence[str]) -> list[str]:
    """The sentences in another order, clauses swapped in some."""
    mixed = [_swapped(frase) if sorte.random() < 0.3 else frase for frase in frases]
    sorte.shuffle(mixed)
    return mixed


def paraphrased(frases: list[str], sorte: random.Random, _: Sequence[str]) -> list[str]:
    """Half the sentences said otherwise, word for word where a word has another; the rest touched lightly."""
    return [
        _reworded(_swapped(frase), sorte, 1.0, 0.15) if at % 2 else _reworded(frase, sorte, 0.3, 0.03) for at, frase in enumerate(frases)
    ]


def disguised(frases: list[str], sorte: random.Random, outras: Sequence[str]) -> list[str]:
    """All at once: two thirds of it, renamed, edited, in another order, among one's own."""
    kept = sorte.sample(frases, -(-2 * len(frases) // 3))
    changed = edited(_with_other_names(kept, sorte), sorte, outras)
    mixed = [*changed, *sorte.sample(list(outras), len(frases) // 3)]
    sorte.shuffle(mixed)
    return mixed


DISFARCES: Final[tuple[tuple[str, Edicao], ...]] = (
    ("editado", edited),
    ("renomeado", renamed),
    ("copiado pela metade", halved),
    ("reordenado", reordered),
    ("parafraseado em parte", paraphrased),
    ("tudo junto", disguised),
)


def _draw(todas: Sequence[Base], sorte: random.Random) -> EditalRotulado:
    shuffled = sorte.sample(todas, len(todas))
    usadas, reserva = shuffled[:-4], [frase for base in shuffled[-4:] for frase in base.frases]
    projetos = [_projeto(f"P{at:03}", list(base.frases), sorte) for at, base in enumerate(usadas, 1)]
    reusos: dict[Par, str] = {}
    for at in range(12):
        nome, edit = DISFARCES[at % len(DISFARCES)]
        copia = _projeto(f"R{at:03}", edit(list(usadas[at].frases), sorte, reserva), sorte)
        reusos[frozenset((projetos[at].id, copia.id))] = nome
        projetos.append(copia)
    serie = _series(usadas[13], projetos[13], sorte)
    honestos = {frozenset((projetos[13].id, serie.id)): "série do mesmo proponente"}
    projetos = _with_shared_facts([*projetos, serie], honestos)
    sorte.shuffle(projetos)
    chamada = Chamada(_EDITAL, projetos=tuple(projetos))
    return EditalRotulado(chamada, tuple(ProjetoLido(projeto) for projeto in projetos), reusos, honestos)


def _projeto(numero: str, frases: list[str], sorte: random.Random) -> Projeto:
    """The sentences with what every project of the edital has: declarations with its own name in, and often a quotation of the edital."""
    nome = f"{sorte.choice(_TROCAS['pessoas']['*'])} {sorte.choice(_TROCAS['sobrenomes']['*'])}"
    formal = [frase.format(nome=nome, lugar=sorte.choice(_TROCAS["lugares"]["*"])) for frase in _DECLARACOES]
    quoted = sorte.sample(_sentences(_EDITAL.texto), sorte.randrange(3))
    cpf = f"{sorte.randrange(10**11):011}"
    corpo = [*quoted, *frases[2:], *formal]
    return Projeto(numero, f"Projeto {numero}", Proponente(nome, cpf), resumo=" ".join(frases[:2]), descricao_tecnica=" ".join(corpo))


def _series(base: Base, primeira: Projeto, sorte: random.Random) -> Projeto:
    """The second year of the first one's project: most of its words are the same, and its proponente's."""
    frases = [_reworded(frase, sorte, 0.3, 0.03) for frase in base.frases]
    segunda = _projeto("S000", [*frases[:-3], *_SEGUNDO_ANO], sorte)
    return Projeto("S000", "Segundo ano", primeira.proponente, resumo=segunda.resumo, descricao_tecnica=segunda.descricao_tecnica)


def _with_shared_facts(projetos: list[Projeto], honestos: dict[Par, str]) -> list[Projeto]:
    """Two projects of one town that tell the same figures about it."""
    here, there = projetos[14], projetos[15]
    honestos[frozenset((here.id, there.id))] = "os mesmos dados do município"
    told = {projeto.id: f"{projeto.descricao_tecnica} {_DADOS}" for projeto in (here, there)}
    return [
        Projeto(
            projeto.id,
            projeto.titulo,
            projeto.proponente,
            resumo=projeto.resumo,
            descricao_tecnica=told.get(projeto.id, projeto.descricao_tecnica),
        )
        for projeto in projetos
    ]


def _reworded(frase: str, sorte: random.Random, trocar: float, cortar: float) -> str:
    """Each word that has others in the list changed with one probability, any other short word left out with another."""
    said = []
    for word in frase.split(" "):
        core = _WORD.search(word)
        outras = _TROCAS["palavras"].get(core.group().lower(), []) if core else []
        if core and outras and sorte.random() < trocar:
            nova = sorte.choice(outras)
            said.append(word.replace(core.group(), nova.capitalize() if core.group()[0].isupper() else nova))
        elif not (core and not core.group()[0].isupper() and sorte.random() < cortar):
            said.append(word)
        if sorte.random() < cortar / 2:
            said.append(sorte.choice(_TROCAS["enchimento"]["*"]))
    return " ".join(said)


def _with_other_names(frases: Sequence[str], sorte: random.Random) -> list[str]:
    """Each capitalised name that opens no sentence, and each number in words, changed for another, the same everywhere."""
    novos: dict[str, str] = {}

    def change(match: re.Match[str]) -> str:
        word = match.group()
        if match.start() and word[0].isupper() and len(word) > 2:
            return novos.setdefault(word, sorte.choice(_TROCAS["lugares"]["*"] + _TROCAS["pessoas"]["*"]))
        if word in _TROCAS["numeros"]["*"]:
            return novos.setdefault(word, sorte.choice(_TROCAS["numeros"]["*"]))
        return word

    return [_WORD.sub(change, frase) for frase in frases]


def _swapped(frase: str) -> str:
    """What stands before the first comma after what follows it."""
    bare = frase.rstrip(".")
    first, comma, rest = bare.partition(", ")
    return f"{rest[0].upper()}{rest[1:]}, {first[0].lower()}{first[1:]}." if comma else frase


def _sentences(texto: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", texto.strip())


_EDITAL: Final = Edital(
    "ED-REUSO",
    "Edital de fomento às culturas populares",
    texto=(
        "Serão apoiados projetos que valorizem a diversidade das expressões culturais do estado e a formação de novos públicos. "
        "Todo projeto deve prever ao menos uma ação gratuita de contrapartida social em escola pública, com classificação livre. "
        "As ações de acessibilidade devem alcançar pessoas com deficiência auditiva, visual, motora e intelectual. "
        "A execução deve terminar em até doze meses contados do recebimento do recurso em conta específica."
    ),
)
_DECLARACOES: Final = (
    "Eu, {nome}, declaro, sob as penas da lei, que as informações prestadas nesta inscrição são verdadeiras e que resido em {lugar}.",
    "O proponente {nome} compromete-se a aplicar as marcas do governo em todo o material de divulgação, conforme o manual fornecido.",
    "Todas as pessoas contratadas em {lugar} terão seus encargos recolhidos e os comprovantes guardados por cinco anos.",
)
_SEGUNDO_ANO: Final = (
    "O que se aprendeu no ano passado mudou o desenho desta segunda etapa, que agora chega também aos bairros da outra margem.",
    "Ex-participantes voltam como monitores, com bolsa e horário combinado com a escola.",
    "Um relatório público compara o alcance dos dois anos.",
)
_DADOS: Final = (
    "Segundo o último censo, o município tem trinta e um mil habitantes, dos quais quase metade vive na zona rural. "
    "Há uma única biblioteca pública e nenhuma sala de cinema em funcionamento."
)
