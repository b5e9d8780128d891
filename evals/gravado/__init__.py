"""Answers that real models gave, recorded, against today's checks: one pure scorer for each application."""
