"""The form filled in anew from a pedido that was sent, to be corrected. Pure. Source: design, The workbench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from crivo.autorizacoes.campos import COMPLEMENTOS, DESTINOS
from crivo.autorizacoes.contracts import PedidoNormalizado
from crivo.autorizacoes.etapas.complementos import read_usos
from crivo.autorizacoes.formulario.preenchido import NAO_SEI, Preenchido
from crivo.autorizacoes.leitura import Bruto
from crivo.autorizacoes.origem import porta_of
from crivo.autorizacoes.palavras import day, documentos_conhecidos, nome_documento
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.linguagem.numeros import number_written

SEM_CPF: Final = "Aqui havia um CPF, que o crivo não volta a mostrar. Escreva de novo."
_OF_THE_FORM: Final = frozenset({*DESTINOS, *COMPLEMENTOS})


class CorrecaoDeOutraPorta(CrivoError):
    """A pedido that came in a guia, a Claim or a format of theirs: it is corrected where it was made."""

    codigo: ClassVar[str] = "correcao_de_outra_porta"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Este pedido não se corrige no formulário"


@dataclass(frozen=True, slots=True)
class Reaberto:
    """What the form is filled in with; `faltas` are fields that are not shown again, `de_fora` names what the form cannot say."""

    preenchido: Preenchido
    faltas: Mapping[str, str]
    de_fora: tuple[str, ...]


def is_correctable(pedido: PedidoNormalizado, *, mapeado: bool) -> bool:
    """Whether the form may correct it: what another system sent in a message of its own has its number there, and is corrected there."""
    return not mapeado and not porta_of(pedido)


def reabrir(pedido: PedidoNormalizado, bruto: Bruto) -> Reaberto:
    """The form as it would have been filled in for this pedido, which came as `bruto`, with its number.

    What holds a CPF is left to be written again.
    """
    usos, de_outros = _usos(pedido, bruto)
    campos = {campo: valor for campo, valor in (*_campos(pedido, bruto), *usos.items()) if valor}
    faltas = {campo: SEM_CPF for campo, valor in campos.items() if mask_cpfs(valor) != valor}
    documentos = tuple([one.tipo for one in pedido.documentos_anexos if one.tipo in documentos_conhecidos()])
    shown = {campo: valor for campo, valor in campos.items() if campo not in faltas}
    de_fora = sorted({*_left_out(pedido), *(("usos de outros procedimentos",) if de_outros else ())})
    return Reaberto(Preenchido(shown, documentos), faltas, tuple(de_fora))


def _campos(pedido: PedidoNormalizado, bruto: Bruto) -> Iterator[tuple[str, str]]:
    beneficiario, procedimento = pedido.beneficiario, pedido.procedimento
    codigo = procedimento.codigo or ""
    yield from (("administradora", pedido.administradora_id or ""), ("plano", pedido.plano_id or ""))
    yield from (("procura", codigo), ("procurado", codigo), ("codigo", codigo))
    yield from (("quantidade", _number(procedimento.quantidade)), ("tabela", procedimento.tabela or ""))
    yield ("valor", _number(procedimento.valor or _told(bruto, "procedimento", "valor")))
    yield ("beneficiario", beneficiario.id or "")
    if beneficiario.data_nascimento:
        yield ("nascimento", day(beneficiario.data_nascimento))
    else:
        yield ("idade", "" if beneficiario.idade is None else str(beneficiario.idade))
    sexo = beneficiario.sexo or _told(bruto, "beneficiario", "sexo")
    yield ("sexo", sexo if sexo in ("F", "M") else "")
    yield ("carencia", _number(beneficiario.carencia_cumprida_dias))
    preexistencias = beneficiario.preexistencias
    if isinstance(preexistencias, list):
        yield ("preexistencias", "\n".join([one for one in preexistencias if isinstance(one, str)]))
        yield ("sem_preexistencias", "" if preexistencias else "sim")
    yield ("urgencia", "sim" if pedido.urgencia else "")
    yield ("prestador", pedido.prestador.tipo or NAO_SEI)
    yield ("solicitante", pedido.solicitante.tipo or "")
    yield ("data_prevista", day(pedido.data_prevista) if pedido.data_prevista else "")
    yield ("pedido_id", pedido.pedido_id or "")
    others = [nome_documento(one.tipo) for one in pedido.documentos_anexos if one.tipo not in documentos_conhecidos()]
    yield ("outros_documentos", "\n".join(others))


def _usos(pedido: PedidoNormalizado, bruto: Bruto) -> tuple[dict[str, str], bool]:
    """The uses that the pedido told of its own procedure, and whether it told others."""
    told = bruto.get("historico")
    usos = read_usos(told)
    if usos is None:
        usos = pedido.historico if isinstance(pedido.historico, tuple) else ()
    ditos = [uso for uso in usos if uso.origem != "crivo"]
    own = [uso for uso in ditos if uso.codigo == pedido.procedimento.codigo and uso.data]
    lines = "\n".join([f"{day(uso.data or '')} {_number(uso.quantidade)}".strip() for uso in own])
    return {"usos": lines, "sem_usos": "sim" if told == [] else ""}, len(own) < len(ditos)


def _number(valor: Any) -> str:
    """A number as the form reads it; empty for what is none."""
    if isinstance(valor, bool) or not isinstance(valor, int | float):
        return ""
    written = str(valor).replace(".", ",")
    return written if number_written(written) == valor else ""


def _told(bruto: Bruto, objeto: str, campo: str) -> Any:
    inner = bruto.get(objeto)
    return inner.get(campo) if isinstance(inner, dict) else None


def _left_out(pedido: PedidoNormalizado) -> Iterator[str]:
    """The fields that came beside those of the form, by their names in words. One of its own that nobody could read is empty there."""
    for chave, valor in pedido.extras.items():
        names = [f"{chave}.{nome}" for nome in valor] if isinstance(valor, dict) else [chave]
        yield from (mask_cpfs(_in_words(nome)) for nome in names if nome not in _OF_THE_FORM)


def _in_words(nome: str) -> str:
    return " ".join(nome.replace(".", " ").replace("_", " ").split())
