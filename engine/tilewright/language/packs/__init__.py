"""Packs as documents name them: references, versions, the lock, and the files of packs that were added."""
