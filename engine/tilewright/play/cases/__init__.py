"""Cases with a play: moves made at a table that is set up, and what must come out."""
