"""What the audit vouches for across the applications, and whether it all still stands."""
