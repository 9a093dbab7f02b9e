"""Ways to win as lists of numbers, and the kernels that run over them for players on kernels."""
