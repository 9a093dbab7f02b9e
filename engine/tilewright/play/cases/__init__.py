"""Cases with a play: moves made at a table that is laid out, and what must come out."""
