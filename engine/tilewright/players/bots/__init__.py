"""Bots: from what a seat sees to the move it makes; random, fast and careful."""
