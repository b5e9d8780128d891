"""Brazilian identifiers in a text: CPF, RG, CNS, phone, e-mail, CEP, address and birth date, masked in part or spelled out too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.fatos import Fatos
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.linguagem.lexico import PALAVRAS, any_of
from crivo.kernel.linguagem.numeros import find_numbers

_DIGIT_WORDS: Final = {**{word: value for word, value in PALAVRAS.unidades.items() if value < 10}, "meia": 6}
_D: Final = r"[\dx*#_•█·]"
_CPF: Final = re.compile(
    rf"(?<![\w.*])(?P<cpf>{_D}{{3}}[.\s]{_D}{{3}}[.\s]{_D}{{3}}\s?[-\s./]\s?{_D}{{2}}|"
    rf"\d{{3}}[.\s-]?\d{{3}}[.\s-]?\d{{3}}[.\s/-]?\d{{2}})(?![\w*])"
)
_CPF_PART: Final = re.compile(
    r"\b(?:cpf|documento|document|tax id)\b[^.!?\n]{0,40}?\b(?P<where>final|terminad[oa]|termina|finais|ultimos|ultimas|ending|ends|"
    r"last|comec[ao]\w*|inici\w*|primeiros|starting|starts|begins|acaba|empieza)\b\D{0,25}"
    r"(?P<digits>\d[\d.\s-]{0,12}\d)"
)
_CPF_PART_SPOKEN: Final = re.compile(
    r"\b(?:cpf|documento|document|tax id)\b[^.!?\n]{0,40}?\b(?P<where>final|terminad[oa]|termina|finais|ultimos|ultimas|ending|ends|"
    r"comec[ao]\w*|inici\w*|primeiros|starting|starts|begins|acaba|empieza)\b(?:\s+(?:em|com|por|sao|e|in|with|con|en))?\s+"
    rf"(?P<digits>(?:(?:{any_of(_DIGIT_WORDS)})(?!\w)[\s,.-]*){{2,}})"
)
_CPF_NAMED: Final = re.compile(rf"\bcpf\b[^\d\n*#x]{{0,30}}(?P<digits>{_D}(?:[.\s/-]?{_D}){{4,13}})(?!\w)")
_RG: Final = re.compile(
    r"\b(?:rg|identidade|registro geral|carteira de identidade|id card)\b\D{0,20}?(?P<digits>[a-z]{0,2}-?\d[\d.\s*x-]{4,13}[\dx])(?!\w)|"
    r"(?<![\w.])\d{1,2}\.\d{3}\.\d{3}-[\dx](?!\w)"
)
_CNS: Final = re.compile(
    r"(?<![\w.])[12789]\d{2}[\s.]?\d{4}[\s.]?\d{4}[\s.]?\d{4}(?!\w)|\b(?:cns|cartao (?:nacional de saude|(?:do )?sus)|carteirinha|"
    r"convenio n)\b\D{0,25}(?:[\d*x][\s.*-]?){6,18}"
)
_OTHER_RECORD: Final = re.compile(
    r"\b(?:titulo de eleitor|passaporte|passport|pasaporte|cnh|carteira de (?:motorista|trabalho|habilitacao)|driver'?s licen[cs]e|pis|"
    r"pasep|nis|nit|ctps|dni|certidao de nascimento|carteirinha|carteira d[oe] (?:plano|convenio)|matricula|prontuario)\b[^\d\n.!?]{0,60}?"
    r"(?!\d{4}-\d\d-\d\d|\d{1,2}[/:h])(?P<number>(?<![a-z])[a-z]{0,3}[\s-]?\d[\d .\-x*]{4,})(?!\w)"
)
_PHONE: Final = re.compile(
    r"(?<![\w.-])(?:\+?55\s?)?(?:\(\s?0?[\d*x]{2}\s?\)|0?[1-9][1-9](?=[\s.-]?9))\s?[.-]?\s?(?:[\dx*]\s?)?[\dx*]{4}[\s.-]?[\dx*]{4}(?!\w)"
    r"|(?<![\w.,/-])9\s?\d{4}[\s.-]\d{4}(?!\w)|(?<![\w.,/-])[2-5]\d{3}-\d{4}(?![\w-])"
    r"|\b(?:telefone|celular|tel|fone|whatsapp|whats|zap|phone|cell|mobile|telefono|contato)\b[^\d\n.!?*]{0,20}(?:[\dx*][\s().-]*){7,15}"
    r"|\b(?:telefone|celular|tel|fone|whatsapp|phone|telefono)\b[^.!?\n]{0,30}\b(?:final|termina em|acaba em|comeca com|ends in|starts "
    r"with|termina en|terminad[oa] em|ending in|finais|"
    r"ultimos)\D{0,20}\d{2,4}"
)
_EMAIL: Final = re.compile(
    r"(?<![\w.+*-])(?P<user>[\w.+*-]+)\s?(?:@|\(\s?(?:at|arroba)\s?\)|\[\s?(?:at|arroba)\s?\]|\s+arroba\s+|\s+at\s+(?=[a-z]+\s+(?:dot|"
    r"ponto)\s))\s?[\w*-]+(?:\s?(?:\.|\s+ponto\s+|\s+dot\s+|\s+punto\s+|\(dot\)|\[dot\])\s?[a-z]{2,})+"
    r"|(?<![\w*.])(?P<masked>[\w*]{1,40}\*[\w.*]*)@[\w*.]+"
)
_AT: Final = re.compile(r"@|[\s(\[](?:at|arroba)\b")  # without which no text has an address
_MAILBOX: Final = re.compile(
    r"(?:contato|atendimento|recepcao|sac|agendamento|agenda|suporte|info|privacidade|dpo|lgpd|ouvidoria|faleconosco|contact|support|"
    r"clinica\w*)$"
)
_CEP: Final = re.compile(
    r"(?<![\w.-])\d{5}-\d{3}(?![\w-])|\b(?:cep|zip(?: code)?|codigo postal)\b\D{0,15}\d{2}\.?\d{3}[\s-]?\d{3}(?!\d)|"
    r"\bcep\b\D{0,15}\d{3,5}[-\s]?[\d*x]{3}"
)
_ADDRESS: Final = re.compile(
    r"(?<!\w)(?i:rua|r\.|avenida|av\.?|alameda|al\.|travessa|tv\.|praca|rodovia|estrada|largo|viela|calle|avenida|"
    r"street)\s+(?!(?:aberta|sem saida|de sempre)\b)(?:d[aeo]s?\s+)?[A-ZÀ-Ú\d][^\n.;!?]{1,60}"
    r"|(?<!\w)\d{1,5}\s+[A-Z][a-z]+\s+(?:Street|St\.|Avenue|Ave\.?|Road|Rd\.)"
)
_LIVES: Final = re.compile(
    r"\b(?:mora|moram|reside|residente|residencia|endereco (?:dele|dela|do paciente|da paciente|residencial|e\b|:)|lives? (?:at|in|on)|"
    r"address is|vive en|domicilio)\b(?=[^.!?\n]*(?:\d|\b(?:rua|avenida|av|bairro|apto|apartamento|casa|quadra|bloco|street|calle|na|no|"
    r"em|at|on)\b))"
)
_BIRTH: Final = re.compile(
    r"\b(?:nascid[oa]s?|nasceu|nascimento|(?:data de )?nasc\w*\.?|d\.?n\.?(?=[:\s]\s*\d)|aniversario|born|birth\s?da(?:te|y)|date of "
    r"birth|dob|"
    r"nacid[oa]|nacio|nacimiento|cumpleanos)(?!\w)[^.!?\n]{0,40}?(?:\d|\b(?:de\s+)?(?:janeiro|fevereiro|marco|abril|maio|junho|julho|"
    r"agosto|"
    r"setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august|september|october|november|december|enero|"
    r"febrero|marzo|mayo|junio|julio|septiembre|octubre|noviembre|diciembre)\b|\bmil novecentos\b)"
)
_SPOKEN: Final = re.compile(
    rf"(?<!\w)(?:(?:{any_of(_DIGIT_WORDS)}|\d)(?!\w)[\s,.-]*(?:(?:e|ponto|traco|tracinho|hifen|dash|dot|barra|punto|"
    rf"guion)(?!\w)[\s,]*)?){{7,}}"
)
_NUMBER_WORDS: Final = {**PALAVRAS.unidades, **PALAVRAS.unidades_so_em_espanhol, **PALAVRAS.dezenas, **PALAVRAS.centenas, "hundred": 100}
_SPOKEN_GROUP: Final = rf"(?:(?<!\w)(?:{any_of(_NUMBER_WORDS)})(?!\w)(?:\s+(?:e|y|and)\s+|[\s,-]*)){{1,8}}"
_SPOKEN_GROUPS: Final = re.compile(
    rf"{_SPOKEN_GROUP}(?:(?:ponto|traco|tracinho|hifen|dash|dot|punto|guion)(?!\w)[\s,]*{_SPOKEN_GROUP}){{2,6}}"
)
_SPACED: Final = re.compile(r"(?<![\w.])\d(?:[\s.,-]\d){9,}(?!\w)")


def allowed_digits(fatos: Fatos) -> frozenset[str]:
    """The identifiers that may be shown: the person's own CPF and record, and to an operator all that the data holds."""
    strings = [fatos.paciente.cpf] if fatos.paciente else []
    if fatos.papel == "operador":
        strings += [text for _, text in fatos.strings]
    elif fatos.paciente is not None:
        own = fold(fatos.paciente.nome)
        strings += [str(value) for record in fatos.records if fold(str(record.get("name", ""))) == own for value in record.values()]
    return frozenset(digits_of(text) or fold(text) for text in strings)


def find(page: Page, own_cpf: str, allowed: frozenset[str], spoken: tuple[str, ...]) -> Iterator[str]:
    """The kinds of personal data that a text shows and may not, in words for the note."""
    text = page.text
    if any(not _fits(match["cpf"], own_cpf, allowed) for match in _CPF.finditer(text)):
        yield "um CPF de outra pessoa"
    elif any(not _fits(match["digits"], own_cpf, allowed) for match in _CPF_NAMED.finditer(text)):
        yield "parte do CPF de outra pessoa"
    parts = (*_CPF_PART.finditer(text), *_CPF_PART_SPOKEN.finditer(text))
    if any(not _part_fits(match, own_cpf, allowed) for match in parts):
        yield "parte do CPF de outra pessoa"
    held = frozenset(digits_of(string) for string in spoken) if spoken else frozenset()
    for kind, pattern in (
        ("um RG", _RG),
        ("um cartão do SUS", _CNS),
        ("um documento", _OTHER_RECORD),
        ("um telefone", _PHONE),
        ("um CEP", _CEP),
    ):
        for match in pattern.finditer(text):
            digits = digits_of(match.group())
            if digits not in allowed and not _fits(match.group(), own_cpf, allowed) and not any(digits in string for string in held):
                yield kind
                break
    if _AT.search(text) and any(_personal_mail(match, allowed, spoken) for match in _EMAIL.finditer(text)):
        yield "um e-mail"
    if _shows_address(page, allowed, spoken):
        yield "um endereço"
    if _shows_birth(text, allowed):
        yield "uma data de nascimento"
    yield from _spelled_out(page, own_cpf, allowed)


_PATTERNS: Final = (_CPF, _CPF_PART, _CPF_PART_SPOKEN, _CPF_NAMED, _RG, _CNS, _OTHER_RECORD, _PHONE, _EMAIL, _CEP, _BIRTH, _SPOKEN, _SPACED)


def spans(page: Page) -> Iterator[tuple[int, int]]:
    """Where in the original text personal data of any kind stand, whoever's they are; some of them may overlap."""
    for pattern in _PATTERNS:
        yield from (page.folded.span(*match.span()) for match in pattern.finditer(page.text))
    if _SEPARATOR.search(page.text):
        yield from (page.folded.span(*match.span()) for match in _SPOKEN_GROUPS.finditer(page.text))
    yield from (match.span() for match in _ADDRESS.finditer(page.original))


def _fits(written: str, own_cpf: str, allowed: frozenset[str]) -> bool:
    """Whether an identifier, masked or not, is one that may be shown."""
    shape = [char for char in written if char.isdigit() or char in "x*#_•█·"]
    if not any(char.isdigit() for char in shape):
        return True
    for known in (digits_of(own_cpf), *allowed):
        if len(known) == len(shape) and all(not char.isdigit() or char == digit for char, digit in zip(shape, known, strict=True)):
            return True
    return False


def _part_fits(match: re.Match[str], own_cpf: str, allowed: frozenset[str]) -> bool:
    digits = "".join(_digit(word) for word in re.findall(r"\w+", match["digits"]))
    from_start = match["where"].startswith(("come", "inic", "primeiros", "start", "begin", "empieza"))
    knowns = [known for known in (digits_of(own_cpf), *allowed) if len(known) == 11]
    return any(known.startswith(digits) if from_start else known.endswith(digits) for known in knowns)


def _personal_mail(match: re.Match[str], allowed: frozenset[str], spoken: tuple[str, ...]) -> bool:
    user = match["user"] or match["masked"] or ""
    whole = match.group()
    return not _MAILBOX.match(user) and whole not in allowed and not any(whole in fold(text) for text in spoken)


def _shows_address(page: Page, allowed: frozenset[str], spoken: tuple[str, ...]) -> bool:
    if _LIVES.search(page.text):
        return True
    for match in _ADDRESS.finditer(page.original):
        written = fold(match.group()).strip()
        if not any(written[:25] in fold(text) for text in spoken) and written not in allowed:
            return True
    return False


def _shows_birth(text: str, allowed: frozenset[str]) -> bool:
    return any(digits_of(match.group()) not in allowed or not digits_of(match.group()) for match in _BIRTH.finditer(text))


def _spelled_out(page: Page, own_cpf: str, allowed: frozenset[str]) -> Iterator[str]:
    """Identifiers told digit by digit, or in groups with "ponto" and "traço" between them."""
    runs = ["".join(_digit(word) for word in re.findall(r"\w+", match.group())) for match in _SPOKEN.finditer(page.text)]
    runs += [digits_of(match.group()) for match in _SPACED.finditer(page.text)]
    if _SEPARATOR.search(page.text):
        runs += [_grouped(match.group()) for match in _SPOKEN_GROUPS.finditer(page.text)]
    for run in runs:
        if len(run) >= 7 and run not in allowed and digits_of(own_cpf) != run and not _counts_up(run):
            yield "um documento ou telefone por extenso"
            return


def _counts_up(run: str) -> bool:
    """Whether the digits only go up, as in "as opções 3, 4, 5, 6, 7, 8 e 9"."""
    return all(left < right for left, right in pairwise(run.replace("10", "")))


def _digit(word: str) -> str:
    return word if word.isdigit() else str(_DIGIT_WORDS.get(word, ""))


def _grouped(written: str) -> str:
    """The digits of groups told as numbers: three to each group but the last, which has two."""
    groups = _SEPARATOR.split(written)
    values = ["".join(str(int(number.value)) for number in find_numbers(group)) for group in groups]
    return "".join(value.zfill(2 if index == len(values) - 1 else 3) for index, value in enumerate(values))


_SEPARATOR: Final = re.compile(r"\b(?:ponto|traco|tracinho|hifen|dash|dot|punto|guion)\b")
