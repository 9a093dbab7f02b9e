"""What patterns ask, as a program: counters, conditions over bits, and the order in which patterns drop each other."""
