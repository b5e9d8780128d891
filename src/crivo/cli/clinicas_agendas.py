"""What a command says of agendas: what an import would change, what a new one is filled from, and which are empty."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from crivo.cli.saida import note
from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from crivo.clinicas.agendas import DeFora, Previa
    from crivo.clinicas.registro import Clinica
    from crivo.clinicas.service import Clinicas


class ImportacaoNaoConfirmada(CrivoError):
    """An agenda that would replace another, and that nobody confirmed."""

    codigo: ClassVar[str] = "importacao_nao_confirmada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A importação espera a sua confirmação"


class PastaDeAgendasInvalida(CrivoError):
    """A folder given by `--dados` that is none, or has nothing of clinics in it."""

    codigo: ClassVar[str] = "pasta_de_agendas_invalida"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "A pasta de --dados não serve"


def told(previa: Previa) -> Iterator[str]:
    """What an import would come to, in lines; counts alone, never who."""
    clinica = previa.place.clinica
    yield f"{previa.arquivo} tomaria o lugar de toda a agenda de {clinica.nome} ({clinica.id}):"
    yield f"  entram {_horarios(previa.entram)}, saem {previa.saem} e ficam {previa.ficam}."
    if previa.perdidas:
        um = previa.perdidas == 1
        yield (
            f"  {'Perde-se' if um else 'Perdem-se'} {_consultas(previa.perdidas)}, {previa.por_vir} ainda por vir. "
            f"{'O paciente não é avisado' if um else 'Os pacientes não são avisados'}."
        )
    elif previa.atuais:
        yield "  Nenhuma consulta marcada se perde."
    if previa.mantidas:
        um = previa.mantidas == 1
        yield (
            f"  {_consultas(previa.mantidas)} {'continua' if um else 'continuam'}, mas o código de "
            f"{'quem a marcou' if um else 'quem as marcou'} deixa de valer: prova a conta, ou a recepção."
        )
    for one in previa.de_fora:
        yield f"  Atenção: {strange(one, clinica)}."


def strange(one: DeFora, clinica: Clinica) -> str:
    """A specialty that does not look like a clinic's, and where it would."""
    named = f"“{one.especialidade}”" if one.especialidade.strip() else "uma especialidade em branco"
    where = f"; quem a atende é {', '.join(f'{other.nome} ({other.id})' for other in one.de)}" if one.de else ""
    return (
        f"{_horarios(one.horarios)} de {named}, que não é a especialidade de {clinica.nome} ({clinica.especialidade}) nem ramo dela{where}"
    )


def value(previa: Previa, copia: Path | None) -> dict[str, Any]:
    """The same for machines, once it was done; an agenda that nothing had to give way for is its count alone."""
    done = {"id": previa.place.clinica.id, "horarios": len(previa.novos)}
    if not previa.asks:
        return done
    return done | {
        "entram": previa.entram,
        "saem": previa.saem,
        "ficam": previa.ficam,
        "consultas_perdidas": previa.perdidas,
        "consultas_perdidas_por_vir": previa.por_vir,
        "especialidades_de_fora": [one.especialidade for one in previa.de_fora],
        "copia": None if copia is None else str(copia),
    }


def check_folder(clinicas: Clinicas) -> None:
    """See that `--dados` is a folder, and say where its registry is not the one that rules. Raises PastaDeAgendasInvalida."""
    from crivo.clinicas.service import REGISTRO

    dados = clinicas.dados
    if dados is None:
        return
    if not dados.is_dir():
        what = "é um arquivo, e não uma pasta" if dados.exists() else "não existe"
        raise PastaDeAgendasInvalida(f"{dados} {what}. Confira o caminho dado em --dados.")
    ruling, theirs = clinicas.arquivo, dados / REGISTRO
    if ruling is not None and theirs.exists() and ruling.read_bytes() != theirs.read_bytes():
        note(f"Vale o cadastro de {ruling}: o de {theirs} é outro, e não é lido. Para que valha, copie-o para o lugar daquele.")


def check_new(clinicas: Clinicas, only: str | None = None) -> None:
    """Read what new agendas are to be filled from, all or one, and say what in it does not look like its clinic's.

    Raises PastaDeAgendasInvalida, DbJsonInvalido.
    """
    from crivo.clinicas.agendas import strangers
    from crivo.clinicas.clinica.dbjson import read_seed

    dados, new = clinicas.dados, [one for one in clinicas.unfilled() if only in {None, one.id}]
    if dados is None or not new:
        return
    if clinicas.arquivo is None and not any((dados / f"{one.id}.db.json").exists() for one in new):
        raise PastaDeAgendasInvalida(
            f"{dados} não tem registro.json, que diz quais são as clínicas, nem a agenda de nenhuma das que vêm com o crivo."
        )
    for clinica in new:
        for one in strangers(clinicas.registro, clinica, read_seed(dados, clinica.id).slots):
            note(f"Atenção, em {clinica.id}.db.json: {strange(one, clinica)}.")


def tell_empty(clinicas: Clinicas, only: str | None = None) -> None:
    """Say which agendas have nothing to offer, as patients would hear, and what fills them."""
    found = [(clinica, extent) for clinica, extent in clinicas.extents() if only in {None, clinica.id}]
    for what, named in (
        ("Agenda vazia", [one for one, extent in found if not extent.slots]),
        ("Agenda só com dias que já passaram", [one for one, extent in found if extent.slots and not extent.por_vir]),
    ):
        if named:
            listed = ", ".join(f"{one.nome} ({one.id})" for one in named)
            which = named[0].id if len(named) == 1 else "ID"
            note(f"{what}: {listed}. Quem pedir horário ouve que não há. Para encher: crivo clinicas importar {which} ARQUIVO.db.json")


def _horarios(many: int) -> str:
    return f"{many} {'horário' if many == 1 else 'horários'}"


def _consultas(many: int) -> str:
    return f"{many} {'consulta marcada' if many == 1 else 'consultas marcadas'}"
