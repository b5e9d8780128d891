"""Spreadsheets that people send: whether a file is one and safe to open, and its cells."""
