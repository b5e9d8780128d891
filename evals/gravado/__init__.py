"""What real models answered, recorded, held against the checks of today."""
