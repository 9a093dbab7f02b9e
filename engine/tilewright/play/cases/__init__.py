"""Cases with a play: moves made at a prepared table, and what is expected of them."""
