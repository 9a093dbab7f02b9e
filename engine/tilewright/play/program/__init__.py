"""The play of a ruleset as data, and what is looked up in it. Knows no table."""
