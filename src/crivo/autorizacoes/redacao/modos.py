"""How a claim is made: denied, in some case only, or of something beyond the decision."""

from __future__ import annotations

import re
from typing import Final

HYPOTHETICAL: Final = re.compile(
    r"(?:\bpod(?:e|em|era|erao|eria|eriam)\s+(?:\w+ )?ser\b|\bpara (?:que |ser\b)|\ba ser\b|\b(?:(?<!nao )(?<!nem )se|caso|quando|"
    r"ate que|antes de|antes que|depois de|apos|uma vez)\b|\bseja\w*\b|\bfor(?:em)?\b|"
    r"\bpassa a (?:ser|poder)\b|\bpoder (?:ser|a ser)\b|\bso (?:sera|e|pode)\b)[^.;]{0,60}$"
)
NEGATED: Final = re.compile(r"\b(?:nao|nem|sem|nunca)\b[^.;,]{0,20}$")
BEYOND: Final = re.compile(r"\b(?:mais \w+|outr[ao]s|demais|restant\w+|resto|proxim[ao]s?|nov[ao]s|futur[ao]s?)\b")
