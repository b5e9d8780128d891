"""The clinics of this installation: which are up, on which port, and whether each answers at its door."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from crivo.cli.exames.exame import Exame
from crivo.kernel.errors import CrivoError
from crivo.kernel.settings import Settings


@dataclass(frozen=True, slots=True)
class Clinica:
    """One clinic: whether it is another machine's, was ever up, and answers now; `pid` and `porta` where a process says so."""

    id: str
    nome: str
    fora: bool = False
    conhecida: bool = False
    provada: bool = True
    responde: bool = False
    pid: int = 0
    porta: int = 0
    cadastrada: int = 0


def look(settings: Settings) -> Sequence[Exame]:
    """Every clinic of the registry, asked at once."""
    from crivo.clinicas.caminho import Local
    from crivo.clinicas.clinica.probe import answers
    from crivo.clinicas.registro import Clinica as Cadastrada
    from crivo.clinicas.service import Clinicas

    clinicas = Clinicas(settings.data_dir.expanduser(), settings.agora, portas=settings.portas_das_clinicas)

    def found(one: Cadastrada) -> Clinica:
        folder, way = clinicas.folder(one.id), clinicas.way(one)
        up = folder.up(one.porta)
        known = folder.keys.exists()
        is_up = known and answers(one, folder, way)
        remote = not isinstance(way, Local)
        proven = up is None or not isinstance(way, Local) or way.is_private()  # one that starts closes its folder
        return Clinica(one.id, one.nome, remote, known, proven, is_up, up.pid if up else 0, up.porta if up else 0, one.porta)

    try:
        registro = clinicas.registro
    except CrivoError as error:
        where = settings.data_dir / "clinicas" / "registro.json"
        return (Exame("cadastro_das_clinicas", "Cadastro das clínicas", "mal", error.mensagem, f"nano {where}"),)
    with ThreadPoolExecutor(max(1, len(registro.clinics))) as pool:
        looked = tuple(pool.map(found, registro))
    return (judge_registry(clinicas.arquivo, len(registro.clinics)), *judge(looked))


def judge_registry(arquivo: Path | None, many: int) -> Exame:
    """Where the clinics are written."""
    where = f"as {many} que vêm com o crivo" if arquivo is None else f"{many} em {arquivo}"
    return Exame("cadastro_das_clinicas", "Cadastro das clínicas", "bem", where)


def judge(clinicas: Sequence[Clinica]) -> Iterator[Exame]:
    """Each clinic that is up or should be; those that are all down are told in one line."""
    if not any(one.responde or one.pid or one.fora or not one.provada for one in clinicas):
        yield Exame("clinicas", "Clínicas", "opcional", "nenhuma no ar; as conversas as sobem, ou suba-as", "crivo clinicas subir")
        return
    yield from map(judge_one, clinicas)


def judge_one(one: Clinica) -> Exame:
    """How one clinic does."""
    told = "clinica", one.nome
    port = f", porta {one.porta}" + (f" (no cadastro, {one.cadastrada})" if one.porta != one.cadastrada else "") if one.porta else ""
    process = f", processo {one.pid}" if one.pid else ""
    if not one.provada:
        why = "outras contas podem entrar na pasta dela: não se fala com quem estiver à porta"
        return Exame(*told, "mal", why, f"chmod 700 clinicas/{one.id}")
    if one.responde:
        return Exame(*told, "bem", f"responde{', em outra máquina' if one.fora else ''}{process}{port}")
    if one.fora:
        if not one.conhecida:
            return Exame(*told, "mal", "é de outra máquina, e falta a chave dela nesta pasta de dados", f"crivo clinicas token {one.id}")
        return Exame(
            *told, "mal", "é de outra máquina e não responde; confira a rede, o certificado e a chave", f"crivo clinicas token {one.id}"
        )
    if one.pid:
        return Exame(*told, "mal", f"está no ar{process}{port} e não responde; encerre-a e suba de novo", f"kill {one.pid}")
    return Exame(*told, "opcional", "parada", f"crivo clinicas servir {one.id}")
