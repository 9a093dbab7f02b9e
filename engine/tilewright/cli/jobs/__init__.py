"""Checks of many files: what is known of them, and who checks the others."""
