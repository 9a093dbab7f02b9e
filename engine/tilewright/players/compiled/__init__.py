"""Players of compiled play: the same moves as those of the bots, thousands of times faster."""
