"""Tables of numbers that follow from rules."""
