"""What real models answered, recorded, and how much of it the product's checks take: one module for each application."""
