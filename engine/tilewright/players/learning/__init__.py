"""Learning: tables as numbers, for players that learn: actions, observations, environments."""
