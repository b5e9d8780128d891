"""How fast crivo is, always beside something else measured in the same run. `python -m bench`; `python -m bench.torture`."""
