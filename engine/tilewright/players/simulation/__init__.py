"""Many games between bots, and what is counted in them."""
