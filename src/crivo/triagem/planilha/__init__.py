"""People's notas and habilitações out of a spreadsheet: a model to fill in, faults by cell, and what would change before it does."""
