"""Sections of a rulebook, a module each."""
