"""Bots: a view in, a move out; random, fast, careful and strong ones, and what all of them know."""
