"""Sections of a ruleset, compiled: tiles, groups, cards, amounts and play."""
