"""Data: what programs hand over, checked; and what was made once, kept."""
