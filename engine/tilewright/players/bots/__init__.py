"""Bots: a view in, a move out; random, fast and careful; and strong ones, apart."""
