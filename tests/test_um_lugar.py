"""One fact, one place: how many files of `src` a new kind of sign, check or stage touches, by making one. Source: decision record 0037."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from crivo.autorizacoes.motivos import MOTIVOS
from crivo.triagem.irregularidades.sinais import SINAIS

SRC = Path(__file__).parents[1] / "src"
SAMPLE = "triagem/amostra/"  # plants what is to be found, and is no part of finding it
PATTERNS = "autorizacoes/redacao/"  # reads codes in what others wrote

SINAL = {
    "triagem/irregularidades/sinais.py": (
        (
            "SINAIS: Final = (",
            (
                "def _titulo_repetido(material: Material) -> tuple[Irregularidade, ...]:\n"
                "    from crivo.triagem.irregularidades.titulos import find_titulo_repetido\n\n"
                "    return find_titulo_repetido(material.projetos)\n\n\n"
                "SINAIS: Final = (\n"
                '    Sinal(codigo="titulo_repetido", palavra="Mesmo título", procurar=_titulo_repetido, medida="projetos com ele"),'
            ),
        ),
    ),
    "triagem/irregularidades/titulos.py": (
        (
            "",
            (
                "from crivo.triagem.achados import Irregularidade\n\n\n"
                "def find_titulo_repetido(projetos):\n"
                "    ids = tuple(projeto.id for projeto in projetos if projeto.titulo == projetos[0].titulo)\n"
                '    return (Irregularidade(tipo="titulo_repetido", projetos=ids, valor=float(len(ids)), achado="Têm o mesmo título."),)\n'
            ),
        ),
    ),
}
TELLS_A_SINAL = """
from types import SimpleNamespace
from crivo.triagem.achados import Resultado
from crivo.triagem.conferencia import compare, read_gabarito
from crivo.triagem.casos import casos_of
from crivo.triagem.irregularidades.sinais import SINAIS
from crivo.cli.mostra_triagem import _show_irregularidades
from crivo.web.pages.triagem.palavras import measure
from crivo.web.pages.triagem.sinais import kinds

projetos = [SimpleNamespace(id="P1", titulo="Roda"), SimpleNamespace(id="P2", titulo="Roda")]
(found,) = SINAIS[0].procurar(SimpleNamespace(projetos=projetos))
print(casos_of((found,))[0].titulo)
print(kinds({found.tipo: 1}))
resultado = Resultado("ED-1", "x", (), (found,))
_show_irregularidades(resultado)
print(compare(resultado, read_gabarito(b'{"irregularidades": [{"tipo": "titulo_repetido", "projetos": ["P1", "P2"]}]}')).metricas.irregularidades)
print(measure(found))
"""
CHECK = {
    "autorizacoes/contracts.py": (
        ("    restricoes_rede: Rede | None = None\n", "    restricoes_rede: Rede | None = None\n    so_hospital: bool | None = None\n"),
    ),
    "autorizacoes/politicas/esquema.py": (
        (
            "    limite_quantidade: Quantidade | None = Field(",
            (
                '    so_hospital: bool | None = Field(None, title="Só hospital", description="Se só um hospital pode pedir.")\n'
                "    limite_quantidade: Quantidade | None = Field("
            ),
        ),
    ),
    "autorizacoes/motivos.py": (
        (
            "MOTIVOS: Final = (",
            (
                "MOTIVOS: Final = (\n"
                '    Motivo(codigo="solicitante_nao_hospital", frase="Só um hospital pode pedir", rotulo="não é hospital", '
                'tecnico="pedido que só um hospital faz", simples="Só um hospital faz este pedido.", da_regra=True),'
            ),
        ),
    ),
    "autorizacoes/etapas/avaliacao.py": (
        (
            "CHECKS: Final[tuple[Callable[[Caso], Achado], ...]] = (",
            (
                "def so_hospital(caso: Caso) -> Achado:\n"
                '    against = caso.regra.so_hospital and caso.pedido.solicitante.tipo != "HOSPITAL"\n'
                '    return (("so_hospital",), "solicitante_nao_hospital" if against else None)\n\n\n'
                "CHECKS: Final[tuple[Callable[[Caso], Achado], ...]] = (\n    so_hospital,"
            ),
        ),
    ),
}
TELLS_A_CHECK = """
import json
from datetime import date
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.motivos import frase, rotulo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.ditos import TITULOS
from crivo.autorizacoes.politicas.importacao import read_politica

regra = {"regra_id": "R1", "codigo": "40304361", "cobertura": "COBERTA", "so_hospital": True}
regra["excecoes"] = [{"motivo": "solicitante_nao_hospital", "instrucao": "Peça pelo hospital."}]
politica = {"administradora_id": "A", "documento": "D", "versao": "1", "vigencia_inicio": "2026-01-01", "vigencia_fim": None, "regras": [regra]}
lida = read_politica(json.dumps(politica).encode())
pedido = {"pedido_id": "1", "administradora_id": "A", "plano_id": "P", "data_pedido": "2026-11-20", "beneficiario": {"id": "B"}}
pedido |= {"procedimento": {"codigo": "40304361", "quantidade": 1}, "solicitante": {"tipo": "MEDICO"}}
decisao = Fluxo(Catalogo.of([lida.politica])).decide(json.dumps(pedido).encode(), date(2026, 11, 20)).etapas.sintese
print(lida.relatorio.avisos, TITULOS["so_hospital"], decisao.decisao_final, decisao.artefato_registro.motivos)
print(decisao.mensagens, frase("solicitante_nao_hospital"), rotulo("solicitante_nao_hospital"))
"""
STAGE = {
    "autorizacoes/etapas/espera.py": (
        (
            "",
            (
                "from crivo.autorizacoes.contracts import Avaliacao, Value\n\n\n"
                'class Espera(Value, frozen=True):\n    """How long a person may wait."""\n\n    horas: int\n\n\n'
                "def esperar(avaliacao: Avaliacao) -> Espera:\n    return Espera(0 if avaliacao.conforme else 48)\n"
            ),
        ),
    ),
    "autorizacoes/agentes.py": (
        (
            "AGENTES = (",
            (
                'ESPERA = AgentContract(\n    name="autorizacoes.espera",\n    stage="espera",\n    titulo="Espera",\n    tarefa="Dizer quanto esperar.",\n'
                '    source="RF4",\n    package=_PACKAGE,\n    sees=("avaliacao",),\n    output=Espera,\n    model=_GPT5,\n    budget=Budget(1_000, 1_000),\n)\n\n'
                "AGENTES = (ESPERA, "
            ),
        ),
        ("from crivo.kernel.agents.contract", "from crivo.autorizacoes.etapas.espera import Espera\nfrom crivo.kernel.agents.contract"),
    ),
    "autorizacoes/trilha.py": (
        ("    sintese: Decisao\n", "    sintese: Decisao\n    espera: Espera\n"),
        ("from crivo.kernel.agents.contract", "from crivo.autorizacoes.etapas.espera import Espera\nfrom crivo.kernel.agents.contract"),
    ),
    "autorizacoes/fluxo.py": (
        (
            "            Stage(agentes.SINTESE, self._moldes.sintetizar),\n",
            "            Stage(agentes.SINTESE, self._moldes.sintetizar),\n            Stage(agentes.ESPERA, esperar),\n",
        ),
        ("from crivo.autorizacoes.leitura", "from crivo.autorizacoes.etapas.espera import esperar\nfrom crivo.autorizacoes.leitura"),
    ),
}
TELLS_A_STAGE = """
from datetime import date
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.cli.mostra import show_trilha
from crivo.web.pages.autorizacoes.etapas import etapas_vistas, read_trilha

trilha = read_trilha(Fluxo(Catalogo.of([])).decide(b"{}", date(2026, 11, 20)).encode())
print(trilha.etapas.espera, [(vista.titulo, vista.saida) for vista in etapas_vistas(trilha) if vista.nome == "espera"])
show_trilha(trilha)
"""


def made(tmp_path: Path, edits: Mapping[str, tuple[tuple[str, str], ...]], tells: str) -> str:
    """What a scratch copy of the product says once those files, and no other, are edited; a file that is not there is made."""
    copy = tmp_path / "src"
    shutil.copytree(SRC, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, changes in edits.items():
        file = copy / "crivo" / name
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        for before, after in changes:
            assert text.count(before) == 1 or not before, (name, before)
            text = text.replace(before, after) if before else after
        file.write_text(text, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"}
    said = subprocess.run([sys.executable, "-c", tells], env=env, capture_output=True, text=True, check=False, timeout=300)
    assert said.returncode == 0, said.stderr
    return said.stdout


def test_a_kind_of_sign_is_made_in_two_files_and_everybody_tells_it(tmp_path: Path) -> None:
    said = made(tmp_path, SINAL, TELLS_A_SINAL)
    assert len(SINAL) <= 2
    assert "Dois projetos com mesmo título" in said
    assert "(('titulo_repetido', 'Mesmo título (1)'),)" in said
    assert "Têm o mesmo título." in said  # the terminal
    assert "titulo_repetido': Acerto" in said
    assert "2 projetos com ele" in said


def test_a_check_of_the_decision_is_made_in_four_files_and_everybody_tells_it(tmp_path: Path) -> None:
    said = made(tmp_path, CHECK, TELLS_A_CHECK)
    assert len(CHECK) <= 4
    assert "() Só hospital NEGADO ('solicitante_nao_hospital',)" in said
    assert "Motivo: pedido que só um hospital faz." in said
    assert "Só um hospital faz este pedido." in said
    assert "Só um hospital pode pedir não é hospital" in said


def test_a_stage_of_the_decision_is_made_in_four_files_and_everybody_tells_it(tmp_path: Path) -> None:
    said = made(tmp_path, STAGE, TELLS_A_STAGE)
    assert len(STAGE) <= 4
    assert "Espera(horas=48)" in said
    assert "('Espera', '{\\n  \"horas\": 48\\n}')" in said
    assert "Dizer quanto esperar." in said


@pytest.mark.parametrize("codigo", [sinal.codigo for sinal in SINAIS])
def test_a_kind_of_sign_is_named_by_its_record_and_its_finder_alone(codigo: str) -> None:
    named = files_that_name(codigo)
    assert "triagem/irregularidades/sinais.py" in named
    assert len([name for name in named if not name.startswith(SAMPLE)]) <= 2


@pytest.mark.parametrize("codigo", [motivo.codigo for motivo in MOTIVOS])
def test_a_motivo_is_named_by_its_record_alone(codigo: str) -> None:
    named = [name for name in files_that_name(codigo) if not name.startswith(PATTERNS)]
    assert named == ["autorizacoes/motivos.py"]


def files_that_name(codigo: str) -> list[str]:
    """The modules that hold a code as a text of its own."""
    root = SRC / "crivo"
    files = [file for file in sorted(root.rglob("*.py")) if f'"{codigo}"' in file.read_text(encoding="utf-8")]
    return [file.relative_to(root).as_posix() for file in files]
