import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.autorizacoes.politicas.codigos import fold_documento, normalize_codigo, normalize_padrao


@pytest.mark.parametrize(
    ("escrito", "normalizado"),
    [
        ("40304361", "40304361"),
        ("4.03.04.36-1", "40304361"),
        (" 4.03.04.36-1 ", "40304361"),
        ("4030436-1", "40304361"),
        ("403/04/361", "40304361"),
        ("40 304 361", "40304361"),
        ("00010014", "00010014"),
        ("rm-cranio", "RM-CRANIO"),
        ("rm cranio.1", "RMCRANIO.1"),
        ("a\t1\u00a02", "A12"),
        ("", ""),
        ("-", "-"),
        ("٤٠", "٤٠"),
    ],
)
def test_codigo_loses_blanks_and_case_and_only_a_tuss_code_its_punctuation(escrito: str, normalizado: str) -> None:
    """PRD RF1: espaços, maiúsculas/minúsculas e caracteres especiais em códigos."""
    assert normalize_codigo(escrito) == normalizado


@pytest.mark.parametrize(
    ("escrito", "normalizado"),
    [
        ("4030*", "4030*"),
        ("4.03.*", "403*"),
        (" 4.03-* ", "403*"),
        ("*", "*"),
        (" * ", "*"),
        ("rm-*", "RM-*"),
        ("4.03.04.36-1", "40304361"),
    ],
)
def test_a_prefix_is_spelled_like_the_codes_it_meets_and_keeps_its_star(escrito: str, normalizado: str) -> None:
    assert normalize_padrao(escrito) == normalizado


@pytest.mark.parametrize(
    ("escrito", "dobrado"),
    [
        ("LAUDO_MEDICO", "LAUDO_MEDICO"),
        ("Laudo médico", "LAUDO_MEDICO"),
        ("  pedido--médico / assinado  ", "PEDIDO_MEDICO_ASSINADO"),
        ("Exame nº 2", "EXAME_NO_2"),
        ("__laudo__", "LAUDO"),
        ("relatório_clínico", "RELATORIO_CLINICO"),
        ("---", ""),
        ("", ""),
    ],
)
def test_document_type_folds_to_upper_snake_without_accents(escrito: str, dobrado: str) -> None:
    assert fold_documento(escrito) == dobrado


@given(st.text(max_size=80))
def test_normalizing_a_codigo_twice_changes_nothing_more(texto: str) -> None:
    once = normalize_codigo(texto)
    assert normalize_codigo(once) == once


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_folding_a_document_type_twice_changes_nothing_more(texto: str) -> None:
    once = fold_documento(texto)
    assert fold_documento(once) == once


@given(st.integers(min_value=0, max_value=99_999_999).map(lambda numero: f"{numero:08d}"))
def test_a_punctuated_tuss_code_is_the_same_code(digits: str) -> None:
    punctuated = f"{digits[0]}.{digits[1:3]}.{digits[3:5]}.{digits[5:7]}-{digits[7]}"
    assert normalize_codigo(punctuated) == digits


def test_a_text_too_long_to_remember_is_folded_all_the_same() -> None:
    assert fold_documento("é " * 5_000) == "_".join("E" * 5_000)
