"""Analysis: what sampled hands and other options show of a ruleset: findings, which need not be mistakes."""
