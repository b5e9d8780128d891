"""Every refusal of a clinic, in the words of its reception. None says whether somebody else has a booking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crivo.clinicas.ferramentas import Ferramenta
from crivo.clinicas.protocol import Refusal

HORARIO_OCUPADO: Final = Refusal("horario_ocupado", "Esse horário já foi ocupado. Veja os horários que ainda estão livres e escolha outro.")
MESMO_HORARIO: Final = Refusal("horario_ocupado", "A consulta já está marcada nesse mesmo horário. Escolha outro para remarcar.")
HORARIO_INEXISTENTE: Final = Refusal(
    "horario_inexistente", "Esse médico não atende nesse dia e hora. Veja os horários livres e escolha um deles."
)
HORARIO_PASSADO: Final = Refusal("horario_passado", "Esse horário já passou. Escolha um horário daqui para a frente.")
CPF_INVALIDO: Final = Refusal("cpf_invalido", "Esse CPF não confere. Verifique os onze números e tente de novo.")
NAO_E_SEU: Final = Refusal("nao_e_seu", "Não encontrei consulta marcada com esse CPF nesse dia e hora. Confira a data, a hora e o médico.")
PACIENTE_DESCONHECIDO: Final = Refusal(
    "paciente_desconhecido", "Não há paciente com esse identificador nesta clínica. Confira e tente de novo."
)
CHAVE_RESTRITA: Final = Refusal("acesso_restrito", "Esta chave não faz isto nesta clínica.")
# The same for no booking, somebody else's and a wrong code: which it is would tell who holds what.
PROVA_NECESSARIA: Final = Refusal(
    "prova_necessaria",
    "Para ver, mudar ou cancelar uma consulta já marcada, é preciso provar de quem ela é: com o código dado quando ela foi marcada, "
    "pela conta do paciente, ou na recepção da clínica.",
)
# It tells how often codes were tried for a CPF, and nothing of what that one holds.
CODIGO_EM_DESCANSO: Final = Refusal(
    "codigo_em_descanso",
    "Foram dados códigos errados demais, e por segurança os códigos deste CPF não são mais conferidos aqui hoje. A consulta continua "
    "marcada e o código volta a valer amanhã; até lá, use a conta do paciente ou fale com a recepção da clínica.",
)
DATA_INVALIDA: Final = Refusal(
    "data_invalida", "Essa data ou hora não existe. Use uma data como 2025-07-18 (ano, mês e dia) e uma hora como 09:30."
)


def of_act(ferramenta: Ferramenta) -> Refusal:
    """What whoever may not do such an act is told."""
    if ferramenta.restricted:
        return Refusal("acesso_restrito", ferramenta.restricted)
    return PROVA_NECESSARIA if ferramenta.needs_proof else CHAVE_RESTRITA


def medico_desconhecido(doctors: Sequence[str]) -> Refusal:
    """Nobody of that name works here; `doctors` do."""
    who = f" Aqui atendem: {', '.join(doctors)}." if doctors else ""
    return Refusal("medico_desconhecido", f"Não encontrei esse médico nesta clínica.{who}")


def medico_ambiguo(doctors: Sequence[str]) -> Refusal:
    """All of `doctors` may be meant."""
    return Refusal("medico_ambiguo", f"Mais de um médico daqui tem esse nome: {', '.join(doctors)}. Com qual deles?")
