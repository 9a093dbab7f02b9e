"""The table in a terminal: a view in; what a player sees, is asked and may answer out. In a window, or line by line."""
