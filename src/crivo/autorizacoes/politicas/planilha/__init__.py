"""Políticas in spreadsheets: read by a map of their columns, with every fault by its cell, and written so that they read back the same."""
