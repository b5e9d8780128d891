"""Test cases beside a política: a pedido, and what is to come of it."""
