"""Calls of other domains by another hand, with the truth written beside them before anything was run."""
