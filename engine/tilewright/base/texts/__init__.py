"""Texts as they come in: files, over those that an editor has not saved, and what was made of the latest of them."""
