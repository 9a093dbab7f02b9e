"""Tiles as they are drawn: pictures for a page, signs for a terminal."""
