"""Limits: how often, how many and how much somebody may, and what is refused beyond that."""
