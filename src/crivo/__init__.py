"""crivo: every field has an author: code, model or person."""
