"""Documents of people: rulesets, cards, the workshop, replays, and information about rules."""
