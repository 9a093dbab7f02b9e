"""The protocol: messages, refusals, and specs of games."""
