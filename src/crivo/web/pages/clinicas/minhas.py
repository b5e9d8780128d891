"""`/minhas-consultas`: what a proven patient holds across all clinics, to be moved or cancelled. Source: design/sujeito.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.clinicas.codigos import written
from crivo.clinicas.minhas import ConsultaNaoMudou, ConsultaNotFound, Minhas
from crivo.clinicas.orquestrador.contracts import Booking, Paciente
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name, enumerated
from crivo.clinicas.registro import Registro
from crivo.kernel.atos import NewEntry
from crivo.kernel.errors import CrivoError
from crivo.kernel.logs import logger
from crivo.web.pages.clinicas.palavras import por_extenso
from crivo.web.pages.clinicas.vista import itens_of
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.prova import as_patient, find_proven, get_proven, is_of_another_house
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/minhas-consultas"
_WHICH: Final = ("clinic", "doctor", "date", "time")
_MOST_SLOTS: Final = 60


@dataclass(frozen=True, slots=True)
class MinhaVista:
    """An appointment as it is shown, and by what the forms name it."""

    quando: str
    itens: tuple[tuple[str, str], ...]
    campos: tuple[tuple[str, str], ...]

    @property
    def consulta(self) -> str:
        """The same fields in an address."""
        return urlencode(self.campos)

    @classmethod
    def of(cls, one: Booking, registro: Registro) -> MinhaVista:
        """The appointment as it is shown."""
        return cls(por_extenso(one.date, one.time), itens_of(one, registro), tuple(zip(_WHICH, one.vaga, strict=True)))


@router.get("/minhas-consultas", response_class=Response)
async def ver(request: Request) -> Response:
    """All that the patient holds; how to be proven, where the account is bound to no CPF."""
    return await _shown(request)


@router.get("/minhas-consultas/mudar", response_class=Response)
async def escolher(request: Request) -> Response:
    """The free slots of the same doctor, to choose one."""
    paciente = await get_proven(request)
    try:
        consulta = await _find(request, paciente, request.query_params)
        return await _choices(request, paciente, consulta)
    except (ConsultaNotFound, ConsultaNaoMudou) as error:
        return await _shown(request, error)


@router.post("/minhas-consultas/mudar", response_class=Response)
async def mudar(request: Request) -> Response:
    """Move one to the slot that was chosen; its new code is in this answer alone, and in no address."""
    form, paciente = await read_form(request), await get_proven(request)
    date, _, time = form.get("novo", "").partition(" ")
    try:
        consulta = await _find(request, paciente, form)
        if not (date and time):
            return await _choices(request, paciente, consulta, ConsultaNaoMudou("Escolha um dos horários livres para mudar a consulta."))
        mudada = await _minhas(request).move(as_patient(request, paciente), paciente, consulta, date, time)
        await _noted(request, mudada.entradas)
    except (ConsultaNotFound, ConsultaNaoMudou) as error:
        return await _shown(request, error)
    return await _shown(request, codigo=mudada.codigo)


@router.get("/minhas-consultas/cancelar", response_class=Response)
async def perguntar(request: Request) -> Response:
    """Whether one is really to be cancelled."""
    paciente = await get_proven(request)
    try:
        consulta = await _find(request, paciente, request.query_params)
    except ConsultaNotFound as error:
        return await _shown(request, error)
    return page(request, "clinicas/minhas_cancelar.html", uma=MinhaVista.of(consulta, _registro(request)))


@router.post("/minhas-consultas/cancelar", response_class=Response)
async def cancelar(request: Request) -> Response:
    """Cancel one."""
    form, paciente = await read_form(request), await get_proven(request)
    try:
        consulta = await _find(request, paciente, form)
        await _noted(request, await _minhas(request).cancel(as_patient(request, paciente), paciente, consulta))
    except (ConsultaNotFound, ConsultaNaoMudou) as error:
        return await _shown(request, error)
    return RedirectResponse(f"{_PAGE}?ok=consulta_cancelada", status_code=303)


async def _find(request: Request, paciente: Paciente, told: Mapping[str, str]) -> Booking:
    """The patient's own appointment that a form names; the clinics are asked again. Raises ConsultaNotFound."""
    clinic, doctor, date, time = (told.get(name, "") for name in _WHICH)
    return await _minhas(request).find(as_patient(request, paciente), paciente, clinic, doctor, date, time)


async def _choices(request: Request, paciente: Paciente, consulta: Booking, recusa: CrivoError | None = None) -> Response:
    livres = (await _minhas(request).free_for(as_patient(request, paciente), consulta))[:_MOST_SLOTS]
    opcoes = [(f"{slot.date} {slot.time}", por_extenso(slot.date, slot.time)) for slot in livres]
    values: dict[str, Any] = {"uma": MinhaVista.of(consulta, _registro(request)), "livres": opcoes, "recusa": recusa}
    return page(request, "clinicas/minhas_mudar.html", status_of(recusa) if recusa else 200, **values)


async def _shown(request: Request, recusa: CrivoError | None = None, codigo: str = "") -> Response:
    paciente, registro = await find_proven(request), _registro(request)
    if paciente is None:
        return page(request, "clinicas/minhas.html", provado=False, de_fora=is_of_another_house(request), recusa=None, codigo="")
    found = await _minhas(request).held(as_patient(request, paciente), paciente)
    values: dict[str, Any] = {
        "provado": True,
        "consultas": [MinhaVista.of(one, registro) for one in found.consultas],
        "faltam": enumerated((clinic_name(clinic, registro) for clinic in found.faltam), "pt"),
        "recusa": recusa,
        "codigo": written(codigo) if codigo else "",
    }
    return page(request, "clinicas/minhas.html", status_of(recusa) if recusa else 200, **values)


async def _noted(request: Request, entries: tuple[NewEntry, ...]) -> None:
    """Note what was done. What the clinic did stands, and is answered, even where nothing takes the note: then the log tells."""
    scope = scope_of(request)
    try:
        await state_of(request).container.atos.registrar(scope, entries)
    except CrivoError as error:
        logger.error("atos_sem_registro", exc_info=error, extra={"tenant": scope.tenant_id, "total": len(entries)})


def _minhas(request: Request) -> Minhas:
    return state_of(request).conversas.minhas


def _registro(request: Request) -> Registro:
    return _minhas(request).router.registro
