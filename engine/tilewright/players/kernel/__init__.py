"""Players on kernels: the same moves as those of the bots, thousands of times faster, for games of compiled play."""
