"""Grading by critério: a model quotes and grades, and code checks the quotes, computes the confiança and abstains where text instructs.

Source: design, Avaliação.
"""
