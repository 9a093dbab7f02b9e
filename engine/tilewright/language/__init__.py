"""The language: documents in, a compiled ruleset out, or every problem in them. Scores nothing and plays nothing."""
