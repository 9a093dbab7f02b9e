"""Tables on the server: the actor of one table, the registry of all, seats, audience, answers."""
