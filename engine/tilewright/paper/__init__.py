"""Printed cards: on sheets of paper, as a page, on the screen and in words."""
