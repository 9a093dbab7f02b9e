"""Many hands at once: batches in columns, scored over the image of a ruleset as arrays."""
