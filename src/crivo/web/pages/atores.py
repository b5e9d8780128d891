"""How pages call roles, what keys may do, and whoever acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from crivo.kernel.access import Aviso, Chave, Escopo, Papel, Usuario
from crivo.web.pages.formatos import instante


@dataclass(frozen=True, slots=True)
class PapelVisto:
    """A role as people read it."""

    nome: str
    faz: str


PAPEIS_PALAVRAS: Final[Mapping[Papel, PapelVisto]] = {
    "gestor": PapelVisto("Gestão", "Tria editais, acompanha decisões e execuções"),
    "admin": PapelVisto("Administração", "Tudo o que a gestão faz, e cuida de pessoas e chaves"),
    "super_admin": PapelVisto("Administração geral", "Tudo, e dá o papel de administração geral"),
    "avaliador": PapelVisto("Avaliação", "Avalia os projetos que recebeu"),
    "revisor": PapelVisto("Revisão de autorizações", "Decide pedidos e revê decisões"),
    "operador": PapelVisto("Recepção", "Marca consultas para pacientes"),
    "paciente": PapelVisto("Paciente", "Conversa com as clínicas para si"),
}
ESCOPOS_PALAVRAS: Final[Mapping[Escopo, str]] = {
    "autorizacoes:escrever": "Enviar pedidos de autorização",
    "autorizacoes:ler": "Ler decisões e trilhas",
    "autorizacoes:revisar": "Rever decisões, por uma pessoa",
    "entregas:administrar": "Dizer para onde vão os avisos de decisões, por uma pessoa que administra",
    "politicas:escrever": "Enviar e publicar políticas",
    "politicas:ler": "Ler políticas",
    "auditoria:ler": "Conferir a auditoria",
    "custos:ler": "Ler o que os modelos custaram, e como foi cada chamada",
    "clinicas:conversar": "Conversar como paciente",
    "clinicas:operar": "Conversar como recepção",
    "triagem:executar": "Importar e triar editais",
    "triagem:ler": "Ler triagens",
    "triagem:avaliar": "Avaliar projetos",
    "triagem:decidir": "Decidir a habilitação e dar projetos a quem avalia, por uma pessoa",
}
# Who acts without being a person or a key: how they name themselves, and how they are called.
PROGRAMAS: Final[Mapping[str, str]] = {
    "cli": "Comando no servidor",
    "trabalhador": "Tarefa do servidor",
    "clinicas": "Clínicas",
    "instalacao": "Quem cuida da instalação",
    "entrada": "Quem tentou entrar",
    "inscrito": "Quem se inscreveu, com o código do projeto",
    "proponente": "Quem propõe o projeto",
    "beneficiario": "Quem tinha o link e o código",
}
_FORA_DO_CADASTRO: Final[Mapping[str, str]] = {"usuario": "Pessoa fora do cadastro", "chave": "Chave que já não existe"}


def aviso_em_palavras(aviso: Aviso) -> str:
    """What was done to a person's access, told to them."""
    quem, quando = aviso.nome or ator_em_palavras(aviso.feito_por, {}), instante(aviso.em)
    match aviso.acao:
        case "link_feito":
            return f"{quem} fez um link de entrada em seu nome em {quando}."
        case "chave_feita":
            return f"{quem} fez uma chave de API que age em seu nome em {quando}. Ela está em Chaves que agem por você."
        case "nome_mudado":
            return f"{quem} mudou o seu nome no cadastro em {quando}."
        case "email_mudado":
            return f"{quem} mudou o e-mail com que você entra em {quando}."
        case "segundo_fator_ligado":
            return f"Um segundo fator foi ligado na sua conta em {quando}."
        case "segundo_fator_tirado":
            return f"{quem} tirou o seu segundo fator em {quando}."
        case _:
            assert_never(aviso.acao)


def nomes_de_atores(pessoas: Sequence[Usuario], chaves: Sequence[Chave]) -> dict[str, str]:
    """The people and keys of a tenant, by how they act."""
    return {one.ator: one.nome for one in pessoas} | {f"chave:{one.id}": f"Chave {one.nome}" for one in chaves}


def ator_em_palavras(ator: str, nomes: Mapping[str, str]) -> str:
    """Whoever acts, by name; a link made on the command line may name anybody, and then that is their name."""
    kind = ator.partition(":")[0]
    return nomes.get(ator) or PROGRAMAS.get(kind) or _FORA_DO_CADASTRO.get(kind) or ator
