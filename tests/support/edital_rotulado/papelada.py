"""One paper of one project: which template, in whose name, of which day, and with what fault; and what should be said of it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

from crivo.triagem.achados import Motivo, Situacao
from crivo.triagem.edital import Projeto
from edital_rotulado import docxs, pdfs, truques
from edital_rotulado.inscritos import Metade
from edital_rotulado.valores import Sorte, Titular, filled, namesake, organisation_number, person_number

_HERE: Final = Path(__file__).parent
REFERENCIA: Final = date(2027, 3, 12)
Modelos = Mapping[str, dict[str, Any]]
PAPEIS: Final[Mapping[Metade, Modelos]] = {
    "ajuste": json.loads((_HERE / "papeis.json").read_bytes()),
    "relato": json.loads((_HERE / "papeis_relato.json").read_bytes()),
}
_NOMES: Final = ("{t} {n}.{e}", "scan{n:04d}.{e}", "{n:02d}_{t}_assinado.{e}", "Documento ({n}).{e}", "{t}-final2.{e}")
_PLANILHAS: Final = (("xlsx", docxs.budget_xlsx), ("docx", docxs.budget_docx), ("pdf", docxs.budget_pdf))


@dataclass(frozen=True, slots=True)
class Pedido:
    """A paper to be made: `papel` is one of the templates `papeis`; `marca` hides or shows something in it, as `(trick, text)`."""

    requisito: dict[str, Any]
    projeto: Projeto
    titular: Titular
    numero: int
    papeis: Modelos
    defeito: tuple[str, ...] = ()
    papel: str | None = None
    marca: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Papel:
    """A file, and what should be said of it; `situacao` None where nobody should be held to an answer."""

    nome: str
    conteudo: bytes
    situacao: Situacao | None = "atende"
    motivo: Motivo | None = None


def make(pedido: Pedido) -> Papel | None:
    """The paper; None where it was not sent."""
    if not pedido.defeito:
        return _good(pedido, pedido.papel)
    kind, *args = pedido.defeito
    return _faulty(pedido, kind, args)


def _faulty(pedido: Pedido, kind: str, args: list[str]) -> Papel | None:
    papel = args[-1] if args and args[-1] in pedido.papeis else None
    match kind:
        case "ausente":
            return None
        case "usa" | "limite":
            return _good(pedido, papel, 0 if kind == "limite" else None)
        case "papel":
            wrong = _good(pedido, None if args[0] == "orcamento" else papel, planilha=args[0] == "orcamento")
            return replace(wrong, situacao="nao_atende", motivo="documento_tipo_errado")
        case "vencido":
            return replace(_good(pedido, papel, -int(args[0])), situacao="nao_atende", motivo="documento_vencido")
        case "velho":
            old, limit = int(args[0]), int(pedido.requisito["validade"]["dias"])
            made = _good(pedido, papel, emitted=REFERENCIA - timedelta(days=old))
            return made if old <= limit else replace(made, situacao="nao_atende", motivo="documento_vencido")
        case "homonimo" | "outra_pessoa" | "conjuge" | "outra_empresa":
            other = _somebody_else(pedido.titular, kind, Sorte(f"{pedido.numero} {kind}"))
            return replace(_good(replace(pedido, titular=other), papel), situacao="nao_atende", motivo="documento_de_terceiro")
        case "filial":
            return _good(pedido, "fed_positiva")
        case "imagem":
            return _pictured(pedido, args[0])
        case _:
            return _broken(pedido, kind, args)


def _broken(pedido: Pedido, kind: str, args: list[str]) -> Papel:
    good = _good(pedido, None if pedido.requisito["documento"] == "PLANILHA_ORCAMENTARIA" else _pdf_paper(pedido))
    content: bytes
    motivo: Motivo
    match kind:
        case "zero":
            content, motivo = b"", "documento_vazio"
        case "pagina_branca":
            content, motivo = pdfs.render("simples", ["", "##", " "]), "documento_vazio"
        case "docx_vazio":
            content, motivo = docxs.render("docx", ["", "", " "]), "documento_vazio"
        case "cortado":
            content, motivo = good.conteudo[: len(good.conteudo) // 5], "documento_corrompido"
        case "cortado_docx":
            whole = docxs.render("docx", ["Carta", f"Texto da carta sobre {pedido.projeto.titulo}."])
            content, motivo = whole[: len(whole) // 2], "documento_corrompido"
        case "protegido":
            content, motivo = pdfs.protected(good.conteudo), "documento_protegido"
        case "formato":
            return _of_format(pedido, args[0])
        case _:
            raise ValueError(kind)
    end = "docx" if "docx" in kind else "pdf"
    return Papel(_named(pedido, end), content, "nao_atende", motivo)


def _of_format(pedido: Pedido, kind: str) -> Papel:
    """Content that the edital does not take, under a name that may say otherwise."""
    out = io.BytesIO()
    end = "pdf"
    match kind:
        case "docx":
            linhas = _lines(pedido, _paper(pedido), None, None)
            out.write(docxs.render("docx", [linha.replace("|", ": ") for linha in linhas if linha not in {"##", "||"}]))
        case "png":
            pdfs.photograph(pedido.numero).save(out, "PNG")
        case "zip":
            with zipfile.ZipFile(out, "w") as package:
                package.writestr("leia.txt", f"Segue em anexo: {pedido.projeto.titulo}.")
            end = "zip"
        case "html":
            out.write(f"<!DOCTYPE html><html><body><p>Sessão {pedido.numero} expirada.</p></body></html>".encode())
        case _:
            out.write(b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom" + bytes(range(256)) * pedido.numero)
            end = "mp4"
    return Papel(_named(pedido, end), out.getvalue(), "nao_atende", "formato_nao_aceito")


def _pictured(pedido: Pedido, kind: str) -> Papel:
    """A photograph of the paper: whoever has no tesseract cannot read it."""
    image = Image.new("RGB", (1000, 700), "white")
    draw = ImageDraw.Draw(image)
    for index, linha in enumerate(_lines(pedido, _pdf_paper(pedido), None, None)):
        draw.text((60, 50 + 44 * index), linha.replace("|", ": "), fill="black", font=ImageFont.load_default(26))
    out = io.BytesIO()
    if kind == "pdf":
        out.write(pdfs.of_picture(image))
    else:
        image.save(out, "JPEG" if kind == "jpg" else "PNG")
    return Papel(_named(pedido, kind), out.getvalue(), "nao_lido")


def _good(pedido: Pedido, papel: str | None, margin: int | None = None, *, emitted: date | None = None, planilha: bool = False) -> Papel:
    if planilha or (papel is None and pedido.requisito["documento"] == "PLANILHA_ORCAMENTARIA"):
        end, write = _PLANILHAS[0 if pedido.numero % 2 else 1 + pedido.numero % 4 // 2]
        end, write = _PLANILHAS[2] if planilha else (end, write)
        itens = [(item.descricao, int(item.quantidade), item.valor_unitario) for item in pedido.projeto.orcamento_itens]
        return Papel(_named(pedido, end), write(itens, pedido.projeto.titulo))
    papel = papel or _paper(pedido)
    linhas = _lines(pedido, papel, margin, emitted)
    layout = pedido.papeis[papel]["layout"]
    if layout.startswith("docx"):
        return Papel(_named(pedido, "docx"), docxs.render(layout, linhas, _on_docx(pedido)))
    about = {"title": pedido.papeis[papel]["tipo"] or "Documento", "author": pedido.titular.nome, "keywords": "cultura; edital; 2027"}
    if pedido.marca and pedido.marca[0] == "metadado":
        about["subject"] = pedido.marca[1]
    return Papel(_named(pedido, "pdf"), pdfs.render(layout, linhas, _on_pdf(pedido), **about))


def _lines(pedido: Pedido, papel: str, margin: int | None, emitted: date | None) -> list[str]:
    template = pedido.papeis[papel]
    prazo = template.get("prazo", 0)
    titular = pedido.titular
    if emitted is None and (rule := pedido.requisito.get("validade")) and rule["regra"] == "valido_em" and prazo:
        spare = 3 + pedido.numero * 7 % (prazo - 8) if margin is None else margin
        emitted = REFERENCIA + timedelta(days=spare - prazo)
    emitted = emitted or REFERENCIA - timedelta(days=8 + pedido.numero % 60)
    if titular.is_organisation and _is_of_person(pedido, papel):
        titular = Titular(titular.responsavel, titular.responsavel_cpf, titular.endereco, titular.cidade)
    linhas = filled(template["linhas"], titular, pedido.projeto.titulo, emitted, prazo, 100 + 37 * pedido.numero)
    if pedido.marca and pedido.marca[0] == "visivel":
        extra = pedido.marca[1]
        linhas.append(f"Observação|{extra}" if template["layout"] == "docx_tabela" else extra)
    return linhas


def _is_of_person(pedido: Pedido, papel: str) -> bool:
    """Papers of the person who answers for an organisation: identity always, residence for every other one."""
    return (
        pedido.papeis[papel].get("quem") == "pf"
        or pedido.requisito["documento"] == "DOCUMENTO_IDENTIDADE"
        or (pedido.requisito["documento"] == "COMPROVANTE_RESIDENCIA" and pedido.numero % 2 == 1)
    )


def _paper(pedido: Pedido) -> str:
    """The template that falls to this project among those of the type."""
    quem = "pj" if pedido.titular.is_organisation else "pf"
    identity = pedido.requisito["documento"] == "DOCUMENTO_IDENTIDADE"
    fitting = [
        name
        for name, template in pedido.papeis.items()
        if template["tipo"] == pedido.requisito["documento"] and (identity or template.get("quem", quem) == quem)
    ]
    return fitting[(pedido.numero // 3 if quem == "pj" else pedido.numero) % len(fitting)]


def _pdf_paper(pedido: Pedido) -> str:
    """As `_paper`, but one that is a PDF."""
    chosen = _paper(pedido)
    if not pedido.papeis[chosen]["layout"].startswith("docx"):
        return chosen
    tipo = pedido.requisito["documento"]
    return next(name for name, t in pedido.papeis.items() if t["tipo"] == tipo and not t["layout"].startswith("docx"))


def _somebody_else(titular: Titular, kind: str, sorte: Sorte) -> Titular:
    match kind:
        case "homonimo":
            return namesake(titular, sorte)
        case "conjuge":
            nome = "Laudelino " + " ".join(titular.nome.split()[-2:])
            return replace(titular, nome=nome, numero=person_number(sorte))
        case "outra_empresa":
            nome = titular.nome + " do Litoral"
            return replace(titular, nome=nome, numero=organisation_number(f"{sorte.randrange(10**8):08d}0001"))
        case _:
            return Titular("Filomena Brandão Peixoto", person_number(sorte), "Rua do Porto, 3", titular.cidade)


def _on_pdf(pedido: Pedido) -> Any:
    if pedido.marca is None or pedido.marca[0] in {"visivel", "metadado"}:
        return None
    trick = {**truques.PDF, **truques.PDF_HONESTO}[pedido.marca[0]]
    message = pedido.marca[1]
    return lambda canvas: trick(canvas, message)


def _on_docx(pedido: Pedido) -> Any:
    if pedido.marca is None or pedido.marca[0] == "visivel":
        return None
    trick = {**truques.DOCX, **truques.DOCX_HONESTO}[pedido.marca[0]]
    message = pedido.marca[1]
    return lambda document: trick(document, message)


def _named(pedido: Pedido, end: str) -> str:
    nome = _NOMES[pedido.numero % len(_NOMES)]
    return f"{pedido.projeto.id}/{pedido.requisito['id']}/" + nome.format(t=pedido.requisito["documento"].lower(), n=pedido.numero, e=end)
