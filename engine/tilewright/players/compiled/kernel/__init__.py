"""The decisions of players as kernels over the numbers of a state."""
