"""The table in a terminal: a view in; what a player sees, is asked and may answer out. In full screen, or line by
line."""
