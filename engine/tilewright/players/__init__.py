"""Players: whatever chooses a legal move from a view, bots of this package and of other programs, and many games."""
