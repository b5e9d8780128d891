"""The letters of a recurso: the code that opens a project, the receipt, that there is an answer, and that it was taken back. Pure.

An answer is read at its address: a letter that is astray tells no reasons.
"""

from __future__ import annotations

from uuid import UUID

from crivo.kernel.cartas import Carta, EnderecoInvalido, read_endereco
from crivo.kernel.clock import BRASILIA
from crivo.triagem.palavras import day
from crivo.triagem.recursos.codigos import shown
from crivo.triagem.recursos.contratos import Recurso, Resposta
from crivo.triagem.recursos.palavras import CONTRA_CURTO, DESFECHO
from crivo.triagem.recursos.prazo import Prazo

_NO_ANSWER = "Não responda a este e-mail."


def reachable(email: str) -> str:
    """The address that a project's letters go to; empty where there is none."""
    try:
        return read_endereco(email)
    except EnderecoInvalido:
        return ""


def handing(para: str, edital: str, titulo: str, code: str, onde: str, prazo: Prazo) -> Carta:
    """The letter with the code of a project; `onde` is where codes are typed in."""
    days = f"Recursos são recebidos de {day(prazo.inicio)} a {day(prazo.fim)}.\n\n" if prazo.inicio and prazo.fim else ""
    return Carta(
        para,
        f"{edital}: o código para ver o resultado e recorrer",
        f"""Olá.

Este é o código do projeto “{titulo}”: {shown(code)}

Com ele você vê o resultado do projeto e pode recorrer, sem cadastro, neste endereço:
{onde}/{code}

{days}Quem tem o código fala pelo projeto, então não o passe adiante. {_NO_ANSWER}
""",
    )


def receiving(para: str, edital: str, titulo: str, recurso: Recurso, endereco: str) -> Carta:
    """The letter that is a recurso's receipt."""
    return Carta(
        para,
        f"{edital}: recebemos o recurso nº {recurso.numero}",
        f"""Olá.

Recebemos o recurso nº {recurso.numero} do projeto “{titulo}”, contra: {CONTRA_CURTO[recurso.contra].lower()}.
Recibo (SHA-256 do que foi enviado): {recurso.resumo}

Outra pessoa, que não decidiu sobre o projeto, vai responder. A resposta aparece neste endereço:
{endereco}

{_NO_ANSWER}
""",
    )


def answering(para: str, edital: str, titulo: str, recurso: Recurso, resposta: Resposta, endereco: str) -> Carta:
    """The letter that says that there is an answer, and where it is read."""
    return Carta(
        para,
        f"{edital}: há resposta ao recurso nº {recurso.numero}",
        f"""Olá.

O recurso nº {recurso.numero} do projeto “{titulo}” foi respondido: {DESFECHO[resposta.desfecho].palavra.lower()}.

Leia a resposta inteira, com os motivos, neste endereço:
{endereco}

{_NO_ANSWER}
""",
    )


def undoing(para: str, edital: str, titulo: str, recurso: Recurso, resposta: Resposta, endereco: str) -> Carta:
    """The letter that says that an answer is in force no more; why is read where the answer was."""
    em = day(resposta.respondido_em.astimezone(BRASILIA).date())
    return Carta(
        para,
        f"{edital}: a resposta ao recurso nº {recurso.numero} foi retirada",
        f"""Olá.

A resposta de {em} ao recurso nº {recurso.numero} do projeto “{titulo}” foi retirada e não vale mais.
O recurso voltou a esperar resposta: você não precisa fazer nada.

Leia por que ela foi retirada, e depois a nova resposta, neste endereço:
{endereco}

{_NO_ANSWER}
""",
    )


def receipt_key(recurso_id: UUID) -> str:
    """What the letter of a receipt is about."""
    return f"recurso:{recurso_id}"


def answer_key(resposta_id: UUID) -> str:
    """What the letter of an answer is about."""
    return f"recurso-resposta:{resposta_id}"


def undone_key(resposta_id: UUID) -> str:
    """What the letter of an answer that was taken back is about."""
    return f"recurso-retirada:{resposta_id}"


def code_key(projeto_id: UUID, code: str, versao: int) -> str:
    """What the letter of a code is about: once for each code and published result. Only the beginning of the code is told."""
    return f"recurso-codigo:{projeto_id}:{code[:4]}:{versao}"
