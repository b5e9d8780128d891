"""What somebody who writes JSON by hand, or sends something else under its name, most likely did wrong, and what mends it."""

from __future__ import annotations

import re
from typing import Final

_ANYTHING: Final = "confira aspas, vírgulas e o fechamento do que foi aberto"
_CUT: Final = "ele acaba antes da hora; feche o que foi aberto, ou envie-o de novo, se foi cortado"
_EXTRA_COMMA: Final = "há uma vírgula a mais antes de `{}`; apague-a"
_NO_COMMA: Final = "falta uma vírgula antes deste ponto"
_BY_MARK: Final = {
    **dict.fromkeys("“”„«»", 'há aspas curvas; troque-as por aspas retas (`"`)'),
    **dict.fromkeys("'‘’", 'há aspas simples; em JSON são duplas (`"`)'),
    **dict.fromkeys("/#", "há um comentário, que JSON não tem; apague-o"),
}
_PYTHON: Final = re.compile(r"(?:True|False|None)\b")
_CLOSING: Final = "}]"


def what_went_wrong(text: str, at: int) -> str:
    """What to do about a text that stops being JSON at a place; `text` need not hold all that stands before it."""
    before, found, after = text[:at].rstrip()[-1:], text[at : at + 1], text[at + 1 :].lstrip()[:1]
    if not found or at >= len(text.rstrip()):
        return _CUT
    if found == "," and after and after in _CLOSING:
        return _EXTRA_COMMA.format(after)
    if before == "," and found in _CLOSING:
        return _EXTRA_COMMA.format(found)
    if found in _BY_MARK:
        return _BY_MARK[found]
    if _PYTHON.match(text, at):
        return "`True`, `False` e `None` são de outra linguagem; em JSON são `true`, `false` e `null`"
    if found in '"{[' and before and (before in '"}]' or before.isalnum()):
        return _NO_COMMA
    return _ANYTHING
