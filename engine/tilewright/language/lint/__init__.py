"""Lint: what a ruleset allows but cannot mean."""
