"""`python -m bench.torture.provedor_na_rede ENDERECO PORTA SEGUNDOS`: the provider of the tests, for other hosts to ask."""

from __future__ import annotations

import sys

import uvicorn

from bench.provedor import fields
from provedor.roteiro import Provedor
from provedor.servidor import application

if __name__ == "__main__":
    endereco, porta, segundos = sys.argv[1:4]
    provedor = Provedor(espera_seconds=float(segundos))
    provedor.campos = fields
    uvicorn.run(application(provedor), host=endereco, port=int(porta), log_config=None, access_log=False, lifespan="off")
