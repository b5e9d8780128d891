"""The verifier of the conversation: four rules in code, before the words are written and after. Source: blueprint 2.3.2."""

from crivo.clinicas.orquestrador.verifier.fatos import Known
from crivo.clinicas.orquestrador.verifier.veredito import verify_data, verify_text

__all__ = ["Known", "verify_data", "verify_text"]
