"""Companions: texts and cases of a document that are written apart from it, and the document joined with them."""
