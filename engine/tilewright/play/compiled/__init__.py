"""Compiled play: the table of a ruleset as a program of numbers that one kernel runs."""
