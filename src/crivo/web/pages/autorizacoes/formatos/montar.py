"""`/formatos/novo`: a pasted pedido whose values are pointed at, a step at a time. Nothing of the pedido is stored: it stays in the form.

Every step is a button of one form, so that it goes without a script; the state and the one before it travel with it.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.mapeamento.aplicacao import Leitor, PedidoLido
from crivo.autorizacoes.mapeamento.caminhos import written
from crivo.autorizacoes.mapeamento.documento import DOCUMENTOS, MAPEAVEIS, QUALQUER, digest, fold_word, places_of, to_document
from crivo.autorizacoes.mapeamento.escolha import as_lists
from crivo.autorizacoes.mapeamento.leitura import MapeamentoInvalido
from crivo.autorizacoes.mapeamento.midia import Documento, read_documentos
from crivo.autorizacoes.mapeamento.montagem import (
    RECONHECER,
    Montagem,
    MontagemInvalida,
    Palavra,
    any_value,
    begin,
    choose_by_position,
    drop_condition,
    generalised,
    keep_position,
    ligar,
    lists_of_objects,
    meanings_of,
    note_absent,
    read_montagem,
    say_total,
    set_itens,
    soltar,
    swap_day_and_month,
    translate,
    untranslated,
)
from crivo.autorizacoes.mapeamento.muitos import MOST, ProvaDeMuitos, split_samples
from crivo.autorizacoes.mapeamento.palpites import find_place, in_order, recognise_by_columns
from crivo.autorizacoes.mapeamento.service import FormatoNotFound
from crivo.autorizacoes.palavras import count, nome_documento
from crivo.kernel.clock import today
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.web.body import LARGEST_DOCUMENT_BYTES, limited, too_large
from crivo.web.pages import csrf
from crivo.web.pages.autorizacoes.formatos.vista import (
    OBRIGATORIOS,
    ORDEM,
    TITULOS,
    MuitosVista,
    Provado,
    author_said,
    condition_said,
    fields_of,
    left_of,
    outcomes_of,
    tree_of,
    values_of,
)
from crivo.web.pages.rendering import page
from crivo.web.problems import CorpoGrandeDemais, status_of
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(include_in_schema=False)
_FORM_OVERHEAD_BYTES: Final = 500_000
_LONGEST_NAME: Final = 100
_PROBLEMS_SHOWN: Final = 20
_REFUSED: Final = (Kind.MALFORMED, Kind.INVALID, Kind.TOO_LARGE, Kind.CONFLICT)


_MOST_WORDS: Final = 60
_DO_CAMPO: Final[Mapping[str, tuple[Callable[[Montagem, str], Montagem], str]]] = {
    "soltar": (soltar, " não é mais lido."),
    "nao_vem": (note_absent, ": não vem no pedido deles."),
    "trocar": (swap_day_and_month, ": dia e mês trocados."),
    "fica": (keep_position, ": fica assim, pelo lugar na lista."),
}


class AmostraAusente(CrivoError):
    """The form came with no pedido to look at."""

    codigo: ClassVar[str] = "amostra_ausente"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta o pedido"


@dataclass(frozen=True, slots=True)
class Estado:
    """What the form carries: the sample as it came, the mapping so far and before the last step, and the field that is being placed.

    `palavras` are those that the pedidos of a file had without a translation; `provado` how many of them were read, by which document.
    """

    amostra: bytes
    montagem: Montagem
    anterior: bytes = b""
    campo: str = ""
    aviso: str = ""
    muitos: ProvaDeMuitos | None = None
    palavras: tuple[Palavra, ...] = ()
    provado: str = ""


@router.get("/formatos/novo", response_class=Response)
async def comecar(request: Request, de: str = "") -> Response:
    """Where a pedido is pasted; `de` is a stored mapping to go on from."""
    montagem = begin()
    if de:
        try:
            montagem = Montagem((await state_of(request).container.formatos.obter(scope_of(request), UUID(de)))[1])
        except ValueError:
            raise FormatoNotFound("Este formato não existe, ou não é daqui. Volte à lista e escolha outro.") from None
    return await _page(request, Estado(b"", montagem))


@router.post("/formatos/novo", response_class=Response)
async def montar(request: Request) -> Response:
    """One step. What cannot be taken comes back with the reason, and everything as it was."""
    csrf.check_origin(request)
    hold(request, state_of(request).politicas)
    limit = state_of(request).container.settings.limite_corpo_bytes
    form_limit = LARGEST_DOCUMENT_BYTES + 3 * limit + _FORM_OVERHEAD_BYTES
    estado, texto = Estado(b"", begin()), ""
    try:
        async with limited(request, form_limit).form(max_files=2, max_fields=400, max_part_size=form_limit) as form:
            csrf.check_token(request, form.get(csrf.FIELD))
            estado = _read_state(form)
            texto = _text(form, "texto")
            acao = _text(form, "acao")
            if acao in ("guardar", "publicar"):
                return await _keep(request, estado, acao)
            depois = await _step(request, estado, acao, form, limit)
    except CorpoGrandeDemais:
        raise
    except (CrivoError, RecursionError) as error:
        if isinstance(error, CrivoError) and error.kind not in _REFUSED:
            raise
        told = error if isinstance(error, CrivoError) else MontagemInvalida("O pedido é profundo demais para ser mostrado.")
        return await _page(request, estado, told, texto)
    return await _page(request, depois)


def _read_state(form: FormData) -> Estado:
    try:
        amostra = base64.b64decode(_text(form, "amostra"), validate=True)
    except (binascii.Error, ValueError):
        raise MontagemInvalida("O pedido colado não chegou inteiro. Cole-o de novo.") from None
    raw = _text(form, "montagem")
    montagem = read_montagem(raw.encode()) if raw else begin()
    nome, administradora = [" ".join(_text(form, um).split())[:_LONGEST_NAME] for um in ("nome", "administradora")]
    if "nome" in form:
        documento = msgspec.structs.replace(montagem.documento, mapeamento=nome, administradora=administradora)
        montagem = msgspec.structs.replace(montagem, documento=documento)
    campo = _text(form, "campo")
    try:
        palavras = msgspec.json.decode(_text(form, "palavras") or "[]", type=list[tuple[str, str]])
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise MontagemInvalida("As palavras a traduzir não chegaram inteiras. Prove o arquivo de novo.") from None
    ditas = tuple([Palavra(destino, palavra) for destino, palavra in palavras if destino in MAPEAVEIS][:_MOST_WORDS])
    at = campo if campo in (*MAPEAVEIS, RECONHECER) else ""
    return Estado(amostra, montagem, _text(form, "anterior").encode(), at, palavras=ditas, provado=_text(form, "provado")[:200])


async def _step(request: Request, estado: Estado, acao: str, form: FormData, limit: int) -> Estado:
    verbo, _, resto = acao.partition(":")
    if verbo == "colar":
        return await _pasted(estado, form, limit)
    if verbo == "desfazer" and estado.anterior:
        return replace(estado, montagem=read_montagem(estado.anterior), anterior=b"", aviso="O último passo foi desfeito.")
    if not estado.amostra:
        raise AmostraAusente("Cole um pedido como ele chega, ou escolha o arquivo dele.")
    documentos, raiz = _document(estado)
    if verbo == "campo" and resto in (*MAPEAVEIS, RECONHECER):
        return replace(estado, campo=resto, aviso=f"{TITULOS[resto]}: agora clique no valor, no pedido deles.")
    if verbo == "muitos":
        return await _proved(request, estado, form)
    if verbo == "propor":
        return await _proposed(request, estado, raiz, documentos[0].midia)
    if verbo == "nova_versao" and resto.isdigit():
        return await _as_new_version(request, estado, raiz, int(resto))
    if verbo == "traduzir" and resto.isdigit():
        planos = await state_of(request).container.formatos.planos(scope_of(request), estado.montagem.documento.administradora)
        montagem, aviso = await asyncio.to_thread(_translated, estado, documentos, int(resto), planos, form)
        return _after(estado, montagem, aviso)
    montagem, aviso = _changed(estado, verbo, resto, raiz)
    depois = _after(estado, montagem, aviso)
    return replace(depois, campo=_next(depois)) if verbo == "valor" and montagem != estado.montagem else depois


async def _proposed(request: Request, estado: Estado, raiz: Any, midia: str) -> Estado:
    proposto = await state_of(request).container.propostas_de_formato.propor(scope_of(request), estado.montagem, raiz)
    ditos = [f"O código propôs {count(proposto.pelo_codigo, 'campo', 'campos')}"]
    if proposto.pelo_modelo:
        ditos.append(f"e o modelo, {count(proposto.pelo_modelo, 'outro', 'outros')}")
    montagem = recognise_by_columns(proposto.montagem, raiz) if midia == "csv" else proposto.montagem
    if montagem != proposto.montagem:
        ditos.append("e as colunas pelas quais se reconhece a planilha")
    return _after(estado, montagem, f"{' '.join(ditos)}. Confira cada um. {proposto.falha}".strip())


def _changed(estado: Estado, verbo: str, resto: str, raiz: Any) -> tuple[Montagem, str]:
    """The mapping after a step that changes it, and what to say."""
    montagem = estado.montagem
    if verbo in _DO_CAMPO and resto in MAPEAVEIS:
        does, said = _DO_CAMPO[verbo]
        return does(montagem, resto), f"{TITULOS[resto]}{said}"
    match verbo:
        case "valor" if resto.isdigit():
            return _pointed(estado, int(resto), raiz, _document(estado)[0][0].midia)
        case "condicao":
            return drop_condition(montagem, resto), "Uma condição a menos para reconhecer."
        case "itens":
            return _items(montagem, resto, raiz)
        case "presenca" | "posicao" | "unidade" | "inteiro":
            return _settled(montagem, verbo, resto, raiz)
        case "usar" | "usar_todas":
            for um in in_order(montagem.palpites):
                if (verbo == "usar_todas" or um.destino == resto) and (lugar := find_place(raiz, um.caminho, um.destino)) is not None:
                    montagem = ligar(montagem, um.destino, lugar, raiz, um.autor)
            return montagem, "Usado. Confira o valor lido." if montagem != estado.montagem else ""
        case _:
            return montagem, ""


def _settled(montagem: Montagem, verbo: str, resto: str, raiz: Any) -> tuple[Montagem, str]:
    """The mapping after a person settled what pointing alone left open, and what to say."""
    if verbo == "presenca":
        return any_value(montagem, resto), f"Reconhece-se por haver algo em {resto}, seja o que for."
    if verbo == "posicao":
        placed = choose_by_position(montagem, resto, raiz)
        if placed == montagem:
            return montagem, "Aqui nada é lido deste caminho: clique no valor que está no lugar."
        return placed, f"{TITULOS.get(resto, resto)} é lido pelo lugar na lista, seja o que for que esteja ali."
    dito = say_total(montagem, da_unidade=verbo == "unidade")
    if dito == montagem:
        return montagem, "Diga antes onde está a quantidade: o valor de uma unidade é multiplicado por ela."
    return dito, "É o de uma unidade: será multiplicado pela quantidade." if verbo == "unidade" else "É o do pedido inteiro."


def _pointed(estado: Estado, indice: int, raiz: Any, midia: str) -> tuple[Montagem, str]:
    passos = values_of(raiz)
    if not estado.campo:
        return estado.montagem, "Escolha antes um campo do crivo, e depois o valor."
    if indice >= len(passos):
        return estado.montagem, ""
    lugar = passos[indice]
    montagem = ligar(estado.montagem, estado.campo, lugar, raiz)
    if estado.campo == RECONHECER:
        if isinstance(raiz, dict) and midia == "csv":  # a value would know this row, and no other
            montagem = any_value(montagem, written(lugar))
        return montagem, f"{TITULOS[RECONHECER]} é lido de {written(lugar)}."
    itens = montagem.documento.itens
    mais = f" Um pedido para cada item de {itens}." if itens is not None and itens != estado.montagem.documento.itens else ""
    de = ", ".join(places_of(montagem.documento.campos[estado.campo]))
    return montagem, f"{TITULOS[estado.campo]} é lido de {de}.{mais}"


def _items(montagem: Montagem, resto: str, raiz: Any) -> tuple[Montagem, str]:
    listas = [f"{generalised(um)}[*]" for um in lists_of_objects(raiz)]
    if resto.isdigit() and int(resto) < len(listas):
        return set_itens(montagem, listas[int(resto)]), f"Um pedido para cada item de {listas[int(resto)]}."
    return set_itens(montagem, None), "O documento inteiro é um pedido só."


async def _as_new_version(request: Request, estado: Estado, raiz: Any, indice: int) -> Estado:
    """Go on from the published format that reads this pedido already: kept under its name, it is its next version."""
    formatos, scope = state_of(request).container.formatos, scope_of(request)
    nomes = await formatos.quem_reconhece(scope, raiz)
    publicados = {um.nome: um for um in await formatos.listar(scope) if um.status == "publicado"}
    if indice >= len(nomes) or nomes[indice] not in publicados:
        return estado
    documento = (await formatos.obter(scope, publicados[nomes[indice]].id))[1]
    aviso = f"Daqui sai a próxima versão de {nomes[indice]}: mude o que precisar e publique. A de agora vale até lá."
    return _after(estado, Montagem(documento), aviso)


def _words(estado: Estado, documentos: Sequence[Documento], planos: Sequence[str]) -> tuple[Palavra, ...]:
    """The words to be translated: of every pedido pasted, and of those of a file that was tried."""
    m = estado.montagem.documento
    leitor = Leitor(m)
    lidos: list[PedidoLido] = []
    for um in documentos[:MOST]:
        if not (um.midia == "csv" and leitor.ignores(um.looked_into)):
            lidos += leitor.read(leitor.with_lists(um.looked_into) if um.midia == "xml" else um.looked_into, "2000-01-01").pedidos
    found = dict.fromkeys(untranslated([um.bruto for um in lidos], planos, [um.origem for um in lidos]))
    ditas = {(destino, fold_word(palavra)) for destino, palavras in m.valores.items() for palavra in palavras}
    found |= dict.fromkeys([um for um in estado.palavras if um.destino in m.campos and (um.destino, fold_word(um.palavra)) not in ditas])
    return tuple(found)[:_MOST_WORDS]


def _translated(
    estado: Estado, documentos: Sequence[Documento], indice: int, planos: Sequence[str], form: FormData
) -> tuple[Montagem, str]:
    montagem = estado.montagem
    palavras = _words(estado, documentos, planos)
    escolha = _text(form, f"traducao_{indice}")
    if indice >= len(palavras) or not escolha.isdigit():
        return montagem, "Escolha o que a palavra quer dizer, e depois aperte Usar."
    um = palavras[indice]
    significados = meanings_of(um.destino, planos)
    if int(escolha) >= len(significados):
        return montagem, ""
    palavra, valor = significados[int(escolha)]
    said = nome_documento(palavra) if um.destino == DOCUMENTOS else palavra
    return translate(montagem, um.destino, um.palavra, valor), f"{um.palavra} é {said}."


def _after(estado: Estado, montagem: Montagem, aviso: str) -> Estado:
    if montagem == estado.montagem:
        return replace(estado, aviso=aviso)
    return replace(estado, montagem=montagem, anterior=msgspec.json.encode(estado.montagem), aviso=aviso)


def _next(estado: Estado) -> str:
    """The field to place next: the first needed one that is read from nowhere, else none; recognition last."""
    campos = estado.montagem.documento.campos
    left = [um for um in OBRIGATORIOS if um not in campos]
    if left:
        return left[0]
    return "" if estado.montagem.documento.reconhecer else RECONHECER


async def _pasted(estado: Estado, form: FormData, limit: int) -> Estado:
    arquivo, texto = form.get("arquivo"), _text(form, "texto")
    raw = await arquivo.read() if isinstance(arquivo, UploadFile) else b""
    if bool(raw) == bool(texto.strip()):
        raise AmostraAusente("Cole o pedido ou escolha o arquivo, um dos dois.")
    raw = raw or texto.encode()
    if len(raw) > limit:
        raise too_large(limit)
    depois = replace(estado, amostra=raw, campo=estado.campo or _next(estado))
    documentos, raiz = _document(depois)
    if not isinstance(raiz, dict | list) or not raiz:
        raise PedidoIlegivel("O que foi colado não tem campos: cole um pedido inteiro, em JSON, XML ou CSV.")
    linhas = f" Vieram {count(len(documentos), 'linha', 'linhas')}; aqui se vê a primeira." if len(documentos) > 1 else ""
    return replace(depois, aviso=f"Pedido lido como {documentos[0].midia.upper()}.{linhas}")


async def _proved(request: Request, estado: Estado, form: FormData) -> Estado:
    arquivo = form.get("muitos")
    raw = await arquivo.read() if isinstance(arquivo, UploadFile) else b""
    if not raw.strip():
        raise AmostraAusente("Escolha o arquivo com os pedidos deles, um por linha.")
    if len(raw) > LARGEST_DOCUMENT_BYTES:
        raise too_large(LARGEST_DOCUMENT_BYTES)
    muitos = await state_of(request).container.formatos.provar_muitos(scope_of(request), estado.montagem.documento, split_samples(raw))
    ditas = tuple([um for um, _ in muitos.palavras][:_MOST_WORDS])
    provado = f"{muitos.amostras}/{muitos.lidos}/{muitos.nao_reconhecidos}/{_mark(estado)}"
    return replace(estado, muitos=muitos, palavras=ditas, provado=provado, aviso="Provado. Nada do arquivo ficou guardado.")


def _mark(estado: Estado) -> str:
    """Of which document a proof is: its name does not count."""
    return digest(msgspec.structs.replace(estado.montagem.documento, mapeamento="")).hex()


async def _counted(request: Request, estado: Estado) -> Provado:
    """How the pedidos of the file tried last are read, where they were tried on the format as it is now; else those pasted."""
    container, scope = state_of(request).container, scope_of(request)
    documento = estado.montagem.documento
    prova = await container.formatos.provar_muitos(scope, documento, [estado.amostra])
    documentos, raiz = _document(estado)
    planos = await container.formatos.planos(scope, documento.administradora)
    testado = (await container.formatos.testar(scope, documento, estado.amostra)).prova
    vistos = fields_of(estado.montagem, testado, raiz, "", _words(estado, documentos, planos), planos)
    duvidas = len([um for um in vistos if um.estado == "decidir"])
    amostras, lidos, fora = prova.amostras, prova.lidos, prova.nao_reconhecidos
    *tried, mark = estado.provado.split("/")
    if mark == _mark(estado) and len(tried) == 3 and all(um.isascii() and um.isdigit() for um in tried):
        amostras, lidos, fora = [int(um) for um in tried]
    return Provado(amostras, lidos, fora, duvidas)


async def _keep(request: Request, estado: Estado, acao: str) -> Response:
    """Store the mapping as the draft of its name; with `publicar`, go on to the question."""
    documento = estado.montagem.documento
    absent = [
        Problem(mensagem, codigo="campo_ausente")
        for value, mensagem in (
            (documento.mapeamento, "Dê um nome ao formato, como acme-2026."),
            (documento.administradora, "Diga o código da administradora, como está nas políticas."),
            (
                documento.reconhecer,
                "Diga como se reconhece um pedido deles: escolha “Como se reconhece”, e um valor que só eles mandam.",
            ),
            (documento.campos, "Nenhum campo foi escolhido ainda."),
        )
        if not value
    ]
    if absent:
        raise MapeamentoInvalido(absent)
    importacao = await state_of(request).container.formatos.importar(scope_of(request), to_document(documento), "json")
    formato = importacao.formato
    if acao == "publicar":
        counted = f"?{(await _counted(request, estado)).address}" if estado.amostra else ""
        return RedirectResponse(f"/formatos/{formato.id}/publicar{counted}", status_code=303)
    return await _page(request, replace(estado, aviso=f"Rascunho guardado: {formato.nome}, versão {formato.versao}."))


def _document(estado: Estado) -> tuple[tuple[Documento, ...], Any]:
    """The documents of the sample, and the first as paths look into it. Raises PedidoIlegivel."""
    documentos = read_documentos(estado.amostra)
    first = documentos[0]
    valor = Leitor(estado.montagem.documento).with_lists(as_lists(first.looked_into)) if first.midia == "xml" else first.looked_into
    return documentos, valor


async def _page(request: Request, estado: Estado, recusa: CrivoError | None = None, texto: str = "") -> Response:
    status = 200 if recusa is None else status_of(recusa)
    container, scope = state_of(request).container, scope_of(request)
    administradoras = sorted({um.administradora_id for um in await container.politicas.listar(scope)})
    values: dict[str, Any] = {
        "recusa": recusa,
        "texto": texto,
        "doc": estado.montagem.documento,
        "aviso_do_passo": estado.aviso,
        "amostra": base64.b64encode(estado.amostra).decode(),
        "montagem": msgspec.json.encode(estado.montagem).decode(),
        "anterior": estado.anterior.decode(),
        "campo": estado.campo,
        "palavras": msgspec.json.encode([(um.destino, um.palavra) for um in estado.palavras]).decode(),
        "provado": estado.provado,
        "administradoras": administradoras,
        "um_modelo": container.propostas_de_formato.um_modelo_propoe,
    }
    if not estado.amostra:
        return page(request, "autorizacoes/formatos/colar.html", status, **values)
    try:
        values |= await _seen(request, estado)
    except PedidoIlegivel as error:
        return page(request, "autorizacoes/formatos/colar.html", status_of(error), **(values | {"recusa": error, "amostra": ""}))
    return page(request, "autorizacoes/formatos/montar.html", status, **values)


async def _seen(request: Request, estado: Estado) -> Mapping[str, Any]:
    container, scope = state_of(request).container, scope_of(request)
    documentos, raiz = _document(estado)
    hoje = today(container.clock)
    lido = Leitor(estado.montagem.documento).read(raiz, hoje.isoformat())
    prova = (await container.formatos.testar(scope, estado.montagem.documento, estado.amostra)).prova
    others = await container.formatos.quem_reconhece(scope, raiz)
    linhas, escondidos = await asyncio.to_thread(tree_of, raiz, lido, estado.montagem, prova.pedidos)
    planos = await container.formatos.planos(scope, estado.montagem.documento.administradora)
    palavras = await asyncio.to_thread(_words, estado, documentos, planos)
    campos = fields_of(estado.montagem, prova, raiz, estado.campo, palavras, planos)
    sobras, outras = await asyncio.to_thread(left_of, lido, estado.montagem, raiz)
    estados = [um.estado for um in campos]
    return {
        "linhas": linhas,
        "escondidos": escondidos,
        "campos": campos,
        "lidos": estados.count("lido"),
        "a_decidir": estados.count("decidir"),
        "nao_vem": estados.count("nao_vem"),
        "faltam": [um.titulo for um in campos if um.obrigatorio and not um.de],
        "sobras": sobras,
        "outras_sobras": outras,
        "sobram": len(sobras) + outras,
        "saidas": outcomes_of(prova),
        "pedidos": count(len(prova.pedidos), "pedido", "pedidos"),
        "problemas": [um for um in prova.problemas if um.grave][:_PROBLEMS_SHOWN],
        "listas": [(at, f"{generalised(um)}[*]") for at, um in enumerate(lists_of_objects(raiz))],
        "reconhecido_por": [(at, um) for at, um in enumerate(others) if um != estado.montagem.documento.mapeamento],
        "reconhecer": [
            (caminho, condition_said(valor), valor == QUALQUER) for caminho, valor in estado.montagem.documento.reconhecer.items()
        ],
        "muitos": MuitosVista.of(estado.muitos) if estado.muitos else None,
        "midia": documentos[0].midia.upper(),
        "palpites": len(estado.montagem.palpites),
        "titulo_do_campo": TITULOS.get(estado.campo, ""),
        "reconhece": RECONHECER,
        "dito_por": author_said,
        "titulos": TITULOS,
        "ordem": ORDEM,
    }


def _text(form: FormData, nome: str) -> str:
    value = form.get(nome)
    return value.encode("utf-8", "replace").decode().replace("\0", "") if isinstance(value, str) else ""
