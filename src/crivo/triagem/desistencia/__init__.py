"""Projects that withdraw from a call: what comes of it for the others, and that it was so."""
