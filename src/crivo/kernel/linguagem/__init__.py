"""Reading Portuguese once: what several applications need to read what people write. Source: design, linguagem."""
