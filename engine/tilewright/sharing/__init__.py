"""Packs: documents made into one archive, added to a folder, kept by a lock, listed for others."""
