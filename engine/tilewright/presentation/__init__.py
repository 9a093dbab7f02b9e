"""Presentation: problems, events, scores and advice as text or data, for every front end. Knows none of them."""
