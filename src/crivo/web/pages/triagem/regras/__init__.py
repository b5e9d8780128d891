"""The form on which people write how notas become places, and what the rules would give while they write."""
