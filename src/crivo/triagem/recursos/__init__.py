"""Recursos: an applicant answers a result or a habilitação, another person answers, and the list is counted again."""
