"""Problems that stay for now: those that a comment ignores, and those of a baseline."""
