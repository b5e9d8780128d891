"""`python -m crivo`: the command line."""

from crivo.cli.main import main

if __name__ == "__main__":
    main()
