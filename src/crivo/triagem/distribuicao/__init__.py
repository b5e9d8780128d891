"""Who judges an edital: which projects are given to whom, taken from whom, and of which people are reminded."""
