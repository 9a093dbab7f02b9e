"""Advice for a seat: hints, waits, discards and the nearest hands of a card, as lines and as plain data."""
