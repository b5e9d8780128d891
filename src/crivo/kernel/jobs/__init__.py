"""Durable jobs: put in the queue inside the unit of work that they belong to, done by workers on any number of machines."""
