"""The link by which a beneficiary reads the decision about theirs: unguessable, with a code that comes apart from it."""
