"""What seats may do: choices of offers, refusals, and why a move is illegal."""
