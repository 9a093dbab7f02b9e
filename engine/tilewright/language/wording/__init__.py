"""Wordings: what authors say in place of derived sentences, and what it was said of."""
