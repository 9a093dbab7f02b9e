"""Comparing rulesets: what changes for players from one to another, in sentences, hands and games."""
