"""Strong players. Import the other bots, which do not import these."""
