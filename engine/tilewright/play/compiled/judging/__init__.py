"""Judging hands of compiled play by kernels, where these tell: waits, wins, and what bars a seat from winning."""
