"""The table: phases, offers, choices, steps, views, the match and the log of events, run from compiled data."""
