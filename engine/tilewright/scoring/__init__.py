"""Scoring: the best reading of a hand, itemised and paid. One hand or a million. Plays nothing and prints nothing."""
