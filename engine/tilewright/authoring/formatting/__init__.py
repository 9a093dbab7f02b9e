"""Formatting documents: the pieces of a text, the tables in it, and where everything goes."""
