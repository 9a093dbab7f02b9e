"""Coverage: what the examples, cases and plays of a ruleset reach of it."""
