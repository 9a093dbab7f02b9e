"""The kernel of scoring: the image of a ruleset as flat numbers, and one loop over hands."""
