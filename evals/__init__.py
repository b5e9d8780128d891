"""How often crivo is right: its decisions beside outcomes worked out by hand and beside an independent statement of the rules."""
