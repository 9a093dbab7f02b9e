"""Presentation: how problems, events, scores and advice are told, as data or as text. Knows no front end."""
