"""What comes in: an edital with its projects and files, from a JSON file, a folder or a Mapas Culturais export."""

from crivo.triagem.importacao.arquivos import Arquivo
from crivo.triagem.importacao.leitura import Importacao, read_chamada
from crivo.triagem.importacao.problemas import ImportacaoRecusada

__all__ = ["Arquivo", "Importacao", "ImportacaoRecusada", "read_chamada"]
