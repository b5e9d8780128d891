"""Words for a conversation: what was done at which clinic, what failed and why, and when an appointment is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from crivo.clinicas.orquestrador.chama.breaker import State
from crivo.clinicas.orquestrador.contracts import MotivoDeRecusa, Papel, Regra
from crivo.clinicas.orquestrador.linguagem.formatos import written_day
from crivo.clinicas.orquestrador.trace import Agent, Author, FalhaDoModelo, Outcome, Purpose
from crivo.kernel.rotulo import Rotulo
from crivo.kernel.settings import Planejador
from crivo.web.pages.formatos import numero

PAPEIS: Final[Mapping[Papel, str]] = {"paciente": "Paciente", "operador": "Recepção"}
FINALIDADES: Final[Mapping[Purpose, str]] = {
    "passo": "",
    "prova": "conferir se ficou gravado",
    "desfazer": "desfazer",
    "diretorio": "saber quem atende",
}
DESFECHOS: Final[Mapping[Outcome, Rotulo]] = {
    "respondeu": Rotulo("respondeu", "✓", "aprovado"),
    "recusou": Rotulo("não aceitou", "!", "pendente"),
    "fora_do_ar": Rotulo("não respondeu", "✕", "negado"),
    "erro": Rotulo("respondeu com erro", "✕", "negado"),
}
REGRAS: Final[Mapping[Regra | MotivoDeRecusa, str]] = {
    "R1": "remédio, dose ou tratamento que os dados não trazem",
    "R2": "dados pessoais de outra pessoa",
    "R3": "orientação que só um profissional de saúde pode dar",
    "R4": "algo que não está nos dados das clínicas",
    "escopo": "assunto de que esta conversa não trata",
}
# Author, as the pages name authors, and who exactly.
PLANEJADORES: Final[Mapping[Planejador, tuple[str, str]]] = {
    "embutido": ("codigo", "planejador embutido"),
    "modelo": ("modelo", "planejador por modelo"),
    "modelo_raciocinio": ("modelo", "planejador por modelo, com raciocínio"),
}
REDATORES: Final[Mapping[Author, tuple[str, str]]] = {
    "responder": ("codigo", "texto composto dos dados"),
    "embutido": ("codigo", "texto composto dos dados"),
    "modelo": ("modelo", "texto conferido com os dados"),
    "frase_segura": ("codigo", "frase segura, sem dados"),
}
NO_LUGAR: Final[Mapping[Agent, str]] = {
    "planner": "O código planejou no lugar do modelo",
    "responder": "O código escreveu no lugar do modelo",
    "verifier": "Ficou sem a segunda opinião do modelo",
}
FALHAS: Final[Mapping[FalhaDoModelo, str]] = {
    "fora_do_ar": "o serviço do modelo não respondeu",
    "limite_de_uso": "o limite de uso do modelo foi atingido",
    "demorou": "o modelo demorou mais do que se pode esperar",
    "ilegivel": "a resposta do modelo não pôde ser lida",
    "fora_do_formato": "a resposta do modelo veio fora do formato",
    "recusou": "o modelo preferiu não responder",
    "orcamento": "o orçamento para modelos acabou",
    "nao_aceito": "o serviço do modelo não aceitou o pedido",
    "plano_recusado": "nada do que o modelo planejou passou na conferência",
    "texto_recusado": "o texto do modelo não passou na conferência",
    "alarme_sem_trecho": "a segunda opinião não apontou o que viu no texto",
}
DISJUNTORES: Final[Mapping[State, Rotulo]] = {
    "fechado": Rotulo("recebe chamadas", "✓", "aprovado"),
    "meio_aberto": Rotulo("em teste", "!", "pendente"),
    "aberto": Rotulo("em pausa", "!", "pendente"),
}
_MESES: Final = (
    *("janeiro", "fevereiro", "março", "abril", "maio", "junho"),
    *("julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
)


def por_extenso(day: str, time: str) -> str:
    """An ISO day and a time in words: `sexta-feira, 18 de julho de 2025, às 10h`."""
    found, weekday = date.fromisoformat(day), written_day(day, "pt").partition(",")[0]
    hour, _, minute = time.partition(":")
    at = "à" if int(hour) == 1 else "às"
    number = "1º" if found.day == 1 else str(found.day)
    return f"{weekday}, {number} de {_MESES[found.month - 1]} de {found.year}, {at} {int(hour)}h{minute if minute != '00' else ''}"


def milliseconds(value: float) -> str:
    """A duration: 12 ms."""
    return f"{numero(max(1, round(value)))} ms"
