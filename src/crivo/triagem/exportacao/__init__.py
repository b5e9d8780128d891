"""What goes out: the result of a triagem as JSON for machines, CSV and spreadsheet for people."""

from crivo.triagem.exportacao.lugares import lugares_to_csv, lugares_to_json
from crivo.triagem.exportacao.para_csv import to_csv
from crivo.triagem.exportacao.para_json import to_json
from crivo.triagem.exportacao.para_xlsx import to_xlsx
from crivo.triagem.exportacao.tabelas import NomeTabela

__all__ = ["NomeTabela", "lugares_to_csv", "lugares_to_json", "to_csv", "to_json", "to_xlsx"]
