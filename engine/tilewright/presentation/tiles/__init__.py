"""Drawings of tiles: pictures for a page, signs for a terminal."""
