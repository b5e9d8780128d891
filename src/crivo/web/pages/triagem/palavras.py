"""Words of screening that only pages need, and text that applicants wrote made fit to be shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.achados import Autor, Evidencia, HabilitacaoSugerida, Irregularidade
from crivo.triagem.andamento import Execucao, FaseExecucao
from crivo.triagem.atos import Sorte
from crivo.triagem.documentos.lido import TruqueOculto
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.palavras import CAMPOS, count, number, percent, shown
from crivo.triagem.previa import Razao

SEM_SUGESTAO: Final = Rotulo("Não conferido", "–", "parcial")
NAO_TRIADO: Final = Rotulo("Não foi possível triar", "?", "parcial")
FASES: Final[Mapping[FaseExecucao, str]] = {
    "leitura": "Leitura dos documentos",
    "habilitacao": "Habilitação",
    "avaliacao": "Avaliação",
    "irregularidades": "Irregularidades",
}
CONFERENCIA: Final[Mapping[Autor, str]] = {"codigo": "Código", "modelo": "Modelo", "pessoa": "Pessoa"}
# What is done to many at once, and why one of them is not.
DECIDIR: Final[Mapping[HabilitacaoSugerida, str]] = {
    "habilitado": "Habilitar",
    "inabilitado": "Inabilitar",
    "pendencia": "Pôr em pendência",
}
RAZAO: Final[Mapping[Razao, str]] = {
    "desconhecido": "não há projeto com este código neste edital",
    "retirado": "foi retirado do edital",
    "igual": "já está decidido assim",
    "nao_triado": "nada foi conferido nele ainda: execute a triagem",
    "caso_aberto": "tem caso em aberto ou confirmado: decida este por si",
    "pendencia": "há pendência sem resolver: decida este por si, com o motivo",
    "excluido": "não atende a um item eliminatório: decida este por si, com o motivo",
}
SORTE: Final[Mapping[Sorte, Rotulo]] = {
    "em_vigor": Rotulo("Vale", "✓", "aprovado"),
    "desfeita": Rotulo("Desfeita", "–", "neutro"),
    "mudada": Rotulo("Mudou depois", "!", "pendente"),
    "retirada": Rotulo("Fora do edital", "–", "neutro"),
}
TRUQUES: Final[Mapping[TruqueOculto, str]] = {
    "invisivel": "camada invisível",
    "sem_cor": "letra da cor do fundo",
    "minusculo": "letra pequena demais para ler",
    "fora_da_pagina": "fora da página",
    "encoberto": "encoberto por outra coisa",
    "largura_zero": "caracteres sem largura",
    "vanish": "marcado como oculto",
    "apagado": "apagado, e ainda no arquivo",
    "metadado": "nas propriedades do arquivo",
    "cortado": "cortado pela borda da página",
}
# Names of fields come without accents; these are the words that such names are made of most.
_ACENTUADAS: Final[Mapping[str, str]] = {
    "municipio": "município",
    "atuacao": "atuação",
    "area": "área",
    "publico": "público",
    "inscricao": "inscrição",
    "regiao": "região",
    "descricao": "descrição",
    "duracao": "duração",
    "numero": "número",
    "endereco": "endereço",
}
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_MINUTE: Final = 60


def unveiled(text: str) -> str:
    """A hidden text with each character that nobody sees written out: `[U+200B]`."""
    return shown(_UNSEEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", text))


def campo_name(campo: str) -> str:
    """A field of a project, or one that it declares, in words."""
    if campo in CAMPOS:
        return CAMPOS[campo]
    return " ".join(_ACENTUADAS.get(word, word) for word in shown(campo).replace("_", " ").split(" "))


def place(evidencia: Evidencia) -> str:
    """Where a quote stands: file, page, field."""
    parts = [shown((evidencia.arquivo or "").rpartition("/")[2]), f"página {evidencia.pagina}" if evidencia.pagina else ""]
    if evidencia.campo:
        parts.append(campo_name(evidencia.campo))
    return ", ".join(part for part in parts if part)


def measure(sinal: Irregularidade) -> str:
    """The measure of a sign in words; empty where it has none."""
    tipo = SINAL_DE[sinal.tipo]
    if sinal.valor is None or not tipo.medida or (tipo.um_e_igual and sinal.valor == 1):
        return ""
    value = percent(sinal.valor) if tipo.parte else number(round(sinal.valor, 2))
    return f"{value} {tipo.medida}"


def time_left(execucao: Execucao) -> str:
    """About how long it may still take; empty where there is no telling."""
    seconds = execucao.segundos_restantes
    if seconds is None:
        return ""
    if seconds < _MINUTE:
        return "falta menos de um minuto"
    minutes = round(seconds / _MINUTE)
    return f"{'falta' if minutes == 1 else 'faltam'} cerca de {count(minutes, 'minuto', 'minutos')}"
