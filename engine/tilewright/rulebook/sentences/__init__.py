"""Sentences of a rulebook: expressions, comparisons and groups in words."""
