"""After the notas: who is selected, in which vaga and why. Pure and exact; what keeps notas and decisions is elsewhere.

Source: design, After the notas, and decision 0056.
"""
