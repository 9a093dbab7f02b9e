"""The kernel of compiled play: one loop that runs the program of any ruleset, and what it calls."""
