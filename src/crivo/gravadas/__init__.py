"""Replies of real models, recorded: asked once, replayed through whatever the code has become, and held beside each other."""
