"""The careful player and the strong one: what hands may become, how likely that is, and what discards may cost."""
