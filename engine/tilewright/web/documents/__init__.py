"""User documents: rulesets, cards, the workshop, replays, and information about rules."""
