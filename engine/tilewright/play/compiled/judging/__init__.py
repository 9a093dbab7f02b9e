"""Judging hands of compiled play: their waits and wins by kernels, where these tell."""
