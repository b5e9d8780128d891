"""The model of language, what texts are compared by, and the anchors of the audit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crivo.cli.exames.exame import Exame
from crivo.kernel.settings import Settings
from crivo.kernel.sistema import explain

if TYPE_CHECKING:
    from crivo.kernel.llm.sonda import Sonda

_MODEL: Final = "Modelo de linguagem"
_PROBE_SECONDS: Final = 2.0
_DAY: Final = 86_400.0
_REACHED: Final[Mapping[Sonda, str]] = {
    "responde": "responde",
    "responde_sem_lista": "responde, sem dizer que modelos tem",
}
_NO_EFFORT: Final = "CRIVO_MODELO_ESFORCO={esforco} não tem efeito nele"
_BEHIND: Final = "; se o nome é de uma implantação, diga em CRIVO_MODELO_FAMILIA que modelo há por trás"
_NOT_REACHED: Final[Mapping[Sonda, str]] = {
    "sem_chave": "falta a chave; preencha {chave}",
    "chave_recusada": "o serviço não aceita a chave; confira {chave}",
    "modelo_desconhecido": "o serviço não tem um modelo com esse nome; confira o nome",
    "fora_do_ar": "o serviço não respondeu; confira o endereço e a rede. Enquanto isso, o código faz a parte dele",
}


def look(settings: Settings) -> Sequence[Exame]:
    """The model and its reserve, where there are any."""
    return tuple(_models(settings))


def texts(settings: Settings) -> Sequence[Exame]:
    """What the texts of projects are compared by, and what that cannot see."""
    from crivo.triagem.embeddings.semantico import semantico_lacking

    return (judge_texts(settings.embeddings, semantico_lacking()),)


def anchors(settings: Settings) -> Sequence[Exame]:
    """How old the newest note of the audit's end is, where notes are kept in a file."""
    place = settings.auditoria_ancora
    path = settings.data_dir.expanduser() / "ancoras.jsonl" if not place or "://" in place else Path(place).expanduser()
    try:
        age: float | None = time.time() - path.stat().st_mtime
    except FileNotFoundError:
        age = None
    except OSError as error:
        why = f"o arquivo {path} {explain(error)}"
        return (Exame("ancoras", "Âncoras da auditoria", "mal", why, "CRIVO_AUDITORIA_ANCORA"),)
    return (judge_anchors(path, age),)


def judge_texts(embeddings: str, lacking: str) -> Exame:
    """What compares texts; `lacking` is what keeps the one by meaning from working here."""
    from crivo.triagem.embeddings.escolha import LOCAL
    from crivo.triagem.embeddings.semantico import NAO_VE, SEMANTICO

    told = "comparacao_de_textos", "Comparação de textos"
    if embeddings == LOCAL:
        mend = lacking.removesuffix(", ou use CRIVO_EMBEDDINGS=local.") if lacking else "Para ver o sentido, use CRIVO_EMBEDDINGS=semantico"
        return Exame(*told, "opcional", f"por letras (local), que {NAO_VE}. {mend}", "CRIVO_EMBEDDINGS=semantico")
    if embeddings == SEMANTICO:
        if lacking:
            return Exame(*told, "mal", lacking, "CRIVO_EMBEDDINGS=local")
        return Exame(*told, "bem", "pelo sentido (semantico), nesta máquina")
    return Exame(*told, "bem", embeddings.partition("#")[2] or embeddings)


def judge_anchors(path: Path, age_seconds: float | None) -> Exame:
    """The end of the audit is noted once a day by a server or a worker that runs."""
    told = "ancoras", "Âncoras da auditoria"
    if age_seconds is None:
        return Exame(*told, "opcional", "nenhuma ainda; o servidor anota o fim da auditoria uma vez por dia", "crivo auditoria ancorar")
    days = int(age_seconds / _DAY)
    if age_seconds < 2 * _DAY:
        return Exame(*told, "bem", f"a última é de {'hoje ou ontem' if days < 2 else f'{days} dias'}, em {path}")
    return Exame(
        *told, "opcional", f"a última é de {days} dias atrás, em {path}; nem servidor nem trabalhador rodou", "crivo auditoria ancorar"
    )


def judge_model(nome: str, codigo: str, modelo: str, found: Sonda, price: str) -> Exame:
    """What a service of models said; `price` is what is known of its price, and of what it does not take."""
    if found not in _REACHED:
        chave = "AZURE_OPENAI_API_KEY" if modelo.startswith("azure:") else "OPENAI_API_KEY"
        return Exame(
            codigo, nome, "mal", f"{modelo}: {_NOT_REACHED[found].format(chave=chave)}", chave if "chave" in found else "CRIVO_MODELO"
        )
    return Exame(codigo, nome, "bem", f"{modelo} {_REACHED[found]}; {price}")


def _models(settings: Settings) -> Iterator[Exame]:
    if not settings.modelo:
        yield Exame("modelo", _MODEL, "opcional", "nenhum configurado; o código escreve todos os textos", "CRIVO_MODELO")
        return
    yield _asked(settings, "modelo", _MODEL, settings.modelo, settings.modelo_familia)
    if settings.modelo_reserva:
        yield _asked(settings, "modelo_de_reserva", "Modelo de reserva", settings.modelo_reserva, "")


def _asked(settings: Settings, codigo: str, nome: str, modelo: str, familia: str) -> Exame:
    if not settings.tem_modelo:
        return Exame(codigo, nome, "bem", f"{modelo}: código no lugar do modelo, só para demonstrações")
    # Here, for the sake of every command that asks no model.
    from crivo.kernel.llm.precos import estimate_cost
    from crivo.kernel.llm.provedores import known_familia, model_in, sistema_of
    from crivo.kernel.llm.sonda import probe

    found = asyncio.run(probe(settings, modelo, _PROBE_SECONDS))
    if estimate_cost(modelo, 1, 1, familia=familia) is not None:
        price = "preço conhecido"
    elif settings.limite_custo is None:
        price = "preço desconhecido"
    else:
        price = "preço desconhecido: CRIVO_LIMITE_CUSTO não conta o que ele gasta"
    if settings.modelo_esforco is not None and not known_familia(sistema_of(modelo), model_in(modelo), familia).esforcos:
        hint = _BEHIND if codigo == "modelo" and not familia else ""
        price = f"{price}; {_NO_EFFORT.format(esforco=settings.modelo_esforco)}{hint}"
    return judge_model(nome, codigo, modelo, found, price)
