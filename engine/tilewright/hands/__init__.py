"""Groups and pure search: every reading of a hand, its waits, its distance. Knows no scoring."""
