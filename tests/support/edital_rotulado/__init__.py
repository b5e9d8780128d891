"""A labelled public call: projects, their papers as people send them, and the truth about each. Made up throughout.

Labels were written with the papers, from what the edital says, and not from what the product answers.
"""

from edital_rotulado.inscritos import Metade
from edital_rotulado.montagem import EditalRotulado, build_edital

__all__ = ["EditalRotulado", "Metade", "build_edital"]
