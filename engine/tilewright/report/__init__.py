"""The report of a ruleset: what games between bots show of it, as a page and as data."""
