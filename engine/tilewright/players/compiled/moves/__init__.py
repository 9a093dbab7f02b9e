"""The moves of players on kernels, and hands that they play to the end."""
