"""Kernels of learning: actions, observations and steps of many tables, over the numbers of their states."""
