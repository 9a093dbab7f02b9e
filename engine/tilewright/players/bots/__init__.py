"""Bots: a view in, a move out; random and fast, and what all of them know."""
