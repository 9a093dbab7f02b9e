"""A table as expressions ask it: words, worth of hands, who sees what; and tiles that go from place to place."""
