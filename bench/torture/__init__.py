"""Ends servers on the spot and under load, sets many clients upon few slots, and counts what was lost, doubled or halved."""
