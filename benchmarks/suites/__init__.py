"""The suites of `bench.py`: a module each, whose `groups` gives its questions."""
