"""The shape of a document that people write: stated as Pydantic models, told in pt-BR where it is broken, published as JSON Schema."""
