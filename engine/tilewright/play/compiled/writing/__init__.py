"""Writing the code of a play: phases, offers, steps, payments and expressions as instructions of the machine."""
