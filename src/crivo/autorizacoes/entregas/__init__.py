"""Decisions carried to who asked: signed messages to an address of theirs, or a letter, by an outbox that never makes a decision wait."""
