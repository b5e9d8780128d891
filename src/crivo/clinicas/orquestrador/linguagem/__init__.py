"""Dates, times and numbers as people write them in Portuguese, English and Spanish; spans always point into the original text."""
