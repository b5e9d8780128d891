"""What an operator watches: what is up, slow, behind, failing, dear or due, in numbers that name nobody."""
