"""Calls, projects and what was found of them, in the database: one file a noun. Ids inside are UUIDs; `codigo` is the one people use."""
