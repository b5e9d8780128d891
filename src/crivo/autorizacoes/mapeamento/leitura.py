"""From bytes to a mapping: every fault of the document by path and line, and what looks odd though it may be meant.

Source: design, "Their own format in".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from crivo.autorizacoes.campos import fold_field
from crivo.autorizacoes.etapas.normalizacao import PRESTADORES, SOLICITANTES, TABELAS
from crivo.autorizacoes.etapas.valores import fold_enum, read_boolean, read_dias, read_idade, read_number
from crivo.autorizacoes.extracao import last_name, path_names
from crivo.autorizacoes.mapeamento.caminhos import CaminhoRecusado, Rota, branch_of, compile_rota
from crivo.autorizacoes.mapeamento.datas import FormatoRecusado, compile_formato
from crivo.autorizacoes.mapeamento.documento import (
    CALCULADOS,
    COM_VALORES,
    DATAS,
    DE_DATA,
    DO_USO,
    DOCUMENTOS,
    HISTORICO,
    MAPEAVEIS,
    PARTES,
    QUANTIDADE,
    SEPARAVEIS,
    URGENCIA,
    VALOR,
    Calculo,
    Campo,
    Mapeamento,
    Simples,
    fold_word,
    places_of,
)
from crivo.autorizacoes.politicas.arvore import read_tree
from crivo.autorizacoes.politicas.nos import Escalar, Lista, Mapa, No, PoliticaInvalida, Problemas
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.formas.palavras import Caminho, cut, nearest
from crivo.kernel.linguagem.datas_escritas import read_date

TAMANHO_MAXIMO: Final = 1_000_000
MAIS_ENTRADAS: Final = 500
_LONGEST_NAME: Final = 60
_LONGEST_SEPARATOR: Final = 10
_CABECA: Final = ("mapeamento", "administradora", "reconhecer", "ignorar", "itens", "campos", "valores")
_DO_CAMPO: Final = ("de", "formato", "limpar", "calcular", "senao", "valor", "nomes", "separador", *PARTES, *DO_USO)
_OBRIGATORIOS: Final = ("pedido_id", "plano_id", "beneficiario.id", "procedimento.codigo", "procedimento.quantidade")


class MapeamentoInvalido(CrivoError):
    """A mapping that cannot be read or contradicts itself; `problemas` has every fault, with its path and line."""

    codigo: ClassVar[str] = "mapeamento_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O mapeamento não pôde ser lido"

    def __init__(self, problemas: Sequence[Problem]) -> None:
        contagem = "1 problema. Corrija-o" if len(problemas) == 1 else f"{len(problemas)} problemas. Corrija-os"
        super().__init__(f"O mapeamento tem {contagem} e tente de novo.", problemas)


@dataclass(frozen=True, slots=True)
class Importado:
    """A mapping read from its file, with what looks odd."""

    mapeamento: Mapeamento
    avisos: tuple[Problem, ...]


def read_mapeamento(raw: bytes, formato: Literal["json", "yaml"] | None = None) -> Importado:
    """The mapping in a document of up to 1 MB; without `formato`, one that opens with `{` is JSON. Raises `MapeamentoInvalido`."""
    if len(raw) > TAMANHO_MAXIMO:
        raise MapeamentoInvalido([Problem("O arquivo passa de 1 MB; um mapeamento nunca precisa de tanto.", codigo="arquivo_grande")])
    problemas = Problemas()
    try:
        no = read_tree(raw, formato, problemas)
    except PoliticaInvalida as error:
        raise MapeamentoInvalido(error.problemas) from None
    return _Leitura(problemas).read(no)


class _Leitura:
    """One reading of one document; it lives as long as a call of `read_mapeamento`."""

    def __init__(self, problemas: Problemas) -> None:
        self._problemas = problemas
        self._avisos = Problemas()
        self._tem_itens = False

    def read(self, no: No) -> Importado:
        if not isinstance(no, Mapa):
            self._add("tipo_errado", (), no, "O documento deve ser um objeto, com `mapeamento`, `administradora`, `reconhecer` e `campos`.")
            raise MapeamentoInvalido(self._problemas.as_tuple())
        self._known(no, (), _CABECA)
        self._tem_itens = "itens" in no.campos
        nome = self._texto(no, "mapeamento", _LONGEST_NAME)
        administradora = self._texto(no, "administradora", 100)
        itens = self._itens(no)
        reconhecer = self._reconhecer(no)
        ignorar = self._condicoes(no.campos.get("ignorar"), "ignorar")
        campos = self._campos(no)
        valores = self._valores(no, campos)
        if (total := campos.get(VALOR)) is not None and total.calcular is not None and QUANTIDADE not in campos:
            mensagem = f"O total é o valor de uma unidade vezes a quantidade: diga também onde está `{QUANTIDADE}`."
            self._add("calculo_indevido", ("campos", VALOR, "calcular"), no.campos["campos"], mensagem)
        self._warn(no, campos, valores)
        if itens is not None and not self._problemas:
            self._branches(no, compile_rota(itens), campos)
        if self._problemas:
            raise MapeamentoInvalido(self._problemas.as_tuple())
        return Importado(Mapeamento(nome, administradora, reconhecer, campos, itens, valores, ignorar), self._avisos.as_tuple())

    # --- the head

    def _texto(self, no: Mapa, nome: str, longest: int) -> str:
        found = no.campos.get(nome)
        if found is None or (isinstance(found, Escalar) and found.valor in (None, "")):
            self._add("campo_ausente", (nome,), found or no, f"Falta `{nome}`: {_PARA_QUE[nome]}.")
            return ""
        text = _text_of(found)
        if text is None:
            self._add("tipo_errado", (nome,), found, f"`{nome}` deve ser um texto: {_PARA_QUE[nome]}.")
            return ""
        if len(text) > longest or not text.isprintable() or not text.strip():
            self._add("texto_invalido", (nome,), found, f"`{nome}` deve ter de 1 a {longest} caracteres, em uma linha só.")
        return text.strip()

    def _itens(self, no: Mapa) -> str | None:
        found = no.campos.get("itens")
        if found is None or (isinstance(found, Escalar) and found.valor is None):
            return None
        return self._rota(found, ("itens",), do_item=False)

    def _reconhecer(self, no: Mapa) -> dict[str, Simples]:
        found = no.campos.get("reconhecer")
        if not isinstance(found, Mapa) or not found.campos:
            mensagem = 'Diga em `reconhecer` como se sabe que um pedido é deles, por exemplo {"$.remetente.codigo": "ACME-77"}.'
            self._add("campo_ausente" if found is None else "tipo_errado", ("reconhecer",), found or no, mensagem)
            return {}
        return self._condicoes(found, "reconhecer")

    def _condicoes(self, found: No | None, nome: str) -> dict[str, Simples]:
        """Paths, and the value that must stand at each."""
        if found is None or (isinstance(found, Escalar) and found.valor is None):
            return {}
        if not isinstance(found, Mapa):
            self._add("tipo_errado", (nome,), found, f'`{nome}` é um objeto de caminhos e valores, como {{"$.guia": "TOTAL"}}.')
            return {}
        lidos: dict[str, Simples] = {}
        for caminho, valor in self._entries(found, (nome,)):
            onde = (nome, caminho)
            self._compile(caminho, onde, valor, do_item=False)
            simples = _simple_of(valor)
            if simples is None or simples == "":
                self._add("tipo_errado", onde, valor, "Diga o valor que deve estar nesse caminho, ou `*` para qualquer um.")
            else:
                lidos[caminho] = simples
        return lidos

    # --- the fields

    def _campos(self, no: Mapa) -> dict[str, Campo]:
        found = no.campos.get("campos")
        if not isinstance(found, Mapa) or not found.campos:
            mensagem = 'Diga em `campos` onde está cada campo do pedido, por exemplo {"plano_id": "$.plano.nome"}.'
            self._add("campo_ausente" if found is None else "tipo_errado", ("campos",), found or no, mensagem)
            return {}
        lidos: dict[str, Campo] = {}
        for destino, valor in self._entries(found, ("campos",)):
            onde = ("campos", destino)
            if destino == "administradora_id":
                mensagem = "A administradora já está dita no começo do documento, em `administradora`; apague uma das duas."
                self._add("campo_repetido", onde, valor, mensagem)
            elif destino not in MAPEAVEIS:
                self._unknown_destino(destino, onde, valor, MAPEAVEIS)
            else:
                lidos[destino] = self._campo(destino, valor, onde)
        return lidos

    def _campo(self, destino: str, no: No, onde: Caminho) -> Campo:
        if isinstance(no, Escalar):
            return Campo(de=self._rota(no, onde, do_item=True))
        if not isinstance(no, Mapa):
            self._add("tipo_errado", onde, no, 'Escreva um caminho, como "$.plano.nome", ou um objeto com `de`.')
            return Campo()
        self._known(no, onde, _DO_CAMPO)
        get = no.campos.get
        de = self._rota(get("de"), (*onde, "de"), do_item=True) if get("de") is not None else None
        senao, valor = self._simples(no, onde, "senao"), self._simples(no, onde, "valor")
        nomes = self._nomes(destino, no, onde)
        if isinstance(nomes, dict):
            if get("de") is not None or valor is not None:
                mensagem = "Com os nomes ditos em `nomes`, cada um tem o seu caminho; apague `de` e `valor`."
                self._add("campo_contraditorio", (*onde, "nomes"), no.campos["nomes"], mensagem)
        elif (get("de") is None) == (valor is None):
            mensagem = "Diga `de` (um caminho) ou `valor` (o mesmo em todos os pedidos), um dos dois."
            self._add("campo_contraditorio" if de is not None else "campo_ausente", onde, no, mensagem)
        tipo, status, validade = [self._parte(destino, no, onde, parte) for parte in PARTES]
        formato, limpar, calcular = self._formato(destino, no, onde), self._limpar(no, onde), self._calcular(destino, no, onde)
        codigo, data, quantidade = [self._parte(destino, no, onde, parte) for parte in DO_USO]
        campo = Campo(
            de,
            formato,
            limpar,
            calcular,
            senao,
            valor,
            tipo,
            status,
            validade,
            codigo,
            data,
            quantidade,
            nomes,
            self._separador(destino, no, onde),
        )
        self._contradictions(destino, campo, no, onde)
        return campo

    def _formato(self, destino: str, no: Mapa, onde: Caminho) -> str | None:
        found = no.campos.get("formato")
        if found is None:
            return None
        onde = (*onde, "formato")
        text = _text_of(found)
        if text is None:
            self._add("tipo_errado", onde, found, "`formato` deve ser um texto, como `dd/MM/yyyy`.")
            return None
        try:
            compile_formato(text)
        except FormatoRecusado as error:
            self._add("formato_invalido", onde, found, f"No caractere {error.posicao} de `{cut(text)}`: {error.mensagem}.")
        is_counted = destino in DE_DATA and "calcular" in no.campos
        if destino not in (*DATAS, HISTORICO) and not is_counted:
            datas = ", ".join(f"`{data}`" for data in DATAS)
            self._add("formato_indevido", onde, found, f"`formato` só diz como se escreve uma data ({datas}), ou a de que se calcula.")
        return text

    def _limpar(self, no: Mapa, onde: Caminho) -> tuple[str, ...]:
        found = no.campos.get("limpar")
        if found is None:
            return ()
        textos = [_text_of(item) for item in found.itens] if isinstance(found, Lista) else [_text_of(found)]
        limpos = tuple([texto for texto in textos if texto])
        if len(limpos) != len(textos) or not limpos:
            self._add("tipo_errado", (*onde, "limpar"), found, '`limpar` deve ser uma lista de textos que saem do valor, como [".", "-"].')
        return limpos

    def _separador(self, destino: str, no: Mapa, onde: Caminho) -> str | None:
        found = no.campos.get("separador")
        if found is None:
            return None
        text = _text_of(found)
        if destino not in SEPARAVEIS:
            onde_existe = " e ".join([f"`{um}`" for um in SEPARAVEIS])
            self._add("campo_desconhecido", (*onde, "separador"), found, f"`separador` só existe em {onde_existe}, que são listas.")
        elif not text or len(text) > _LONGEST_SEPARATOR or "nomes" in no.campos or "tipo" in no.campos:
            mensagem = '`separador` é o que separa os vários de um texto, como "|" em PED|LAU; não vai com `tipo` nem `nomes`.'
            self._add("tipo_errado", (*onde, "separador"), found, mensagem)
        return text or None

    def _calcular(self, destino: str, no: Mapa, onde: Caminho) -> Calculo | None:
        found = no.campos.get("calcular")
        if found is None:
            return None
        text = _text_of(found)
        due = CALCULADOS.get(destino)
        if due is None or text != due:
            known = ", ".join(f"`{calculo}` em `{campo}`" for campo, calculo in CALCULADOS.items())
            self._add("calculo_indevido", (*onde, "calcular"), found, f"O que se calcula é {known}.")
            return None
        return due

    def _simples(self, no: Mapa, onde: Caminho, nome: str) -> Simples | None:
        found = no.campos.get(nome)
        if found is None:
            return None
        simples = _simple_of(found)
        if simples is None:
            self._add("tipo_errado", (*onde, nome), found, f"`{nome}` deve ser um texto, um número, `true` ou `false`.")
        return simples

    def _parte(self, destino: str, no: Mapa, onde: Caminho, parte: str) -> str | None:
        found = no.campos.get(parte)
        if found is None:
            return None
        onde = (*onde, parte)
        text = _text_of(found)
        due = DOCUMENTOS if parte in PARTES else HISTORICO
        if destino != due:
            self._add("campo_desconhecido", onde, found, f"`{parte}` só existe em `{due}`.")
        elif text is None or not text.startswith("@"):
            self._add("caminho_invalido", onde, found, f"`{parte}` é um caminho a partir de cada um deles, como `@.nome`.")
        else:
            self._compile(f"${text[1:]}", onde, found, do_item=False)
        return text

    def _nomes(self, destino: str, no: Mapa, onde: Caminho) -> bool | dict[str, str]:
        found = no.campos.get("nomes")
        if found is None:
            return False
        if destino == DOCUMENTOS and isinstance(found, Mapa) and found.campos:
            lidos = {nome: self._rota(um, (*onde, "nomes", nome), do_item=True) for nome, um in self._entries(found, (*onde, "nomes"))}
            return {nome: caminho for nome, caminho in lidos.items() if caminho is not None}
        if destino != DOCUMENTOS or not isinstance(found, Escalar) or type(found.valor) is not bool:
            mensagem = (
                f"`nomes` só existe em `{DOCUMENTOS}`: `true` onde os documentos são os nomes dos campos de um objeto, "
                'ou cada nome com o caminho do que diz se ele veio, como {LAUDO_MEDICO: "$.laudo"}.'
            )
            self._add("tipo_errado", (*onde, "nomes"), found, mensagem)
            return False
        return found.valor

    def _contradictions(self, destino: str, campo: Campo, no: Mapa, onde: Caminho) -> None:
        for nome, simples in (("senao", campo.senao), ("valor", campo.valor)):
            if simples is not None and (queixa := _cannot_be(destino, simples, campo.formato)):
                self._add(f"{nome}_invalido", (*onde, nome), no.campos[nome], f"`{nome}` {queixa}.")
        if campo.valor is not None:
            for nome in ("formato", "limpar", "calcular", "senao", "separador"):
                if nome in no.campos:
                    mensagem = f"Com `valor`, que é sempre o mesmo, `{nome}` não diz nada; apague um dos dois."
                    self._add("campo_contraditorio", (*onde, nome), no.campos[nome], mensagem)
        if campo.calcular is not None and campo.calcular == CALCULADOS[VALOR] and campo.senao is not None:
            self._add(
                "campo_contraditorio",
                (*onde, "senao"),
                no.campos["senao"],
                "Com `calcular: total`, `senao` não diz nada; apague um dos dois.",
            )
        if destino == HISTORICO and campo.limpar and campo.codigo is None and campo.quantidade is None:
            mensagem = "Aqui `limpar` só limpa o código e a quantidade de cada uso: diga `codigo` ou `quantidade`, ou apague `limpar`."
            self._add("campo_contraditorio", (*onde, "limpar"), no.campos["limpar"], mensagem)
        if campo.nomes and campo.tipo is not None:
            self._add("campo_contraditorio", (*onde, "nomes"), no.campos["nomes"], "Com `nomes`, o tipo já é o nome; apague `tipo`.")

    # --- the dictionaries

    def _valores(self, no: Mapa, campos: Mapping[str, Campo]) -> dict[str, dict[str, Simples]]:
        found = no.campos.get("valores")
        if found is None or (isinstance(found, Escalar) and found.valor is None):
            return {}
        if not isinstance(found, Mapa):
            self._add("tipo_errado", ("valores",), found, 'Escreva {"urgencia": {"URGENT": true}}: para cada campo, o que cada palavra é.')
            return {}
        lidos: dict[str, dict[str, Simples]] = {}
        for destino, dicionario in self._entries(found, ("valores",)):
            onde = ("valores", destino)
            if destino not in COM_VALORES:
                self._unknown_destino(destino, onde, dicionario, COM_VALORES)
            elif not isinstance(dicionario, Mapa):
                self._add("tipo_errado", onde, dicionario, f"Para `{destino}`, escreva o que cada palavra deles é, como {{URGENT: true}}.")
            else:
                lidos[destino] = dict(self._palavras(destino, dicionario, onde))
        return lidos

    def _palavras(self, destino: str, dicionario: Mapa, onde: Caminho) -> Iterator[tuple[str, Simples]]:
        seen: dict[str, tuple[str, Simples]] = {}
        for palavra, no in self._entries(dicionario, onde):
            simples = _simple_of(no)
            lugar = (*onde, palavra)
            if simples is None:
                self._add("tipo_errado", lugar, no, "O valor deve ser um texto, um número, `true` ou `false`.")
                continue
            if queixa := _cannot_be(destino, simples, None):
                self._add("valor_sem_efeito", lugar, no, f"`{cut(str(simples))}` {queixa}.")
            antes = seen.setdefault(fold_word(palavra), (palavra, simples))
            if antes[0] != palavra and antes[1] != simples:
                mensagem = f"`{cut(palavra)}` e `{cut(antes[0])}` são a mesma palavra, e dizem valores diferentes; deixe uma só."
                self._add("valor_contraditorio", lugar, no, mensagem)
            yield palavra, simples

    # --- what looks odd

    def _warn(self, no: Mapa, campos: Mapping[str, Campo], valores: Mapping[str, object]) -> None:
        missing = [destino for destino in _OBRIGATORIOS if destino not in campos]
        if missing and campos:
            falta = ", ".join(f"`{destino}`" for destino in missing)
            mensagem = f"Sem {falta} nenhum pedido pode ser avaliado: diga onde {'está' if len(missing) == 1 else 'estão'}."
            self._avisos.add("obrigatorio_sem_caminho", ("campos",), no.campos["campos"].linha, mensagem)
        urgencia = campos.get(URGENCIA)
        if (
            urgencia is not None
            and urgencia.de is not None
            and URGENCIA not in valores
            and _CODIFICADA.search(fold_field(last_name(urgencia.de)))
        ):
            mensagem = (
                f"`{cut(urgencia.de)}` parece trazer um código (caráter, tipo, prioridade), e 1 pode ser eletivo: "
                "diga em `valores`, em `urgencia`, o que é cada um; um número sem isso não é lido."
            )
            self._avisos.add("urgencia_sem_dicionario", ("campos", URGENCIA), no.campos["campos"].linha, mensagem)
        valor = campos.get(VALOR)
        if valor is not None and valor.calcular is None and valor.de is not None and _is_of_one_unit(valor.de):
            mensagem = (
                f"`{cut(valor.de)}` parece o valor de uma unidade, e `{VALOR}` é o do pedido inteiro: "
                "diga `calcular: total`, que o multiplica pela quantidade, se for."
            )
            self._avisos.add("valor_unitario", ("campos", VALOR), no.campos["campos"].linha, mensagem)
        for destino in valores:
            if destino.removesuffix(".status") not in campos:
                dicionario = no.campos["valores"]
                linha = dicionario.campos[destino].linha if isinstance(dicionario, Mapa) else dicionario.linha
                mensagem = f"Este dicionário não é usado: `campos` não diz onde está `{destino}`."
                self._avisos.add("valores_sem_campo", ("valores", destino), linha, mensagem)

    def _branches(self, no: Mapa, itens: Rota, campos: Mapping[str, Campo]) -> None:
        """Tell the paths that choose by themselves among the places that items stand in: what they find may be another item's."""
        caminhos = [(destino, caminho) for destino, campo in campos.items() for caminho in places_of(campo)]
        rotas = [(destino, compile_rota(caminho, do_item=True)) for destino, caminho in caminhos]
        ramos = [(destino, rota, None if rota.do_item else branch_of(rota, itens)) for destino, rota in rotas]
        pessoas = any(destino.startswith("beneficiario.") and (ramo is None or ramo.passos > 0) for destino, _, ramo in ramos)
        inside = no.campos["campos"]
        for destino, rota, ramo in ramos:
            if ramo is None or not ramo.escolhe:
                continue
            onde, at = ("campos", destino), inside.campos[destino] if isinstance(inside, Mapa) else inside
            mensagem = (
                f"`{cut(rota.texto)}` escolhe um lugar da lista por onde `itens` passa, e o que há ali pode ser de outro item: "
                f"comece o caminho como `itens` (`{cut(itens.texto)}`), e ele acha o do próprio item."
            )
            if pessoas or destino.startswith("beneficiario."):
                self._add("caminho_de_outro_item", onde, at, mensagem)
            else:
                self._avisos.add("caminho_de_outro_item", onde, at.linha, mensagem)

    # --- what all of them need

    def _rota(self, no: No | None, onde: Caminho, *, do_item: bool) -> str | None:
        text = _text_of(no) if no is not None else None
        if no is None or text is None:
            self._add("tipo_errado", onde, no, 'Escreva um caminho entre aspas, como "$.plano.nome".')
            return None
        self._compile(text, onde, no, do_item=do_item)
        return text

    def _compile(self, text: str, onde: Caminho, no: No, *, do_item: bool) -> None:
        try:
            compile_rota(text, do_item=do_item and self._tem_itens)
        except CaminhoRecusado as error:
            codigo = "item_sem_itens" if error.mensagem.startswith("`$item`") else "caminho_invalido"
            self._add(codigo, onde, no, f"No caractere {error.posicao} de `{cut(text)}`: {error.mensagem}.")

    def _entries(self, mapa: Mapa, onde: Caminho) -> Iterator[tuple[str, No]]:
        for posicao, (nome, no) in enumerate(mapa.campos.items()):
            if posicao >= MAIS_ENTRADAS:
                self._add("lista_longa", onde, no, f"Há mais de {MAIS_ENTRADAS} entradas aqui; deixe as que são usadas.")
                return
            yield nome, no

    def _known(self, mapa: Mapa, onde: Caminho, nomes: Sequence[str]) -> None:
        for nome, no in mapa.campos.items():
            if nome not in nomes:
                meant = nearest(nome, nomes)
                sugere = f"; quis dizer `{meant}`?" if meant else f"; os nomes são {', '.join(f'`{one}`' for one in nomes)}."
                self._add("campo_desconhecido", (*onde, nome), no, f"`{cut(nome)}` não existe aqui{sugere}")

    def _unknown_destino(self, destino: str, onde: Caminho, no: No, among: Sequence[str]) -> None:
        inner = [f"`{one}`" for one in among if one.startswith(f"{destino}.")]
        meant = nearest(destino, among)
        if destino.startswith(f"{HISTORICO}."):
            sugere = f"de cada uso, `codigo`, `data` e `quantidade` se dizem dentro de `campos`, em `{HISTORICO}`, e não se traduzem."
        elif inner:
            sugere = f"escreva o nome inteiro: {', '.join(inner)}."
        elif meant:
            sugere = f"quis dizer `{meant}`?"
        else:
            sugere = f"os campos são {', '.join(f'`{one}`' for one in among)}."
        self._add("destino_desconhecido", onde, no, f"O pedido não tem o campo `{cut(destino)}`; {sugere}")

    def _add(self, codigo: str, onde: Caminho, no: No | None, mensagem: str) -> None:
        self._problemas.add(codigo, onde, no.linha if no is not None else None, mensagem)


_CODIFICADA: Final = re.compile(r"(?:^|_)(?:carat|charact|tipo|type|class|prior|cod|nivel|level)")
_UNITARIO: Final = re.compile(
    r"(?:^|_)(?:vl|valor|val|preco|price|vlr)?_?unit|(?:^|_)(?:uni(?:dade)?|vu|vlu|pu)(?:_|$)|(?:^|_)(?:vl|vlr|valor|preco)_un(?:_|$)"
)
_OF_A_UNIT: Final = re.compile(r"(?:^|_)(?:vl|valor|val|preco|price|vlr)_?unit|(?:^|_)unit(?:ario)?_?(?:price|preco|valor|value|cost)")


def _is_of_one_unit(caminho: str) -> bool:
    """Whether the last name of a path, or one on the way (`unitPrice.amount`), says that what stands there is of one unit."""
    *outer, last = [fold_field(nome) for nome in path_names(caminho)] or [""]
    return bool(_UNITARIO.search(last)) or any(_OF_A_UNIT.search(nome) for nome in outer)


def _text_of(no: No) -> str | None:
    """What a value writes, an unquoted number of YAML as it was written; None where it is no single value."""
    if not isinstance(no, Escalar) or no.valor is None or isinstance(no.valor, bool):
        return None
    return no.valor if isinstance(no.valor, str) else no.solto or fold_word(no.valor)


def _simple_of(no: No) -> Simples | None:
    return no.valor if isinstance(no, Escalar) else None


def _cannot_be(destino: str, simples: Simples, formato: str | None) -> str:
    """Why a field cannot hold a value, to follow what it is; empty where it can."""
    if destino in DATAS and read_date(simples) is None and not (formato and _reads(formato, simples)):
        return "não é uma data que o campo leia; escreva AAAA-MM-DD"
    can, due = _PODE.get(destino, (_anything, ""))
    if not can(simples):
        return f"não é o que `{destino}` pode ter: {due}"
    return ""


def _reads(formato: str, simples: Simples) -> bool:
    try:
        return compile_formato(formato).read(simples, "2999-12-31") is not None
    except FormatoRecusado:
        return True  # told already


def _anything(_: Simples) -> bool:
    return True


def _one_of(dominio: Mapping[str, str]) -> Callable[[Simples], bool]:
    return lambda simples: isinstance(simples, str) and fold_enum(simples) in dominio


def _positive(simples: Simples) -> bool:
    number = read_number(simples)
    return number is not None and number > 0


def _days(simples: Simples) -> bool:
    number = read_number(simples)
    number = read_dias(simples) if number is None else number
    return number is not None and number >= 0


_PODE: Final[Mapping[str, tuple[Callable[[Simples], bool], str]]] = {
    "urgencia": (lambda simples: read_boolean(simples) is not None, "`true` ou `false`"),
    "beneficiario.idade": (lambda simples: read_idade(simples) is not None, "anos completos, de 0 a 130"),
    "beneficiario.carencia_cumprida_dias": (_days, "dias, de 0 para cima"),
    "procedimento.quantidade": (_positive, "um número maior que zero"),
    "procedimento.tabela": (_one_of(TABELAS), "TUSS, CBHPM ou OUTRA"),
    "solicitante.tipo": (_one_of(SOLICITANTES), "MEDICO, CLINICA ou HOSPITAL"),
    "prestador.tipo": (_one_of(PRESTADORES), "CREDENCIADO ou NAO_CREDENCIADO"),
    HISTORICO: (lambda _: False, "uma lista de usos; a que vem vazia já é lida como nenhum uso"),
    DOCUMENTOS: (lambda simples: isinstance(simples, str) and bool(simples.strip()), "o nome de um documento, como LAUDO_MEDICO"),
}
_PARA_QUE: Final = {
    "mapeamento": "o nome deste formato, como `acme-2026`",
    "administradora": "o código da administradora, como está nas políticas",
}
