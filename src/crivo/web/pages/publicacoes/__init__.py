"""Pages that anybody opens without an account: what an organisation published, and whether a file is what was published."""
