"""Every failure as HTTP tells it: RFC 9457 problem details for programs. The one place that turns a `Kind` into a status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final

import msgspec
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from crivo.autorizacoes.erros import AutorizacaoNotFound
from crivo.autorizacoes.mapeamento.service import FormatoNotFound
from crivo.autorizacoes.politicas.service import PoliticaNotFound
from crivo.clinicas.conversa import ConversaNotFound
from crivo.kernel.access import TentativasDemais
from crivo.kernel.cotas import CotaEsgotada
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.triagem.andamento import Execucao
from crivo.triagem.edital import EditalNotFound
from crivo.triagem.erros import AtoNotFound, ProjetoNotFound, TriagemEmAndamento

PROBLEM_JSON: Final = "application/problem+json"
STATUS: Final[Mapping[Kind, int]] = {
    Kind.MALFORMED: 400,
    Kind.INVALID: 422,
    Kind.TOO_LARGE: 413,
    Kind.UNAUTHENTICATED: 401,
    Kind.FORBIDDEN: 403,
    Kind.ABSENT: 404,
    Kind.GONE: 410,
    Kind.CONFLICT: 409,
    Kind.LIMITED: 429,
    Kind.UNAVAILABLE: 503,
    Kind.MISUSE: 400,
}
_RETRY_SECONDS: Final = 5


class HttpError(CrivoError):
    """A failure that only HTTP knows of; it names its own status."""

    status: ClassVar[int]


class RotaInexistente(HttpError):
    """Nothing is served at that address."""

    codigo: ClassVar[str] = "rota_inexistente"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Endereço não encontrado"
    status: ClassVar[int] = 404


class MetodoNaoAceito(HttpError):
    """The address exists, and does not take that method; `allow` are the ones it takes."""

    codigo: ClassVar[str] = "metodo_nao_aceito"
    titulo: ClassVar[str] = "Método não aceito"
    status: ClassVar[int] = 405

    def __init__(self, allow: str) -> None:
        super().__init__("Este endereço não aceita este método. O cabeçalho Allow diz quais aceita.")
        self.allow = allow


class TipoNaoAceito(HttpError):
    """A body of a type that the address does not read."""

    codigo: ClassVar[str] = "tipo_nao_aceito"
    titulo: ClassVar[str] = "Tipo de conteúdo não aceito"
    status: ClassVar[int] = 415


class RequisicaoRecusada(HttpError):
    """A request that the framework refused before any code of crivo's own saw it."""

    codigo: ClassVar[str] = "requisicao_recusada"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "A requisição não pôde ser lida"
    status: ClassVar[int] = 400


class ErroInterno(HttpError):
    """A fault of this program; its details are in the log, under the request's id."""

    codigo: ClassVar[str] = "erro_interno"
    titulo: ClassVar[str] = "Erro inesperado"
    status: ClassVar[int] = 500

    def __init__(self) -> None:
        super().__init__("Algo falhou deste lado, e a falha ficou registrada. Tente de novo; se continuar, informe o número da requisição.")


class CorpoGrandeDemais(CrivoError):
    """A body over the limit, by what it declares or by what it turned out to hold."""

    codigo: ClassVar[str] = "corpo_grande_demais"
    kind: ClassVar[Kind] = Kind.TOO_LARGE
    titulo: ClassVar[str] = "Conteúdo grande demais"


class CorpoSemJson(CrivoError):
    """What was sent is no JSON."""

    codigo: ClassVar[str] = "json_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "O conteúdo não é JSON"


class CorpoInvalido(CrivoError):
    """JSON of another shape than the address takes."""

    codigo: ClassVar[str] = "conteudo_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O conteúdo não tem a forma esperada"


class ParametroInvalido(CrivoError):
    """A parameter of the address or of the headers that cannot be read."""

    codigo: ClassVar[str] = "parametro_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Parâmetro inválido"


class PedidosDemais(CrivoError):
    """A key that asked more often than it may; `retry_after_seconds` is when it may again."""

    codigo: ClassVar[str] = "pedidos_demais"
    kind: ClassVar[Kind] = Kind.LIMITED
    titulo: ClassVar[str] = "Limite de pedidos por minuto"

    def __init__(self, retry_after_seconds: int) -> None:
        plural = "segundo" if retry_after_seconds == 1 else "segundos"
        super().__init__(f"Esta chave passou do limite de pedidos por minuto. Tente de novo em {retry_after_seconds} {plural}.")
        self.retry_after_seconds = retry_after_seconds


class VisitasDemais(PedidosDemais):
    """Somebody without an account who asked more often than anybody may."""

    codigo: ClassVar[str] = "visitas_demais"
    titulo: ClassVar[str] = "Muitos pedidos em pouco tempo"

    def __init__(self, retry_after_seconds: int) -> None:
        CrivoError.__init__(self, f"Espere um pouco e abra a página de novo, em {retry_after_seconds} s.")
        self.retry_after_seconds = retry_after_seconds


class CotaCheia(CrivoError):
    """A tenant holds as much as one may of what all of them share; the others go on."""

    codigo: ClassVar[str] = "cota_cheia"
    kind: ClassVar[Kind] = Kind.LIMITED
    titulo: ClassVar[str] = "Sua organização já usa tudo o que lhe cabe"

    def __init__(self) -> None:
        super().__init__(
            "Sua organização está com o máximo de pedidos deste tipo ao mesmo tempo. Espere que um termine e tente de novo em instantes."
        )


class CorpoLento(HttpError):
    """A body that stopped coming, or comes too slowly to be waited for."""

    codigo: ClassVar[str] = "corpo_lento"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "O conteúdo demorou demais a chegar"
    status: ClassVar[int] = 408

    def __init__(self) -> None:
        super().__init__("O conteúdo parou de chegar, ou chega devagar demais. Confira a conexão e envie de novo.")


class SemVaga(CrivoError):
    """As many as can be served at once of what takes long are being served."""

    codigo: ClassVar[str] = "sem_vaga"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Muita gente ao mesmo tempo"

    def __init__(self) -> None:
        super().__init__("O servidor está atendendo o máximo de pedidos deste tipo. Tente de novo em instantes.")


class Fault(msgspec.Struct, frozen=True, gc=False):
    """One fault in what was sent. `caminho` points at the field, `linha` at the line of a file; both may be empty."""

    caminho: str
    linha: int | None
    mensagem: str
    codigo: str


class ProblemDetails(msgspec.Struct, frozen=True, gc=False):
    """Why a request failed, and what to do next. `codigo` is stable; `execucao` is there where one is in the way. Source: RFC 9457."""

    type: str
    title: str
    status: Annotated[int, msgspec.Meta(ge=400, le=599)]
    detail: str
    codigo: str
    problemas: tuple[Fault, ...]
    request_id: str
    execucao: Execucao | msgspec.UnsetType = msgspec.UNSET


def status_of(error: CrivoError) -> int:
    """The HTTP status of an error."""
    return error.status if isinstance(error, HttpError) else STATUS[error.kind]


def problem_of(error: CrivoError, request_id: str) -> ProblemDetails:
    """An error as problem details."""
    faults = tuple([Fault(p.caminho, p.linha, p.mensagem, p.codigo) for p in error.problemas])
    type_uri = f"urn:crivo:problema:{error.codigo}"
    in_the_way = error.execucao if isinstance(error, TriagemEmAndamento) else msgspec.UNSET
    return ProblemDetails(type_uri, error.titulo, status_of(error), error.mensagem, error.codigo, faults, request_id, in_the_way)


def headers_of(error: CrivoError) -> dict[str, str]:
    """The headers that go with an error: how to authenticate, when to try again, which methods there are."""
    if isinstance(error, CotaEsgotada | PedidosDemais | TentativasDemais):
        return {"retry-after": str(error.retry_after_seconds)}
    if isinstance(error, MetodoNaoAceito):
        return {"allow": error.allow}
    if isinstance(error, CorpoLento):
        return {"connection": "close"}
    if error.kind in (Kind.LIMITED, Kind.UNAVAILABLE):
        return {"retry-after": str(_RETRY_SECONDS)}
    if error.kind is Kind.UNAUTHENTICATED:
        return {"www-authenticate": 'Bearer realm="crivo"'}
    return {}


def from_http_exception(error: HTTPException, allow: str) -> CrivoError:
    """The framework's own refusal, in the words of this program; `allow` are the methods that the address takes."""
    match error.status_code:
        case 404:
            return RotaInexistente("Não há nada neste endereço. Confira o caminho; os que existem estão em /api/docs.")
        case 405:
            return MetodoNaoAceito(allow or (error.headers or {}).get("Allow", ""))
        case 413:
            return CorpoGrandeDemais("O conteúdo enviado é grande demais. Envie menos de cada vez.")
        case _:
            return RequisicaoRecusada("A requisição está malformada. Confira o que foi enviado e tente de novo.")


def from_validation(error: RequestValidationError) -> CrivoError:
    """Parameters that could not be read, without repeating what was sent; an id that is none is an id that is not there."""
    faults = error.errors()
    for fault in faults:
        if fault["loc"][0] == "path":
            return _absent(str(fault["loc"][-1]))
    problems = [
        Problem(_VALIDATION.get(fault["type"], "não é um valor aceito"), caminho=str(fault["loc"][-1]), codigo="parametro_invalido")
        for fault in faults
    ]
    return ParametroInvalido("Corrija os parâmetros indicados e tente de novo.", problems)


def _absent(parameter: str) -> CrivoError:
    match parameter:
        case "autorizacao_id":
            return AutorizacaoNotFound(
                "Não há decisão guardada com este identificador. Confira-o; pelo número do pedido, procure na lista de decisões."
            )
        case "conversa_id":
            return ConversaNotFound()
        case "edital_id":
            return EditalNotFound("Não há edital com este código. Confira o código, ou liste os editais importados.")
        case "ato_id":
            return AtoNotFound("Não há decisão com este número neste edital. Confira-o, ou liste as decisões do edital.")
        case "projeto_id":
            return ProjetoNotFound("Não há projeto com este código entre os que foram dados a você. Confira o código.")
        case "mapeamento_id":
            return FormatoNotFound("Não há mapeamento com este identificador. Liste os mapeamentos para ver os que existem.")
        case "politica_id":
            return PoliticaNotFound("Não há política com este identificador. Liste as políticas para ver as que existem.")
        case _:
            return RotaInexistente("Não há nada neste endereço.")


_VALIDATION: Final[Mapping[str, str]] = {
    "missing": "falta este parâmetro",
    "uuid_parsing": "deve ser um identificador como 0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00",
    "int_parsing": "deve ser um número inteiro",
    "string_pattern_mismatch": "não é um código como ED-2026-04",
    "string_too_long": "é longo demais",
    "greater_than_equal": "é menor que o mínimo",
    "less_than_equal": "é maior que o máximo",
    "literal_error": "não é uma das opções",
    "bool_parsing": "deve ser true ou false",
    "datetime_parsing": "deve ser uma data, como 2026-11-20, ou data com hora, como 2026-11-20T09:00:00-03:00",
    "datetime_from_date_parsing": "deve ser uma data, como 2026-11-20, ou data com hora, como 2026-11-20T09:00:00-03:00",
}
