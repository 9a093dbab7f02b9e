"""Tile sets, their notation, and tiles read from text. Knows no groups and no rules."""
