"""Data: what programs hand over, checked."""
