"""The compiled ruleset as frozen data: typed expressions, patterns, phases and offers."""
