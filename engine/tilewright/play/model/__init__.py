"""Frozen data of play: events, moves, melds, layouts, results. Knows no table."""
