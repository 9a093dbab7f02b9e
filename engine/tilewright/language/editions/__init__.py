"""Editions of the language: documents of older editions turned into the newest, by a table of changes."""
