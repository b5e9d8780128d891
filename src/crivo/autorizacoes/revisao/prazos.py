"""The clock of a pedido: by when it has to be answered, by which norm, and how much of that time is gone. Pure.

Source: RN 623/2024, art. 12 (by when to answer); RN 566/2022, art. 3º (by when to attend, which prevails where it is shorter).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import Final, Literal, get_args
from zoneinfo import ZoneInfo

from crivo.kernel.clock import BRASILIA
from crivo.kernel.prazos import NACIONAL, Calendario, ForaDoCalendario, prazo_em_dias_uteis

Faixa = Literal["vencido", "hoje", "amanha", "ate_5_dias", "depois", "sem_prazo"]
FAIXAS: Final[tuple[Faixa, ...]] = get_args(Faixa)
_LAST_SECOND: Final = time(23, 59, 59)
_SOON: Final = 5
# States that keep another hour than Brasília's; Fernando de Noronha, which is no state, has its own and is not told apart.
_HORAS: Final[Mapping[str, str]] = {
    "AC": "America/Rio_Branco",
    "AM": "America/Manaus",
    "MS": "America/Campo_Grande",
    "MT": "America/Cuiaba",
    "RO": "America/Porto_Velho",
    "RR": "America/Boa_Vista",
}


@dataclass(frozen=True, slots=True)
class Limite:
    """So many business days, by a norm; `atendimento` is that of RN 566 where it is known, in business days, `por` where it says so."""

    resposta: int
    por_resposta: str
    atendimento: int | None = None
    por_atendimento: str = ""

    @property
    def dias(self) -> int:
        """The shorter of the two. Source: RN 623/2024, art. 12: a shorter time of RN 566/2022 prevails."""
        return self.resposta if self.atendimento is None else min(self.resposta, self.atendimento)

    @property
    def fundamento(self) -> str:
        """Where the number that counts stands."""
        shorter = self.atendimento is not None and self.atendimento < self.resposta
        return f"{self.por_atendimento}, por ser mais curto que o da RN 623/2024" if shorter else self.por_resposta


_CINCO: Final = "RN 623/2024, art. 12"
_DEZ: Final = "RN 623/2024, art. 12, II, b"
_URGENCIA: Final = "RN 623/2024, art. 12: urgência e emergência, resposta imediata"
LIMITES: Final[Mapping[str, Limite]] = {
    "CONSULTA_BASICA": Limite(5, _CINCO, 7, "RN 566/2022, art. 3º, consulta básica"),
    "CONSULTA": Limite(5, _CINCO, 14, "RN 566/2022, art. 3º, consulta nas demais especialidades"),
    "EXAME_LABORATORIAL": Limite(5, _CINCO, 3, "RN 566/2022, art. 3º, diagnóstico por laboratório de análises clínicas"),
    "EXAME": Limite(5, _CINCO, 10, "RN 566/2022, art. 3º, demais serviços de diagnóstico e terapia"),
    "TERAPIA": Limite(5, _CINCO, 10, "RN 566/2022, art. 3º, demais serviços de diagnóstico e terapia"),
    "HOSPITAL_DIA": Limite(5, _CINCO, 10, "RN 566/2022, art. 3º, hospital-dia"),
    "ALTA_COMPLEXIDADE": Limite(10, _DEZ, 21, "RN 566/2022, art. 3º, procedimentos de alta complexidade"),
    "INTERNACAO_ELETIVA": Limite(10, _DEZ, 21, "RN 566/2022, art. 3º, internação eletiva"),
}
"""What the norms give each kind of attendance."""
SEM_TIPO: Final = Limite(5, _CINCO)
"""What counts where nobody says of which kind it is."""
TIPOS: Final[Mapping[str, str]] = {
    "CONSULTA_BASICA": "consulta básica",
    "CONSULTA": "consulta",
    "EXAME_LABORATORIAL": "exame de laboratório",
    "EXAME": "exame",
    "TERAPIA": "terapia",
    "HOSPITAL_DIA": "hospital-dia",
    "ALTA_COMPLEXIDADE": "alta complexidade",
    "INTERNACAO_ELETIVA": "internação eletiva",
}


@dataclass(frozen=True, slots=True)
class Prazo:
    """From when until when there is time to answer, in how many business days (0: at once) and by which norm; `ate` is the last second.

    `presumido` is whether nobody said of which kind the attendance is.
    """

    desde: datetime
    ate: datetime
    dias_uteis: int
    fundamento: str
    presumido: bool

    @property
    def imediato(self) -> bool:
        """Whether it is to be answered at once; its day is then what is left of the day of receipt."""
        return self.dias_uteis == 0

    def gasto(self, agora: datetime) -> float:
        """The part of the time that is gone, from 0 to 1; all of it from the beginning where it is to be answered at once."""
        whole = (self.ate - self.desde).total_seconds()
        if self.imediato or whole <= 0:
            return 1.0
        return min(1.0, max(0.0, (agora - self.desde).total_seconds() / whole))

    def horas(self, agora: datetime) -> int:
        """Whole hours that are left; negative where it is over."""
        return int((self.ate - agora).total_seconds() // 3600)

    def faixa(self, agora: datetime) -> Faixa:
        """How near it is, by the days of the place where it counts."""
        if agora >= self.ate + timedelta(seconds=1):
            return "vencido"
        left = (self.ate.date() - agora.astimezone(self.ate.tzinfo).date()).days
        return "hoje" if left <= 0 else "amanha" if left == 1 else "ate_5_dias" if left <= _SOON else "depois"


def fuso_de(uf: str) -> ZoneInfo:
    """The hour that a state keeps; Brasília's where none is named."""
    return ZoneInfo(_HORAS[uf]) if uf in _HORAS else BRASILIA


def limite_de(tipo: str | None) -> Limite:
    """What the norms give a kind of attendance; what is no known kind has five business days."""
    return LIMITES.get(tipo or "", SEM_TIPO)


def prazo_de(recebida_em: datetime, *, urgente: bool, tipo: str | None = None, calendario: Calendario = NACIONAL) -> Prazo:
    """By when a pedido has to be answered that came at a moment, by the days and the hour of the place that the calendar is of.

    What is urgent is due at once: told as the end of the day of receipt, first of all others. Raises ForaDoCalendario.
    """
    fuso = fuso_de(calendario.uf)
    if urgente:
        desde = recebida_em.astimezone(fuso)
        return Prazo(desde, datetime.combine(desde.date(), _LAST_SECOND, fuso), 0, _URGENCIA, presumido=False)
    limite = limite_de(tipo)
    desde = recebida_em.astimezone(fuso)
    ate = _counted(desde.replace(hour=0, minute=0, second=0, microsecond=0, fold=0), limite.dias, calendario, fuso)
    return Prazo(desde, ate, limite.dias, limite.fundamento, presumido=tipo not in LIMITES)


def prazo_ou_nenhum(recebida_em: datetime, *, urgente: bool, tipo: str | None, calendario: Calendario) -> Prazo | None:
    """`prazo_de`; None where the holidays of its days are not known, which is then told and never taken for a day without any."""
    try:
        return prazo_de(recebida_em, urgente=urgente, tipo=tipo, calendario=calendario)
    except ForaDoCalendario:
        return None


def faixa_de(prazo: Prazo | None, agora: datetime) -> Faixa:
    """How near a deadline is; `sem_prazo` where it could not be counted."""
    return "sem_prazo" if prazo is None else prazo.faixa(agora)


@lru_cache(maxsize=8192)
def _counted(dia: datetime, dias: int, calendario: Calendario, fuso: ZoneInfo) -> datetime:
    return prazo_em_dias_uteis(dia, dias, calendario, fuso)
