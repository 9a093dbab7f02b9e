"""Lint: what is allowed in a ruleset and yet cannot be meant."""
