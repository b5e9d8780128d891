"""How often crivo is right: decisions beside outcomes worked out by hand and beside an independent statement of the rules; conversations
with the clinics beside what must come of them; texts beside what the verifier must say of them.
"""
