"""The counts of each torture as people read them: what happened, then, in red where it is not zero, what must never happen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from bench.torture.atualizacao import Atualizacao
from bench.torture.disputa import CLIENTES, HORARIOS, PROCESSOS, Disputa
from bench.torture.distribuida import ESCALA, Distribuida
from bench.torture.frio import META_S, Frio
from bench.torture.notas import Chamadas
from bench.torture.primario import Primario
from bench.torture.remarcacoes import PESSOAS, Remarcacoes
from bench.torture.rodadas import Contagem
from bench.torture.triagem import TRABALHADORES, Quedas

Contas = Contagem | Disputa | Remarcacoes | Quedas | Chamadas | Distribuida | Atualizacao | Primario | Frio


@dataclass(frozen=True, slots=True)
class _Relato:
    """A title, and the counts by name: those that are told, and those that are faults."""

    titulo: str
    fatos: Mapping[str, str]
    faltas: Mapping[str, str]


_OF_PROMISES: Final = {
    "perdidos": "perdidos",
    "alterados": "com bytes diferentes",
    "em_dobro": "guardados em dobro",
    "sem_resposta": "que ninguém atendeu",
    "sem_registro": "decisões sem registro na auditoria, ou registros sem decisão",
    "quebras_na_cadeia": "quebras na cadeia de auditoria",
}
_RELATOS: Final[Mapping[type[Contas], _Relato]] = {
    Contagem: _Relato(
        "Tortura: quedas sob carga",
        {
            "rodadas": "vezes em que o servidor foi morto (kill -9)",
            "bancos_mortos": "das quais com o PostgreSQL junto",
            "confirmados": "pedidos confirmados com 200",
            "achados": "achados depois, com os mesmos bytes",
            "reenviados": "sem resposta na queda, reenviados com a mesma chave",
            "reenviados_ja_guardados": "dos quais já estavam guardados",
            "reinicio_mais_lento_s": "reinício mais lento (s)",
        },
        {
            "perdidos": "perdidos",
            "alterados": "com bytes diferentes",
            "em_dobro": "guardados em dobro",
            "sem_resposta": "reenviados que não foram atendidos",
            "sem_registro": "decisões sem registro na auditoria, ou registros sem decisão",
            "quebras_na_cadeia": "quebras na cadeia de auditoria",
        },
    ),
    Disputa: _Relato(
        f"Tortura: {CLIENTES} clientes por {HORARIOS} horários, em {PROCESSOS} processos da mesma clínica",
        {
            "rodadas": "rodadas",
            "pedidos": "pedidos de marcação, por HTTP",
            "marcadas": "consultas marcadas",
            "avisados": "avisados de que o horário foi ocupado",
        },
        {
            "em_dobro": "horários marcados por mais de um",
            "sem_dono": "horários que ninguém conseguiu",
            "mal_avisados": "avisados de outra coisa",
            "presos": "horários presos no fim, com tudo cancelado",
        },
    ),
    Remarcacoes: _Relato(
        f"Tortura: clínica morta no meio de remarcações de {PESSOAS} pessoas",
        {
            "quedas": "vezes em que a clínica foi morta (kill -9)",
            "remarcadas": "remarcações confirmadas",
            "sem_resposta": "sem resposta na queda",
            "sem_resposta_feitas": "das quais feitas por inteiro",
        },
        {
            "sem_horario": "pessoas que ficaram sem nenhum horário",
            "com_dois": "pessoas que ficaram com os dois",
            "desfeitas": "remarcações confirmadas que se desfizeram",
            "recusadas": "remarcações recusadas sem motivo",
        },
    ),
    Quedas: _Relato(
        f"Tortura: {TRABALHADORES} trabalhadores mortos no meio de triagens do edital de amostra",
        {
            "quedas": "vezes em que um trabalhador foi morto (kill -9)",
            "bancos_mortos": "das quais com o PostgreSQL junto",
            "triagens": "triagens feitas assim",
            "projetos": "projetos triados nelas",
            "chamadas": "chamadas a um modelo simulado",
            "triagem_mais_lenta_s": "triagem mais lenta (s)",
        },
        {
            "perdidos": "projetos perdidos ou com erro",
            "diferentes": "resultados diferentes dos da triagem em paz",
            "pagas_em_dobro": "chamadas pagas em dobro",
            "trabalhos_presos": "trabalhos presos na fila no fim",
            "sem_fim": "triagens que não terminaram",
            "quebras_na_cadeia": "quebras na cadeia de auditoria",
        },
    ),
    Chamadas: _Relato(
        "Tortura: trabalhador morto no meio das notas de um edital, por um provedor que conta",
        {
            "quedas": "vezes em que o trabalhador foi morto (kill -9)",
            "distintas": "perguntas diferentes",
            "pagas": "respostas pagas, pela conta do provedor",
            "em_curso": "que podiam estar a caminho nas quedas",
        },
        {
            "pagas_em_dobro": "pagas em dobro além das que estavam a caminho",
            "notas_perdidas": "notas perdidas",
            "sem_fim": "triagens que não terminaram",
        },
    ),
    Distribuida: _Relato(
        "Em rede: dois servidores, três trabalhadores e as clínicas, cada um em sua máquina, sobre um banco só",
        {
            "maquinas": "máquinas",
            "separadas": "cada uma em uma rede só dela",
            "repetidos": "pedidos repetidos com a mesma chave nos dois servidores",
            "passos_ouvidos": "passos de triagem ouvidos em um servidor, feitos por trabalhadores de outras máquinas",
            "conversas": "conversas cujo servidor foi morto no meio",
            "chamadas": "chamadas ao modelo simulado",
            "um_trabalhador_s": "a triagem com um trabalhador (s)",
            "dois_trabalhadores_s": "com dois (s)",
            "razao": f"razão (meta: {ESCALA} ou mais)",
            "limite": "limite de uma chave por minuto, em cada servidor",
            "atendidos_do_limite": "pedidos atendidos pelos dois juntos",
        },
        {
            "conversas_perdidas": "conversas que se perderam com o servidor",
            "consultas_em_dobro": "consultas marcadas em dobro",
            "guardados_em_dobro": "pedidos decididos em dobro",
            "sessoes_recusadas": "sessões que só valiam em um servidor, ou links que valeram duas vezes",
            "formularios_recusados": "formulários de um servidor recusados no outro, ou forjados que passaram",
            "saidas_que_nao_sairam": "sessões encerradas em um que continuavam no outro",
            "senhas_sem_freio": "tentativas de senha que só um servidor contava",
            "exportacoes_diferentes": "exportações diferentes nos dois servidores",
            "triagens_sem_fim": "triagens que não terminaram",
            "sem_escala": "escala abaixo da meta",
        },
    ),
    Atualizacao: _Relato(
        "Tortura: servidores e trabalhadores trocados um a um, sob carga",
        {
            "rodadas": "voltas pela instalação inteira",
            "trocas": "processos trocados",
            "de_esquema": "versão do banco no começo",
            "para_esquema": "versão do banco no fim",
            "confirmados": "pedidos confirmados com 200",
            "achados": "achados depois",
            "reenvios": "tentativas em outro servidor, com a mesma chave",
            "reenvios_ja_guardados": "das quais o pedido já estava guardado",
            "maior_espera_s": "maior espera de um cliente (s)",
            "triagens": "triagens feitas durante as trocas",
        },
        _OF_PROMISES | {"triagens_sem_fim": "triagens que não terminaram", "projetos_com_erro": "projetos com erro"},
    ),
    Primario: _Relato(
        "Tortura: o PostgreSQL primário perdido sob carga, e a reserva promovida",
        {
            "quedas": "vezes em que o primário se perdeu",
            "cabos_puxados": "das quais sem aviso, com o cabo puxado",
            "confirmados": "pedidos confirmados com 200",
            "achados": "achados depois",
            "reenvios": "tentativas em outro servidor, com a mesma chave",
            "reenvios_ja_guardados": "das quais o pedido já estava guardado",
            "promocao_mais_lenta_s": "promoção mais lenta da reserva (s)",
            "volta_mais_lenta_s": "da promoção ao primeiro pedido confirmado, no pior caso (s)",
            "triagens": "triagens feitas durante as quedas",
        },
        _OF_PROMISES
        | {"servidores_caidos": "servidores ou trabalhadores que não voltaram sozinhos", "triagens_sem_fim": "triagens sem fim"},
    ),
    Frio: _Relato(
        "Tortura: tudo morto de uma vez sob carga, e ligado de novo",
        {
            "quedas": "vezes em que tudo foi morto (kill -9)",
            "confirmados": "pedidos confirmados com 200",
            "achados": "achados depois",
            "banco_externo_s": "PostgreSQL em outra máquina, com o que havia a refazer (s)",
            "externo_s": f"até o servidor atender (s; meta: {META_S:.0f})",
            "embutido_s": f"com o banco embutido, até o servidor atender (s; meta: {META_S:.0f})",
        },
        {name: said for name, said in _OF_PROMISES.items() if name in {"perdidos", "alterados", "em_dobro", "quebras_na_cadeia"}},
    ),
}


def show(console: Console, contas: Contas) -> None:
    """The counts as a table, the faults among them in red."""
    relato = _RELATOS[type(contas)]
    table = Table(title=relato.titulo, title_justify="left", box=box.SIMPLE_HEAD, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    counts = msgspec.structs.asdict(contas)
    for nome, texto in relato.fatos.items():
        table.add_row(texto, _said(counts[nome]))
    for nome, texto in relato.faltas.items():
        table.add_row(texto, f"[bold red]{counts[nome]}[/bold red]" if counts[nome] else "0")
    console.print(table)


def _said(count: object) -> str:
    return ("sim" if count else "não") if isinstance(count, bool) else str(count)
