"""Documents, sources and laws that a text names. Fault `documento` where one is no input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from crivo.autorizacoes.palavras import documentos_conhecidos
from crivo.autorizacoes.redacao.fatos import Fatos, stem, stems
from crivo.autorizacoes.redacao.lexico import lexico
from crivo.autorizacoes.redacao.pagina import Achado, Pagina, Span
from crivo.kernel.linguagem.dobra import fold_letters

_QUALIFIERS: Final = (
    r"medic\w*|clinic[oa]\w*|cirurg\w*|fisioter\w*|psicolog\w*|psicoter\w*|psiquiatr\w*|fonoaud\w*|nutri\w*|"
    r"ortoped\w*|cardiolog\w*|oncolog\w*|neurolog\w*"
    r"|oftalmolog\w*|dermatolog\w*|\w{4,}(?:logista|iatra|ologo)|ginecolog\w*|dentist\w*|odontolog\w*|terapeut\w*|imagens?|sangue|urina|"
    r"laborator\w*|genetic\w*|saude|vacinac\w*|identidade|vinculo|nascimento"
    r"|residencia|renda|escolar\w*|consentimento|alta|internac\w*|solicitac\w*|urgencia|radioterap\w*|quimioterap\w*|"
    r"anestes\w*|pre-?operator\w*|famil\w*|biopsia|"
    r"anatomopatolog\w*|imuno\w*|materiais|trabalho|policial|pericia\w*|audic\w*|evoluc\w*"
)
_HEADS: Final = (
    r"laudos?|relatorios?|atestados?|receitas?|receituarios?|prescric(?:ao|oes)|pareceres|parecer|declarac(?:ao|oes)|"
    r"comprovantes?|certid(?:ao|oes)|orcamentos?|prontuarios?"
    r"|audiometrias?|estadiamento|boletim|boletins|recibos?|notas? fiscal|notas? fiscais|procurac(?:ao|oes)|"
    r"formularios?|questionarios?|carteirinha|carteiras? de (?=\w)|caderneta|radiografias?|"
    r"raio-?x|eletrocardiogramas?|hemogramas?|biopsias?|termos? de (?=\w)|guias? (?:de|medic)(?=\w*)|(?<!, um )resumo de (?=\w)|"
    r"protocolo de (?=\w)|risco cirurgico|anamnese|"
    r"exames? de (?=sangue|urina|laborator)|exames (?=laborator|complementares|pre-?operat)|"
    r"resultados? d[oe]s? exames?|plano (?:terapeutico|de tratamento)|"
    r"historico (?=famil|medic|clinic|de)|(?:pedido|solicitacao|requisicao|encaminhamento) (?=medic|d[oe] (?:seu |"
    r"sua )?medic)|avaliacao (?=psicolog|de risco|nutric|cardiol|"
    r"neurol|pre-?anest|fisioter|cirurg)|justificativa (?=clinic|medic)|evolucao (?=clinic)|registro de evolucao|"
    r"fotografias?|documentos? (?:de (?=identidad)|de identificacao|oficial)|(?:rg|cnh|cpf)(?!\w)|"
    r"cart(?:ao|oes) (?:d[oae]s? )?(?:sus|nacional|vacinas?|vacinacao|pre-?natal|gestante)|caderno de (?=\w)|"
    r"imuno-?histoquimica|"
    r"consentimento (?=informado|livre|assinado|esclarecido)|ficha (?=d|medic|clinic)|contracheques?|holerites?|passaporte|"
    r"titulo de eleitor|boletim de ocorrencia"
)
_MENTION: Final = re.compile(
    rf"(?<!\w)(?P<head>{_HEADS})(?P<rest>(?:\s*(?:d[oae]s?|de|em|para|seu|sua|,)?\s*(?:{_QUALIFIERS})(?!\w)|"
    rf"\s+d[oae]s?\s+(?:seu|sua)\s+(?:{_QUALIFIERS})(?!\w)){{0,3}})"
)
# Things that are documents where the sentence asks for them.
_ASKED_FOR: Final = re.compile(
    r"(?<!\w)(?:(?<!com )fotos?|cartas?|listas?|fichas?|copias? d\w+ (?!pedido|mesm)\w+|extratos?|videos?|"
    r"exames? de imagem|mapas?|autorizac(?:ao|oes) (?:assinad|por escrito)\w*|testes? d\w+ \w+|orcamentos?|"
    r"(?:avaliac(?:ao|oes)|autorizac(?:ao|oes)|exames?|testes?|termos?|planos?|registros?|controles?|estudos?|prova|parecer|consulta)"
    r" (?:d[aeo]s? )?(?!d[aeo]s?\b)\w{4,}(?:ic[oa]s?|ia(?:l|is)|ivos?|iva|ad[oa]s|pais)|"
    r"tomografias?|ressonancias?|ultrass\w+|\w{3,}(?:grafi|gram|metri|scopi)as?|"
    r"radiografias?|mamografias?|ecocardiogramas?|endoscopias?|colonoscopias?|cintilografias?|densitometrias?|videos?|diario|agenda)(?!\w)"
)
_ASKS: Final = re.compile(
    r"\b(?:falta(?:m|ndo)?|(?:envi|mand|anex|junt|apresent|providenci|lev)(?:e|em|ar|ando|ad[oa]s?)|(?:entreg)\w+|traga|trazer|assin(?:e|em|ar)|"
    r"precisamos d\w+|solicitamos|pedimos|juntada d\w+|envio d\w+|entrega d\w+|exig(?:e|em|imos|id[oa]s?))\b[^.;]*$"
)
# What stands in a list with a document is one too, unless it is something that decisions speak of.
_LISTED: Final = re.compile(
    r"\s*(?:,? e|, bem como|, assim como|, alem d\w|,? mais|,? junto com)(?: tambem| ainda)? "
    r"(?:d?[oa]s?|umas?|um) (?P<head>[a-z]{5,})"
)
_LISTED_BEFORE: Final = re.compile(
    r"\b(?:envi|mand|anex|junt|apresent|providenci|lev|entreg|exig|falta)\w*\s+(?:tambem |ainda )?(?:o|a|os|as|um|uma) "
    r"(?P<head>[a-z]{5,})(?: (?:d[aeo]s? )?[a-z]{3,}){0,3} e (?:d?[oa]s?|um|uma) (?:seu |sua )?$"
)
_PHYSICIANS: Final = re.compile(r"(?:ortoped|cardiol|oncolo|neurol|oftalm|dermat|gineco|cirurg)")
_SAME: Final = (
    {"receit", "prescr"},
    {"pedido", "solici", "requis", "encami", "guia"},
    {"laudo", "laudos", "parece"},
    {"audiom", "audica"},
    {"biopsi", "anatom"},
    {"medico", "medica", "clinic"},
    {"famili", "famil"},
    {"cirurg", "cirurgi"},
    {"exame", "exames", "result"},
)
_TYPE: Final = re.compile(r"(?<![\w])[A-Z]{3,}(?:_[A-Z0-9]+)+(?!\w)")
_LAW: Final = re.compile(
    r"(?<!\w)(?:clausulas? (?:de \w|contratua)|lei dos planos(?: de saude)?|contrato (?:de adesao|assinado)|"
    r"(?:(?:segundo|conforme|de acordo com|com base n?|pela) ?a? )tabela (?:tuss|cbhpm)|"
    r"(?:a |pela |na )?lei (?:federal |complementar |dos planos|n|"
    r"(?=\d))[^,.;()\n]{0,20}?(?:\d[\d.]*(?:/\d{2,4})?|planos(?: de saude)?)|por lei\b|(?:a|pela|na|nova) lei\b|"
    r"legislacao|decretos?\b|"
    r"portarias?\b|resoluc(?:ao|oes) normativas?|resolucao (?:n|\d|d[ao] )|(?:rn|dc|rdc)\s?(?:n[.ºo°]*\s?)?\d+|"
    r"instrucao normativa|sumulas?\b|medida provisoria|notas? tecnicas?|"
    r"diretriz(?:es)? de utilizacao|dut\b|rol (?:d[ao] ans|de procedimentos|taxativo|de eventos)|ans(?!\w)|anvisa|"
    r"conitec|cfm\b|crm\b|conselho (?:federal|regional)|ministerio da saude|codigo de defesa|codigo civil|"
    r"cdc\b|constituicao|estatuto d|lgpd|procon|stj\b|stf\b|tribuna(?:l|is)|jurisprudencia|(?:artigo|"
    r"art\.)\s?\d+[ºo]?|paragrafo|ministerio publico)(?:[^,.;()\n]{0,4}\d[\d./]*)?"
)
_CLAUSE_NUMBER: Final = re.compile(
    r"(?<!\w)(?:clausulas?|anexos?|capitulos?|incisos?|secao)\s+(?:n[.ºo°]*\s*)?(?:\d[\d.]*|[ivx]+|\w+(?:eir|und|err|art|int|ext|tim|tav|on|cim)[ao])(?!\w)"
)
_SOURCE: Final = re.compile(
    r"(?<!\w)(?P<name>(?:Manual|Guia|Regulamento|Cartilha|Tabela|Diretriz(?:es)?|Regimento|Norma|Política|Protocolo|"
    r"Rol|Caderno|Contrato|Instrução|Circular|"
    r"Catálogo|Comunicado|Calendário|Campanha)(?:\s+(?:d[aeo]s?|[Nn]acional|[A-ZÀ-Ý][\wÀ-ÿ]*))*\s+(?:[A-ZÀ-Ý][\wÀ-ÿ]*|n[.ºo°]+\s*\d+)"
    r"|(?:Código|Acordo|Convenção|Consenso|Estatuto|Portaria|Termo de Adesão|Condições Gerais|Lista|Regras?)"
    r"\s+(?:d[aeo]s?\s+)+[A-ZÀ-Ý]\w+(?:\s+[A-ZÀ-Ý]\w+)*"
    r"|(?:manual|cartilha|regimento|caderno|circular)\s+d[aeo]s?\s+\w+|(?:tabela|norma|regra|diretriz|protocolo)s?\s+d[aeo]s?\s+[A-ZÀ-Ý]{2,})"
)
_QUOTED: Final = re.compile(r"documento\s+[“\"«](?P<name>[^”\"»\n]{3,80})[”\"»]")
_VERSION: Final = re.compile(r"(?<!\w)(?:versao|v\.|edicao)\s*(?P<version>\d[\w.]*\w|\d)(?!\w)")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|(?<!\w)[\w-]+\.(?:com|gov|org|net)(?:\.br)?(?!\w)")
_POSSESSIVE: Final = frozenset({"seu", "sua"})
_CITED: Final = re.compile(
    r"\b(?:[Ss]egundo|[Cc]onforme|[Dd]e acordo com|[Nn]os termos d[aeo]s?|[Cc]om base (?:em|n[oa]s?)|[Pp]revist[oa]s? (?:em|n[oa]s?)|"
    r"[Cc]onsta (?:em|d[ao]|n[oa]s?)|"
    r"[Ff]onte:|[Dd]iz|[Pp]elo|[Pp]ela)\s+(?:[oa]s?\s+)?(?P<name>[A-ZÀ-Ý][a-zà-ÿ]+(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Ý][\wÀ-ÿ]+)+)"
)
_GENERIC_TABLE: Final = re.compile(r"Tabela\s+(?:TUSS|CBHPM)")


_NO_DOCUMENTS: Final = frozenset(stem(word) for word in lexico().alheios_a_documentos)


class Mencao(msgspec.Struct, frozen=True):
    """A document named in a text, and the types of the inputs that it may be."""

    start: int
    end: int
    tipos: frozenset[str]


def find_documentos(pagina: Pagina, folded: str, fatos: Fatos) -> tuple[Mencao, ...]:
    """Every document named, by its type or in words, with the types it fits."""
    found = []
    for match in _TYPE.finditer(pagina.text):
        tipo = match.group()
        if tipo in fatos.documentos or tipo in documentos_conhecidos() or re.match(rf"(?:{_HEADS})", fold_letters(tipo.replace("_", " "))):
            found.append(Mencao(*match.span(), frozenset({tipo} & fatos.documentos.keys())))
    for match in _MENTION.finditer(folded):
        words = [word for word in (*stems(match["head"]), *stems(match["rest"])) if word not in _POSSESSIVE] or [match["head"]]
        fitting = {tipo for tipo, known in fatos.documentos.items() if all(_among(word, known) for word in words)}
        found.append(Mencao(*match.span(), frozenset(fitting)))
    for match in _ASKED_FOR.finditer(folded):
        if not any(mencao.start == match.start() for mencao in found) and _ASKS.search(
            folded[pagina.sentence_at(match.start())[0] : match.start()]
        ):
            asked = next(stems(match.group()), "")
            found.append(Mencao(*match.span(), frozenset(tipo for tipo, known in fatos.documentos.items() if _among(asked, known))))
    found += _listed(folded, fatos, tuple(found))
    for tipo in {*fatos.documentos, *documentos_conhecidos()}:
        found += [
            Mencao(*span, frozenset({tipo} & fatos.documentos.keys()))
            for span in pagina.places(_name(tipo))
            if _is_free(folded, span) and (tipo in fatos.documentos or _may_be_no_procedure(pagina, folded, span))
        ]
    return tuple(sorted(found, key=lambda mencao: (mencao.start, -mencao.end)))


def _listed(folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Mencao]:
    """What is named in one breath with a document, where it is nothing else that a decision speaks of."""
    for mencao in mencoes:
        after = _LISTED.match(folded, mencao.end)
        before = _LISTED_BEFORE.search(folded, max(0, mencao.start - 90), mencao.start)
        for match in (after, before):
            if match and stem(match["head"]) not in _NO_DOCUMENTS and not _among(stem(match["head"]), fatos.palavras):
                fitting = {tipo for tipo, known in fatos.documentos.items() if _among(stem(match["head"]), known)}
                yield Mencao(*match.span("head"), frozenset(fitting))


def check_documentos(pagina: Pagina, folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """The documents that are no input."""
    for mencao in mencoes:
        within = any(other.tipos and other.start <= mencao.start and mencao.end <= other.end for other in mencoes)
        left = folded[mencao.start : mencao.end].strip()
        words = [*stems(left)] or ([left] if left else [])  # nothing is left of a quotation, and a name as short as RG has no stem
        repeated = all(_among(word, fatos.palavras) for word in words)
        if not mencao.tipos and not within and not repeated:
            yield Achado(
                "documento", pagina.quote((mencao.start, mencao.end)), "este documento não está entre os do pedido nem os da regra"
            )


def find_fontes(pagina: Pagina, folded: str, fatos: Fatos) -> tuple[tuple[Span, bool], ...]:
    """Sources, laws, versions and addresses: where each stands, and whether it is an input; `folded` is without the decision's own."""
    found: list[tuple[Span, bool]] = []
    for pattern in (_LAW, _CLAUSE_NUMBER, _ADDRESS):
        found += [(match.span(), _is_repeated(match.group(), fatos)) for match in pattern.finditer(folded)]
    for pattern in (_SOURCE, _QUOTED, _CITED):
        for match in pattern.finditer(pagina.text):
            start, end = match.span("name")
            named = fold_letters(match["name"])
            free = folded[start : start + 4].strip() and not _GENERIC_TABLE.match(match["name"])
            of_pedido = any(all(_among(word, known) for word in stems(named)) for known in fatos.documentos.values())
            if free and not of_pedido:
                found.append(((start, end), _is_repeated(named, fatos)))
    versao = fatos.fonte.versao.lower() if fatos.fonte else None
    found += [(match.span(), match["version"] == versao) for match in _VERSION.finditer(folded)]
    return tuple(found)


def check_fontes(pagina: Pagina, fontes: tuple[tuple[Span, bool], ...]) -> Iterator[Achado]:
    """The sources, laws and versions that are no input."""
    for span, known in fontes:
        if not known:
            yield Achado("documento", pagina.quote(span), "esta fonte não é a da decisão")


def _name(tipo: str) -> str:
    known = documentos_conhecidos().get(tipo)
    return known.nome if known else tipo.replace("_", " ")


def _may_be_no_procedure(pagina: Pagina, folded: str, span: Span) -> bool:
    """Whether a name is a document's for sure; an exam is one only where the sentence asks for it."""
    return not folded.startswith("exame", span[0]) or bool(_ASKS.search(folded[pagina.sentence_at(span[0])[0] : span[0]]))


def _is_free(folded: str, span: Span) -> bool:
    """Whether a place has not been read as something else."""
    return bool(folded[slice(*span)].strip())


def _is_repeated(folded: str, fatos: Fatos) -> bool:
    return any(folded.strip() in text for text in fatos.textos)


def _among(word: str, known: frozenset[str]) -> bool:
    """Whether a stem, or one that means the same, is known; any specialist is a physician."""
    if word in known or stem(word) in known:
        return True
    if _PHYSICIANS.match(word) and ("medico" in known or "medica" in known) and not any(map(_PHYSICIANS.match, known)):
        return True
    return any(word in same and same & known for same in _SAME)
