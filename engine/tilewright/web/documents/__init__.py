"""Documents of people: rulesets, cards, the workshop, replays, and what is told of rules."""
