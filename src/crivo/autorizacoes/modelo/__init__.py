"""What a model does in authorizations: it writes texts, is compared with the code, and proposes names of fields. It decides nothing."""
