"""A card as it is printed: on sheets of paper, as a page, on the screen and in words."""
