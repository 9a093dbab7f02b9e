"""A table as expressions see it: words, worth of hands, visibility; and tiles that move between places."""
