"""`python -m crivo.triagem.documentos`, as `Leitor` starts it."""

from crivo.triagem.documentos.filho import serve

if __name__ == "__main__":
    serve()
