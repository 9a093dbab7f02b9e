"""Cards of hands: check, count and draw them, and see how near a hand is."""
