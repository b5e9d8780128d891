"""What no line of the product may do: run text as code, unpack objects, trust an unproved certificate, write HTML out of strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

SRC: Final = Path(__file__).parents[1] / "src/crivo"
# Modules that turn bytes from outside into any object at all.
UNPACK_ANYTHING: Final = {"pickle", "marshal", "shelve", "dill", "joblib", "jsonpickle"}
RUN_TEXT: Final = {"eval", "exec", "compile", "__import__"}
SHELLS: Final = {"system", "popen", "create_subprocess_shell", "getoutput", "getstatusoutput"}
# Chance that spreads pauses over time, and is no secret.
PAUSES: Final = {
    "autorizacoes/entregas/entregador.py",
    "kernel/llm/gateway.py",
    "clinicas/orquestrador/chama/router.py",
    "triagem/embeddings/openai.py",
}
PERILS: Final = re.compile(
    r"(?<![.\w])(?:eval|exec|compile|__import__)\(|\b(?:system|popen|create_subprocess_shell|getoutput|getstatusoutput|shell|allow_pickle"
    r"|pickle|marshal|shelve|dill|joblib|jsonpickle|yaml|from_string|Template|hashlib|hmac|random|verify|follow_redirects|CERT_NONE"
    r"|_create_unverified_context|basicConfig)\b|Handler\("
)
SCRIPT_PERILS: Final = re.compile(
    r"\beval\(|new Function|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|__proto__|\.prototype\.\w+\s*=[^=]"
    r"|postMessage|[\"']message[\"']|localStorage|indexedDB|\w\[[^\]]*\]\s*=[^=]"
)


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    """The files in which a word of peril stands, in code or not: the others cannot break a rule here."""
    texts = ((file.relative_to(SRC).as_posix(), file.read_text(encoding="utf-8")) for file in sorted(SRC.rglob("*.py")))
    return tuple((path, ast.parse(text)) for path, text in texts if PERILS.search(text))


def calls() -> Iterator[tuple[str, ast.Call, str]]:
    """Each call with its file and the last name of what is called."""
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield path, node, node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def imported() -> Iterator[tuple[str, str]]:
    """Each file with the first name of each module that it imports."""
    for path, tree in trees():
        for node in ast.walk(tree):
            match node:
                case ast.Import(names=names):
                    yield from ((path, alias.name.partition(".")[0]) for alias in names)
                case ast.ImportFrom(module=str(module)):
                    yield path, module.partition(".")[0]


def named(node: ast.expr) -> str:
    """`hashlib.sha256` of that very attribute; empty of what is no such name."""
    return f"{node.value.id}.{node.attr}" if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) else ""


def said(call: ast.Call, name: str) -> object:
    """The constant that a call gives to a parameter, if it does."""
    return next((word.value.value for word in call.keywords if word.arg == name and isinstance(word.value, ast.Constant)), None)


def test_no_text_is_run_as_code_and_no_command_goes_through_a_shell() -> None:
    assert [(path, name) for path, call, name in calls() if isinstance(call.func, ast.Name) and name in RUN_TEXT] == []
    assert [(path, name) for path, call, name in calls() if name in SHELLS or said(call, "shell") is True] == []


def test_nothing_that_comes_in_is_unpacked_into_any_object_at_all() -> None:
    assert [found for found in imported() if found[1] in UNPACK_ANYTHING] == []
    assert [(path, name) for path, call, name in calls() if said(call, "allow_pickle") is True or named(call.func) == "yaml.load"] == []


def test_templates_are_files_of_the_product() -> None:
    """One that somebody sent could read more than it is shown."""
    assert [(path, name) for path, call, name in calls() if name in {"from_string", "Template"}] == []


def test_digests_are_of_256_bits_or_more_and_what_must_not_be_guessed_is_not_of_chance() -> None:
    used = {named(node) for _, tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert {name for name in used if name.startswith("hashlib.")} <= {"hashlib.sha256", "hashlib.sha512", "hashlib.md5"}
    weak = {(path, ast.unparse(call.keywords[0])) for path, call, _ in calls() if named(call.func) == "hashlib.md5"}
    assert weak == {("autorizacoes/tiss/xml.py", "usedforsecurity=False")}  # what TISS itself asks for, and nothing is proved by
    keyed = [call.args[-1] for _, call, _ in calls() if named(call.func) in {"hmac.new", "hmac.digest"}]
    assert {ast.unparse(digest) for digest in keyed} == {"hashlib.sha256", "'sha256'"}
    assert {path for path, module in imported() if module == "random"} == PAUSES


def test_no_certificate_goes_unproved_and_no_answer_sends_the_program_elsewhere() -> None:
    assert [path for path, call, _ in calls() if said(call, "verify") is False or said(call, "follow_redirects") is True] == []
    for path, tree in trees():
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert "_create_unverified_context" not in names, path
        if "CERT_NONE" in names:  # else whoever answers shows a certificate, and its print is held against the one that is known
            assert {"getpeercert", "compare_digest"} <= names, path


def test_lines_of_the_log_leave_by_one_file_alone() -> None:
    handlers = {path for path, _, name in calls() if name.endswith("Handler") or name == "basicConfig"}
    assert handlers == {"kernel/logs.py"}


def test_no_script_runs_text_or_writes_html_out_of_strings() -> None:
    """What a script shows it takes from nodes; it keeps no more than a tab's drafts, and hears no other window."""
    scripts = sorted((SRC / "web/static").glob("*.js"))
    assert len(scripts) > 10
    assert [(file.name, found[0]) for file in scripts for found in SCRIPT_PERILS.finditer(file.read_text(encoding="utf-8"))] == []
