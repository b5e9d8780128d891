"""Copies of an installation: one file that holds all of it at a moment, and how it comes back. Keys are never in it."""
