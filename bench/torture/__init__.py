"""Ends the server, and at times its database, on the spot and under load, and counts what was lost."""
