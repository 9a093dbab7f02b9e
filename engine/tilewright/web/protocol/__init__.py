"""The protocol: messages, refusals, rates, and specs of games."""
