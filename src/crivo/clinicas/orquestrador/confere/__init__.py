"""The verifier of the conversation: four rules in code, before the words are written and after. Source: blueprint 2.3.2."""

from crivo.clinicas.orquestrador.confere.veredito import verify_data, verify_text
from crivo.clinicas.orquestrador.fatos import Known

__all__ = ["Known", "verify_data", "verify_text"]
