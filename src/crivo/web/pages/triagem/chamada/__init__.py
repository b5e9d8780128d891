"""The form on which people write an edital, and the pages around it."""
